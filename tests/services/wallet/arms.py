"""The two databases that a ledger stands on, alike for every test: the suite runs over both."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import sqlalchemy as sa

from deploy.postgres.server import Server
from services.wallet.store import Store

# No test looks at so many ledgers at once; each costs the server 8 MB.
KEPT = 10


class Arm(Protocol):
    """A database that ledgers stand on."""

    name: str

    def place(self) -> str:
        """Where a ledger may be made."""

    def store(self) -> Store:
        """A new ledger, in the place where that is cheapest."""

    def backup(self, store: Store) -> Store:
        """A ledger of its own, as the other stands now."""


class SqliteArm:
    """Files, and memory."""

    name = "sqlite"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count()

    def place(self) -> str:
        return str(self._folder / f"ledger-{next(self._numbers)}.db")

    def store(self) -> Store:
        return Store()

    def backup(self, store: Store) -> Store:
        return store.copy()


class PostgresArm:
    """Databases of one server; a new one is a copy of one that was made before."""

    name = "postgres"

    def __init__(self, server: Server) -> None:
        self._server = server
        url = server.url().replace("postgresql", "postgresql+psycopg", 1)
        self._admin = sa.create_engine(url, isolation_level="AUTOCOMMIT", pool_size=1)
        self._numbers = count()
        self._made: list[str] = []
        self._template = self.place()
        Store(self._template).close()
        self._made.clear()

    def place(self) -> str:
        return self._make("template0")

    def store(self) -> Store:
        return Store(self._make(_database(self._template)))

    def backup(self, store: Store) -> Store:
        # A database that somebody is connected to cannot be copied.
        store.close()
        return Store(self._make(_database(store.where)))

    def _make(self, template: str) -> str:
        name = f"ledger_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {template}")
        self._made.append(name)
        if len(self._made) > KEPT:
            self._run(f"DROP DATABASE {self._made.pop(0)} WITH (FORCE)")
        return self._server.url(name)

    def _run(self, statement: str) -> None:
        with self._admin.connect() as connection:
            connection.exec_driver_sql(statement)


def _database(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")
