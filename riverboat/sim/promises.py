"""What a table's options and the house promise those who sit, hold a chair, or wait for one.

Holds each record against the state that it was decided on. [RULES 4, missed blinds] [RULES 7]
Judges no cards and no chips, and decides nothing: each promise is said here once more, in other
words than the rule that keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from riverboat.game.hand.events import (
    Folded,
    HandStarted,
    HandVoided,
    PlayerProtected,
    TimedOut,
)
from riverboat.game.record import Record
from riverboat.game.table.events import (
    LineLost,
    OptionsChanged,
    PlayerLeft,
    SatOut,
    SeatHeld,
    SeatReleased,
    SeatReserved,
    Settings,
    TablePaused,
    TableResumed,
)
from riverboat.game.table.pausing import GATEWAY
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Table
from riverboat.sim import protection
from riverboat.sim.laws import PROMISES, LawBroken, Witness, at


class Promises:
    """The promises of all tables."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def before(self, table: Table, record: Record, time_ms: int) -> None:
        """What this record says, held against the state that it was decided on."""
        for event in record.events:
            check = CHECKS.get(type(event))
            if check is None:
                continue
            fault = check(table, event, record, time_ms)
            if fault:
                raise LawBroken(PROMISES, at(table), f"{record.id}: {fault}")
            if isinstance(event, NOTED):
                gateway = isinstance(event, TablePaused) and event.reason == GATEWAY
                self._witness.reach("GatewayLost" if gateway else type(event).__name__)

    def settled(self, tables: Mapping[str, Table]) -> None:
        """After the calm nobody waits for what will never come."""
        for table in tables.values():
            if table.draining and not table.closed:
                raise LawBroken(PROMISES, at(table), "it drains, is empty, and never closed")
            if table.holds or table.waiters:
                raise LawBroken(PROMISES, at(table), "somebody still waits for a chair")
            if not table.closed and (table.paused or table.coming is not None):
                raise LawBroken(PROMISES, at(table), "it waits, or its options are still to come")


NOTED: Final = (OptionsChanged, SeatHeld, SeatReleased, TablePaused, TableResumed)


def _started(table: Table, event: HandStarted, _record: Record, _time_ms: int) -> str:
    if table.paused or table.closing:
        return f"{event.hand} begins while the table waits or closes"
    if table.coming is not None:
        return f"{event.hand} begins under options that are over"
    for dealt in event.seats:
        sitting = table.sittings.get(dealt.seat)
        if sitting is not None and (sitting.away or sitting.leaving):
            return f"{sitting.player} is away and is dealt in"
        if sitting is not None and sitting.at_big_blind and dealt.seat == event.big_blind:
            return f"{sitting.player} has the big blind at which he wanted to be away"
    return ""


def _timed_out(table: Table, event: TimedOut, _record: Record, _time_ms: int) -> str:
    if table.paused:
        return f"a clock of seat {event.seat} runs out while the table waits"
    if table.sittings[event.seat].now:
        return f"seat {event.seat}, which sits out now, is waited for"
    return ""


def _voided(table: Table, event: HandVoided, _record: Record, _time_ms: int) -> str:
    if table.paused and event.reason == "outage":
        return f"{event.hand} is called off while the table waits"
    return ""


def _reserved(table: Table, event: SeatReserved, record: Record, _time_ms: int) -> str:
    settings = table.settings
    assert settings is not None
    if event.top_up:
        if record.answers is None:
            return _filled_up(table, event, settings)
        return ""
    if table.draining or table.closing:
        return f"{event.player} comes to a table that takes nobody"
    hold = table.holds.get(event.player)
    if table.waiters and (hold is None or hold.seat != event.seat):
        return f"{event.player} takes a chair past those who wait"
    return _chair(table, event.player, event.seat) or _apart(table, settings, event.player)


def _filled_up(table: Table, event: SeatReserved, settings: Settings) -> str:
    sitting = table.sittings[event.seat]
    if table.deal is not None:
        return f"{event.player} is filled up in a hand"
    if any(held.player == event.player for held in table.reservations.values()):
        return f"{event.player} is filled up twice"
    whole = sitting.stack + sitting.behind + event.amount
    most = buy_in_bounds(settings)[1]
    if whole > sitting.top_up_to or (most and whole > most):
        return f"{event.player} is filled up to more than he wants, or may have"
    return ""


