"""One table idle for a year in a partition of many records: a start reads none of them.

On a real embedded log, taken up by a real node.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.runtime.clock import LogClock, ManualClock
from riverboat.runtime.node import Node
from riverboat.runtime.recovery import Snapshots
from riverboat.runtime.step import Step
from tests.runtime.rig import TABLE, Rig, playing, table_of
from tests.runtime.test_recovery import HAND_LOG

YEAR_MS = 365 * 86_400_000
BATCH = 5_000
QUICK, DEEP = 20_000, 2_000_000
OTHERS = b"what others wrote, of which nobody here needs anything any more"
SECONDS_MOST = 5.0


class Quiet:
    """An edge of the node: it sees that no hand is being played any more."""

    def __init__(self, step: Step) -> None:
        self.called_off = asyncio.Event()
        self._step = step

    def cut(self) -> Callable[[], None]:
        entry = self._step.tables.entries.get(TABLE)
        if entry is not None and entry.table.hand is None:
            return self.called_off.set
        return lambda: None


async def grown(folder: Path, rig: Rig, snapshots: Snapshots, records: int) -> EmbeddedLog:
    """The rig's log on disk, with a snapshot, then so many records of others and a mark."""
    network = await EmbeddedLog.open(folder, topics.topics_with(1), clock=lambda: rig.now_ms)
    for place, found in rig.places.items():
        await network.append([Append(*place, one.key, one.value) for one in found]).durable
    appends, taken = snapshots.take(0, rig.now_ms)
    await network.append(appends).durable
    snapshots.landed(0, taken)
    others = [Append(topics.HAND_LOG, 0, "2.0", OTHERS)] * BATCH
    for _ in range(records // BATCH):
        await network.append(others).durable
    return network


async def started(folder: Path, records: int) -> tuple[float, int]:
    """How long a node takes until it has caught up, and how many records it has read."""
    rig, step = playing()
    snapshots = Snapshots(step)
    snapshots.know(0, {}, rig.now_ms)
    network = await grown(folder, rig, snapshots, records)
    step.follow(HAND_LOG, (await network.ends([HAND_LOG]))[HAND_LOG])  # read, and all of it stale
    await network.append(snapshots.landed(0, [])).durable
    await network.close()

    later_ms = rig.now_ms + YEAR_MS
    began = time.perf_counter()
    network = await EmbeddedLog.open(folder, topics.topics_with(1), clock=lambda: later_ms)
    again = rig.step(name="later", owns=False)
    broke: list[BaseException] = []
    quiet = Quiet(again)
    node = Node(
        network,
        again,
        LogClock(ManualClock(later_ms)),
        member="later",
        incarnation=lambda: "later.2",
        edges=[quiet],
        follows=[0],
        fatal=broke.append,
    )
    try:
        await node.start()
        await node.caught_up.wait()
        took = time.perf_counter() - began
        # What was being played a year ago is called off, and its chips are back.
        await asyncio.wait_for(quiet.called_off.wait(), 30)
        assert table_of(again).version > table_of(step).version
        assert table_of(again).bought_in == table_of(step).bought_in
        assert not broke
        counts = again.counts
        return took, counts.applied + counts.stale + counts.unreadable - counts.decided
    finally:
        await node.stop()
        await network.close()


@pytest.mark.parametrize(
    "records", [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(1_800)])]
)
def test_a_start_reads_nothing_of_a_year_that_a_table_was_idle(
    records: int, tmp_path: Path
) -> None:
    took, read = asyncio.run(started(tmp_path, records))
    assert read <= 0, "all that stands is covered by the snapshot and the mark"
    assert took < SECONDS_MOST
