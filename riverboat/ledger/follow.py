"""Following a table: what the events of the hand log do to the books.

The log is final. The ledger decides one thing only, whether a reservation is funded; everything
else has already happened when it is read, and is booked. Reads no clock and stores nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from riverboat.game.hand.events import HandEnded
from riverboat.game.record import UnknownEvent
from riverboat.game.table.events import (
    BuyInReturned,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    TableOpened,
    ToppedUp,
)
from riverboat.ledger import accounts
from riverboat.ledger import money_at_table as money
from riverboat.ledger.accounts import Account
from riverboat.ledger.books import Books
from riverboat.ledger.money_at_table import Reservation
from riverboat.ledger.postings import Flag, LawBroken, Posting


class Terms(NamedTuple):
    """What the ledger must know of a table, from its opening."""

    currency: str
    rulebook: str


class TableBooks(Books):
    """Books with the tables that move them and the reservations that wait for an answer."""

    __slots__ = ("answered", "asked", "reservations", "settled", "terms")

    def __init__(self) -> None:
        super().__init__()
        self.terms: dict[str, Terms] = {}
        self.reservations: dict[str, Reservation] = {}
        self.asked: list[Reservation] = []  # answered here for the first time, in order
        self.answered: dict[str, Reservation] = {}  # to be told to their tables, by id
        self.settled: set[str] = set()  # reservations whose answer the table has shown


def follow(books: TableBooks, table: str, event: object) -> None:
    """Book what `event` of `table` did; most events move no money."""
    step = STEPS.get(type(event))
    if step is not None:
        step(books, table, event)


def _opened(books: TableBooks, table: str, event: TableOpened) -> None:
    terms = Terms(event.settings.currency, event.settings.rulebook)
    if books.terms.setdefault(table, terms) != terms:
        raise LawBroken(f"{table} was opened before, on other terms")


def _reserved(books: TableBooks, table: str, event: SeatReserved) -> None:
    there = books.reservations.get(event.reservation)
    if there is None:
        asked = Reservation(
            event.reservation,
            table,
            event.player,
            event.amount,
            _terms(books, table).currency,
            event.top_up or event.reservation,
        )
        wanted = money.fund(asked)
        refusal = books.refusal_of(wanted)
        if refusal is None:
            books.book(wanted)
            there = asked
        else:
            there = replace(asked, refused=refusal.code.name)
        books.reservations[asked.id] = there
        books.asked.append(there)
    elif (there.table, there.player, there.amount) != (table, event.player, event.amount):
        raise LawBroken(f"reservation {event.reservation} was asked for twice")
    # Answered once: whoever reads it again tells the first answer again.
    books.answered[there.id] = there


def _seated(books: TableBooks, table: str, event: PlayerSeated | ToppedUp) -> None:
    reservation = _funded(books, table, event.reservation)
    _settle(books, reservation, money.seat(reservation))


def _returned(books: TableBooks, table: str, event: BuyInReturned) -> None:
    reservation = _funded(books, table, event.reservation)
    _settle(books, reservation, money.give_back(reservation))


def _failed(books: TableBooks, table: str, event: ReservationFailed) -> None:
    reservation = _reservation(books, table, event.reservation)
    if money.fund_id(reservation.id) in books.postings:
        # A ledger restored from a backup may fund what it had refused before. The log is final.
        _settle(books, reservation, money.give_back(reservation, Flag.LOG_WINS))
    else:
        _settle(books, reservation, None)


def _left(books: TableBooks, table: str, event: PlayerLeft) -> None:
    currency = _terms(books, table).currency
    books.book(money.cash_out(event.player, event.sitting, event.amount, currency))
    left = books.balance(accounts.at_table(event.sitting, currency))
    if left:
        raise LawBroken(f"sitting {event.sitting} of {table} left {left} behind")


def _ended(books: TableBooks, table: str, event: HandEnded) -> None:
    currency, rulebook = _terms(books, table)
    nets = [(net.sitting, net.amount) for net in event.nets]
    books.book(money.result(event.hand, nets, event.rake, rulebook, currency))
    for sitting, _ in nets:
        if books.balance(accounts.at_table(sitting, currency)) < 0:
            raise LawBroken(f"hand {event.hand} took more from sitting {sitting} than it had")


def _unknown(_books: TableBooks, table: str, event: UnknownEvent) -> None:
    # It may move money: a newer version must read it before anything that follows it is booked.
    raise LawBroken(f"{table} tells what is not known here: {event.what}")


def _funded(books: TableBooks, table: str, reservation_id: str) -> Reservation:
    """The reservation, whose funding is booked now if the ledger does not have it.

    A ledger restored from an older backup may have refused what it had funded before, for the
    deposit is missing. The chips are in play all the same: the player owes them. [ARCHITECTURE 5]
    """
    reservation = _reservation(books, table, reservation_id)
    if money.fund_id(reservation_id) not in books.postings:
        books.book(money.fund(reservation, Flag.LOG_WINS))
    return reservation


def _settle(books: TableBooks, reservation: Reservation, end: Posting | None) -> None:
    if end is not None:
        books.book(end)
    books.answered.pop(reservation.id, None)
    books.settled.add(reservation.id)


def _reservation(books: TableBooks, table: str, reservation_id: str) -> Reservation:
    reservation = books.reservations.get(reservation_id)
    if reservation is None or reservation.table != table:
        raise LawBroken(f"{table} resolves {reservation_id}, which it never reserved")
    return reservation


def _terms(books: TableBooks, table: str) -> Terms:
    terms = books.terms.get(table)
    if terms is None:
        raise LawBroken(f"{table} moves money and was never opened")
    return terms


STEPS: dict[type, Callable[[TableBooks, str, Any], None]] = {
    TableOpened: _opened,
    SeatReserved: _reserved,
    PlayerSeated: _seated,
    ToppedUp: _seated,
    BuyInReturned: _returned,
    ReservationFailed: _failed,
    PlayerLeft: _left,
    HandEnded: _ended,
    UnknownEvent: _unknown,
}

_RESERVING = frozenset({SeatReserved, PlayerSeated, ToppedUp, BuyInReturned, ReservationFailed})


def moves_money(event: object) -> bool:
    """Whether the ledger has anything to do with `event`; with most it has not."""
    return type(event) in STEPS


def reservation_named(event: Any) -> str | None:
    """The reservation that `event` speaks of: a store loads it first."""
    return event.reservation if type(event) in _RESERVING else None


class Touched:
    """Which accounts and postings a batch of events may touch, so that a store loads them at once.

    Naming one too many costs a little time; one too few would book on a wrong balance.
    """

    __slots__ = ("_books", "_reserved", "_terms", "accounts", "postings")

    def __init__(self, books: TableBooks) -> None:
        """`books` knows already the tables, and the reservations that the batch names."""
        self._books = books
        self._terms = dict(books.terms)
        self._reserved: dict[str, tuple[str, str]] = {
            held.id: (held.player, held.sitting) for held in books.reservations.values()
        }
        self.accounts: set[Account] = set()
        self.postings: set[str] = set()

    def add(self, table: str, event: object) -> None:
        """Note what `event`, which moves money, may touch."""
        if isinstance(event, TableOpened):
            self._terms[table] = Terms(event.settings.currency, event.settings.rulebook)
            return
        if table not in self._terms:
            return
        currency, rulebook = self._terms[table]
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
            self._add_reservation(event, currency)

    def _add_reservation(self, event: object, currency: str) -> None:
        if isinstance(event, SeatReserved):
            sitting = event.top_up or event.reservation
            self._reserved.setdefault(event.reservation, (event.player, sitting))
        reservation = reservation_named(event)
        if reservation is None or reservation not in self._reserved:
            return
        player, sitting = self._reserved[reservation]
        self.postings.update((money.fund_id(reservation), money.seat_id(reservation)))
        self.accounts.add(accounts.player_account(player, currency))
        self.accounts.add(accounts.in_transit(reservation, currency))
        self.accounts.add(accounts.at_table(sitting, currency))
