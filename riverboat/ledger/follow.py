"""Following a table: what the events of the hand log do to the books.

The log is final. The ledger decides one thing only, whether a reservation is funded; everything
else has already happened when it is read, and is booked. Reads no clock and stores nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from riverboat.game.hand.events import HandEnded, HandVoided, PlayerProtected, Stakes
from riverboat.game.record import UnknownEvent
from riverboat.game.table.events import (
    BuyInReturned,
    OptionsChanged,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    Settings,
    TableOpened,
    ToppedUp,
)
from riverboat.ledger import accounts
from riverboat.ledger import money_at_table as money
from riverboat.ledger.books import Books
from riverboat.ledger.gate import Asked, Gate, Went
from riverboat.ledger.money_at_table import Reservation
from riverboat.ledger.postings import Flag, LawBroken, Posting


class Terms(NamedTuple):
    """What the ledger must know of a table, from its opening and its changes."""

    currency: str
    rulebook: str
    variant: str = ""  # with the rulebook, limit and stakes it names the game; empty: not known
    limit: str = ""
    stakes: str = ""
    south_ms: int = 0
    protections: int = 0  # of a sitting

    @property
    def game(self) -> str:
        """The game that is played there, in a word; empty where it is not known."""
        if not self.variant:
            return ""
        parts = (self.rulebook, self.variant, self.limit, self.stakes, self.currency)
        return " ".join(parts)


def terms_of(settings: Settings) -> Terms:
    """What the ledger must know of these settings."""
    return Terms(
        settings.currency,
        settings.rulebook,
        settings.variant,
        settings.limit,
        stakes_text(settings.stakes),
        settings.south_ms,
        settings.protections,
    )


def stakes_text(stakes: Stakes) -> str:
    """The stakes in a word, in the currency's smallest unit: what makes two games the same.

    >>> stakes_text(Stakes(small_blind=5, big_blind=10))
    '5/10'
    >>> stakes_text(Stakes(ante=2, bring_in=5, small_bet=10, big_bet=20))
    '10/20+2'
    """
    low = stakes.small_bet or stakes.small_blind
    high = stakes.big_bet or (2 * stakes.small_bet if stakes.small_bet else stakes.big_blind)
    if stakes.spread:
        text = "-".join(str(one) for one in stakes.spread)
    else:
        text = f"{low}/{high}"
    return f"{text}+{stakes.ante}" if stakes.ante else text


class Sitting(NamedTuple):
    """A player at a table, from when he sat down."""

    table: str
    player: str
    game: str
    currency: str
    time_ms: int


class Protected(NamedTuple):
    """A player used one of his disconnect protections."""

    table: str
    version: int
    player: str
    sitting: str
    hand: str
    time_ms: int


class Voided(NamedTuple):
    """A hand was called off in which somebody had used a protection."""

    hand: str
    table: str
    version: int
    time_ms: int


class TableBooks(Books):
    """Books with the tables that move them and the reservations that wait for an answer."""

    __slots__ = (
        "answered",
        "asked",
        "began",
        "contributed",
        "ended",
        "gate",
        "hand",
        "now_ms",
        "played",
        "protected",
        "reservations",
        "settled",
        "spent",
        "terms",
        "terms_moved",
        "version",
        "voided",
    )

    def __init__(self) -> None:
        super().__init__()
        self.terms: dict[str, Terms] = {}
        self.reservations: dict[str, Reservation] = {}
        self.asked: list[Reservation] = []  # answered here for the first time, in order
        self.answered: dict[str, Reservation] = {}  # to be told to their tables, by id
        self.settled: set[str] = set()  # reservations whose answer the table has shown
        self.gate = Gate()
        self.now_ms = 0  # when what is followed now was appended, the version it makes, its hand
        self.version = 0
        self.hand = ""
        self.protected: list[Protected] = []
        self.spent: dict[str, list[Protected]] = {}  # by hand, of those that are called off here
        self.voided: list[Voided] = []
        self.terms_moved: set[str] = set()  # tables whose terms were told here
        self.played: dict[tuple[str, int], Terms] = {}  # by table, and from which version on
        self.began: dict[str, Sitting] = {}  # sittings that began here, by id
        # What each put into a hand that was raked, by its posting: where the hand's record says it.
        self.contributed: dict[str, list[tuple[accounts.Account, int]]] = {}
        self.ended: dict[str, tuple[Went, str]] = {}  # sittings that ended, and of which game


def follow(books: TableBooks, table: str, event: object) -> None:
    """Book what `event` of `table` did; most events move no money."""
    step = STEPS.get(type(event))
    if step is not None:
        step(books, table, event)


def _opened(books: TableBooks, table: str, event: TableOpened) -> None:
    terms = terms_of(event.settings)
    if books.terms.setdefault(table, terms) != terms:
        raise LawBroken(f"{table} was opened before, on other terms")
    _told(books, table, terms)


def _changed(books: TableBooks, table: str, event: OptionsChanged) -> None:
    terms, stood = terms_of(event.settings), _terms(books, table)
    if terms.currency != stood.currency:
        raise LawBroken(f"{table} changes its currency, with money on it")
    books.terms[table] = terms
    _told(books, table, terms)


def _told(books: TableBooks, table: str, terms: Terms) -> None:
    books.terms_moved.add(table)
    books.played[table, books.version] = terms


def _reserved(books: TableBooks, table: str, event: SeatReserved) -> None:
    there = books.reservations.get(event.reservation)
    if there is None:
        there = _answered(books, table, event)
        books.reservations[there.id] = there
        books.asked.append(there)
    elif (there.table, there.player, there.amount) != (table, event.player, event.amount):
        raise LawBroken(f"reservation {event.reservation} was asked for twice")
    # Answered once: whoever reads it again tells the first answer again.
    books.answered[there.id] = there


def _answered(books: TableBooks, table: str, event: SeatReserved) -> Reservation:
    """The one answer: whether the player may, and whether he has it."""
    terms = _terms(books, table)
    asked = Reservation(
        event.reservation,
        table,
        event.player,
        event.amount,
        terms.currency,
        event.top_up or event.reservation,
        asked_ms=books.now_ms,
    )
    at_gate = Asked(
        asked.player,
        asked.currency,
        asked.amount,
        terms.game,
        terms.south_ms,
        is_top_up=bool(event.top_up),
        most=event.most,
        has=books.balance(accounts.player_account(asked.player, asked.currency)),
    )
    barred = books.gate.bar(at_gate, books.now_ms)
    if barred is not None:
        return replace(asked, refused=barred.name)
    wanted = money.fund(asked)
    refusal = books.refusal_of(wanted)
    if refusal is not None:
        return replace(asked, refused=refusal.code.name)
    books.book(wanted)
    books.gate.moved(asked.player, asked.currency, asked.amount)
    if event.top_up or not terms.protections:
        return asked
    granted = books.gate.protections(asked.player, terms.protections)
    books.gate.granted(asked.player, asked.id, granted)
    return replace(asked, protections=granted)


def _seated(books: TableBooks, table: str, event: PlayerSeated) -> None:
    reservation = _funded(books, table, event.reservation)
    _settle(books, reservation, money.seat(reservation))
    terms = _terms(books, table)
    sitting = Sitting(table, reservation.player, terms.game, terms.currency, books.now_ms)
    books.began[reservation.sitting] = sitting
    books.gate.sat(reservation.player, terms.currency, reservation.sitting)
    books.gate.came(reservation.player, terms.game, reservation.asked_ms)


def _topped_up(books: TableBooks, table: str, event: ToppedUp) -> None:
    reservation = _funded(books, table, event.reservation)
    _settle(books, reservation, money.seat(reservation))
    books.gate.sat(reservation.player, reservation.currency, reservation.sitting)


def _returned(books: TableBooks, table: str, event: BuyInReturned) -> None:
    reservation = _funded(books, table, event.reservation)
    _settle(books, reservation, money.give_back(reservation))
    books.gate.moved(reservation.player, reservation.currency, -reservation.amount)
    books.gate.released(reservation.player, reservation.id)


def _failed(books: TableBooks, table: str, event: ReservationFailed) -> None:
    reservation = _reservation(books, table, event.reservation)
    if money.fund_id(reservation.id) in books.postings:
        # A ledger restored from a backup may fund what it had refused before. The log is final.
        _settle(books, reservation, money.give_back(reservation, Flag.LOG_WINS))
        books.gate.moved(reservation.player, reservation.currency, -reservation.amount)
        books.gate.released(reservation.player, reservation.id)
    else:
        _settle(books, reservation, None)


def _left(books: TableBooks, table: str, event: PlayerLeft) -> None:
    terms = _terms(books, table)
    currency = terms.currency
    books.book(money.cash_out(event.player, event.sitting, event.amount, currency))
    left = books.balance(accounts.at_table(event.sitting, currency))
    if left:
        raise LawBroken(f"sitting {event.sitting} of {table} left {left} behind")
    books.ended[event.sitting] = Went(books.now_ms, event.amount), terms.game
    books.gate.moved(event.player, currency, -event.amount)
    books.gate.left(event.player, terms.game, event.amount, books.now_ms)
    books.gate.released(event.player, event.sitting)


def _protected(books: TableBooks, table: str, event: PlayerProtected) -> None:
    used = Protected(table, books.version, event.player, event.sitting, books.hand, books.now_ms)
    books.protected.append(used)
    books.spent.setdefault(books.hand, []).append(used)
    books.gate.protected(event.player, event.sitting)


def _voided(books: TableBooks, table: str, event: HandVoided) -> None:
    """No chip moves; what was used in the hand has not been used. [RULES 7, server failure]"""
    spent = books.spent.get(event.hand)
    if not spent:
        return
    books.voided.append(Voided(event.hand, table, books.version, books.now_ms))
    for used in spent:
        books.gate.unprotected(used.player, used.sitting)


def _ended(books: TableBooks, table: str, event: HandEnded) -> None:
    terms = _terms(books, table)
    currency, rulebook = terms.currency, terms.rulebook
    seats = [(accounts.at_table(net.sitting, currency), net.amount) for net in event.nets]
    wanted = money.result(event.hand, seats, event.rake, rulebook, currency)
    if books.book(wanted):
        for net in event.nets:
            books.gate.won(net.sitting, net.amount)
        if event.rake:
            books.contributed[wanted.id] = [
                (account, net.contributed)
                for (account, _), net in zip(seats, event.nets, strict=True)
                if net.contributed
            ]
    for account, _ in seats:
        if books.balance(account) < 0:
            owner = account.owner
            raise LawBroken(f"hand {event.hand} took more from sitting {owner} than it had")


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
        books.gate.moved(reservation.player, reservation.currency, reservation.amount)
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
    OptionsChanged: _changed,
    SeatReserved: _reserved,
    PlayerSeated: _seated,
    ToppedUp: _topped_up,
    BuyInReturned: _returned,
    ReservationFailed: _failed,
    PlayerLeft: _left,
    HandEnded: _ended,
    PlayerProtected: _protected,
    HandVoided: _voided,
    UnknownEvent: _unknown,
}

_RESERVING = frozenset({SeatReserved, PlayerSeated, ToppedUp, BuyInReturned, ReservationFailed})


def moves_money(event: object) -> bool:
    """Whether the ledger has anything to do with `event`; with most it has not."""
    return type(event) in STEPS


def reservation_named(event: Any) -> str | None:
    """The reservation that `event` speaks of: a store loads it first."""
    return event.reservation if type(event) in _RESERVING else None
