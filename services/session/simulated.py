"""The session's edge for the simulator: the real hall and its streams, without a process around it.

The simulator says who looks and takes what they are told. Nothing of the hall itself is simulated,
and nothing here asks or answers a player.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from riverboat.game.commands import Asked
from riverboat.game.record import Record
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Append
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.clock import Clock
from riverboat.runtime.observe import Metrics
from riverboat.sim.views import ONLOOKER, Told
from riverboat.wire.v1.access_pb2 import Role
from services.session.desk import Desk
from services.session.hall import Hall
from services.session.onlookers import NO_PLAYER
from services.session.stream import Stream

PLAYER: Final = frozenset({Role.ROLE_PLAYER})


class SimulatedAudience:
    """See `Audience` in riverboat/sim/views.py."""

    def __init__(self, decks: Decks, clock: Clock, hall: type[Hall] = Hall) -> None:
        desk = Desk(lambda _table: None, _nothing_is_sent, clock, _nothing_is_drawn)
        self._hall = hall(desk, decks, clock, Metrics())
        self._streams: dict[str, Stream] = {}
        self._told: list[Told] = []

    def see(self, table: Table, record: Record, found: log.Record) -> None:
        self._hall.see(table, record, found)

    def look(self, viewer: str, table: Table, seen: int) -> None:
        stream = self._streams.get(viewer)
        if stream is None:
            caller = Caller(viewer, PLAYER, 1 << 62)
            stream = self._streams[viewer] = _Heard(caller, self._told)
        index = NO_PLAYER if viewer.startswith(ONLOOKER) else 0
        if index not in stream.tables.get(table.id, ()):
            self._hall.follow(stream, index, table, seen)

    def leave(self, viewer: str) -> None:
        stream = self._streams.pop(viewer, None)
        if stream is not None:
            self._hall.close(stream)

    def cut(self) -> Callable[[], Sequence[Told]]:
        return partial(self._tell, self._hall.cut())

    def _tell(self, release: Callable[[], None]) -> Sequence[Told]:
        release()
        told = self._told.copy()
        self._told.clear()
        return told


class _Heard(Stream):
    """A stream whose client reads at once."""

    __slots__ = ("_told", "_viewer")

    def __init__(self, caller: Caller, told: list[Told]) -> None:
        super().__init__(Call(caller, caller.id), caller.id)
        self.players.append(caller)
        self._viewer = caller.id
        self._told = told

    def push(self, frame: bytes) -> None:
        if not self.closed:
            self._told.append(Told(self._viewer, frame))


def _nothing_is_sent(_batch: Sequence[Append], _said: Sequence[Asked] = ()) -> asyncio.Future[None]:
    raise AssertionError("who only looks asks nothing")


def _nothing_is_drawn(_size: int) -> bytes:
    raise AssertionError("who only looks numbers nothing")
