"""Taking partitions up: snapshots first, then the log from each mark. [ARCHITECTURE 4]

It reads what stands, all partitions at once, and tells the step where to begin. It writes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from riverboat.log import log, topics
from riverboat.log.log import Log, Membership, Place, Reader
from riverboat.runtime.messages import FULL_NAMES
from riverboat.runtime.recovery import Start, begin, check_head, newest_head
from riverboat.runtime.step import Step

# A compacted topic may lack its last offsets: after this much silence there is nothing to come.
SILENT_MS: Final = 1_000


class Begun(NamedTuple):
    """What a partition stood at when it was taken up."""

    versions: dict[str, int]  # snapshots that stand
    ends: dict[Place, int]  # read to here before deciding


class Range(NamedTuple):
    """Offsets of one place: from `start` up to, not including, `end`."""

    start: int
    end: int


async def history(network: Log, place: Place, start: int, end: int) -> list[log.Record]:
    """All records of `place` from `start` on, up to `end`."""
    reader = network.reader()
    try:
        return (await _read(reader, {place: Range(start, end)}))[place]
    finally:
        await reader.close()


async def begin_partitions(
    network: Log, step: Step, partitions: Sequence[int], memberships: Mapping[str, Membership]
) -> dict[int, Begun]:
    """Restore the partitions' tables into the step and set where each input goes on.

    `memberships` are those of the step's deciders, by their names.
    """
    inputs = {partition: step.inputs(partition) for partition in partitions}
    tables = {partition: Place(topics.TABLES, partition) for partition in partitions}
    places = [place for partition in partitions for place in inputs[partition]]
    ends = await network.ends([*places, *tables.values()])
    starts = await network.starts([*places, *tables.values()])
    reader = network.reader()
    try:
        kept = await _read(reader, {t: Range(starts[t], ends[t]) for t in tables.values()})
        begun = {partition: begin(kept[tables[partition]]) for partition in partitions}
        await _check_heads(reader, begun, ends)
        for partition, start in begun.items():
            for name, table in start.tables.items():
                step.tables.restore(table, partition, start.heads[name])
            hand_log = Place(topics.HAND_LOG, partition)
            step.follow(hand_log, max(start.offset, starts[hand_log]))
        await _catch_up(reader, step, begun)
    finally:
        await reader.close()
    await _follow_messages(step, places, starts, memberships)
    return {
        partition: Begun(start.versions, {place: ends[place] for place in inputs[partition]})
        for partition, start in begun.items()
    }


async def _check_heads(
    reader: Reader, begun: Mapping[int, Start], ends: Mapping[Place, int]
) -> None:
    """The log must still hold what the newest snapshot of each partition has applied."""
    newest = {partition: newest_head(start) for partition, start in begun.items()}
    wanted = {}
    for partition, found in newest.items():
        if found is not None:
            place = Place(topics.HAND_LOG, partition)
            end = min(found[1] + 1, ends[place])
            wanted[place] = Range(min(found[1], end), end)
    heads = await _read(reader, wanted)
    for place, records in heads.items():
        found = newest[place.partition]
        assert found is not None, "only these were read"
        check_head(begun[place.partition], found[0], records)


async def _catch_up(reader: Reader, step: Step, begun: Mapping[int, Start]) -> None:
    """Fold the tables whose snapshot is older than the mark up to the mark."""
    wanted = {
        Place(topics.HAND_LOG, partition): Range(min(start.behind.values()), start.offset)
        for partition, start in begun.items()
        if start.behind
    }
    for place, again in (await _read(reader, wanted)).items():
        for name, offset in begun[place.partition].behind.items():
            later = [found for found in again if found.offset >= offset]
            step.tables.catch_up(name, place.partition, later)


async def _follow_messages(
    step: Step,
    places: Sequence[Place],
    starts: Mapping[Place, int],
    memberships: Mapping[str, Membership],
) -> None:
    """Messages go on from the lowest offset that a decider here has committed.

    One that has committed nothing yet has answered nothing: its topics are read from their start.
    """
    lowest: dict[Place, int] = {}
    for decider in step.deciders:
        mine = {FULL_NAMES[short] for short in decider.manifest.topics}
        inputs = [place for place in places if place.topic in mine]
        committed = await memberships[decider.name].committed(inputs)
        for place in inputs:
            offset = max(committed.get(place, 0), starts[place])
            lowest[place] = min(offset, lowest.get(place, offset))
    for place, offset in lowest.items():
        step.follow(place, offset)


async def _read(reader: Reader, wanted: Mapping[Place, Range]) -> dict[Place, list[log.Record]]:
    """All records of each place within its range."""
    found: dict[Place, list[log.Record]] = {place: [] for place in wanted}
    left = {place: limits.end for place, limits in wanted.items() if limits.start < limits.end}
    for place in left:
        reader.follow(place, wanted[place].start)
    while left:
        taken = await reader.take(wait_ms=SILENT_MS)
        for place, records in taken.items():
            if place in left:
                found[place] += [one for one in records if one.offset < left[place]]
                if records[-1].offset + 1 >= left[place]:
                    reader.leave(place)
                    del left[place]
        if not taken:
            for place in [place for place in left if place.topic == topics.TABLES]:
                reader.leave(place)
                del left[place]
    return found
