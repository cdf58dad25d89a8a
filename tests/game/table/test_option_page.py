"""docs/table-options.md against the options: each has its row, and the tests named are there."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from riverboat.game.table.events import Settings

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "table-options.md"


def rows() -> list[list[str]]:
    lines = PAGE.read_text().splitlines()
    found = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    return [cells for cells in found if cells[0].startswith("`")]


def test_every_option_has_its_row_and_no_other_has() -> None:
    named = [name for cells in rows() for name in re.findall(r"`(\w+)`", cells[0])]
    assert sorted(named) == sorted(field.name for field in fields(Settings))


def test_the_test_that_holds_an_option_speaks_of_it() -> None:
    """Where an option is not called by its name, its test is about nothing else."""
    tests = {path.name: path for path in (ROOT / "tests").rglob("test_*.py")}
    for cells in rows():
        (held_by,) = re.findall(r"`(test_\w+\.py)`", cells[-1])
        text = tests[held_by].read_text() + (ROOT / "tests/game/table/tables.py").read_text()
        for name in re.findall(r"`(\w+)`", cells[0]):
            assert name in text, f"{held_by} says nothing of {name}"
