"""Many rows in one statement, as each database takes them fastest. Decides nothing.

PostgreSQL gets a column of values each: one statement whatever the number of rows, so that it is
prepared once, and its triggers look once at all that came. SQLite runs in this process, and takes
them row by row.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from services.wallet.engines import POSTGRES

Row = Mapping[str, Any]


def insert(connection: sa.Connection, table: sa.Table, rows: Sequence[Row]) -> None:
    """Insert these rows, which all have the same columns."""
    if not rows:
        return
    if connection.dialect.name != POSTGRES:
        connection.execute(_plain_insert(table), list(rows))
        return
    names = tuple(rows[0])
    connection.exec_driver_sql(_insert(table, names), _columns(names, rows))


def update(connection: sa.Connection, table: sa.Table, key: str, rows: Sequence[Row]) -> None:
    """Change the rows that `key` names: each of `rows` holds it, and what changes."""
    if not rows:
        return
    names = tuple(rows[0])
    if connection.dialect.name == POSTGRES:
        connection.exec_driver_sql(_update(table, key, names), _columns(names, rows))
        return
    statement = _plain_update(table, key, names)
    connection.execute(statement, [{f"new_{name}": row[name] for name in names} for row in rows])


def _columns(names: Collection[str], rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(array([row[name] for row in rows]) for name in names)


def array(values: Sequence[Any]) -> str:
    """These values, all ints or all texts, as PostgreSQL reads an array.

    The driver's own way costs more than all the rest of a transaction: it looks at each by itself.

    >>> array([1, -2]), array(["a", 'b"c'])
    ('{1,-2}', '{"a","b\\\\"c"}')
    """
    if isinstance(values[0], int):
        return "{" + ",".join(map(str, values)) + "}"
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in values)
    return '{"' + '","'.join(quoted) + '"}'


@cache
def _plain_insert(table: sa.Table) -> sa.Insert:
    return sa.insert(table)


@cache
def _plain_update(table: sa.Table, key: str, names: tuple[str, ...]) -> sa.Update:
    values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in names if name != key}
    return sa.update(table).where(table.c[key] == sa.bindparam(f"new_{key}")).values(values)


@cache
def _insert(table: sa.Table, names: tuple[str, ...]) -> str:
    columns = ", ".join(names)
    return f"INSERT INTO {table.name} ({columns}) SELECT * FROM {_unnest(table, names)}"


@cache
def _update(table: sa.Table, key: str, names: tuple[str, ...]) -> str:
    columns = ", ".join(names)
    values = ", ".join(f"{name} = fresh.{name}" for name in names if name != key)
    rows = f"{_unnest(table, names)} AS fresh ({columns})"
    return f"UPDATE {table.name} SET {values} FROM {rows} WHERE {table.name}.{key} = fresh.{key}"


def _unnest(table: sa.Table, names: tuple[str, ...]) -> str:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    types = (table.c[name].type.compile(dialect) for name in names)
    return f"unnest({', '.join(f'%s::{type_}[]' for type_ in types)})"
