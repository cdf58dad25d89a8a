"""Showdowns for rule cases that give hands and a board, or less, and no betting.

Holds no test: builds a hand whose bets are over, and judges it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riverboat.game.cards import cards
from riverboat.game.hand.events import HandEvent, PotAwarded, Stakes
from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import NOBODY, Hand, Seat
from riverboat.game.rules import game
from tests.rules.runner import LIMITS, VARIANTS, Case

DRY = "2c7d9hTs4d"


def over(
    seats: Sequence[int],
    board: str = DRY,
    variant: str = "holdem",
    limit: str = "nl",
    put: int = 100,
    first_to_show: int = NOBODY,
    button: int = 0,
    folded: Sequence[int] = (),
    dead: int = 0,
) -> Hand:
    """A hand whose bets are over: each seat put in as much, seat by seat from the button's left."""
    made = {
        seat: Seat(seat, f"p{seat}", f"s{seat}", 1000 + put, 1000, put=put, folded=seat in folded)
        for seat in seats
    }
    first = made[seats[0]]
    first.dead, first.start = dead, first.start + dead
    of = game("standard", variant, limit)
    return Hand(
        id="1.0-1",
        number=1,
        game=of,
        stakes=Stakes(small_blind=5, big_blind=10),
        button=button or max(seats),
        seats=made,
        runs=1,
        turn_ms=20_000,
        raked=False,
        street=len(of.streets) - 1,
        boards=[list(cards(board))],
        aggressor=first_to_show,
    )


def judged(case: Case, hands: Mapping[str, str] | None = None) -> list[HandEvent]:
    """The showdown of the hands of a case; the first in its order of showing bet last."""
    setup = case["setup"]
    own = {int(seat): cards(held) for seat, held in (hands or setup["hands"]).items()}
    seats = sorted(own)
    if len(seats) == 1:
        # A hand that stands alone in its case: somebody folds to it.
        seats.append(seats[0] + 1)
    hand = over(
        seats,
        setup["board"],
        VARIANTS[case["variant"]],
        LIMITS[case["limit"]],
        first_to_show=setup.get("show_order", [NOBODY])[0],
        folded=[seat for seat in seats if seat not in own],
    )
    return judge(hand, own)


def winners_of(events: Sequence[HandEvent]) -> list[int]:
    """Who got a part of any pot."""
    awards = [event for event in events if isinstance(event, PotAwarded)]
    return sorted({share.seat for award in awards for share in award.shares})
