"""Limits: sizes over short all-ins, caps, spreads, pots with dead money, straddles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.commands import Action
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.state import Baton
from riverboat.game.rules.schema import Completion
from tests.game.hand.dealt import Dealt, a_hand, flop

CHECK, CALL, RAISE = Action.CHECK, Action.CALL, Action.RAISE


# Fixed limit over short all-ins. Seat 1 bets nothing, seat 2 is short, the bet is 20.


def over_short(bet: int, completion: Completion = Completion.RULES, before: int = 0) -> Dealt:
    """On the flop, seat 2 all-in for `bet` over a bet of `before` by seat 1; bets of 20."""
    dealt = a_hand("fl", (500, bet + 20, 500, 500), small_blind=10, big_blind=20)
    dealt.hand.game = replace(dealt.hand.game, completion=completion)
    flop(dealt)
    if before:
        dealt.does(1, RAISE, before)
    else:
        dealt.does(1, CHECK)
    dealt.does(2, RAISE, bet)
    return dealt


@pytest.mark.parametrize(
    ("completion", "before", "bet", "next_raise", "raises"),
    [
        (Completion.RULES, 0, 9, 20, 0),
        (Completion.RULES, 0, 10, 30, 1),
        (Completion.RULES, 0, 15, 35, 1),
        (Completion.RULES, 20, 29, 40, 1),
        (Completion.RULES, 20, 30, 50, 2),
        (Completion.NEXT_MULTIPLE, 20, 29, 40, 1),
        (Completion.NEXT_MULTIPLE, 20, 34, 40, 2),
        (Completion.FULL_BET, 20, 29, 49, 1),
        (Completion.FULL_BET, 20, 34, 54, 2),
    ],
)
def test_a_short_all_in_in_fixed_limit(completion, before, bet, next_raise, raises):
    """RULES 3, fl: "15 of 20, then 35"; "less does not, and is completed" ... "(6, then 20)"."""
    dealt = over_short(bet, completion, before)
    assert dealt.hand.raises == raises
    offered = dealt.offered
    assert (offered.raise_least, offered.raise_most) == (next_raise, next_raise)


def test_completing_to_the_next_multiple_is_no_further_raise():
    """RULES 8: "several complete to the next full multiple (270 over 200: to 300)"."""
    dealt = over_short(34, Completion.NEXT_MULTIPLE, 20)
    dealt.does(3, RAISE, 40)
    assert dealt.hand.raises == 2
    assert dealt.offered.raise_least == 60


@pytest.mark.parametrize(("bet", "may"), [(29, False), (30, True)])
def test_half_a_bet_over_reopens_the_betting(bet, may):
    """RULES 3, fl: "An all-in of at least half a bet over counts as a raise and reopens"."""
    dealt = over_short(bet, before=20)
    dealt.does(3, CALL)
    dealt.does(4, CALL)
    assert (dealt.offered.raise_least > 0) is may
    assert dealt.offered.no_raise == ("" if may else "not_reopened")


@pytest.mark.parametrize(
    ("rulebook", "many", "capped"),
    [("lt", 2, True), ("standard", 2, False), ("standard", 3, True), ("et", 3, True)],
)
def test_four_bets_a_round(rulebook, many, capped):
    """RULES 3, fl: "At most four bets a round"; RULES 8: "no cap heads-up"."""
    dealt = flop(a_hand("fl", (500,) * many, rulebook))
    for total in (10, 20, 30, 40):
        dealt.does(dealt.hand.turn, RAISE, total)
    assert dealt.offered.no_raise == ("cap" if capped else "")
    assert dealt.offered.raise_least == (0 if capped else 50)


def test_the_later_rounds_of_fixed_limit_bet_the_upper_number():
    """RULES 3, fl: "5 in the first two rounds, 10 in the later ones"."""
    dealt = flop(a_hand("fl"))
    bets = []
    for _ in range(3):
        bets.append(dealt.offered.raise_least)
        for seat in (1, 2, 3):
            dealt.does(seat, CHECK)
        if dealt.hand.baton is Baton.DEALER:
            dealt.deals()
    assert bets == [10, 20, 20]


def sizes(dealt: Dealt) -> tuple[int, int]:
    return dealt.offered.raise_least, dealt.offered.raise_most


def test_spread_limit_raises_equal_the_bet_and_stop_at_three_times_the_limit():
    """House case 2: "200 may be raised only to 400, 600, 800, then 900, then not at all"."""
    stakes: Any = {"small_blind": 50, "big_blind": 100, "spread": (100, 200, 300)}
    for first, then in ((200, (400, 600, 800, 900)), (250, (500, 750, 900))):
        dealt = a_hand("sl", (5_000, 5_000), "lt", **stakes)
        assert sizes(dealt) == (200, 200)  # over the big blind
        dealt.does(2, RAISE, 200)
        assert sizes(dealt) == (300, 300)
        dealt.does(1, RAISE, 300)
        assert dealt.offered.no_raise == "cap"
        dealt.does(2, CALL)
        for _ in range(2):
            dealt.deals()
            dealt.does(1, CHECK)
            dealt.does(2, CHECK)
        dealt.deals()
        assert sizes(dealt) == (100, 300)
        dealt.does(1, RAISE, first)
        for total in then:
            assert sizes(dealt) == (total, total)
            dealt.does(dealt.hand.turn, RAISE, total)
        assert sizes(dealt) == (0, 0)


def test_a_spread_of_the_field_raises_between_the_last_raise_and_the_upper_number():
    """RULES 8: "at least the last bet or raise and at most the spread's upper number"."""
    dealt = flop(a_hand("sl", small_blind=1, big_blind=1, spread=(1, 5)))
    assert sizes(dealt) == (1, 5)
    dealt.does(1, RAISE, 3)
    assert sizes(dealt) == (6, 8)
    dealt.does(2, RAISE, 8)
    assert sizes(dealt) == (13, 13)


@pytest.mark.parametrize(
    ("rulebook", "limit", "returning", "behind"),
    [
        ("lt", "pl", 4_000, 5_000),
        ("lt", "hpl", 2_500, 3_000),
        ("ro", "pl", 4_000, 5_000),
        ("ro", "hpl", 2_500, 3_000),
        ("et", "pl", 3_500, 4_500),
        ("et", "hpl", 2_250, 2_750),
    ],
)
def test_a_dead_blind_in_pot_limit(rulebook, limit, returning, behind):
    """House case 1: "Greatest raise to: lt, ro pot limit 4000, half pot 2500; et 3500 and 2250"."""
    dealt = Dealt(
        (rulebook, "holdem", limit),
        dict.fromkeys((1, 2, 3, 4, 5), 50_000),
        Stakes(small_blind=500, big_blind=1_000),
        DECKS["52"],
        button=5,
        blinds=(1, 2),
        debts={3: Debt(1_000, 500)},
    )
    assert dealt.hand.turn == 3
    assert sizes(dealt) == (2_000, returning)
    dealt.does(3, CHECK)
    assert dealt.hand.turn == 4
    assert sizes(dealt) == (2_000, behind)


def test_a_dead_blind_counts_from_the_second_round_on_in_et():
    """RULES 3: `et` "there it counts from the second round on"."""
    dealt = Dealt(
        ("et", "holdem", "pl"),
        dict.fromkeys((1, 2, 3), 50_000),
        Stakes(small_blind=500, big_blind=1_000),
        DECKS["52"],
        button=3,
        blinds=(1, 2),
        debts={3: Debt(1_000, 500)},
    )
    assert flop(dealt).offered.raise_most == 3_500


def test_half_a_pot_is_rounded_down():
    """RULES 3, hpl: "half the pot after the call, rounded down"; 5 and 10 make 22, not 22.5."""
    dealt = a_hand("hpl", (500, 500), "lt")
    assert dealt.offered.raise_most == 20 == dealt.offered.raise_least  # 10 + 20 // 2
    dealt.does(2, CALL)
    dealt.does(1, CHECK)
    dealt.deals()
    dealt.does(1, RAISE, 10)
    dealt.does(2, CALL)
    three = flop(a_hand("hpl", small_blind=5, big_blind=5))
    assert three.offered.raise_most == 7  # half of 15


def test_a_straddle_raises_the_price_and_moves_the_option():
    """RULES 8: "straddles (button too) raise the price and move the option"."""
    dealt = a_hand(stacks=(500,) * 5, straddles=(20, 40))
    assert (dealt.hand.turn, dealt.hand.price) == (5, 40)
    assert dealt.offered.raise_least == 80
    for seat in (5, 1, 2, 3):
        dealt.does(seat, CALL)
    assert dealt.hand.turn == 4
    assert dealt.offered.check
    assert dealt.offered.raise_least == 80


def test_a_button_straddle_makes_the_small_blind_act_first():
    dealt = a_hand(stacks=(500,) * 4, button_straddle=20)
    assert (dealt.hand.turn, dealt.hand.price) == (1, 20)
