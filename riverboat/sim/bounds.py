"""What a table's options bound in its hands, and what they bound for one person over many hands.

Says once more, in other words than the rules that keep it: caps, bomb pots, straddles and boards by
agreement, exclusion, and disconnect protections in a day. Not going south: what a player has, and
so what he must come back with, no table's log tells. Decides nothing.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from typing import Any, Final

from riverboat.game.hand.events import (
    HandEnded,
    HandStarted,
    HandVoided,
    PlayerProtected,
    Post,
    Posted,
    RunsAgreed,
)
from riverboat.game.record import Record
from riverboat.game.table.besides import DAY_MS
from riverboat.game.table.events import PlayerSeated, SeatReserved, Settings
from riverboat.game.table.state import Table
from riverboat.sim.laws import PROMISES, LawBroken, at

# --- In one hand.


def _started(table: Table, event: HandStarted, settings: Settings) -> str:
    due = settings.bomb_every and event.number % settings.bomb_every == 0
    if bool(due) != event.bomb:
        return f"{event.hand} is {'no' if due else 'a'} bomb pot"
    return ""


def _posted(table: Table, event: Posted, settings: Settings) -> str:
    if event.post is Post.STRADDLE and settings.straddles_asked:
        sitting = table.sittings[event.seat]
        if not sitting.straddles:
            return f"{sitting.player} straddles, and never wanted to"
    return ""


def _agreed(table: Table, event: RunsAgreed, settings: Settings) -> str:
    hand = table.hand
    if hand is None:
        return ""
    least = settings.runs
    for seat in hand.seats.values():
        if not seat.folded:
            least = min(least, max(table.sittings[seat.seat].runs_most, 1))
    if event.runs != least:
        return f"{event.runs} boards are run, and {least} were agreed on"
    return ""


def _ended(table: Table, event: HandEnded, settings: Settings) -> str:
    hand = table.hand
    if hand is None or not settings.cap:
        return ""
    for seat in hand.seats.values():
        if seat.put + seat.dead > settings.cap:
            return f"{seat.player} has put {seat.put + seat.dead} into a hand of {settings.cap}"
    return ""


# --- Of one person, over many.


class Bounds:
    """What all hands and all players are held to."""

    def __init__(self) -> None:
        self._used: dict[str, list[tuple[int, int]]] = {}  # when, and how many his table allows
        self._in_hand: dict[str, list[tuple[str, tuple[int, int]]]] = {}  # of them, by player
        self.barred: dict[str, list[tuple[int, int]]] = {}  # who excluded himself, from and until
        self._asked: dict[str, int] = {}  # by reservation: when a chair was asked for

    def before(self, table: Table, record: Record, time_ms: int) -> None:
        """What this record says, held against the state that it was decided on."""
        settings = table.settings
        if settings is None:
            return
        for event in record.events:
            check = _IN_HAND.get(type(event))
            fault = check(table, event, settings) if check is not None else ""
            long = _OVER_HANDS.get(type(event))
            if long is not None:
                fault = long(self, table, event, settings, time_ms) or fault
            if fault:
                raise LawBroken(PROMISES, at(table), f"{record.id}: {fault}")

    def _protected(
        self, table: Table, event: PlayerProtected, settings: Settings, time_ms: int
    ) -> str:
        """At most so many in any 24 hours, over all tables. [RULES 7]"""
        used = self._used.setdefault(event.player, [])
        insort(used, (time_ms, settings.protections))
        if table.deal is not None:
            in_hand = self._in_hand.setdefault(table.deal.hand, [])
            in_hand.append((event.player, (time_ms, settings.protections)))
        for last, (upto_ms, _) in enumerate(used):
            within = [most for when, most in used[: last + 1] if when > upto_ms - DAY_MS]
            if len(within) > max(within):
                return f"{event.player} is protected {len(within)} times within a day"
        return ""

    def _voided(self, _table: Table, event: HandVoided, _settings: Settings, _time_ms: int) -> str:
        """What was used in a hand that never was, was not used."""
        for player, one in self._in_hand.pop(event.hand, ()):
            self._used[player].remove(one)
        return ""

    def _over(self, _table: Table, event: HandEnded, _settings: Settings, _time_ms: int) -> str:
        self._in_hand.pop(event.hand, None)
        return ""

    def _reserved(
        self, _table: Table, event: SeatReserved, _settings: Settings, time_ms: int
    ) -> str:
        if not event.top_up:
            self._asked[event.reservation] = time_ms
        return ""

    def _seated(self, table: Table, event: PlayerSeated, _settings: Settings, _time_ms: int) -> str:
        held = table.reservations[event.reservation]
        asked_ms = self._asked.pop(event.reservation, None)
        if asked_ms is None:
            return ""
        for from_ms, until_ms in self.barred.get(held.player, ()):
            if from_ms < asked_ms < until_ms:
                return f"{held.player} has excluded himself, asks for a seat, and gets it"
        return ""


_IN_HAND: Final[Mapping[type, Callable[[Table, Any, Settings], str]]] = {
    HandStarted: _started,
    Posted: _posted,
    RunsAgreed: _agreed,
    HandEnded: _ended,
}
_OVER_HANDS: Final[Mapping[type, Callable[[Bounds, Table, Any, Settings, int], str]]] = {
    PlayerProtected: Bounds._protected,
    HandVoided: Bounds._voided,
    HandEnded: Bounds._over,
    SeatReserved: Bounds._reserved,
    PlayerSeated: Bounds._seated,
}
