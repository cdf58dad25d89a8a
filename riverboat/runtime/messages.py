"""Messages between the log and a decider: by which topic they come, and how they are answered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from riverboat.game.commands import Asked, Funded, NotFunded
from riverboat.game.record import Answered
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import CommandRefused, Event, Fact
from riverboat.log import topics
from riverboat.runtime.entry import Waiting
from riverboat.runtime.service import Message
from riverboat.wire.record import decode_asked, decode_ordered

FULL_NAMES: Final = {
    "table-commands": topics.TABLE_COMMANDS,
    "table-orders": topics.TABLE_ORDERS,
}
DECODERS: Final[dict[str, Callable[[bytes], Message]]] = {
    topics.TABLE_COMMANDS: decode_asked,
    topics.TABLE_ORDERS: decode_ordered,
}


def events_of(decision: Sequence[Event] | Refusal) -> Sequence[Event]:
    """The decision as events: a refusal is one, too."""
    if not isinstance(decision, Refusal):
        return decision
    facts = tuple(
        Fact(name, value, "") if isinstance(value, int) else Fact(name, 0, value)
        for name, value in decision.facts.items()
    )
    return (CommandRefused(int(decision.code), facts),)


def answered(short: str, waiting: Waiting, out_of_turn: bool = False) -> Answered:
    """What the record of this answer says of the command."""
    message = waiting.message
    if isinstance(message, Asked):
        return Answered(short, waiting.offset, message.player, message.number, out_of_turn)
    # A copy of an answer to a reservation finds no reservation.
    order = "" if isinstance(message.order, Funded | NotFunded) else message.id
    return Answered(short, waiting.offset, "", 0, out_of_turn, order)
