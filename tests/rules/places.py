"""Rule cases of the button, the blinds' places and debts: who sits where in the next hand.

Each proves every field of one case, and says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from riverboat.game.commands import Action
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.state import NOBODY, Phase
from riverboat.game.rules import game
from riverboat.game.table.button import Plan, next_hand
from riverboat.game.table.debts import debt_of
from riverboat.game.table.events import ButtonRule
from tests.game.hand.dealt import Dealt
from tests.game.table.tables import SETTINGS, sitting
from tests.game.table.tables import table as table_of
from tests.rules.runner import Case, Played, Proof

HOLDEM = game("standard", "holdem", "nl")


def _next_of(occupied: Sequence[int], button: int, small: int, big: int, rule: ButtonRule) -> Plan:
    """The next hand of a table where these seats are taken and the last hand was so."""
    settings = replace(SETTINGS, seats=10, button_rule=rule)
    made = table_of(
        *(sitting(seat) for seat in occupied),
        settings=settings,
        button=button,
        small_blind=small,
        big_blind=big,
    )
    plan = next_hand(made, HOLDEM, 0)
    assert plan is not None
    return plan


def _started(plan: Plan, blinds: dict[str, int]) -> Dealt:
    return Dealt(
        ("standard", "holdem", "nl"),
        dict.fromkeys(plan.seats, 10_000),
        Stakes(small_blind=blinds["sb"], big_blind=blinds["bb"]),
        range(52),
        button=plan.button,
        blinds=(plan.small, plan.big),
    )


def _orders(dealt: Dealt) -> tuple[list[int], list[int]]:
    """Who acts, in order, before the flop and after it, when all call and check."""
    orders: tuple[list[int], list[int]] = ([], [])
    for order in orders:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        while dealt.hand.turn != NOBODY:
            order.append(dealt.hand.turn)
            dealt.does(order[-1], Action.CHECK if dealt.offered.check else Action.CALL)
    return orders


def dead_button(case: Case) -> set[str]:
    """BC-060: the button and the small blind's place move on though nobody sits there."""
    setup, expected = case["setup"], case["expected"]
    before = setup["previous_hand"]
    plan = _next_of(
        [seat + 1 for seat in setup["occupied"]],
        before["button"] + 1,
        before["sb"] + 1,
        before["bb"] + 1,
        ButtonRule.DEAD,
    )
    assert plan.button == setup["button"] + 1
    assert plan.small - 1 not in setup["occupied"]
    assert plan.small - 1 == 2
    assert expected["small_blind"] == "dead (seat 2 is empty), nobody posts it"
    dealt = _started(plan, setup["blinds"])
    assert dealt.hand.pot == expected["pot_after_posting"]
    assert plan.big - 1 == expected["big_blind"]
    assert dealt.hand.turn - 1 == expected["first_to_act_preflop"]
    first, later = _orders(dealt)
    assert [seat - 1 for seat in first] == expected["action_order_preflop"]
    assert [seat - 1 for seat in later] == expected["action_order_postflop"]
    return set(expected)


def dead_button_again(case: Case) -> set[str]:
    """BC-062: with the small blind gone the same player is last to act twice."""
    before, expected = case["setup"]["previous_hand"], case["expected"]
    left = [seat for seat in case["setup"]["seats"] if seat not in before["eliminated"]]
    plan = _next_of(left, before["button"], before["sb"], before["bb"], ButtonRule.DEAD)
    assert (plan.button, plan.small, plan.big) == (
        expected["button"],
        expected["small_blind"],
        expected["big_blind"],
    )
    assert (plan.button not in left) is expected["button_seat_is_empty"]
    first, later = _orders(_started(plan, {"sb": 5, "bb": 10}))
    assert first[0] == expected["first_to_act_preflop"]
    assert later[-1] == expected["last_to_act_postflop"]
    return set(expected)


def moving_button(case: Case) -> set[str]:
    """BC-063: the big blind moves by one player a hand, whatever chairs are empty."""
    setup = case["setup"]
    first = setup["first_hand"]
    places = [first["button"] + 1, first["sb"] + 1, first["bb"] + 1]
    for hand in case["expected"]["next_hands"]:
        occupied = [seat + 1 for seat in setup["occupied"]]
        plan = _next_of(occupied, places[0], places[1], places[2], ButtonRule.MOVING)
        places = [plan.button, plan.small, plan.big]
        assert [place - 1 for place in places] == [hand["button"], hand["sb"], hand["bb"]]
    return set(case["expected"])


def to_heads_up(case: Case) -> set[str]:
    """BC-065: nobody has the big blind twice when three become two; under either rule."""
    before, expected = case["setup"]["previous_hand"], case["expected"]
    gone = {
        "if_button_seat_1_is_out": 1,
        "if_small_blind_seat_2_is_out": 2,
        "if_big_blind_seat_3_is_out": 3,
    }
    for rule in ButtonRule:
        for condition, out in gone.items():
            left = [seat for seat in case["setup"]["seats"] if seat != out]
            plan = _next_of(left, before["button"], before["sb"], before["bb"], rule)
            small, big = expected[condition]["button_and_sb"], expected[condition]["bb"]
            assert (plan.button, plan.small, plan.big) == (small, small, big)
    return set(gone)


def missed_both(case: Case) -> set[str]:
    """BC-067: the big blind's amount live, the small blind's dead, and the option."""
    expected, stakes = case["expected"], Stakes(small_blind=5, big_blind=10)
    owed = debt_of(sitting(4, owes_big=True, owes_small=True, post=True), stakes)
    assert owed == Debt(**expected["owes"])
    assert sum(owed) == expected["posted_total"]

    def returns(button: int, small: int, big: int) -> Plan:
        back = sitting(4, owes_big=True, owes_small=True, post=True)
        others = [sitting(seat) for seat in case["setup"]["seats"] if seat != 4]
        made = table_of(*others, back, button=button, small_blind=small, big_blind=big)
        plan = next_hand(made, HOLDEM, 0)
        assert plan is not None
        return plan

    plan = returns(6, 1, 2)  # next: button 1, blinds 2 and 3, and seat 4 behind them
    assert plan.debts == {4: owed}
    assert 4 in plan.seats
    # Between the button on seat 3 and the small blind on seat 5 he is not dealt in.
    assert expected["cannot_return"] == "between small blind and button position"
    plan = returns(2, 3, 5)
    assert (plan.button, plan.small, plan.big) == (3, 5, 6)
    assert 4 not in plan.seats
    return {"owes", "posted_total", "cannot_return"} | _option_of_a_post(case)


def _option_of_a_post(case: Case) -> set[str]:
    """ "big blind with option when the action reaches the seat" """
    assert case["expected"]["acts_as"].startswith("big blind with option")
    setup = {
        "seats": case["setup"]["seats"],
        "button": 1,
        "stacks": {str(seat): 1000 for seat in case["setup"]["seats"]},
        "blinds": case["setup"]["blinds"],
        "posts": {"4": {"live": 10, "dead": 5}},
    }
    played = Played({"variant": "holdem", "limit": "no-limit", "setup": setup, "actions": []})
    assert played.next_to_act() == 4
    offered = played.dealt.offered
    assert offered.check
    assert offered.raise_least == 20
    return {"acts_as"}


PROOFS: Final[dict[str, Proof]] = {
    "BC-060": dead_button,
    "BC-062": dead_button_again,
    "BC-063": moving_button,
    "BC-065": to_heads_up,
    "BC-067": missed_both,
}
