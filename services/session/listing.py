"""Listing: what the list of tables tells of each, which is what an onlooker may know by now.

Where a table is seen later, its hands and its chairs are listed as much later. What it was before
this process knew it is not told. Nobody who follows a table is told anything here.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from riverboat.game.table.state import Table
from riverboat.runtime.clock import Clock
from riverboat.wire.v1.session_pb2 import ListTablesRequest, TableLine
from services.session import views

# Of one table: more than it changes in the longest delay, unless somebody makes it change.
KEPT: Final = 1_024


class _Listed(NamedTuple):
    due_ms: int
    taken: int
    hands: int
    waiting: int


_NOTHING: Final = _Listed(0, 0, 0, 0)


class Listing:
    """The tables as they are listed."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._later: dict[str, deque[_Listed]] = {}  # of tables that are seen later, oldest first

    def see(self, table: Table) -> None:
        """Remember when what has happened at the table may be listed."""
        settings = table.settings
        if settings is None or not settings.view_delay_ms or table.closed:
            self._later.pop(table.id, None)
            return
        known = self._later.setdefault(table.id, deque(maxlen=KEPT))
        listed = _listed(table)
        if not known or known[-1][1:] != listed[1:]:
            self._let_go(known)
            known.append(listed)

    def line(self, table: Table) -> TableLine:
        """The table as an onlooker may know it."""
        line = views.table_line(table)
        settings = table.settings
        if settings is not None and settings.view_delay_ms:
            due = self._due(table)
            line.taken, line.hands, line.waiting = due.taken, due.hands, due.waiting
        return line

    def finds(self, table: Table, request: ListTablesRequest) -> TableLine | None:
        """The table's line, if it is one of those that are asked for."""
        settings = table.settings
        if settings is None or table.closed or table.id <= request.after:
            return None
        if request.variant and settings.variant != request.variant:
            return None
        if request.limit and settings.limit != request.limit:
            return None
        line = self.line(table)
        if not request.free:
            return line
        # A chair that is free while others wait is offered to them.
        is_open = not (line.closing or line.draining or line.waiting)
        return line if is_open and line.taken < settings.seats else None

    def _due(self, table: Table) -> _Listed:
        known = self._later.get(table.id)
        if known:
            self._let_go(known)
            return known[0] if known[0].due_ms <= self._clock.now_ms() else _NOTHING
        # Not touched since this process began: it may have been long before.
        now = _listed(table)
        return now if now.due_ms <= self._clock.now_ms() else _NOTHING

    def _let_go(self, known: deque[_Listed]) -> None:
        now_ms = self._clock.now_ms()
        while len(known) > 1 and known[1].due_ms <= now_ms:
            known.popleft()


def _listed(table: Table) -> _Listed:
    settings = table.settings
    assert settings is not None, "only a table that was opened is listed"
    due_ms = table.time_ms + settings.view_delay_ms
    return _Listed(due_ms, views.taken(table), table.hands, len(table.waiters))
