"""What a hand makes of time that ran out, of an outage, and of a line that was lost. [RULES 7]

Folds only: whether a clock had run out, and what a lost line was worth, was decided before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import ClockExtended, PlayerProtected, TimedOut
from riverboat.game.hand.rounds import pass_turn
from riverboat.game.hand.state import Hand

# "at least 10 s from its own append" [ARCHITECTURE 4, time]
LEAST_EXTENSION_MS: Final = 10_000


def _timed_out(hand: Hand, event: TimedOut, time_ms: int) -> None:
    hand.seats[event.seat].timed_out = True
    hand.late_turn = event.turn


def _clock_extended(hand: Hand, event: ClockExtended, time_ms: int) -> None:
    if hand.turn and event.turn == hand.turn_number:
        hand.deadline_ms = time_ms + max(event.left_ms, LEAST_EXTENSION_MS)


def _protected(hand: Hand, event: PlayerProtected, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    assert seat.stack, "who is all-in needs no protection"
    seat.kept = seat.stack
    seat.stack = 0
    seat.to_act = False
    hand.moneyed -= 1
    hand.waiting -= 1
    pass_turn(hand, seat, time_ms)


MISHAPS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    TimedOut: _timed_out,
    ClockExtended: _clock_extended,
    PlayerProtected: _protected,
}
