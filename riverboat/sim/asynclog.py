"""The simulated log as coroutines read and write it: the face of riverboat/log/log.py, in virtual
time. It has no fault of its own; those are the log's behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from riverboat.log.log import Append, AppendFailed, Place, Record, Sent
from riverboat.sim.simlog import SimLog

LOOK_S: Final = 0.2  # between two looks of a reader that waits
OWNED_S: Final = 0.5


class AsyncLog:
    """The log of one life of one process."""

    disk_low: Final = False

    def __init__(
        self, log: SimLog, reader: str, partitions: int, owned: Callable[[], frozenset[int]]
    ) -> None:
        self._log = log
        self._reader = reader
        self._partitions = partitions
        self._owned = owned

    def append(self, batch: Sequence[Append]) -> Sent:
        return Sent(None, self._handed(batch))

    async def submit(self, batch: Sequence[Append]) -> None:
        """Append, and wait until it stands; raises `AppendFailed`."""
        await self._handed(batch)

    def _handed(self, batch: Sequence[Append]) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done() -> None:
            if not future.done():
                future.set_result(None)

        def failed() -> None:
            if not future.done():
                future.set_exception(AppendFailed("nobody knows what became of it"))

        self._log.append(batch, done, failed)
        return future

    def partitions(self, topic: str) -> int:
        return self._partitions

    def reader(self) -> AsyncReader:
        return AsyncReader(self._log, self._reader)

    async def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        await asyncio.sleep(self._log.world.rng.randint(1, 20) / 1_000)
        return {place: self._log.end(place) for place in places}

    async def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        return {place: self._log.start(place) for place in places}

    async def time_ms(self) -> int:
        return self._log.world.now_ms

    async def join(self, group: str, member: str, topics: Sequence[str]) -> Share:
        return Share(self._owned)

    async def close(self) -> None:
        """Nothing is held."""


class AsyncReader:
    """See `Reader` in riverboat/log/log.py."""

    def __init__(self, log: SimLog, reader: str) -> None:
        self._log = log
        self._reader = reader
        self._next: dict[Place, int] = {}

    def follow(self, place: Place, offset: int) -> None:
        self._next[place] = offset

    def leave(self, place: Place) -> None:
        self._next.pop(place, None)

    async def take(
        self, *, most: int = 4096, wait_ms: int | None = None
    ) -> dict[Place, list[Record]]:
        world = self._log.world
        until_ms = None if wait_ms is None else world.now_ms + wait_ms
        while True:
            found = {}
            for place, offset in self._next.items():
                records = self._log.visible(self._reader, place, offset)
                if records:
                    found[place] = records
                    self._next[place] = records[-1].offset + 1
            if found or (until_ms is not None and world.now_ms >= until_ms):
                return found
            await asyncio.sleep(LOOK_S)

    async def close(self) -> None:
        """Nothing is held."""


class Share:
    """See `Membership` in riverboat/log/log.py; of the offsets nobody here keeps any."""

    def __init__(self, owned: Callable[[], frozenset[int]]) -> None:
        self._owned = owned

    @property
    def owned(self) -> frozenset[int]:
        return self._owned()

    async def changed(self, before: frozenset[int]) -> frozenset[int]:
        while self._owned() == before:  # noqa: ASYNC110
            await asyncio.sleep(OWNED_S)
        return self._owned()

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        """Nothing is kept."""

    async def committed(self, places: Sequence[Place]) -> dict[Place, int]:
        return {}

    async def leave(self) -> None:
        """The partitions are others' at once, or never were."""
