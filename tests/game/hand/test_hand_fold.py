"""The fold: clocks, voids and ends, and what no decision alone shows."""

from __future__ import annotations

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.commands import Action
from riverboat.game.hand import events
from riverboat.game.hand.events import (
    ClockExtended,
    HandEnded,
    HandStarted,
    HandVoided,
    Net,
    Stakes,
)
from riverboat.game.hand.fold import FOLDS, evolve, start
from riverboat.game.hand.state import NOBODY, Baton, Phase
from riverboat.game.rules import RulesError
from tests.game.hand.dealt import Dealt


def a_hand() -> Dealt:
    return Dealt(
        ("standard", "holdem", "nl"),
        {1: 100, 2: 200, 3: 300},
        Stakes(small_blind=5, big_blind=10),
        DECKS["52"],
        button=3,
        blinds=(1, 2),
    )


def test_every_event_of_a_hand_has_a_fold():
    """STYLE: "every event has a row in the protos and a fold"; the start makes the hand."""
    assert set(FOLDS) == set(events.HandEvent.__args__) - {HandStarted}


def test_a_turn_has_a_number_and_a_deadline_in_log_time():
    """ARCHITECTURE 4, time: "A fold knows one time: the log's append time"."""
    dealt = a_hand()
    assert (dealt.hand.turn, dealt.hand.turn_number) == (3, 1)
    assert dealt.hand.deadline_ms == dealt.now_ms + 20_000
    dealt.does(3, Action.CALL)
    assert (dealt.hand.turn, dealt.hand.turn_number) == (1, 2)
    assert dealt.hand.deadline_ms == dealt.now_ms + 20_000
    assert dealt.hand.since_ms == dealt.now_ms


@pytest.mark.parametrize(("left_ms", "after_ms"), [(15_000, 15_000), (3_000, 10_000)])
def test_a_clock_is_extended_by_what_was_unused_and_ten_seconds_at_least(left_ms, after_ms):
    """ARCHITECTURE 4, time: "at least 10 s from its own append"."""
    dealt = a_hand()
    evolve(dealt.hand, ClockExtended("1.0-1", 1, left_ms), 50_000)
    assert dealt.hand.deadline_ms == 50_000 + after_ms


def test_the_clock_of_a_turn_that_is_over_is_not_extended():
    dealt = a_hand()
    dealt.does(3, Action.CALL)
    before = dealt.hand.deadline_ms
    evolve(dealt.hand, ClockExtended("1.0-1", 1, 90_000), 50_000)
    assert dealt.hand.deadline_ms == before


def test_a_void_gives_every_chip_back():
    """RULES 7: "every chip in the pot goes back to the player who put it in"."""
    dealt = a_hand()
    dealt.does(3, Action.RAISE, 100)
    evolve(dealt.hand, HandVoided("1.0-1", "outage"), 60_000)
    assert [seat.stack for seat in dealt.hand.seats.values()] == [100, 200, 300]
    assert (dealt.hand.pot, dealt.hand.turn) == (0, NOBODY)
    assert (dealt.hand.phase, dealt.hand.baton) == (Phase.OVER, Baton.NONE)


def test_an_end_needs_nothing_but_the_start():
    """ARCHITECTURE 2, stopped tables: `HandEnded` folds "from `HandStarted` ... alone"."""
    hand = start(a_hand().started, 0)
    nets = (Net(1, "p1", "s1", 15), Net(2, "p2", "s2", -20), Net(3, "p3", "s3", 4))
    evolve(hand, HandEnded("1.0-1", nets, 1), 60_000)
    assert [seat.stack for seat in hand.seats.values()] == [115, 180, 304]
    assert hand.phase is Phase.OVER


def test_a_hand_goes_by_the_tables_that_its_start_names():
    """ARCHITECTURE 2: a hand's start names "rulebook name, version and digest too"."""
    started = a_hand().started
    started.rules_digest = "0000000000000000"
    with pytest.raises(RulesError, match="0000000000000000"):
        start(started, 0)


def test_seats_stand_in_dealing_order_in_a_ring():
    hand = a_hand().hand
    assert [(seat.seat, seat.left) for seat in hand.seats.values()] == [(1, 2), (2, 3), (3, 1)]
