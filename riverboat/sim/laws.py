"""The laws by name, and how a broken one is told. [ARCHITECTURE 3]

Values only: what holds the network to them stands in auditor.py and beside it.
"""

from __future__ import annotations

from typing import Final, Protocol

from riverboat.game.table.state import Table

ONE_STATE: Final = "one state"  # 1
CHIPS: Final = "chips"  # 2
LEDGER: Final = "ledger"  # 3
MONEY: Final = "money"  # 4
CARDS: Final = "cards"  # 5
ONE_OUTCOME: Final = "one outcome"  # 7
IN_TIME: Final = "in time"  # an act that was in time wins [ARCHITECTURE 4, time]
PROMISES: Final = "promises"  # a table's options, and the house rules of sitting and waiting
EVERY_HAND_ENDS: Final = "every hand ends"  # 8
DURABLE: Final = "durable"  # nothing leaves a process before its commit [ARCHITECTURE 6]
MEASURES: Final = "measures"  # what operators do: by whom, why, and once [RULES 7]
NO_FAILURE: Final = "no failure"  # no part of the house breaks


class LawBroken(Exception):
    """A law is broken; `law` names it, `where` the table and its version."""

    def __init__(self, law: str, where: str, what: str) -> None:
        super().__init__(f"{law}: {where}: {what}")
        self.law = law
        self.where = where


class Witness(Protocol):
    """Whoever wants to know what was met on the way."""

    def reach(self, fault: str, times: int = 1) -> None:
        """This was met."""

    def tell(self, *words: object) -> None:
        """This happened."""


def at(table: Table) -> str:
    """The table and its version, as a broken law names them."""
    return f"{table.id} v{table.version}"
