"""The codec: one generic join of dataclasses and protobuf messages, by name. [STYLE, habit 5]

A dataclass and the message of the same name have the same fields; a test holds them together. The
codec is built once per class, at import, from their descriptors. It knows no event by name.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from enum import IntEnum
from typing import Any

from google.protobuf.message import Message

Encode = Callable[[Any], Message]
Fill = Callable[[Any, Any], None]
Decode = Callable[[Any], Any]


class CodecMismatch(Exception):
    """A dataclass and its message differ; the text names both and the field."""


class Codec:
    """Encoders and decoders for the messages of some generated modules."""

    def __init__(self, *modules: types.ModuleType) -> None:
        self._messages: dict[str, type[Message]] = {}
        for module in modules:
            for name in module.DESCRIPTOR.message_types_by_name:
                self._messages[name] = getattr(module, name)
        self._fillers: dict[type, Fill] = {}
        self._decoders: dict[type, Decode] = {}

    def message_of(self, face: type) -> type[Message]:
        """The message class that this dataclass is the face of."""
        try:
            return self._messages[face.__name__]
        except KeyError:
            raise CodecMismatch(f"{face.__name__} has no message") from None

    def encoder(self, face: type) -> Encode:
        """A function from an instance of `face` to its message."""
        make, fill = self.message_of(face), self.filler(face)

        def encode(value: Any) -> Message:
            message = make()
            fill(message, value)
            return message

        return encode

    def filler(self, face: type) -> Fill:
        """A function that puts an instance of `face` into its message, which is empty before."""
        if face not in self._fillers:
            self._fillers[face] = self._build_filler(face)
        return self._fillers[face]

    def decoder(self, face: type) -> Decode:
        """A function from a message to an instance of `face`."""
        if face not in self._decoders:
            self._decoders[face] = self._build_decoder(face)
        return self._decoders[face]

    def fields(self, face: type) -> list[tuple[str, Any]]:
        """The face's fields and their types, checked one to one against the message's."""
        hints = typing.get_type_hints(face)
        named = [(field.name, hints[field.name]) for field in dataclasses.fields(face)]
        wire = set(self.message_of(face).DESCRIPTOR.fields_by_name)
        mine = {name for name, _ in named}
        if wire != mine:
            raise CodecMismatch(f"{face.__name__}: {sorted(wire ^ mine)} stands on one side only")
        return named

    def _build_filler(self, face: type) -> Fill:
        # One function per class, compiled once: a loop over fields costs three times as much. A
        # message is filled in place, and with what is not zero only: its own constructor, and
        # messages that are copied into others, cost twice as much.
        lines = ["def fill(m, v):", " pass"]
        scope: dict[str, Any] = {}
        for index, (name, hint) in enumerate(self.fields(face)):
            inner, many = _element(hint)
            if dataclasses.is_dataclass(inner):
                scope[f"f{index}"] = self.filler(typing.cast(type, inner))
                if many:
                    lines += [f" for x in v.{name}:", f"  f{index}(m.{name}.add(), x)"]
                else:
                    lines += [f" m.{name}.SetInParent()", f" f{index}(m.{name}, v.{name})"]
            elif many:
                lines += [f" if v.{name}:", f"  m.{name}.extend(v.{name})"]
            else:
                lines += [f" x = v.{name}", " if x:", f"  m.{name} = x"]
        exec("\n".join(lines), scope)
        return typing.cast(Fill, scope["fill"])

    def _build_decoder(self, face: type) -> Decode:
        scope: dict[str, Any] = {}
        return typing.cast(Decode, eval(f"lambda m: {self._reading(face, 'm', scope)}", scope))

    def _reading(self, face: type, source: str, scope: dict[str, Any]) -> str:
        """The expression that builds the face from the message named `source`.

        Repeated messages stand in it whole: a call for each of them would cost as much as a field.
        What is repeated is copied by a slice, which takes half the time of going through it.
        """
        make = f"F{len(scope)}"
        scope[make] = face
        parts: list[str] = []
        for name, hint in self.fields(face):
            inner, many = _element(hint)
            value, key = f"{source}.{name}", len(scope)
            if dataclasses.is_dataclass(inner):
                inner = typing.cast(type, inner)
                if many:
                    each = self._reading(inner, f"{source}_", scope)
                    value = f"tuple([{each} for {source}_ in {value}[:]])"
                else:
                    scope[f"d{key}"] = self.decoder(inner)
                    value = f"d{key}({value})"
            elif many:
                value = f"tuple({value}[:])"
            elif isinstance(inner, type) and issubclass(inner, IntEnum):
                # A dict takes a tenth of the time; the class itself raises for what is unknown.
                scope[f"k{key}"] = {int(member): member for member in inner}.get
                scope[f"d{key}"] = inner
                value = f"(k{key}({value}) or d{key}({value}))"
            parts.append(value)
        return f"{make}({', '.join(parts)})"


def _element(hint: Any) -> tuple[Any, bool]:
    """The type of one element, and whether there are many."""
    if typing.get_origin(hint) is tuple:
        return typing.get_args(hint)[0], True
    return hint, False


class OneOf:
    """A union of faces that travels in one `oneof` of a wrapping message."""

    def __init__(self, codec: Codec, wrapper: type[Message], group: str, faces: Any) -> None:
        oneof = wrapper.DESCRIPTOR.oneofs_by_name[group]
        by_type = {f.message_type.name: f.name for f in oneof.fields if f.message_type is not None}
        members = typing.get_args(faces)
        missing = by_type.keys() ^ {face.__name__ for face in members}
        if missing:
            raise CodecMismatch(f"{wrapper.DESCRIPTOR.name}.{group}: {sorted(missing)}")
        self.group = group
        self._fill = {face: (by_type[face.__name__], codec.filler(face)) for face in members}
        self._decode = {by_type[face.__name__]: codec.decoder(face) for face in members}

    def fill(self, message: Any, value: Any) -> None:
        """Put the value into its field of the wrapping message."""
        name, fill = self._fill[type(value)]
        held = getattr(message, name)
        held.SetInParent()
        fill(held, value)

    def decode(self, message: Any) -> Any:
        """The value in the group; `ValueError` when none, or an unknown one, is set."""
        name = message.WhichOneof(self.group)
        if name is None:
            raise ValueError(f"{message.DESCRIPTOR.name}.{self.group} holds nothing that is known")
        return self._decode[name](getattr(message, name))
