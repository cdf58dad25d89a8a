"""A service's face: what it may write and how it decides, as one value. [STYLE, habit 10]

The manifest is all that the step knows of a service. It holds pure functions over one table's
state; authority, metrics, retries and the log wrap it from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from riverboat.game.commands import Asked, Ordered
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import Event
from riverboat.game.table.given import Alarm, Given
from riverboat.game.table.state import Table

Message = Asked | Ordered
Decision = Sequence[Event] | Refusal | None
"""Events; or why not; or nothing at all (a message that is counted and ignored)."""


def no_alarm(_table: Table) -> Alarm | None:
    """For a decider that waits for nothing."""
    return None


def nothing_due(_table: Table, _alarm: Alarm, _given: Given) -> Sequence[Event] | None:
    """For a decider that waits for nothing."""
    return None


def never_out_of_turn(_message: Message) -> bool:
    """For a decider that answers everything in order."""
    return False


@dataclass(frozen=True, slots=True)
class Manifest:
    """One decider."""

    name: str
    writes: frozenset[type]  # the events that it may write; game/authority.py is the law
    topics: tuple[str, ...]  # inputs by short name, first answered first
    takes: Callable[[Message], bool]  # whether this message is for this decider
    answer: Callable[[Table, Message, Given], Decision]
    duty: Callable[[Table, Given], Sequence[Event] | None]  # what it owes now; None: nothing
    alarm: Callable[[Table], Alarm | None] = no_alarm
    ring: Callable[[Table, Alarm, Given], Sequence[Event] | None] = nothing_due
    overdue: Callable[[Table], int | None] = lambda _table: None  # since when its step is owed
    out_of_turn: Callable[[Message], bool] = never_out_of_turn  # a void
    writes_dead_letters: bool = False  # puts what cannot be read aside, for all
