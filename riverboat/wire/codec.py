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

from riverboat.wire.joined import part, tag_of

Encode = Callable[[Any], Message]
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
        self._encoders: dict[type, Encode] = {}
        self._decoders: dict[type, Decode] = {}

    def message_of(self, face: type) -> type[Message]:
        """The message class that this dataclass is the face of."""
        try:
            return self._messages[face.__name__]
        except KeyError:
            raise CodecMismatch(f"{face.__name__} has no message") from None

    def encoder(self, face: type) -> Encode:
        """A function from an instance of `face` to its message."""
        if face not in self._encoders:
            self._encoders[face] = self._build_encoder(face)
        return self._encoders[face]

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

    def _build_encoder(self, face: type) -> Encode:
        message = self.message_of(face)
        plain: list[str] = []
        deep: list[tuple[str, Encode, bool]] = []
        for name, hint in self.fields(face):
            inner, many = _element(hint)
            if dataclasses.is_dataclass(inner):
                deep.append((name, self.encoder(typing.cast(type, inner)), many))
            else:
                plain.append(name)
        # One expression per class, compiled once: a loop over fields costs three times as much.
        parts = [f"{name}=v.{name}" for name in plain]
        scope: dict[str, Any] = {"M": message}
        for index, (name, encode, many) in enumerate(deep):
            scope[f"e{index}"] = encode
            value = f"[e{index}(x) for x in v.{name}]" if many else f"e{index}(v.{name})"
            parts.append(f"{name}={value}")
        return typing.cast(Encode, eval(f"lambda v: M({', '.join(parts)})", scope))

    def _build_decoder(self, face: type) -> Decode:
        parts: list[str] = []
        scope: dict[str, Any] = {"F": face}
        for index, (name, hint) in enumerate(self.fields(face)):
            inner, many = _element(hint)
            value = f"m.{name}"
            if dataclasses.is_dataclass(inner):
                scope[f"d{index}"] = self.decoder(typing.cast(type, inner))
                value = f"tuple([d{index}(x) for x in {value}])" if many else f"d{index}({value})"
            elif many:
                value = f"tuple({value})"
            elif isinstance(inner, type) and issubclass(inner, IntEnum):
                # A dict takes a tenth of the time; the class itself raises for what is unknown.
                scope[f"k{index}"] = {int(member): member for member in inner}.get
                scope[f"d{index}"] = inner
                value = f"(k{index}({value}) or d{index}({value}))"
            parts.append(value)
        return typing.cast(Decode, eval(f"lambda m: F({', '.join(parts)})", scope))


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
        self._encode = {
            face: (tag_of(wrapper, by_type[face.__name__]), codec.encoder(face)) for face in members
        }
        self._decode = {by_type[face.__name__]: codec.decoder(face) for face in members}

    def encode(self, value: Any) -> bytes:
        """The value as the bytes that its field takes in the wrapping message."""
        tag, encode = self._encode[type(value)]
        return part(tag, encode(value).SerializeToString())

    def decode(self, message: Any) -> Any:
        """The value in the group; `ValueError` when none, or an unknown one, is set."""
        name = message.WhichOneof(self.group)
        if name is None:
            raise ValueError(f"{message.DESCRIPTOR.name}.{self.group} holds nothing that is known")
        return self._decode[name](getattr(message, name))
