"""Away: the partitions whose wallet has said that it cannot book, so that no money is asked of it.

Each word holds for a while and is told again as long as it is true: one that was the last of a
wallet that died holds nobody off for ever. Folds nothing and commits nothing; a reservation that
stands already waits for its answer, whatever is said here.
"""

from __future__ import annotations

from typing import Final

# Five words: one that is lost, or late behind an election of brokers, lets nobody in.
HOLDS_MS: Final = 10_000


class Away:
    """Until when the last word of each partition's wallet holds."""

    def __init__(self) -> None:
        self._until_ms: dict[int, int] = {}

    def told(self, partition: int, away: bool, time_ms: int) -> None:
        """Its wallet said so then."""
        if away:
            self._until_ms[partition] = time_ms + HOLDS_MS
        else:
            self._until_ms.pop(partition, None)

    def holds(self, partition: int, now_ms: int) -> bool:
        """Whether the partition's wallet cannot book now, by what it said."""
        return now_ms < self._until_ms.get(partition, 0)
