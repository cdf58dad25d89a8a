"""Refusals of the ledger: why money was not moved. Decides nothing."""

from __future__ import annotations

from enum import IntEnum


class LedgerCode(IntEnum):
    """Why the ledger refuses."""

    NOT_ENOUGH_MONEY = 201  # facts: balance, amount
    BALANCE_TOO_LARGE = 202  # the account would hold more than the ledger keeps; facts: most
    KEY_REUSED = 203  # the key named another request before; facts: key
    ABOVE_FAUCET = 204  # a player may fill his own play money up to a bound; facts: most
