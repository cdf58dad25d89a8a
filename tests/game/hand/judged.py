"""Hands at their showdown, for tests: what went in and lies there is given, not played.

Holds no test. Boards and hands are letters; what came of a showdown is told by seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riverboat.game.cards import cards
from riverboat.game.hand.events import (
    Half,
    HandEvent,
    HandMucked,
    HandShown,
    PotAwarded,
    Stakes,
)
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.rules import game
from riverboat.game.rules.schema import Game

HOLDEM = game("standard", "holdem", "nl")
HILO = game("standard", "omaha_hilo", "pl")
DRY = "2c 7d 9h Ts 4d"


def hand(
    puts: Mapping[int, int],
    *boards: str,
    of: Game = HOLDEM,
    button: int = 0,
    aggressor: int = 0,
    folded: Sequence[int] = (),
    all_in: Sequence[int] = (),
    raked: bool = False,
) -> Hand:
    """A hand whose betting is over: what each seat put in, in dealing order, and the boards."""
    seats = {
        seat: Seat(
            seat=seat,
            player=f"p{seat}",
            sitting=f"s{seat}",
            start=put + (0 if seat in all_in else 1000),
            stack=0 if seat in all_in else 1000,
            put=put,
            folded=seat in folded,
        )
        for seat, put in puts.items()
    }
    return Hand(
        id="1.0-7",
        number=7,
        game=of,
        stakes=Stakes(small_blind=50, big_blind=100),
        button=button or max(puts),
        seats=seats,
        runs=max(1, len(boards)),
        turn_ms=20_000,
        raked=raked,
        street=len(of.streets) - 1 if boards else 0,
        boards=[list(cards(board)) for board in boards] or [[]],
        aggressor=aggressor,
        live=len(puts) - len(folded),
        moneyed=sum(seat not in folded and seat not in all_in for seat in puts),
    )


def hole(**own: str) -> dict[int, tuple[int, ...]]:
    return {int(seat.removeprefix("p")): cards(letters) for seat, letters in own.items()}


def paid(events: Sequence[HandEvent]) -> dict[int, int]:
    """What each seat got from the pots."""
    got: dict[int, int] = {}
    for event in events:
        if isinstance(event, PotAwarded):
            for share in event.shares:
                got[share.seat] = got.get(share.seat, 0) + share.amount
    return got


def shown(events: Sequence[HandEvent]) -> list[int]:
    return [event.seat for event in events if isinstance(event, HandShown)]


def mucked(events: Sequence[HandEvent]) -> list[int]:
    return [event.seat for event in events if isinstance(event, HandMucked)]


def awards(events: Sequence[HandEvent]) -> list[tuple[int, int, Half, dict[int, int]]]:
    return [
        (event.pot, event.run, event.half, {share.seat: share.amount for share in event.shares})
        for event in events
        if isinstance(event, PotAwarded)
    ]
