"""What a batch of events may touch, so that a store loads it at once. Books nothing.

Naming one too many costs a little time; one too few would book on a wrong balance.
"""

from __future__ import annotations

from riverboat.game.hand.events import HandEnded
from riverboat.game.table.events import OptionsChanged, PlayerLeft, SeatReserved, TableOpened
from riverboat.ledger import accounts
from riverboat.ledger import money_at_table as money
from riverboat.ledger.accounts import Account
from riverboat.ledger.follow import TableBooks, reservation_named, terms_of


class Touched:
    """The accounts and postings that some events may touch, and who asks for what."""

    __slots__ = ("_books", "_game", "_reserved", "_terms", "accounts", "askers", "postings", "told")

    def __init__(self, books: TableBooks) -> None:
        """`books` knows already the tables, and the reservations that the batch names."""
        self._books = books
        self._terms = dict(books.terms)
        self.told = list(books.terms.values())  # the terms of these tables, and all to come
        self._game = ""  # of the table whose event is noted
        self._reserved: dict[str, tuple[str, str]] = {
            held.id: (held.player, held.sitting) for held in books.reservations.values()
        }
        self.askers: dict[str, set[tuple[str, str]]] = {}  # players, each with game and currency
        self.accounts: set[Account] = set()
        self.postings: set[str] = set()

    def add(self, table: str, event: object) -> None:
        """Note what `event`, which moves money, may touch."""
        if isinstance(event, TableOpened | OptionsChanged):
            self._terms[table] = terms_of(event.settings)
            self.told.append(self._terms[table])
            return
        if table not in self._terms:
            return
        currency, rulebook = self._terms[table][:2]
        if isinstance(event, HandEnded):
            self.postings.add(money.result_id(event.hand))
            self.accounts.add(accounts.rake(rulebook, currency))
            for net in event.nets:
                self.accounts.add(accounts.at_table(net.sitting, currency))
        elif isinstance(event, PlayerLeft):
            self.postings.add(money.out_id(event.sitting))
            self.accounts.add(accounts.at_table(event.sitting, currency))
            self.accounts.add(accounts.player_account(event.player, currency))
        else:
            self._game = self._terms[table].game
            self._add_reservation(event, currency)

    def _add_reservation(self, event: object, currency: str) -> None:
        if isinstance(event, SeatReserved):
            sitting = event.top_up or event.reservation
            self.askers.setdefault(event.player, set()).add((self._game, currency))
            self._reserved.setdefault(event.reservation, (event.player, sitting))
        reservation = reservation_named(event)
        if reservation is None or reservation not in self._reserved:
            return
        player, sitting = self._reserved[reservation]
        self.postings.update((money.fund_id(reservation), money.seat_id(reservation)))
        self.accounts.add(accounts.player_account(player, currency))
        self.accounts.add(accounts.in_transit(reservation, currency))
        self.accounts.add(accounts.at_table(sitting, currency))
