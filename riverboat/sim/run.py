"""One simulation from its seed to its result.

The result is plain data: the same seed and order give the same result, to the last event.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from riverboat.sim.laws import NO_FAILURE, LawBroken
from riverboat.sim.network import House, Network, Order


@dataclass(slots=True)
class Result:
    """What a run was, and which laws it broke."""

    seed: int
    hands: int = 0
    voided: int = 0
    events: int = 0
    records: int = 0
    actions: int = 0
    faults: dict[str, int] = field(default_factory=dict)
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
    network = Network(house, order)
    try:
        network.run()
    except LawBroken as broken:
        result.laws_broken[broken.law] = str(broken)
    except Exception as failure:
        # Whatever breaks is told with the seed that shows it, like any broken law.
        result.laws_broken[NO_FAILURE] = "".join(traceback.format_exception(failure)).rstrip()
    auditor = network.auditor
    result.hands, result.voided = auditor.ended, auditor.voided
    result.events, result.records, result.actions = auditor.events, auditor.records, auditor.actions
    result.faults = dict(sorted(network.world.reached.items()))
    result.seconds = round(time.perf_counter() - began, 2)
    if result.laws_broken:
        result.story = [f"{at / 1000:10.3f} {what}" for at, what in network.world.story]
    return result
