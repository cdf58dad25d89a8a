"""The evaluation cases of the rules: reported mistakes of other programs, judged by ours."""

import json
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.cards import RANKS, cards
from riverboat.game.ranking import Category, Meaning, judge, ranking

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("cases.json").read_text())
# Which rankings, over which selection, a case of a variant must hold in.
JUDGED_BY = {
    "holdem": (["standard"], "any_five"),
    "omaha (4 cards)": (["standard"], "two_and_three"),
    "omaha (5 cards)": (["standard"], "two_and_three"),
    "2-7 single/triple draw": (["low27"], "own"),
    "32-card games (Americana, Telesina, 32-card draw)": (
        ["flush_over_full_house", "draw32", "telesina"],
        "own",
    ),
    "Telesina": (["telesina"], "own"),
    "Sökö": (["soko"], "own"),
}
TIMES = {
    Category.ONE_PAIR: (2,),
    Category.TWO_PAIR: (2, 2),
    Category.THREE_OF_A_KIND: (3,),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4,),
}
ROWS = [
    pytest.param(case, name, select, id=f"{case['id']}-{name}")
    for case in CASES
    for names, select in [JUDGED_BY[case["variant"]]]
    for name in names
]


def best_five(meaning: Meaning | None) -> str:
    """The ranks of the five cards, as the cases write them but in the order of the ranks."""
    assert meaning is not None
    if meaning.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        ranks = [(meaning.ranks[0] - below) % 13 for below in range(5)]
    else:
        times = TIMES.get(meaning.category, ())
        ranks = [
            rank
            for place, rank in enumerate(meaning.ranks)
            for _ in range(times[place] if place < len(times) else 1)
        ]
    return "".join(sorted(RANKS[rank] for rank in ranks))


@pytest.mark.parametrize(("case", "name", "select"), ROWS)
def test_a_case_of_the_rules(case: dict[str, Any], name: str, select: str) -> None:
    of = judge(name, select, cards(case["setup"].get("board", "")))
    values = {int(seat): of(cards(hand)) for seat, hand in case["setup"]["hands"].items()}
    expected = case["expected"]
    if "by_ruleset" in expected:
        expected = next(v for k, v in expected["by_ruleset"].items() if "with suits" in k)
    checked = 0
    if "winners" in expected:
        places = ranking(name).winners(list(values.values()), len(values))
        assert [list(values)[place] for place in places] == expected["winners"]
        checked += 1
    if "order_best_to_worst" in expected:
        in_order = [values[seat] for seat in expected["order_best_to_worst"]]
        assert in_order == sorted(set(values.values()), reverse=True)
        checked += 1
    for seat, five in expected.get("best", {}).items():
        assert best_five(ranking(name).meaning(values[int(seat)])) == "".join(sorted(five))
    assert checked, "a case says who wins"


@pytest.mark.parametrize(
    ("case_id", "name", "seat", "said"),
    [
        ("BC-138", "standard", 3, "flush, ace-king-queen-eight-five"),
        ("BC-140", "standard", 1, "full house, eights full of fives"),
        ("BC-149", "flush_over_full_house", 1, "straight, ten high"),
        ("BC-153", "soko", 1, "four-card flush, eight-seven-six-five, king kicker"),
        ("BC-154", "soko", 1, "four-card straight, nine high, king kicker"),
    ],
)
def test_a_case_s_hand_is_called_by_its_name(case_id: str, name: str, seat: int, said: str) -> None:
    case = next(case for case in CASES if case["id"] == case_id)
    of = judge(name, "any_five", cards(case["setup"].get("board", "")))
    value = of(cards(case["setup"]["hands"][str(seat)]))
    assert ranking(name).describe(value) == said


def test_without_suits_the_flushes_of_bc_151_split() -> None:
    case = next(case for case in CASES if case["id"] == "BC-151")
    americana = ranking("flush_over_full_house")
    values = [americana.value(cards(hand)) for hand in case["setup"]["hands"].values()]
    assert americana.winners(values, 2) == (0, 1)
