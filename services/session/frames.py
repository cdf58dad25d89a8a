"""Frames: the bytes of what streams bring, put together from bytes that are there already.

An event is encoded once, by who decided it; a change passes those bytes on. What is made here anew
is only what the log does not hold. Nothing here decides who may see an event: that is asked of
`riverboat.game.hand.sight` for each.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.hand.sight import public
from riverboat.game.record import Record, UnknownEvent
from riverboat.game.table.state import Table
from riverboat.wire.joined import part, tag_of, varint
from riverboat.wire.record import encode_event
from riverboat.wire.v1 import record_pb2, session_pb2
from services.session import views

_BYTES: Final = 2  # the wire type of strings, messages and bytes
_VARINT: Final = 0

_RECORD: Final = record_pb2.Record.DESCRIPTOR.fields_by_name
_EVENTS: Final = _RECORD["events"].number
# Of a record's own fields those that a change has too, under the same numbers.
_SHARED: Final = frozenset(
    field.number
    for field in session_pb2.Change.DESCRIPTOR.fields
    if field.name in _RECORD and field.number != _EVENTS
)


def number_tag_of(kind: type, name: str) -> bytes:
    """What stands before the field of this name, if it holds a number."""
    number: int = kind.DESCRIPTOR.fields_by_name[name].number  # type: ignore[attr-defined]
    return varint(number << 3 | _VARINT)


# An item stands in both responses under the same number: its bytes serve both.
_ITEMS: Final = tag_of(session_pb2.PlayResponse, "items")
assert tag_of(session_pb2.WatchResponse, "items") == _ITEMS, "one frame serves both streams"

_SNAPSHOT: Final = tag_of(session_pb2.Item, "snapshot")
_CHANGE: Final = tag_of(session_pb2.Item, "change")
_PRIVATE: Final = tag_of(session_pb2.Item, "private")
_ANSWER: Final = tag_of(session_pb2.Item, "answer")
_CHANGE_TIME: Final = number_tag_of(session_pb2.Change, "time_ms")
_CHANGE_TURN: Final = tag_of(session_pb2.Change, "turn")
_EVENT: Final = tag_of(session_pb2.Change, "events")
_PLAYER: Final = number_tag_of(session_pb2.Private, "player")


def snapshot(table: Table) -> bytes:
    """The frame of all that everybody may see of the table."""
    return part(_ITEMS, part(_SNAPSHOT, views.snapshot(table).SerializeToString()))


def change(table: Table, record: Record, value: bytes) -> bytes:
    """The frame of what everybody may see of the record, which is `value` in the log."""
    parts = []
    events = iter(record.events)
    for number, whole in _fields(value):
        if number == _EVENTS:
            event = next(events)
            if isinstance(event, UnknownEvent):
                continue
            seen = public(event)
            if seen is event:
                parts.append(whole)
            elif seen is not None:
                parts.append(part(_EVENT, encode_event(seen)))
        elif number in _SHARED:
            parts.append(whole)
    parts += (_CHANGE_TIME, varint(table.time_ms))
    if table.hand is not None:
        parts.append(part(_CHANGE_TURN, views.turn(table.hand).SerializeToString()))
    return part(_ITEMS, part(_CHANGE, b"".join(parts)))


def private(index: int, seen: bytes) -> bytes:
    """The frame of what one player alone may see: `seen` is a Private that names no player yet."""
    return part(_ITEMS, part(_PRIVATE, _PLAYER + varint(index) + seen if index else seen))


def answer(told: session_pb2.Answer) -> bytes:
    """The frame of an answer."""
    return part(_ITEMS, part(_ANSWER, told.SerializeToString()))


def _fields(data: bytes) -> list[tuple[int, bytes]]:
    """The fields of an encoded message, each with its number and its bytes as they stand."""
    found = []
    at, end = 0, len(data)
    while at < end:
        start = at
        tag, at = _varint(data, at)
        kind = tag & 7
        if kind == _BYTES:
            size, at = _varint(data, at)
            at += size
        elif kind == _VARINT:
            _, at = _varint(data, at)
        else:
            at += 8 if kind == 1 else 4
        found.append((tag >> 3, data[start:at]))
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    first = data[at]
    if first < 0x80:
        return first, at + 1
    number, shift = first & 0x7F, 7
    while True:
        at += 1
        byte = data[at]
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at + 1
        shift += 7
