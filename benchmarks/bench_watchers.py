"""From an act to the table's last watcher, against the same records' way through a bare log.

Sixty-four tables, an act outstanding at each; two streams look at every table, and an act counts
once both have been told of it. The bare log carries as many acts, each of as many records of the
same sizes (`benchmarks.bare`), in turns with the network, which stands still meanwhile. With so
many outstanding, each the next of its table, a wait is 64 acts long: the ratio is one of rates too.
Measures; proves nothing.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc
import uvloop

from benchmarks import bare, bench_log
from benchmarks.bench_edge import Edge
from benchmarks.network import Network, network
from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Place
from riverboat.log.topics import HAND_LOG, PARTITIONS, TABLE_COMMANDS
from riverboat.wire.v1 import session_pb2 as pb

TURNS: Final = 5
SECONDS: Final = 1.5
ACTED: Final = frozenset({"folded", "checked", "called", "raised_to"})

Peer = Callable[[bare.Load], AbstractAsyncContextManager[bare.Way]]


class Row(NamedTuple):
    """Milliseconds, ninety-nine of a hundred below."""

    peer: str
    ours_ms: float
    raw_ms: float
    ratio: float  # the median of the turns' own
    load: bare.Load


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


async def measure(net: Network, peers: Mapping[str, Peer], load: bare.Load | None) -> list[Row]:
    """The network and each of the bare logs in turns; `load` None: as the network's own log."""
    edge = Watched(net)
    await edge.open()
    await edge.watch()
    await asyncio.sleep(1.0)
    if load is None:
        load = await load_of(net)
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in peers}
    for _ in range(TURNS):
        edge.took.clear()
        await asyncio.sleep(SECONDS)
        ours.append(bench_log.quantile(edge.took, 0.99) * 1e3)
        edge.pause()
        for name, peer in peers.items():
            async with peer(load) as way:
                took = await bare.to_and_fro(way)
            theirs[name].append(bench_log.quantile(took, 0.99) * 1e3)
        edge.go_on()
        await asyncio.sleep(0.5)
    await edge.close()
    return [Row(name, *bench_log.against(ours, raw), load) for name, raw in theirs.items()]


async def load_of(net: Network) -> bare.Load:
    """What an act brings into the network's own log, so far."""
    log = await EmbeddedLog.open(net.folder, clock=bench_log.now_ms, read_only=True)
    found: dict[str, list[int]] = {}
    for topic in (TABLE_COMMANDS, HAND_LOG):
        places = [Place(topic, partition) for partition in range(PARTITIONS)]
        ends = await log.ends(places)
        reader = log.reader()
        for place in places:
            reader.follow(place, 0)
        sizes: list[int] = []
        while len(sizes) < sum(ends.values()):
            for taken in (await reader.take()).values():
                sizes += [len(record.value or b"") for record in taken]
        found[topic] = sizes
    await log.close()
    commands, records = found[TABLE_COMMANDS], found[HAND_LOG]
    return bare.Load(
        round(statistics.mean(commands)),
        round(statistics.mean(records)),
        round(len(records) / len(commands), 2),
    )


def embedded() -> list[Row]:
    """The one process, against the embedded log alone."""
    peers: dict[str, Peer] = {
        "bare log": bare.embedded,
        "bare log in a process of its own": bare.far,
    }
    with tempfile.TemporaryDirectory() as name, network(Path(name)) as net:
        return uvloop.run(measure(net, peers, None))


def kafka(load: bare.Load) -> list[Row]:
    """Five processes over one broker, against the bare client on the same broker."""
    with tempfile.TemporaryDirectory() as name:
        cluster = Cluster(Path(name) / "kafka", attached=True)
        cluster.start()
        bootstrap = cluster.bootstrap
        peers: dict[str, Peer] = {
            "bare client": lambda load: bare.kafka(bootstrap, load, 1),
            "bare client, an act's two trips": lambda load: bare.kafka(bootstrap, load, 2),
        }
        try:
            with network(Path(name) / "data", f"kafka://{bootstrap}") as net:
                return uvloop.run(measure(net, peers, load))
        finally:
            cluster.stop()


def main() -> None:
    """Print the figures."""
    rows = embedded()
    reason = jars.missing()
    if reason:
        print(f"Kafka is left out: {reason}")
    else:
        rows += kafka(rows[0].load)
    for row in rows:
        print(
            f"{row.ours_ms:6.1f} ms, {row.peer} {row.raw_ms:.1f} ms, {row.ratio:.2f} x"
            f"  (an act: a command of {row.load.command_bytes} bytes and {row.load.records} records"
            f" of {row.load.record_bytes})"
        )


if __name__ == "__main__":
    main()
