"""The codec: every face meets its message, and what goes out comes back."""

from __future__ import annotations

import dataclasses
import typing
from enum import IntEnum
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.commands import Asked, Command, Order, Ordered
from riverboat.game.hand.events import Called, RaisedTo
from riverboat.game.record import Answered, Record, UnknownEvent
from riverboat.game.refusals import HandCode, TableCode
from riverboat.game.table.events import Event
from riverboat.wire import record as wire
from riverboat.wire.codec import Codec, CodecMismatch
from riverboat.wire.v1 import commands_pb2, hand_events_pb2, record_pb2, table_events_pb2

EVENTS = typing.get_args(Event)
COMMANDS = typing.get_args(Command)
ORDERS = typing.get_args(Order)


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that the wire can carry for this type."""
    if typing.get_origin(hint) is tuple:
        return st.lists(values(typing.get_args(hint)[0]), max_size=3).map(tuple)
    if dataclasses.is_dataclass(hint):
        return faces(typing.cast(type, hint))
    if isinstance(hint, type) and issubclass(hint, IntEnum):
        return st.sampled_from(list(hint))
    return {
        int: st.integers(0, 2**31 - 1),
        str: st.text(max_size=12),
        bool: st.booleans(),
        bytes: st.binary(max_size=40),
    }[hint]


def faces(face: type) -> st.SearchStrategy[Any]:
    """Any instance of the dataclass."""
    hints = typing.get_type_hints(face)
    return st.builds(face, **{f.name: values(hints[f.name]) for f in dataclasses.fields(face)})


@given(st.one_of([faces(face) for face in EVENTS]))
def test_every_event_comes_back_as_it_went_out(event: Event) -> None:
    record = Record("3f.7", 1, "", "dealer/a/1", "", None, 1, (event,))
    assert wire.decode_record(wire.encode_record(record)) == record


@given(st.one_of([faces(face) for face in EVENTS]))
def test_an_event_is_written_as_its_message_writes_it(event: Event) -> None:
    """What is left out because it is zero is what the wire leaves out."""
    filled = record_pb2.Event()
    wire.fill_event(filled, event)
    name = filled.WhichOneof("event")
    assert name is not None
    assert filled == record_pb2.Event(**{name: plainly(type(getattr(filled, name)), event)})


def plainly(kind: Any, face: Any) -> Any:
    """The message of `face`, by its own constructor."""
    held = {field.name: getattr(face, field.name) for field in dataclasses.fields(face)}
    for name, value in held.items():
        inner = kind.DESCRIPTOR.fields_by_name[name].message_type
        if inner is not None:
            make = GetMessageClass(inner)
            many = isinstance(value, tuple)
            held[name] = [plainly(make, one) for one in value] if many else plainly(make, value)
    return kind(**held)


@given(st.one_of([faces(face) for face in COMMANDS]), st.integers(1, 2**40))
def test_every_command_comes_back_as_it_went_out(command: Command, number: int) -> None:
    asked = Asked("3f.7", "p1", number, command)
    assert wire.decode_asked(wire.encode_asked(asked)) == asked


@given(st.one_of([faces(face) for face in ORDERS]))
def test_every_order_comes_back_as_it_went_out(order: Order) -> None:
    ordered = Ordered("3f.7", "o1", "wallet", order)
    assert wire.decode_ordered(wire.encode_ordered(ordered)) == ordered


@pytest.mark.parametrize("out_of_turn", [False, True])
def test_the_envelope_carries_the_command_it_answers(out_of_turn: bool) -> None:
    answers = Answered("table-commands", 0, "p1", 7, out_of_turn)
    record = Record("3f.7", 9, "dealer/a/1", "dealer/a/2", "3f.7-1", answers, 1, ())
    assert wire.decode_record(wire.encode_record(record)) == record


def test_the_envelope_carries_the_order_it_answers() -> None:
    answers = Answered("table-orders", 3, order="operator/7")
    record = Record("3f.7", 9, "dealer/a/1", "dealer/a/2", "", answers, 1, ())
    assert wire.decode_record(wire.encode_record(record)) == record


def test_an_event_of_a_later_version_is_unknown_and_its_envelope_still_reads() -> None:
    later = record_pb2.Record(table="3f.7", version=4, parent="a", id="dealer/b/1")
    later.events.add()
    # Field 999 of Event: what a newer writer might add.
    later.events[0].MergeFromString(bytes([0xBA, 0x3E, 0x00]))
    record = wire.decode_record(later.SerializeToString())
    assert (record.version, record.parent) == (4, "a")
    assert isinstance(record.events[0], UnknownEvent)


def test_an_envelope_opens_every_field_of_a_record() -> None:
    """Number by number the same, so that the same bytes are both; only the events stay closed."""

    def fields(message: Any) -> dict[str, tuple[int, int]]:
        found = message.DESCRIPTOR.fields_by_name
        return {name: (field.number, field.type) for name, field in found.items()}

    record, envelope = fields(record_pb2.Record), fields(record_pb2.Envelope)
    number, kind = record.pop("events")
    assert envelope.pop("events") == (number, FieldDescriptor.TYPE_BYTES)
    assert kind == FieldDescriptor.TYPE_MESSAGE
    assert envelope == record


def test_an_event_that_comes_again_is_found_and_not_built() -> None:
    data = wire.encode_record(Record("3f.7", 1, "", "betting/a/1", "", None, 1, (Called(3, 40),)))
    first, again = wire.decode_record(data), wire.decode_record(data)
    assert first.events == (Called(3, 40),)
    assert again.events[0] is first.events[0]


def test_more_short_events_than_are_remembered_come_back_as_they_went_out() -> None:
    for total in range(wire.KNOWN_MOST + 2):
        record = Record("3f.7", 1, "", "betting/a/1", "", None, 1, (RaisedTo(1, total),))
        assert wire.decode_record(wire.encode_record(record)) == record


def test_a_record_with_a_broken_event_is_refused() -> None:
    envelope = record_pb2.Envelope(table="3f.7", version=4, parent="a", id="dealer/b/1")
    envelope.events.append(b"\x5a\x7f")  # an event that is longer than it is
    with pytest.raises(wire.Unreadable):
        wire.decode_record(envelope.SerializeToString())


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff", b"hello", bytes(40)])
def test_bytes_that_are_no_envelope_are_refused(data: bytes) -> None:
    for decode in (wire.decode_record, wire.decode_asked, wire.decode_ordered):
        with pytest.raises(wire.Unreadable):
            decode(data)


def test_a_field_on_one_side_only_is_a_mismatch() -> None:
    @dataclasses.dataclass
    class Folded:
        seat: int
        shown: bool

    codec = Codec(hand_events_pb2)
    with pytest.raises(CodecMismatch, match="shown"):
        codec.encoder(Folded)


def test_every_refusal_code_stands_in_the_proto() -> None:
    wire_codes = {
        name.removeprefix("REFUSAL_CODE_"): number
        for name, number in commands_pb2.RefusalCode.items()
        if number
    }
    mine = {code.name: code.value for vocabulary in (HandCode, TableCode) for code in vocabulary}
    assert mine == wire_codes


def test_every_enum_stands_in_the_proto() -> None:
    modules = (hand_events_pb2, table_events_pb2, commands_pb2)
    wire_enums = {
        name: enum
        for module in modules
        for name, enum in module.DESCRIPTOR.enum_types_by_name.items()
    }
    checked = 0
    for face in (*EVENTS, *COMMANDS, *ORDERS):
        for hint in typing.get_type_hints(face).values():
            if isinstance(hint, type) and issubclass(hint, IntEnum):
                wire_values = {v.number for v in wire_enums[hint.__name__].values if v.number}
                assert wire_values == {member.value for member in hint}, hint
                checked += 1
    assert checked >= 2
