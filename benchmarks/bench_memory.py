"""Memory: of a table at rest, and of a subscription, transport apart.

Tables of six that have played and wait; three players' streams look at each, with every change of
the last hands kept at hand for who comes back. The same log is folded without viewers and with
them; what Python has allocated tells the rest. Measures; proves nothing.
"""

from __future__ import annotations

import asyncio
import gc
import tempfile
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bench_step import SETTINGS, Bench, now_ms
from benchmarks.shapes import every_game, table_of
from riverboat.game.record import Record
from riverboat.game.table.events import Settings
from riverboat.game.table.state import Table
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Record as Placed
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.entropy import system
from riverboat.runtime.observe import Metrics
from riverboat.runtime.step import Step
from riverboat.wire.v1.access_pb2 import Role
from services.session.floor import Floor
from services.session.stream import Stream

TABLES: Final = 300
FEW: Final = 10  # of each game, where all are measured
ROUNDS: Final = 80  # of acts: more changes than are kept
VIEWERS: Final = 3  # of each table
STEP: Final = 2_000  # records folded before the viewers are told


class Bytes(NamedTuple):
    """What one of each takes."""

    table: float
    subscription: float


class Viewers:
    """A session whose clients read at once."""

    def __init__(self, bench: Bench) -> None:
        self.floor = Floor(
            identify=_caller,
            decks=bench.decks,
            clock=SystemClock(),
            entropy=system,
            metrics=Metrics(),
            instance="bench",
        )
        self.streams: list[Stream] = []

    def look(self, step: Step) -> None:
        """Three players look at each table, each by a stream of his own."""
        for name, entry in step.tables.entries.items():
            for seat in range(1, VIEWERS + 1):
                stream = Stream(Call(_caller(f"{name}p{seat}"), f"{name}.{seat}"), f"{name}.{seat}")
                stream.players.append(_caller(f"{name}p{seat}"))
                self.floor.open(stream)
                self.floor.hall.follow(stream, 0, entry.table, 0)
                self.streams.append(stream)

    async def tell(self) -> None:
        """Tell all that was gathered, and read it."""
        self.floor.hall.cut()()
        reading = [asyncio.ensure_future(self._read(stream)) for stream in self.streams]
        await asyncio.sleep(0)
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    async def _read(self, stream: Stream) -> None:
        while await stream.take() is not None:
            pass


def _caller(name: str) -> Caller:
    return Caller(name, frozenset({Role.ROLE_PLAYER}), 1 << 62)


@contextmanager
def counted(found: list[int]) -> Iterator[None]:
    """What stays allocated of what is made within."""
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    yield
    gc.collect()
    found.append(tracemalloc.get_traced_memory()[0] - before)


async def played(settings: Settings, tables: int) -> tuple[Bench, list[Placed], int]:
    """The hand log of tables that have played and rest; how much of it is older than the play."""
    placed: list[Placed] = []

    def saw(_table: Table, _record: Record, found: Placed) -> None:
        placed.append(found)

    with tempfile.TemporaryDirectory() as folder:
        network = await EmbeddedLog.open(Path(folder), clock=now_ms)
        bench = Bench(network, tables, [saw], settings)
        await bench.open()
        seated = len(placed)
        for _ in range(ROUNDS):
            await bench.round()
        bench.step.may_start = False
        while any(entry.table.deal is not None for entry in bench.step.tables.entries.values()):
            await bench.round()
        await network.close()
    return bench, placed, seated


async def without(bench: Bench, placed: Sequence[Placed]) -> int:
    """What the tables alone take."""
    found: list[int] = []
    with counted(found):
        step = Step([], "bench", system, bench.decks)
        for one in placed:
            step.read([one])
    entries = step.tables.entries.values()
    assert len(entries) == len(bench.names), "all tables are there"
    assert not any(entry.table.stopped or entry.held for entry in entries), "and all of them stand"
    return found[0]


async def with_viewers(bench: Bench, placed: Sequence[Placed], seated: int) -> int:
    """What the tables and those who look at them take."""
    found: list[int] = []
    with counted(found):
        viewers = Viewers(bench)
        step = Step([], "bench", system, bench.decks, followers=[viewers.floor.hall.see])
        for one in placed[:seated]:
            step.read([one])
        viewers.look(step)
        for at in range(seated, len(placed), STEP):
            for one in placed[at : at + STEP]:
                step.read([one])
            await viewers.tell()
    return found[0]


async def measure(settings: Settings = SETTINGS, tables: int = TABLES) -> Bytes:
    """Fold the same log without viewers and with them."""
    bench, placed, seated = await played(settings, tables)
    bench.step.tables.entries.clear()
    # The process keeps events that come often, whatever the number of its tables: they are there
    # before it is counted, for they are not what a table takes.
    await without(bench, placed)
    tracemalloc.start()
    try:
        alone = min([await without(bench, placed) for _ in range(2)])
        # Once: what the loop still holds of a first run would go while a second is counted.
        watched = await with_viewers(bench, placed, seated)
    finally:
        tracemalloc.stop()
    return Bytes(alone / tables, (watched - alone) / (tables * VIEWERS))


def by_game() -> dict[str, Bytes]:
    """The same at fewer tables, in every game."""
    return {
        variant: asyncio.run(measure(table_of(game), FEW)) for variant, game in every_game().items()
    }


def main() -> None:
    """Print the figures."""
    for name, (table, subscription) in {"holdem": asyncio.run(measure()), **by_game()}.items():
        print(f"{name:<16} table at rest {table:7,.0f}, subscription {subscription:7,.0f} bytes")


if __name__ == "__main__":
    main()
