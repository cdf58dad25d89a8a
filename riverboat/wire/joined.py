"""Joined messages: encoded parts put together to a message, and never encoded again.

What stands before each part on the wire is its field's tag and its length. Nothing here knows what
a part says, and nothing is read back.
"""

from __future__ import annotations

from typing import Final

_BYTES: Final = 2  # the wire type of strings, bytes and messages


def varint(number: int) -> bytes:
    """A number that is not negative, as the wire writes it.

    >>> varint(5), varint(300)
    (b'\\x05', b'\\xac\\x02')
    """
    if number < 0x80:
        return _SMALL[number]
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


_SMALL: Final = tuple(bytes((number,)) for number in range(0x80))


def tag_of(message: type, name: str) -> bytes:
    """What stands before each entry of this field of the message, which holds bytes."""
    number: int = message.DESCRIPTOR.fields_by_name[name].number  # type: ignore[attr-defined]
    return varint(number << 3 | _BYTES)


def part(tag: bytes, data: bytes) -> bytes:
    """An entry of the field that `tag` names."""
    size = len(data)
    if size < 0x80:
        return tag + _SMALL[size] + data
    return tag + varint(size) + data
