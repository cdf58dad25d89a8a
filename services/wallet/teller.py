"""The teller: money in and out of players' accounts, once for each key that a caller gives.

It books what it is asked to if the accounts allow it. Who may ask is decided before; no table is
known here.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple
from urllib.parse import quote

from riverboat.game.refusals import Refusal
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.books import Books
from riverboat.ledger.postings import Posting, transfer
from riverboat.ledger.refusals import LedgerCode
from services.wallet.store import Line, Store
from services.wallet.writing import Source, Writing


class Receipt(NamedTuple):
    """What was booked, the same however often it is asked for."""

    posting: str
    balance: int  # of the player's account, just after it
    time_ms: int


class Page(NamedTuple):
    """Some lines of a statement, newest first."""

    lines: tuple[Line, ...]
    next_before: int  # where the next page begins; 0: there is none


class Teller:
    """Serves whoever was let in."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def deposit(
        self,
        caller: str,
        key: str,
        player: str,
        currency: str,
        amount: int,
        note: str,
        now_ms: int,
        most: int | None = None,
    ) -> Receipt | Refusal:
        """Money comes in from outside; `caller` answers for it.

        With `most`, only as far as the account does not hold more than that then.
        """
        account = accounts.player_account(player, currency)
        posting_id = _posting_id("deposit", caller, key)
        wanted = transfer(posting_id, accounts.external(currency), account, amount)
        return self._once(caller, key, wanted, account, Source(now_ms, note=note), most)

    def withdraw(
        self, caller: str, key: str, player: str, currency: str, amount: int, note: str, now_ms: int
    ) -> Receipt | Refusal:
        """Money goes out; what is at a table or on its way there cannot."""
        account = accounts.player_account(player, currency)
        posting_id = _posting_id("withdraw", caller, key)
        wanted = transfer(posting_id, account, accounts.external(currency), amount)
        return self._once(caller, key, wanted, account, Source(now_ms, note=note))

    def _once(
        self,
        caller: str,
        key: str,
        wanted: Posting,
        account: Account,
        source: Source,
        most: int | None = None,
    ) -> Receipt | Refusal:
        digest = _digest(wanted, source.note)

        def transaction(writing: Writing) -> Receipt | Refusal:
            kept = writing.kept(caller, key)
            if kept is not None:
                if kept.digest != digest:
                    return Refusal(LedgerCode.KEY_REUSED, key=key)
                stood = writing.balance_after(kept.number, account)
                return Receipt(kept.posting, stood, kept.time_ms)
            books = Books()
            writing.load(books, {leg.account for leg in wanted.legs}, ())
            # A refusal is not kept: nothing has happened, and the same key may try again.
            refusal = books.refusal_of(wanted)
            if refusal is not None:
                return refusal
            books.book(wanted)
            if most is not None and books.balance(account) > most:
                return Refusal(LedgerCode.ABOVE_FAUCET, most=most)
            numbers = writing.write(books, [source], {})
            writing.keep(caller, key, digest, numbers[wanted.id])
            return Receipt(wanted.id, books.balance(account), source.time_ms)

        return self._store.transact(transaction)

    def statement(self, player: str, currency: str, before: int, most: int) -> Page:
        """The lines of the player's account below number `before`; 0 begins with the newest."""
        account = accounts.player_account(player, currency)
        # One more than asked tells whether there is a next page.
        lines = self._store.statement(account, before or LINES_END, most + 1)
        page = tuple(lines[:most])
        return Page(page, page[-1].number if len(lines) > most else 0)


# Above every line's number, in every database.
LINES_END = 2**62


def _posting_id(purpose: str, caller: str, key: str) -> str:
    # The caller is quoted, so that two callers can never name one posting between them.
    return f"{purpose}:{quote(caller, safe='')}:{key}"


def _digest(wanted: Posting, note: str) -> str:
    """What the key stands for: all that was asked, but not when."""
    parts = [wanted.id, note]
    parts += [f"{leg.account.id}={leg.amount}" for leg in wanted.legs]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
