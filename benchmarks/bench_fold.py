"""Folding again: events a second from the log's beginning, against those that live play makes.

Live: the step with all deciders over the embedded log, durable, as fast as it goes. Again: another
step that owns nothing reads the same log from its file and folds it. Both in one process, one
after the other. Measures; proves nothing.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bench_step import SETTINGS, Bench, now_ms
from benchmarks.shapes import every_game, table_of
from riverboat.game.record import Record
from riverboat.game.table.events import Settings
from riverboat.game.table.state import Table
from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Place
from riverboat.log.log import Record as Placed
from riverboat.runtime.entropy import system
from riverboat.runtime.step import Step
from services.cli.serve import LOOK_FOR_CYCLES

TABLES: Final = 100
SECONDS: Final = 4.0
FEW, SHORT_S = 30, 0.4  # tables and seconds of each game, where all are measured
PLACES: Final = [Place(topics.HAND_LOG, partition) for partition in range(topics.PARTITIONS)]


class Rates(NamedTuple):
    """Events a second."""

    live: float
    again: float


class Counted:
    """How many events a step has folded."""

    def __init__(self) -> None:
        self.events = 0

    def saw(self, _table: Table, record: Record, _found: Placed) -> None:
        """Follow the tables."""
        self.events += len(record.events)


def as_the_server_does() -> None:
    """Look for cycles no more often, and not through what stands by now."""
    gc.freeze()
    gc.set_threshold(*LOOK_FOR_CYCLES)


async def fold(network: EmbeddedLog, step: Step) -> None:
    """Read the whole hand log."""
    ends = await network.ends(PLACES)
    reader = network.reader()
    for place in PLACES:
        reader.follow(place, 0)
    while any(step.positions.get(place, 0) < end for place, end in ends.items()):
        for records in (await reader.take()).values():
            step.read(records)
    await reader.close()


async def measure(
    seconds: float = SECONDS, settings: Settings = SETTINGS, tables: int = TABLES
) -> Rates:
    """Play, then fold what was played."""
    with tempfile.TemporaryDirectory() as name:
        network = await EmbeddedLog.open(Path(name), clock=now_ms)
        live = Counted()
        bench = Bench(network, tables, [live.saw], settings)
        await bench.open()
        as_the_server_does()
        began, before = time.perf_counter(), live.events
        while time.perf_counter() - began < seconds:
            await bench.round()
        live_rate = (live.events - before) / (time.perf_counter() - began)
        await network.close()

        network = await EmbeddedLog.open(Path(name), clock=now_ms)
        again = Counted()
        step = Step([], "again", system, bench.decks, followers=[again.saw])
        as_the_server_does()
        began = time.perf_counter()
        await fold(network, step)
        rate = again.events / (time.perf_counter() - began)
        assert again.events == live.events, "both have folded the same events"
        await network.close()
    return Rates(live_rate, rate)


def by_game() -> dict[str, Rates]:
    """The same at fewer tables and for a shorter time, in every game."""
    return {
        variant: asyncio.run(measure(SHORT_S, table_of(game), FEW))
        for variant, game in every_game().items()
    }


def main() -> None:
    """Print the figures."""
    for name, (live, again) in {"holdem": asyncio.run(measure()), **by_game()}.items():
        print(f"{name:<16} live {live:9,.0f}, again {again:9,.0f} events/s, {again / live:.1f} x")


if __name__ == "__main__":
    main()
