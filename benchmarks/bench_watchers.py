"""From an act to the table's last watcher, against a record's way through the same bare log.

Sixty-four tables, an act outstanding at each; two streams look at every table, and an act counts
once both have been told of it. The bare log carries as many outstanding records, in turns with the
network. Measures; proves nothing.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc

from benchmarks import bench_log
from benchmarks.bench_edge import Edge
from benchmarks.network import Network, network
from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, Place
from riverboat.log.topics import HAND_LOG
from riverboat.wire.v1 import session_pb2 as pb

TURNS: Final = 5
SECONDS: Final = 1.5
ACTED: Final = frozenset({"folded", "checked", "called", "raised_to"})

Raw = Callable[[], AbstractAsyncContextManager[tuple[bench_log.Send, bench_log.Take]]]


class Row(NamedTuple):
    """Milliseconds, ninety-nine of a hundred below."""

    ours_ms: float
    raw_ms: float
    ratio: float  # the median of the turns' own


class _Act:
    """One act, until all streams were told of it."""

    __slots__ = ("began", "left")

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.left = 2


class Watched(Edge):
    """The edge's players, and one who only looks on."""

    def __init__(self, net: Network) -> None:
        super().__init__(net)
        self.took: list[float] = []
        self._acts: list[dict[str, deque[_Act]]] = [{}, {}]

    async def watch(self) -> None:
        """Look at all tables on a stream apart."""
        play: Any = self.session.stream_stream("/riverboat.wire.v1.SessionService/Play")
        call = play(metadata=self.bearer("onlooker", "player"))
        asks = [
            pb.Ask(id=number, follow=pb.Follow(table=table))
            for number, table in enumerate(self.tables, 1)
        ]
        await call.write(pb.PlayRequest(asks=asks).SerializeToString())
        self._spawn(self._look(call))

    async def _look(self, call: Any) -> None:
        while (message := await call.read()) is not grpc.aio.EOF:
            for item in pb.PlayResponse.FromString(message).items:
                if item.WhichOneof("item") == "change":
                    self._told(1, item.change)

    def _heard(self, item: pb.Item) -> None:
        if item.WhichOneof("item") == "change":
            self._told(0, item.change)
        super()._heard(item)

    def _on_turn(self, seen: pb.Private) -> None:
        act = _Act()
        for acts in self._acts:
            acts.setdefault(seen.table, deque()).append(act)
        super()._on_turn(seen)

    def _told(self, stream: int, change: pb.Change) -> None:
        acts = self._acts[stream].get(change.table)
        if not acts or not any(event.WhichOneof("event") in ACTED for event in change.events):
            return
        act = acts.popleft()
        act.left -= 1
        if not act.left:
            self.took.append(time.perf_counter() - act.began)


async def measure(net: Network, raw: Raw) -> Row:
    """The network and the bare log in turns."""
    ours, bare = [], []
    edge = Watched(net)
    await edge.open()
    await edge.watch()
    await asyncio.sleep(1.0)
    for _ in range(TURNS):
        edge.took.clear()
        await asyncio.sleep(SECONDS)
        ours.append(bench_log.quantile(edge.took, 0.99) * 1e3)
        edge.pause()
        async with raw() as (send, take):
            took = await bench_log.to_and_fro(send, take)
        bare.append(bench_log.quantile(took, 0.99) * 1e3)
        edge.go_on()
        await asyncio.sleep(0.5)
    await edge.close()
    return Row(*bench_log.against(ours, bare))


@asynccontextmanager
async def bare_embedded() -> AsyncIterator[tuple[bench_log.Send, bench_log.Take]]:
    """An embedded log with nobody else on it."""
    with tempfile.TemporaryDirectory() as folder:
        log = await EmbeddedLog.open(Path(folder), clock=bench_log.now_ms)
        place = Place(HAND_LOG, 3)
        reader = log.reader()
        reader.follow(place, 0)

        async def send(value: bytes) -> None:
            log.append([Append(*place, "3f.3", value)])

        async def take() -> list[bytes]:
            got = await reader.take(wait_ms=200)
            return [record.value or b"" for record in got.get(place, ())]

        yield send, take
        await reader.close()
        await log.close()


def embedded() -> Row:
    """The one process, against the embedded log alone."""
    with tempfile.TemporaryDirectory() as name, network(Path(name)) as net:
        return asyncio.run(measure(net, bare_embedded))


def kafka() -> Row:
    """Five processes over one broker, against the bare client on the same broker."""
    with tempfile.TemporaryDirectory() as name:
        cluster = Cluster(Path(name) / "kafka", attached=True)
        cluster.start()
        bootstrap = cluster.bootstrap
        try:
            with network(Path(name) / "data", f"kafka://{bootstrap}") as net:
                return asyncio.run(measure(net, lambda: bench_log.bare(bootstrap)))
        finally:
            cluster.stop()


def main() -> None:
    """Print the figures."""
    rows = [("embedded", embedded())]
    reason = jars.missing()
    if reason:
        print(f"Kafka is left out: {reason}")
    else:
        rows.append(("Kafka", kafka()))
    for name, row in rows:
        print(f"{name:10s} {row.ours_ms:.1f} ms, bare {row.raw_ms:.1f} ms, {row.ratio:.2f} x")


if __name__ == "__main__":
    main()
