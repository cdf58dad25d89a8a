"""Money beside the tables: kept to its laws, and each law planted back as a bug."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.rules import HOUSE
from riverboat.sim import cashiers
from riverboat.sim.faults import NONE
from riverboat.sim.house import House, Order
from riverboat.sim.laws import MONEY, PROMISES
from riverboat.sim.network import Network
from riverboat.sim.run import Result, simulate
from services.cli.simulate import CURRENCY, house, tables
from services.wallet.simulated import SimulatedLedger

SEEDS = 3
HANDS = 20


class SettlesAgain(SimulatedLedger):
    """A withdrawal that is over is settled again, and nothing says no."""

    def call(self, call: cashiers.Call, now_ms: int) -> cashiers.Said:
        said = super().call(call, now_ms)
        over = call.what in ("settle", "cancel") and "WITHDRAWAL_IS_OVER" in said.text
        return cashiers.Said("done", refused=False) if over else said


class Forgets(SimulatedLedger):
    """Who excludes himself is told that he is, and is not."""

    def call(self, call: cashiers.Call, now_ms: int) -> cashiers.Said:
        if call.what == "exclude":
            return cashiers.Said("done", refused=False)
        return super().call(call, now_ms)


def run(real: House, seed: int) -> Result:
    order = Order(seed, HANDS, tables(seed, 3, HOUSE.offered()), NONE, operated=1.0)
    return simulate(real, order)


@pytest.mark.parametrize(("kind", "law"), [(SettlesAgain, MONEY), (Forgets, PROMISES)])
def test_the_auditor_catches(kind: type[SimulatedLedger], law: str) -> None:
    planted = replace(house(), ledger=lambda: kind(Network.partitions, CURRENCY))
    for seed in range(1, 1 + SEEDS):
        broken = run(planted, seed).laws_broken
        if broken:
            assert set(broken) == {law}, broken
            return
    pytest.fail(f"none of {SEEDS} seeds shows it")


def test_money_is_asked_for_twice_and_moves_once() -> None:
    result = run(house(), 1)
    assert result.laws_broken == {}
    assert {"withdraw", "settle", "limit", "money_asked_again"} <= result.met.keys()
