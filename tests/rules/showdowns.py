"""Showdowns for rule cases that give hands and a board, or less, and no betting.

Holds no test: builds a hand whose bets are over, and judges it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riverboat.game.cards import cards
from riverboat.game.hand.events import HandEvent, PotAwarded
from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import NOBODY, Hand
from riverboat.game.rules import game
from riverboat.game.rules.schema import Game
from tests.game.hand.judged import DRY, HOLDEM
from tests.game.hand.judged import hand as given_hand
from tests.rules.runner import LIMITS, VARIANTS, Case


def over(
    seats: Sequence[int],
    board: str = DRY,
    of: Game = HOLDEM,
    put: int = 100,
    first_to_show: int = NOBODY,
    button: int = 0,
    folded: Sequence[int] = (),
    dead: int = 0,
) -> Hand:
    """A hand whose bets are over: each seat put in as much, and the first some dead money too."""
    hand = given_hand(
        dict.fromkeys(seats, put),
        board,
        of=of,
        button=button,
        aggressor=first_to_show,
        folded=folded,
    )
    first = hand.seats[seats[0]]
    first.dead, first.start = dead, first.start + dead
    return hand


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
        game("standard", VARIANTS[case["variant"]], LIMITS[case["limit"]]),
        first_to_show=setup.get("show_order", [NOBODY])[0],
        folded=[seat for seat in seats if seat not in own],
    )
    return judge(hand, own)


def winners_of(events: Sequence[HandEvent]) -> list[int]:
    """Who got a part of any pot."""
    awards = [event for event in events if isinstance(event, PotAwarded)]
    return sorted({share.seat for award in awards for share in award.shares})
