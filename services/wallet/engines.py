"""The two databases that hold a ledger: how each is reached, and what its errors mean.

SQLite is a file, or memory, and has one writer at a time. PostgreSQL is a server that may be away
for minutes, and has many. Nothing here knows a table.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from riverboat.runtime.config import without_password

MEMORY: Final = ":memory:"
POSTGRES: Final = "postgresql"
_SCHEMES: Final = (f"{POSTGRES}://", "postgres://")

# A writer waits this long for another's transaction, which takes milliseconds.
BUSY_S: Final = 30.0
# A server that is there answers at once. One that has gone without a word is given up after this
# long, and a caller of the teller is told within his deadline.
CONNECT_S: Final = 4
SILENT_MS: Final = 8_000
# Callers are served by as many threads as the loop has; the rest wait for a connection, not long.
POOL: Final = 8
POOL_MORE: Final = 8
POOL_WAIT_S: Final = 4.0
# No transaction of ours takes so long: one that does hangs, and keeps others from its rows.
STATEMENT_S: Final = 60

# Errors by PostgreSQL's own codes.
_AGAIN: Final = frozenset(
    {
        "40001",  # serialization failure
        "40P01",  # deadlock
        "23505",  # somebody else was first to open the account or to use the key
    }
)
_AWAY: Final = frozenset(
    {
        "57P01",  # the server is being stopped
        "57P02",  # it crashed
        "57P03",  # it starts, or recovers
        "53100",  # its disk is full
        "53200",  # it has no memory
        "53300",  # it has no connection left
        "25006",  # it is a standby, or was told to write nothing
        "57014",  # a statement took too long
        "55P03",  # somebody keeps a lock
        "25P03",  # this process slept within a transaction
        "58030",  # its disk does not answer
    }
)


class LedgerAway(Exception):
    """The ledger's database cannot be reached now; what was asked may be done or not."""


def is_url(where: str | Path) -> bool:
    """Whether `where` names a server rather than a file."""
    return isinstance(where, str) and where.startswith(_SCHEMES)


def engine(where: str | Path, *, read_only: bool, password: str | None = None) -> sa.Engine:
    """How the ledger at `where` is reached."""
    if is_url(where):
        return _postgres(str(where), password)
    return _sqlite(str(where), read_only=read_only)


def _postgres(where: str, password: str | None) -> sa.Engine:
    url = sa.make_url(where).set(drivername="postgresql+psycopg")
    if password is not None:
        url = url.set(password=password)
    return sa.create_engine(
        url,
        pool_size=POOL,
        max_overflow=POOL_MORE,
        pool_timeout=POOL_WAIT_S,
        # Each transaction begins on a line that answers: a server that came back is found at once.
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={
            "application_name": "riverboat",
            "connect_timeout": CONNECT_S,
            "tcp_user_timeout": SILENT_MS,
            "keepalives_idle": 5,
            "keepalives_interval": 1,
            "keepalives_count": 3,
            "options": f"-c lock_timeout={int(BUSY_S)}s -c statement_timeout={STATEMENT_S}s "
            f"-c idle_in_transaction_session_timeout={STATEMENT_S}s "
            "-c default_transaction_isolation=read\\ committed -c synchronous_commit=on",
        },
    )


def _sqlite(path: str, *, read_only: bool) -> sa.Engine:
    arguments: dict[str, Any] = {"connect_args": {"timeout": BUSY_S, "check_same_thread": False}}
    if path == MEMORY:
        arguments["poolclass"] = StaticPool
        found = sa.create_engine("sqlite://", **arguments)
    elif read_only:
        name = f"file:{quote(path)}"
        url = sa.URL.create("sqlite", database=name, query={"mode": "ro", "uri": "true"})
        found = sa.create_engine(url, **arguments)
    else:
        found = sa.create_engine(sa.URL.create("sqlite", database=path), **arguments)
    sa.event.listen(found, "connect", _on_connect_to_read if read_only else _on_connect)
    sa.event.listen(found, "begin", _on_begin)
    return found


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


def options(dialect: str, *, write: bool, read_only: bool) -> dict[str, Any]:
    """What a transaction is begun with."""
    if dialect != POSTGRES:
        return {"riverboat_write": write}
    if write:
        return {"postgresql_readonly": read_only}
    # Several statements of one reader see one moment.
    return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


def may_retry(error: DBAPIError) -> bool:
    """Whether the same transaction may well succeed when it is run again at once."""
    return _code(error) in _AGAIN


def is_away(error: Exception) -> bool:
    """Whether the database is gone, for now, rather than wrong."""
    if isinstance(error, sa.exc.TimeoutError):
        return True  # all connections are taken, by callers who wait for a server that hangs
    if not isinstance(error, DBAPIError) or isinstance(error.orig, sqlite3.Error):
        return False
    code = _code(error)
    if code:
        return code in _AWAY or code.startswith("08")
    # An error that no server gave: the line is broken, or nobody was there to call. A server that
    # refuses a password says so before there is a connection to carry its code.
    refused = isinstance(error, sa.exc.OperationalError) and "FATAL" in str(error.orig)
    starting = any(word in str(error.orig) for word in ("starting up", "shutting down", "recovery"))
    lost = isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError)
    return error.connection_invalidated or (lost and (not refused or starting))


def first_line(error: Exception) -> str:
    """What the error says, in a line, without what was asked of the database."""
    told = getattr(error, "orig", None) or error
    return without_password(str(told).partition("\n")[0])


def _code(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")
