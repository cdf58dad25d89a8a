"""Recorded hands: what is wrong with one is told with the field in which it stands."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from riverboat.game.replay import Malformed, recorded
from riverboat.game.replay.recorded import CHECKS

HAND: dict[str, Any] = {
    "id": "x-1",
    "source": {"site": "Here"},
    "variant": "holdem",
    "limit": "NL",
    "stakes": {"sb": 5, "bb": 10},
    "button": 1,
    "seats": [
        {"seat": 1, "stack": 100, "hole": ["As", "Ah"]},
        {"seat": 4, "stack": 100},
    ],
    "actions": [
        {"type": "sb", "seat": 1, "amount": 5, "to": 5},
        {"type": "bb", "seat": 4, "amount": 10, "to": 10},
        {"type": "street", "name": "preflop"},
        {"type": "fold", "seat": 1},
    ],
    "expected": {
        "pots": [{"amount": 10, "eligible": [4], "high": [4]}],
        "total": 10,
        "rake": 0,
        "collected": {"4": 10},
        "finishing": {"1": 95, "4": 105},
        "payout_check": "exact",
    },
}
GONE = object()


def with_at(path: str, value: object) -> dict[str, Any]:
    """The hand with another value at that path."""
    hand: Any = copy.deepcopy(HAND)
    *way, last = path.split(".")
    place = hand
    for step in way:
        place = place[int(step)] if step.isdecimal() else place[step]
    key = int(last) if last.isdecimal() and isinstance(place, list) else last
    if value is GONE:
        del place[key]
    else:
        place[key] = value
    return hand  # type: ignore[no-any-return]


def test_a_whole_hand_is_read() -> None:
    then = recorded(HAND)
    assert (then.id, then.site, then.runs, then.button) == ("x-1", "Here", 1, 1)
    assert [chair.hole for chair in then.seats] == [(51, 50), ()]
    assert [step.kind for step in then.steps] == ["sb", "bb", "street", "fold"]
    assert then.expected.collected == {4: 10}


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("id", GONE, "id: is missing"),
        ("id", 7, "id: must be text, not 7"),
        ("source.site", "", "source.site: must be text, not ''"),
        ("source", [], "source: must be an object, not []"),
        ("stakes.bb", -1, "stakes.bb: must be a whole number from 0, not -1"),
        ("stakes.sb", 2.5, "stakes.sb: must be a whole number from 0, not 2.5"),
        ("button", "1", "button: must be a whole number from 0, not '1'"),
        ("button", GONE, "button: is missing"),
        ("seats", {}, "seats: must be a list, not {}"),
        ("seats.1", GONE, "seats: must be two or more, sorted by different seat numbers"),
        ("seats.1.seat", 1, "seats: must be two or more, sorted by different seat numbers"),
        ("seats.0.stack", 0, "seats[0].stack: must be a whole number from 1, not 0"),
        ("seats.0.stack", True, "seats[0].stack: must be a whole number from 1, not True"),
        ("seats.0.hole", ["As", "1h"], "seats[0].hole[1]: not a card: '1h'"),
        ("seats.0.hole", ["As", 5], "seats[0].hole[1]: must be text, not 5"),
        ("seats.0.hole", ["As", "As"], "seats[0].hole: As was dealt in seats[0].hole"),
        ("seats.1.hole", ["Kd", "Ah"], "seats[1].hole: Ah was dealt in seats[0].hole"),
        ("actions.2.cards", ["As"], "actions[2].cards: As was dealt in seats[0].hole"),
        ("actions.2.run", 0, "actions[2].run: must be a whole number from 1, not 0"),
        ("actions.2.run", 9, "actions[2].run: must be at most 3, not 9"),
        ("actions.3.type", "pass", "actions[3].type: no such action: 'pass'"),
        ("actions.3", "fold", "actions[3]: must be an object, not 'fold'"),
        ("actions.3.seat", 2, "actions[3].seat: no seat 2 was dealt in"),
        ("actions.0.amount", GONE, "actions[0].amount: is missing"),
        ("actions.0.to", None, "actions[0].to: must be a whole number from 0, not None"),
        ("expected.pots.0.high", [3], "expected.pots[0].high[0]: no seat 3 was dealt in"),
        ("expected.collected", {"9": 5}, "expected.collected.9: no seat '9' was dealt in"),
        ("expected.rake", 11, "expected.rake: more than the total"),
        (
            "expected.payout_check",
            "maybe",
            f"expected.payout_check: must be one of {', '.join(CHECKS)}, not 'maybe'",
        ),
        ("expected.total", GONE, "expected.total: is missing"),
    ],
)
def test_a_fault_names_its_field(path: str, value: object, said: str) -> None:
    with pytest.raises(Malformed) as wrong:
        recorded(with_at(path, value))
    assert str(wrong.value) == said


@pytest.mark.parametrize("value", [None, [], "hand", 7])
def test_what_is_no_object_is_no_hand(value: object) -> None:
    with pytest.raises(Malformed, match="hand: must be an object"):
        recorded(value)


def test_a_hand_of_which_a_card_is_hidden_is_not_known() -> None:
    assert recorded(with_at("seats.0.hole", ["As", "??"])).seats[0].hole == ()
