"""Recovery: when a table is snapshotted, where its partition's mark stands, how a start begins.

Sans-I/O like the step: it says what to append and is told what landed; it is told what the `tables`
topic holds and says where to read from. Only the owner of table life writes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.log import Append, Place
from riverboat.log.snapshots import (
    MARK_KEY,
    Mark,
    NoSnapshot,
    Snapshot,
    decode_mark,
    decode_snapshot,
    encode_mark,
    encode_snapshot,
)
from riverboat.runtime.entry import Entry
from riverboat.runtime.step import Step
from riverboat.wire.record import Unreadable, decode_record

# "within a minute" [ARCHITECTURE 4], with room for a write that must be tried again.
SNAPSHOT_MS: Final = 20_000
# Tables in one turn of the loop, which plays all others meanwhile: one or two milliseconds.
AT_ONCE: Final = 64


class Taken(NamedTuple):
    """A snapshot on its way."""

    table: str
    version: int
    offset: int  # the next of the hand log to apply to it
    ends: bool = False  # it is a tombstone


class Snapshots:
    """The snapshots and marks of the partitions that this process owns."""

    def __init__(
        self,
        step: Step,
        every_ms: int = SNAPSHOT_MS,
        *,
        record_bytes: int = topics.RECORD_BYTES_MAX,
        batch_bytes: int = topics.BATCH_BYTES_MAX,
    ) -> None:
        """The log takes a record of `record_bytes`, and a batch of `batch_bytes`, at the most."""
        self._record_bytes = record_bytes
        self._batch_bytes = batch_bytes
        self._step = step
        self._every_ms = every_ms
        self._versions: dict[int, dict[str, int]] = {}  # per partition: snapshots known to stand
        self._due_ms: dict[int, int] = {}
        self._left: dict[int, list[str]] = {}  # what had moved when it was due, and waits its turn
        self._too_large: dict[int, dict[str, int]] = {}  # per partition: tables, and their bytes
        self._news: dict[str, int] = {}

    def know(self, partition: int, versions: dict[str, int], now_ms: int) -> None:
        """What stands already, as a start found it."""
        self._versions[partition] = dict(versions)
        self._due_ms[partition] = now_ms + self._every_ms

    def forget(self, partition: int) -> None:
        """The partition is another's now."""
        self._versions.pop(partition, None)
        self._due_ms.pop(partition, None)
        self._left.pop(partition, None)
        self._too_large.pop(partition, None)

    @property
    def left_out(self) -> int:
        """How many tables are too large to be kept now.

        Each holds its partition's mark where its last snapshot stands, so that a start reads from
        there on; no other table is kept from being snapshotted.
        """
        return sum(map(len, self._too_large.values()))

    def news(self) -> dict[str, int]:
        """The tables that were found too large since the last call, and their bytes."""
        news, self._news = self._news, {}
        return news

    def due(self, now_ms: int) -> list[int]:
        """Partitions whose tables should be snapshotted now."""
        return [partition for partition, at_ms in self._due_ms.items() if at_ms <= now_ms]

    def unfinished(self, partition: int) -> bool:
        """Whether tables that had moved when the partition was due were not taken yet."""
        return partition in self._left

    def take(self, partition: int, now_ms: int) -> tuple[list[Append], list[Taken]]:
        """Snapshots of tables that have moved, and what `landed` must be told.

        Where many have, or large ones, the partition is `unfinished` until all of these had their
        turn. One that no record can hold is left out.
        """
        names = self._left.pop(partition, None) or self._moved(partition)
        position = self._step.positions.get(Place(topics.HAND_LOG, partition), 0)
        over = self._over(partition)
        ends = [Append(topics.TABLES, partition, name, None) for name in over]
        room = self._batch_bytes - sum(map(_weight, ends))
        appends, taken, upto = self._wave(partition, names, position, room)
        if upto < len(names):
            self._left[partition] = names[upto:]
        else:
            self._due_ms[partition] = now_ms + self._every_ms
        return appends + ends, taken + [Taken(name, 0, position, ends=True) for name in over]

    def _wave(
        self, partition: int, names: Sequence[str], position: int, room: int
    ) -> tuple[list[Append], list[Taken], int]:
        """Snapshots of the first of these, as many as one append takes; and how many were seen."""
        too_large = self._too_large.setdefault(partition, {})
        for name in too_large.keys() - self._step.tables.entries.keys():
            del too_large[name]  # closed and let go: no start needs it any more
        appends: list[Append] = []
        taken: list[Taken] = []
        for at, name in enumerate(names[:AT_ONCE]):
            entry = self._step.tables.entries.get(name)
            is_known = too_large.pop(name, None) is not None
            if entry is None or not _may_be_kept(entry):
                continue  # it has gone, or stands still, since it was due
            value = encode_snapshot(entry.table, position, entry.head_at)
            append = Append(topics.TABLES, partition, name, value)
            size = topics.record_bytes(name, value)
            if size > self._record_bytes:
                too_large[name] = size
                if not is_known:
                    self._news[name] = size
                continue
            room -= _weight(append)
            if room < 0 and appends:
                return appends, taken, at
            appends.append(append)
            taken.append(Taken(name, entry.table.version, position))
        return appends, taken, min(len(names), AT_ONCE)

    def _moved(self, partition: int) -> list[str]:
        entries = self._step.tables.entries.items()
        return [
            name for name, entry in entries if entry.partition == partition and _may_be_kept(entry)
        ]

    def _over(self, partition: int) -> list[str]:
        """The tables let go of whose snapshots stand, and of which nothing will be read again.

        As long as another table holds the mark back, a start would read their last records, and
        without a snapshot all before these.
        """
        tables = self._step.tables
        reads_from = self._reads_from(partition)
        return [
            name
            for name in self._versions.get(partition, {})
            if name not in tables.entries and tables.gone.get(name, -1) < reads_from
        ]

    def landed(self, partition: int, taken: Iterable[Taken]) -> list[Append]:
        """The snapshots stand: the partition's new mark, to be appended.

        Returned only now, so that a mark never names a snapshot that may be absent. There is none
        where the partition was given up meanwhile: it would leave out what stood before.
        """
        versions = self._versions.get(partition)
        if versions is None:
            return []
        for name, version, offset, ends in taken:
            if ends:
                versions.pop(name, None)
                continue
            versions[name] = max(version, versions.get(name, 0))
            entry = self._step.tables.entries.get(name)
            if entry is None:
                continue
            if entry.table.version == version:
                entry.dirty = -1
            elif entry.dirty >= 0:
                entry.dirty = max(entry.dirty, offset)
        return [Append(topics.TABLES, partition, MARK_KEY, self.mark(partition))]

    def mark(self, partition: int) -> bytes:
        """The lowest offset that some table still needs, and the snapshots it counts on."""
        return encode_mark(self._reads_from(partition), self._versions.get(partition, {}))

    def _reads_from(self, partition: int) -> int:
        position = self._step.positions.get(Place(topics.HAND_LOG, partition), 0)
        needed = [
            entry.dirty
            for entry in self._step.tables.entries.values()
            if entry.partition == partition and entry.dirty >= 0
        ]
        return min([position, *needed])


