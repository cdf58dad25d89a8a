"""Disconnect protection in a hand: who plays on for what he has put in, and what he can win."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.bet import may_protect
from riverboat.game.hand.events import (
    BroughtIn,
    Checked,
    Folded,
    HandEnded,
    HandShown,
    HandVoided,
    PlayerProtected,
    PotsMade,
    RoundClosed,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.fold import evolve
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import options
from riverboat.game.hand.state import NOBODY, Baton, Hand, Phase
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.rules import HOUSE
from tests.game.hand.dealt import Dealt, a_hand, flop
from tests.game.hand.test_hand_property import STEPS_MOST, a_deal

DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))
FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
LIMITED = [ids for ids in HOUSE.offered() if ids[2] in ("fl", "sl")]


def fixed(*stacks: int, **stakes: Any) -> Dealt:
    """Fixed limit 10/20; small blind 1, big blind 2, the last seat has the button."""
    return a_hand("fl", stacks or (500, 500, 500), **stakes)


def test_who_faces_a_bet_plays_on_for_what_he_has_put_in():
    """RULES 7: "treated as all-in for what he put in"."""
    dealt = fixed()
    dealt.does(3, RAISE, 20)
    dealt.loses_line()
    assert dealt.events[-2:] == [TimedOut(1, 2, False), PlayerProtected(1, 2, "p1", "s1")]
    hand = dealt.hand
    assert (hand.seats[1].kept, hand.seats[1].stack) == (495, 0)
    assert hand.seats[1].protected and hand.seats[1].all_in
    assert hand.turn == 2
    dealt.does(2, CALL)
    dealt.deals()
    dealt.does(2, RAISE, 10)
    dealt.does(3, CALL)
    dealt.deals()
    assert [dealt.hand.turn, len(dealt.happened(PlayerProtected))] == [2, 1]
    dealt.does(2, CHECK)
    dealt.does(3, CHECK)
    dealt.deals()
    dealt.does(2, CHECK)
    dealt.does(3, CHECK)
    dealt.ends()
    (pots,) = dealt.happened(PotsMade)
    assert [(pot.amount, pot.seats) for pot in pots.pots] == [(15, (1, 2, 3)), (50, (2, 3))]
    (ended,) = dealt.happened(HandEnded)
    (mine,) = [net.amount for net in ended.nets if net.seat == 1]
    assert mine == dealt.won().get(1, 0) - 5
    assert dealt.hand.seats[1].stack == 500 + mine


def test_with_nothing_in_he_is_folded():
    """RULES 7: "with none in, he is folded"."""
    dealt = fixed()
    dealt.loses_line()
    assert dealt.events[-2:] == [TimedOut(3, 1, False), Folded(3)]


def test_an_ante_is_money_in_the_pot():
    """RULES 7: "blinds and antes are money in the pot"."""
    dealt = fixed(ante=2)
    dealt.loses_line()
    assert dealt.events[-1] == PlayerProtected(3, 1, "p3", "s3")
    dealt.does(1, CALL)
    dealt.does(2, CHECK)
    dealt.deals()
    dealt.does(1, RAISE, 10)
    dealt.does(2, FOLD)
    dealt.to_the_end()
    (pots,) = dealt.happened(PotsMade)
    assert [(pot.amount, pot.seats) for pot in pots.pots] == [(6, (1, 3)), (20, (1,))]


def test_a_dead_blind_alone_is_money_in_the_pot_too():
    """What he can win from each is as much; the others play for the rest."""
    dealt = Dealt(
        ("standard", "holdem", "fl"),
        dict.fromkeys((1, 2, 3, 4), 500),
        fixed().started.stakes,
        fixed().deck,
        button=4,
        blinds=(1, 2),
        debts={3: Debt(0, 5)},
    )
    dealt.loses_line()
    assert dealt.events[-1] == PlayerProtected(3, 1, "p3", "s3")
    dealt.does(4, CALL)
    dealt.does(1, CALL)
    dealt.does(2, CHECK)
    dealt.deals()
    for _ in range(3):
        for seat in (1, 2, 4):
            dealt.does(seat, CHECK)
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
    dealt.ends()
    (pots,) = dealt.happened(PotsMade)
    assert [(pot.amount, pot.seats) for pot in pots.pots] == [(20, (1, 2, 3, 4)), (15, (1, 2, 4))]


def test_a_free_check_is_a_check():
    """RULES 7: "a free check is a check and spends nothing"."""
    dealt = flop(fixed())
    dealt.loses_line()
    assert dealt.events[-2:] == [TimedOut(1, 4, False), Checked(1)]
    dealt.does(2, RAISE, 10)
    dealt.does(3, CALL)
    dealt.loses_line()
    assert dealt.events[-2:] == [PlayerProtected(1, 7, "p1", "s1"), RoundClosed(1)]


@pytest.mark.parametrize("limit", ["nl", "pl", "hpl"])
def test_in_every_other_limit_he_is_folded(limit):
    """RULES 7: "in every other limit ... his clock and time bank run out and he is folded"."""
    dealt = a_hand(limit)
    dealt.does(3, CALL)
    dealt.loses_line()
    assert dealt.events[-2:] == [TimedOut(1, 2, False), Folded(1)]


def test_in_spread_limit_he_is_protected():
    dealt = a_hand("sl", spread=(10, 20, 30))
    dealt.does(3, CALL)
    dealt.loses_line()
    assert dealt.events[-1] == PlayerProtected(1, 2, "p1", "s1")


def test_what_the_last_one_bet_comes_back():
    dealt = flop(fixed(500, 500))
    first, second = dealt.hand.turn, dealt.hand.seats[dealt.hand.turn].left
    dealt.does(first, RAISE, 10)
    dealt.loses_line()
    late = PlayerProtected(second, dealt.happened(TimedOut)[0].turn, f"p{second}", f"s{second}")
    assert dealt.events[-3:] == [late, UncalledReturned(first, 10), RoundClosed(1)]
    dealt.to_the_end()
    (pots,) = dealt.happened(PotsMade)
    assert [(pot.amount, sorted(pot.seats)) for pot in pots.pots] == [(20, [1, 2])]
    assert {shown.seat for shown in dealt.happened(HandShown)} == {1, 2}  # as after any all-in


def test_a_returned_bet_stays_among_what_is_kept():
    dealt = fixed(500, 3, 500, 500)
    dealt.does(3, FOLD)
    assert dealt.hand.turn == 4
    dealt.does(4, CALL)
    dealt.loses_line()
    dealt.record([UncalledReturned(1, 2)])
    assert (dealt.hand.seats[1].kept, dealt.hand.seats[1].stack) == (497, 0)


def test_a_bring_in_that_is_due_is_put_in_and_spends_nothing():
    dealt = a_hand("fl", variant="stud7", ante=2, bring_in=4, small_bet=10)
    first = dealt.hand.turn
    dealt.loses_line()
    assert dealt.events[-2:] == [TimedOut(first, 1, False), BroughtIn(first, 4, 4)]
    second = dealt.hand.turn
    dealt.loses_line()
    late = PlayerProtected(second, 2, f"p{second}", f"s{second}")
    assert dealt.events[-2:] == [TimedOut(second, 2, False), late]


def test_he_stands_pat_in_every_draw_of_the_hand():
    """RULES 7: "it binds for the whole hand, he stands pat in draws"."""
    dealt = a_hand("fl", variant="triple_draw27")
    dealt.does(3, RAISE, 20)
    dealt.loses_line()
    dealt.does(2, CALL)
    cards = dealt.hand.seats[1].places
    for _ in range(3):
        dealt.deals()
        assert (dealt.hand.phase, dealt.hand.turn) == (Phase.DRAW, 1)
        assert options(dealt.hand) is None
        outcome = dealt.tries(dealt.the_act(Action.DRAW, throw=(0,)))
        assert outcome == Refusal(HandCode.NOT_OFFERED)
        dealt.stands_pat()
        dealt.does(2, Action.DRAW, throw=(0,))
        dealt.does(3, Action.DRAW)
        dealt.does(2, CHECK)
        dealt.does(3, CHECK)
    assert dealt.hand.seats[1].places == cards
    dealt.ends()


def test_a_void_gives_back_all_that_he_kept():
    dealt = fixed()
    dealt.does(3, RAISE, 20)
    dealt.loses_line()
    hand = dealt.hand
    evolve(hand, HandVoided(hand.id, "operator"), dealt.now_ms)
    assert [(seat.stack, seat.kept) for seat in hand.seats.values()] == [(500, 0)] * 3


def what_he_may_win(hand: Hand, number: int) -> int:
    """From each at most what he put in himself, and dead money."""
    mine = hand.seats[number].put
    others = [seat for seat in hand.seats.values() if seat.seat != number]
    return (
        mine
        + sum(min(seat.put, mine) for seat in others)
        + sum(seat.dead for seat in hand.seats.values())
    )


@pytest.mark.parametrize("ids", LIMITED, ids="-".join)
def test_in_any_hand_chips_are_kept_and_nobody_wins_more_than_he_put_in(ids):
    """RULES 5: "he wins from each other player at most what he put in"."""
    for number in range(200 if DEEP else 6):
        chance = random.Random(f"{ids} {number}")
        dealt = a_deal(chance, ids)
        protected: dict[int, tuple[int, int]] = {}
        for _ in range(STEPS_MOST):
            hand = dealt.hand
            if hand.phase is Phase.OVER:
                break
            play_on(dealt, chance, protected)
        assert hand.phase is Phase.OVER
        won = dealt.won()
        for seat, (put, kept) in protected.items():
            assert not hand.seats[seat].folded
            assert hand.seats[seat].put <= put  # less what nobody called
            assert won.get(seat, 0) <= what_he_may_win(hand, seat)
            assert hand.seats[seat].stack >= kept


def play_on(dealt: Dealt, chance: random.Random, protected: dict[int, tuple[int, int]]) -> None:
    hand = dealt.hand
    if hand.turn == NOBODY:
        if hand.baton is Baton.DEALER:
            dealt.deals()
        else:
            dealt.ends()
        return
    seat = hand.seats[hand.turn]
    if hand.phase is Phase.DRAW and seat.protected:
        dealt.stands_pat()
    elif hand.phase is not Phase.DRAW and chance.random() < 0.25:
        binds = may_protect(hand, seat)
        dealt.loses_line()
        if binds:
            assert seat.seat not in protected, "it counts once a hand"
            protected[seat.seat] = seat.put, seat.kept
    else:
        plays_at_random(dealt, chance)


def plays_at_random(dealt: Dealt, chance: random.Random) -> None:
    offered = dealt.offered
    seat = dealt.hand.seats[offered.seat]
    if offered.draw_most >= 0:
        own = len(seat.places)
        many = chance.randint(offered.draw_least, min(offered.draw_most, own))
        dealt.does(seat.seat, Action.DRAW, throw=sorted(chance.sample(range(own), many)))
        return
    ways: list[tuple[Action, int]] = []
    ways += [(Action.CALL, 0)] * 3 * bool(offered.call) + [(Action.CHECK, 0)] * offered.check
    ways += [(Action.BRING_IN, 0)] * bool(offered.bring_in) + [(Action.SPLIT, 0)] * offered.split
    ways += [(Action.REFUSE_SPLIT, 0)] * offered.refuse_split
    if offered.raise_least:
        ways += [(Action.RAISE, total) for total in (offered.raise_least, offered.raise_most)]
    if chance.random() < 0.05 and offered.fold:
        ways = [(Action.FOLD, 0)]
    dealt.does(seat.seat, *chance.choice(ways))
