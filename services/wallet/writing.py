"""One writing transaction of the ledger: loads what a batch touches and writes what is new.

All accounts are read for update and in the order of their ids, so that a database with row locks
meets no deadlock. Never decides what to book, and never commits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from riverboat.game.ids import partition_of
from riverboat.ledger.accounts import OF_PLAYERS, Account, account_of
from riverboat.ledger.books import Books, Standing
from riverboat.ledger.follow import Protected, TableBooks, Terms
from riverboat.ledger.money_at_table import Reservation
from riverboat.ledger.postings import Flag, Leg, Posting
from riverboat.ledger.touched import Touched
from services.wallet import bulk, history, schema
from services.wallet import statements as sql
from services.wallet.call_rows import CallRows, Withdrawal
from services.wallet.transaction import chunks

__all__ = ["Head", "Source", "Withdrawal", "Writing"]

NOT_OPENED = Terms("", "")


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


class Writing(CallRows):
    """The transaction, until it is over."""

    def __init__(self, connection: sa.Connection) -> None:
        super().__init__(connection)
        self._numbers: dict[Account, int] = {}  # of the accounts that the database has
        self._tables: set[str] = set()  # those whose game the database has

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
        for row in self._among(sql.TABLES, found):
            books.terms[row.table_id] = Terms(
                row.currency,
                row.rulebook,
                row.variant,
                row.limits,
                row.stakes,
                row.south_ms,
                row.protections,
            )
            self._tables.add(row.table_id)
        return found

    def load_gate(self, books: TableBooks, touched: Touched, now_ms: int) -> None:
        """What those who ask did before, as far as it keeps them from a table."""
        askers = touched.askers
        history.load_gate(self._connection, books.gate, askers, now_ms)
        if any(terms.south_ms for terms in touched.told):
            history.load_elsewhere(self._connection, books.gate, askers)
        if any(terms.protections for terms in touched.told):
            history.load_protections(self._connection, books.gate, askers, now_ms)

    def load_spent(self, books: TableBooks, hands: Iterable[str]) -> None:
        """The protections that were used in these hands, which are called off."""
        for row in self._among(sql.SPENT, hands):
            used = Protected(
                row.table_id, row.version, row.player, row.sitting, row.hand, row.time_ms
            )
            books.spent.setdefault(row.hand, []).append(used)

    def write_tables(self, books: TableBooks) -> None:
        """What the tables told of themselves."""
        moved: list[bulk.Row] = []
        fresh: list[bulk.Row] = []
        for table in books.terms_moved:
            terms = books.terms[table]
            row = {
                "table_id": table,
                "currency": terms.currency,
                "rulebook": terms.rulebook,
                "variant": terms.variant,
                "limits": terms.limit,
                "stakes": terms.stakes,
                "south_ms": terms.south_ms,
                "protections": terms.protections,
            }
            (moved if table in self._tables else fresh).append(row)
        self._update(schema.tables, "table_id", moved)
        self._insert(schema.tables, fresh)
        self._insert(
            schema.games,
            [
                {
                    "table_id": table,
                    "version": version,
                    "currency": terms.currency,
                    "rulebook": terms.rulebook,
                    "variant": terms.variant,
                    "limits": terms.limit,
                    "stakes": terms.stakes,
                }
                for (table, version), terms in books.played.items()
            ],
        )

    def write_sittings(self, books: TableBooks) -> None:
        """Who sat down there and left, and who was protected."""
        self._insert(
            schema.sittings,
            [
                {
                    "id": sitting,
                    "table_id": began.table,
                    "player": began.player,
                    "game": began.game,
                    "currency": began.currency,
                    "seated_ms": began.time_ms,
                    "left_ms": 0,
                    "left_with": 0,
                }
                for sitting, began in books.began.items()
            ],
        )
        ended = [
            # The game as it was when he left: the table's options may have changed under him.
            {"id": sitting, "game": game, "left_ms": went.time_ms, "left_with": went.amount}
            for sitting, (went, game) in books.ended.items()
        ]
        self._update(schema.sittings, "id", ended)
        used = [
            {
                "table_id": one.table,
                "version": one.version,
                "player": one.player,
                "sitting": one.sitting,
                "hand": one.hand,
                "time_ms": one.time_ms,
            }
            for one in books.protected
        ]
        self._insert(schema.spent, used)
        called_off = [
            {"hand": hand, "table_id": table, "version": version, "time_ms": time_ms}
            for hand, table, version, time_ms in books.voided
        ]
        self._insert(schema.voided, called_off)

    def move_heads(
        self, heads: dict[str, Head], known: Collection[str], terms: dict[str, Terms]
    ) -> None:
        """These tables are read up to these records; `known` are those the database has."""
        moved: list[bulk.Row] = []
        fresh: list[bulk.Row] = []
        for table, (version, record) in heads.items():
            told = terms.get(table, NOT_OPENED)
            row = {
                "table_id": table,
                "version": version,
                "record": record,
                "currency": told.currency,
                "rulebook": told.rulebook,
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
                row.protections,
                row.time_ms,
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
        granted = [
            {"reservation": asked.id, "protections": asked.protections}
            for asked in books.asked
            if asked.protections
        ]
        self._insert(schema.grants, granted)
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

    def write_contributed(self, books: TableBooks, numbers: Mapping[str, int]) -> None:
        """What each put into the hands that were raked; `numbers` are those of their postings."""
        self._insert(
            schema.contributions,
            [
                {
                    "posting": numbers[posting],
                    "account": self._numbers[account],
                    "amount": amount,
                }
                for posting, shares in books.contributed.items()
                for account, amount in shares
            ],
        )

    def _open_accounts(self, fresh: Sequence[Account], players: dict[Account, str]) -> None:
        if not fresh:
            return
        drawn = self._draw(schema.ACCOUNT_NUMBERS, sql.LAST_ACCOUNT, len(fresh))
        rows = []
        # In the order of their ids, as they are locked: who opens the same ones waits, and for
        # nobody who waits for him.
        for number, account in zip(drawn, sorted(fresh, key=lambda each: each.id), strict=True):
            self._numbers[account] = number
            own = account.owner if account.kind in OF_PLAYERS else ""
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
