"""The simulated log: what is appended lands when the seed says, once, twice, late or never.

It keeps what a real log keeps (order, offsets, append times, whole batches) and breaks what a real
one may break. It has no opinion of what a record says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial

from riverboat.log import topics
from riverboat.log.log import Append, OffsetOutOfRange, Place, Record
from riverboat.sim.faults import Faults
from riverboat.sim.world import World

FAIL_MS = 3_000  # when a writer learns that its append failed for good
LATE_MS = 60_000

Landed = Callable[[Record], None]
Done = Callable[[], None]
LAGS_MS = (0, 20, 100, 100, 500, 2_000)


def nothing() -> None:
    """For an append of which nobody asks what becomes of it."""


class SimLog:
    """All records of a simulated network."""

    def __init__(self, world: World, faults: Faults, landed: Landed) -> None:
        self.world = world
        self.faults = faults
        self._landed = landed
        self._records: dict[Place, list[Record]] = {}
        self._first: dict[Place, int] = {}
        self.ends: dict[Place, int] = {}  # the next offset, where anything stands
        self.moves = 0  # how often any of these has changed
        self._committed: dict[tuple[str, Place], int] = {}
        self._lags: dict[tuple[str, Place], int] = {}
        self._seen: dict[tuple[str, Place], int] = {}

    def land(self, append: Append, how: str = "") -> Record:
        """The record stands from now on."""
        record = self._place(append, how)
        self._landed(record)
        return record

    def _place(self, append: Append, how: str = "") -> Record:
        place = Place(append.topic, append.partition)
        records = self._records.setdefault(place, [])
        offset = self.ends.get(place, 0)
        time_ms = max(self.world.now_ms, records[-1].time_ms if records else 0)
        record = Record(place.topic, place.partition, offset, time_ms, append.key, append.value)
        records.append(record)
        self.ends[place] = offset + 1
        self.moves += 1
        if how:
            self.world.tell("landed", how, place.topic, offset, append.key)
        return record

    def append(self, batch: Sequence[Append], done: Done, failed: Done) -> None:
        """Hand a batch over; each partition's part of it stands whole or not at all."""
        world, faults = self.world, self.faults
        parts: dict[Place, list[Append]] = {}
        for append in batch:
            parts.setdefault(Place(append.topic, append.partition), []).append(append)
        for part in parts.values():
            delay = world.rng.uniform(3, 60)
            fate = world.rng.random()
            if fate < faults.ack_lost:
                world.reach("ack_lost")
                world.after(delay, partial(self._land_all, part, "ack lost"))
                world.after(FAIL_MS, failed)
                continue
            fate -= faults.ack_lost
            if fate < faults.append_absent:
                world.reach("append_absent")
                world.tell("absent", part[0].topic, part[0].key)
                world.after(FAIL_MS, failed)
                continue
            fate -= faults.append_absent
            if fate < faults.append_late:
                world.reach("append_late")
                late = world.rng.uniform(500, LATE_MS)
                world.after(late, partial(self._land_all, part, "late"))
                world.after(FAIL_MS, failed)
                continue
            fate -= faults.append_late
            world.after(delay, partial(self._land_all, part))
            if fate < faults.append_twice:
                world.reach("append_twice")
                again = delay + world.rng.uniform(10, 20_000)
                world.after(again, partial(self._land_all, part, "again"))
            world.after(delay + world.rng.uniform(10, 100), done)

    def _land_all(self, part: Sequence[Append], how: str = "") -> None:
        for append in part:
            self.land(append, how)

    # Reading.

    def end(self, place: Place) -> int:
        """The next offset."""
        return self.ends.get(place, 0)

    def start(self, place: Place) -> int:
        """The lowest offset that is kept."""
        return self._first.get(place, 0)

    def records(self, place: Place) -> Sequence[Record]:
        """All that stands, as it stands now."""
        return self._records.get(place, [])

    def between(self, place: Place, start: int, end: int) -> list[Record]:
        """What stands from `start` up to, not including, `end`."""
        records = self._records.get(place, [])
        return list(records[_index(records, start) : _index(records, end)])

    def visible(self, reader: str, place: Place, offset: int, most: int = 200) -> list[Record]:
        """What this reader can see from `offset` on; never less than it saw before."""
        world = self.world
        end = self.ends.get(place, 0)
        if offset > end:
            raise OffsetOutOfRange(f"{place.topic}/{place.partition}: {offset} is not in the log")
        records = self._records.get(place)
        if offset == end or records is None:
            return []
        key = (reader, place)
        if world.chance(self.faults.slow_reader) or key not in self._lags:
            self._lags[key] = world.rng.choice(LAGS_MS) if self.faults.slow_reader else 10
            if self._lags[key] >= 500:
                world.reach("slow_reader")
        found = []
        latest = world.now_ms - self._lags[key]
        seen = self._seen.get(key, 0)
        start = _index(records, offset)
        for record in records[start : start + most]:
            if record.time_ms > latest and record.offset >= seen:
                break
            found.append(record)
        if found:
            self._seen[key] = max(seen, found[-1].offset + 1)
        return found

    # Offsets of groups.

    def commit(self, group: str, offsets: dict[Place, int]) -> None:
        """Remember the group's offsets; a commit may be lost."""
        if self.world.chance(self.faults.commit_lost):
            self.world.reach("commit_lost")
            return
        for place, offset in offsets.items():
            self._committed[group, place] = offset

    def committed(self, group: str, place: Place) -> int:
        """Where the group goes on; where it never was, it begins with what is kept."""
        return self._committed.get((group, place), self._first.get(place, 0))

    def begin(self, place: Place, offset: int) -> None:
        """What stood below `offset` was deleted long ago."""
        self._first[place] = self.ends[place] = offset
        self.moves += 1

    # What happens to a log.

    def compact(self, partitions: int) -> None:
        """Of each key of `tables` only the newest record stays."""
        self.world.reach("compaction")
        for partition in range(partitions):
            place = Place(topics.TABLES, partition)
            records = self._records.get(place, [])
            newest = {record.key: record.offset for record in records}
            self._records[place] = [r for r in records if newest[r.key] == r.offset]

    def lose_tail(self, place: Place, count: int) -> list[Record]:
        """A broker loses its last records: never in a network that is set up right."""
        records = self._records[place]
        lost = records[len(records) - count :]
        del records[len(records) - count :]
        self.ends[place] = lost[0].offset if lost else self.ends[place]
        self.moves += 1
        return lost


def _index(records: Sequence[Record], offset: int) -> int:
    """Where the first record stands that has this offset, or a higher one."""
    if not records:
        return 0
    if records[-1].offset - records[0].offset == len(records) - 1:  # none is missing
        return min(max(offset - records[0].offset, 0), len(records))
    return bisect_left(records, offset, key=_offset)


def _offset(record: Record) -> int:
    return record.offset
