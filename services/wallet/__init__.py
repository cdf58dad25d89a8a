"""The wallet: the money of the network, as a double-entry ledger in a real database.

Says what the wallet takes, writes and owes at a table, which is nothing: it never writes the hand
log, and what it owes to tables stands in its own database.
"""

from __future__ import annotations

from typing import Final

from riverboat.game.authority import MAY_WRITE
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.runtime.service import Decision, Manifest, Message

WALLET: Final = "wallet"


def takes(_message: Message) -> bool:
    """No message to a table: the wallet learns what is asked of it from the hand log."""
    return False


def answer(_table: Table, _message: Message, _given: Given) -> Decision:
    """Nothing: it takes nothing."""
    return None


def duty(_table: Table, _given: Given) -> None:
    """Nothing: what it owes to tables is kept in its database, not in their state."""
    return


MANIFEST: Final = Manifest(
    name=WALLET,
    writes=frozenset(event for event, writers in MAY_WRITE.items() if WALLET in writers),
    topics=(),
    takes=takes,
    answer=answer,
    duty=duty,
)
