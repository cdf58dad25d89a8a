"""Fences: ends of the inputs, fetched after a deadline. [ARCHITECTURE 4, time]

An alarm that takes something from a player waits here until every input of its partition was read
to an end that was fetched after the deadline: an act that was in time is then read, and wins.
"""

from __future__ import annotations

from collections.abc import Mapping

from riverboat.log.log import Place
from riverboat.runtime.entry import Entry


class Fences:
    """Per partition, up to when every input in time is surely read."""

    def __init__(self) -> None:
        # Partitions that are being read up to their ends: what is overdue there by what was read so
        # far may have been done long ago, so nobody stands in for its owner.
        self.behind: set[int] = set()
        self._fences: dict[int, tuple[int, Mapping[Place, int]]] = {}
        self._settled_ms: dict[int, int] = {}
        self._waiting: dict[int, dict[str, Entry]] = {}

    def settled(self, entry: Entry, due_ms: int) -> bool:
        """Whether all that came before `due_ms` was read; else the table waits for a fence."""
        if self.read_after(entry.partition, due_ms):
            return True
        self._waiting[entry.partition][entry.table.id] = entry
        return False

    def read_after(self, partition: int, due_ms: int) -> bool:
        """Whether all that came to the partition before `due_ms` was read; else a fence is due."""
        if self._settled_ms.get(partition, -1) >= due_ms:
            return True
        self._waiting.setdefault(partition, {})
        return False

    def wanted(self) -> list[int]:
        """Partitions where somebody waits and no fence is on its way."""
        return [partition for partition in self._waiting if partition not in self._fences]

    def set(self, partition: int, at_ms: int, ends: Mapping[Place, int]) -> None:
        """`ends` of the partition's inputs, whose fetching began at `at_ms`."""
        self._fences[partition] = (at_ms, ends)

    def check(self, partition: int, positions: Mapping[Place, int]) -> Mapping[str, Entry]:
        """The tables that need not wait any more, now that so much is read."""
        fence = self._fences.get(partition)
        if fence is None:
            return {}
        at_ms, ends = fence
        if any(positions.get(place, 0) < end for place, end in ends.items()):
            return {}
        del self._fences[partition]
        self._settled_ms[partition] = at_ms
        return self._waiting.pop(partition, {})

    def forget(self, partition: int) -> None:
        """Nothing waits here any more."""
        self.behind.discard(partition)
        for kept in (self._fences, self._settled_ms, self._waiting):
            kept.pop(partition, None)
