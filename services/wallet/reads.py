"""Reading the hand log for its money: records to what the booker takes. Books nothing.

Most events of a hand move no money. They are parsed with their record and then left out, which
costs a third of decoding them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from google.protobuf.message import DecodeError

from riverboat.game.record import Event, Record, UnknownEvent
from riverboat.ledger.follow import STEPS
from riverboat.log import log
from riverboat.wire.record import EVENTS
from riverboat.wire.v1 import record_pb2
from services.wallet.book import Read

_MONEY_FACES: Final = frozenset(face.__name__ for face in STEPS)
_MONEY: Final = frozenset(
    field.name
    for field in record_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    if field.message_type is not None and field.message_type.name in _MONEY_FACES
)


def read(records: Sequence[log.Record]) -> list[Read]:
    """What of these records can be read. An envelope that cannot is put aside by the dealer."""
    found = []
    for placed in records:
        record = _record(placed.value)
        if record is not None:
            found.append(Read(placed.offset, placed.time_ms, record))
    return found


def _record(data: bytes | None) -> Record | None:
    """The record, with no events but those that move money, or may."""
    message = record_pb2.Record()
    try:
        message.ParseFromString(data or b"")
    except DecodeError:
        return None
    if not message.table or message.version < 1 or not message.id:
        return None
    events: list[Event] = []
    for event in message.events:
        name = event.WhichOneof("event")
        if name is None:
            events.append(UnknownEvent("an event of a newer version"))
        elif name in _MONEY:
            events.append(EVENTS.decode(event))
    return Record(
        message.table,
        message.version,
        message.parent,
        message.id,
        message.hand,
        None,
        message.rules_version,
        tuple(events),
    )
