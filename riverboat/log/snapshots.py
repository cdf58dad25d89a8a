"""Snapshots: a table's state as bytes, and each partition's recovery mark. [ARCHITECTURE 4]

A snapshot only saves reading: whoever cannot read one folds the table from the log instead. It is
never the truth, and nothing is decided here.
"""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from riverboat.game.table.state import NO_GAME, Table

# Raised whenever a state says what an older reader would leave out or take otherwise: he passes it
# over. Form 1 knew no choice of a mix's next game, form 2 no pauses, lists and preferences, form 3
# no hand in which somebody was protected, form 4 no orders that had effect: that there is none is
# what they mean, and they are read.
FORM: Final = 5
READ: Final = (1, 2, 3, 4, FORM)
MARK_FORM: Final = 1
MARK_KEY: Final = "mark"


class Snapshot(msgspec.Struct, frozen=True):
    """One table at one version; `offset` is the next of the hand log to apply."""

    form: int
    version: int
    head: str
    offset: int
    head_at: int  # offset of the head itself
    check: bytes  # digest of `state`
    state: bytes


class Mark(msgspec.Struct, frozen=True):
    """Where a partition's recovery begins, and how new its snapshots must be."""

    form: int
    offset: int  # the lowest offset of the hand log that some table still needs
    versions: dict[str, int]  # the version that each table's snapshot must reach


class NoSnapshot(ValueError):
    """These bytes are no snapshot, or no mark, that this version can use."""


_state = msgspec.msgpack.Decoder(Table)
_snapshot = msgspec.msgpack.Decoder(Snapshot)
_mark = msgspec.msgpack.Decoder(Mark)


def _check(state: bytes) -> bytes:
    return hashlib.blake2b(state, digest_size=16).digest()


def encode_snapshot(table: Table, offset: int, head_at: int) -> bytes:
    """The table's snapshot, where `offset` is the next record of its partition to read.

    `head_at` is the offset of the last record applied.
    """
    assert not table.stopped, "a stopped table is never snapshotted"
    state = msgspec.msgpack.encode(table)
    return msgspec.msgpack.encode(
        Snapshot(FORM, table.version, table.head, offset, head_at, _check(state), state)
    )


def decode_snapshot(data: bytes) -> tuple[Table, Snapshot]:
    """The table, and the snapshot that held it; raises `NoSnapshot`."""
    try:
        found = _snapshot.decode(data)
        if found.form not in READ or _check(found.state) != found.check:
            raise NoSnapshot("another form, or damaged")
        table = _state.decode(found.state)
    except msgspec.MsgspecError as error:
        raise NoSnapshot(str(error)) from None
    if (table.version, table.head) != (found.version, found.head):
        raise NoSnapshot("it does not hold what it says")
    if found.form < 3 and any(each.away for each in table.sittings.values()):
        # It does not say since when; whoever folds the log knows, and the two must agree.
        raise NoSnapshot("somebody is away since nobody knows when")
    if found.form < 4 and _has_used(table):
        # Nor whether in a hand that was, or will be, called off: then he has it back.
        raise NoSnapshot("somebody may have used a protection, and it does not say in which hand")
    if found.form == 1:
        # It knew no choice of games. A compiled class takes a number that is missing for 0.
        table.chosen = NO_GAME
    return table, found


def _has_used(table: Table) -> bool:
    """Whether a sitting has fewer disconnect protections than the table grants at the most."""
    most = 0 if table.settings is None else table.settings.protections
    return any(sitting.protections < most for sitting in table.sittings.values())


def encode_mark(offset: int, versions: dict[str, int]) -> bytes:
    """A partition's mark."""
    return msgspec.msgpack.encode(Mark(MARK_FORM, offset, versions))


def decode_mark(data: bytes) -> Mark:
    """The mark in these bytes; raises `NoSnapshot`."""
    try:
        found = _mark.decode(data)
    except msgspec.MsgspecError as error:
        raise NoSnapshot(str(error)) from None
    if found.form != MARK_FORM:
        raise NoSnapshot("another form")
    return found
