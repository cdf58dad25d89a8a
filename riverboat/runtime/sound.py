"""Soundness: whether a request keeps every bound, told quickly and without saying which it breaks.

Almost every request is right, and then this is all that is looked at: one expression per message
type, compiled once from its descriptor. What is wrong with one that is not is told by `checks`,
and a test holds the two to each other. Nothing here names a field.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor

from riverboat.wire.v1 import access_pb2

LONGEST: Final = 128  # characters of a string or bytes of a bytes field that sets no bound
ENTRIES: Final = 256  # entries of a list or a map that sets no bound

# What no name, id or reason needs, and what could forge a log line or a terminal. Whatever is
# printable holds none of it.
CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

Sound = Callable[[Any], bool]


def sound(descriptor: Descriptor) -> Sound:
    """Whether a message of this type is right, as a function."""
    return _Compiler().message(descriptor)


def bounds_of(field: FieldDescriptor) -> access_pb2.Bounds:
    """What the field's option says that it may hold."""
    return field.GetOptions().Extensions[access_pb2.bounds]


def is_for_optional(oneof: OneofDescriptor) -> bool:
    """Whether the compiler made this oneof itself, for a field declared optional."""
    return oneof.name.startswith("_")


def is_map(field: FieldDescriptor) -> bool:
    """Whether the field is a map."""
    return field.message_type is not None and field.message_type.GetOptions().map_entry


class _Compiler:
    """Builds the functions of messages that hold each other."""

    def __init__(self) -> None:
        self._known: dict[str, Sound] = {}
        self._scope: dict[str, Any] = {"control": CONTROL.search, "finite": math.isfinite}

    def message(self, descriptor: Descriptor) -> Sound:
        known = self._known.get(descriptor.full_name)
        if known is not None:
            return known
        found: list[Sound] = []

        def later(value: Any) -> bool:
            return found[0](value)

        # A message may hold messages of its own type: until it is compiled, they wait for it.
        self._known[descriptor.full_name] = later
        terms: list[str] = []
        for oneof in descriptor.oneofs:
            if not is_for_optional(oneof):
                terms.append(self._choice(oneof))
        for field in descriptor.fields:
            choice = field.containing_oneof
            if choice is None or is_for_optional(choice):
                terms += self._field(field)
        found.append(self._compile(" and ".join(terms) or "True"))
        self._known[descriptor.full_name] = found[0]
        return found[0]

    def _compile(self, expression: str) -> Sound:
        made: Sound = eval(f"lambda v: {expression}", self._scope)
        return made

    def _name(self, value: Any) -> str:
        name = f"c{len(self._scope)}"
        self._scope[name] = value
        return name

    def _choice(self, oneof: OneofDescriptor) -> str:
        """One arm is set, and what it holds is right."""
        arms = {field.name: self._value_of(field) for field in oneof.fields}

        def look(message: Any) -> bool:
            name = message.WhichOneof(oneof.name)
            return name is not None and arms[name](getattr(message, name))

        return f"{self._name(look)}(v)"

    def _value_of(self, field: FieldDescriptor) -> Sound:
        term = self._value(field, "v")
        return self._compile(term or "True")

    def _field(self, field: FieldDescriptor) -> list[str]:
        name, bounds = field.name, bounds_of(field)
        held = f"getattr(v, {name!r})" if iskeyword(name) else f"v.{name}"
        if is_map(field):
            return [self._map(field, held)]
        if field.is_repeated:
            return [self._list(field, held)]
        term = self._value(field, held)
        if field.has_presence:
            there = f"v.HasField({name!r})"
            if bounds.required:
                return [there, term] if term else [there]
            return [f"(not {there} or {term})"] if term else []
        terms = [held] if bounds.required else []
        return [*terms, term] if term else terms

    def _list(self, field: FieldDescriptor, held: str) -> str:
        bounds = bounds_of(field)
        least, most = int(bounds.required), bounds.entries or ENTRIES
        one = self._value_of(field)

        def look(values: Any) -> bool:
            return least <= len(values) <= most and all(map(one, values))

        full = f"{self._name(look)}({held})"
        return full if least else f"(not {held} or {full})"

    def _map(self, field: FieldDescriptor, held: str) -> str:
        assert field.message_type is not None, "a map is a list of entries"
        bounds = bounds_of(field)
        least, most = int(bounds.required), bounds.entries or ENTRIES
        parts = field.message_type.fields_by_name
        key = self._compile(self._value(parts["key"], "v", bounds) or "True")
        value = self._compile(self._value(parts["value"], "v", bounds) or "True")

        def look(values: Any) -> bool:
            return least <= len(values) <= most and all(
                key(name) and value(values[name]) for name in values
            )

        return f"{self._name(look)}({held})"

    def _value(
        self, field: FieldDescriptor, held: str, bounds: access_pb2.Bounds | None = None
    ) -> str:
        """The expression that one value of this field is right; empty if any is."""
        bounds = bounds_of(field) if bounds is None else bounds
        if field.message_type is not None:
            return f"{self._name(self.message(field.message_type))}({held})"
        if field.enum_type is not None:
            return f"{held} in {self._name(frozenset(field.enum_type.values_by_number))}"
        if field.type == FieldDescriptor.TYPE_STRING:
            longest = bounds.longest or LONGEST
            return f"len({held}) <= {longest} and ({held}.isprintable() or not control({held}))"
        if field.type == FieldDescriptor.TYPE_BYTES:
            return f"len({held}) <= {bounds.longest or LONGEST}"
        if field.cpp_type in (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT):
            return f"finite({held})"
        if field.type == FieldDescriptor.TYPE_BOOL:
            return ""
        low = f"{bounds.least} <= " if bounds.HasField("least") else ""
        high = f" <= {bounds.most}" if bounds.HasField("most") else ""
        return f"{low}{held}{high}" if low or high else ""
