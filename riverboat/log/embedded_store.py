"""The file of the embedded log: tables, one transaction per group of batches, reads, clearing.

Blocking, and used from the log's own two threads: one connection writes, the other reads. It knows
nothing of event loops, waiters or owners, and never decides what to append.

Every statement gives up the interpreter lock and must win it back, against an event loop that may
be busy for milliseconds. So nothing here steps once per record, and a group has no more statements
than it must: many records go in as one and come out as one row.

A record is appended behind the last one and found again by an index that is written later, many
records at once and in order: else each commit would dirty a page of each partition. What is not in
the index yet are the newest records of the file; whoever reads looks there too.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from riverboat.log import embedded_format
from riverboat.log.embedded_format import FORMAT
from riverboat.log.log import LogError, Place, Record, WrongTopic
from riverboat.log.topics import DAY_MS, Topic

FILE_NAME = "riverboat.log.sqlite"

# A consumer that was away for less than this still learns that a key was deleted (Kafka's default).
TOMBSTONE_MS = DAY_MS
# Records cleared in one transaction, so that no commit ever waits long behind it.
CLEARED_AT_ONCE = 2_000
# Records put into the index in one transaction, for the same reason: it takes some milliseconds.
INDEXED_AT_ONCE = 2_000

_FILES_FAULTS = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_READONLY,
    }
)

# Records of one statement, which alone is a transaction too: most groups are one of these.
INSERTED_AT_ONCE = 256
_FIELDS = 5

# Each record has the next number of the whole file, so what is not in the index is what is new.
_NEW = "seq > (SELECT seq FROM indexed)"
_INDEX = f"INSERT INTO placed SELECT place, at, seq FROM record WHERE {_NEW} ORDER BY place, at"
_ALL_INDEXED = "UPDATE indexed SET seq = (SELECT ifnull(max(seq), 0) FROM record)"

_READ = f"""
SELECT json_group_array(json_array(at, time_ms, key, iif(value IS NULL, NULL, hex(value))))
FROM (
    SELECT placed.at AS at, time_ms, key, value FROM placed JOIN record USING (seq)
    WHERE placed.place = ?1 AND placed.at >= ?2 AND placed.at < ?3
    UNION ALL
    SELECT at, time_ms, key, value FROM record
    WHERE {_NEW} AND place = ?1 AND at >= ?2 AND at < ?3
    ORDER BY at LIMIT ?4
)
"""


class Standing(NamedTuple):
    """Where one partition stands in the file."""

    id: int
    place: Place
    first: int  # the lowest offset kept
    next: int  # the offset that the next record gets
    time_ms: int  # of the last record


class Ask(NamedTuple):
    """Records wanted from one partition: from `offset` on, below `end`."""

    id: int
    place: Place
    offset: int
    end: int


class Answer(NamedTuple):
    """What was found for one `Ask`."""

    records: list[Record]
    after: int  # the offset to go on from


class Store:
    """The SQLite file under one embedded log."""

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        self.path = folder / FILE_NAME
        if read_only and not self.path.exists():
            raise LogError(f"there is no log in {folder}")
        self.new = 0  # records that are not in the index
        self._writer = self._connect(read_only)
        self._reader = self._connect(read_only=True)
        try:
            if not read_only:
                self._take_over(folder)
            elif (version := self._version()) == 0:  # its maker came no further, or not yet
                raise LogError(f"there is no log in {folder}")
            elif version == 1:
                embedded_format.look_as_if(self._writer)
                embedded_format.look_as_if(self._reader)
        except BaseException:
            self.close()
            raise

    def _take_over(self, folder: Path) -> None:
        """Make the file ready to be written by this process."""
        self._writer.execute("PRAGMA journal_mode = WAL")
        # The log syncs each commit itself; a power cut takes nothing acknowledged.
        self._writer.execute("PRAGMA synchronous = FULL")
        self._writer.execute("PRAGMA fullfsync = ON")  # macOS syncs to the disk only so
        self._writer.execute("PRAGMA checkpoint_fullfsync = ON")
        version = self._version()
        if version == 0:
            embedded_format.make(self._writer)
            _sync_folder(folder)
        elif version == 1:
            embedded_format.bring_up(self._writer, self.path)
        # Whoever wrote last may have died with records that are not in the index.
        self.index()

    def _version(self) -> int:
        version = embedded_format.version(self._writer)
        if version > FORMAT:
            raise LogError(f"{self.path} has format {version}; this program reads {FORMAT}")
        return version

    def _connect(self, read_only: bool) -> sqlite3.Connection:
        mode = "ro" if read_only else "rwc"
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=30,
            cached_statements=INSERTED_AT_ONCE + 32,
        )

    def close(self) -> None:
        """Close the file; the last connection folds the write-ahead log into it."""
        self._reader.close()
        self._writer.close()

    def free_bytes(self) -> int:
        """How much more the disk takes."""
        stats = os.statvfs(self.path)
        return stats.f_bavail * stats.f_frsize

    def hold(self, topics: Sequence[Topic]) -> None:
        """Make the partitions of `topics`, or raise `WrongTopic` where other ones stand."""
        found: dict[str, int] = dict(
            self._writer.execute("SELECT topic, count(*) FROM place GROUP BY topic").fetchall()
        )
        for topic in topics:
            stands = found.get(topic.name)
            if stands is not None and stands != topic.partitions:
                raise WrongTopic(
                    f"{topic.name} has {stands} partitions in {self.path},"
                    f" this network needs {topic.partitions}"
                )
        missing = [
            (topic.name, partition)
            for topic in topics
            if topic.name not in found
            for partition in range(topic.partitions)
        ]
        if missing:
            self._writer.execute("BEGIN IMMEDIATE")
            self._writer.executemany("INSERT INTO place (topic, partition) VALUES (?, ?)", missing)
            self._writer.execute("COMMIT")

    def standings(self) -> list[Standing]:
        """Every partition in the file."""
        newest = {
            place: (at, time_ms)
            for place, at, time_ms in self._writer.execute(
                f"SELECT place, max(at), time_ms FROM record WHERE {_NEW} GROUP BY place"
            )
        }
        rows = self._writer.execute(
            "SELECT place.id, topic, partition, first, placed.at, time_ms FROM place"
            " LEFT JOIN placed ON placed.place = place.id"
            " AND placed.at = (SELECT max(at) FROM placed WHERE place = place.id)"
            " LEFT JOIN record USING (seq)"
        )
        found = []
        for id_, topic, partition, first, at, stamped_ms in rows:
            last, time_ms = newest.get(id_, (at, stamped_ms))
            after = first if last is None else max(first, last + 1)
            found.append(Standing(id_, Place(topic, partition), first, after, time_ms or 0))
        return found

    def ends(self) -> dict[Place, int]:
        """The next offset of every partition as the file stands now, by the reading connection."""
        # The new ones first: what is put into the index in between is then found twice, and counts.
        newest: dict[int, int] = dict(
            self._reader.execute(
                f"SELECT place, max(at) + 1 FROM record WHERE {_NEW} GROUP BY place"
            ).fetchall()
        )
        rows = self._reader.execute(
            "SELECT id, topic, partition,"
            " max(first, ifnull((SELECT max(at) + 1 FROM placed WHERE place = place.id), 0))"
            " FROM place"
        )
        return {
            Place(topic, partition): max(end, newest.get(id_, 0))
            for id_, topic, partition, end in rows
        }

    def progress(self) -> dict[tuple[str, Place], int]:
        """The next offset to read of every group at every place."""
        rows = self._writer.execute(
            "SELECT team, topic, partition, next FROM progress JOIN place ON place = place.id"
        )
        return {(team, Place(topic, part)): after for team, topic, part, after in rows}

    def newest(self, place: int) -> dict[str, int]:
        """The newest offset of each key of a compacted partition."""
        rows = self._writer.execute(
            "SELECT key, max(at) FROM ("
            " SELECT key, placed.at AS at FROM placed JOIN record USING (seq)"
            " WHERE placed.place = ?1"
            f" UNION ALL SELECT key, at FROM record WHERE {_NEW} AND place = ?1"
            ") GROUP BY key",
            (place,),
        )
        return dict(rows.fetchall())

    def commit(
        self,
        rows: Sequence[object],
        progress: Mapping[tuple[str, int], int],
        superseded: Mapping[int, Iterable[int]],
    ) -> None:
        """Write one group durably, or raise.

        `rows` holds place, offset, time, key and value of one record after the other;
        `superseded`, by place, the offsets that newer records of a compacted topic replace.
        """
        run = self._writer.execute
        count = len(rows) // _FIELDS
        self.new += count
        if 0 < count <= INSERTED_AT_ONCE and not progress and not superseded:
            run(_insert(count), rows)
            return
        run("BEGIN IMMEDIATE")
        for done in range(0, count, INSERTED_AT_ONCE):
            some = min(count - done, INSERTED_AT_ONCE)
            run(_insert(some), rows[done * _FIELDS : (done + some) * _FIELDS])
        if progress:
            self._writer.executemany(
                "INSERT OR REPLACE INTO progress VALUES (?, ?, ?)",
                [(team, place, after) for (team, place), after in progress.items()],
            )
        if superseded:
            self._index()
            for place, offsets in superseded.items():
                self._delete(place, offsets)
        run("COMMIT")

    def index(self) -> None:
        """Put all new records into the index."""
        self._writer.execute("BEGIN IMMEDIATE")
        self._index()
        self._writer.execute("COMMIT")

    def _index(self) -> None:
        self._writer.execute(_INDEX)
        self._writer.execute(_ALL_INDEXED)
        self.new = 0

    def _delete(self, place: int, offsets: Iterable[int]) -> None:
        """Delete these records, all of which are in the index."""
        run, gone = self._writer.execute, (place, json.dumps(list(offsets)))
        some = "place = ? AND at IN (SELECT value FROM json_each(?))"
        run(f"DELETE FROM record WHERE seq IN (SELECT seq FROM placed WHERE {some})", gone)
        run(f"DELETE FROM placed WHERE {some}", gone)
        # Where the last record of the file has gone, its number is given again.
        run(_ALL_INDEXED)

    def read(self, asks: Sequence[Ask], most: int) -> list[Answer]:
        """The durable records asked for, at most `most` altogether, one answer an ask."""
        answers = []
        for ask in asks:
            records = self._read(ask, most) if most else []
            # Of a compacted partition the last ones may be gone: short of `most`, the end is
            # reached all the same.
            if len(records) < most:
                after = ask.end
            else:
                after = records[-1].offset + 1 if records else ask.offset
            answers.append(Answer(records, after))
            most -= len(records)
        return answers

    def _read(self, ask: Ask, most: int) -> list[Record]:
        (found,) = self._reader.execute(_READ, (ask.id, ask.offset, ask.end, most)).fetchone()
        topic, partition = ask.place
        return [
            Record(
                topic, partition, at, time_ms, key, None if value is None else bytes.fromhex(value)
            )
            for at, time_ms, key, value in json.loads(found)
        ]

    def clear_before(self, place: int, time_ms: int) -> int | None:
        """Delete some records older than `time_ms`; the first offset kept, `None` if none went."""
        rows = self._writer.execute(
            "SELECT placed.at, time_ms FROM placed JOIN record USING (seq)"
            " WHERE placed.place = ? ORDER BY placed.at LIMIT ?",
            (place, CLEARED_AT_ONCE),
        ).fetchall()
        old = [at for at, written_ms in rows if written_ms < time_ms]
        if not old:
            return None
        first: int = old[-1] + 1
        self._writer.execute("BEGIN IMMEDIATE")
        self._index()
        self._delete(place, old)
        self._writer.execute("UPDATE place SET first = ? WHERE id = ?", (first, place))
        self._writer.execute("COMMIT")
        return first

    def clear_tombstones(self, place: int, time_ms: int) -> dict[str, int]:
        """Delete the tombstones older than `time_ms`, but the partition's last record stays.

        Those that went, by key. The last record tells, after a restart, which offset comes next.
        """
        self._writer.execute("BEGIN IMMEDIATE")
        self._index()
        rows = self._writer.execute(
            "SELECT key, placed.at FROM placed JOIN record USING (seq)"
            " WHERE placed.place = ?1 AND value IS NULL AND time_ms < ?2"
            " AND placed.at < (SELECT max(at) FROM placed WHERE place = ?1)",
            (place, time_ms),
        )
        gone = dict(rows.fetchall())
        self._delete(place, list(gone.values()))
        self._writer.execute("COMMIT")
        return gone


@lru_cache(maxsize=INSERTED_AT_ONCE)
def _insert(count: int) -> str:
    """The statement that appends so many records."""
    one = ",".join("?" * _FIELDS)
    values = ",".join([f"({one})"] * count)
    return f"INSERT INTO record (place, at, time_ms, key, value) VALUES {values}"


def is_files_fault(error: BaseException) -> bool:
    """Whether the file, its disk or whoever else holds it is at fault, and no statement of ours."""
    # What the driver itself finds wrong has no code.
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in _FILES_FAULTS


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
