"""Notices: what operators say to tables, whom they warn and silence, as the operator-log has it.

Every session process reads it and tells its own viewers, once, as it is said; who comes later is
not told what was said before, but a player who was away is told that he was warned. It writes
nothing.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from google.protobuf.message import DecodeError

from riverboat.log import log
from riverboat.log.log import Log
from riverboat.log.topics import OPERATOR_LOG
from riverboat.runtime.clock import Clock
from riverboat.runtime.logs import facts
from riverboat.wire.v1 import chat_pb2
from riverboat.wire.v1.operator_pb2 import OperatorRecord
from services.session.tail import Tail

logger = logging.getLogger(__name__)

# A warning waits so long for a player who is away.
WARNED_MS: Final = 24 * 60 * 60 * 1_000
# For so many players at most.
WARNED_MOST: Final = 10_000
# Measures known by their ids, for those that are written twice.
KNOWN_MOST: Final = 10_000

Told = Callable[[chat_pb2.Notice], bool]
Silenced = Callable[[str, int], None]


class Notices:
    """One process's hearing of the operator-log."""

    def __init__(self, network: Log, calendar: Clock) -> None:
        self.told: Told = _unheard  # told of every notice, once; says whether anybody heard it
        self.silenced: Silenced = _unheeded  # told who may say nothing, and until when
        self._calendar = calendar
        self._known: OrderedDict[str, None] = OrderedDict()
        self._warned: OrderedDict[str, chat_pb2.Notice] = OrderedDict()  # who have not heard it
        self._tail = Tail(network, OPERATOR_LOG, self._hear)
        self.caught_up = self._tail.caught_up

    async def run(self) -> None:
        """Hear until cancelled."""
        await self._tail.run()

    def missed(self, player: str) -> chat_pb2.Notice | None:
        """The last warning of this player that he has not heard here; he hears it now."""
        notice = self._warned.pop(player, None)
        if notice is None or notice.time_ms + WARNED_MS < self._calendar.now_ms():
            return None
        return notice

    def _hear(self, record: log.Record, is_news: bool) -> None:
        try:
            heard = OperatorRecord.FromString(record.value or b"")
        except DecodeError:
            logger.warning("a measure is none", extra=facts(partition=record.partition))
            return
        if heard.WhichOneof("event") != "taken" or heard.taken.id in self._known:
            return
        measure = heard.taken.measure
        kind = measure.WhichOneof("measure")
        if kind not in ("say", "warn", "silence"):
            return
        self._known[heard.taken.id] = None
        if len(self._known) > KNOWN_MOST:
            self._known.popitem(last=False)
        if kind == "silence":
            for_ms = measure.silence.for_ms
            self.silenced(measure.silence.player, record.time_ms + for_ms if for_ms else 0)
            return
        if kind == "say":
            said = measure.say
            notice = chat_pb2.Notice(table=said.table, text=said.text)
        else:
            notice = chat_pb2.Notice(player=measure.warn.player, text=measure.warn.text)
        notice.time_ms = record.time_ms
        heard_now = is_news and self.told(notice)
        if notice.player and not heard_now:
            self._warned.pop(notice.player, None)
            self._warned[notice.player] = notice
            if len(self._warned) > WARNED_MOST:
                self._warned.popitem(last=False)


def _unheard(_notice: chat_pb2.Notice) -> bool:
    """Nobody listens yet."""
    return False


def _unheeded(_player: str, _until_ms: int) -> None:
    """Nobody speaks here."""
