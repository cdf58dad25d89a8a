"""One process on the embedded log, killed in the middle of what it has not committed."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace

import pytest

from riverboat.game.rules import HOUSE
from riverboat.sim.faults import MANY, alone
from riverboat.sim.house import House, Order
from riverboat.sim.laws import DURABLE
from riverboat.sim.process import Process
from riverboat.sim.run import Result, simulate
from riverboat.sim.sole import SoleProcess
from services.cli.simulate import house, tables

DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))
SEEDS = range(400 if DEEP else 8)
OFTEN = replace(alone(MANY), kill=0.5, crash_between=0.01)
LOST = "suffix_lost"


def run(real: House, seed: int, hands: int = 30) -> Result:
    chosen = tables(seed, 5, HOUSE.offered())
    return simulate(real, Order(seed, hands, chosen, OFTEN, embedded=True))


def test_nothing_that_was_told_is_lost_with_what_was_not_committed() -> None:
    """ARCHITECTURE 6: "nothing leaves the process before its commit"."""
    met: Counter[str] = Counter()
    for seed in SEEDS:
        result = run(house(), seed)
        assert result.laws_broken == {}, f"seed {seed}"
        met.update(result.met)
    assert met[LOST] > 100


class Blabbing(SoleProcess):
    """Tells what it has folded at once, durable or not."""

    def _tell(self) -> None:
        Process._tell(self)


def first_broken(real: House) -> set[str]:
    for seed in SEEDS:
        broken = run(real, seed).laws_broken
        if broken:
            return set(broken)
    pytest.fail("no seed shows it")


def test_the_auditor_catches_what_is_told_too_early() -> None:
    assert first_broken(replace(house(), sole=Blabbing)) == {DURABLE}
