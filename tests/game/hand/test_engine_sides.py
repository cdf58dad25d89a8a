"""The benchmark of the rules core: both of its sides play the same hands of every game."""

from __future__ import annotations

import pytest

from benchmarks.bench_engine import TABLES, Table, agree


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_both_sides_decide_as_often_and_end_with_the_same_stacks(table: Table) -> None:
    """Goal 1 of docs/performance.md: one policy, and the same cards."""
    assert agree(table, 2) == 2
