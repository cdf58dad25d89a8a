"""Frames: the bytes of what streams bring, each made once for all who are told it.

An event that is whole for everybody is taken over as the log holds it, by the wire's own code; only
others are made anew. Nothing here decides who may see an event: that is asked of
`riverboat.game.hand.sight` for each.
"""

from __future__ import annotations

from operator import is_not
from typing import Final

from riverboat.game.hand.sight import public
from riverboat.game.record import Record, UnknownEvent
from riverboat.game.table.state import Table
from riverboat.game.table.wishes import by_now
from riverboat.wire.joined import part, tag_of, varint
from riverboat.wire.record import fill_event
from riverboat.wire.v1 import chat_pb2, seats_pb2, session_pb2
from services.session import views

_VARINT: Final = 0  # the wire type of numbers


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
_SAID: Final = tag_of(session_pb2.Item, "said")
_NOTICE: Final = tag_of(session_pb2.Item, "notice")
_HIDDEN: Final = tag_of(session_pb2.Item, "hidden")
_PLAYER: Final = number_tag_of(session_pb2.Private, "player")


def snapshot(table: Table) -> bytes:
    """The frame of all that everybody may see of the table."""
    return part(_ITEMS, part(_SNAPSHOT, views.snapshot(table).SerializeToString()))


def change(
    table: Table, record: Record, value: bytes, before: frozenset[str], now: frozenset[str]
) -> bytes:
    """The frame of what everybody may see of the record, which is `value` in the log.

    As everybody may know, those players were away `before` it and these are `now`.
    """
    # A change has of a record's fields those that are for everybody, under the same numbers.
    change = session_pb2.Change.FromString(value)
    change.DiscardUnknownFields()
    seen = [None if isinstance(event, UnknownEvent) else public(event) for event in record.events]
    seen = by_now(seen, before, now)
    if len(seen) > len(record.events) or any(map(is_not, seen, record.events)):
        del change.events[:]
        for event in seen:
            if event is not None:
                fill_event(change.events.add(), event)
    change.time_ms = table.time_ms
    hand = table.hand
    if hand is not None:
        views.turn(hand, change.turn)
    return part(_ITEMS, part(_CHANGE, change.SerializeToString()))


def private(index: int, seen: bytes) -> bytes:
    """The frame of what one player alone may see: `seen` is a Private that names no player yet."""
    return part(_ITEMS, part(_PRIVATE, _PLAYER + varint(index) + seen if index else seen))


def answer(told: session_pb2.Answer) -> bytes:
    """The frame of an answer."""
    return part(_ITEMS, part(_ANSWER, told.SerializeToString()))


def hidden(table: str) -> bytes:
    """The frame that says: this table is shown here no longer."""
    return part(_ITEMS, part(_HIDDEN, seats_pb2.Hidden(table=table).SerializeToString()))


def said(line: chat_pb2.Said) -> bytes:
    """The frame of what somebody said."""
    return part(_ITEMS, part(_SAID, line.SerializeToString()))


def notice(told: chat_pb2.Notice) -> bytes:
    """The frame of what the house says."""
    return part(_ITEMS, part(_NOTICE, told.SerializeToString()))
