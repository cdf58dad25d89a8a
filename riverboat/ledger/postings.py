"""Postings: transfers between accounts that sum to zero. Never a balance that is set.

A posting's id is made from its cause and purpose, so whoever books the same cause again books the
same posting, and it counts once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from riverboat.ledger.accounts import Account


class LawBroken(Exception):
    """What was to be booked cannot be true; the ledger stops rather than book it."""


class Flag(StrEnum):
    """Why a person should look at a posting."""

    NONE = ""
    LOG_WINS = "log_wins"  # the log says otherwise than the ledger answered; the log is final
    PLAY_RAKED = "play_raked"  # a table of play money was raked, which none may be


class Leg(NamedTuple):
    """One account's part of a posting; positive is money in."""

    account: Account
    amount: int


@dataclass(frozen=True, slots=True)
class Posting:
    """Money moved, whole or not at all."""

    id: str
    legs: tuple[Leg, ...]  # each account once, no zero; per currency they sum to zero
    flag: Flag = Flag.NONE

    @property
    def crosses(self) -> bool:
        """Whether it has legs in more than one currency: then nobody may book it."""
        return len({leg.account.currency for leg in self.legs}) > 1


def posting(
    posting_id: str, legs: Iterable[tuple[Account, int]], flag: Flag = Flag.NONE
) -> Posting:
    """The posting of these legs; those of one account are added up, those of nothing left out."""
    amounts: dict[Account, int] = {}
    sums: dict[str, int] = {}
    for account, amount in legs:
        amounts[account] = amounts.get(account, 0) + amount
        currency = account.currency
        sums[currency] = sums.get(currency, 0) + amount
    if any(sums.values()):
        # Checked per currency: money never crosses from one to another, at whatever rate.
        raise LawBroken(f"{posting_id} does not sum to zero: {sums}")
    kept = tuple([Leg(account, amount) for account, amount in amounts.items() if amount])
    return Posting(posting_id, kept, flag)


def transfer(
    posting_id: str, source: Account, target: Account, amount: int, flag: Flag = Flag.NONE
) -> Posting:
    """`amount` from `source` to `target`."""
    if amount < 0:
        raise LawBroken(f"{posting_id} moves {amount}: money only moves forward")
    return posting(posting_id, ((source, -amount), (target, amount)), flag)
