"""The operator: what the house does by hand, as measures in a log of their own.

Says what the operator takes, writes and owes at a table, which is nothing: it writes orders and no
event of a table, and what it waits for stands in the tables' state and in the operator-log.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import MAY_WRITE
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Decision, Manifest, Message

OPERATOR: Final = "operator"


def takes(_message: Message) -> bool:
    """No message to a table: it is among those who send them."""
    return False


def answer(_table: Table, _message: Message, _given: Given) -> Decision:
    """Nothing: it takes nothing."""
    return None


def duty(_table: Table, _given: Given) -> None:
    """Nothing: what it still has to do stands in the operator-log."""
    return


MANIFEST: Final = Manifest(
    name=OPERATOR,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if OPERATOR in writers),
    topics=(),
    takes=takes,
    answer=answer,
    duty=duty,
)
