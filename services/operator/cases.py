"""Case files: a hand with all that belongs to it, each part linked to the one before by its hash.

A file is lines of JSON, written in one way only. Each line names a section and the SHA-256 of the
line before, and the last seals all of them: whoever changes a byte breaks it, which
scripts/check_case.py tells without a network. Records stand in it as the log has them, with their
offsets. Reads the log; decides nothing.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from google.protobuf.json_format import MessageToDict

from riverboat.game.commands import Asked, Ordered
from riverboat.game.hand import sight
from riverboat.game.hand.state import Hand
from riverboat.game.ids import partition_of, table_of
from riverboat.game.record import Record, UnknownEvent
from riverboat.game.refusals import HandCode, TableCode
from riverboat.game.table import wishes
from riverboat.game.table.events import CommandRefused
from riverboat.game.table.fold import apply
from riverboat.game.table.given import OpenDeck
from riverboat.log import log, topics
from riverboat.log.log import Log, Place
from riverboat.log.snapshots import decode_snapshot
from riverboat.wire.record import Unreadable, decode_asked, decode_ordered
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import history
from services.operator.book import Book, Entry
from services.operator.history import HandHistory
from services.operator.measures import CORRECTION, PLAYER, TABLE, partition_for

FORMAT: Final = 1
NOTHING: Final = "0" * 64  # before the first line
# A command may wait a while for its answer, and come after the hand it was meant for.
AROUND_MS: Final = 10_000
SEAL: Final = "seal"

Decks = Callable[[str, Hand], OpenDeck]
Trail = Callable[[HandHistory], Awaitable[list[dict[str, Any]]]]


class Cases:
    """Makes case files."""

    def __init__(self, network: Log, book: Callable[[], Book], trail: Trail) -> None:
        """`trail` tells what the ledger has about a hand."""
        self._log = network
        self._book = book
        self._trail = trail

    async def make(self, found: HandHistory, entry: Entry, decks: Decks | None) -> bytes:
        """The file; with `decks` it holds all private cards."""
        taken = entry.taken
        found.corrections = [
            one.id
            for one in self._book().corrections.values()
            if one.hand == found.hand and one.posting
        ]
        head = {
            "format": FORMAT,
            "hand": found.hand,
            "table": table_of(found.hand),
            "partition": partition_of(table_of(found.hand)),
            "players": found.players,
            "currency": found.currency,
            "measure": taken.id,
            "by": taken.by,
            "why": taken.why,
            "time_ms": entry.taken_ms,
        }
        return sealed(
            [
                ("case", head),
                ("hand-log", {"records": [_of_hand_log(*pair) for pair in _pairs(found)]}),
                ("seats", _seen(found, decks)),
                ("commands", {"records": await self._messages(topics.TABLE_COMMANDS, found)}),
                ("orders", {"records": await self._messages(topics.TABLE_ORDERS, found)}),
                ("ledger", {"postings": await self._trail(found)}),
                ("operator-log", {"records": await self._measures(found, entry)}),
            ]
        )

    async def _messages(self, topic: str, found: HandHistory) -> list[dict[str, Any]]:
        """What was asked or ordered at the table while the hand was played, and what came of it."""
        name = table_of(found.hand)
        short = topic.split(".")[1]
        answers = {
            (record.answers.topic, record.answers.offset): (record, placed.time_ms)
            for placed, record in _pairs(found)
            if record.answers is not None
        }
        first_ms, last_ms = found.records[0].time_ms, found.records[-1].time_ms
        told = []
        async for placed in history.records(self._log, Place(topic, partition_of(name))):
            within = first_ms - AROUND_MS <= placed.time_ms <= last_ms + AROUND_MS
            answer = answers.get((short, placed.offset))
            if placed.key != name or placed.value is None or not (within or answer):
                continue
            with suppress(Unreadable):
                told.append(_of_messages(placed, placed.value, answer))
        return told

    async def _measures(self, found: HandHistory, entry: Entry) -> list[dict[str, Any]]:
        """What operators did about the table, the players and the hand, up to this file."""
        book = self._book()
        subjects = {f"{TABLE}:{table_of(found.hand)}"}
        subjects |= {f"{PLAYER}:{player}" for player in found.players}
        subjects |= {
            f"{CORRECTION}:{one.id}" for one in book.corrections.values() if one.hand == found.hand
        }
        told = []
        partitions = self._log.partitions(topics.OPERATOR_LOG)
        for partition in sorted({partition_for(one, partitions) for one in subjects}):
            async for placed in history.records(self._log, Place(topics.OPERATOR_LOG, partition)):
                if placed.time_ms > entry.taken_ms:
                    break
                if placed.key in subjects and placed.value is not None:
                    record = pb.OperatorRecord.FromString(placed.value)
                    told.append({**_placed(placed), "says": MessageToDict(record)})
        return told


def sealed(sections: Sequence[tuple[str, Mapping[str, Any]]]) -> bytes:
    """The file of these sections: a line for each, linked, and one that seals them."""
    lines: list[bytes] = []
    for name, body in sections:
        lines.append(_linked(lines, name, body))
    digest = hashlib.sha256(b"\n".join(lines) + b"\n").hexdigest()
    seal = {"sections": len(lines), "digest": digest}
    lines.append(_linked(lines, SEAL, seal))
    return b"\n".join(lines) + b"\n"


def _linked(before: Sequence[bytes], name: str, body: Mapping[str, Any]) -> bytes:
    previous = hashlib.sha256(before[-1]).hexdigest() if before else NOTHING
    return canonical({"section": name, "previous": previous, "body": body})


def canonical(value: object) -> bytes:
    """The one way in which a value is written."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _pairs(found: HandHistory) -> list[tuple[log.Record, Record]]:
    return list(zip(found.records, found.said, strict=True))


