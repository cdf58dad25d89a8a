"""Whole hands beside PokerKit: the same turns, calls, raises, pots, winners and stacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

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
