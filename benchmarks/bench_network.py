"""The whole network: hands a second with bots over gRPC, embedded, and on Kafka by processes.

Six bots a table, a dozen actions a hand, each acting as soon as it is told that it is on turn.
Measures; proves nothing (tests/node does).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.network import bots, network
from deploy.kafka import jars
from deploy.kafka.cluster import Cluster

TABLES: Final = 64
STYLE: Final = "tight"
WARM_S: Final = 2.0
SECONDS: Final = 6.0
ROUNDS: Final = 3


class Run(NamedTuple):
    """One network under load."""

    hands_per_s: float
    actions_per_s: float
    cpu_us: float  # of all its processes, per action; the bots' and the brokers' apart
    cores: float  # that it kept busy
    p99_ms: float  # from a bot's act to its answer


def measure(folder: Path, log: str = "embedded", tables: int = TABLES, style: str = STYLE) -> Run:
    """Play for some seconds."""
    with network(folder, log) as net:
        with bots(net, tables, style) as told:
            time.sleep(WARM_S)
            began = net.read()
            time.sleep(SECONDS)
            ended = net.read()
        took, used = ended.at_s - began.at_s, ended.cpu_s - began.cpu_s
        actions = ended.actions - began.actions
        return Run(
            (ended.hands - began.hands) / took,
            actions / took,
            used / actions * 1e6,
            used / took,
            max(one["action_p99_ms"] for one in told),
        )


def embedded(tables: int = TABLES, style: str = STYLE) -> Run:
    """One process, the default log, durable."""
    with tempfile.TemporaryDirectory() as folder:
        return measure(Path(folder), tables=tables, style=style)


def kafka() -> Run:
    """Five processes over one broker."""
    with tempfile.TemporaryDirectory() as name:
        cluster = Cluster(Path(name) / "kafka", attached=True)
        cluster.start()
        try:
            return measure(Path(name) / "data", f"kafka://{cluster.bootstrap}")
        finally:
            cluster.stop()


def told(name: str, run: Run) -> str:
    """A run as a person reads it."""
    return (
        f"{name:<28}{run.hands_per_s:>8.0f} hands/s{run.actions_per_s:>8.0f} actions/s"
        f"{run.cpu_us:>7.0f} us an action{run.cores:>6.2f} cores  p99 {run.p99_ms:.1f} ms"
    )


def main() -> None:
    """Print the figures."""
    one = [embedded() for _ in range(ROUNDS)]
    best = statistics.median_high([run.hands_per_s for run in one])
    print(told("embedded, one process", next(run for run in one if run.hands_per_s == best)))
    reason = jars.missing()
    if reason:
        print(f"Kafka is left out: {reason}")
    elif "embedded" not in sys.argv:
        print(told("Kafka, a process a service", kafka()))


if __name__ == "__main__":
    main()
