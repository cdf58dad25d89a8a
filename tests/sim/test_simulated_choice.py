"""Dealer's choice under every fault: choices are asked for, let pass or left open; laws hold."""

from __future__ import annotations

from collections import Counter

from riverboat.game.rules import HOUSE
from riverboat.sim.faults import MANY
from riverboat.sim.house import Order
from riverboat.sim.run import simulate
from services.cli.simulate import house, tables

CHOSEN = [ids for ids in HOUSE.mixed() if HOUSE.mix(*ids[:2]).chooser is not None]


def test_players_choose_the_next_game_under_every_fault() -> None:
    assert CHOSEN
    met: Counter[str] = Counter()
    for seed in range(2):
        result = simulate(house(), Order(seed, 30, tables(seed, 6, CHOSEN), MANY))
        assert result.laws_broken == {}, f"seed {seed}"
        met.update(result.met)
    # By players in time, and by their clocks.
    assert {"game_asked", "game_timed_out"} <= met.keys()
