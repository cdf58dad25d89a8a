"""Requests made from descriptors: right ones, ones with one known fault, and rubbish.

The bounds that are obeyed or broken are the wire's own options, read here anew and not by the code
that enforces them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from riverboat.wire.v1 import access_pb2

LONGEST, ENTRIES = 128, 256
DEPTH = 4
SECRET = "hush-AsAh"  # stands in what is sent, and must never be told to anybody

_INTS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


class Fault(NamedTuple):
    """One way to break a message that is right."""

    field: str  # as the fault is to be named
    do: Callable[[], Any]


def bounds_of(field: FieldDescriptor) -> access_pb2.Bounds:
    return field.GetOptions().Extensions[access_pb2.bounds]


def is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


class Maker:
    """Makes requests, the same ones from the same seed."""

    def __init__(self, seed: object, words: tuple[str, ...] = ()) -> None:
        self.rng = random.Random(str(seed))
        self.words = words  # what a string may be, so that some requests reach what they name

    def right(self, descriptor: Descriptor, depth: int = 0) -> Any:
        """A message that keeps every bound; whether it makes sense is another matter."""
        message = GetMessageClass(descriptor)()
        arms = {
            oneof.name: self.rng.choice(oneof.fields).name
            for oneof in descriptor.oneofs
            if not oneof.name.startswith("_")
        }
        for field in descriptor.fields:
            oneof = field.containing_oneof
            if oneof is not None and oneof.name in arms:
                if arms[oneof.name] == field.name:
                    self._fill(message, field, depth, must=True)
                continue
            # A field that is left out is 0, which its bounds may not allow.
            must = bounds_of(field).required or bounds_of(field).least > 0
            if must or (depth < DEPTH and self.rng.random() < 0.8):
                self._fill(message, field, depth, must)
        return message

    def _fill(self, message: Any, field: FieldDescriptor, depth: int, must: bool) -> None:
        if is_map(field):
            return
        if field.is_repeated:
            most = min(bounds_of(field).entries or ENTRIES, 3)
            for _ in range(self.rng.randint(int(must), most)):
                held = getattr(message, field.name)
                if field.message_type is not None:
                    held.add().CopyFrom(self.right(field.message_type, depth + 1))
                else:
                    held.append(self.value(field, must))
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(self.right(field.message_type, depth + 1))
            getattr(message, field.name).SetInParent()
        else:
            setattr(message, field.name, self.value(field, must))

    def value(self, field: FieldDescriptor, must: bool) -> Any:
        """A value within the field's bounds."""
        bounds, rng = bounds_of(field), self.rng
        if field.type == FieldDescriptor.TYPE_STRING:
            longest = bounds.longest or LONGEST
            word = rng.choice((*self.words, SECRET, "é", "x" * longest, "12-3@4:5", " "))
            return (word if word or not must else "x")[:longest]
        if field.type == FieldDescriptor.TYPE_BYTES:
            return rng.randbytes(rng.randint(int(must), bounds.longest or LONGEST))
        if field.enum_type is not None:
            return rng.choice([n for n in field.enum_type.values_by_number if n or not must])
        if field.type == FieldDescriptor.TYPE_BOOL:
            return rng.random() < 0.5
        if field.cpp_type in _INTS:
            low, high = _INTS[field.cpp_type]
            low = max(low, bounds.least) if bounds.HasField("least") else low
            high = min(high, bounds.most) if bounds.HasField("most") else high
            picks = [low, high, rng.randint(low, high), *range(1, 4), 100]
            return rng.choice([n for n in picks if low <= n <= high and (n or not must)])
        return rng.choice([0.0, 1.5, -2.0])

    def wrong(self, descriptor: Descriptor) -> tuple[Any, str] | None:
        """A message with one fault, and the field that is at fault; None if none can be made."""
        message = self.right(descriptor)
        faults = list(self._faults(message, ""))
        if not faults:
            return None
        fault = self.rng.choice(faults)
        fault.do()
        return message, fault.field

    def _faults(self, message: Any, where: str) -> Iterator[Fault]:
        for field in message.DESCRIPTOR.fields:
            path, bounds = f"{where}{field.name}", bounds_of(field)
            oneof = field.containing_oneof
            arm = oneof is not None and not oneof.name.startswith("_")
            if is_map(field) or (arm and not message.HasField(field.name)):
                continue
            if bounds.required and not arm:
                yield Fault(path, partial(message.ClearField, field.name))
            if field.is_repeated:
                yield from self._list_faults(message, field, path)
            elif field.message_type is None:
                for bad in self._bad_values(field):
                    yield Fault(path, partial(setattr, message, field.name, bad))
            elif message.HasField(field.name):
                yield from self._faults(getattr(message, field.name), f"{path}.")
        for oneof in message.DESCRIPTOR.oneofs:
            if not oneof.name.startswith("_"):
                yield Fault(f"{where}{oneof.name}", partial(message.ClearField, oneof.name))

    def _list_faults(self, message: Any, field: FieldDescriptor, path: str) -> Iterator[Fault]:
        held, most = getattr(message, field.name), bounds_of(field).entries or ENTRIES
        if field.message_type is not None:
            for index, entry in enumerate(held):
                yield from self._faults(entry, f"{path}[{index}].")
            one: Any = self.right(field.message_type, DEPTH)
        else:
            one = self.value(field, must=True)
            for bad in self._bad_values(field):
                yield Fault(f"{path}[0]", partial(_put_first, held, bad))
        yield Fault(path, partial(held.extend, [one] * (most + 1)))

    def _bad_values(self, field: FieldDescriptor) -> list[Any]:
        bounds = bounds_of(field)
        if field.type == FieldDescriptor.TYPE_STRING:
            longest = bounds.longest or LONGEST
            return [SECRET * longest, "\n" + SECRET[: longest - 1], "\u202e", "\x00"]
        if field.type == FieldDescriptor.TYPE_BYTES:
            return [bytes((bounds.longest or LONGEST) + 1)]
        if field.enum_type is not None:
            return [max(field.enum_type.values_by_number) + 1, -1, 2**31 - 1]
        bad: list[Any] = []
        if field.cpp_type in _INTS:
            low, high = _INTS[field.cpp_type]
            if bounds.HasField("least") and bounds.least > low:
                bad += [bounds.least - 1, low]
            if bounds.HasField("most") and bounds.most < high:
                bad += [bounds.most + 1, high]
        return bad

    def rubbish(self, descriptor: Descriptor) -> bytes:
        """Bytes that a client of ours would never send: most are no message at all."""
        rng = self.rng
        data = bytearray(self.right(descriptor).SerializeToString())
        kind = rng.randrange(4)
        if kind == 0 or not data:
            return rng.randbytes(rng.randint(1, 400))
        if kind == 1:
            return bytes(data[: rng.randrange(len(data))])
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data) if kind == 2 else bytes(data) * rng.randint(2, 5)


def _put_first(held: Any, bad: Any) -> None:
    del held[:1]
    held.insert(0, bad)


def parses(data: bytes, kind: type[Message]) -> bool:
    """Whether these bytes are a message of this kind."""
    try:
        kind.FromString(data)
    except Exception:
        return False
    return True
