"""Two arms for one suite: the same tests run over the embedded log and over a real broker."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.log import topics
from riverboat.log.log import Append, Log, Place, Record
from riverboat.log.opening import open_log
from riverboat.log.topics import Topic

PARTITIONS = 4
ROOT = Path(__file__).parents[2]


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Arm:
    """One network's log, opened as often as a test likes; everything is closed behind it."""

    def __init__(self, kind: str, address: str) -> None:
        self.kind = kind
        self.address = address
        # Tests share a broker, so each has topics of its own.
        mark = uuid.uuid4().hex[:8]
        table = topics.by_name(topics.topics_with(PARTITIONS))
        self.topics = tuple(
            dataclasses.replace(table[name], name=f"{name}.{mark}")
            for name in (topics.TABLE_COMMANDS, topics.HAND_LOG, topics.TABLES)
        )
        self.commands, self.hands, self.tables = (topic.name for topic in self.topics)
        self._logs: list[Log] = []

    async def open(
        self, table: tuple[Topic, ...] | None = None, clock: Callable[[], int] = now_ms
    ) -> Log:
        log = await open_log(self.address, table or self.topics, clock=clock)
        self._logs.append(log)
        return log

    async def close(self) -> None:
        while self._logs:
            await self._logs.pop().close()

    def place(self, partition: int = 1) -> Place:
        return Place(self.hands, partition)

    def child(self, *arguments: str) -> list[str]:
        """The command of a process that appends to this log; see appender.py."""
        table = json.dumps([[t.name, t.partitions] for t in self.topics])
        return [sys.executable, "-m", "tests.contract.appender", self.address, table, *arguments]


@pytest.fixture(params=["embedded", pytest.param("kafka", marks=pytest.mark.kafka)])
async def arm(request, tmp_path):
    if request.param == "kafka":
        broker = request.getfixturevalue("kafka_broker")
        made = Arm("kafka", f"kafka://{broker.bootstrap}")
    else:
        made = Arm("embedded", str(tmp_path / "data"))
    yield made
    await made.close()


def batch(place: Place, *texts: str) -> list[Append]:
    return [Append(place.topic, place.partition, "1.1", text.encode()) for text in texts]


def texts(records: list[Record]) -> list[str]:
    return [(record.value or b"").decode() for record in records]


async def read(log: Log, place: Place, count: int, offset: int = 0) -> list[Record]:
    """`count` records from `offset` on."""
    reader = log.reader()
    reader.follow(place, offset)
    got: list[Record] = []
    while len(got) < count:
        for records in (await reader.take()).values():
            got += records
    await reader.close()
    return got
