"""An older version of the house, as a reader: what is newer than it is unknown to it.

It only changes what a reader is shown; what he makes of it is the product's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverboat.game.hand.events import HandEnded, HandVoided
from riverboat.log import log, topics
from riverboat.wire.joined import part, varint
from riverboat.wire.record import Unreadable, decode_record
from riverboat.wire.v1 import record_pb2

# One more event in a record, of a field that no version has yet.
UNKNOWN_EVENT: Final = bytes([0x42, 0x03, 0xBA, 0x3E, 0x00])


# A field of an event, and of a message, that no version has yet; its bytes have a length.
_NEWER: Final = varint(1_999 << 3 | 2)


def without(record: bytes, kind: str) -> bytes:
    """The record as a build reads it whose `Event` has no field `kind` yet."""
    message = record_pb2.Record.FromString(record)
    for event in message.events:
        if event.WhichOneof("event") == kind:
            said = getattr(event, kind).SerializeToString()
            event.ParseFromString(part(_NEWER, said))
    return message.SerializeToString()


def with_newer_field(record: bytes) -> bytes:
    """The record as a newer build writes it, one more field in each of its events."""
    message = record_pb2.Record.FromString(record)
    for event in message.events:
        kind = event.WhichOneof("event")
        if kind is not None:
            getattr(event, kind).MergeFromString(part(_NEWER, b"more"))
    return message.SerializeToString()


def as_older(records: Sequence[log.Record], table: str, hand: str) -> list[log.Record]:
    """These records, as a version reads them that lacks an event of this hand."""
    return [_as_older(found, table, hand) for found in records]


def _as_older(found: log.Record, table: str, hand: str) -> log.Record:
    if found.topic != topics.HAND_LOG or found.key != table or found.value is None:
        return found
    if not _is_in_hand(found.value, hand):
        return found
    return found._replace(value=found.value + UNKNOWN_EVENT)


def _is_in_hand(value: bytes, hand: str) -> bool:
    """Whether this record is of that hand, and not its end."""
    try:
        record = decode_record(value)
    except Unreadable:
        return False
    ends = any(isinstance(event, HandEnded | HandVoided) for event in record.events)
    return record.hand == hand and not ends
