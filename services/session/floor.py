"""The floor: the session as one whole, between its callers and the tables that a process folds.

It brings desk, hall and lines together and gives them what only a running process has: the tables,
the way into the log, the time. It decides nothing about a game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Protocol

from riverboat.game.commands import Asked
from riverboat.game.ids import partition_of
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log.log import Append, LogError
from riverboat.log.topics import TABLE_COMMANDS
from riverboat.runtime import errors
from riverboat.runtime.auth import Caller
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import Fault
from riverboat.runtime.limits import Limit
from riverboat.runtime.observe import Metrics
from riverboat.wire.beats import encode_beat
from riverboat.wire.v1.chat_pb2 import MuteRequest, Notice, Said, SayRequest
from riverboat.wire.v1.seats_pb2 import PreActRequest
from services.session import frames
from services.session.chat import Chat
from services.session.desk import Desk, Send, no_table
from services.session.hall import Hall
from services.session.lines import Lines
from services.session.notices import Notices
from services.session.onlookers import NO_PLAYER
from services.session.stream import Stream

TICK_MS: Final = 250
# Whoever is silent for five of these is taken for dead. See `riverboat.runtime.beats`.
BEAT_MS: Final = 2_000


class Folded(Protocol):
    """A table as a process holds it."""

    @property
    def table(self) -> Table:
        """What its records made true so far."""


class Floor:
    """One process's session."""

    def __init__(
        self,
        *,
        identify: Callable[[str], Caller | Fault],
        decks: Decks,
        clock: Clock,
        entropy: Entropy,
        metrics: Metrics,
        instance: str,
        limit: Limit | None = None,
        calendar: Clock | None = None,
        chat: Chat | None = None,
        notices: Notices | None = None,
    ) -> None:
        """`instance` is this session's static name; `identify` tells whose a token is.

        By `calendar` tokens end, where that is another clock than the log's. Without a `chat`
        nobody speaks here.
        """
        self.identify = identify
        self.desk = Desk(self.find, self._submit, clock, entropy)
        self.hall = Hall(self.desk, decks, clock, metrics)
        self.lines = Lines(self.desk, self.hall, instance)
        self.hall.gone = self._hidden
        self.chat = chat
        if chat is not None:
            chat.told = self._said
            chat.mutes.deaf = self._deaf
        self.notices = notices
        if notices is not None:
            notices.told = self.announce
            if chat is not None:
                notices.silenced = chat.silenced
        self._instance = instance
        self._beaten_ms = 0
        self._clock = clock
        self._calendar = calendar or clock
        self._limit = limit
        self.streams: dict[Stream, None] = {}  # in the order in which they came
        self._entries: Mapping[str, Folded] = {}
        self._send: Send | None = None
        self._stopping = False

    def bind(self, entries: Mapping[str, Folded], send: Send, wake: Callable[[], None]) -> None:
        """Take up the tables that the process folds, its way into the log and its `wake`."""
        self._entries = entries
        self._send = send
        self.hall.wake = wake

    async def run(self) -> None:
        """Once caught up: end the lines of whoever bore this name before, then keep house.

        When it is cancelled the process stops: who loses his line then is not at fault.
        """
        self.lines.begin(self.tables())
        try:
            while True:
                self.tick()
                await asyncio.sleep(TICK_MS / 1_000)
        finally:
            self._stopping = True

    def stop(self) -> None:
        """This process ends: its clients go to another, or wait for the next."""
        self._stopping = True
        for stream in list(self.streams):
            stream.cut(errors.unavailable("STOPPING", "this process stops; come back"))

    def tick(self) -> None:
        """What is done a few times a second."""
        self.desk.tick()
        self.hall.tick()
        now_ms = self._clock.now_ms()
        if not 0 <= now_ms - self._beaten_ms < BEAT_MS:
            self._beaten_ms = now_ms
            self._beat()
        today_ms = self._calendar.now_ms()
        for stream in self.streams:
            for index, caller in enumerate(stream.players):
                # Who opened the stream is watched by the gate; those who joined it are not.
                if index and caller.expires_ms <= today_ms:
                    for table in list(stream.tables):
                        self.unfollow(stream, index, table)

    def _beat(self) -> None:
        """Say that this process lives, wherever a line may stand that ends here."""
        partitions = sorted({partition_of(table) for table in self.hall.played_at()})
        if not partitions:
            return
        value = encode_beat(self._instance)
        beats = [Append(TABLE_COMMANDS, one, self._instance, value) for one in partitions]
        # One that does not land is made good by the next.
        with suppress(LogError):
            self._submit(beats).add_done_callback(_unheard)

    def find(self, name: str) -> Table | None:
        """The table of this id, as far as it was folded."""
        entry = self._entries.get(name)
        return None if entry is None else entry.table

    def tables(self) -> Iterator[Table]:
        """All tables."""
        return (entry.table for entry in list(self._entries.values()))

    def admit(self, caller: Caller) -> Fault | None:
        """Why this caller's next ask of a stream is not taken, if it is not."""
        if caller.expires_ms <= self._calendar.now_ms():
            return errors.unauthenticated("TOKEN_EXPIRED", "the token has ended")
        wait_ms = 0 if self._limit is None else self._limit.wait_ms(caller.id)
        if wait_ms:
            return errors.exhausted("TOO_MANY_CALLS", "too many asks", wait_ms)
        return None

    def open(self, stream: Stream) -> None:
        """A client has come."""
        self.streams[stream] = None
        self.joined(stream)
        missed = None if self.notices is None else self.notices.missed(stream.players[0].id)
        if missed is not None:
            stream.push(frames.notice(missed))

    def joined(self, stream: Stream) -> None:
        """Who speaks on the stream has changed: it hears nobody whom one of them does not hear."""
        if self.chat is not None:
            stream.deaf = self.chat.mutes.by(caller.id for caller in stream.players)

    def _said(self, line: Said) -> None:
        table = self.find(line.table)
        if table is not None:
            self.hall.hear(table, line)

    def announce(self, notice: Notice) -> bool:
        """The house says this: to all who look at the table, or at any, or to one player.

        Says whether anybody heard it.
        """
        frame, heard = frames.notice(notice), False
        for stream in self.streams:
            if notice.player:
                hears = any(caller.id == notice.player for caller in stream.players)
            else:
                hears = notice.table in stream.tables if notice.table else bool(stream.tables)
            if hears:
                stream.push(frame)
                heard = True
        return heard

    def _deaf(self, player: str) -> None:
        for stream in self.streams:
            if any(caller.id == player for caller in stream.players):
                self.joined(stream)

    def follow(self, stream: Stream, index: int, table: Table, seen: int) -> None:
        """The stream looks at the table, for this player."""
        self.hall.follow(stream, index, table, seen)
        if index != NO_PLAYER:
            self.lines.stands(table, stream.players[index].id, stream)

    def unfollow(self, stream: Stream, index: int, name: str) -> None:
        """The stream looks at the table no longer, for this player."""
        self.hall.unfollow(stream, index, name)
        self._gone(stream, index, name)

    def pre_act(self, player: str, request: PreActRequest) -> Fault | None:
        """Keep this for the player's next turn; or why not."""
        table = self.find(request.table)
        if table is None or table.settings is None:
            return no_table(request.table)
        if not self.hall.streams_of(table.id, player):
            why = "only for who looks at the table over this process"
            return Fault(errors.FAILED_PRECONDITION, "NOT_LOOKING", why)
        return self.hall.keep(table, player, request)

    async def say(self, caller: Caller, request: SayRequest) -> Fault | None:
        """Say this at a table; or why not."""
        if self.chat is None:
            return _no_chat()
        return await self.chat.say(caller, self.find(request.table), request)

    async def mute(self, caller: Caller, request: MuteRequest) -> Fault | None:
        """Let the caller hear this player no longer, or again; or why not."""
        return _no_chat() if self.chat is None else await self.chat.mutes.mute(caller.id, request)

    def leave(self, stream: Stream) -> None:
        """The client has gone."""
        self.streams.pop(stream, None)
        looked = [(index, name) for name, all_of in stream.tables.items() for index in all_of]
        self.hall.close(stream)
        for index, name in looked:
            self._gone(stream, index, name)

    def _hidden(self, stream: Stream, index: int, name: str) -> None:
        if index != NO_PLAYER:
            self.lines.hidden(name, stream.players[index].id)

    def _gone(self, stream: Stream, index: int, name: str) -> None:
        table = self.find(name)
        if table is not None and index != NO_PLAYER:
            player, connection = stream.players[index].id, stream.connection
            self.lines.gone(table, player, connection, gateway=self._stopping)

    def _submit(self, batch: Sequence[Append], said: Sequence[Asked] = ()) -> asyncio.Future[None]:
        assert self._send is not None, "nobody asks before the process has caught up"
        return self._send(batch, said)


def _no_chat() -> Fault:
    return Fault(errors.FAILED_PRECONDITION, "NO_CHAT", "nobody speaks in this network")


def _unheard(sent: asyncio.Future[None]) -> None:
    if not sent.cancelled():
        sent.exception()
