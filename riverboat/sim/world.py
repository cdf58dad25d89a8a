"""Virtual time and chance: one seed decides everything that happens, and when.

Nothing here knows of poker, logs or processes.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Final

EPOCH_MS: Final = 1_700_000_000_000
TOLD_MOST: Final = 400  # what is kept of the story, for whoever must read how a law broke
WAVES: Final = (1, 2, 8, 1_000)  # one record at a time, some, and as many as there are

Act = Callable[[], None]


class World:
    """A moment, and what is to happen after it."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.now_ms = EPOCH_MS
        self.reached: Counter[str] = Counter()  # how often each fault really happened
        self.story: deque[tuple[int, str]] = deque(maxlen=TOLD_MOST)
        self._heap: list[tuple[int, int, Act]] = []
        self._count = 0

    def at(self, at_ms: int, act: Act) -> None:
        """Do this then; what is set for the same moment happens in the order of its setting."""
        self._count += 1
        heapq.heappush(self._heap, (max(at_ms, self.now_ms), self._count, act))

    def after(self, delay_ms: float, act: Act) -> None:
        """Do this so much later."""
        self.at(self.now_ms + int(delay_ms), act)

    def run(self, until: Callable[[], bool], end_ms: int) -> None:
        """Let time pass until `until` says so, or until `end_ms`."""
        heap = self._heap
        while heap and not until():
            if heap[0][0] > end_ms:
                self.now_ms = end_ms
                return
            self.now_ms, _, act = heapq.heappop(heap)
            act()

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens now."""
        return probability > 0 and self.rng.random() < probability

    def wave(self) -> int:
        """How many records a process decides on before it does anything else."""
        return self.rng.choice(WAVES)

    def reach(self, fault: str, times: int = 1) -> None:
        """A fault of the list really happened."""
        self.reached[fault] += times

    def tell(self, *words: object) -> None:
        """Remember what happened, for whoever must read how a law broke."""
        self.story.append((self.now_ms - EPOCH_MS, " ".join(str(word) for word in words)))


class Machine:
    """The clock of a simulated machine: it may be far off, and it may jump."""

    def __init__(self, tell: Callable[[], int]) -> None:
        self._tell = tell

    def now_ms(self) -> int:
        """What it says."""
        return self._tell()
