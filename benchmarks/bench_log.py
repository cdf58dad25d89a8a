"""What both logs take: durable appends a second, and how long one waits for its answer.

The embedded log against the disk it stands on (the same bytes appended to a bare file, one fsync
each), Kafka against its bare client, set alike. Measures; proves nothing (tests/contract
does). A disk's figures drift, so both sides take turns and every row is a ratio of one run.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.kafka import KafkaLog, KafkaSettings
from riverboat.log.log import Append, Log, Place
from riverboat.log.topics import HAND_LOG, PARTITIONS, TOPICS

VALUE = os.urandom(300)  # about a record of one action
ROUNDS = 5
SECONDS = 1.0
SINGLES = 500
OUTSTANDING = 64


class Row(NamedTuple):
    """One comparison; `unit` says what the figures count."""

    name: str
    unit: str
    ours: float
    peer: float | None
    ratio: float | None


def now_ms() -> int:
    """The machine's time."""
    return time.time_ns() // 1_000_000


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of `values` lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


# The embedded log.


async def waiters(log: Log, count: int, records: int) -> float:
    """Events a second of `count` tasks, each waiting for its append before the next."""
    done = 0
    began = time.perf_counter()
    ends = began + SECONDS

    async def wait(partition: int) -> None:
        nonlocal done
        batch = [Append(HAND_LOG, partition, "3f.7", VALUE)] * records
        while time.perf_counter() < ends:
            await log.append(batch).durable
            done += records

    await asyncio.gather(*(wait(n % PARTITIONS) for n in range(count)))
    return done / (time.perf_counter() - began)


async def singles(log: Log) -> list[float]:
    """Seconds from an append to its answer, one at a time."""
    took = []
    for _ in range(SINGLES):
        began = time.perf_counter()
        await log.append([Append(HAND_LOG, 7, "3f.7", VALUE)]).durable
        took.append(time.perf_counter() - began)
    return took


def bare_fsyncs(path: Path) -> list[float]:
    """The same with nothing but a file."""
    took = []
    with path.open("ab", buffering=0) as file:
        for _ in range(SINGLES):
            began = time.perf_counter()
            file.write(VALUE)
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    return took


async def read_back(log: Log) -> float:
    """Records a second of a reader that starts at the beginning, from the file."""
    places = [Place(HAND_LOG, partition) for partition in range(PARTITIONS)]
    ends = await log.ends(places)
    reader = log.reader()
    for place, offset in (await log.starts(places)).items():
        reader.follow(place, offset)
    left = total = sum(ends.values())
    began = time.perf_counter()
    while left > 0:
        left -= sum(map(len, (await reader.take()).values()))
    took = time.perf_counter() - began
    await reader.close()
    return total / took


