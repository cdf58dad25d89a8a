"""A transaction of the ledger's database: rows in, rows changed, numbers drawn. Books nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import sqlalchemy as sa

from services.wallet import bulk
from services.wallet.engines import POSTGRES

# Every database takes this many values in one IN list.
CHUNK = 500


class Transaction:
    """The transaction, until it is over."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

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
