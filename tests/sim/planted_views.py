"""Bugs planted back into what viewers are told, as subclasses of the session's hall.

What they do wrong is told by their docstrings; that they are caught is test_planted.py's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from riverboat.game.hand.state import Hand, Seat
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.runtime.clock import Clock
from riverboat.runtime.observe import Metrics
from services.session import frames
from services.session.desk import Desk, Pending
from services.session.hall import Hall
from services.session.onlookers import View
from services.session.own import Own
from services.session.simulated import SimulatedAudience
from services.session.watched import Watched


def audience(hall: type[Hall]) -> Callable[[Decks, Clock], SimulatedAudience]:
    """Sessions with this hall."""
    return lambda decks, clock: SimulatedAudience(decks, clock, hall)


class Overheard(Hall):
    """What one player alone may see goes to all who look."""

    def _deliver(
        self,
        watched: Watched,
        frame: bytes,
        privates: Mapping[str, bytes],
        pending: Pending | None,
        view: View,
    ) -> None:
        super()._deliver(watched, frame, privates, pending, view)
        for stream in watched.viewers:
            for seen in privates.values():
                stream.push(frames.private(0, seen))


class WrongSeat(Hall):
    """A player is shown the cards of whoever was dealt in first."""

    def __init__(self, desk: Desk, decks: Decks, clock: Clock, metrics: Metrics) -> None:
        super().__init__(desk, decks, clock, metrics)
        self._own = _WrongSeat(decks, self.preacts)


class _WrongSeat(Own):
    def _cards(self, table: Table, hand: Hand, watched: Watched, seat: Seat) -> tuple[int, ...]:
        return super()._cards(table, hand, watched, next(iter(hand.seats.values())))


class LastHand(Hall):
    """A player is shown the cards that lay at his places in the hand before."""

    def __init__(self, desk: Desk, decks: Decks, clock: Clock, metrics: Metrics) -> None:
        super().__init__(desk, decks, clock, metrics)
        self._own = _LastHand(decks, self.preacts)


class _LastHand(Own):
    def _cards(self, table: Table, hand: Hand, watched: Watched, seat: Seat) -> tuple[int, ...]:
        where = table.id, seat.seat, seat.places
        kept = self.__dict__.setdefault("_kept", {})
        cards = super()._cards(table, hand, watched, seat)
        found: tuple[int, ...] = kept.setdefault(where, cards)
        return found
