"""A watcher of a network's hand log: what happened at each table, and how long it was silent.

Reads the log beside the network, by the log's own times. Holds no test itself.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from riverboat.game.authority import BETTING
from riverboat.log import log, topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Log, Place
from riverboat.log.opening import open_log
from riverboat.wire.record import decode_record

LOOK_MS = 50


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Seen(NamedTuple):
    """One record of a table."""

    time_ms: int  # append time
    service: str  # who wrote it
    writer: str  # service and incarnation
    hand: str
    version: int  # of the table, by this record
    kinds: frozenset[str]  # its events, by name


class Pauses(NamedTuple):
    """How long tables were silent, in ms."""

    least: int
    median: int
    most: int
    tables: int

    @classmethod
    def of(cls, silent_ms: Iterable[int]) -> Pauses:
        ms = sorted(silent_ms)
        return cls(ms[0], round(statistics.median(ms)), ms[-1], len(ms))


class Watcher:
    """All that stands in the hand log, as it comes."""

    def __init__(self, network: Log) -> None:
        self.tables: dict[str, list[Seen]] = {}  # the records that count
        self._heads: dict[str, str] = {}  # per table, the last of them
        self._network = network
        self._reader = network.reader()
        partitions = network.partitions(topics.HAND_LOG)
        self._places = [Place(topics.HAND_LOG, number) for number in range(partitions)]
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, address: str, security: Mapping[str, str] | None = None) -> Watcher:
        """Watch the log at `address` from its beginning."""
        log = await open_log(address, clock=now_ms, security=security, read_only=True)
        watcher = cls(log)
        for place in watcher._places:
            watcher._reader.follow(place, 0)
        watcher._task = asyncio.create_task(watcher._read())
        watcher._task.add_done_callback(lambda _: watcher._news.set())
        return watcher

    async def close(self) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.wait([self._task])
        await self._reader.close()
        await self._network.close()

    async def _read(self) -> None:
        while True:
            for found in (await self._reader.take(wait_ms=LOOK_MS)).values():
                self.take(found)
            self._news.set()
            if isinstance(self._network, EmbeddedLog):
                # Whoever looks at another process's file is told nothing of it: he must ask.
                await self._network.ends(self._places[:1])

    def take(self, found: Iterable[log.Record]) -> None:
        for one in found:
            assert one.value is not None
            record = decode_record(one.value)
            # What follows something older is in the log, and nobody takes it for true: a hand that
            # started so would never end.
            if record.parent != self._heads.get(record.table, ""):
                continue
            self._heads[record.table] = record.id
            service, incarnation, _ = record.id.split("/")
            kinds = frozenset(type(event).__name__ for event in record.events)
            self.tables.setdefault(record.table, []).append(
                Seen(
                    one.time_ms,
                    service,
                    f"{service}/{incarnation}",
                    record.hand,
                    record.version,
                    kinds,
                )
            )

    async def until(self, what: str, true: Callable[[], bool], timeout_s: float) -> None:
        """Wait until something is true of what was seen."""
        await self.until_all(what, ["all"], lambda _: true(), timeout_s)

    async def until_all(
        self, what: str, tables: Iterable[str], true: Callable[[str], bool], timeout_s: float
    ) -> None:
        """Wait until something is true of each of these tables."""
        left = list(tables)
        try:
            async with asyncio.timeout(timeout_s):
                while left := [name for name in left if not true(name)]:
                    self._news.clear()
                    assert self._task is not None
                    assert not self._task.done(), self._task.result()
                    await self._news.wait()
        except TimeoutError:
            told = "\n".join(self._last(name) for name in left)
            raise AssertionError(f"not within {timeout_s} s: {what}\n{told}") from None

    def _last(self, table: str) -> str:
        """What happened last at a table, for whoever must find out why it stands still."""
        told = "".join(
            f"\n  {now_ms() - seen.time_ms:7} ms ago, version {seen.version}, by {seen.writer}:"
            f" {', '.join(sorted(seen.kinds))}"
            for seen in self.tables.get(table, [])[-12:]
        )
        return f"{table}:{told}"

    def playing(self, tables: Iterable[str] | None = None) -> list[str]:
        """The tables where a hand is being played."""
        return [name for name in tables or self.tables if _open_hands(self.tables[name])]

    def count(self, kind: str, since_ms: int = 0) -> int:
        """How many records have an event of this kind."""
        return sum(
            kind in seen.kinds
            for record in self.tables.values()
            for seen in record
            if seen.time_ms >= since_ms
        )

    def has(self, table: str, kind: str) -> bool:
        """Whether an event of this kind stands at the table."""
        return self.count_at(table, kind) > 0

    def count_at(self, table: str, kind: str) -> int:
        """How many records of the table have an event of this kind."""
        return sum(kind in seen.kinds for seen in self.tables.get(table, ()))

    def first(self, table: str, kind: str) -> int:
        """When the table's first event of this kind was appended."""
        return next(seen.time_ms for seen in self.tables[table] if kind in seen.kinds)

    def versions(self) -> dict[str, int]:
        """How far each table has come."""
        return {name: record[-1].version for name, record in self.tables.items()}

    def writers(self, service: str, since_ms: int = 0) -> set[str]:
        """Who wrote for a service."""
        return {
            seen.writer
            for record in self.tables.values()
            for seen in record
            if seen.service == service and seen.time_ms >= since_ms
        }

    def gone_on(self, table: str, at_ms: int) -> bool:
        """Whether a hand was dealt after this moment, and a player has acted in it."""
        dealt = False
        for seen in self.tables[table]:
            if seen.time_ms > at_ms:
                dealt |= "HandStarted" in seen.kinds
                if dealt and seen.service == BETTING:
                    return True
        return False

    def silences(self, tables: Iterable[str], at_ms: int) -> dict[str, int]:
        """Per table, its longest silence from this moment on."""
        return {name: _silence(self.tables[name], at_ms) for name in tables}


def _open_hands(record: list[Seen]) -> set[str]:
    """Hands that were started and neither ended nor voided."""
    started: set[str] = set()
    for seen in record:
        if "HandStarted" in seen.kinds:
            started.add(seen.hand)
        if seen.kinds & {"HandEnded", "HandVoided"}:
            started.discard(seen.hand)
    return started


def _silence(record: list[Seen], at_ms: int) -> int:
    before, longest = at_ms, 0
    for seen in record:
        if seen.time_ms > at_ms:
            longest = max(longest, seen.time_ms - before)
            before = seen.time_ms
    return longest
