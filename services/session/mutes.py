"""Mutes: who does not want to hear whom, in a topic of its own that forgets none of it.

Every session process reads all of it, so a mute holds wherever its player comes next, until he
lifts it. Nothing that was said stands here.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from riverboat.log import log
from riverboat.log.log import Append, Log, LogError
from riverboat.log.topics import MUTES
from riverboat.runtime import errors
from riverboat.runtime.auth import is_subject
from riverboat.runtime.errors import BadInput, Fault
from riverboat.wire.v1 import chat_pb2 as pb
from services.session.tail import Tail

# Whom one player does not hear, at most, and how many such players are remembered.
MUTED_MOST: Final = 256
PLAYERS_MOST: Final = 50_000

Deaf = Callable[[str], None]
NOBODY: Final[frozenset[str]] = frozenset()


class Mutes:
    """One process's knowledge of them."""

    def __init__(self, network: Log) -> None:
        self.deaf: Deaf = _unchanged  # told who hears others than before
        self._log = network
        self._muted: OrderedDict[str, frozenset[str]] = OrderedDict()  # by who does not hear them
        self._tail = Tail(network, MUTES, self._hear)
        self.caught_up = self._tail.caught_up

    def of(self, player: str) -> frozenset[str]:
        """Whom this player does not hear."""
        return self._muted.get(player, NOBODY)

    def by(self, players: Iterable[str]) -> frozenset[str]:
        """Whom one of these players does not hear."""
        return NOBODY.union(*map(self.of, players))

    async def mute(self, by: str, request: pb.MuteRequest) -> Fault | None:
        """Let a player hear this one no longer, or again."""
        player = request.player
        if not is_subject(player):
            return errors.bad_input(BadInput("player", "must be a player's id"))
        known = self.of(by)
        if not request.lift and player not in known and len(known) >= MUTED_MOST:
            return errors.exhausted("TOO_MANY_MUTED", f"at most {MUTED_MOST} players", 0)
        # One key for both of them: the newest record of it is what holds, and none when lifted.
        record = pb.ChatRecord(by=by, muted=pb.Muted(player=player))
        value = None if request.lift else record.SerializeToString()
        partition = zlib.crc32(by.encode()) % self._log.partitions(MUTES)
        try:
            await self._log.append([Append(MUTES, partition, f"{by} {player}", value)]).durable
        except LogError:
            return errors.unavailable("NOT_SAID", "the log does not take it now")
        return None

    async def run(self) -> None:
        """Read them all, and then what changes."""
        await self._tail.run()

    def _hear(self, record: log.Record, _is_news: bool) -> None:
        by, _, player = record.key.partition(" ")
        known = self.of(by) - {player}
        if record.value is not None and len(known) < MUTED_MOST:
            known |= {player}
        self._muted.pop(by, None)
        if known:
            self._muted[by] = known
            if len(self._muted) > PLAYERS_MOST:
                self._muted.popitem(last=False)
        self.deaf(by)


def _unchanged(_player: str) -> None:
    """Nobody listens yet."""
