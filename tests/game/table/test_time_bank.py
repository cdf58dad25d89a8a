"""Clocks of a table: time by round of betting, time banks, and clocks that stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import Action, LoseLine, SitOut, VoidHand
from riverboat.game.hand.events import (
    Checked,
    ClockExtended,
    Folded,
    RoundClosed,
    Stakes,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.rounds import own_time_over_ms
from riverboat.game.hand.state import Phase
from riverboat.game.table import betting
from riverboat.game.table.events import SatOut, TablePaused, TableResumed
from tests.game.table.house import House, folded
from tests.game.table.tables import SETTINGS

TURN_MS = SETTINGS.turn_ms
BANKED = replace(SETTINGS, bank_ms=30_000, bank_refill_ms=5_000, bank_refill_hands=2)


def three(settings=BANKED) -> House:
    """Button 1, small blind 2, big blind 3; the button is on turn."""
    house = House.opened(settings, ann=500, bob=500, cas=500)
    house.run()
    assert house.hand.turn == 1
    return house


def banks(house: House) -> list[int]:
    return [sitting.bank_ms for sitting in house.table.sittings.values()]


@pytest.mark.parametrize(
    ("street_ms", "clocks"),
    [
        ((), [20_000, 20_000, 20_000, 20_000]),
        ((9_000,), [9_000, 9_000, 9_000, 9_000]),
        ((9_000, 15_000), [9_000, 15_000, 15_000, 15_000]),
        ((9_000, 15_000, 25_000, 40_000), [9_000, 15_000, 25_000, 40_000]),
    ],
)
def test_each_round_has_its_own_clock_and_the_last_goes_on(street_ms, clocks):
    house = three(replace(SETTINGS, street_ms=street_ms))
    seen = []
    while house.playing():
        hand = house.hand
        assert own_time_over_ms(hand) == hand.deadline_ms
        seen.append((hand.round, hand.deadline_ms - house.now_ms))
        house.now_ms += 700
        house.act(Action.CHECK if hand.price <= hand.seats[hand.turn].bet else Action.CALL)
    assert sorted(set(seen)) == list(enumerate(clocks))


def test_a_turn_lasts_its_own_time_and_then_the_bank():
    house = three()
    hand = house.hand
    assert own_time_over_ms(hand) == house.now_ms + TURN_MS
    assert hand.deadline_ms == house.now_ms + TURN_MS + 30_000
    assert house.wait(TURN_MS + 29_999) == []
    assert house.wait(1) == [TimedOut(1, 1, True), Folded(1)]
    assert hand.seats[1].bank_ms == 0


@pytest.mark.parametrize(
    ("took_ms", "left_ms"),
    [
        (0, 30_000),
        (TURN_MS, 30_000),
        (TURN_MS + 1, 29_999),
        (TURN_MS + 12_000, 18_000),
        (TURN_MS + 30_000, 0),
        (TURN_MS + 30_400, 0),  # the clock was over, but nobody had said so yet
    ],
)
@pytest.mark.parametrize("action", [Action.CALL, Action.RAISE, Action.FOLD])
def test_the_bank_pays_for_what_is_beyond_the_turns_own_time(took_ms, left_ms, action):
    house = three()
    house.now_ms += took_ms
    house.act(action, 30 if action is Action.RAISE else 0)
    assert house.hand.seats[1].bank_ms == left_ms
    assert house.hand.seats[2].bank_ms == 30_000


def test_a_check_uses_the_bank_too_and_the_next_turn_has_what_is_left():
    house = three()
    house.act(Action.CALL)
    house.act(Action.CALL)
    house.now_ms += TURN_MS + 10_000
    house.act(Action.CHECK)
    hand = house.hand
    assert (hand.round, hand.turn) == (1, 2)
    house.act(Action.CHECK)
    assert hand.turn == 3
    assert hand.deadline_ms == house.now_ms + TURN_MS + 20_000


def test_the_bank_goes_back_to_the_player_when_the_hand_ends():
    house = three()
    house.now_ms += TURN_MS + 10_000
    house.act(Action.FOLD)
    house.now_ms += TURN_MS + 4_000
    assert banks(house) == [30_000, 30_000, 30_000]  # what is used in a hand is settled at its end
    house.act(Action.FOLD)
    assert not house.playing()
    assert banks(house) == [20_000, 26_000, 30_000]
    assert folded(house) == house.table


def test_a_bank_is_refilled_after_so_many_hands_of_his():
    house = three()
    house.now_ms += TURN_MS + 10_000
    house.act(Action.FOLD)
    house.act(Action.FOLD)
    house.now_ms += SETTINGS.pause_ms
    house.run()
    assert house.hand.deadline_ms == house.now_ms + TURN_MS + 30_000
    house.act(Action.FOLD)
    house.act(Action.FOLD)
    assert banks(house) == [25_000, 30_000, 30_000]  # and never filled above what it began with
    assert [sitting.bank_hands for sitting in house.table.sittings.values()] == [0, 0, 0]


def test_no_bank_is_refilled_by_hands_that_a_player_was_not_in():
    house = three()
    house.ask("cas", SitOut())
    house.play_out()
    house.now_ms += SETTINGS.pause_ms
    house.run()
    assert set(house.hand.seats) == {1, 2}
    house.play_out()
    assert [sitting.bank_hands for sitting in house.table.sittings.values()] == [0, 0, 1]


def test_a_hand_that_is_voided_gives_back_what_was_used():
    house = three()
    house.now_ms += TURN_MS + 10_000
    house.act(Action.FOLD)
    assert house.hand.seats[1].bank_ms == 20_000
    house.order(VoidHand(house.hand.id, "operator"))
    assert banks(house) == [30_000, 30_000, 30_000]
    assert [sitting.bank_hands for sitting in house.table.sittings.values()] == [0, 0, 0]


def test_a_draw_has_its_own_clock_and_no_bank():
    """RULES 5: "Draws: 0-5 cards (draw32: 0-4), 30 seconds"."""
    house = three(replace(BANKED, variant="draw5", stakes=Stakes(5, 10)))
    for _ in range(3):
        house.act(Action.CHECK if house.hand.turn == 3 else Action.CALL)
    hand = house.hand
    assert hand.phase is Phase.DRAW
    assert hand.deadline_ms == own_time_over_ms(hand) == house.now_ms + 30_000
    house.now_ms += 29_000
    house.act(Action.DRAW, throw=(0,))
    assert [seat.bank_ms for seat in hand.seats.values()] == [30_000, 30_000, 30_000]


def test_an_outage_takes_nothing_from_the_bank():
    house = three()
    hand = house.hand
    (event,) = house.wait(TURN_MS + 30_000 + 5_000)
    assert event == ClockExtended(hand.id, 1, TURN_MS + 30_000)
    assert own_time_over_ms(hand) == house.now_ms + TURN_MS
    assert hand.seats[1].bank_ms == 30_000


def test_what_was_used_of_the_bank_before_an_outage_is_gone():
    house = three()
    hand = house.hand
    house.now_ms += TURN_MS + 25_000
    house.ask("bob", SitOut())  # the log stood until now
    (event,) = house.wait(10_000)
    assert event == ClockExtended(hand.id, 1, 5_000)
    assert hand.deadline_ms == house.now_ms + 10_000  # "at least 10 s from its own append"
    assert own_time_over_ms(hand) == house.now_ms + 5_000
    house.now_ms += 7_000
    house.act(Action.FOLD)
    assert hand.seats[1].bank_ms == 3_000


def test_while_the_table_waits_no_clock_runs():
    house = three()
    hand = house.hand
    house.now_ms += TURN_MS + 10_000
    house.append("dealer", [TablePaused("operator", 0)])
    assert hand.seats[1].bank_ms == 20_000
    assert betting.alarm(house.table) is None
    assert betting.overdue(house.table) is None
    house.now_ms += 600_000
    house.append("dealer", [TableResumed("asked")])
    assert own_time_over_ms(hand) == house.now_ms + TURN_MS
    assert hand.deadline_ms == house.now_ms + TURN_MS + 20_000
    house.act(Action.FOLD)
    assert hand.seats[1].bank_ms == 20_000
    assert folded(house) == house.table


def test_who_acts_while_the_table_waits_uses_no_bank():
    house = three()
    house.append("dealer", [TablePaused("operator", 0)])
    house.now_ms += 600_000
    house.act(Action.CALL)
    hand = house.hand
    assert hand.seats[1].bank_ms == 30_000
    house.append("dealer", [TableResumed("asked")])
    assert hand.turn == 2
    assert hand.deadline_ms == house.now_ms + TURN_MS + 30_000


def test_a_draw_that_waited_has_its_time_anew():
    house = three(replace(BANKED, variant="draw5"))
    for _ in range(3):
        house.act(Action.CHECK if house.hand.turn == 3 else Action.CALL)
    house.now_ms += 20_000
    house.append("dealer", [TablePaused("operator", 0)])
    house.now_ms += 600_000
    house.append("dealer", [TableResumed("asked")])
    assert house.hand.deadline_ms == house.now_ms + 30_000


def test_nobody_waits_for_who_sits_out_at_once():
    """He checks where that is free, and folds elsewhere."""
    house = three()
    house.append("dealer", [SatOut("cas", "asked", now=True)])
    house.act(Action.CALL)
    house.act(Action.CALL)
    assert house.log[-2][0].events == (Checked(3), RoundClosed(0))
    assert house.hand.round == 1
    house.act(Action.RAISE, 20)
    assert Folded(3) in house.log[-1][0].events
    assert house.hand.turn == 1


def test_who_sits_out_at_once_folds_without_his_clock():
    house = three()
    house.append("dealer", [SatOut("ann", "asked", now=True)])
    assert betting.overdue(house.table) == house.hand.since_ms
    house.run()
    assert house.hand.seats[1].folded
    assert not house.hand.seats[1].timed_out


def test_who_sits_out_before_his_draw_stands_pat():
    house = three(replace(BANKED, variant="draw5"))
    for _ in range(3):
        house.act(Action.CHECK if house.hand.turn == 3 else Action.CALL)
    house.append("dealer", [SatOut("bob", "asked", now=True)])
    house.run()
    assert house.hand.turn == 3
    assert house.hand.seats[2].thrown == ()


def test_the_last_two_give_way_and_the_bet_comes_back():
    house = three()
    house.act(Action.RAISE, 40)
    house.act(Action.FOLD)
    house.append("dealer", [SatOut("cas", "asked", now=True)])
    house.run()
    assert not house.playing()
    assert UncalledReturned(1, 30) in [each for record, _ in house.log for each in record.events]


@pytest.mark.parametrize("banked", [0, 30_000])
def test_a_line_that_is_told_lost_after_an_outage_takes_neither_time_nor_bank(banked):
    house = three(replace(SETTINGS, bank_ms=banked, grace_ms=120_000))
    house.now_ms += TURN_MS + banked + 30_000  # an outage from the first moment of the turn
    house.ask("ann", LoseLine("line of ann", False))
    (extended,) = house.wait(0)
    assert extended == ClockExtended(house.hand.id, house.hand.turn_number, TURN_MS + banked)
    assert house.hand.seats[1].bank_ms == banked
    assert house.hand.deadline_ms == house.now_ms + TURN_MS + banked
