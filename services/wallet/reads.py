"""Reading the hand log for its money: records to what the booker takes. Books nothing.

Most events of a hand move no money. They are parsed with their record and then left out, which
costs a third of decoding them all. A record that its writer may not write is left out whole: no
reader of the table applies it, so another one follows what it claims to follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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

_NAMES: Final = {
    field.message_type.name: field.name
    for field in record_pb2.Event.DESCRIPTOR.oneofs_by_name["event"].fields
    if field.message_type is not None
}
# Of each service the events that it may write, by name, and whether they move money.
_WRITES: Final[dict[str, dict[str, bool]]] = {}
for _kind, _writers in MAY_WRITE.items():
    for _writer in _writers:
        _WRITES.setdefault(_writer, {})[_NAMES[_kind.__name__]] = _kind in STEPS
_NOTHING: Final[dict[str, bool]] = {}


def read(records: Sequence[log.Record]) -> list[Read]:
    """What of these records counts. An envelope that cannot be read is put aside by the dealer."""
    found = []
    for placed in records:
        record = _record(placed.value)
        if record is not None and _home(record.table) == placed.partition:
            found.append(Read(placed.offset, placed.time_ms, record))
    return found


@lru_cache(maxsize=65_536)
def _home(table: str) -> int | None:
    """The table's partition; none for what is no name of a table."""
    try:
        return partition_of(table)
    except ValueError:
        return None


def _record(data: bytes | None) -> Record | None:
    """The record, with no events but those that move money, or may."""
    try:
        message = record_pb2.Record.FromString(data or b"")
    except DecodeError:
        return None
    table, version, id_, said = message.table, message.version, message.id, message.events
    if not table or version < 1 or not id_ or not said:
        return None
    writes = _WRITES.get(id_.partition("/")[0], _NOTHING)
    events: tuple[Event, ...] = ()
    for event in said:
        name = event.WhichOneof("event")
        if name is None:
            events += (UnknownEvent("an event of a newer version"),)
            continue
        moves_money = writes.get(name)
        if moves_money is None:
            return None
        if moves_money:
            events += (EVENTS.decode(event),)
    hand, rules_version = message.hand, message.rules_version
    return Record(table, version, message.parent, id_, hand, None, rules_version, events)
