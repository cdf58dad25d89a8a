"""The showdown: who wins, what the house takes, and the hand's end, as one manifest.

Says what the showdown writes and owes; decides nothing that `riverboat.game` does not.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import MAY_WRITE, SHOWDOWN
from riverboat.game.table import showdown
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Manifest, Message


def takes(_message: Message) -> bool:
    """Nothing: no player and no order speaks to the showdown."""
    return False


def answer(_table: Table, _message: Message, _given: Given) -> Decision:
    """Nothing, as nothing is taken."""
    return None


MANIFEST: Final = Manifest(
    name=SHOWDOWN,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if SHOWDOWN in writers),
    topics=(),
    takes=takes,
    answer=answer,
    duty=showdown.duty,
    overdue=showdown.overdue,
)
