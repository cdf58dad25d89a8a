"""Corrections in the ledger's database, once for each key; and postings found again by their ids.

What is to be corrected was decided before, by two operators. Nothing here knows a hand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote

import sqlalchemy as sa

from riverboat.game.refusals import Refusal
from riverboat.ledger.books import Books
from riverboat.ledger.corrections import correction, touched
from riverboat.ledger.refusals import LedgerCode
from services.wallet import schema
from services.wallet.store import Store
from services.wallet.writing import Source, Writing


class Corrected(NamedTuple):
    """What was booked, the same however often it is asked for."""

    posting: str
    time_ms: int


class Posted(NamedTuple):
    """A posting as it stands."""

    posting: str
    number: int  # in the order of booking
    time_ms: int
    flag: str
    note: str
    legs: tuple[tuple[str, int, int], ...]  # account, amount, balance after it


class Corrections:
    """Books corrections."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def correct(
        self,
        caller: str,
        key: str,
        currency: str,
        legs: Sequence[tuple[str, int]],
        note: str,
        now_ms: int,
    ) -> Corrected | Refusal:
        """Move money as decided; who has not enough owes the rest to the house."""
        # The caller is quoted, so that two callers can never name one posting between them.
        named = f"correct:{quote(caller, safe='')}:{key}"
        said = [named, currency, note, *(f"{player}={amount}" for player, amount in legs)]
        digest = hashlib.sha256("\0".join(said).encode()).hexdigest()

        def transaction(writing: Writing) -> Corrected | Refusal:
            kept = writing.kept(caller, key)
            if kept is not None:
                if kept.digest != digest:
                    return Refusal(LedgerCode.KEY_REUSED, key=key)
                return Corrected(kept.posting, kept.time_ms)
            books = Books()
            writing.load(books, touched(legs, currency), ())
            wanted = correction(named, legs, currency, books.balance)
            refusal = books.refusal_of(wanted)
            if refusal is not None:
                return refusal
            books.book(wanted)
            numbers = writing.write(books, [Source(now_ms, note=note)], {})
            writing.keep(caller, key, digest, numbers[wanted.id])
            return Corrected(wanted.id, now_ms)

        return self._store.transact(transaction)

    def postings(self, ids: Sequence[str]) -> list[Posted]:
        """Those of these postings that were booked, in the order of booking."""
        post, line, held = schema.postings.c, schema.entries.c, schema.accounts.c
        heads = (
            sa.select(post.number, post.id, post.time_ms, post.flag, post.note)
            .where(post.id.in_(list(ids)))
            .order_by(post.number)
        )
        lines = (
            sa.select(line.posting, held.id, line.amount, line.balance)
            .join(schema.accounts, held.number == line.account)
            .join(schema.postings, post.number == line.posting)
            .where(post.id.in_(list(ids)))
            .order_by(held.id)
        )
        legs: dict[int, list[tuple[str, int, int]]] = {}
        with self._store.connection(write=False) as connection:
            found = connection.execute(heads).all()
            for number, account, amount, balance in connection.execute(lines):
                legs.setdefault(number, []).append((account, amount, balance))
        return [
            Posted(name, number, time_ms, flag, note, tuple(legs.get(number, ())))
            for number, name, time_ms, flag, note in found
        ]
