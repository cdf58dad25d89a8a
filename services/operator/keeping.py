"""Keeping tables open: what the house does by itself so that there is always a chair.

For each template one more is opened when too few of its tables have a free chair, and an empty one
that it opened itself is drained when too many have. Says what is due; takes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from riverboat.game.table.seats import free_seat
from riverboat.game.table.state import Table
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.book import Book
from services.operator.measures import TEMPLATE
from services.operator.templates import Template

# An opening that was refused is tried again after this: somebody must look at the template.
REFUSED_MS: Final = 10 * 60 * 1_000


class Due(NamedTuple):
    """A measure of the house, and the key under which it counts once."""

    template: str
    key: str
    measure: pb.Measure


def due(
    book: Book,
    templates: Mapping[str, Template],
    find: Callable[[str], Table | None],
    now_ms: int,
) -> Iterator[Due]:
    """What is to be done now, for each template one thing at a time."""
    busy = {
        book.entries[own_id].taken.measure.open.template
        for own_id in book.open
        if book.entries[own_id].kind == "open"
    }
    for name, template in templates.items():
        if name in busy or _was_refused(book, name, now_ms):
            continue
        keep = book.keeps.get(name, template.keep)
        known = [find(one) for one, of in book.tables.items() if of == name]
        tables = [table for table in known if table is not None and is_open(table)]
        free = [table for table in tables if free_seat(table) is not None]
        if len(free) < keep:
            opening = pb.Measure(open=pb.Measure.Open(template=name))
            yield Due(name, f"keep:{name}:{book.opened.get(name, 0) + 1}", opening)
        elif len(free) > keep:
            # What an operator opened is his to close.
            empty = [table for table in free if table.id in book.kept and is_empty(table)]
            if empty:
                # The newest: those that stand longest are the ones that people know.
                draining = pb.Measure(drain=pb.Measure.Drain(table=empty[-1].id))
                yield Due(name, f"drain:{empty[-1].id}", draining)


def _was_refused(book: Book, template: str, now_ms: int) -> bool:
    """Whether the last of its tables could not be opened, just now."""
    for own_id in reversed(book.about.get(f"{TEMPLATE}:{template}", ())):
        entry = book.entries[own_id]
        if entry.kind == "open" and entry.ended is not None:
            return bool(entry.ended.refused) and now_ms < entry.ended_ms + REFUSED_MS
    return False


def is_open(table: Table) -> bool:
    """Whether the table takes players now and later."""
    return table.settings is not None and not (table.closing or table.closed or table.draining)


def is_empty(table: Table) -> bool:
    """Whether nobody is there or on his way."""
    return not (table.sittings or table.reservations or table.holds or table.waiters)
