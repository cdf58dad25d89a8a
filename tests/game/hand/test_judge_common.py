"""The common showdown is judged as the general one judges it, whatever was dealt and opened."""

from __future__ import annotations

import os
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game import rules
from riverboat.game.commands import Action
from riverboat.game.hand.contest import Contest, contests, greatest_wins
from riverboat.game.hand.judge import common, general, is_common
from riverboat.game.hand.pots import pots
from riverboat.game.hand.state import NOBODY, Baton, Phase
from tests.game.hand.dealt import Dealt
from tests.game.hand.test_hand_property import a_deal

DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))


def at_the_showdown(chance: random.Random) -> Dealt | None:
    """A hand of any game whose betting is over; None where all but one gave up."""
    dealt = a_deal(chance)
    hand = dealt.hand
    while hand.phase is not Phase.SHOW:
        if hand.turn == NOBODY:
            assert hand.baton is Baton.DEALER
            dealt.deals()
            continue
        offered = dealt.offered
        if offered.draw_most >= 0:
            least, most = offered.draw_least, offered.draw_most
            dealt.does(offered.seat, Action.DRAW, throw=range(chance.randint(least, most)))
        elif offered.refuse_split:
            dealt.does(offered.seat, chance.choice((Action.SPLIT, Action.REFUSE_SPLIT)))
        elif offered.raise_least and chance.random() < 0.2:
            dealt.does(offered.seat, Action.RAISE, offered.raise_least)
        elif offered.split and chance.random() < 0.9:
            dealt.does(offered.seat, Action.SPLIT)
        elif offered.check:
            dealt.does(offered.seat, Action.CHECK)
        elif offered.fold and chance.random() < 0.1:
            dealt.does(offered.seat, Action.FOLD)
        else:
            dealt.does(offered.seat, Action.CALL if offered.call else Action.BRING_IN)
    return dealt if hand.live > 1 else None


def worth(dealt: Dealt) -> list[list[Contest]]:
    """What every hand is worth, were all of them opened."""
    hand, deck = dealt.hand, dealt.deck
    live = [seat for seat in hand.seats.values() if not seat.folded]
    hole = {seat.seat: [deck[place] for place in seat.places] for seat in live}
    return [contests(hand.game, hole, board) for board in hand.boards]


@settings(max_examples=5_000 if DEEP else 250, deadline=None)
@given(st.integers(0, 2**64))
def test_the_common_showdown_goes_as_the_general_one(seed: int) -> None:
    """RULES 5: one law of showing and paying, by the short way and the long one."""
    chance = random.Random(seed)
    dealt = at_the_showdown(chance)
    if dealt is None:
        return
    hand, deck = dealt.hand, dealt.deck
    live = [seat for seat in hand.seats.values() if not seat.folded]
    made = pots(hand)
    if not is_common(hand, made, live, worth(dealt)):
        return
    for opened in (1.0, 0.7, 0.0):
        hole = {
            seat.seat: seat.shown or [deck[place] for place in seat.places]
            for seat in live
            if seat.shown or chance.random() < opened
        }
        wants = [seat.seat for seat in live if chance.random() < 0.3]
        over = [contests(hand.game, hole, hand.boards[0]) for _ in range(2)]
        short = common(hand, made[0], hole, over[0], bytes, wants)
        assert short == general(hand, made, hole, over[1:], bytes, wants)


def test_what_is_common_and_what_is_not() -> None:
    reached: set[tuple[str, str, object]] = set()
    for seed in range(400):
        dealt = at_the_showdown(random.Random(seed))
        if dealt is None:
            continue
        hand = dealt.hand
        live = [seat for seat in hand.seats.values() if not seat.folded]
        made = pots(hand)
        runs = worth(dealt)
        why = "common" if is_common(hand, made, live, runs) else "else"
        reached |= {
            (why, "pots", min(len(made), 2)),
            (why, "boards", min(len(hand.boards), 2)),
            (why, "split", any(seat.split for seat in live)),
            (why, "greatest wins", greatest_wins(runs[0])),
            (why, "halves", bool(hand.game.high and hand.game.low)),
            (why, "up already", any(seat.shown for seat in live)),
        }
    every: dict[str, tuple[object, ...]] = {"halves": (False, True), "up already": (False, True)}
    only: dict[str, object] = {"pots": 1, "boards": 1, "split": False, "greatest wins": True}
    other: dict[str, object] = {"pots": 2, "boards": 2, "split": True, "greatest wins": False}
    wanted: set[tuple[str, str, object]] = {
        ("common", what, each) for what, known in every.items() for each in known
    }
    wanted |= {("common", *each) for each in only.items()}
    wanted |= {("else", *each) for each in other.items()}
    assert wanted <= reached
    assert not {("common", *each) for each in other.items()} & reached


def test_where_the_greatest_does_not_always_win() -> None:
    """RULES 2, telesina: the lowest straight flush beats the highest between two."""
    for ids in rules.HOUSE.offered():
        game = rules.game(*ids)
        over = contests(game, {}, range(5))
        kinds = {type(contest.ranking).__name__ for contest in over}
        assert greatest_wins(over) == ("Telesina" not in kinds)
