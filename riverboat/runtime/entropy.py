"""Entropy: where unpredictable bytes come from.

A source is a callable from a number of bytes to those bytes. It is passed to whoever needs it and
never looked up, so one seed repeats a whole simulation. Nothing here turns bytes into cards.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable

Entropy = Callable[[int], bytes]


def system(count: int) -> bytes:
    """`count` bytes from the operating system's generator: the only source real play may use."""
    return os.urandom(count)


class Seeded:
    """Bytes that repeat from a seed: for tests and simulations, never for real play."""

    def __init__(self, seed: int | str) -> None:
        self._seed = str(seed)
        self._drawn = 0

    def __call__(self, count: int) -> bytes:
        self._drawn += 1
        # SHAKE gives as many bytes as are asked for; the draw's number keeps draws apart.
        return hashlib.shake_256(f"{self._seed}/{self._drawn}".encode()).digest(count)

    def child(self, name: str) -> Seeded:
        """An independent source for one part of a simulation.

        What the part draws does not depend on how much others have drawn before it.
        """
        return Seeded(f"{self._seed}:{name}")
