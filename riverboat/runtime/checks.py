"""Checks: what every field of a request must be, read from its descriptor.

A checker is made once per message type from each field's type and its `bounds` option
(access.proto), so no service writes these checks by hand and none can forget them. What depends on
the state of the network is never checked here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from riverboat.runtime.errors import BadInput
from riverboat.runtime.sound import (
    CONTROL,
    ENTRIES,
    LONGEST,
    bounds_of,
    is_for_optional,
    is_map,
    sound,
)
from riverboat.wire.v1 import access_pb2

FAULTS: Final = 16  # told at once; a client that breaks more than these learns the rest later

# What is wrong with one value: where below it ("" is the value itself), and why.
_Found = list[tuple[str, str]]
_Check = Callable[[Any], _Found | None]

Checker = Callable[[Message], tuple[BadInput, ...]]


def checker(descriptor: Descriptor) -> Checker:
    """The check of all messages of this type: what is wrong with one, nothing if it is right."""
    check = _message_check(descriptor, {})
    is_sound = sound(descriptor)

    def run(message: Message) -> tuple[BadInput, ...]:
        if is_sound(message):
            return ()
        found = check(message)
        if not found:
            return ()
        return tuple(BadInput(where.lstrip(".") or ".", why) for where, why in found[:FAULTS])

    return run


def _message_check(descriptor: Descriptor, known: dict[str, _Check]) -> _Check:
    if descriptor.full_name in known:
        return known[descriptor.full_name]
    fields: list[tuple[str, _Check]] = []
    choices = [
        (oneof.name, " or ".join(arm.name for arm in oneof.fields))
        for oneof in descriptor.oneofs
        if not is_for_optional(oneof)
    ]

    def check(message: Message) -> _Found | None:
        found: _Found | None = None
        for name, look in fields:
            below = look(message)
            if below:
                found = found or []
                found += [(f".{name}{where}", why) for where, why in below]
        for name, arms in choices:
            if message.WhichOneof(name) is None:
                found = found or []
                found.append((f".{name}", f"must be one of {arms}"))
        return found

    # Known before its fields are looked at: a message may hold messages of its own type.
    known[descriptor.full_name] = check
    fields += [
        (field.name, look)
        for field in descriptor.fields
        if (look := _field_check(field, known)) is not None
    ]
    return check


def _field_check(field: FieldDescriptor, known: dict[str, _Check]) -> _Check | None:
    bounds = bounds_of(field)
    if is_map(field):
        return _map_check(field, bounds, known)
    value = _value_check(field, bounds, known)
    if field.is_repeated:
        return _list_check(field.name, bounds, value)
    return _single_check(field, bounds, value)


def _single_check(
    field: FieldDescriptor, bounds: access_pb2.Bounds, value: _Check | None
) -> _Check | None:
    name, oneof = field.name, field.containing_oneof
    if not field.has_presence:
        if bounds.required:
            return _required(name, value)
        return None if value is None else _get(name, value)
    # Of a choice of fields one must be there; no single one of them can be.
    must = bounds.required and (oneof is None or is_for_optional(oneof))

    def check(message: Message) -> _Found | None:
        if message.HasField(name):
            return None if value is None else value(getattr(message, name))
        return [("", "must be there")] if must else None

    return check if must or value is not None else None


def _required(name: str, value: _Check | None) -> _Check:
    def check(message: Message) -> _Found | None:
        held = getattr(message, name)
        if not held:
            return [("", "must be there")]
        return None if value is None else value(held)

    return check


def _get(name: str, value: _Check) -> _Check:
    def check(message: Message) -> _Found | None:
        return value(getattr(message, name))

    return check


def _list_check(name: str, bounds: access_pb2.Bounds, value: _Check | None) -> _Check:
    most, required = bounds.entries or ENTRIES, bounds.required

    def check(message: Message) -> _Found | None:
        held = getattr(message, name)
        count = len(held)
        if not count:
            return [("", "must have an entry")] if required else None
        if count > most:
            return [("", f"must have at most {most} entries")]
        if value is None:
            return None
        found: _Found = []
        for index, entry in enumerate(held):
            found += [(f"[{index}]{where}", why) for where, why in value(entry) or ()]
        return found

    return check


def _map_check(
    field: FieldDescriptor, bounds: access_pb2.Bounds, known: dict[str, _Check]
) -> _Check:
    assert field.message_type is not None
    name, most, required = field.name, bounds.entries or ENTRIES, bounds.required
    parts = field.message_type.fields_by_name
    of_key = _value_check(parts["key"], bounds, known)
    of_value = _value_check(parts["value"], bounds, known)

    def check(message: Message) -> _Found | None:
        held = getattr(message, name)
        if len(held) > most:
            return [("", f"must have at most {most} entries")]
        if required and not held:
            return [("", "must have an entry")]
        found: _Found = []
        # A key is the caller's own word: it is counted, not repeated.
        for index, (key, entry) in enumerate(held.items()):
            for look, part in ((of_key, key), (of_value, entry)):
                below = None if look is None else look(part)
                found += [(f"[{index}]{where}", why) for where, why in below or ()]
        return found

    return check


def _value_check(
    field: FieldDescriptor, bounds: access_pb2.Bounds, known: dict[str, _Check]
) -> _Check | None:
    """The check of one value of this field, whether it stands alone or in a list."""
    if field.message_type is not None:
        return _message_check(field.message_type, known)
    if field.enum_type is not None:
        return _enum_check(field)
    if field.type == FieldDescriptor.TYPE_STRING:
        return _text_check(bounds.longest or LONGEST)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return _bytes_check(bounds.longest or LONGEST)
    if field.cpp_type in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
        return lambda value: None if math.isfinite(value) else [("", "must be a finite number")]
    if field.type != FieldDescriptor.TYPE_BOOL:
        return _number_check(bounds)
    return None


def _enum_check(field: FieldDescriptor) -> _Check:
    assert field.enum_type is not None
    numbers = frozenset(field.enum_type.values_by_number)
    why = [("", f"must be a value of {field.enum_type.name}")]
    return lambda value: None if value in numbers else why


def _text_check(longest: int) -> _Check:
    def check(value: str) -> _Found | None:
        if len(value) > longest:
            return [("", f"must have at most {longest} characters")]
        if CONTROL.search(value):
            return [("", "must not hold control characters")]
        return None

    return check


def _bytes_check(longest: int) -> _Check:
    why = [("", f"must have at most {longest} bytes")]
    return lambda value: why if len(value) > longest else None


def _number_check(bounds: access_pb2.Bounds) -> _Check | None:
    least = bounds.least if bounds.HasField("least") else None
    most = bounds.most if bounds.HasField("most") else None
    if least is None and most is None:
        return None
    if most is None:
        why = f"must be at least {least}"
    elif least is None:
        why = f"must be at most {most}"
    else:
        why = f"must be {least} to {most}"
    low = -math.inf if least is None else least
    high = math.inf if most is None else most
    found = [("", why)]
    return lambda value: None if low <= value <= high else found
