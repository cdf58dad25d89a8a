"""Every rule case that is due, each of its fields held against the engine.

A case that checks nothing fails, and so does a field that nobody looks at.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules import games, places, systems, worth
from tests.rules.checks import CHECKS, PROSE
from tests.rules.runner import CASES, DUE, NOT_YET

PROOFS = {**games.PROOFS, **worth.PROOFS, **places.PROOFS, **systems.PROOFS}


def prove(name: str) -> set[str]:
    """Hold the case against the engine; which of its fields were checked."""
    case = DUE[name]
    if name in PROOFS:
        return PROOFS[name](case)
    checked = set()
    for field, expected in case["expected"].items():
        if name not in PROSE.get(field, ""):
            CHECKS[field](case, expected)
            checked.add(field)
    return checked


@pytest.mark.parametrize("name", DUE)
def test_a_case_goes_as_it_must(name: str) -> None:
    """RULES 9: "the three documents for their rulebooks; this page; `cases/rules_cases.json`"."""
    checked = prove(name)
    prose = {field for field, names in PROSE.items() if name in names.split()}
    assert checked, "no case passes without a check"
    assert checked | prose == set(DUE[name]["expected"])


def test_what_is_not_due_yet_is_all_that_is_left_out() -> None:
    assert len(CASES) == 131
    assert set(CASES) >= NOT_YET
    assert len(DUE) == 123
    assert set(PROOFS) <= set(DUE)


def test_prose_and_rulebooks_name_cases_that_are_there() -> None:
    for field, names in PROSE.items():
        for name in names.split():
            assert field in DUE[name]["expected"]


@pytest.mark.parametrize(
    ("name", "field", "wrong"),
    [
        ("BC-001", "pots", [[26, [1, 2, 3]]]),
        ("BC-001", "payouts", {"1": 25, "2": 1}),
        ("BC-012", "net", {"0": 179840, "1": -200, "2": -89820, "3": -89821}),
        ("BC-021", "payouts", {"2": 137, "5": 138}),
        ("BC-157", "show_order", [1, 2, 3]),
        ("BC-169", "rake", 11),
        ("BC-122", "winners", [1]),
        ("BC-146", "best", {"1": "QQQ55"}),
        ("BC-041", "legal", {"actor": 2, "call": 2, "min_raise_to": 6, "max_raise_to": 198}),
    ],
)
def test_a_check_can_fail(name: str, field: str, wrong: object) -> None:
    with pytest.raises(AssertionError):
        CHECKS[field](DUE[name], wrong)


def test_each_of_the_house_cases_is_held_by_a_test_that_names_it() -> None:
    """The eight cases in which the house rules meet: every one is quoted where it is proved."""
    tests = Path(__file__).parents[1] / "game" / "hand"
    named = {
        number
        for path in tests.glob("test_*.py")
        for number in re.findall(r"House cases? (\d)(?: and (\d))?", path.read_text("utf-8"))
    }
    assert {each for pair in named for each in pair if each} == set("12345678")
