"""Betting at a table: acts, clocks, outages, and players who have left."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import Act, Action, Asked, Leave, LoseLine, RegainLine, VoidHand
from riverboat.game.hand.events import (
    Checked,
    ClockExtended,
    Drew,
    Folded,
    PlayerProtected,
    RoundClosed,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table import betting
from riverboat.game.table.given import Alarm
from riverboat.sim.chips import chips_fault
from tests.game.table.house import House, chips, folded
from tests.game.table.tables import SETTINGS, given, table


def three() -> House:
    """Button 1, small blind 2, big blind 3; the button is on turn."""
    house = House.opened(ann=500, bob=500, cas=500)
    house.run()
    assert house.hand.turn == 1
    return house


def test_without_a_hand_there_is_nothing_to_act_on():
    command = Act("1.0-1", 1, 0, Action.FOLD, 0, ())
    asked = Asked("1.0", "ann", 1, command)
    assert betting.act(table(), asked, command) == Refusal(HandCode.NO_HAND)
    assert betting.duty(table(), given()) is None
    assert betting.alarm(table()) is None
    assert betting.overdue(table()) is None


def test_a_time_out_folds_or_checks_where_checking_is_free():
    """RULES 7: "he is folded (checked where checking is free)"."""
    house = three()
    hand = house.hand
    assert betting.alarm(house.table) == Alarm(hand.deadline_ms, ("turn", hand.id, 1), True)
    assert house.wait(SETTINGS.turn_ms) == [TimedOut(1, 1, True), Folded(1)]
    assert house.table.sittings[1].timed_out
    house.ask("bob", LoseLine("line of bob", False))
    house.act(Action.CALL)
    assert house.wait(SETTINGS.turn_ms) == [TimedOut(3, 3, True), Checked(3), RoundClosed(0)]
    house.run()
    assert house.wait(SETTINGS.turn_ms)[0] == TimedOut(2, 4, False)


@pytest.mark.parametrize(
    ("late_ms", "outcome"),
    [(0, TimedOut), (3_000, TimedOut), (3_001, ClockExtended), (59_999, ClockExtended)],
)
def test_a_late_alarm_is_an_outage(late_ms, outcome):
    """ARCHITECTURE 4: "An alarm more than 3 s late is an outage: shorter than the grace,
    `ClockExtended`".
    """
    house = three()
    rung = house.wait(SETTINGS.turn_ms + late_ms)
    assert type(rung[0]) is outcome


def test_an_extended_clock_leaves_what_was_unused_and_at_least_ten_seconds():
    house = three()
    hand = house.hand
    house.now_ms += 15_000
    house.ask("bob", LoseLine("line of bob", True))  # the log stood until now
    (event,) = house.wait(SETTINGS.turn_ms)
    assert event == ClockExtended(hand.id, 1, 5_000)
    assert hand.deadline_ms == house.now_ms + 10_000


def test_past_the_grace_betting_leaves_the_hand_to_the_dealer():
    house = three()
    alarm = betting.alarm(house.table)
    assert alarm is not None
    assert betting.ring(house.table, alarm, given(alarm.at_ms + SETTINGS.grace_ms)) is None


def test_betting_is_overdue_from_the_end_of_a_clock_or_at_once_for_who_has_left():
    house = three()
    hand = house.hand
    assert betting.overdue(house.table) == hand.deadline_ms
    house.ask("ann", Leave())
    assert betting.overdue(house.table) == hand.since_ms


def test_who_leaves_heads_up_loses_what_he_would_lose_by_folding():
    """BC-187: "A quit equals a fold"."""
    quits, folds = (House.opened(ann=500, bob=500) for _ in range(2))
    for house in (quits, folds):
        house.run()
    assert quits.hand.turn == 1
    quits.ask("ann", Leave())
    quits.run()
    folds.act(Action.FOLD)
    assert folds.stacks() == {"ann": 495, "bob": 505}
    assert quits.stacks() == {"bob": 505}
    assert quits.table.cashed_out == 495
    for house in (quits, folds):
        events = [event for record, _ in house.log for event in record.events]
        assert UncalledReturned(2, 5) in events


# Lines that are lost. [RULES 7]


def limited(protections: int = 2, **other: Any) -> House:
    """Fixed limit 10/20; the small blind, seat 2, faces a raise, and his line is lost."""
    settings = replace(SETTINGS, limit="fl", **other)
    house = House.opened(settings)
    for player in ("ann", "bob", "cas"):
        house.seat(player, 500, protections=protections)
    house.run()
    house.act(Action.RAISE, 20)
    house.ask("bob", LoseLine("line of bob", False))
    assert house.hand.turn == 2
    return house


def test_who_lost_his_line_is_protected_when_clock_and_bank_are_over():
    house = limited(bank_ms=15_000)
    assert house.wait(SETTINGS.turn_ms + 14_999) == []
    sitting = house.table.sittings[2]
    assert house.wait(1) == [TimedOut(2, 2, False), PlayerProtected(2, 2, "bob", sitting.id)]
    assert (sitting.protections, sitting.timed_out) == (1, True)
    assert chips(house.table) == 1_500
    assert chips_fault(house.table) == ""
    assert folded(house) == house.table
    house.run()
    house.act(Action.CALL)
    house.play_out()
    assert sum(house.stacks().values()) + house.table.raked == 1_500
    assert house.stacks()["bob"] >= 495
    house.run()
    assert sitting.away
    assert folded(house) == house.table


def test_a_hand_that_is_called_off_gives_the_protection_back():
    """RULES 7: "every chip in the pot goes back to the player who put it in": it never was."""
    house = limited()
    house.wait(SETTINGS.turn_ms)
    sitting = house.table.sittings[2]
    assert sitting.protections == 1
    house.order(VoidHand(house.hand.id, "operator"))
    assert (sitting.protections, sitting.stack) == (2, 500)
    assert folded(house) == house.table


def test_who_comes_back_in_time_plays_on():
    """RULES 7, connections: "coming back in time plays on"."""
    house = limited()
    house.now_ms += SETTINGS.turn_ms - 1
    house.ask("bob", RegainLine("new line"))
    house.act(Action.CALL)
    assert house.hand.seats[2].bet == 20
    assert house.table.sittings[2].protections == 2


def test_who_comes_back_too_late_is_bound_for_the_whole_hand():
    house = limited()
    house.wait(SETTINGS.turn_ms)
    house.ask("bob", RegainLine("new line"))
    hand = house.hand
    act = Act(hand.id, hand.turn_number, hand.price, Action.CALL, 0, ())
    assert house.ask("bob", act) == Refusal(HandCode.NOT_YOUR_TURN, turn_seat=3)
    house.act(Action.CALL)
    house.play_out()
    assert house.table.sittings[2].protections == 1  # it counts once a hand


@pytest.mark.parametrize("other", [{"protections": 0}, {"currency": "PLAY"}, {"raked": False}])
def test_where_nobody_is_protected_he_is_folded(other):
    house = limited(**other)
    outcome = house.wait(SETTINGS.turn_ms)
    free = "raked" in other  # a table for real money that takes no rake protects as any
    assert type(outcome[1]) is (PlayerProtected if free else Folded)


def test_who_is_protected_stands_pat_though_he_is_back():
    house = limited(variant="draw5")
    house.wait(SETTINGS.turn_ms)
    house.ask("bob", RegainLine("new line"))
    house.act(Action.CALL)
    assert (house.hand.phase, house.hand.turn) == (Phase.DRAW, 3)
    drawn = [each for record, _ in house.log for each in record.events if isinstance(each, Drew)]
    assert drawn == [Drew(2, (), ())]


def test_a_void_gives_back_what_he_kept_and_the_protection_is_spent():
    house = limited()
    house.wait(SETTINGS.turn_ms)
    house.order(VoidHand(house.hand.id, "operator"))
    assert house.stacks() == {"ann": 500, "bob": 500, "cas": 500}
    assert folded(house) == house.table
