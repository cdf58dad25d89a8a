"""Ids: how the names of tables, hands and sittings are made and taken apart.

An id is text and is never reused. Nothing here knows what stands behind an id.
"""

from __future__ import annotations

import re
from typing import Final

# One way to write an id, so that no two ids name one table.
_TABLE: Final = re.compile(r"(0|[1-9a-f][0-9a-f]{0,31})\.(0|[1-9][0-9]{0,5})")


def table_id(number: int, partition: int) -> str:
    """The id of a table; it contains its partition, so that partitions can be added later.

    >>> table_id(63, 7)
    '3f.7'
    """
    assert number >= 0
    assert partition >= 0
    return f"{number:x}.{partition}"


def partition_of(table: str) -> int:
    """The partition in which everything about this table stands; `ValueError` for no table id.

    >>> partition_of("3f.7")
    7
    """
    if not _TABLE.fullmatch(table):
        raise ValueError(f"not a table id: {table[:60]!r}")
    return int(table.partition(".")[2])


def hand_id(table: str, number: int) -> str:
    """The id of the table's hand number `number`, counted from 1.

    >>> hand_id("3f.7", 12)
    '3f.7-12'
    """
    return f"{table}-{number}"


def table_of(hand: str) -> str:
    """The table at which this hand was dealt.

    >>> table_of("3f.7-12")
    '3f.7'
    """
    return hand.rpartition("-")[0]


def connection_id(instance: str, call: str) -> str:
    """The id of a line: the session that it ends at, and its call there.

    >>> connection_id("s1", "5f")
    's1.5f'
    """
    return f"{instance}.{call}"


def instance_of(connection: str) -> str:
    """The session that this line ends at; empty for what is no line of a session.

    >>> instance_of("s1.5f")
    's1'
    """
    return connection.rpartition(".")[0]


def reservation_id(table: str, player: str, number: int, offset: int) -> str:
    """The id of a reservation: the command that asked for it and where that stands in the log.

    Never from the command alone: a command that was lost with its log and sent again must not find
    the answer to another reservation. The sitting that follows from a reservation carries its id.
    """
    return f"{table}:{player}:{number}@{offset}"


def top_up_id(table: str, player: str, chance: bytes) -> str:
    """The id of a reservation that no command asked for: by chance, for none may come twice.

    >>> top_up_id("3f.7", "ann", b"\x01\xff")
    '3f.7:ann:01ff'
    """
    return f"{table}:{player}:{chance.hex()}"
