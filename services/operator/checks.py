"""Checks: what the fields of a measure must be beyond what its proto says. Knows no state."""

from __future__ import annotations

import re
from typing import Any, Final

from riverboat.game.ids import partition_of, table_of
from riverboat.game.table.events import Settings
from riverboat.runtime.auth import is_subject
from riverboat.runtime.errors import BadInput
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.measures import kind_of, part_of

_CURRENCY: Final = re.compile(r"[A-Z]{3}|PLAY")

_settings = CODEC.decoder(Settings)


def wrong(measure: pb.Measure, partitions: int) -> BadInput | None:
    """The first field of the measure that cannot be meant."""
    kind, part = kind_of(measure), part_of(measure)
    where = f"measure.{kind}"
    fields = part.DESCRIPTOR.fields_by_name
    found: BadInput | None = None
    if "table" in fields and part.table:
        found = table(part.table, f"{where}.table", partitions)
    if "hand" in fields and part.hand:
        found = found or hand(part.hand, f"{where}.hand", partitions)
    if "player" in fields:
        found = found or player(part.player, f"{where}.player")
    if "currency" in fields and part.currency and not _CURRENCY.fullmatch(part.currency):
        found = found or BadInput(f"{where}.currency", "must be three capital letters, or PLAY")
    return found or _of_kind(kind, part, where)


def _of_kind(kind: str, part: Any, where: str) -> BadInput | None:
    measure = pb.Measure()
    getattr(measure, kind).CopyFrom(part)
    match kind:
        case "open" if bool(measure.open.template) is measure.open.HasField("settings"):
            return BadInput(where, "must name a template or have settings, and not both")
        case "open" if measure.open.table:
            return BadInput(f"{where}.table", "must be empty: the service gives it")
        case "propose" if measure.propose.currency:
            return BadInput(f"{where}.currency", "must be empty: the hand's table has one")
        case "propose":
            for at, leg in enumerate(measure.propose.legs):
                if leg.player and (found := player(leg.player, f"{where}.legs[{at}].player")):
                    return found
        case "change" | "open" if part.HasField("settings"):
            try:
                _settings(part.settings)
            except ValueError:
                return BadInput(f"{where}.settings.button_rule", "must be one of its names")
    return None


def table(name: str, field: str, partitions: int) -> BadInput | None:
    """Why this is no table's id."""
    try:
        known = partition_of(name) < partitions
    except ValueError:
        known = False
    return None if known else BadInput(field, "must be a table's id")


def hand(name: str, field: str, partitions: int) -> BadInput | None:
    """Why this is no hand's id."""
    number = name.rpartition("-")[2]
    if not number.isdecimal() or table(table_of(name), field, partitions) is not None:
        return BadInput(field, "must be a hand's id")
    return None


def player(name: str, field: str) -> BadInput | None:
    """Why this is no player's id."""
    return None if is_subject(name) else BadInput(field, "must be a player's id")
