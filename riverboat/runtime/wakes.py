"""Wakes: which table a decider looks at again, and when, though nothing be read of it before.

A decider has at most one wake a table that counts, its earliest; others that stand here are passed
over. It knows nothing of clocks: whoever asks says what time it is.
"""

from __future__ import annotations

import heapq

from riverboat.runtime.entry import NEVER, Decider, Entry


class Wakes:
    """The wakes of all tables of a process."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Entry, Decider]] = []
        self._pushes = 0

    def add(self, entry: Entry, decider: Decider, at_ms: int) -> None:
        """Wake the decider for this table at `at_ms`, unless it wakes earlier anyway."""
        if at_ms < entry.wakes[decider.index]:
            entry.wakes[decider.index] = at_ms
            self._pushes += 1
            heapq.heappush(self._heap, (at_ms, self._pushes, entry, decider))

    def take(self, now_ms: int) -> Entry | None:
        """A table whose time has come, which is over then; None if there is none."""
        heap = self._heap
        while heap and heap[0][0] <= now_ms:
            _, _, entry, decider = heapq.heappop(heap)
            if entry.wakes[decider.index] <= now_ms:
                entry.wakes[decider.index] = NEVER
                return entry
        return None

    def next_ms(self) -> int:
        """When the next one is due; `NEVER` if there is none."""
        return self._heap[0][0] if self._heap else NEVER
