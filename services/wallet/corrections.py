"""Corrections in the ledger's database, once for each key; and postings found again by their ids.

What is to be corrected was decided before, by two operators. Nothing here knows a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from riverboat.game.refusals import Refusal
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.books import Books
from riverboat.ledger.corrections import correction, touched
from services.wallet import schema
from services.wallet.once import Plan, Receipt, Request, cause, digest, once, plain
from services.wallet.store import Store
from services.wallet.writing import Writing


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
    ) -> Receipt | Refusal:
        """Move money as decided; who has not enough owes the rest to the house."""
        named = f"correct:{cause(caller, key)}"
        house = accounts.house(currency)

        def decide(writing: Writing, books: Books, _account: Account) -> Plan:
            writing.load(books, touched(legs, currency), ())
            return plain(correction(named, legs, currency, books.balance))

        said = digest(named, currency, note, *(f"{player}={amount}" for player, amount in legs))
        request = Request(caller, key, said, now_ms, note)
        return once(self._store, request, lambda _: house, decide)

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
