"""Whole hands beside PokerKit: the same turns, calls, raises, pots, winners and stacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pokerkit
import pytest
from pokerkit import Automation

from riverboat.game.hand.events import Half
from riverboat.game.hand.judge import judge
from tests.game.hand.judged import HILO, awards, hand, hole
from tests.game.hand.oracle import Apart, Both, Kinds, SetAside, story, supported

QUICK, DEEP = 50, 3_000


@pytest.mark.parametrize(
    "many", [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(3_600)])]
)
@pytest.mark.parametrize("kind", supported(), ids="-".join)
def test_a_second_opinion_on_whole_hands(kind: Kinds, many: int) -> None:
    """RULES 9: "PokerKit is a good second opinion but known to differ"."""
    aside: Counter[str] = Counter()
    for seed in range(many):
        both = Both(kind, seed)
        try:
            both.play()
        except SetAside as known:
            aside[str(known)] += 1
        except Apart as apart:
            pytest.fail(f"{kind} {seed}: {apart}\n{story(both)}")
    # Most hands are the same to their end; the rest were until a known difference.
    assert sum(aside.values()) <= many // 4, aside


@pytest.mark.parametrize(
    "changed",
    [
        {"bets_most": 5},
        {"cap_heads_up": False},
        {"high": "ace_to_five_low"},
        {"tiers": (0, 0, 0, 1)},
    ],
)
def test_a_game_that_goes_otherwise_is_seen(changed: dict[str, Any]) -> None:
    def differs(seed: int) -> bool:
        both = Both(Kinds("holdem", "fl"), seed)
        both.dealt.hand.game = replace(both.dealt.hand.game, **changed)
        try:
            both.play()
        except SetAside:
            return False
        except Apart:
            return True
        return False

    assert any(map(differs, range(400)))


def test_what_pokerkit_can_play_is_played() -> None:
    kinds = supported()
    assert len(kinds) == 45
    assert {kind.limit for kind in kinds} == {"nl", "pl", "fl"}
    assert {"holdem", "omaha_hilo", "stud7", "razz", "badugi", "short_deck"} < {
        kind.variant for kind in kinds
    }


def test_pokerkit_halves_a_side_pot_for_a_low_that_is_not_in_it() -> None:
    """RULES 9: what is set aside for this is PokerKit's doing. Six in a side pot of two equal high
    hands, where only the short stack, who is not in it, has a low: three each here.
    """
    hands = ("As3dQcJd", "KhQd9c9s", "KdQh9d9h")
    by_hand = Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING
    state = pokerkit.FixedLimitOmahaHoldemHighLowSplitEightOrBetter.create_state(
        tuple(each for each in Automation if each not in by_hand),
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(1, 3),
        small_bet=3,
        big_bet=6,
        raw_starting_stacks=(6, 40, 40),
        player_count=3,
    )
    for cards in hands:
        state.deal_hole(cards)
    state.check_or_call()
    state.complete_bet_or_raise_to(6)
    state.check_or_call()
    state.check_or_call()
    state.burn_card("2h")
    state.deal_board("2c4d8h")
    state.complete_bet_or_raise_to(3)
    state.check_or_call()
    for burnt, card in (("3h", "Kc"), ("4h", "Ks")):
        state.burn_card(burnt)
        state.deal_board(card)
        state.check_or_call()
        state.check_or_call()
    pushed = [one for one in state.operations if isinstance(one, pokerkit.ChipsPushing)]
    assert [one.amounts for one in pushed if one.pot_index == 1] == [(0, 2, 1), (0, 2, 1)]

    played = hand({1: 6, 2: 9, 3: 9}, "2c 4d 8h Kc Ks", of=HILO, all_in=[1])
    own = hole(**{f"p{seat}": cards for seat, cards in enumerate(hands, 1)})
    assert awards(judge(played, own))[2:] == [(1, 0, Half.WHOLE, {2: 3, 3: 3})]
