"""Records, commands and orders to bytes and back.

The bytes of a record are made once, where it is decided, and forwarded as they are. A record whose
envelope reads but one of whose events is unknown here holds an `UnknownEvent` in that place: the
fold decides what that means. Nothing here looks into an event.
"""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from riverboat.game.commands import Asked, Command, Order, Ordered
from riverboat.game.record import Answered, Event, Record, UnknownEvent
from riverboat.game.table.events import Event as KnownEvent
from riverboat.wire.codec import Codec, OneOf
from riverboat.wire.v1 import commands_pb2, hand_events_pb2, record_pb2, table_events_pb2

CODEC: Final = Codec(hand_events_pb2, table_events_pb2, commands_pb2)
EVENTS: Final = OneOf(CODEC, record_pb2.Event, "event", KnownEvent)
COMMANDS: Final = OneOf(CODEC, commands_pb2.Asked, "command", Command)
ORDERS: Final = OneOf(CODEC, commands_pb2.Ordered, "order", Order)

# Most events of a log are short and have been said before, of some seat or of some seat and total:
# to find one by its bytes takes a tenth of the time that it takes to build it. Events are never
# changed once made, so records may share them. The longest that come again are deals face down.
KNOWN_BYTES_MAX: Final = 96
KNOWN_MOST: Final = 4_096
_known: Final[dict[bytes, Event]] = {}
_open: Final = record_pb2.Envelope.FromString


class Unreadable(ValueError):
    """These bytes are no envelope of the kind expected."""


class UnknownKind(Unreadable):
    """The envelope reads, and what it carries is of a kind that this version does not know."""


def fill_event(message: record_pb2.Event, event: Event) -> None:
    """Put the event into its message, which is empty before."""
    assert not isinstance(event, UnknownEvent), "nothing unknown is ever written"
    EVENTS.fill(message, event)


def encode_record(record: Record) -> bytes:
    """The record's bytes."""
    # Field by field: half of what the constructors take.
    message = record_pb2.Record()
    message.table = record.table
    message.version = record.version
    message.parent = record.parent
    message.id = record.id
    message.hand = record.hand
    message.rules_version = record.rules_version
    answers = record.answers
    if answers is not None:
        answered = message.answers
        answered.SetInParent()
        answered.topic = answers.topic
        answered.offset = answers.offset
        answered.player = answers.player
        answered.number = answers.number
        answered.out_of_turn = answers.out_of_turn
        answered.order = answers.order
    for event in record.events:
        fill_event(message.events.add(), event)
    return message.SerializeToString()


def decode_record(data: bytes) -> Record:
    """The record in these bytes; raises `Unreadable` when the envelope cannot be read."""
    try:
        message = _open(data)
        events = tuple([_known.get(event) or _event(event) for event in message.events[:]])
    except DecodeError as error:
        raise Unreadable(f"not a record: {error}") from None
    table, version, id_ = message.table, message.version, message.id
    if not table or version < 1 or not id_:
        raise Unreadable("not a record: table, version or id is missing")
    answers = None
    if message.HasField("answers"):
        found = message.answers
        answers = Answered(
            found.topic,
            found.offset,
            found.player,
            found.number,
            found.out_of_turn,
            found.order,
        )
    return Record(
        table,
        version,
        message.parent,
        id_,
        message.hand,
        answers,
        message.rules_version,
        events,
    )


def _event(data: bytes) -> Event:
    """The event in these bytes, which is remembered if it is of the many that come again."""
    try:
        event: Event = EVENTS.decode(record_pb2.Event.FromString(data))
    except ValueError as error:
        return UnknownEvent(str(error))
    if len(data) <= KNOWN_BYTES_MAX:
        if len(_known) >= KNOWN_MOST:
            _known.clear()
        _known[data] = event
    return event


def encode_asked(asked: Asked) -> bytes:
    """The bytes of a player's command."""
    message = commands_pb2.Asked()
    message.table = asked.table
    message.player = asked.player
    message.number = asked.number
    COMMANDS.fill(message, asked.command)
    return message.SerializeToString()


def decode_asked(data: bytes) -> Asked:
    """The command in these bytes; raises `Unreadable`."""
    message = commands_pb2.Asked()
    try:
        message.ParseFromString(data)
        command: Command = COMMANDS.decode(message)
    except (DecodeError, ValueError) as error:
        raise _wrong("a command", message, error) from None
    return Asked(message.table, message.player, message.number, command)


def encode_ordered(ordered: Ordered) -> bytes:
    """The bytes of an order of the house."""
    message = commands_pb2.Ordered(table=ordered.table, id=ordered.id, by=ordered.by)
    ORDERS.fill(message, ordered.order)
    return message.SerializeToString()


def decode_ordered(data: bytes) -> Ordered:
    """The order in these bytes; raises `Unreadable`."""
    message = commands_pb2.Ordered()
    try:
        message.ParseFromString(data)
        order: Order = ORDERS.decode(message)
    except (DecodeError, ValueError) as error:
        raise _wrong("an order", message, error) from None
    return Ordered(message.table, message.id, message.by, order)


def _wrong(what: str, message: Message, error: Exception) -> Unreadable:
    """Why this message could not be taken: newer than this version, or nothing at all."""
    if isinstance(error, DecodeError) or not len(UnknownFieldSet(message)):
        return Unreadable(f"not {what}: {error}")
    return UnknownKind(f"not {what} that is known here")
