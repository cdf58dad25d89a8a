"""The record of the hand log: the envelope around the events of one decision. [ARCHITECTURE 2]

Its fields are those of `protos/riverboat/wire/v1/record.proto`, frozen for ever. Nothing here
reads or writes bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from riverboat.game.table.events import Event as KnownEvent

# Version of what the rules mean: grows when the same tables of data deal another game. Each hand
# runs to its end at the version that its start names.
RULES_VERSION: Final = 1


@dataclass(slots=True)
class UnknownEvent:
    """An event that this version does not know: it stops the table's hand in this reader."""

    what: str


Event = KnownEvent | UnknownEvent


@dataclass(slots=True)
class Answered:
    """The command that a record answers."""

    topic: str  # short name: table-commands or table-orders
    offset: int  # where it stands in the table's partition of that topic
    player: str = ""  # who asked; empty for an order of the house
    number: int = 0  # the player's number of the command; 0 for an order
    out_of_turn: bool = False  # a void: it does not move the memory of offsets
    order: str = ""  # the order's id, if a copy of it must have no effect


@dataclass(slots=True)
class Record:
    """The events of one decision, in the log whole or not at all."""

    table: str
    version: int  # the table's version after this record; the first is 1
    parent: str  # id of the record that this one follows; empty for the first
    id: str  # "service/incarnation/counter"
    hand: str  # the hand that was being played, or that it starts; empty between hands
    answers: Answered | None
    rules_version: int
    events: tuple[Event, ...]

    @property
    def service(self) -> str:
        """The service that wrote it."""
        return self.id.partition("/")[0]
