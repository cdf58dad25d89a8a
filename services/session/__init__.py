"""The session: who is connected, and what each viewer may see.

Says what the session takes, writes and owes at a table, which is nothing: it writes commands of
players and no event, and what it waits for stands in the tables' state.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import MAY_WRITE
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Decision, Manifest, Message

SESSION: Final = "session"


def takes(_message: Message) -> bool:
    """No message to a table: it is the one who sends them."""
    return False


def answer(_table: Table, _message: Message, _given: Given) -> Decision:
    """Nothing: it takes nothing."""
    return None


def duty(_table: Table, _given: Given) -> None:
    """Nothing: who waits for an answer is kept by the desk, for as long as he waits."""
    return


MANIFEST: Final = Manifest(
    name=SESSION,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if SESSION in writers),
    topics=(),
    takes=takes,
    answer=answer,
    duty=duty,
)
