"""Refusals of the ledger: why money was not moved. Decides nothing."""

from __future__ import annotations

from enum import IntEnum


class LedgerCode(IntEnum):
    """Why the ledger refuses."""

    NOT_ENOUGH_MONEY = 201  # facts: balance, amount
    BALANCE_TOO_LARGE = 202  # the account would hold more than the ledger keeps; facts: most
    KEY_REUSED = 203  # the key named another request before; facts: key
    ABOVE_FAUCET = 204  # a player may fill his own play money up to a bound; facts: most
    FAUCET_IS_DRY = 205  # ... and so often; facts: refills, within_ms
    CROSSES_CURRENCIES = 206  # no transfer goes from one currency to another
    # How the account stands. At a table these are a reservation's reasons too.
    ACCOUNT_FROZEN = 211
    ACCOUNT_CLOSED = 212
    EXCLUDED = 213  # the player has excluded himself; facts: until_ms, but for a reservation
    DEPOSIT_LIMIT = 214  # facts: period, most, used
    LOSS_LIMIT = 215  # more than he allows himself to lose could be lost
    SESSION_LIMIT = 216  # he has played as long as he allows himself
    GOING_SOUTH = 217  # he left this game with more a moment ago
    ABOVE_MOST_BUY_IN = 219  # more than the table takes, and than he must come back with
    NOT_EMPTY = 218  # an account that is closed has nothing left; facts: currency, balance
    # Money on its way out, and back again.
    NO_SUCH_WITHDRAWAL = 221
    WITHDRAWAL_IS_OVER = 222  # facts: state
    NO_SUCH_DEPOSIT = 223
    CHARGED_BACK = 224  # the deposit was charged back before, by another key
    OWES_THE_HOUSE = 225  # nothing is paid out before; facts: amount
    NO_SUCH_DEBT = 226  # facts: amount
