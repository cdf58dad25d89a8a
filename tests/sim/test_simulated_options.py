"""The options of simulated tables: valid, drawn from the seed, and met in a few hundred hands."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from riverboat.game.hand.events import (
    HandEnded,
    HandStarted,
    HandVoided,
    PlayerProtected,
    Post,
    Posted,
    RunsAgreed,
)
from riverboat.game.rules import HOUSE
from riverboat.game.table.besides import DAY_MS
from riverboat.game.table.settings import fault
from riverboat.sim.bounds import Bounds
from riverboat.sim.faults import NONE
from riverboat.sim.house import Order
from riverboat.sim.laws import LawBroken
from riverboat.sim.options import LIVELY, with_options
from riverboat.sim.reached import OPTIONS, unreached
from riverboat.sim.run import simulate
from services.cli.simulate import house, plain_tables, tables
from tests.game.table.house import House
from tests.game.table.tables import NOW_MS, SETTINGS

GAMES = (*HOUSE.offered(), *HOUSE.mixed())
SEEDS = 20


def drawn():
    return [each for seed in range(SEEDS) for each in tables(seed, 6, GAMES)]


def test_all_that_is_drawn_may_be_opened_and_every_option_is_drawn():
    found = drawn()
    assert [fault(each) for each in found] == [None] * len(found)
    for name in LIVELY:
        assert sum(bool(getattr(each, name)) for each in found) >= 5, name
    for name, has in OPTIONS.items():
        assert any(map(has, found)), name


def test_the_seed_decides_the_options():
    assert tables(7, 6, GAMES) == tables(7, 6, GAMES)
    assert tables(7, 6, GAMES) != tables(8, 6, GAMES)


def test_what_a_game_does_not_bear_is_left_out():
    stud = next(each for each in GAMES if each[1] == "stud7")
    for seed in range(20):
        settings = with_options(Random(seed), plain_tables(seed, 1, [stud])[0], ["ann", "bob"])
        assert not settings.bomb_every
        assert fault(settings) is None


def test_options_come_to_something_and_what_does_not_is_told():
    order = Order(1, 40, tables(1, 6, HOUSE.offered()), NONE)
    result = simulate(house(), order)
    assert result.laws_broken == {}
    assert {"going_south", "kept_apart", "held"} <= result.met.keys()
    assert result.unreached == unreached(order.tables, result.met)
    everything = dict.fromkeys(OPTIONS, 1)
    assert unreached(order.tables, everything) == []
    assert unreached(order.tables, {**everything, "held": 0}) == ["held"]


# The laws of options, each held against what breaks it.


def broken(house_: House, *events: Any) -> str:
    record = replace(house_.log[-1][0], events=events)
    with pytest.raises(LawBroken) as raised:
        Bounds().before(house_.table, record, house_.now_ms)
    return str(raised.value)


def played(**options: Any) -> House:
    found = House.opened(replace(SETTINGS, **options))
    for player in ("ann", "bob", "cas"):
        found.seat(player, 500)
    found.run()
    return found


def test_a_bomb_pot_comes_when_its_hand_does():
    found = played(bomb_every=2, bomb_ante=10)
    start = next(e for record, _ in found.log for e in record.events if isinstance(e, HandStarted))
    assert "a bomb pot" in broken(found, replace(start, bomb=True))
    assert "no bomb pot" in broken(found, replace(start, number=2))


def test_nobody_straddles_unasked_or_runs_more_boards_than_all_want():
    stakes = replace(SETTINGS.stakes, straddles=(2 * SETTINGS.stakes.big_blind,))
    found = played(runs=2, runs_asked=True, stakes=stakes, straddles_asked=True)
    assert "never wanted to" in broken(found, Posted(1, Post.STRADDLE, 20, 20))
    assert "1 were agreed on" in broken(found, RunsAgreed(2))


def test_nobody_is_protected_more_often_in_a_day_than_his_table_allows():
    found = House.opened(replace(SETTINGS, limit="fl", protections=2), ann=500)
    bounds = Bounds()

    def protected(time_ms: int) -> None:
        record = replace(found.log[-1][0], events=(PlayerProtected(1, 1, "ann", "sitting"),))
        bounds.before(found.table, record, time_ms)

    protected(NOW_MS + DAY_MS - 1)
    protected(NOW_MS)  # of another partition, which is read later
    protected(NOW_MS + DAY_MS)  # the first is a day old
    with pytest.raises(LawBroken, match="3 times within a day"):
        protected(NOW_MS + 1)


def test_what_was_used_in_a_hand_that_is_called_off_was_not_used():
    found = played(limit="fl", protections=1)
    bounds = Bounds()

    def told(event: Any, time_ms: int) -> None:
        record = replace(found.log[-1][0], events=(event,))
        bounds.before(found.table, record, time_ms)

    used = PlayerProtected(1, 1, "ann", "sitting")
    told(used, NOW_MS)
    told(HandVoided(found.hand.id, "operator"), NOW_MS + 1)
    told(used, NOW_MS + 2)
    told(HandEnded(found.hand.id, (), 0), NOW_MS + 3)
    with pytest.raises(LawBroken, match="2 times within a day"):
        told(used, NOW_MS + 4)


def test_nobody_puts_more_into_a_hand_than_its_cap():
    found = played(cap=100)
    found.hand.seats[1].put = 101
    assert "101 into a hand of 100" in broken(found, HandEnded(found.hand.id, (), 0))
