"""Accounts: whose money it is, and which of them may owe. Holds no balance and moves nothing.

The kinds are a closed vocabulary. An account is opened by the first posting that names it and is
never closed; its id says all there is to know of it.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Kind(StrEnum):
    """What an account is for."""

    PLAYER = "player"  # a player's main account: what he can sit down with or withdraw
    AT_TABLE = "table"  # one sitting: its stack, and what it has in the pot
    IN_TRANSIT = "transit"  # one reservation: funded, and not yet at the table
    BONUS = "bonus"  # a player's: given to him, and not his to withdraw until it is earned
    WITHDRAWING = "withdrawing"  # one withdrawal: asked for, and neither settled nor cancelled
    PRIZES = "prizes"  # one tournament: what was paid in for its prizes
    RAKE = "rake"  # what the house took under one rulebook
    RECEIVABLE = "receivable"  # what a player owes the house: a deposit charged back, a corrected
    # hand whose winner has withdrawn; the debt stands below zero
    LOSSES = "losses"  # what the house has given up; below zero, as all it has paid for
    HOUSE = "house"  # the house's own money: corrections, promotions
    EXTERNAL = "external"  # the world outside: money comes from it and goes back to it


# The outside owes what it has paid in, and the house may pay for more than it has earned. A debt to
# the house is an account of its own. Everybody else pays with what he has; only a final log can put
# a player into debt (riverboat/ledger/follow).
MAY_OWE = frozenset({Kind.EXTERNAL, Kind.HOUSE, Kind.RECEIVABLE, Kind.LOSSES})
# Those whose owner is a player by name; what belongs to a sitting, a reservation or a withdrawal is
# somebody's too, but its id does not say whose.
OF_PLAYERS = frozenset({Kind.PLAYER, Kind.BONUS, Kind.RECEIVABLE})
# What the house owes to players: all of it must be there for them.
LIABILITIES = frozenset(
    {Kind.PLAYER, Kind.BONUS, Kind.AT_TABLE, Kind.IN_TRANSIT, Kind.WITHDRAWING, Kind.PRIZES}
)


class Account(NamedTuple):
    """One account in one currency."""

    kind: Kind
    owner: str  # player, sitting, reservation or rulebook; empty for the house and the outside
    currency: str

    @property
    def id(self) -> str:
        """The account's name in every ledger.

        >>> Account(Kind.PLAYER, "p7", "EUR").id
        'player:p7:EUR'
        """
        return f"{self.kind}:{self.owner}:{self.currency}"

    @property
    def may_owe(self) -> bool:
        """Whether the balance may be below zero."""
        return self.kind in MAY_OWE


def account_of(account_id: str) -> Account:
    """The account that has this id. An owner may hold colons; a kind and a currency do not.

    >>> account_of("table:3f.7:p7:12@904:EUR")
    Account(kind=<Kind.AT_TABLE: 'table'>, owner='3f.7:p7:12@904', currency='EUR')
    """
    kind, _, rest = account_id.partition(":")
    owner, _, currency = rest.rpartition(":")
    return Account(Kind(kind), owner, currency)


def player_account(player: str, currency: str) -> Account:
    """The player's main account."""
    return Account(Kind.PLAYER, player, currency)


@lru_cache(maxsize=65_536)  # every hand names its sittings, time and again
def at_table(sitting: str, currency: str) -> Account:
    """The money of one sitting."""
    return Account(Kind.AT_TABLE, sitting, currency)


def in_transit(reservation: str, currency: str) -> Account:
    """The money of one reservation on its way."""
    return Account(Kind.IN_TRANSIT, reservation, currency)


def rake(rulebook: str, currency: str) -> Account:
    """What was raked under one rulebook."""
    return Account(Kind.RAKE, rulebook, currency)


def bonus(player: str, currency: str) -> Account:
    """What a player was given and has not earned yet."""
    return Account(Kind.BONUS, player, currency)


def withdrawing(withdrawal: str, currency: str) -> Account:
    """The money of one withdrawal, until it is settled or cancelled."""
    return Account(Kind.WITHDRAWING, withdrawal, currency)


def prizes(tournament: str, currency: str) -> Account:
    """The prize pool of one tournament."""
    return Account(Kind.PRIZES, tournament, currency)


def receivable(player: str, currency: str) -> Account:
    """What the player owes the house."""
    return Account(Kind.RECEIVABLE, player, currency)


def losses(currency: str) -> Account:
    """What the house has given up."""
    return Account(Kind.LOSSES, "", currency)


def external(currency: str) -> Account:
    """The world outside."""
    return Account(Kind.EXTERNAL, "", currency)


def house(currency: str) -> Account:
    """The house's own money."""
    return Account(Kind.HOUSE, "", currency)
