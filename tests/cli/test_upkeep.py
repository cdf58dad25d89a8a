"""Hands start only while a process keeps up and its disk has room."""

from __future__ import annotations

from riverboat.log.log import Place
from services.cli.upkeep import LAG_MS_MOST, Lag

ONE, OTHER = Place("hand-log", 1), Place("hand-log", 2)


def test_a_place_that_is_read_to_its_end_does_not_lag():
    lag = Lag()
    assert lag.look({ONE: 5, OTHER: 0}, {ONE: 5, OTHER: 0}, 1_000) == 0


def test_a_place_lags_until_the_end_that_it_was_behind_is_reached():
    """A busy place is always a little behind: what counts is how old the oldest unread is."""
    lag = Lag()
    assert lag.look({ONE: 10}, {ONE: 5}, 1_000) == 0
    assert lag.look({ONE: 20}, {ONE: 9}, 2_000) == 1_000
    assert lag.look({ONE: 30}, {ONE: 12}, 3_000) == 0  # 10 was reached: behind anew, since now
    assert lag.look({ONE: 30}, {ONE: 12}, 3_000 + LAG_MS_MOST + 1) > LAG_MS_MOST
    assert lag.look({ONE: 30}, {ONE: 30}, 9_000) == 0


def test_the_slowest_place_counts():
    lag = Lag()
    lag.look({ONE: 10, OTHER: 10}, {ONE: 5, OTHER: 10}, 1_000)
    assert lag.look({ONE: 10, OTHER: 20}, {ONE: 5, OTHER: 15}, 4_000) == 3_000
