"""The whole network under faults: a few seeds quickly, very many in depth, no law ever broken."""

from __future__ import annotations

import pytest

from riverboat.game.rules import HOUSE
from riverboat.sim.faults import MANY, NONE, SOME, Faults
from riverboat.sim.network import Order
from riverboat.sim.run import Result, simulate
from services.cli.simulate import house, tables


def run(seed: int, hands: int, faults: Faults) -> Result:
    chosen = tables(seed, 6, HOUSE.offered())
    return simulate(house(), Order(seed, hands, chosen, faults))


@pytest.mark.parametrize("faults", [NONE, SOME, MANY])
def test_the_laws_hold(faults: Faults) -> None:
    result = run(1, 40, faults)
    assert result.laws_broken == {}
    assert result.hands >= 40


def test_the_same_seed_gives_the_same_run_to_the_last_event() -> None:
    one, other = run(5, 25, MANY), run(5, 25, MANY)
    one.seconds = other.seconds = 0
    assert one == other
