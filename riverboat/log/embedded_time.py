"""The embedded log's own time: its machine's, and never set back.

People and time services set clocks; what was stamped stays stamped, and a player's turn goes on
meanwhile. Asks only the two clocks that it was given.
"""

from __future__ import annotations

from collections.abc import Callable

# Of so many milliseconds one is left out while the log is ahead of its machine's clock, until they
# agree again: no player notices, and after a minute's mistake they do within four hours.
SLOWER = 200


class LogTime:
    """One log's time, in ms since the epoch."""

    def __init__(self, clock: Callable[[], int], steady: Callable[[], int], newest_ms: int) -> None:
        """Nothing is told that is earlier than `newest_ms`, the last stamp of the log.

        `clock` is the machine's; `steady` counts milliseconds from anywhere, and nobody sets it.
        """
        self._clock = clock
        self._steady = steady
        self._agreed_ms = newest_ms  # the time when the machine's clock was last as good as ours
        self._since_ms = steady()

    def now_ms(self) -> int:
        """What time it is."""
        steady_ms = self._steady()
        passed_ms = steady_ms - self._since_ms
        least_ms = self._agreed_ms + passed_ms - passed_ms // SLOWER
        now_ms = self._clock()
        if now_ms < least_ms:
            return least_ms
        self._agreed_ms, self._since_ms = now_ms, steady_ms
        return now_ms

    @property
    def ahead_ms(self) -> int:
        """How far it is ahead of the machine's clock."""
        return max(0, self.now_ms() - self._clock())
