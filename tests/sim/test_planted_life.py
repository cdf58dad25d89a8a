"""Each promise of a table's options planted back as a bug, and each caught by the auditor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest

from riverboat.game.rules import HOUSE, game
from riverboat.game.rules.schema import Forced
from riverboat.game.table.events import Apart, Settings
from riverboat.sim.faults import NONE, Faults
from riverboat.sim.house import House, Order
from riverboat.sim.laws import PROMISES
from riverboat.sim.life import player_name
from riverboat.sim.options import with_options
from riverboat.sim.run import Result, simulate
from riverboat.sim.workload import Habits
from services.cli.simulate import house, plain_tables
from tests.sim import planted_life as life
from tests.sim.planted import with_manifest

SEEDS = 5  # so many from the first, as the product changes
BUSY = Habits(busy=0.7, slow=0.1)  # players who do much beside playing
CUT = replace(NONE, line_cut=0.1)
KILLED = replace(NONE, kill=0.6)
WITH_BLINDS = [ids for ids in HOUSE.offered() if game(*ids).forced is Forced.BLINDS]


@dataclass(frozen=True)
class Plant:
    """One bug: how it is planted, and what shows it."""

    plant: Callable[[House], House]
    faults: Faults = NONE
    hands: int = 60


def of(service: str, see: life.See, *parts: str) -> Plant:
    """The service takes the table for what it is not, in these of its parts."""
    return Plant(
        lambda real: with_manifest(real, service, **dict.fromkeys(parts, life.seeing(see)))
    )


def absent(plant: Plant) -> Plant:
    """The same among players who sit out whenever they can."""
    return replace(plant, plant=lambda real: plant.plant(replace(real, player=life.Absent)))


def decides(**named: life.Wrap) -> Callable[[House], House]:
    return lambda real: with_manifest(real, "dealer", **named)


PLANTS: dict[str, Plant] = {
    "who is away is dealt in": of("dealer", life.all_there, "duty"),
    "a hand begins while the table waits": of("dealer", life.not_waiting, "duty"),
    "a clock runs out while the table waits": of("betting", life.not_waiting, "alarm", "ring"),
    "who declined the big blind has it": of("dealer", life.no_big_blind_declined, "duty"),
    "who sits out now is waited for": absent(of("betting", life.nobody_sits_out_now, "duty")),
    "a chair is taken past the list": of("dealer", life.nobody_listed, "answer"),
    "the last of the list is the first": of("dealer", life.last_come_first, "duty"),
    "a chair that is held is taken": of("dealer", life.nothing_held, "answer"),
    "a chair is held too short": of("dealer", life.holds_lapsing_early, "alarm", "ring"),
    "a table waits too short": of("dealer", life.waits_ending_early, "alarm", "ring"),
    "who is away is removed too soon": absent(of("dealer", life.away_for_half, "alarm", "ring")),
    "two who may not sit together do": of("dealer", life.anybody_together, "answer"),
    "a table that drains does not close": of("dealer", life.not_draining, "duty"),
    "a stack is filled up twice": Plant(decides(duty=life.filled_up_again)),
    "options change in a hand": Plant(decides(answer=life.changed_in_a_hand)),
    "one lost line makes a table wait": Plant(decides(answer=life.waiting_for_one_line), CUT),
}


def rich(seed: int) -> list[Settings]:
    """Tables with every option, few chairs, and more players than those."""
    rng = Random(seed)
    found = []
    for number, plain in enumerate(plain_tables(seed, 4, WITH_BLINDS), 1):
        seats = max(plain.seats, 3) if plain.seats > 2 else plain.seats
        names = [player_name(number, place) for place in range(seats)]
        options = with_options(rng, replace(plain, seats=seats), names)
        found.append(
            replace(
                options,
                away_ms=20_000,
                away_rounds=0,
                hold_ms=6_000,
                offer_ms=5_000,
                auto_top_up=True,
                gateway_ms=15_000,
                apart=(Apart((names[0], names[1])),) if seats > 2 else (),
            )
        )
    return found


def run(real: House, plant: Plant, seed: int) -> Result:
    order = Order(
        seed,
        plant.hands,
        rich(seed),
        plant.faults,
        habits=BUSY,
        players_more=3,
        patience_ms=400_000,
    )
    return simulate(real, order)


@pytest.mark.parametrize("name", PLANTS)
def test_the_auditor_catches(name: str) -> None:
    plant = PLANTS[name]
    planted = plant.plant(house())
    for seed in range(1, 1 + SEEDS):
        broken = run(planted, plant, seed).laws_broken
        if broken:
            assert set(broken) == {PROMISES}, broken
            return
    pytest.fail(f"none of {SEEDS} seeds shows it")


@pytest.mark.parametrize("faults", [NONE, CUT], ids=["none", "cut"])
def test_with_the_rules_in_place_the_promises_are_kept(faults: Faults) -> None:
    plain = Plant(lambda real: real, faults)
    assert run(house(), absent(plain), 1).laws_broken == {}
    result = run(house(), plain, 1)
    assert result.laws_broken == {}
    for met in ("SeatHeld", "SeatReleased", "TablePaused", "TableResumed"):
        assert result.met.get(met), met


def test_tables_wait_where_a_gateway_is_lost_and_go_on() -> None:
    """RULES 7: a gateway lost with many players is told apart from one lost line."""
    plain = Plant(lambda real: real, KILLED)
    results = [run(house(), plain, seed) for seed in (1, 2)]
    assert all(not result.laws_broken for result in results)
    assert any(result.met.get("GatewayLost") for result in results)