def _held(table: Table, event: SeatHeld, _record: Record, _time_ms: int) -> str:
    settings = table.settings
    assert settings is not None
    if event.offered:
        for waiter in table.waiters:
            if waiter.player == event.player:
                break
            if not _apart(table, settings, waiter.player):
                return f"{event.player} is offered a chair before {waiter.player}"
    elif table.waiters:
        return f"{event.player} holds a chair past those who wait"
    return _chair(table, event.player, event.seat) or _apart(table, settings, event.player)


def _chair(table: Table, player: str, seat: int) -> str:
    """Whose chair it is, if it is another's."""
    owners = [sitting.player for sitting in table.sittings.values() if sitting.seat == seat]
    owners += [hold.player for hold in table.holds.values() if hold.seat == seat]
    owners += [
        held.player
        for held in table.reservations.values()
        if held.seat == seat and not held.freed and not held.top_up
    ]
    others = [owner for owner in owners if owner != player]
    return f"{player} takes the chair of {others[0]}" if others else ""


def _apart(table: Table, settings: Settings, player: str) -> str:
    here = [each.player for each in table.sittings.values()]
    here += [each.player for each in table.reservations.values() if not each.freed]
    here += table.holds
    for group in settings.apart:
        for other in here:
            if other != player and {other, player} <= set(group.players):
                return f"{player} comes to {other}, with whom he may not sit"
    return ""


def _released(table: Table, event: SeatReleased, _record: Record, time_ms: int) -> str:
    hold = table.holds[event.player]
    if event.why == "late" and time_ms < hold.deadline_ms:
        return f"{event.player} loses his chair {hold.deadline_ms - time_ms} ms too early"
    return ""


def _left(table: Table, event: PlayerLeft, _record: Record, time_ms: int) -> str:
    settings, sitting = table.settings, table.sittings[event.seat]
    assert settings is not None
    if event.why != "away":
        return ""
    by_time = settings.away_ms and time_ms >= sitting.away_since_ms + settings.away_ms
    by_rounds = settings.away_rounds and sitting.away_hands >= settings.away_rounds * settings.seats
    if not sitting.away or not (by_time or by_rounds):
        return f"{event.player} is removed before his time"
    return ""


def _sat_out(table: Table, event: SatOut, _record: Record, _time_ms: int) -> str:
    wanted = {each.player for each in table.sittings.values() if each.at_big_blind}
    if event.why == "big_blind" and event.player not in wanted:
        return f"{event.player} never wanted to be away"
    return ""


def _changed(table: Table, event: OptionsChanged, _record: Record, _time_ms: int) -> str:
    before = table.settings
    if table.deal is not None or before is None:
        return "the options change while a hand is played"
    if before.currency != event.settings.currency:
        return "the chips become chips of another currency"
    return ""


def _paused(table: Table, event: TablePaused, record: Record, _time_ms: int) -> str:
    lost = [each.player for each in record.events if isinstance(each, LineLost)]
    if event.reason == GATEWAY and len(lost) < 2:
        hand = table.hand
        on_turn = hand.seats[hand.turn].player if hand is not None and hand.turn else ""
        if on_turn not in lost:
            return f"it waits because of {lost}, who was not on turn"
    # One wait may take another's place, in one record.
    goes_on = any(isinstance(each, TableResumed) for each in record.events)
    return "a table that waits is told to wait" if table.paused and not goes_on else ""


def _resumed(table: Table, event: TableResumed, _record: Record, time_ms: int) -> str:
    if event.why == "over" and time_ms < table.paused_until_ms:
        return f"it goes on {table.paused_until_ms - time_ms} ms too early"
    return ""


CHECKS: Final[Mapping[type, Callable[[Table, Any, Record, int], str]]] = {
    HandStarted: _started,
    TimedOut: _timed_out,
    HandVoided: _voided,
    PlayerProtected: protection.protected,
    Folded: protection.folded,
    SeatReserved: _reserved,
    SeatHeld: _held,
    SeatReleased: _released,
    PlayerLeft: _left,
    SatOut: _sat_out,
    OptionsChanged: _changed,
    TablePaused: _paused,
    TableResumed: _resumed,
}
