"""All goals of performance as one table: `python -m benchmarks [names]`.

Prints rows as they come; changes nothing unless told by `--write` into which document the table
goes. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from benchmarks.goals import BENCHES, Row
from riverboat.runtime import step

COMPILED: Final = str(step.__file__).endswith(".so")  # see scripts/compiled.py
MAKE: Final = "make bench COMPILED=1" if COMPILED else "make bench"
BEGIN: Final = f"<!-- the table: {MAKE} ARGS='--write docs/performance.md' -->"
END: Final = "<!-- end of the table -->"
HEAD: Final = ("goal", "what", "ours", "peer", "measured", "floor", "goal", "stretch", "conditions")


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHES)))
@click.option("--write", type=click.Path(path_type=Path, exists=True), help="Into this document.")
def main(names: Sequence[str], write: Path | None) -> None:
    """Measure the goals named, or all of them."""
    rows: list[Row] = []
    for name in names or BENCHES:
        for row in BENCHES[name]():
            rows.append(row)
            click.echo(_line(row))
    if write is not None:
        text = write.read_text()
        before, found, rest = text.partition(BEGIN)
        if not found:
            raise click.UsageError(f"{write} holds no place {BEGIN}")
        _, _, after = rest.partition(END)
        write.write_text(f"{before}{BEGIN}\n\n{_document(rows)}\n\n{END}{after}")


def _line(row: Row) -> str:
    bounds = " / ".join(bound or "-" for bound in (row.floor, row.goal_at, row.stretch))
    return (
        f"{row.goal:<2} {row.what:<42} {row.figure:>14}   ({bounds})\n"
        f"      {row.ours}{f' against {row.peer}' if row.peer else ''}"
        f"{'; ' if row.ours else ''}{row.conditions}"
    )


def _document(rows: Sequence[Row]) -> str:
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEAD, ["---"] * len(HEAD), *rows)]
    return f"{_machine()}\n\n" + "\n".join(lines)


def _machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    day = datetime.now(UTC).date().isoformat()
    busy = max(os.getloadavg()[1], 1.0)
    return (
        f"Measured {day} on {os.cpu_count()} {platform.machine()} cores, {python},"
        f" {'the inner loop compiled' if COMPILED else 'nothing compiled'}; load average"
        f" {busy:.0f}: what stands above the number of cores was others' work."
    )


if __name__ == "__main__":
    main(prog_name=f"{Path(sys.executable).name} -m benchmarks")
