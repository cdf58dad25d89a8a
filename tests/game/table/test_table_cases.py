"""The worked cases of buttons, missed blinds and seats, played from their data."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.commands import Action, Leave
from riverboat.game.hand.events import Folded, Stakes, UncalledReturned
from riverboat.game.hand.forced import Debt
from riverboat.game.rules import game
from riverboat.game.table.button import Plan, next_hand
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.game.table.state import Table
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS, sitting, table

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))["cases"]
}
HOLDEM = game("standard", "holdem", "nl")
DEAD = replace(SETTINGS, button_rule=ButtonRule.DEAD)
ACTIONS = {"fold": Action.FOLD, "call": Action.CALL, "raise_to": Action.RAISE}


def after(case: dict[str, Any], left: list[int], settings: Settings = SETTINGS) -> Table:
    """The table after the case's hand, with these players left; seats count from 1."""
    setup = case["setup"]
    shift = 1 - min(setup["seats"])
    hand = setup.get("previous_hand") or setup["first_hand"]
    return table(
        *[sitting(seat + shift) for seat in left],
        settings=settings,
        button=hand["button"] + shift,
        small_blind=hand["sb"] + shift,
        big_blind=hand["bb"] + shift,
    )


def planned(state: Table) -> Plan:
    plan = next_hand(state, HOLDEM, 0)
    assert plan is not None
    return plan


def of(case: dict[str, Any], *seats: int) -> tuple[int, ...]:
    """Seats of ours as the case counts them."""
    shift = 1 - min(case["setup"]["seats"])
    return tuple(seat - shift for seat in seats)


def test_dead_button_and_dead_small_blind():
    """BC-060: "The button moves to the seat of the old small blind, the small blind position is
    the empty seat of the old big blind. Seat 3 owes the big blind and nothing else."
    """
    case = CASES["BC-060"]
    state = after(case, case["setup"]["occupied"], DEAD)
    plan = planned(state)
    empty = case["setup"]["previous_hand"]["bb"]
    assert of(case, plan.button) == (case["setup"]["button"],)
    assert of(case, plan.small, plan.big) == (empty, case["expected"]["big_blind"])
    assert list(of(case, *plan.seats)) == case["expected"]["action_order_postflop"]
    assert plan.debts == {}


def test_the_last_to_act_may_stay_the_same_under_the_dead_button():
    """BC-062: "seat 1 is last to act twice in a row; blinds are posted in full"."""
    case = CASES["BC-062"]
    setup, expected = case["setup"], case["expected"]
    out = setup["previous_hand"]["eliminated"]
    plan = planned(after(case, [seat for seat in setup["seats"] if seat not in out], DEAD))
    assert (plan.button, plan.small, plan.big) == (
        expected["button"],
        expected["small_blind"],
        expected["big_blind"],
    )
    assert plan.seats[2] == expected["first_to_act_preflop"]
    assert plan.seats[-1] == expected["last_to_act_postflop"]


def test_the_big_blind_moves_one_player_a_hand_across_empty_chairs():
    """BC-063: "each hand the big blind is the next player after the last big blind"."""
    case = CASES["BC-063"]
    state = after(case, case["setup"]["occupied"])
    for hand in case["expected"]["next_hands"]:
        plan = planned(state)
        places = (plan.button, plan.small, plan.big)
        assert of(case, *places) == (hand["button"], hand["sb"], hand["bb"])
        state.button, state.small_blind, state.big_blind = places


@pytest.mark.parametrize(
    ("out", "name"),
    [
        (1, "if_button_seat_1_is_out"),
        (2, "if_small_blind_seat_2_is_out"),
        (3, "if_big_blind_seat_3_is_out"),
    ],
)
@pytest.mark.parametrize("settings", [SETTINGS, DEAD], ids=["moving", "dead"])
def test_from_three_players_to_two(out, name, settings):
    """BC-065: "The other one is button and small blind. Nobody has the big blind twice in a row."""
    case = CASES["BC-065"]
    expected = case["expected"][name]
    plan = planned(after(case, [seat for seat in case["setup"]["seats"] if seat != out], settings))
    assert (plan.button, plan.small, plan.big) == (
        expected["button_and_sb"],
        expected["button_and_sb"],
        expected["bb"],
    )


def test_who_missed_both_blinds_posts_both():
    """BC-067: "the big blind part is live, the small blind part is dead"."""
    case = CASES["BC-067"]
    owes = case["expected"]["owes"]
    back = sitting(4, owes_big=True, owes_small=True, post=True)
    others = [sitting(seat) for seat in case["setup"]["seats"] if seat != 4]
    plan = planned(table(*others, back, button=6, small_blind=1, big_blind=2))
    assert plan.debts == {4: Debt(**owes)}
    assert sum(plan.debts[4]) == case["expected"]["posted_total"]


def dealt(case: dict[str, Any]) -> House:
    """A house at the case's blinds and stacks, its hand dealt with the case's button."""
    setup = case["setup"]
    blinds = Stakes(setup["blinds"]["sb"], setup["blinds"]["bb"])
    settings = replace(SETTINGS, stakes=blinds, buy_in_least=1, raked=False)
    seats = setup.get("in_hand", setup["seats"])
    house = House.opened(settings, **{f"p{seat}": setup["stacks"][str(seat)] for seat in seats})
    house.run(drawn=seats.index(setup["button"]))
    assert house.hand.button == setup["button"]
    return house


def play(house: House, case: dict[str, Any]) -> None:
    for action in case["actions"]:
        assert house.hand.turn == action["seat"]
        house.act(ACTIONS[action["act"]], action.get("amount", 0))


def test_a_player_who_leaves_out_of_turn():
    """BC-186: "Recording the intention and folding at once in turn order keeps the action order
    correct."
    """
    case = CASES["BC-186"]
    house = dealt(case)
    play(house, case)
    house.ask("p2", Leave())
    house.run()
    assert house.hand.turn == case["expected"]["next_to_act"]
    house.act(Action.FOLD)
    events = [event for record, _ in house.log for event in record.events]
    assert Folded(2) in events  # when its turn came, without a clock
    assert UncalledReturned(3, 20) in events
    assert house.stacks() == {"p1": 495, "p3": 515}  # seat 3 won 5 + 10 + 10


def test_heads_up_a_quit_equals_a_fold():
    """BC-187: "A quit equals a fold: small blind 50 is lost, the big blind gets 50 back uncalled
    and wins 100."
    """
    case = CASES["BC-187"]
    expected = case["expected"]
    quits = dealt(case)
    quits.ask("p2", Leave())
    quits.run()
    assert quits.stacks() == {"p1": expected["final_stacks"]["1"]}
    assert quits.table.cashed_out == expected["final_stacks"]["2"]

    folds = dealt(case)
    play(folds, case)
    assert folds.stacks() == {f"p{seat}": end for seat, end in expected["final_stacks"].items()}
    for house in (quits, folds):
        events = [event for record, _ in house.log for event in record.events]
        assert UncalledReturned(1, expected["uncalled_returned"]["1"]) in events


def test_a_player_who_sits_down_during_a_hand():
    """BC-189: "The turn order is fixed when the hand starts." """
    case = CASES["BC-189"]
    house = dealt(case)
    price = house.hand.price
    house.seat("p4", 500, seat=case["setup"]["sits_down_during_hand"])
    play(house, case)
    assert house.hand.turn == case["expected"]["next_to_act"]
    assert (4 in house.hand.seats) == case["expected"]["seat_4_in_turn_order"]
    assert house.hand.price == price  # the running hand's blinds are not reckoned again
