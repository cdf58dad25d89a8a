"""Keeping: one partition's snapshots and its mark, taken to the log. [ARCHITECTURE 4, recovery]

What is kept, and when, is for `Snapshots` to say. Decides nothing about a table.
"""

from __future__ import annotations

import logging

from riverboat.log.log import Log
from riverboat.runtime.clock import Clock
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.recovery import Snapshots

logger = logging.getLogger(__name__)


async def keep(
    network: Log, snapshots: Snapshots, partition: int, clock: Clock, metrics: Metrics | None
) -> None:
    """Write what has moved, a wave at a time, and behind each wave the mark that counts on it."""
    while True:
        appends, taken = snapshots.take(partition, clock.now_ms())
        for table, size in snapshots.news().items():
            # Nothing is lost: whoever starts reads it from the log, and the longer for it.
            named = facts(table=table, partition=partition, bytes=size)
            logger.error("a table is too large for a snapshot", extra=named)
        if metrics is not None:
            metrics.not_kept.value = snapshots.left_out
        if appends:
            await network.append(appends).durable
            mark = snapshots.landed(partition, taken)
            if mark:
                await network.append(mark).durable
        if not appends or not snapshots.unfinished(partition):
            return
