"""Measures: their ids, what each is about, and which right it takes. Pure; knows no state.

A measure is told on the wire and kept in the log in the same words, so its messages are used here
as they are.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from typing import Any, Final

from riverboat.game.ids import partition_of, table_of
from riverboat.wire.v1 import operator_pb2 as pb

# Who takes what nobody asked for: no token has this subject and the role operator by chance, for
# what it does is bound to keys of its own.
HOUSE: Final = "house"

ALL: Final = "all"
TABLES: Final = "tables"
TABLE: Final = "table"
PLAYER: Final = "player"
TEMPLATE: Final = "template"
COMPLAINT: Final = "complaint"
CORRECTION: Final = "correction"

# Each measure's right, by its name in the oneof: what is not listed nobody may take.
RIGHTS: Final = {
    **dict.fromkeys(
        ("open", "keep", "change", "pause", "resume", "drain", "close", "void", "remove", "say"),
        "tables",
    ),
    **dict.fromkeys(("warn", "silence", "freeze", "thaw", "close_account"), "players"),
    **dict.fromkeys(("refund", "propose", "reject"), "money"),
    "approve": "approve",
    **dict.fromkeys(("complain", "handle"), "complaints"),
    "see_cards": "see-cards",
    # Whoever may look may make a file of what he sees; private cards take their own right.
    "case": "",
}
CARDS: Final = "see-cards"

# What is not asked for by `Take`, but by a look of its own.
LOOKS: Final = frozenset({"see_cards", "case"})


def kind_of(measure: pb.Measure) -> str:
    """Its name in the oneof; empty for one that this version does not know."""
    return measure.WhichOneof("measure") or ""


def part_of(measure: pb.Measure) -> Any:
    """What is set in the oneof."""
    return getattr(measure, kind_of(measure))


def measure_id(by: str, key: str) -> str:
    """The same for each retry, and for nobody else's key.

    >>> measure_id("ann", "k1") == measure_id("ann", "k1") != measure_id("ann", "k2")
    True
    """
    return hashlib.sha256(f"{by}\0{key}".encode()).hexdigest()[:24]


def subject_of(measure: pb.Measure, own_id: str) -> str:
    """What it is about: the key of its records. Measures about one thing are taken in turn."""
    return _SUBJECTS[kind_of(measure)](part_of(measure), own_id)


def partition_for(subject: str, partitions: int) -> int:
    """Where its records stand: a table's beside the table, others wherever their name falls."""
    what, _, name = subject.partition(":")
    if what == TABLE:
        return partition_of(name)
    return zlib.crc32(subject.encode()) % partitions


def as_asked(measure: pb.Measure) -> pb.Measure:
    """The measure without what the service has put in."""
    asked = pb.Measure()
    asked.CopyFrom(measure)
    match kind_of(asked):
        case "open":
            asked.open.table = ""
        case "propose":
            asked.propose.currency = ""
    return asked


def _of_table(part: Any, _own_id: str) -> str:
    return f"{TABLE}:{part.table}"


def _of_hand(part: Any, _own_id: str) -> str:
    return f"{TABLE}:{table_of(part.hand)}"


def _of_player(part: Any, _own_id: str) -> str:
    return f"{PLAYER}:{part.player}"


def _of_template(part: Any, _own_id: str) -> str:
    return f"{TEMPLATE}:{part.template}"


_SUBJECTS: Final[dict[str, Callable[[Any, str], str]]] = {
    # Never the new table: a retry that races with the first would name another one.
    "open": lambda part, _: f"{TEMPLATE}:{part.template}" if part.template else TABLES,
    "keep": _of_template,
    **dict.fromkeys(("change", "pause", "resume", "drain", "close", "remove"), _of_table),
    **dict.fromkeys(("void", "see_cards", "case"), _of_hand),
    "say": lambda part, _: f"{TABLE}:{part.table}" if part.table else ALL,
    **dict.fromkeys(("warn", "silence", "freeze", "thaw", "close_account", "refund"), _of_player),
    "propose": lambda _, own_id: f"{CORRECTION}:{own_id}",
    **dict.fromkeys(("approve", "reject"), lambda part, _: f"{CORRECTION}:{part.correction}"),
    "complain": lambda _, own_id: f"{COMPLAINT}:{own_id}",
    "handle": lambda part, _: f"{COMPLAINT}:{part.complaint}",
}
