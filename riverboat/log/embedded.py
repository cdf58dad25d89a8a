"""The embedded log: one SQLite file, one process at a time, durable across `kill -9`.

Offsets and times are given at once, in the event loop, by the sole writer; what the appends of one
turn of the loop bring goes to the writing thread together. Never touches the file from the loop.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from riverboat.log.embedded_reader import EmbeddedMembership, EmbeddedReader, Group, Part
from riverboat.log.embedded_store import FILE_NAME, TOMBSTONE_MS, Answer, Ask, Store, is_files_fault
from riverboat.log.embedded_time import LogTime
from riverboat.log.embedded_writer import Batch, WriterThread
from riverboat.log.log import (
    Append,
    AppendFailed,
    DiskNearlyFull,
    LogError,
    LogInUse,
    Place,
    Record,
    Sent,
    WrongTopic,
)
from riverboat.log.topics import TOPICS, Topic, aligned, by_name, check_batch

LOCK_NAME = "riverboat.log.lock"

# Below this no new hand starts: what is being played can always be played to its end.
LOW_BYTES = 1024 * 1024 * 1024
# Below this nothing is appended: room for the write-ahead log to be folded into the file.
FLOOR_BYTES = 64 * 1024 * 1024
# A record in the file and in the write-ahead log, with its index, against its bare bytes.
WRITE_FACTOR = 3

EXIT_STATUS = 74  # EX_IOERR: the supervisor starts the process again


def end_process(reason: str) -> None:
    """Say why and end the process at once: nothing that waits may still be written."""
    os.write(2, f"riverboat: the log cannot be written, the process ends: {reason}\n".encode())
    os._exit(EXIT_STATUS)


class EmbeddedLog:
    """See `Log` in log.py."""

    def __init__(
        self,
        store: Store,
        lock: int | None,
        topics: Sequence[Topic],
        clock: Callable[[], int],
        steady: Callable[[], int],
        fatal: Callable[[str], None],
        low_bytes: int,
        floor_bytes: int,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._store = store
        self._lock = lock
        self._topics = by_name(topics)
        self._low_bytes = low_bytes
        self._floor_bytes = floor_bytes
        self._parts: dict[tuple[str, int], Part] = {}
        newest_ms = 0
        for standing in store.standings():
            newest_ms = max(newest_ms, standing.time_ms)
            if standing.place.topic in self._topics:
                self._parts[standing.place] = Part(
                    standing.id, standing.place, standing.first, standing.next
                )
        self._time = LogTime(clock, steady, newest_ms)
        for part in self._parts.values():
            if self._topics[part.place.topic].compacted:
                part.newest = store.newest(part.id)
        self._progress = store.progress()
        self._groups: dict[str, Group] = {}
        self._open: Batch | None = None
        self._waiting_bytes = 0
        self._free = self._store.free_bytes()
        self._reading = ThreadPoolExecutor(1, "riverboat-log-reader")
        self._writing = WriterThread(store, self._kept(), self._landed, fatal)
        if lock is None:
            self._writing.ended = "this log is open for reading only"

    @classmethod
    async def open(
        cls,
        folder: Path | str,
        topics: Sequence[Topic] = TOPICS,
        *,
        clock: Callable[[], int],
        steady: Callable[[], int] = lambda: 0,
        fatal: Callable[[str], None] = end_process,
        low_bytes: int = LOW_BYTES,
        floor_bytes: int = FLOOR_BYTES,
        read_only: bool = False,
    ) -> Self:
        """Open the log in `folder`, made if it is not there; `clock` gives ms since the epoch.

        While that is behind what was stamped, time goes on by `steady`, which counts milliseconds
        and which nobody sets; without one it stands still until then.
        Raises `LogInUse` while another process has it open, except with `read_only`: that looks
        at a log that may be in use, sees what was durable when it looked, and appends nothing.
        """
        folder = Path(folder)
        lock = None
        if not read_only:
            folder.mkdir(parents=True, exist_ok=True)
            lock = _lock(folder)
        try:
            store = Store(folder, read_only=read_only)
            try:
                if not read_only:
                    store.hold(topics)
                return cls(store, lock, topics, clock, steady, fatal, low_bytes, floor_bytes)
            except BaseException:
                store.close()
                raise
        except BaseException as error:
            if lock is not None:
                os.close(lock)
            if is_files_fault(error):
                raise LogError(f"{folder / FILE_NAME}: {error}") from error
            raise

    # Appending.

    def append(self, batch: Sequence[Append]) -> Sent:
        if self._writing.ended is not None:
            raise AppendFailed(self._writing.ended)
        weight = check_batch(batch, self._topics)
        self._check_disk(weight)
        now_ms = self._time.now_ms()
        bringing = self._bringing()
        rows, landing, parts = bringing.rows, bringing.parts, self._parts
        records = []
        for topic, partition, key, value in batch:
            part = parts[topic, partition]
            offset = part.next
            part.next = offset + 1
            record = Record(topic, partition, offset, now_ms, key, value)
            records.append(record)
            rows += (part.id, offset, now_ms, key, value)
            landed = landing.get(part)
            if landed is None:
                landing[part] = [record]
            else:
                landed.append(record)
            if part.newest is not None:
                replaced = part.newest.get(key)
                part.newest[key] = offset
                if replaced is not None:
                    bringing.superseded.setdefault(part.id, []).append(replaced)
        bringing.now_ms = now_ms
        bringing.weight += weight
        self._waiting_bytes += weight
        return Sent(records, bringing.durable)

    def _bringing(self) -> Batch:
        """The batch of this turn of the loop; it goes to the writer when the turn is over."""
        if self._open is None:
            self._open = Batch(self._loop)
            self._loop.call_soon(self._hand_over)
        return self._open

    def _hand_over(self) -> None:
        if self._open is not None:
            self._writing.put(self._open)
            self._open = None

    def _landed(self, batches: Sequence[Batch], free_bytes: int) -> None:
        self._free = free_bytes
        for batch in batches:
            self._waiting_bytes -= batch.weight
            for part, records in batch.parts.items():
                part.landed(records)
            batch.durable.set_result(None)

    def _kept(self) -> dict[Part, int]:
        """How long records stay, or a compacted topic's tombstones, where not for ever; in ms."""
        kept = {}
        for part in self._parts.values():
            topic = self._topics[part.place.topic]
            keep_ms = TOMBSTONE_MS if topic.compacted else topic.keep_ms
            if keep_ms is not None:
                kept[part] = keep_ms
        return kept

    # The disk.

    @property
    def disk_low(self) -> bool:
        """Whether so little of the disk is free that no new hand should start."""
        if self._free < self._low_bytes:
            self._free = self._store.free_bytes()
        return self._free < self._low_bytes

    def _check_disk(self, weight: int) -> None:
        needed = self._floor_bytes + WRITE_FACTOR * (self._waiting_bytes + weight)
        if self._free < needed:
            self._free = self._store.free_bytes()
            if self._free < needed:
                raise DiskNearlyFull(
                    f"{self._free} bytes are free under {self._store.path};"
                    f" an append of {weight} needs {needed}"
                )

    # Reading and sharing.

    def reader(self) -> EmbeddedReader:
        return EmbeddedReader(self._parts, self._fetch)

    def _fetch(self, asks: Sequence[Ask], most: int) -> asyncio.Future[list[Answer]]:
        return self._loop.run_in_executor(self._reading, self._store.read, asks, most)

    def partitions(self, topic: str) -> int:
        return sum(place[0] == topic for place in self._parts)

    async def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        if self._lock is None:
            await self._look_again()
        return {place: self._part(place).durable for place in places}

    async def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        return {place: self._part(place).first for place in places}

    async def time_ms(self) -> int:
        return self._time.now_ms()

    @property
    def time(self) -> LogTime:
        """The log's own time, for whoever is in its process and needs not ask."""
        return self._time

    def _part(self, place: Place) -> Part:
        part = self._parts.get(place)
        if part is None:
            raise WrongTopic(f"this log has no partition {place.partition} of {place.topic}")
        return part

    async def _look_again(self) -> None:
        """Open for reading only: another process may have appended since."""
        ends = await self._loop.run_in_executor(self._reading, self._store.ends)
        for part in self._parts.values():
            if ends[part.place] > part.durable:
                part.durable = part.next = ends[part.place]
                for reader in part.readers:
                    reader.wake(part.place)

    async def join(self, group: str, member: str, topics: Sequence[str]) -> EmbeddedMembership:
        for topic in topics:
            if topic not in self._topics:
                raise WrongTopic(f"this log has no topic {topic}")
        partitions = aligned([self._topics[topic] for topic in topics])
        sharing = self._groups.setdefault(group, Group(partitions))
        if sharing.partitions != partitions:
            raise WrongTopic(
                f"group {group} shares {sharing.partitions} partitions, not {partitions}"
            )
        membership = EmbeddedMembership(sharing, group, member, self._save, self._saved)
        sharing.enter(membership)
        return membership

    def _save(self, team: str, offsets: Mapping[Place, int]) -> asyncio.Future[None]:
        if self._writing.ended is not None:
            raise AppendFailed(self._writing.ended)
        bringing = self._bringing()
        for place, offset in offsets.items():
            bringing.progress[team, self._part(place).id] = offset
            self._progress[team, place] = offset
        return bringing.durable

    def _saved(self, team: str, places: Sequence[Place]) -> dict[Place, int]:
        known = self._progress
        return {place: known[team, place] for place in places if (team, place) in known}

    async def close(self) -> None:
        self._hand_over()
        if await self._writing.stop():
            self._reading.shutdown()
            self._store.close()
            if self._lock is not None:
                os.close(self._lock)


def _lock(folder: Path) -> int:
    """Hold `folder` for this process; the system lets go of it however the process ends."""
    handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise LogInUse(f"another process holds the log in {folder}") from error
    return handle
