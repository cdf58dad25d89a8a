"""Reading the hand log for its money: records to what the booker takes. Books nothing.

Most events of a hand move no money. They are parsed with their record and then left out, which
costs a third of decoding them all. A record that its writer may not write is left out whole: no
reader of the table applies it, so another one follows what it claims to follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from google.protobuf.message import DecodeError

from riverboat.game.authority import MAY_WRITE
from riverboat.game.ids import partition_of
from riverboat.game.record import Event, Record, UnknownEvent
from riverboat.ledger.follow import STEPS
from riverboat.log import log
from riverboat.wire.record import EVENTS
from riverboat.wire.v1 import record_pb2
from services.wallet.book import Read

_FACES: Final = {
    field.name: field.message_type.name
    for field in record_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    if field.message_type is not None
}
_BY_FACE: Final = {face.__name__: writers for face, writers in MAY_WRITE.items()}
_WRITERS: Final = {name: _BY_FACE[face] for name, face in _FACES.items()}
_MONEY_FACES: Final = frozenset(face.__name__ for face in STEPS)
_MONEY: Final = frozenset(name for name, face in _FACES.items() if face in _MONEY_FACES)


def read(records: Sequence[log.Record]) -> list[Read]:
    """What of these records counts. An envelope that cannot be read is put aside by the dealer."""
    found = []
    for placed in records:
        record = _record(placed.value)
        if record is not None and _is_home(record.table, placed.partition):
            found.append(Read(placed.offset, placed.time_ms, record))
    return found


def _is_home(table: str, partition: int) -> bool:
    try:
        return partition_of(table) == partition
    except ValueError:
        return False


def _record(data: bytes | None) -> Record | None:
    """The record, with no events but those that move money, or may."""
    message = record_pb2.Record()
    try:
        message.ParseFromString(data or b"")
    except DecodeError:
        return None
    if not message.table or message.version < 1 or not message.id or not message.events:
        return None
    service = message.id.partition("/")[0]
    events: list[Event] = []
    for event in message.events:
        name = event.WhichOneof("event")
        if name is None:
            events.append(UnknownEvent("an event of a newer version"))
        elif service not in _WRITERS[name]:
            return None
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
