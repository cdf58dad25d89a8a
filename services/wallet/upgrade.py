"""The schema's versions: a new ledger is made, an older one brought up, a newer one refused.

Each version has a migration of its number under `migrations/`, run by Alembic, which is loaded only
where there is something to do. All of it happens in the one transaction that it is given.
"""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from services.wallet import schema
from services.wallet.engines import POSTGRES

MIGRATIONS = Path(__file__).with_name("migrations")
# Of an advisory lock: of two wallets that start at once, one makes the ledger.
_LOCK = 0x7269766572


class WrongLedger(Exception):
    """The database is no ledger of this version; the message says what it is."""


def check(connection: sa.Connection, name: str) -> None:
    """See to it that this is a ledger of today's schema; raises `WrongLedger`."""
    found = version(connection)
    if found is None:
        raise WrongLedger(f"{name} is no ledger")
    if found != schema.SCHEMA_VERSION:
        raise WrongLedger(f"{name} is a ledger of schema {found}, not {schema.SCHEMA_VERSION}")


def make(connection: sa.Connection, name: str) -> None:
    """Make it one of today's schema, from nothing or from an older one."""
    if connection.dialect.name == POSTGRES:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    found = version(connection)
    if found is None:
        schema.metadata.create_all(connection)
        row = {"name": "schema", "value": str(schema.SCHEMA_VERSION)}
        connection.execute(sa.insert(schema.about), row)
    elif found < schema.SCHEMA_VERSION:
        migrate(connection, found)
    check(connection, name)


def version(connection: sa.Connection) -> int | None:
    """The version of the schema that stands there; none where there is no ledger."""
    if not sa.inspect(connection).has_table(schema.about.name):
        return None
    about = schema.about.c
    found = connection.scalar(sa.select(about.value).where(about.name == "schema"))
    return int(found) if found is not None and found.isdecimal() else None


def migrate(connection: sa.Connection, found: int, to: int = schema.SCHEMA_VERSION) -> None:
    """Run the migrations from version `found`, 0 where there is nothing, up to `to`."""
    # Most starts have nothing to bring up, and none waits for what it does not use.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if found:
        # Where a ledger stands is written in the ledger's own words; Alembic is told.
        command.stamp(config, str(found), purge=True)
    command.upgrade(config, str(to))
    connection.execute(
        sa.update(schema.about).where(schema.about.c.name == "schema").values(value=str(to))
    )
    connection.exec_driver_sql("DROP TABLE alembic_version")