async def embedded() -> list[Row]:
    """The rows of the embedded log."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = await EmbeddedLog.open(folder, clock=now_ms)
        one, ten, read = [], [], []
        p50, p99, bare50, bare99 = [], [], [], []
        for _ in range(ROUNDS):
            one.append(await waiters(log, 256, 1))
            ten.append(await waiters(log, 256, 10))
            ours, bare = await singles(log), bare_fsyncs(folder / "bare")
            p50.append(quantile(ours, 0.5) * 1e6)
            p99.append(quantile(ours, 0.99) * 1e6)
            bare50.append(quantile(bare, 0.5) * 1e6)
            bare99.append(quantile(bare, 0.99) * 1e6)
        for _ in range(ROUNDS):
            read.append(await read_back(log))
        await log.close()
    return [
        Row("embedded, 256 waiters, a record each", "events/s", median(one), None, None),
        Row("embedded, 256 waiters, 10 records each", "events/s", median(ten), None, None),
        Row("embedded, read from the file / written", "events/s", *against(read, ten)),
        Row("embedded, one append, p50 / a bare fsync", "us", *against(p50, bare50)),
        Row("embedded, one append, p99 / a bare fsync", "us", *against(p99, bare99)),
    ]


# Kafka.

Send = Callable[[bytes], Awaitable[object]]
Take = Callable[[], Awaitable[list[bytes]]]


async def to_and_fro(send: Send, take: Take) -> list[float]:
    """Seconds from handing over a record to having read it, with 64 outstanding."""
    handed: dict[bytes, float] = {}
    took: list[float] = []
    free = asyncio.Semaphore(OUTSTANDING)
    ends = time.perf_counter() + SECONDS

    async def read() -> None:
        while time.perf_counter() < ends or handed:
            for value in await take():
                began = handed.pop(value[:8], None)
                if began is not None:
                    took.append(time.perf_counter() - began)
                    free.release()

    reading = asyncio.create_task(read())
    number = 0
    while time.perf_counter() < ends:
        await free.acquire()
        number += 1
        mark = number.to_bytes(8, "big")
        handed[mark] = time.perf_counter()
        await send(mark + VALUE)
    await reading
    return took


@asynccontextmanager
async def ours(bootstrap: str) -> AsyncIterator[tuple[Send, Take]]:
    """Through the log."""
    log = await KafkaLog.open(KafkaSettings(bootstrap))
    place = Place(HAND_LOG, 3)
    reader = log.reader()
    reader.follow(place, (await log.ends([place]))[place])

    async def send(value: bytes) -> None:
        log.append([Append(*place, "3f.3", value)])

    async def take() -> list[bytes]:
        got = await reader.take(wait_ms=200)
        return [record.value or b"" for record in got.get(place, ())]

    await reader.take(wait_ms=200)
    yield send, take
    await log.close()


@asynccontextmanager
async def bare(bootstrap: str) -> AsyncIterator[tuple[Send, Take]]:
    """Through the bare client, set as the log sets it."""
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, enable_idempotence=True, acks="all")
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="none")
    spot = TopicPartition(HAND_LOG, 4)
    await producer.start()
    await consumer.start()
    consumer.assign([spot])
    await consumer.seek_to_end(spot)

    async def send(value: bytes) -> None:
        await producer.send(spot.topic, value, b"3f.4", spot.partition)

    async def take() -> list[bytes]:
        got = await consumer.getmany(timeout_ms=200)
        return [message.value for messages in got.values() for message in messages]

    await take()
    yield send, take
    await producer.stop()
    await consumer.stop()


async def kafka(bootstrap: str) -> list[Row]:
    """The rows of Kafka, one broker."""
    p50, p99, rate, bare50, bare99, bare_rate, many = [], [], [], [], [], [], []
    for _ in range(ROUNDS):
        log = await KafkaLog.open(KafkaSettings(bootstrap))
        many.append(await waiters(log, 256, 10))
        await log.close()
        async with ours(bootstrap) as (send, take):
            took = await to_and_fro(send, take)
        p50.append(quantile(took, 0.5) * 1e3)
        p99.append(quantile(took, 0.99) * 1e3)
        rate.append(len(took) / SECONDS)
        async with bare(bootstrap) as (send, take):
            took = await to_and_fro(send, take)
        bare50.append(quantile(took, 0.5) * 1e3)
        bare99.append(quantile(took, 0.99) * 1e3)
        bare_rate.append(len(took) / SECONDS)
    return [
        Row("Kafka, 256 waiters, 10 records each", "events/s", median(many), None, None),
        Row("Kafka, 64 outstanding, rate / bare client", "events/s", *against(rate, bare_rate)),
        Row("Kafka, 64 outstanding, p50 / bare client", "ms", *against(p50, bare50)),
        Row("Kafka, 64 outstanding, p99 / bare client", "ms", *against(p99, bare99)),
    ]


def median(values: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(values)


def against(mine: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Both medians, and the median of the turns' ratios."""
    ratios = [a / b for a, b in zip(mine, theirs, strict=True)]
    return median(mine), median(theirs), median(ratios)


def rows() -> list[Row]:
    """Every row; Kafka's only where a broker can be started."""
    assert {topic.partitions for topic in TOPICS} == {PARTITIONS}
    found = asyncio.run(embedded())
    reason = jars.missing()
    if reason:
        print(f"Kafka is left out: {reason}")
        return found
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder), attached=True)
        cluster.start()
        try:
            found += asyncio.run(kafka(cluster.bootstrap))
        finally:
            cluster.stop()
    return found


def table(found: Sequence[Row]) -> str:
    """The rows as a person reads them."""
    lines = [f"{'the log':<44}{'':>10}{'ours':>12}{'peer':>12}{'ratio':>10}"]
    for row in found:
        peer = "-" if row.peer is None else f"{row.peer:,.1f}"
        ratio = "-" if row.ratio is None else f"{row.ratio:,.2f}x"
        lines.append(f"{row.name:<44}{row.unit:>10}{row.ours:>12,.1f}{peer:>12}{ratio:>10}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(rows()))
