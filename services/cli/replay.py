"""The command `replay`: recorded hands, one JSON object a line, played again and compared.

Reads files and writes lines; how a hand is played again is the game's business alone.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from riverboat.game.replay import Recorded, recorded, replay
from services.cli.own_rules import adopt, rules_option


class Tally:
    """What became of the hands so far."""

    def __init__(self) -> None:
        self.replayed = 0
        self.differ = 0
        self.unreadable = 0
        self.passed_over: Counter[str] = Counter()


def replay_command(paths: Sequence[str], out: TextIO, count_all: bool = False) -> int:
    """Replay every hand in the files ("-" is the standard input); 0 when none differs.

    A line a difference, and as the last line how many were replayed and how many differ. Hands of
    games that are not offered yet are named by kind; they count as different with `count_all`.
    """
    tally = Tally()
    for path in paths:
        for where, line in _lines(path, out, tally):
            _replay_line(where, line, out, tally)
    if tally.passed_over:
        kinds = ", ".join(f"{kind} {count}" for kind, count in tally.passed_over.most_common())
        print(f"{tally.passed_over.total()} passed over, not offered yet: {kinds}", file=out)
    if count_all:
        tally.replayed += tally.passed_over.total()
        tally.differ += tally.passed_over.total()
    if tally.unreadable:
        print(f"{tally.unreadable} could not be read", file=out)
    print(f"{tally.replayed} replayed, {tally.differ} differ", file=out)
    return int(bool(tally.differ or tally.unreadable))


def _lines(path: str, out: TextIO, tally: Tally) -> Iterator[tuple[str, str]]:
    """Every line that is not blank, and where it stands."""
    number = 0
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"{path}:{number}", line
    except OSError as wrong:
        _unreadable(path, wrong.strerror or str(wrong), out, tally)
    except UnicodeDecodeError as wrong:
        _unreadable(f"{path}:{number + 1}", f"not UTF-8: {wrong.reason}", out, tally)


@contextmanager
def _opened(path: str) -> Iterator[Iterable[str]]:
    if path == "-":
        yield sys.stdin
        return
    with Path(path).open(encoding="utf-8") as lines:
        yield lines


def _unreadable(where: str, why: str, out: TextIO, tally: Tally) -> None:
    print(f"{where}: {why}", file=out)
    tally.unreadable += 1


def _replay_line(where: str, line: str, out: TextIO, tally: Tally) -> None:
    try:
        then = recorded(json.loads(line))
    except json.JSONDecodeError as wrong:
        _unreadable(where, f"not JSON: {wrong.msg} at column {wrong.colno}", out, tally)
    except (ValueError, RecursionError) as wrong:
        _unreadable(where, str(wrong), out, tally)
    else:
        _replay_one(then, out, tally)


def _replay_one(then: Recorded, out: TextIO, tally: Tally) -> None:
    differences = replay(then)
    if differences is None:
        tally.passed_over[f"{then.variant} {then.limit}"] += 1
        return
    tally.replayed += 1
    tally.differ += bool(differences)
    for difference in differences:
        print(difference, file=out)


@click.command("replay")
@click.argument("files", nargs=-1, required=True)
@rules_option
@click.option("--all", "count_all", is_flag=True, help="Count games not offered yet as different.")
def command(files: tuple[str, ...], folder: Path | None, count_all: bool) -> int:
    """Replay recorded hands, one JSON object a line, and tell every difference.

    FILES are paths, or - for the standard input. The last line is the count; the status is 0 when
    nothing differs.
    """
    adopt(folder)
    return replay_command(files, sys.stdout, count_all)
