"""The tables that a process folds: applies what fits, passes over what is old, never skips a gap.

One record is decoded once and folded once here, whoever listens. Nothing here decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from riverboat.game.ids import partition_of
from riverboat.game.record import Record
from riverboat.game.table.fold import NEXT, BadRecord, Fit, apply, fit
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime.counts import Counts
from riverboat.runtime.entry import Entry
from riverboat.wire.record import Unreadable, decode_record

Follower = Callable[[Table, Record, log.Record], None]

# A closed table is kept this long, in log time: nobody sends a command again, or waits for an
# answer, for as long.
CLOSED_KEPT_MS: Final = 3_600_000
# Its name is kept this long: what lands late must not be taken for a new table's first record.
NAME_KEPT_MS: Final = 86_400_000


class Tables:
    """All tables of a process, each the fold of its records."""

    def __init__(
        self, counts: Counts, followers: Iterable[Follower], queues: int, deciders: int
    ) -> None:
        self.entries: dict[str, Entry] = {}
        self.touched: dict[str, Entry] = {}  # whose state, or whose messages, have changed
        self.missing: dict[str, Entry] = {}  # whose history must be read again
        self.failures: list[tuple[str, str]] = []  # (table, why), for the shell to tell
        self.unreadable: list[tuple[log.Record, str]] = []  # no envelope
        self.own_records: dict[bytes, Record] = {}  # what this process handed over, by its bytes
        self.gone: dict[str, int] = {}  # closed and let go; the offset of its last record
        self.counts = counts
        self._closed: deque[tuple[int, str]] = deque()  # when each was closed
        self._let_go_at: deque[tuple[int, str]] = deque()
        self._followers = tuple(followers)
        self._shape = (queues, deciders)

    def entry(self, name: str, partition: int) -> Entry:
        """The table's entry, made if it is new here.

        Raises `Unreadable` where the table has no business in this partition: whoever decided on
        it would write where nobody reads it.
        """
        entry = self.entries.get(name)
        if entry is None:
            try:
                home = partition_of(name)
            except ValueError as error:
                raise Unreadable(str(error)) from None
            if home != partition:
                raise Unreadable(f"{name} stands in partition {home}, not in {partition}")
            entry = self.entries[name] = Entry(Table(name), partition, *self._shape)
        elif entry.partition != partition:
            raise Unreadable(f"{name} stands in partition {entry.partition}, not in {partition}")
        return entry

    def touch(self, partition: int) -> None:
        """Let all tables of a partition be looked at again."""
        for name, entry in self.entries.items():
            if entry.partition == partition:
                self.touched[name] = entry

    def restore(self, table: Table, partition: int, head_at: int = -1) -> None:
        """Begin with this state from a snapshot; older records of the table will be stale."""
        entry = self.entry(table.id, partition)
        entry.table = table
        entry.head_at = head_at
        self.touched[table.id] = entry
        if table.closed:
            self._closed.append((table.time_ms, table.id))

    def forget(self, partition: int) -> None:
        """Drop every table of a partition."""
        for name in [n for n, entry in self.entries.items() if entry.partition == partition]:
            del self.entries[name]
            self.touched.pop(name, None)
            self.missing.pop(name, None)

    def read(self, found: log.Record) -> None:
        """Take one record of the hand log."""
        assert found.value is not None, "the hand log has no tombstones"
        if self._closed or self._let_go_at:
            self._let_go(found.time_ms)
        own = self.own_records
        record = own.pop(found.value, None) if own else None
        try:
            if record is None:
                record = decode_record(found.value)
            entry = self.entries.get(record.table)
            if entry is None or entry.partition != found.partition:
                if record.table in self.gone:
                    self.counts.stale += 1
                    return
                entry = self.entry(record.table, found.partition)
        except Unreadable as error:
            self.unreadable.append((found, str(error)))
            return
        if entry.held:
            if not entry.lost:
                entry.backlog.append((record, found))
            return
        self.take(entry, record, found)

    def catch_up(self, name: str, partition: int, records: Iterable[log.Record]) -> None:
        """Fold one table on from its snapshot, over records that the partition's mark is behind."""
        entry = self.entry(name, partition)
        for found in records:
            record = _readable(found) if found.key == name else None
            if record is not None:
                self.take(entry, record, found)

    def take(self, entry: Entry, record: Record, found: log.Record) -> None:
        """Apply the record to its table, if it is the next; else say what it is."""
        how = fit(entry.table, record)
        if how is NEXT:
            self._fold(entry, record, found)
            if entry.undecided is not None:
                self.settle(entry)
        elif how is Fit.STALE:
            self.counts.stale += 1
            self.settle(entry)
        else:
            self.counts.missing += 1
            if entry.dirty < 0:
                entry.dirty = found.offset  # what is not folded yet holds the mark
            entry.held = True
            entry.backlog.append((record, found))
            self.missing[entry.table.id] = entry

    def _fold(self, entry: Entry, record: Record, found: log.Record, told: int = 0) -> None:
        """Apply the next record; the followers know all up to the version `told`."""
        table = entry.table
        try:
            apply(table, record, found.time_ms)
        except BadRecord as error:
            self.counts.unauthorised += 1
            self.failures.append((table.id, str(error)))
            return
        entry.head_at = found.offset
        self.touched[table.id] = entry
        if table.version <= told:
            return
        self.counts.applied += 1
        entry.failed = ""  # the state has changed: what failed on the old one is tried again
        if entry.dirty < 0:
            entry.dirty = found.offset
        if table.closed:
            self._closed.append((table.time_ms, table.id))
        for follower in self._followers:
            follower(table, record, found)

    def settle(self, entry: Entry) -> None:
        """An undecided record is over when its version was taken, by itself or by a rival."""
        undecided = entry.undecided
        if undecided is None or entry.table.version < undecided.record.version:
            return
        entry.undecided = None
        self.touched[entry.table.id] = entry
        if entry.table.head != undecided.record.id:
            self.counts.beaten += 1
            self.own_records.pop(undecided.value, None)

    def refold(self, name: str, records: Iterable[log.Record]) -> bool:
        """Fold a table of `missing` again from its first record; false if its history has a hole.

        `records` are the partition's, in order, from before the table's first record, at least to
        where the gap was seen; those of other tables are passed over.
        """
        entry = self.missing.pop(name)
        seen = entry.table.version
        entry.table = Table(name)
        backlog, entry.backlog = entry.backlog, []
        for found in records:
            record = _readable(found) if found.key == name else None
            if record is not None:
                self._fold_again(entry, record, found, seen)
        whole = all(self._fold_again(entry, record, found, seen) for record, found in backlog)
        if not whole or entry.table.version < seen:
            self.failures.append((name, "history is missing: the table stands still here"))
            entry.lost = True
            return False
        entry.held = False
        self.settle(entry)
        self.touched[name] = entry
        return True

    def _fold_again(self, entry: Entry, record: Record, found: log.Record, seen: int) -> bool:
        """Apply what fits; false for a record that still follows something not seen."""
        how = fit(entry.table, record)
        if how is NEXT:
            self._fold(entry, record, found, told=seen)
        return how is not Fit.GAP

    def _let_go(self, now_ms: int) -> None:
        """Drop the tables that were closed long ago, and forget the names of those dropped."""
        closed, let_go_at = self._closed, self._let_go_at
        while closed and closed[0][0] + CLOSED_KEPT_MS <= now_ms:
            _, name = closed.popleft()
            entry = self.entries.get(name)
            if entry is None or entry.held or not _is_over(entry.table, now_ms):
                continue  # whatever comes of it yet puts it here again
            if any(entry.queues):
                closed.append((now_ms, name))  # what waits is answered first, whoever owns it
                continue
            del self.entries[name]
            self.touched.pop(name, None)
            self.gone[name] = entry.head_at
            let_go_at.append((now_ms, name))
        while let_go_at and let_go_at[0][0] + NAME_KEPT_MS <= now_ms:
            self.gone.pop(let_go_at.popleft()[1], None)


def _is_over(table: Table, now_ms: int) -> bool:
    """Whether the table has been closed for long: then no money is on its way to it either."""
    return table.closed and table.time_ms + CLOSED_KEPT_MS <= now_ms


def _readable(found: log.Record) -> Record | None:
    """The record, when it is read again; what could not be read was put aside the first time."""
    try:
        return decode_record(found.value or b"")
    except Unreadable:
        return None
