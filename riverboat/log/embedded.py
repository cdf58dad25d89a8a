"""The embedded log: one SQLite file, one process at a time, durable across `kill -9`.

Offsets and times are given at once, in the event loop, by the sole writer; a thread of its own
takes all that waits, makes it durable in one transaction, and tells the loop once. It never waits
to collect more, and never goes on after a commit that failed.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self

from riverboat.log.embedded_reader import EmbeddedMembership, EmbeddedReader, Group, Part
from riverboat.log.embedded_store import TOMBSTONE_MS, Ask, Store
from riverboat.log.log import (
    Append,
    AppendFailed,
    DiskNearlyFull,
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

CLEAR_EVERY_MS = 60 * 60 * 1000

CLOSED = "the log is closed"
EXIT_STATUS = 74  # EX_IOERR: the supervisor starts the process again


def end_process(reason: str) -> None:
    """Say why and end the process at once: nothing that waits may still be written."""
    os.write(2, f"riverboat: the log cannot be written, the process ends: {reason}\n".encode())
    os._exit(EXIT_STATUS)


class _Durable(asyncio.Future[None]):
    """Done when its batches are safe. Many appends share it, so none of them may cancel it."""

    def cancel(self, msg: object = None) -> bool:
        return False


class _Batch:
    """What the appends of one turn of the loop bring."""

    __slots__ = ("durable", "now_ms", "parts", "progress", "rows", "superseded", "weight")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.durable = _Durable(loop=loop)
        self.rows: list[object] = []
        self.parts: dict[Part, list[Record]] = {}
        self.progress: dict[tuple[str, int], int] = {}
        self.superseded: dict[int, list[int]] = {}
        self.weight = 0  # bytes
        self.now_ms = 0


class EmbeddedLog:
    """See `Log` in log.py."""

    def __init__(
        self,
        store: Store,
        lock: int | None,
        topics: Sequence[Topic],
        clock: Callable[[], int],
        fatal: Callable[[str], None],
        low_bytes: int,
        floor_bytes: int,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._store = store
        self._lock = lock
        self._topics = by_name(topics)
        self._clock = clock
        self._fatal = fatal
        self._low_bytes = low_bytes
        self._floor_bytes = floor_bytes
        self._parts: dict[tuple[str, int], Part] = {}
        for standing in store.standings():
            if standing.place.topic in self._topics:
                self._parts[standing.place] = Part(
                    standing.id, standing.place, standing.first, standing.next, standing.time_ms
                )
        for part in self._parts.values():
            if self._topics[part.place.topic].compacted:
                part.newest = store.newest(part.id)
        self._progress = store.progress()
        self._groups: dict[str, Group] = {}
        self._open: _Batch | None = None
        self._waiting_bytes = 0
        self._ended: str | None = None if lock is not None else "this log is open for reading only"
        self._inbox: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        self._last_ms = 0  # of the last group written
        self._cleared_ms = 0
        self._to_clear: list[Part] = []
        self._free = self._free_bytes()
        self._reading = ThreadPoolExecutor(1, "riverboat-log-reader")
        self._writing = threading.Thread(target=self._write, name="riverboat-log", daemon=True)
        self._written = self._loop.create_future()
        self._writing.start()

    @classmethod
    async def open(
        cls,
        folder: Path | str,
        topics: Sequence[Topic] = TOPICS,
        *,
        clock: Callable[[], int],
        fatal: Callable[[str], None] = end_process,
        low_bytes: int = LOW_BYTES,
        floor_bytes: int = FLOOR_BYTES,
        read_only: bool = False,
    ) -> Self:
        """Open the log in `folder`, made if it is not there; `clock` gives ms since the epoch.

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
                return cls(store, lock, topics, clock, fatal, low_bytes, floor_bytes)
            except BaseException:
                store.close()
                raise
        except BaseException:
            if lock is not None:
                os.close(lock)
            raise

    # Appending.

    def append(self, batch: Sequence[Append]) -> Sent:
        if self._ended is not None:
            raise AppendFailed(self._ended)
        weight = check_batch(batch, self._topics)
        self._check_disk(weight)
        now_ms = self._clock()
        bringing = self._bringing()
        rows, landing, parts = bringing.rows, bringing.parts, self._parts
        records = []
        for topic, partition, key, value in batch:
            part = parts[topic, partition]
            offset = part.next
            part.next = offset + 1
            if now_ms > part.time_ms:
                part.time_ms = now_ms
            record = Record(topic, partition, offset, part.time_ms, key, value)
            records.append(record)
            rows += (part.id, offset, part.time_ms, key, value)
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

    def _bringing(self) -> _Batch:
        """The batch of this turn of the loop; it goes to the writer when the turn is over."""
        if self._open is None:
            self._open = _Batch(self._loop)
            self._loop.call_soon(self._hand_over)
        return self._open

    def _hand_over(self) -> None:
        if self._open is not None:
            self._inbox.put(self._open)
            self._open = None

    def _landed(self, batches: Sequence[_Batch], free: int) -> None:
        self._free = free
        for batch in batches:
            self._waiting_bytes -= batch.weight
            for part, records in batch.parts.items():
                part.landed(records)
            batch.durable.set_result(None)

    def _failed(self, batches: Sequence[_Batch]) -> None:
        for batch in batches:
            batch.durable.set_exception(AppendFailed(self._ended or "the log has ended"))
            batch.durable.exception()  # seen: nobody needs to wait for it

    # The disk.

    @property
    def disk_low(self) -> bool:
        """Whether so little of the disk is free that no new hand should start."""
        if self._free < self._low_bytes:
            self._free = self._free_bytes()
        return self._free < self._low_bytes

    def _check_disk(self, weight: int) -> None:
        needed = self._floor_bytes + WRITE_FACTOR * (self._waiting_bytes + weight)
        if self._free < needed:
            self._free = self._free_bytes()
            if self._free < needed:
                raise DiskNearlyFull(
                    f"{self._free} bytes are free under {self._store.path};"
                    f" an append of {weight} needs {needed}"
                )

    def _free_bytes(self) -> int:
        stats = os.statvfs(self._store.path)
        return stats.f_bavail * stats.f_frsize

    # The writer's thread.

    def _write(self) -> None:
        going = True
        while going:
            batches = [self._inbox.get()]
            while not self._inbox.empty():
                batches.append(self._inbox.get())
            group = [batch for batch in batches if batch is not None]
            going = len(group) == len(batches)
            if group and not self._commit(group):
                self._tell(self._failed, group)
            self._clear()
        self._tell(self._finish)

    def _commit(self, group: Sequence[_Batch]) -> bool:
        if self._ended is not None:
            return False
        first = group[0]
        for batch in group[1:]:
            first.rows += batch.rows
            first.progress |= batch.progress
            for place, offsets in batch.superseded.items():
                first.superseded.setdefault(place, []).extend(offsets)
        try:
            self._store.commit(first.rows, first.progress, first.superseded)
            self._last_ms = max(self._last_ms, group[-1].now_ms)
            free = self._free_bytes()
        except Exception as error:
            self._end(error)
            return False
        self._tell(self._landed, group, free)
        return True

    def _tell(self, call: Callable[..., None], *args: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *args)
        except RuntimeError:
            # The loop was closed without closing the log: nobody is left to be told.
            self._ended = "the event loop has ended"

    def _finish(self) -> None:
        if not self._written.done():
            self._written.set_result(None)

    def _clear(self) -> None:
        """Delete what is past its time, in slices, as long as nothing waits to be written."""
        if self._ended is not None:
            return
        now_ms = self._last_ms
        if not self._to_clear and now_ms - self._cleared_ms >= CLEAR_EVERY_MS:
            self._cleared_ms = now_ms
            self._to_clear = [p for p in self._parts.values() if self._keeps_for(p) is not None]
        try:
            while self._to_clear and self._inbox.empty():
                part = self._to_clear[-1]
                first = self._clear_slice(part, now_ms)
                if first is None:
                    self._to_clear.pop()
                else:
                    self._tell(self._cleared, part, first)
        except Exception as error:
            self._end(error)

    def _clear_slice(self, part: Part, now_ms: int) -> int | None:
        keep_ms = self._keeps_for(part)
        assert keep_ms is not None
        if part.newest is None:
            return self._store.clear_before(part.id, now_ms - keep_ms)
        self._store.clear_tombstones(part.id, now_ms - keep_ms)
        return None

    def _keeps_for(self, part: Part) -> int | None:
        topic = self._topics[part.place.topic]
        return TOMBSTONE_MS if topic.compacted else topic.keep_ms

    def _cleared(self, part: Part, first: int) -> None:
        part.first = first

    def _end(self, error: Exception) -> None:
        # Whether it stands is unknown, and what follows builds on it: nothing more may land.
        self._ended = f"{type(error).__name__}: {error}"
        self._fatal(self._ended)

    # Reading and sharing.

    def reader(self) -> EmbeddedReader:
        return EmbeddedReader(self._parts, self._fetch)

    async def _fetch(self, asks: Sequence[Ask], most: int) -> list[list[Record]]:
        return await self._loop.run_in_executor(self._reading, self._store.read, asks, most)

    def partitions(self, topic: str) -> int:
        return sum(place[0] == topic for place in self._parts)

    async def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        if self._lock is None:
            await self._look_again()
        return {place: self._part(place).durable for place in places}

    async def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        return {place: self._part(place).first for place in places}

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
        if self._ended is not None:
            raise AppendFailed(self._ended)
        bringing = self._bringing()
        for place, offset in offsets.items():
            bringing.progress[team, self._part(place).id] = offset
            self._progress[team, place] = offset
        return bringing.durable

    def _saved(self, team: str, places: Sequence[Place]) -> dict[Place, int]:
        known = self._progress
        return {place: known[team, place] for place in places if (team, place) in known}

    async def close(self) -> None:
        if self._ended != CLOSED:
            self._hand_over()
            self._inbox.put(None)
            await self._written
            self._writing.join()
            self._ended = CLOSED
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
