"""Limits: how much one caller may ask for in a while.

A bucket per name, in one number: when it would be full again. Names that ask for nothing cost
nothing for long. What happens to who asks for too much is not decided here.
"""

from __future__ import annotations

from riverboat.runtime.clock import Clock

# Past this many names the full buckets, which say nothing, are thrown out.
NAMES_MAX = 50_000


class Limit:
    """At most `per_second` on the long run, and `burst` at once, for each name."""

    def __init__(self, clock: Clock, *, per_second: float, burst: int) -> None:
        assert per_second > 0, "a limit lets something pass"
        assert burst >= 1, "a limit lets something pass"
        self._clock = clock
        self._cost_ms = 1_000 / per_second
        self._room_ms = burst * self._cost_ms
        self._full_at_ms: dict[str, float] = {}

    @property
    def names(self) -> int:
        """How many names are remembered."""
        return len(self._full_at_ms)

    def wait_ms(self, name: str, count: int = 1) -> int:
        """0 and the bucket is charged; or how long to wait for it, and nothing is charged."""
        now_ms = self._clock.now_ms()
        # A clock that was set back would make all wait for what they asked in its future.
        full_ms = min(max(self._full_at_ms.get(name, 0), now_ms), now_ms + self._room_ms)
        full_ms += count * self._cost_ms
        over_ms = full_ms - now_ms - self._room_ms
        # Hundredths of a millisecond are the floats' own.
        if over_ms > 0.01:
            return int(over_ms) + 1
        self._full_at_ms[name] = full_ms
        if len(self._full_at_ms) > NAMES_MAX:
            self._full_at_ms = {
                one: at_ms for one, at_ms in self._full_at_ms.items() if at_ms > now_ms
            }
        return 0
