"""Tail: reads a topic from its beginning and goes on with it, whatever the log does meanwhile.

For what every session process must know and none owns. It does not know what a record holds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from riverboat.log import log
from riverboat.log.log import Log, LogError, Place
from riverboat.runtime.logs import facts

logger = logging.getLogger(__name__)

# What is not reached is tried again after this.
AGAIN_S: Final = 1.0

Hear = Callable[[log.Record, bool], None]


class Tail:
    """One process's reading of one topic."""

    def __init__(self, network: Log, topic: str, hear: Hear) -> None:
        """`hear` is told every record, and whether it came after the start of this.

        It may be told one more than once, where the log was away.
        """
        self.caught_up = asyncio.Event()
        self._log = network
        self._topic = topic
        self._hear = hear

    async def run(self) -> None:
        """Read until cancelled."""
        count = self._log.partitions(self._topic)
        places = [Place(self._topic, partition) for partition in range(count)]
        ends: dict[Place, int] = {}
        while True:
            try:
                # What came while the log was away is news still.
                ends = ends or await self._log.ends(places)
                await self._read(places, ends)
            except LogError as error:
                logger.warning(
                    "a topic cannot be read", extra=facts(topic=self._topic, reason=str(error))
                )
                await asyncio.sleep(AGAIN_S)

    async def _read(self, places: list[Place], ends: dict[Place, int]) -> None:
        starts = await self._log.starts(places)
        behind = {place for place in places if starts[place] < ends[place]}
        reader = self._log.reader()
        try:
            for place in places:
                reader.follow(place, starts[place])
            while True:
                if not behind:
                    self.caught_up.set()
                for place, records in (await reader.take()).items():
                    for record in records:
                        self._hear(record, record.offset >= ends[place])
                    if records and records[-1].offset + 1 >= ends[place]:
                        behind.discard(place)
        finally:
            await reader.close()
