"""One simulation from its seed to its result.

The result is plain data: the same seed and order give the same result, to the last event.
"""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from riverboat.sim.embedded import EmbeddedNetwork
from riverboat.sim.faults import NAMES
from riverboat.sim.house import House, Order
from riverboat.sim.laws import NO_FAILURE, LawBroken
from riverboat.sim.network import Network
from riverboat.sim.reached import unreached

LOOK_FOR_CYCLES: Final = (50_000, 20, 100)


@dataclass(slots=True)
class Result:
    """What a run was, and which laws it broke."""

    seed: int
    hands: int = 0
    voided: int = 0
    events: int = 0
    records: int = 0
    actions: int = 0
    faults: dict[str, int] = field(default_factory=dict)  # how often each happened
    met: dict[str, int] = field(default_factory=dict)  # what came of them
    unreached: list[str] = field(default_factory=list)  # options that came to nothing
    seconds: float = 0.0
    laws_broken: dict[str, str] = field(default_factory=dict)  # name of the law: what was seen
    story: Sequence[str] = ()  # the last of what happened, when a law broke

    def as_json(self) -> dict[str, object]:
        """Without the story, which people read above it."""
        found = asdict(self)
        del found["story"]
        return found


def simulate(house: House, order: Order) -> Result:
    """Run it; a broken law is told in the result, never raised."""
    began = time.perf_counter()
    result = Result(order.seed)
    network = (EmbeddedNetwork if order.embedded else Network)(house, order)
    try:
        with _looking_for_cycles_seldom():
            network.run()
    except LawBroken as broken:
        result.laws_broken[broken.law] = str(broken)
    except Exception as failure:
        # Whatever breaks is told with the seed that shows it, like any broken law.
        result.laws_broken[NO_FAILURE] = "".join(traceback.format_exception(failure)).rstrip()
    auditor = network.auditor
    result.hands, result.voided = auditor.ended, auditor.voided
    result.events, result.records, result.actions = auditor.events, auditor.records, auditor.actions
    reached = sorted(network.world.reached.items())
    result.faults = {name: times for name, times in reached if name in NAMES}
    result.met = {name: times for name, times in reached if name not in NAMES}
    result.unreached = unreached(order.tables, result.met)
    result.seconds = round(time.perf_counter() - began, 2)
    if result.laws_broken:
        result.story = [f"{at / 1000:10.3f} {what}" for at, what in network.world.story]
    return result


@contextmanager
def _looking_for_cycles_seldom() -> Iterator[None]:
    """A run keeps most of what it makes: to look through it all the time finds little."""
    before = gc.get_threshold()
    gc.set_threshold(*LOOK_FOR_CYCLES)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def smallest(house: House, order: Order, broken: Result) -> int:
    """Of so few hands the run breaks the same laws, and with one less it does not."""
    holds, breaks = 0, min(order.hands, broken.hands + 1)
    while breaks - holds > 1:
        hands = (holds + breaks) // 2
        found = simulate(house, replace(order, hands=hands))
        if found.laws_broken.keys() == broken.laws_broken.keys():
            breaks = hands
        else:
            holds = hands
    return breaks
