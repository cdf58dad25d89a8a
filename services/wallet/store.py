"""The ledger's store: what is kept, and the transactions that keep it. Never decides what to book.

One transaction takes a batch of records of one partition: its postings, answers, outbox, heads and
the offset stand together or not at all, and only where the offset is still the one it began with.
So a second wallet on the same ledger is harmless, whenever it wakes up.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from riverboat.ledger.accounts import Account
from services.wallet import schema
from services.wallet import statements as sql
from services.wallet.writing import Writing

MEMORY = ":memory:"

# A writer waits this long for another wallet's transaction, which takes milliseconds.
BUSY_S = 30.0


class WrongLedger(Exception):
    """The database is no ledger of this version; the message says what it is."""


class Line(NamedTuple):
    """One line of a statement."""

    number: int  # of the account, from 1 without a gap
    posting: str
    amount: int
    balance: int  # after it
    time_ms: int
    table: str
    note: str
    flag: str


class Holding(NamedTuple):
    """What a player has in accounts of one kind and currency."""

    kind: str
    currency: str
    balance: int


class Stopped(NamedTuple):
    """A table that could not be booked any further."""

    table: str
    partition: int
    next_offset: int  # of the record that could not be booked
    why: str


class Store:
    """One ledger's database."""

    def __init__(
        self,
        path: str | Path = MEMORY,
        *,
        backup_of: Store | None = None,
        read_only: bool = False,
    ) -> None:
        """Open the ledger at `path`; where there is none, a new one, or a copy of another.

        With `read_only` it must be there, and may be in use by a wallet.
        """
        self.path = str(path)
        self._writing = threading.RLock()
        self._engine = _engine(self.path, read_only=read_only)
        # A ledger in memory has one connection; readers of it take turns with the writer.
        self._one = self.path == MEMORY
        if read_only and not Path(path).is_file():
            raise WrongLedger(f"there is no ledger at {self.path}")
        if backup_of is not None:
            backup_of._copy_into(self._engine)
        with self.connection(write=not read_only) as connection:
            if not sa.inspect(connection).has_table(schema.about.name):
                if read_only:
                    raise WrongLedger(f"{self.path} is no ledger")
                schema.metadata.create_all(connection)
                row = {"name": "schema", "value": str(schema.SCHEMA_VERSION)}
                connection.execute(sa.insert(schema.about), row)
            self._check_version(connection)

    def _check_version(self, connection: sa.Connection) -> None:
        about = schema.about.c
        found = connection.scalar(sa.select(about.value).where(about.name == "schema"))
        if found != str(schema.SCHEMA_VERSION):
            raise WrongLedger(
                f"{self.path} is a ledger of schema {found}, not {schema.SCHEMA_VERSION}"
            )

    @contextmanager
    def connection(self, *, write: bool) -> Iterator[sa.Connection]:
        """One transaction: committed at the end, or rolled back by whatever is raised within."""
        if write or self._one:
            with self._writing, self._engine.connect() as connection:
                connection = connection.execution_options(riverboat_write=write)
                with connection.begin():
                    yield connection
        else:
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One transaction that books."""
        with self.connection(write=True) as connection:
            yield Writing(connection)

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """Where to read on, for each partition; 0 for one that was never read."""
        found = dict.fromkeys(partitions, 0)
        rows = sa.select(schema.offsets.c.partition, schema.offsets.c.next_offset)
        with self.connection(write=False) as connection:
            for partition, offset in connection.execute(rows):
                if partition in found:
                    found[partition] = offset
        return found

    def owed(self, partitions: Collection[int]) -> list[tuple[str, str, str]]:
        """Answers that their tables have not shown yet: table, reservation, why refused."""
        some = {"some": list(partitions)}
        with self.connection(write=False) as connection:
            return [tuple(row) for row in connection.execute(sql.OWED, some)]

    def stopped(self, partitions: Collection[int]) -> list[Stopped]:
        """The tables whose next record could not be booked."""
        stop = schema.stops.c
        rows = (
            sa.select(stop.table_id, stop.partition, stop.next_offset, stop.why)
            .where(stop.partition.in_(list(partitions)))
            .order_by(stop.table_id)
        )
        with self.connection(write=False) as connection:
            return [Stopped(*row) for row in connection.execute(rows)]

    def balance(self, account: Account) -> int:
        """What stands on the account."""
        rows = sa.select(schema.accounts.c.balance).where(schema.accounts.c.id == account.id)
        with self.connection(write=False) as connection:
            return connection.scalar(rows) or 0

    def holdings(self, player: str) -> list[Holding]:
        """All that is the player's, by kind of account and currency."""
        held = schema.accounts.c
        rows = (
            sa.select(held.kind, held.currency, sa.cast(sa.func.sum(held.balance), sa.BigInteger))
            .where(held.player == player)
            .group_by(held.kind, held.currency)
            .order_by(held.currency, held.kind)
        )
        with self.connection(write=False) as connection:
            return [Holding(*row) for row in connection.execute(rows)]

    def statement(self, account: Account, before: int, most: int) -> list[Line]:
        """The account's lines below number `before`, newest first, `most` of them."""
        line, post, held = schema.entries.c, schema.postings.c, schema.accounts.c
        rows = (
            sa.select(
                line.number,
                post.id,
                line.amount,
                line.balance,
                post.time_ms,
                post.table_id,
                post.note,
                post.flag,
            )
            .join(schema.accounts, held.number == line.account)
            .join(schema.postings, post.number == line.posting)
            .where(held.id == account.id, line.number < before)
            .order_by(line.number.desc())
            .limit(most)
        )
        with self.connection(write=False) as connection:
            return [Line(*row) for row in connection.execute(rows)]

    def copy(self, path: str | Path = MEMORY) -> Store:
        """A backup, taken while the ledger runs: as of its last commit."""
        return Store(path, backup_of=self)

    def _copy_into(self, target: sa.Engine) -> None:
        with self._writing, self._engine.connect() as source, target.connect() as copy:
            _driver(source).backup(_driver(copy))

    def close(self) -> None:
        """Give the database back."""
        self._engine.dispose()


def _driver(connection: sa.Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection), "a backup is made by the database itself"
    return driver


def _engine(path: str, *, read_only: bool) -> sa.Engine:
    arguments: dict[str, Any] = {"connect_args": {"timeout": BUSY_S, "check_same_thread": False}}
    if path == MEMORY:
        arguments["poolclass"] = StaticPool
        engine = sa.create_engine("sqlite://", **arguments)
    elif read_only:
        name = f"file:{quote(path)}"
        url = sa.URL.create("sqlite", database=name, query={"mode": "ro", "uri": "true"})
        engine = sa.create_engine(url, **arguments)
    else:
        engine = sa.create_engine(sa.URL.create("sqlite", database=path), **arguments)
    sa.event.listen(engine, "connect", _on_connect_to_read if read_only else _on_connect)
    sa.event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: sqlite3.Connection, _: object) -> None:
    # The driver must not begin transactions of its own: they would begin too late.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _on_connect_to_read(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None


def _on_begin(connection: sa.Connection) -> None:
    # A writer takes the lock before it reads what it decides on; later would be too late to wait.
    write = connection.get_execution_options().get("riverboat_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
