"""Betting: acts and their clocks, as one manifest.

Says what betting takes, writes and owes; decides nothing that `riverboat.game` does not.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import BETTING, MAY_WRITE
from riverboat.game.commands import Act, Action, Asked
from riverboat.game.table import betting
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Manifest, Message


def takes(message: Message) -> bool:
    """Players' acts, but for discards: the cards that come for them are the dealer's."""
    if not isinstance(message, Asked):
        return False
    command = message.command
    return isinstance(command, Act) and command.action is not Action.DRAW


def answer(table: Table, message: Message, _given: Given) -> Decision:
    """What comes of an act."""
    assert isinstance(message, Asked), "betting takes what players ask"
    assert isinstance(message.command, Act), "betting takes acts"
    return betting.act(table, message, message.command)


MANIFEST: Final = Manifest(
    name=BETTING,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if BETTING in writers),
    topics=("table-commands",),
    takes=takes,
    answer=answer,
    duty=betting.duty,
    alarm=betting.alarm,
    ring=betting.ring,
    overdue=betting.overdue,
)
