"""Wishes: what a player has asked for is his own until it takes effect.

Who sits out of a hand that he is in is away, for everybody else, when the hand is over: until then
he may be about to act. Looks at what has happened; changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.table.events import Event, SatIn, SatOut
from riverboat.game.table.seats import in_hand
from riverboat.game.table.state import Table

ASKED = "asked"


def away(table: Table) -> frozenset[str]:
    """Who is away as everybody may know: out of the running hand, too."""
    return frozenset(
        sitting.player
        for seat, sitting in table.sittings.items()
        if sitting.away and not in_hand(table, seat)
    )


def by_now(
    events: Sequence[Event | None], before: frozenset[str], now: frozenset[str]
) -> list[Event | None]:
    """A record's events as everybody may know of them, who were `away` before it and are now.

    Whose wish took effect by it sits out now: his own event came at a time when it was a wish.
    """
    seen: list[Event | None] = []
    told: set[str] = set()
    for event in events:
        if isinstance(event, SatOut):
            told.add(event.player)
            seen.append(event if event.player in now else None)
        elif isinstance(event, SatIn):
            seen.append(event if event.player in before else None)
        else:
            seen.append(event)
    here = sorted(now - before - told)
    return [*seen, *[SatOut(player, ASKED) for player in here]]
