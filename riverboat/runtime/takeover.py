"""Taking a partition up: snapshots first, then the log from the mark. [ARCHITECTURE 4]

It reads what stands and tells the step where to begin. It writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from riverboat.log import log, topics
from riverboat.log.log import Log, Membership, Place
from riverboat.runtime.recovery import begin, check_head, newest_head
from riverboat.runtime.step import Step


class Begun(NamedTuple):
    """What a partition stood at when it was taken up."""

    versions: dict[str, int]  # snapshots that stand
    ends: dict[Place, int]  # read to here before deciding


async def history(network: Log, place: Place, start: int, end: int) -> list[log.Record]:
    """All records of `place` from `start` on, up to `end`."""
    found: list[log.Record] = []
    if start >= end:
        return found
    reader = network.reader()
    try:
        reader.follow(place, start)
        while not found or found[-1].offset + 1 < end:
            taken = await reader.take(wait_ms=1_000)
            found += taken.get(place, [])
            if not taken and (await network.ends([place]))[place] <= (
                found[-1].offset + 1 if found else start
            ):
                break  # a compacted topic's last offsets may be gone
    finally:
        await reader.close()
    return [record for record in found if record.offset < end]


async def begin_partition(
    network: Log, step: Step, partition: int, memberships: Sequence[Membership]
) -> Begun:
    """Restore the partition's tables into the step and set where each input goes on."""
    tables = Place(topics.TABLES, partition)
    hand_log = Place(topics.HAND_LOG, partition)
    inputs = step.inputs(partition)
    ends = await network.ends([*inputs, tables])
    starts = await network.starts([*inputs, tables])
    start = begin(await history(network, tables, starts[tables], ends[tables]))
    newest = newest_head(start)
    if newest is not None:
        name, at = newest
        end = min(at + 1, ends[hand_log])
        check_head(start, name, await history(network, hand_log, min(at, end), end))
    for name, table in start.tables.items():
        step.tables.restore(table, partition, start.heads[name])
    step.follow(hand_log, max(start.offset, starts[hand_log]))
    if start.behind:
        lowest = min(start.behind.values())
        again = await history(network, hand_log, lowest, start.offset)
        for name, offset in start.behind.items():
            later = [found for found in again if found.offset >= offset]
            step.tables.catch_up(name, partition, later)
    messages = [place for place in inputs if place != hand_log]
    for place in messages:
        step.follow(place, starts[place])
    committed: dict[Place, int] = {}
    for membership in memberships:
        for place, offset in (await membership.committed(messages)).items():
            committed[place] = min(offset, committed.get(place, offset))
    for place, offset in committed.items():
        step.follow(place, max(offset, starts[place]))
    return Begun(start.versions, {place: ends[place] for place in inputs})
