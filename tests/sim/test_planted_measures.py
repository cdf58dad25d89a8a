"""What operators do, under crashes and retries; and each promise of it planted back as a bug."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from riverboat.game.rules import HOUSE
from riverboat.sim.faults import NONE, SOME, Faults
from riverboat.sim.house import House, Order
from riverboat.sim.laws import MEASURES
from riverboat.sim.network import Network
from riverboat.sim.run import Result, simulate
from services.cli.simulate import CURRENCY, house, room, tables
from services.operator.backroom import BackRoom
from tests.sim import planted_measures as bugs

SEEDS = 4
HANDS = 20
# The service dies all the time, and two own the same partition; the rest of the house stands.
DYING = replace(NONE, crash_between=0.01, owners_overlap=0.4, append_twice=0.02, ack_lost=0.03)

Plant = Callable[[House], House]


def with_room(kind: type[BackRoom]) -> Plant:
    return lambda real: replace(real, room=partial(room, kind=kind))


def with_ledger(kind: type[bugs.PaysAgain]) -> Plant:
    return lambda real: replace(real, ledger=lambda: kind(Network.partitions, CURRENCY))


PLANTS: dict[str, Plant] = {
    "an order given again by a retry": with_room(bugs.backroom(orders=bugs.OrdersAgain)),
    "an order in another's name": with_room(bugs.backroom(orders=bugs.NobodysOrders)),
    "a measure without a why": with_room(bugs.backroom(office=bugs.Wordless)),
    "a correction by one operator": with_room(bugs.backroom(book=bugs.OwnHand)),
    "a refund paid twice": with_ledger(bugs.PaysAgain),
}


def run(real: House, seed: int, faults: Faults) -> Result:
    chosen = tables(seed, 3, HOUSE.offered())
    order = Order(seed, HANDS, chosen, faults, operated=1.0, patience_ms=400_000)
    return simulate(real, order)


@pytest.mark.parametrize("name", PLANTS)
def test_the_auditor_catches(name: str) -> None:
    planted = PLANTS[name](house())
    for seed in range(1, 1 + SEEDS):
        broken = run(planted, seed, DYING).laws_broken
        if broken:
            assert set(broken) == {MEASURES}, broken
            return
    pytest.fail(f"none of {SEEDS} seeds shows it")


@pytest.mark.parametrize("faults", [DYING, SOME], ids=["dying", "some"])
def test_measures_are_carried_out_once_whoever_dies(faults: Faults) -> None:
    result = run(house(), 1, faults)
    assert result.laws_broken == {}
    assert {"measure_ended", "measure_asked_again"} <= result.met.keys()
    assert result.met["office_crash"]
