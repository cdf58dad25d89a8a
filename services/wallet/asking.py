"""What the wallet's calls have in common: whom a caller may act for, and how work is done for him.

Nothing here moves money or knows a transport.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from riverboat.ledger.currencies import CURRENCIES
from riverboat.runtime.auth import Caller, is_subject
from riverboat.runtime.errors import BadInput, Fault, denied, unavailable
from riverboat.wire.v1.access_pb2 import Role
from services.wallet.engines import LedgerAway

_T = TypeVar("_T")

PAGE: Final = 50  # lines of a page, where the caller does not say how many


# Who may act for any player; whoever else may call acts for himself.
OPERATOR: Final = frozenset({Role.ROLE_OPERATOR})
HOUSE: Final = frozenset({Role.ROLE_OPERATOR, Role.ROLE_SERVICE})
_SERVICE: Final = frozenset({Role.ROLE_SERVICE})

# What an operator's token must give before he does more than look.
MONEY: Final = "money"
PLAYERS: Final = "players"
APPROVE: Final = "approve"


async def done(work: Callable[..., _T], *arguments: Any) -> _T | Fault:
    """What `work` gives, in a thread of its own; a fault while the database is away.

    What was cut off may be booked or not. A call that moves money has a key: sent again with it, it
    is answered by what was booked.
    """
    try:
        return await asyncio.to_thread(work, *arguments)
    except LedgerAway:
        return unavailable("LEDGER_AWAY", "the ledger's database cannot be reached now")


def may(caller: Caller, right: str) -> Fault | None:
    """Why the caller may not do what a right is named for, if he may not: no role gives one."""
    if caller.holds(_SERVICE) or right in caller.rights:
        return None
    return denied("RIGHT_MISSING", f"only with the right {right}")


def whose(
    named: str, caller: Caller, for_others: frozenset[Role.ValueType], right: str = ""
) -> str | BadInput | Fault:
    """Whose money it is about; with `right`, only who has it acts for others."""
    if not caller.holds(for_others):
        if named not in ("", caller.id):
            return denied("NOT_YOURS", "a player acts for himself")
        return caller.id
    missing = may(caller, right) if right else None
    if missing is not None:
        return missing
    if not is_subject(named):
        return BadInput("player", "must be a player's id")
    return named


def wrong_currency(code: str) -> BadInput | None:
    """What is wrong with a currency's code, if anything is."""
    if code in CURRENCIES:
        return None
    return BadInput("currency", "must be one of this network's: three capital letters, or PLAY")
