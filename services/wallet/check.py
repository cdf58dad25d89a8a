"""The ledger's own audit: what in it contradicts itself. Reads only, while the wallet runs or not.

Whether it agrees with the hand log is for an auditor who reads both: `positions` tells him at which
version of each table the ledger stands, and what it has at the table then.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sqlalchemy as sa

from riverboat.ledger.accounts import Kind, account_of
from riverboat.ledger.postings import Flag
from services.wallet import schema
from services.wallet.store import Store
from services.wallet.transaction import chunks

# A broken ledger is told by examples: what a person can look at.
MOST_TOLD = 20


class Position(NamedTuple):
    """Where the ledger stands with one table."""

    version: int
    record: str  # id of the last record applied
    at_table: dict[str, int]  # by sitting, all that is not zero
    in_transit: dict[str, int]  # by reservation, likewise


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
    kinds = (Kind.AT_TABLE.value, Kind.IN_TRANSIT.value)
    with store.connection(write=False) as connection:
        found = {
            row.table_id: Position(row.version, row.record, {}, {})
            for row in connection.execute(sa.select(schema.heads))
        }
        wanted = sa.select(held.id, held.balance).where(held.kind.in_(kinds), held.balance != 0)
        balances = {account_of(row.id): row.balance for row in connection.execute(wanted)}
        # A sitting carries the id of the reservation that began it.
        tables: dict[str, str] = {}
        for owners in chunks({account.owner for account in balances}):
            rows = sa.select(kept.id, kept.table_id).where(kept.id.in_(owners))
            tables |= {owner: table for owner, table in connection.execute(rows)}  # noqa: C416
    for account, balance in balances.items():
        position = found[tables[account.owner]]
        is_at_table = account.kind is Kind.AT_TABLE
        (position.at_table if is_at_table else position.in_transit)[account.owner] = balance
    return found


def flagged(store: Store) -> int:
    """How many postings a person should look at."""
    post = schema.postings.c
    rows = sa.select(sa.func.count()).where(post.flag != Flag.NONE.value)
    with store.connection(write=False) as connection:
        return connection.scalar(rows) or 0


def flags(store: Store) -> list[str]:
    """The newest of these postings, in words."""
    post = schema.postings.c
    rows = (
        sa.select(post.id, post.table_id, post.version, post.flag)
        .where(post.flag != Flag.NONE.value)
        .order_by(post.number.desc())
        .limit(MOST_TOLD)
    )
    with store.connection(write=False) as connection:
        return [
            f"posting {name} at {table} v{version} is flagged: {flag}"
            for name, table, version, flag in connection.execute(rows)
        ]


def stopped(store: Store) -> list[str]:
    """The tables that are booked no further, in words."""
    stop = schema.stops.c
    with store.connection(write=False) as connection:
        rows = sa.select(stop.table_id, stop.why).order_by(stop.table_id).limit(MOST_TOLD)
        return [f"{table} is booked no further: {why}" for table, why in connection.execute(rows)]


def imbalance(store: Store) -> dict[str, int]:
    """What each currency's accounts sum to; every number but 0 is a fault."""
    held = schema.accounts.c
    total = sa.cast(sa.func.sum(held.balance), sa.BigInteger)
    with store.connection(write=False) as connection:
        rows = connection.execute(sa.select(held.currency, total).group_by(held.currency))
        return {currency: amount for currency, amount in rows}  # noqa: C416  # rows are no pairs


def _cause() -> sa.ColumnElement[str]:
    """What a posting came of: a table at a version, or a call."""
    post = schema.postings.c
    at_version = post.table_id + " v" + sa.cast(post.version, sa.Text)
    return sa.case((post.table_id == "", "by a call"), else_=at_version)


def _currencies() -> sa.Select[Any]:
    held = schema.accounts.c
    total = sa.func.sum(held.balance)
    return sa.select(held.currency, total).group_by(held.currency).having(total != 0)


def _postings() -> sa.Select[Any]:
    post, line, held = schema.postings.c, schema.entries.c, schema.accounts.c
    total = sa.func.sum(line.amount)
    return (
        sa.select(post.id, total, held.currency, _cause())
        .join(schema.entries, line.posting == post.number)
        .join(schema.accounts, held.number == line.account)
        .group_by(post.number, post.id, held.currency, post.table_id, post.version)
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
        sa.select(held.id, line.number, line.balance, stood, line.amount, _cause())
        .join(schema.accounts, held.number == line.account)
        .outerjoin(schema.postings, schema.postings.c.number == line.posting)
        .outerjoin(
            before,
            sa.and_(before.c.account == line.account, before.c.number == line.number - 1),
        )
        .where(line.balance != stood + line.amount)
    )


_CHECKS: tuple[tuple[str, sa.Select[Any]], ...] = (
    ("the accounts in {0} sum to {1}", _currencies()),
    ("posting {0} sums to {1} {2} ({3})", _postings()),
    (
        "account {0} stands at {1}, its entries sum to {2}; it counts {3} entries of {4}",
        _accounts(),
    ),
    ("account {0} line {1} says {2} after {3} and {4} ({5})", _lines()),
)