def _placed(placed: log.Record) -> dict[str, Any]:
    """A record as its log has it."""
    value = placed.value or b""
    return {
        "topic": placed.topic,
        "partition": placed.partition,
        "offset": placed.offset,
        "time_ms": placed.time_ms,
        "key": placed.key,
        "sha256": hashlib.sha256(value).hexdigest(),
        "value": base64.b64encode(value).decode(),
    }


def _of_hand_log(placed: log.Record, record: Record) -> dict[str, Any]:
    names = {"id": record.id, "version": record.version, "parent": record.parent}
    return {**_placed(placed), **names, "hand": record.hand}


def _of_messages(
    placed: log.Record, value: bytes, answer: tuple[Record, int] | None
) -> dict[str, Any]:
    message: Asked | Ordered
    if placed.topic == topics.TABLE_COMMANDS:
        message = decode_asked(value)
        told = {"player": message.player, "number": message.number}
        told["command"] = _plain(message.command)
    else:
        message = decode_ordered(value)
        told = {"id": message.id, "by": message.by, "order": _plain(message.order)}
    if answer is None:
        return {**_placed(placed), **told, "answer": None}
    record, time_ms = answer
    refused = next((one for one in record.events if isinstance(one, CommandRefused)), None)
    return {
        **_placed(placed),
        **told,
        "answer": {
            "record": record.id,
            "version": record.version,
            "latency_ms": time_ms - placed.time_ms,
            "refused": "" if refused is None else _code(refused.code),
        },
    }


def _code(number: int) -> str:
    for codes in (HandCode, TableCode):
        with suppress(ValueError):
            return codes(number).name
    return str(number)


def _seen(found: HandHistory, decks: Decks | None) -> dict[str, Any]:
    """The hand from each seat: what all saw, and what each saw besides."""
    table, _ = decode_snapshot(found.before)
    public: list[dict[str, Any]] = []
    own: dict[str, list[dict[str, Any]]] = {player: [] for player in found.players}
    held: dict[str, int] = {}
    for placed, record in _pairs(found):
        before = wishes.away(table)
        apply(table, record, placed.time_ms)
        known = [event for event in record.events if not isinstance(event, UnknownEvent)]
        shown = wishes.by_now(list(map(sight.public, known)), before, wishes.away(table))
        events = [_plain(event) for event in shown if event is not None]
        if events:
            public.append({"version": record.version, "events": events})
        hand = table.hand
        if hand is None:
            continue
        held |= {seat.player: len(seat.places) for seat in hand.seats.values()}
        if decks is None:
            continue
        deck = decks(table.id, hand)
        for player, mine in own.items():
            for event in record.events:
                if isinstance(event, UnknownEvent):
                    continue
                cards = sight.private(hand, event, player, deck)
                if cards:
                    mine.append({"version": record.version, "cards": list(cards)})
    seats = [{"player": player, "held": held.get(player, 0), "own": own[player]} for player in own]
    return {"public": public, "seats": seats, "cards": decks is not None}


def _plain(value: Any) -> Any:
    """A value of ours as JSON has it; a message of ours says its name."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {one.name: _plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
        return {"is": type(value).__name__, **fields}
    return value
