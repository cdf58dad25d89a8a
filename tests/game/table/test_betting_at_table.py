"""Betting at a table: acts, clocks, outages, and players who have left."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Act, Action, Asked, Leave, LoseLine
from riverboat.game.hand.events import (
    Checked,
    ClockExtended,
    Folded,
    RoundClosed,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table import betting
from riverboat.game.table.given import Alarm
from tests.game.table.house import House
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
