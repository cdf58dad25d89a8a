"""The tables that a process folds: applies what fits, passes over what is old, never skips a gap.

One record is decoded once and folded once here, whoever listens. Nothing here decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from riverboat.game.record import Record
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime.counts import Counts
from riverboat.runtime.entry import Entry
from riverboat.wire.record import Unreadable, decode_record

Follower = Callable[[Table, Record, log.Record], None]


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
        self.counts = counts
        self._followers = tuple(followers)
        self._shape = (queues, deciders)

    def entry(self, name: str, partition: int) -> Entry:
        """The table's entry, made if it is new here."""
        entry = self.entries.get(name)
        if entry is None:
            entry = self.entries[name] = Entry(Table(name), partition, *self._shape)
        return entry

    def restore(self, table: Table, partition: int, head_at: int = -1) -> None:
        """Begin with this state from a snapshot; older records of the table will be stale."""
        entry = self.entry(table.id, partition)
        entry.table = table
        entry.head_at = head_at
        self.touched[table.id] = entry

    def forget(self, partition: int) -> None:
        """Drop every table of a partition."""
        for name in [n for n, entry in self.entries.items() if entry.partition == partition]:
            del self.entries[name]
            self.touched.pop(name, None)
            self.missing.pop(name, None)

    def read(self, found: log.Record) -> None:
        """Take one record of the hand log."""
        assert found.value is not None, "the hand log has no tombstones"
        record = self.own_records.pop(found.value, None)
        if record is None:
            try:
                record = decode_record(found.value)
            except Unreadable as error:
                self.unreadable.append((found, str(error)))
                return
        entry = self.entries.get(record.table)
        if entry is None:
            entry = self.entry(record.table, found.partition)
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
        if how is Fit.NEXT:
            self._fold(entry, record, found)
            self.settle(entry)
        elif how is Fit.STALE:
            self.counts.stale += 1
            self.settle(entry)
        else:
            self.counts.missing += 1
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
        if how is Fit.NEXT:
            self._fold(entry, record, found, told=seen)
        return how is not Fit.GAP


def _readable(found: log.Record) -> Record | None:
    """The record, when it is read again; what could not be read was put aside the first time."""
    try:
        return decode_record(found.value or b"")
    except Unreadable:
        return None
