"""Once: a call that moves money, done once for each key that its caller gives.

The same key with the same request is answered by what was booked then; with another it is refused.
A refusal is not kept: nothing has happened, and the same key may try again. Decides nothing else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

from riverboat.game.refusals import Refusal
from riverboat.ledger.accounts import Account
from riverboat.ledger.books import Books
from riverboat.ledger.postings import Posting
from riverboat.ledger.refusals import LedgerCode
from services.wallet.store import Store
from services.wallet.writing import Source, Writing


class Request(NamedTuple):
    """Who asks, by which key, for what."""

    caller: str
    key: str
    digest: str  # of all that was asked, but not when
    now_ms: int
    note: str


class Receipt(NamedTuple):
    """What was booked, the same however often it is asked for."""

    posting: str
    balance: int  # of the player's account, just after it
    time_ms: int


class Plan(NamedTuple):
    """What is to be booked, and what is to be written beside it in the same transaction."""

    posting: Posting
    players: dict[Account, str]  # whose the accounts are whose id does not say it
    beside: Callable[[Writing], None]


def plain(posting: Posting) -> Plan:
    """A posting with nothing beside it."""
    return Plan(posting, {}, _nothing)


def _nothing(_writing: Writing) -> None:
    return


Find = Callable[[Writing], Account | Refusal]
Decide = Callable[[Writing, Books, Account], Plan | Refusal]


def once(store: Store, request: Request, find: Find, decide: Decide) -> Receipt | Refusal:
    """Do what was asked, or tell what was done when it was asked before.

    `find` says which account the receipt tells of; `decide` loads what it needs into the books.
    """

    def transaction(writing: Writing) -> Receipt | Refusal:
        writing.take_turns(f"key {request.caller} {request.key}")
        account = find(writing)
        if isinstance(account, Refusal):
            return account
        writing.take_turns(f"player {account.owner}")
        kept = writing.kept(request.caller, request.key)
        if kept is not None:
            if kept.digest != request.digest:
                return Refusal(LedgerCode.KEY_REUSED, key=request.key)
            stood = writing.balance_after(kept.number, account)
            return Receipt(kept.posting, stood, kept.time_ms)
        if writing.deed(request.caller, request.key) is not None:
            return Refusal(LedgerCode.KEY_REUSED, key=request.key)
        books = Books()
        plan = decide(writing, books, account)
        if isinstance(plan, Refusal):
            return plan
        refusal = books.refusal_of(plan.posting)
        if refusal is not None:
            return refusal

        # From here on it stands.
        books.book(plan.posting)
        numbers = writing.write(books, [Source(request.now_ms, note=request.note)], plan.players)
        number = numbers[plan.posting.id]
        writing.keep(request.caller, request.key, request.digest, number)
        plan.beside(writing)
        # As the entries say it: a posting need not touch the account.
        return Receipt(plan.posting.id, books.balance(account), request.now_ms)

    return store.transact(transaction)


def cause(caller: str, key: str) -> str:
    """What a call is named by; quoted, so that two callers never name one cause between them."""
    return f"{quote(caller, safe='')}:{key}"


def digest(*parts: object) -> str:
    """What a key stands for."""
    return hashlib.sha256("\0".join(str(part) for part in parts).encode()).hexdigest()


def posting_digest(wanted: Posting, note: str) -> str:
    """What a key of a plain transfer stands for."""
    legs = (f"{leg.account.id}={leg.amount}" for leg in wanted.legs)
    return digest(wanted.id, note, *legs)
