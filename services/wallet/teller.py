"""The teller: money in and out of players' accounts, once for each key that a caller gives.

It books what it is asked to if the accounts allow it, and the player himself. Who may ask is
decided before; no table is known here.
"""

from __future__ import annotations

from typing import NamedTuple

from riverboat.game.refusals import Refusal
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.books import Books
from riverboat.ledger.currencies import CURRENCIES
from riverboat.ledger.postings import transfer
from riverboat.ledger.refusals import LedgerCode
from riverboat.ledger.standing import PERIOD_MS, LimitKind, Standing
from services.wallet.once import Plan, Receipt, Request, cause, once, plain, posting_digest
from services.wallet.store import Line, Store
from services.wallet.writing import Writing

__all__ = ["Page", "Receipt", "Teller"]


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

        With `most` it is a refill of play money by the player himself: only as far as the account
        does not hold more than that then, and only so often.
        """
        account = accounts.player_account(player, currency)
        posting_id = f"deposit:{cause(caller, key)}"
        wanted = transfer(posting_id, accounts.external(currency), account, amount)
        request = Request(caller, key, posting_digest(wanted, note), now_ms, note)

        def decide(writing: Writing, books: Books, account: Account) -> Plan | Refusal:
            writing.load(books, {leg.account for leg in wanted.legs}, ())
            refusal = _may_bring_in(writing, player, currency, amount, now_ms)
            if refusal is None and most is not None:
                refusal = _may_refill(
                    writing, player, currency, books.balance(account) + amount, most, now_ms
                )
            return refusal or plain(wanted)

        return once(self._store, request, lambda _: account, decide)

    def withdraw(
        self, caller: str, key: str, player: str, currency: str, amount: int, note: str, now_ms: int
    ) -> Receipt | Refusal:
        """Money goes out at once; what is at a table or on its way there cannot."""
        account = accounts.player_account(player, currency)
        posting_id = f"withdraw:{cause(caller, key)}"
        wanted = transfer(posting_id, account, accounts.external(currency), amount)
        request = Request(caller, key, posting_digest(wanted, note), now_ms, note)

        def decide(writing: Writing, books: Books, _account: Account) -> Plan | Refusal:
            debt = accounts.receivable(player, currency)
            writing.load(books, {leg.account for leg in wanted.legs} | {debt}, ())
            return may_take_out(writing, books, player, currency) or plain(wanted)

        return once(self._store, request, lambda _: account, decide)

    def statement(self, player: str, currency: str, before: int, most: int) -> Page:
        """The lines of the player's account below number `before`; 0 begins with the newest."""
        account = accounts.player_account(player, currency)
        # One more than asked tells whether there is a next page.
        lines = self._store.statement(account, before or LINES_END, most + 1)
        page = tuple(lines[:most])
        return Page(page, page[-1].number if len(lines) > most else 0)


# Above every line's number, in every database.
LINES_END = 2**62


def _may_bring_in(
    writing: Writing, player: str, currency: str, amount: int, now_ms: int
) -> Refusal | None:
    """Why the player brings nothing in; his accounts are locked by now."""
    standing = writing.standing(player)
    barred = standing.bar(now_ms)
    if barred is not None:
        return _barred(barred, standing)
    for period, most in standing.amounts(LimitKind.DEPOSIT, currency, now_ms).items():
        used, _ = writing.deposited(player, currency, PERIOD_MS[period], now_ms)
        if used + amount > most:
            return Refusal(LedgerCode.DEPOSIT_LIMIT, period=period.value, most=most, used=used)
    return None


def _may_refill(
    writing: Writing, player: str, currency: str, balance: int, most: int, now_ms: int
) -> Refusal | None:
    """Why the player may not fill up his play money, up to `balance`."""
    if balance > most:
        return Refusal(LedgerCode.ABOVE_FAUCET, most=most)
    rule = CURRENCIES[currency]
    _, times = writing.deposited(player, currency, rule.refill_ms, now_ms)
    if times >= rule.refills:
        return Refusal(LedgerCode.FAUCET_IS_DRY, refills=rule.refills, within_ms=rule.refill_ms)
    return None


def may_take_out(writing: Writing, books: Books, player: str, currency: str) -> Refusal | None:
    """Why nothing is paid out to the player."""
    barred = writing.standing(player).bar_out()
    if barred is not None:
        return Refusal(barred)
    debt = -books.balance(accounts.receivable(player, currency))
    return Refusal(LedgerCode.OWES_THE_HOUSE, amount=debt) if debt > 0 else None


def _barred(code: LedgerCode, standing: Standing) -> Refusal:
    if code is LedgerCode.EXCLUDED:
        return Refusal(code, until_ms=standing.excluded_until_ms)
    return Refusal(code)
