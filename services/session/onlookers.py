"""Onlookers: who may look at a table that is closed to view, and who sees it later.

A table's options say both. Who sits sees it at once; where it is closed, who neither sits nor has a
chair kept nor waits there sees nothing, unless he is an operator. Nothing here says what may be
seen of an event: that is the same for all.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from riverboat.game.record import Record
from riverboat.game.table.events import OptionsChanged, PlayerSeated
from riverboat.game.table.state import Table
from riverboat.runtime.clock import Clock
from riverboat.wire.v1.access_pb2 import Role
from services.session import frames, views
from services.session.later import Later
from services.session.stream import Stream
from services.session.watched import Watched

NO_PLAYER: Final = -1  # the index of a viewer who plays for nobody


class View(NamedTuple):
    """Who sees a table as it is after one record, and when."""

    table: str
    version: int
    inside: frozenset[str] | None  # who alone may look; None: everybody
    seated: frozenset[str]  # who sees it at once
    due_ms: int  # when the others see it; 0: at once, too
    snapshot: bytes  # for those to whom the change alone says nothing; empty: not needed


OPEN: Final = View("", 0, None, frozenset(), 0, b"")

# From then on somebody may see the table another way than before.
_ANEW: Final = (PlayerSeated, OptionsChanged)


def view_of(table: Table, record: Record | None, watched: Watched, clock: Clock) -> View:
    """Who sees the table after this record; `OPEN` where that is everybody, and at once.

    Without a record: who sees it as it stands.
    """
    settings = table.settings
    assert settings is not None, "who looks, looks at a table that was opened"
    delay_ms, later = settings.view_delay_ms, watched.later
    if not delay_ms and later is None and not settings.closed_to_view:
        return OPEN
    begins = record is None or any(isinstance(event, _ANEW) for event in record.events)
    ends = later is not None and not delay_ms
    needed = ends or (bool(delay_ms) and (begins or later is None or later.wants_snapshot))
    return View(
        table.id,
        table.version,
        views.inside(table) if settings.closed_to_view else None,
        views.seated(table),
        clock.now_ms() + delay_ms if delay_ms else 0,
        frames.snapshot(table) if needed else b"",
    )


def may_look(table: Table, player: str, roles: frozenset[Role.ValueType]) -> bool:
    """Whether this caller may look at the table as it stands; `player` is empty for nobody."""
    settings = table.settings
    if settings is None or not settings.closed_to_view or Role.ROLE_OPERATOR in roles:
        return True
    return player in views.inside(table)


def sees_at_once(table: Table, player: str) -> bool:
    """Whether this player sees what happens at the table when it does."""
    settings = table.settings
    return settings is None or not settings.view_delay_ms or player in views.seated(table)


def is_inside(view: View, stream: Stream, index: int) -> bool:
    """Whether the stream may look on for this player."""
    if view.inside is None:
        return True
    caller = stream.players[max(index, 0)]
    if Role.ROLE_OPERATOR in caller.roles:
        return True
    return index != NO_PLAYER and caller.id in view.inside


def begin(watched: Watched, view: View, stream: Stream, index: int, known: bool, seen: int) -> bool:
    """Let the stream see the table later, if that is how it sees it.

    `seen` is what the client says that it knows, unless the stream is `known` here already.
    """
    if view is OPEN or not view.due_ms or stream in watched.viewers:
        return False
    later = watched.later
    if index != NO_PLAYER and stream.players[index].id in view.seated:
        if later is not None:
            later.viewers.pop(stream, None)
        return False
    if later is None:
        later = watched.later = Later()
    if later.wants_snapshot:
        later.add(view.due_ms, view.version, b"", view.snapshot)
    if not known or stream not in later.viewers:
        later.begin(stream, seen if seen <= view.version else 0)
    return True


def show(watched: Watched, view: View, frame: bytes) -> list[tuple[Stream, int]]:
    """Let the others see the record, who sits at once and who does not later.

    Those who see the table at once have been told. Tells who may look no longer.
    """
    hidden: list[tuple[Stream, int]] = []
    if view.inside is not None:
        for stream in watched.streams():
            for index in list(stream.tables.get(view.table, ())):
                if not is_inside(view, stream, index):
                    hidden.append((stream, index))
    later = watched.later
    if view.due_ms:
        if later is None:
            later = watched.later = Later()
        later.add(view.due_ms, view.version, frame, view.snapshot)
        for stream in list(watched.viewers):
            if not _sits(view, stream):
                del watched.viewers[stream]
                later.viewers[stream] = view.version
        for stream in [one for one in later.viewers if _sits(view, one)]:
            _catch_up(watched, later, view, stream)
    elif later is not None:
        # There is no delay any more.
        for stream in list(later.viewers):
            _catch_up(watched, later, view, stream)
        watched.later = None
    return hidden


def _sits(view: View, stream: Stream) -> bool:
    following = stream.tables.get(view.table, ())
    return any(index >= 0 and stream.players[index].id in view.seated for index in following)


def _catch_up(watched: Watched, later: Later, view: View, stream: Stream) -> None:
    """From now on the stream sees the table at once, beginning with what it is now."""
    del later.viewers[stream]
    watched.viewers[stream] = None
    stream.push(view.snapshot)
