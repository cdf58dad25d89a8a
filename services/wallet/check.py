"""The ledger's own audit: what in it contradicts itself. Reads only, while the wallet runs or not.

Whether it agrees with the hand log is for an auditor who reads both: `positions` tells him at which
version of each table the ledger stands, and what it has at the table then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from riverboat.ledger.accounts import Kind, account_of
from services.wallet import schema
from services.wallet.store import Store
from services.wallet.writing import chunks

# A broken ledger is told by examples: what a person can look at.
MOST_TOLD = 20


class Position(NamedTuple):
    """Where the ledger stands with one table."""

    version: int
    record: str  # id of the last record applied
    at_table: dict[str, int]  # by sitting, all that is not zero


def faults(store: Store) -> list[str]:
    """What is wrong, in words; nothing when the ledger is sound."""
    with store.connection(write=False) as connection:
        return [
            text.format(*row)
            for text, wanted in _CHECKS
            for row in connection.execute(wanted.limit(MOST_TOLD))
        ]


def positions(store: Store) -> dict[str, Position]:
    """Every table's position, all as of one moment."""
    held, kept = schema.accounts.c, schema.reservations.c
    with store.connection(write=False) as connection:
        found = {
            row.table_id: Position(row.version, row.record, {})
            for row in connection.execute(sa.select(schema.heads))
        }
        at_tables = sa.select(held.id, held.balance).where(
            held.kind == Kind.AT_TABLE.value, held.balance != 0
        )
        balances = {account_of(row.id).owner: row.balance for row in connection.execute(at_tables)}
        # A sitting carries the id of the reservation that began it.
        for sittings in chunks(balances):
            tables = sa.select(kept.id, kept.table_id).where(kept.id.in_(sittings))
            for sitting, table in connection.execute(tables):
                found[table].at_table[sitting] = balances[sitting]
    return found


def imbalance(store: Store) -> dict[str, int]:
    """What each currency's accounts sum to; every number but 0 is a fault."""
    held = schema.accounts.c
    total = sa.cast(sa.func.sum(held.balance), sa.BigInteger)
    with store.connection(write=False) as connection:
        rows = connection.execute(sa.select(held.currency, total).group_by(held.currency))
        return {currency: amount for currency, amount in rows}  # noqa: C416  # rows are no pairs


def _currencies() -> sa.Select[Any]:
    held = schema.accounts.c
    total = sa.func.sum(held.balance)
    return sa.select(held.currency, total).group_by(held.currency).having(total != 0)


def _postings() -> sa.Select[Any]:
    post, line, held = schema.postings.c, schema.entries.c, schema.accounts.c
    total = sa.func.sum(line.amount)
    return (
        sa.select(post.id, total, held.currency)
        .join(schema.entries, line.posting == post.number)
        .join(schema.accounts, held.number == line.account)
        .group_by(post.number, post.id, held.currency)
        .having(total != 0)
    )


def _accounts() -> sa.Select[Any]:
    held, line = schema.accounts.c, schema.entries.c
    total, count = sa.func.coalesce(sa.func.sum(line.amount), 0), sa.func.count(line.number)
    last = sa.func.coalesce(sa.func.max(line.number), 0)
    return (
        sa.select(held.id, held.balance, total, held.entries, count)
        .outerjoin(schema.entries, line.account == held.number)
        .group_by(held.number, held.id, held.balance, held.entries)
        .having(sa.or_(held.balance != total, held.entries != count, last != count))
    )


def _lines() -> sa.Select[Any]:
    line, held = schema.entries.c, schema.accounts.c
    before = schema.entries.alias("before")
    stood = sa.func.coalesce(before.c.balance, 0)
    return (
        sa.select(held.id, line.number, line.balance, stood, line.amount)
        .join(schema.accounts, held.number == line.account)
        .outerjoin(
            before,
            sa.and_(before.c.account == line.account, before.c.number == line.number - 1),
        )
        .where(line.balance != stood + line.amount)
    )


_CHECKS: tuple[tuple[str, sa.Select[Any]], ...] = (
    ("the accounts in {0} sum to {1}", _currencies()),
    ("posting {0} sums to {1} {2}", _postings()),
    (
        "account {0} stands at {1}, its entries sum to {2}; it counts {3} entries of {4}",
        _accounts(),
    ),
    ("account {0} line {1} says {2} after {3} and {4}", _lines()),
)
