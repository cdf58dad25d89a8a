"""Chat: what is said at tables, in a topic of its own, by whatever session process it is said.

Every process reads all of it and tells its viewers. Who may say nothing it is told, and who does
not hear whom it knows from the mutes. What is said stands neither in the hand log nor in any line
that a process writes.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Final

from google.protobuf.message import DecodeError

from riverboat.game.ids import partition_of
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Append, Log, LogError
from riverboat.log.topics import TABLE_CHAT
from riverboat.runtime import errors
from riverboat.runtime.auth import Caller
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput, Fault
from riverboat.runtime.limits import Limit
from riverboat.runtime.logs import facts
from riverboat.wire.v1 import chat_pb2 as pb
from services.session import views
from services.session.desk import no_table
from services.session.mutes import Mutes
from services.session.onlookers import may_look
from services.session.tail import Tail
from services.session.words import Words

logger = logging.getLogger(__name__)

# A sentence every other second on the long run, and a few at once.
LINES_PER_SECOND: Final = 0.5
LINES_AT_ONCE: Final = 5
# Marks on one letter: no language piles up more.
MARKS_MOST: Final = 3
# Lines known by their keys, for those that are sent, or written, twice.
KEYS_MOST: Final = 50_000

Told = Callable[[pb.Said], None]


class Chat:
    """One process's part in what is said."""

    def __init__(
        self, network: Log, words: Words, clock: Clock, entropy: Entropy, *, calendar: Clock
    ) -> None:
        """By `calendar` a silence ends; `clock` times the limits."""
        self.told: Told = _unheard  # told of every line, once
        self.mutes = Mutes(network)
        self._log = network
        self._words = words
        self._entropy = entropy
        self._calendar = calendar
        self._limit = Limit(clock, per_second=LINES_PER_SECOND, burst=LINES_AT_ONCE)
        self._silenced: dict[str, int] = {}  # until when, by player
        self._keys: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._tail = Tail(network, TABLE_CHAT, self._hear)
        self.caught_up = asyncio.Event()

    def silenced(self, player: str, until_ms: int) -> None:
        """An operator lets this player say nothing until then; 0: he may speak."""
        now_ms = self._calendar.now_ms()
        self._silenced = {one: ms for one, ms in self._silenced.items() if ms > now_ms}
        self._silenced.pop(player, None)
        if until_ms > now_ms:
            self._silenced[player] = until_ms

    # Saying.

    async def say(
        self, caller: Caller, table: Table | None, request: pb.SayRequest
    ) -> Fault | None:
        """Say this; or why not."""
        text = unicodedata.normalize("NFC", " ".join(request.text.split()))
        if not text or not text.isprintable() or _towers(text):
            return errors.bad_input(BadInput("text", "must be a line of what can be printed"))
        if table is None or table.settings is None:
            return no_table(request.table)
        if not self._may_speak(caller, table):
            return errors.denied("ONLOOKERS_ARE_SILENT", "only who sits at this table may speak")
        spoken = pb.Spoken(table=table.id, text=self._words.masked(text))
        known = self._keys.get((caller.id, request.key)) if request.key else None
        if known is not None:
            return None if known == _digest(spoken) else _key_reused()
        until_ms = self._silenced.get(caller.id, 0)
        if until_ms > self._calendar.now_ms():
            message = "an operator lets this player say nothing for a while"
            until = {"until_ms": str(until_ms)}
            return Fault(errors.FAILED_PRECONDITION, "SILENCED", message, until)
        wait_ms = self._limit.wait_ms(caller.id)
        if wait_ms:
            return errors.exhausted("TOO_MUCH_SAID", "too much is said at once", wait_ms)
        record = pb.ChatRecord(by=caller.id, key=request.key, spoken=spoken)
        return await self._write(table.id, partition_of(table.id), record)

    def _may_speak(self, caller: Caller, table: Table) -> bool:
        if caller.id in views.seated(table):
            return True
        settings = table.settings
        speaks = settings is not None and settings.onlookers_speak
        return speaks and may_look(table, caller.id, caller.roles)

    async def _write(self, key: str, partition: int, record: pb.ChatRecord) -> Fault | None:
        if not record.key:
            record.key = self._entropy(9).hex()
        value = record.SerializeToString()
        try:
            await self._log.append([Append(TABLE_CHAT, partition, key, value)]).durable
        except LogError:
            # It may stand there all the same: under its key it is told once, however often.
            return errors.unavailable("NOT_SAID", "the log does not take it now")
        return None

    # Hearing.

    async def run(self) -> None:
        """Read what is kept, then all that is said; tell the latter."""
        async with asyncio.TaskGroup() as reading:
            reading.create_task(self._tail.run())
            reading.create_task(self.mutes.run())
            await self._tail.caught_up.wait()
            await self.mutes.caught_up.wait()
            self.caught_up.set()

    def _hear(self, record: log.Record, is_news: bool) -> None:
        try:
            heard = pb.ChatRecord.FromString(record.value or b"")
        except DecodeError:
            logger.warning("a line of chat is none", extra=facts(partition=record.partition))
            return
        named = (heard.by, heard.key)
        if named in self._keys:
            return
        self._keys[named] = _digest(heard.spoken)
        if len(self._keys) > KEYS_MOST:
            self._keys.popitem(last=False)
        what = heard.WhichOneof("what")
        if what == "spoken" and is_news:
            spoken = heard.spoken
            self.told(
                pb.Said(
                    table=spoken.table,
                    player=heard.by,
                    text=spoken.text,
                    time_ms=record.time_ms,
                )
            )
        elif what == "silenced":
            self.silenced(heard.silenced.player, heard.silenced.until_ms)


def _digest(spoken: pb.Spoken) -> bytes:
    said = f"{spoken.table}\0{spoken.text}".encode()
    return blake2b(said, digest_size=8).digest()


def _key_reused() -> Fault:
    message = "under this key something else was said"
    return Fault(errors.FAILED_PRECONDITION, "KEY_REUSED", message)


def _towers(text: str) -> bool:
    """Whether marks are piled up on a letter, over the lines above and below."""
    piled = 0
    for sign in text:
        piled = piled + 1 if unicodedata.combining(sign) else 0
        if piled > MARKS_MOST:
            return True
    return False


def _unheard(_said: pb.Said) -> None:
    """Nobody listens yet."""
