"""The fold of a hand's end: what is shown and paid, and what puts an end to it.

Part of `fold.py`, which takes its table. Judges nothing: that was done before it became an event.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import (
    HandEnded,
    HandMucked,
    HandShown,
    HandVoided,
    PotAwarded,
    PotsMade,
)
from riverboat.game.hand.state import NOBODY, Baton, Hand, Phase

SHOW: Final = Phase.SHOW


def _pots_made(hand: Hand, event: PotsMade, time_ms: int) -> None:
    hand.pots = event.pots


def _hand_shown(hand: Hand, event: HandShown, time_ms: int) -> None:
    hand.seats[event.seat].shown = event.cards
    if hand.phase is SHOW:
        hand.shows.append(event.seat)


def _hand_mucked(hand: Hand, event: HandMucked, time_ms: int) -> None:
    hand.seats[event.seat].mucked = True
    hand.shows.append(event.seat)


def _pot_awarded(hand: Hand, event: PotAwarded, time_ms: int) -> None:
    hand.awards.append(event)
    for share in event.shares:
        hand.seats[share.seat].stack += share.amount
        hand.pot -= share.amount


def _hand_ended(hand: Hand, event: HandEnded, time_ms: int) -> None:
    # Needs nothing but the hand's start, so that a hand stopped half-way can always be freed.
    for net in event.nets:
        seat = hand.seats[net.seat]
        seat.stack = seat.start + net.amount
        seat.kept = 0
    _over(hand)


def _hand_voided(hand: Hand, event: HandVoided, time_ms: int) -> None:
    for seat in hand.seats.values():
        seat.stack = seat.start
        seat.kept = 0
    _over(hand)


def _over(hand: Hand) -> None:
    hand.pot = 0
    hand.turn = NOBODY
    hand.baton = Baton.NONE
    hand.phase = Phase.OVER


ENDINGS: Final[dict[type, Callable[[Hand, Any, int], None]]] = {
    PotsMade: _pots_made,
    HandShown: _hand_shown,
    HandMucked: _hand_mucked,
    PotAwarded: _pot_awarded,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
}
