"""Reminders: which owed answers are told again now, ever more seldom. Sends nothing.

Time is counted in looks: whoever looks says how far apart they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from riverboat.game.commands import Ordered


class _Next(NamedTuple):
    """When an order is told again."""

    look: int
    wait: int  # looks from there to the time after


class Reminders:
    """The orders that are owed, and how long each waits."""

    def __init__(self, looks_most: int) -> None:
        """No order waits for more looks than this, however often it was told."""
        self._most = looks_most
        self._look = 0
        self._next: dict[str, _Next] = {}

    def due(self, owed: Sequence[Ordered]) -> list[Ordered]:
        """Of all that is owed at this look: what was at the last too, and has waited enough.

        A table that stands still is not reminded every second for as long as it does.
        """
        self._look += 1
        found = []
        known, self._next = self._next, {}
        for order in owed:
            at = known.get(order.id, _Next(self._look + 1, 1))
            if at.look <= self._look:
                found.append(order)
                wait = min(2 * at.wait, self._most)
                at = _Next(self._look + wait, wait)
            self._next[order.id] = at
        return found
