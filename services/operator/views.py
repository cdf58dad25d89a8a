"""Views: what the book knows, in the words of the wire. Decides and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping

from riverboat.game.ids import table_of
from riverboat.game.table.events import Settings
from riverboat.game.table.state import Table
from riverboat.runtime import errors
from riverboat.runtime.errors import Fault
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.book import Book, Entry, Player
from services.operator.measures import part_of
from services.operator.templates import Template

_fill_settings = CODEC.filler(Settings)


def line(entry: Entry) -> pb.MeasureLine:
    """A measure, and where the log has it."""
    return pb.MeasureLine(
        taken=entry.taken,
        ended=entry.ended,
        taken_ms=entry.taken_ms,
        ended_ms=entry.ended_ms,
        partition=entry.partition,
        taken_at=entry.taken_at,
        ended_at=entry.ended_at,
    )


def flags(player: Player) -> list[pb.FlagLine]:
    """His flags, newest first."""
    return [pb.FlagLine(flagged=one, time_ms=at_ms) for one, at_ms in reversed(player.flags)]


def flagged(name: str, player: Player) -> pb.FlaggedPlayer:
    """A flagged player, and what the house rules do next about him.

    "Management warns the first time, closes the account the second." [RULES 7, disconnect
    protection] A flag that he was warned of already is no second time.
    """
    since = sum(at_ms > player.warned_ms for _, at_ms in player.flags)
    step = "" if player.closed or not since else "close" if player.warnings else "warn"
    return pb.FlaggedPlayer(
        player=name,
        flags=flags(player),
        warnings=player.warnings,
        closed=player.closed,
        next=step,
    )


def is_overdue(complaint: pb.Complaint, now_ms: int) -> bool:
    """Whether it should have been answered."""
    waits = (pb.COMPLAINT_STATE_OPEN, pb.COMPLAINT_STATE_IN_REVIEW)
    return complaint.state in waits and complaint.deadline_ms < now_ms


def template(one: Template, book: Book, tables: Mapping[str, Table]) -> pb.Template:
    """A template, and its tables that stand."""
    told = pb.Template(name=one.name, keep=book.keeps.get(one.name, one.keep))
    _fill_settings(told.settings, one.settings)
    for name, of in book.tables.items():
        table = tables.get(name)
        if of == one.name and table is not None and table.settings and not table.closed:
            told.tables.append(name)
    return told


def taken(entry: Entry) -> pb.TakeResponse:
    """What came of a measure that had its effect."""
    ended = entry.ended
    assert ended is not None, "told only once it has ended"
    part = part_of(entry.taken.measure)
    return pb.TakeResponse(
        id=entry.taken.id,
        taken_ms=entry.taken_ms,
        ended_ms=entry.ended_ms,
        table=getattr(part, "table", "") or table_of(getattr(part, "hand", "")),
        version=ended.version,
        posting=ended.posting,
    )


def refused(ended: pb.MeasureEnded) -> Fault:
    """Why a measure had none."""
    facts = {one.name: one.word or str(one.number) for one in ended.facts}
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    words = ended.refused.lower().replace("_", " ")
    message = f"{words} ({said})" if said else words
    return Fault(errors.FAILED_PRECONDITION, ended.refused, message, facts)
