"""What a hand makes of time that ran out, of an outage, and of a line that was lost. [RULES 7]

Folds only: whether a clock had run out, and what a lost line was worth, was decided before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import ClockExtended, PlayerProtected, TimedOut
from riverboat.game.hand.rounds import pass_turn, spend_bank
from riverboat.game.hand.state import NOBODY, Hand, Phase

# "at least 10 s from its own append" [ARCHITECTURE 4, time]
LEAST_EXTENSION_MS: Final = 10_000


def _timed_out(hand: Hand, event: TimedOut, time_ms: int) -> None:
    hand.seats[event.seat].timed_out = True
    hand.late_turn = event.turn


def _clock_extended(hand: Hand, event: ClockExtended, time_ms: int) -> None:
    if hand.turn == NOBODY or event.turn != hand.turn_number:
        return
    hand.deadline_ms = time_ms + max(event.left_ms, LEAST_EXTENSION_MS)
    seat = hand.seats[hand.turn]
    if hand.phase is not Phase.DRAW and event.left_ms < seat.bank_ms:
        # The rest of his bank was used before; what is given beside what is left is own time.
        seat.bank_ms = event.left_ms


def stop_clock(hand: Hand, time_ms: int) -> None:
    """The table waits: what the turn took of its seat's bank so far is gone, and no more goes."""
    if hand.turn != NOBODY and hand.phase is not Phase.DRAW:
        spend_bank(hand, hand.seats[hand.turn], time_ms)
    hand.stands = True


def renew_clock(hand: Hand, time_ms: int) -> None:
    """The table goes on: the turn has all its own time again, and what is left of the bank."""
    hand.stands = False
    if hand.turn == NOBODY:
        return
    if hand.phase is Phase.DRAW:
        hand.deadline_ms = time_ms + hand.game.draw_ms
    else:
        hand.deadline_ms = time_ms + hand.turn_ms + hand.seats[hand.turn].bank_ms


def _protected(hand: Hand, event: PlayerProtected, time_ms: int) -> None:
    seat = hand.seats[event.seat]
    assert seat.stack, "who is all-in needs no protection"
    seat.kept = seat.stack
    seat.stack = 0
    if not seat.put:
        # A dead blind alone gives no claim to a pot; now it is all that he plays for.
        seat.put, seat.dead = seat.dead, 0
    seat.to_act = False
    hand.moneyed -= 1
    hand.waiting -= 1
    pass_turn(hand, seat, time_ms)


MISHAPS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    TimedOut: _timed_out,
    ClockExtended: _clock_extended,
    PlayerProtected: _protected,
}
