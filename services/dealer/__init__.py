"""The dealer: the life of a table, as one manifest.

Says what the dealer takes, writes and owes; decides nothing that `riverboat.game` does not.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import DEALER, MAY_WRITE
from riverboat.game.commands import Act, Action, Asked, Ordered, VoidHand
from riverboat.game.table import dealing, decide
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Manifest, Message


def takes(message: Message) -> bool:
    """Everything but acts; of those, discards."""
    if isinstance(message, Ordered):
        return True
    command = message.command
    return not isinstance(command, Act) or command.action is Action.DRAW


def answer(table: Table, message: Message, given: Given) -> Decision:
    """What comes of a command or an order."""
    if isinstance(message, Asked) and isinstance(message.command, Act):
        return dealing.draw(table, message, message.command, given)
    return decide.answer(table, message, given)


def out_of_turn(message: Message) -> bool:
    """A void is the one order that is taken out of turn. [ARCHITECTURE 2, stopped tables]"""
    return isinstance(message, Ordered) and isinstance(message.order, VoidHand)


MANIFEST: Final = Manifest(
    name=DEALER,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if DEALER in writers),
    topics=("table-orders", "table-commands"),
    takes=takes,
    answer=answer,
    duty=dealing.duty,
    alarm=dealing.alarm,
    ring=dealing.ring,
    overdue=dealing.overdue,
    out_of_turn=out_of_turn,
    writes_dead_letters=True,
)
