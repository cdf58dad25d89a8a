"""The clock: what time it is, in milliseconds since the epoch, for whoever must know.

The log's append time is the only time that counts [ARCHITECTURE 4]; a machine's clock only guesses
it, and is corrected here by what is read back. Nothing here sleeps, and nothing that folds or
decides ever asks a clock: time reaches it as data.
"""

from __future__ import annotations

import time
from typing import Protocol

# Beyond this much disagreement with the log a process is not ready. [ARCHITECTURE 4]
DISAGREEMENT_MS_MAX = 1_000

# Bounds older than two windows no longer say anything about a clock that drifts or was set.
WINDOW_MS = 30_000


class Clock(Protocol):
    """Tells the time; nothing else."""

    def now_ms(self) -> int:
        """Milliseconds since the epoch."""


class SystemClock:
    """The machine's own clock."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def steady_ms(self) -> int:
        """Milliseconds from anywhere: this count goes on while people set the clock."""
        return time.monotonic_ns() // 1_000_000


class ManualClock:
    """A clock that stands still until it is moved: for tests and for simulated time."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def advance(self, ms: int) -> None:
        """Let `ms` pass; a negative number sets the clock back, as people do to real ones."""
        self._now_ms += ms


class LogClock:
    """The log's time, told from a machine's clock and corrected by what is read back.

    Let `ahead` be how far the log's clock is ahead of ours. A record stamped T and read when we
    say L was appended before it was read: ahead >= T - L. If we also handed it over, when we said
    S, then ahead <= T - S. Between the two the clock is left alone, so a slow reader, or one that
    reads last year's records, corrects nothing that is right.
    """

    def __init__(self, inner: Clock) -> None:
        self._inner = inner
        self._ahead_ms = 0
        # The bounds of this window and of the one before it; None: nothing was learned.
        self._least: list[int | None] = [None, None]
        self._most: list[int | None] = [None, None]
        self._window_ends_ms = 0

    @property
    def disagreement_ms(self) -> int:
        """How far the machine's clock is off, as far as what was read shows."""
        return abs(self._ahead_ms)

    @property
    def agrees(self) -> bool:
        """Whether the machine's clock is near enough to the log's for the process to be ready."""
        return self.disagreement_ms <= DISAGREEMENT_MS_MAX

    def now_ms(self) -> int:
        return self._inner.now_ms() + self._ahead_ms

    def machine_ms(self) -> int:
        """What the machine's own clock says: the S and L of `read_back`."""
        return self._inner.now_ms()

    def read_back(self, stamped_ms: int, sent_ms: int | None = None) -> None:
        """Learn from a record just read; once per batch, with its last record, is enough.

        `sent_ms` is what `machine_ms` said before this process handed over the record, or the
        command that it answers.
        """
        read_ms = self._inner.now_ms()
        if not self._window_ends_ms - WINDOW_MS <= read_ms < self._window_ends_ms:
            self._next_window(read_ms)
        least = stamped_ms - read_ms
        most = None if sent_ms is None else stamped_ms - sent_ms
        self._least[0] = _max(self._least[0], least)
        self._most[0] = _min(self._most[0], most)
        floor = _max(*self._least)
        ceiling = _min(*self._most)
        if floor is not None and ceiling is not None and floor > ceiling:
            # A clock, ours or the log's, was set within the window: only the newest record counts.
            self._least, self._most = [least, None], [most, None]
            floor, ceiling = least, most
        self._ahead_ms = max(floor or 0, 0) or min(ceiling or 0, 0)

    def _next_window(self, now_ms: int) -> None:
        # A clock that was set back, or that jumped over a whole window, is not the clock of which
        # something was learned before.
        follows = self._window_ends_ms <= now_ms < self._window_ends_ms + WINDOW_MS
        self._least = [None, self._least[0] if follows else None]
        self._most = [None, self._most[0] if follows else None]
        self._window_ends_ms = now_ms + WINDOW_MS


def _max(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return max(one, other)


def _min(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
