"""Upkeep: what a process looks at once a second: its lag, its disk, its metrics.

It tells the step whether hands may start, and nothing else. It decides nothing about a table.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Log, LogError, Place
from riverboat.runtime.clock import DISAGREEMENT_MS_MAX, LogClock
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.step import Step
from services.cli.network_log import ahead_ms

logger = logging.getLogger(__name__)

EVERY_S: Final = 1.0
# No new hands while a partition lags by this. [ARCHITECTURE 7]
LAG_MS_MOST: Final = 2_000


class Lag:
    """Since when each place has had records that were not read."""

    def __init__(self) -> None:
        self._behind: dict[Place, tuple[int, int]] = {}  # an end not reached yet, and since when

    def look(self, ends: Mapping[Place, int], positions: Mapping[Place, int], now_ms: int) -> int:
        """How long the oldest of the records not read has been there, as far as looks tell."""
        for place, end in ends.items():
            position = positions.get(place, 0)
            reached = self._behind.get(place)
            if reached is not None and position >= reached[0]:
                del self._behind[place]
            if position < end:
                self._behind.setdefault(place, (end, now_ms))
        return max((now_ms - since for _, since in self._behind.values()), default=0)


class Upkeep:
    """One process's upkeep."""

    def __init__(self, network: Log, step: Step, clock: LogClock, metrics: Metrics) -> None:
        self._log = network
        self._step = step
        self._clock = clock
        self._metrics = metrics
        self._lag = Lag()
        self._clock_off = False  # as was told

    async def run(self) -> None:
        """Look once a second."""
        while True:
            await self.look()
            await asyncio.sleep(EVERY_S)

    async def look(self) -> None:
        """Look now."""
        positions = self._step.positions
        try:
            ends = await self._log.ends(list(positions))
        except LogError:
            # A log that does not answer is one that nobody can keep up with.
            self._step.may_start = False
            return
        lag_ms = self._lag.look(ends, positions, self._clock.now_ms())
        for place, end in ends.items():
            key = (place.topic, str(place.partition))
            self._metrics.lag.by[key] = max(0, end - positions.get(place, 0))
        low = isinstance(self._log, EmbeddedLog) and self._log.disk_low
        self._tell_of_clock()
        self._step.may_start = lag_ms <= LAG_MS_MOST and not low
        entries = self._step.tables.entries.values()
        self._metrics.owed.value = sum(len(entry.table.reservations) for entry in entries)

    def _tell_of_clock(self) -> None:
        off_ms = ahead_ms(self._log)
        off = off_ms > DISAGREEMENT_MS_MAX
        if off and not self._clock_off:
            logger.warning(
                "the machine's clock is behind the log's time, which goes on without it",
                extra=facts(ms=off_ms),
            )
        self._clock_off = off
