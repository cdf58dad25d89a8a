"""Which of a table's options came to something: counted as records land, and held against none.

A run that was given an option and never met what it is for has shown nothing of it: `unreached`
says so. Judges nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from riverboat.game.hand.events import (
    HandEnded,
    HandStarted,
    PlayerProtected,
    Post,
    Posted,
    RunsAgreed,
    StreetDealt,
)
from riverboat.game.record import Record
from riverboat.game.refusals import TableCode
from riverboat.game.table.events import (
    ButtonRule,
    CardsShown,
    CommandRefused,
    PlayerLeft,
    ReservationFailed,
    SeatHeld,
    SeatReleased,
    SeatReserved,
    Settings,
    TablePaused,
)
from riverboat.game.table.pausing import GATEWAY
from riverboat.game.table.state import Table
from riverboat.ledger.refusals import LedgerCode
from riverboat.sim.laws import Witness

# What is met at a table, and where it may be.
OPTIONS: Final[Mapping[str, Callable[[Settings], object]]] = {
    "protected": lambda of: of.protections,
    "time_bank": lambda of: of.bank_ms,
    "street_clock": lambda of: of.street_ms,
    "capped": lambda of: of.cap,
    "bomb_pot": lambda of: of.bomb_every,
    "straddled": lambda of: of.stakes.straddles or of.stakes.button_straddle,
    "runs_agreed": lambda of: of.runs_asked,
    "dead_button": lambda of: of.button_rule is ButtonRule.DEAD and of.seats > 2,
    "filled_up": lambda of: of.auto_top_up,
    "going_south": lambda of: of.south_ms,
    "not_invited": lambda of: of.invited,
    "wrong_code": lambda of: of.code_digest,
    "kept_apart": lambda of: of.apart,
    "offered": lambda of: of.offer_ms,
    "hold_late": lambda of: of.hold_ms or of.offer_ms,
    "held": lambda of: of.hold_ms,
    "removed_away": lambda of: of.away_ms or of.away_rounds,
}
_CODES: Final = {
    TableCode.NOT_INVITED: "not_invited",
    TableCode.WRONG_CODE: "wrong_code",
    TableCode.KEPT_APART: "kept_apart",
}


def unreached(tables: Sequence[Settings], met: Mapping[str, int]) -> list[str]:
    """What some of these tables have and what nobody ever met."""
    return [name for name, has in OPTIONS.items() if not met.get(name) and any(map(has, tables))]


class Reached:
    """Counts what options come to."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def before(self, table: Table, record: Record) -> None:
        """What this record says, seen beside the state that it was decided on."""
        if table.settings is None:
            return
        for event in record.events:
            names = _NAMES.get(type(event))
            if names is not None:
                for name in names(table, table.settings, event, record):
                    self._witness.reach(name)


def _started(table: Table, settings: Settings, event: HandStarted, _of: Record) -> Iterator[str]:
    if event.bomb:
        yield "bomb_pot"
    if settings.button_rule is ButtonRule.DEAD and event.button not in table.sittings:
        yield "dead_button"


def _ended(table: Table, settings: Settings, event: HandEnded, _of: Record) -> Iterator[str]:
    hand = table.hand
    if hand is None:
        return
    if settings.cap and any(one.put + one.dead >= settings.cap for one in hand.seats.values()):
        yield "capped"
    if settings.bank_ms and any(
        net.bank_ms < table.sittings[net.seat].bank_ms for net in event.nets
    ):
        yield "time_bank"


def _posted(_table: Table, _of: Settings, event: Posted, _record: Record) -> Iterator[str]:
    if event.post is Post.STRADDLE:
        yield "straddled"


def _dealt(table: Table, _of: Settings, event: StreetDealt, _record: Record) -> Iterator[str]:
    if event.street and table.hand is not None and table.hand.street_ms:
        yield "street_clock"


def _agreed(_table: Table, _of: Settings, event: RunsAgreed, _record: Record) -> Iterator[str]:
    if event.runs > 1:
        yield "runs_agreed"


def _reserved(_table: Table, _of: Settings, event: SeatReserved, record: Record) -> Iterator[str]:
    if event.top_up and record.answers is None:
        yield "filled_up"


def _failed(_table: Table, _of: Settings, event: ReservationFailed, _in: Record) -> Iterator[str]:
    if event.reason == LedgerCode.GOING_SOUTH.name:
        yield "going_south"


def _refused(_table: Table, _of: Settings, event: CommandRefused, _in: Record) -> Iterator[str]:
    name = _CODES.get(TableCode(event.code)) if event.code in _CODES else None
    if name is not None:
        yield name


def _held(_table: Table, _of: Settings, event: SeatHeld, _record: Record) -> Iterator[str]:
    yield "offered" if event.offered else "held"


def _released(_table: Table, _of: Settings, event: SeatReleased, _in: Record) -> Iterator[str]:
    if event.why == "late":
        yield "hold_late"


def _left(_table: Table, _of: Settings, event: PlayerLeft, _record: Record) -> Iterator[str]:
    if event.why == "away":
        yield "removed_away"


def _paused(_table: Table, _of: Settings, event: TablePaused, _in: Record) -> Iterator[str]:
    if event.reason == GATEWAY:
        yield "gateway_waited_for"


def _always(name: str) -> Callable[[Table, Settings, Any, Record], Iterator[str]]:
    return lambda *_: iter((name,))


_NAMES: Final[Mapping[type, Callable[[Table, Settings, Any, Record], Iterator[str]]]] = {
    HandStarted: _started,
    HandEnded: _ended,
    Posted: _posted,
    StreetDealt: _dealt,
    RunsAgreed: _agreed,
    PlayerProtected: _always("protected"),
    CardsShown: _always("shown_after"),
    SeatReserved: _reserved,
    ReservationFailed: _failed,
    CommandRefused: _refused,
    SeatHeld: _held,
    SeatReleased: _released,
    PlayerLeft: _left,
    TablePaused: _paused,
}
