"""Notices: what operators say to tables and whom they warn, as the operator-log has it.

Every session process reads it and tells its own viewers, once, as it is said; who comes later is
not told what was said before. It writes nothing.
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
from riverboat.runtime.logs import facts
from riverboat.wire.v1 import chat_pb2
from riverboat.wire.v1.operator_pb2 import OperatorRecord
from services.session.tail import Tail

logger = logging.getLogger(__name__)

# Measures known by their ids, for those that are written twice.
KNOWN_MOST: Final = 10_000

Told = Callable[[chat_pb2.Notice], None]


class Notices:
    """One process's hearing of the operator-log."""

    def __init__(self, network: Log) -> None:
        self.told: Told = _unheard  # told of every notice, once
        self._known: OrderedDict[str, None] = OrderedDict()
        self._tail = Tail(network, OPERATOR_LOG, self._hear, news_only=True)
        self.caught_up = self._tail.caught_up

    async def run(self) -> None:
        """Hear until cancelled."""
        await self._tail.run()

    def _hear(self, record: log.Record, _is_news: bool) -> None:
        try:
            heard = OperatorRecord.FromString(record.value or b"")
        except DecodeError:
            logger.warning("a measure is none", extra=facts(partition=record.partition))
            return
        if heard.WhichOneof("event") != "taken" or heard.taken.id in self._known:
            return
        measure = heard.taken.measure
        kind = measure.WhichOneof("measure")
        if kind not in ("say", "warn"):
            return
        self._known[heard.taken.id] = None
        if len(self._known) > KNOWN_MOST:
            self._known.popitem(last=False)
        if kind == "say":
            said = measure.say
            notice = chat_pb2.Notice(table=said.table, text=said.text)
        else:
            notice = chat_pb2.Notice(player=measure.warn.player, text=measure.warn.text)
        notice.time_ms = record.time_ms
        self.told(notice)


def _unheard(_notice: chat_pb2.Notice) -> None:
    """Nobody listens yet."""
