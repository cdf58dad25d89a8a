"""The ledger's store: what is kept, and the transactions that keep it. Never decides what to book.

One transaction takes a batch of records of each of some partitions: postings, answers, outbox,
heads and offsets stand together or not at all, and only where an offset is still the one it began
with. So a second wallet on the same ledger is harmless, whenever it wakes up.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from riverboat.ledger.accounts import Account
from riverboat.runtime.config import without_password
from services.wallet import engines, schema, upgrade
from services.wallet import statements as sql
from services.wallet.engines import MEMORY, POSTGRES, LedgerAway, engine
from services.wallet.upgrade import WrongLedger
from services.wallet.writing import Writing

__all__ = ["MEMORY", "Holding", "LedgerAway", "Line", "Owed", "Stopped", "Store", "WrongLedger"]

# Two transactions that met are run anew, one of them once; more than this is a fault of ours.
TRIES: Final = 10

_T = TypeVar("_T")


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


class Owed(NamedTuple):
    """An answer that its table has not shown yet."""

    table: str
    reservation: str
    refused: str  # why; empty: it is funded
    protections: int


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
        where: str | Path = MEMORY,
        *,
        password: str | None = None,
        backup_of: Store | None = None,
        read_only: bool = False,
    ) -> None:
        """Open the ledger at `where`, a file or a URL of PostgreSQL.

        Where there is none, a new one is made, or a copy of another; an older one is brought up to
        today's schema. With `read_only` it must be there and of today, and may be in use by a
        wallet. Raises `LedgerAway` and `WrongLedger`.
        """
        self.where = str(where)
        self.name = without_password(str(where))
        self._read_only = read_only
        self._engine = engine(where, read_only=read_only, password=password)
        serves = self._engine.dialect.name == POSTGRES
        # A file has one writer: threads of one process take turns, and do not poll for it.
        self._writing: AbstractContextManager[Any] = nullcontext() if serves else threading.RLock()
        # A ledger in memory has one connection; readers of it take turns with the writer.
        self._one = str(where) == MEMORY
        if read_only and not serves and not Path(where).is_file():
            raise WrongLedger(f"there is no ledger at {self.name}")
        if backup_of is not None:
            backup_of._copy_into(self._engine)
        try:
            with self.connection(write=not read_only) as connection:
                (upgrade.check if read_only else upgrade.make)(connection, self.name)
        except DBAPIError as error:
            if not serves:
                raise
            # It answers and does not let this process in, or not do what it must.
            raise WrongLedger(f"{self.name}: {engines.first_line(error)}") from error

    @contextmanager
    def connection(self, *, write: bool) -> Iterator[sa.Connection]:
        """One transaction: committed at the end, or rolled back by whatever is raised within.

        Raises `LedgerAway` where the database cannot be reached. What was to be committed then may
        stand or not: whoever asked must look.
        """
        waits = self._writing if write or self._one else nullcontext()
        dialect = self._engine.dialect.name
        how = engines.options(dialect, write=write, read_only=self._read_only)
        try:
            with waits, self._engine.connect() as connection:
                connection = connection.execution_options(**how)
                with connection.begin():
                    yield connection
        except SQLAlchemyError as error:
            if engines.is_away(error):
                raise LedgerAway(engines.first_line(error)) from error
            raise

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One transaction that books."""
        with self.connection(write=True) as connection:
            yield Writing(connection)

    def transact(self, work: Callable[[Writing], _T]) -> _T:
        """What `work` gives, done in one transaction, which is run anew when it met another.

        So `work` may run more than once, and must leave nothing behind but what it writes.
        """
        for left in reversed(range(TRIES)):
            try:
                with self.writing() as writing:
                    return work(writing)
            except DBAPIError as error:
                if not left or not engines.may_retry(error):
                    raise
        raise AssertionError("the last try returns or raises")

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """Where to read on, for each partition; 0 for one that was never read."""
        found = dict.fromkeys(partitions, 0)
        rows = sa.select(schema.offsets.c.partition, schema.offsets.c.next_offset)
        with self.connection(write=False) as connection:
            for partition, offset in connection.execute(rows):
                if partition in found:
                    found[partition] = offset
        return found

    def owed(self, partitions: Collection[int]) -> list[Owed]:
        """Answers that their tables have not shown yet."""
        some = {"some": list(partitions)}
        with self.connection(write=False) as connection:
            return [Owed(*row) for row in connection.execute(sql.OWED, some)]

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

    def holdings_at(self, player: str, time_ms: int) -> list[Holding]:
        """All that was the player's when everything up to that moment was booked."""
        held, line, post = schema.accounts.c, schema.entries.c, schema.postings.c
        rows = (
            sa.select(held.kind, held.currency, sa.cast(sa.func.sum(line.amount), sa.BigInteger))
            .join(schema.entries, line.account == held.number)
            .join(schema.postings, post.number == line.posting)
            .where(held.player == player, post.time_ms <= time_ms)
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
        """A backup of a file, taken while the ledger runs: as of its last commit.

        A server has its own way to be backed up: see docs/ledger.md.
        """
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
