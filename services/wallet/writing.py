"""One writing transaction of the ledger: loads what a batch touches and writes what is new.

All accounts are read for update and in the order of their ids, so that a database with row locks
meets no deadlock. Never decides what to book, and never commits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy as sa

from riverboat.game.ids import partition_of
from riverboat.ledger.accounts import Account, Kind, account_of
from riverboat.ledger.books import Books, Standing
from riverboat.ledger.follow import TableBooks, Terms
from riverboat.ledger.money_at_table import Reservation
from riverboat.ledger.postings import Flag, Leg, Posting
from services.wallet import bulk, schema
from services.wallet import statements as sql
from services.wallet.engines import POSTGRES

# Every database takes this many values in one IN list.
CHUNK = 500


class Head(NamedTuple):
    """The last record applied of a table."""

    version: int
    record: str


class Source(NamedTuple):
    """What a posting was booked from."""

    time_ms: int
    table: str = ""
    version: int = 0
    note: str = ""


class Kept(NamedTuple):
    """The request that a key names, and its posting as it stands."""

    digest: str
    posting: str
    number: int
    time_ms: int


class Writing:
    """The transaction, until it is over."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._numbers: dict[Account, int] = {}  # of the accounts that the database has

    # The hand log.

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """Where these partitions were read to; locked until the transaction is over."""
        found = dict.fromkeys(sorted(partitions), 0)
        fresh = set(found)
        for partition, offset in self._connection.execute(sql.OFFSETS, {"some": list(found)}):
            found[partition] = offset
            fresh.discard(partition)
        rows = [{"partition": partition, "next_offset": 0} for partition in sorted(fresh)]
        self._insert(schema.offsets, rows)
        return found

    def move(self, offsets: Mapping[int, int]) -> None:
        """These partitions are read up to these offsets."""
        rows = [{"partition": partition, "next_offset": at} for partition, at in offsets.items()]
        self._update(schema.offsets, "partition", rows)

    def heads(self, tables: Iterable[str], books: TableBooks) -> dict[str, Head]:
        """The heads of those tables that are known; their terms go into `books`."""
        found: dict[str, Head] = {}
        for row in self._among(sql.HEADS, tables):
            found[row.table_id] = Head(row.version, row.record)
            if row.currency:
                books.terms[row.table_id] = Terms(row.currency, row.rulebook)
        return found

    def move_heads(
        self, heads: dict[str, Head], known: Collection[str], terms: dict[str, Terms]
    ) -> None:
        """These tables are read up to these records; `known` are those the database has."""
        moved: list[bulk.Row] = []
        fresh: list[bulk.Row] = []
        for table, (version, record) in heads.items():
            currency, rulebook = terms.get(table, ("", ""))
            row = {
                "table_id": table,
                "version": version,
                "record": record,
                "currency": currency,
                "rulebook": rulebook,
            }
            (moved if table in known else fresh).append(row)
        self._update(schema.heads, "table_id", moved)
        self._insert(schema.heads, fresh)

    def stops(self, tables: Iterable[str]) -> dict[str, int]:
        """Those of the tables that are stopped, and where each is to be read on."""
        rows = self._among(sql.STOPS, tables)
        return {row.table_id: row.next_offset for row in rows}

    def stop(self, table: str, partition: int, offset: int, why: str) -> None:
        """This table is to be read on from `offset`, where it could not be booked."""
        self.free(table)
        row = {"table_id": table, "partition": partition, "next_offset": offset, "why": why}
        self._insert(schema.stops, [row])

    def free(self, table: str) -> None:
        """This table is read with the others."""
        self._connection.execute(sql.NO_STOP, {"of": table})

    def load_reservations(self, books: TableBooks, ids: Iterable[str]) -> None:
        """The reservations among `ids` that were answered before."""
        for row in self._among(sql.RESERVATIONS, ids):
            books.reservations[row.id] = Reservation(
                row.id,
                row.table_id,
                row.player,
                row.amount,
                row.currency,
                row.sitting,
                row.refused,
            )

    def write_answers(self, books: TableBooks, sources: Sequence[Source]) -> None:
        """What `books` answered and what its tables have shown; `sources` go with `books.asked`."""
        self._insert(
            schema.reservations,
            [
                {
                    "id": asked.id,
                    "table_id": asked.table,
                    "player": asked.player,
                    "amount": asked.amount,
                    "currency": asked.currency,
                    "sitting": asked.sitting,
                    "refused": asked.refused,
                    "version": source.version,
                    "time_ms": source.time_ms,
                }
                for asked, source in zip(books.asked, sources, strict=True)
            ],
        )
        # Whatever was said again is put in anew: a reservation has one row at most.
        done = books.settled | books.answered.keys()
        for some in chunks(done):
            self._connection.execute(sql.NO_ORDERS, {"some": some})
        self._insert(
            schema.outbox,
            [
                {
                    "reservation": held.id,
                    "table_id": held.table,
                    "partition": partition_of(held.table),
                }
                for held in books.answered.values()
            ],
        )

    # The books.

    def load(self, books: Books, accounts: Iterable[Account], postings: Iterable[str]) -> None:
        """What the database has of these accounts and postings, into `books`."""
        by_id = {account.id: account for account in accounts}
        for account_id, number, balance, entries in self._among(sql.ACCOUNTS, by_id):
            account = by_id[account_id]
            self._numbers[account] = number
            books.standings[account] = Standing(balance, entries)
        self._load_postings(books, postings)

    def _load_postings(self, books: Books, ids: Iterable[str]) -> None:
        legs: dict[str, list[Leg]] = {}
        flags: dict[str, Flag] = {}
        for posting_id, flag, account_id, amount in self._among(sql.POSTINGS, ids):
            flags[posting_id] = Flag(flag)
            found = legs.setdefault(posting_id, [])
            if account_id is not None:
                found.append(Leg(account_of(account_id), amount))
        for posting_id, found in legs.items():
            books.postings[posting_id] = Posting(posting_id, tuple(found), flags[posting_id])

    def write(
        self, books: Books, sources: Sequence[Source], players: dict[Account, str]
    ) -> dict[str, int]:
        """What `books` booked; `sources` go with `books.fresh`. The postings' numbers, by id.

        `players` says whose the accounts are whose id does not say it.
        """
        if not books.fresh:
            return {}
        drawn = self._draw(schema.POSTING_NUMBERS, sql.LAST_POSTING, len(books.fresh))
        numbers = {post.id: number for post, number in zip(books.fresh, drawn, strict=True)}
        self._insert(
            schema.postings,
            [
                {
                    "number": numbers[post.id],
                    "id": post.id,
                    "flag": post.flag.value,
                    "time_ms": source.time_ms,
                    "table_id": source.table,
                    "version": source.version,
                    "note": source.note,
                }
                for post, source in zip(books.fresh, sources, strict=True)
            ],
        )
        moved = {line.account: line for line in books.lines}
        self._open_accounts([each for each in moved if each not in self._numbers], players)
        at = self._numbers
        self._insert(
            schema.entries,
            [
                {
                    "account": at[line.account],
                    "number": line.number,
                    "posting": numbers[line.posting],
                    "amount": line.amount,
                    "balance": line.balance,
                }
                for line in books.lines
            ],
        )
        self._update(
            schema.accounts,
            "number",
            [
                {"number": at[line.account], "balance": line.balance, "entries": line.number}
                for line in moved.values()
            ],
        )
        return numbers

    def _open_accounts(self, fresh: Sequence[Account], players: dict[Account, str]) -> None:
        if not fresh:
            return
        drawn = self._draw(schema.ACCOUNT_NUMBERS, sql.LAST_ACCOUNT, len(fresh))
        rows = []
        # In the order of their ids, as they are locked: who opens the same ones waits, and for
        # nobody who waits for him.
        for number, account in zip(drawn, sorted(fresh, key=lambda each: each.id), strict=True):
            self._numbers[account] = number
            own = account.owner if account.kind is Kind.PLAYER else ""
            rows.append(
                {
                    "number": number,
                    "id": account.id,
                    "kind": account.kind.value,
                    "currency": account.currency,
                    "player": players.get(account, own),
                    "balance": 0,
                    "entries": 0,
                }
            )
        self._insert(schema.accounts, rows)

    # Calls.

    def kept(self, caller: str, key: str) -> Kept | None:
        """The request that the caller's key names already."""
        row = self._connection.execute(sql.KEPT, {"of": caller, "key": key}).one_or_none()
        return None if row is None else Kept(*row)

    def keep(self, caller: str, key: str, digest: str, posting: int) -> None:
        """Remember the request under its caller's key."""
        row = {"caller": caller, "key": key, "digest": digest, "posting": posting}
        self._insert(schema.keys, [row])

    def balance_after(self, posting: int, account: Account) -> int:
        """What stood on the account when this posting was booked."""
        row = {"of": posting, "id": account.id}
        return self._connection.scalar(sql.BALANCE_AFTER, row) or 0

    def _among(self, wanted: sa.Select[Any], values: Iterable[str]) -> Iterator[Any]:
        # Sorted, so that the chunks of two transactions lock in one order.
        for some in chunks(sorted(values)):
            yield from self._connection.execute(wanted, {"some": some})

    def _draw(self, numbers: sa.Sequence, last: sa.Select[Any], count: int) -> list[int]:
        """So many numbers that no other row has, growing."""
        if self._connection.dialect.name == POSTGRES:
            drawn = sa.select(numbers.next_value()).select_from(
                sa.func.generate_series(1, count).alias("place")
            )
            return sorted(self._connection.scalars(drawn))
        first = (self._connection.scalar(last) or 0) + 1
        return list(range(first, first + count))

    def _insert(self, table: sa.Table, rows: Sequence[bulk.Row]) -> None:
        bulk.insert(self._connection, table, rows)

    def _update(self, table: sa.Table, key: str, rows: Sequence[bulk.Row]) -> None:
        bulk.update(self._connection, table, key, rows)


def chunks(values: Iterable[str]) -> Iterator[list[str]]:
    """The values, as many at a time as an IN list takes."""
    rest = iter(values)
    while some := list(islice(rest, CHUNK)):
        yield some