def _weight(append: Append) -> int:
    return topics.record_bytes(append.key, append.value) + topics.RECORD_FRAME_BYTES


def _may_be_kept(entry: Entry) -> bool:
    """Whether it has moved since it was kept, and its state is one to begin with."""
    return entry.dirty >= 0 and not entry.table.stopped and not entry.held


class Start(NamedTuple):
    """How a partition's reading begins."""

    offset: int  # of the hand log, from where every table is folded on
    tables: dict[str, Table]  # states to begin with
    heads: dict[str, int]  # per table, the offset of the last record that its state has applied
    behind: dict[str, int]  # tables whose snapshot is older than the mark: their own offset
    versions: dict[str, int]  # snapshots that stand


def begin(records: Iterable[log.Record]) -> Start:
    """Where to begin, from all that the partition's `tables` topic holds.

    Of several snapshots of a table the highest version counts, not the last: an old one may land
    late. A table whose snapshot cannot be used is folded from the log's beginning.
    """
    mark: Mark | None = None
    best: dict[str, tuple[Table, Snapshot]] = {}
    for record in records:
        if record.key == MARK_KEY:
            if record.value is not None:
                mark = _newer(mark, record.value)
        elif record.value is None:
            best.pop(record.key, None)
        else:
            try:
                table, snapshot = decode_snapshot(record.value)
            except NoSnapshot:
                continue
            if record.key not in best or table.version >= best[record.key][0].version:
                best[record.key] = (table, snapshot)
    if mark is None:
        return Start(0, {}, {}, {}, {})
    # A table that the mark does not name has all its records behind it, or is closed for ever: an
    # old snapshot that lands behind its tombstone must not bring it back.
    best = {name: found for name, found in best.items() if name in mark.versions}
    behind = {
        name: best[name][1].offset if name in best else 0
        for name, version in mark.versions.items()
        if name not in best or best[name][0].version < version
    }
    return Start(
        mark.offset,
        {name: table for name, (table, _) in best.items()},
        {name: snapshot.head_at for name, (_, snapshot) in best.items()},
        behind,
        {name: table.version for name, (table, _) in best.items()},
    )


def _newer(mark: Mark | None, value: bytes) -> Mark | None:
    try:
        found = decode_mark(value)
    except NoSnapshot:
        return mark
    # A mark that landed late names less than one that stands; both are true, the higher reads less.
    return found if mark is None or found.offset >= mark.offset else mark


class HistoryLost(Exception):
    """The log does not hold what was decided on it: the process must end, not fork."""


def newest_head(start: Start) -> tuple[str, int] | None:
    """The table whose snapshot reaches furthest into the log, and the offset of its head.

    A log that has lost its tail has lost this record first: it is enough to look for this one.
    """
    name = max(start.heads, key=lambda table: start.heads[table], default=None)
    return None if name is None or start.heads[name] < 0 else (name, start.heads[name])


def check_head(start: Start, name: str, found: Iterable[log.Record]) -> None:
    """Raise `HistoryLost` unless the newest snapshot's head stands where it was."""
    head = start.tables[name].head
    for record in found:
        if record.key == name and record.value is not None:
            try:
                if decode_record(record.value).id == head:
                    return
            except Unreadable:
                continue
    raise HistoryLost(f"{name}: the log has lost record {head}, which its snapshot has applied")
