"""Books: balances and the postings that made them, in memory. Never stores, asks or decides.

A store loads into it what a batch touches, lets the batch be booked, and writes down what is new;
a test uses it as a whole ledger.
"""

from __future__ import annotations

from typing import NamedTuple

from riverboat.game.refusals import Refusal
from riverboat.ledger.accounts import Account
from riverboat.ledger.postings import LawBroken, Posting
from riverboat.ledger.refusals import LedgerCode

# 2**53 - 1: every client library, JSON and JavaScript among them, counts to here exactly.
BALANCE_MOST = 9_007_199_254_740_991


class Entry(NamedTuple):
    """One line of an account."""

    posting: str
    account: Account
    number: int  # of the account, from 1 without a gap
    amount: int
    balance: int  # the account's, after this line


class Standing(NamedTuple):
    """How an account stands."""

    balance: int
    entries: int


NOTHING = Standing(0, 0)


class Books:
    """Accounts and postings, as far as they are loaded."""

    __slots__ = ("fresh", "lines", "postings", "standings")

    def __init__(self) -> None:
        self.standings: dict[Account, Standing] = {}
        self.postings: dict[str, Posting] = {}  # by id, those of the store and the fresh ones
        self.fresh: list[Posting] = []  # booked here, in order
        self.lines: list[Entry] = []  # the entries of the fresh ones, in order

    def balance(self, account: Account) -> int:
        """What stands on the account."""
        return self.standings.get(account, NOTHING).balance

    def refusal_of(self, wanted: Posting) -> Refusal | None:
        """Why `wanted` may not be booked for somebody who asks for it."""
        if wanted.crosses:
            return Refusal(LedgerCode.CROSSES_CURRENCIES)
        for account, amount in wanted.legs:
            balance = self.balance(account)
            if amount < 0 and balance + amount < 0 and not account.may_owe:
                return Refusal(LedgerCode.NOT_ENOUGH_MONEY, balance=balance, amount=-amount)
            if abs(balance + amount) > BALANCE_MOST:
                return Refusal(LedgerCode.BALANCE_TOO_LARGE, most=BALANCE_MOST)
        return None

    def book(self, wanted: Posting) -> bool:
        """Book `wanted`, which is already decided; False when the same stands there already.

        Another posting under its id breaks the law: a cause has one effect.
        """
        there = self.postings.get(wanted.id)
        if there is not None:
            # Flags are remarks: the same money moved twice is the same posting.
            if dict(there.legs) != dict(wanted.legs):
                raise LawBroken(f"{wanted.id} stands with other legs: {there.legs}")
            return False
        if wanted.crosses:
            raise LawBroken(f"{wanted.id} crosses currencies: {wanted.legs}")
        self.postings[wanted.id] = wanted
        self.fresh.append(wanted)
        for account, amount in wanted.legs:
            balance, entries = self.standings.get(account, NOTHING)
            balance += amount
            entries += 1
            self.standings[account] = Standing(balance, entries)
            self.lines.append(Entry(wanted.id, account, entries, amount, balance))
        return True
