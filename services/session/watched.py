"""Watched: one table that somebody looks at, and who looks.

It remembers who is told what; it tells nobody anything, and what a viewer may see is not asked
here.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from riverboat.game.table.state import Table
from riverboat.game.table.wishes import away
from services.session import frames, views
from services.session.later import Later
from services.session.stream import Stream

# Changes kept at hand for clients that come back: about two hands.
KEPT: Final = 64


class Watched:
    """One table that somebody looks at."""

    __slots__ = (
        "away",
        "cards",
        "changes",
        "empty_ms",
        "held",
        "interest",
        "later",
        "places",
        "players",
        "table",
        "turn",
        "viewers",
    )

    def __init__(self, table: Table) -> None:
        self.table = table.id
        self.away = away(table)  # who is, as everybody was told
        self.changes: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.viewers: dict[Stream, None] = {}  # streams told of each change at once
        self.later: Later | None = None  # those who are told it later, where there is a delay
        self.players: dict[str, dict[Stream, int]] = {}  # streams of a player, with his index there
        # The streams that follow for a player, or for nobody (""), those among them that are not
        # told yet too: for these players private parts are made.
        self.interest: dict[str, dict[Stream, None]] = {}
        self.held = {one.id: one.player for one in table.reservations.values()}
        self.turn = (table.hand.id, table.hand.turn_number) if table.hand is not None else ("", 0)
        # By seat: the hand and the places of its own cards, and the cards that they are.
        self.cards: dict[int, tuple[tuple[str, tuple[int, ...]], tuple[int, ...]]] = {}
        self.places = views.places(table)  # of those who wait, as they were told
        self.empty_ms = 0  # since when nobody looks

    def streams(self) -> list[Stream]:
        """All streams that are told, at once or later."""
        late = () if self.later is None else self.later.viewers
        return [*self.viewers, *late]

    def since(self, table: Table, seen: int) -> list[bytes]:
        """What brings a client that knows version `seen` up to now."""
        if seen == table.version:
            return []
        changes = self.changes
        if 0 < seen < table.version and changes and changes[0][0] <= seen + 1:
            return [frame for version, frame in changes if version > seen]
        return [frames.snapshot(table)]
