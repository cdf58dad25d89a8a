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

from riverboat.game.recorded import Malformed, Recorded, recorded
from riverboat.game.replay import replay


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
        try:
            with _opened(path) as lines:
                _replay_lines(path, lines, out, tally)
        except (OSError, UnicodeDecodeError) as wrong:
            print(f"{path}: cannot be read: {wrong}", file=out)
            tally.unreadable += 1
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


@contextmanager
def _opened(path: str) -> Iterator[Iterable[str]]:
    if path == "-":
        yield sys.stdin
        return
    with Path(path).open(encoding="utf-8") as lines:
        yield lines


def _replay_lines(path: str, lines: Iterable[str], out: TextIO, tally: Tally) -> None:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            then = recorded(json.loads(line))
        except json.JSONDecodeError as wrong:
            print(f"{path}:{number}: not JSON: {wrong.msg} at column {wrong.colno}", file=out)
            tally.unreadable += 1
        except Malformed as wrong:
            print(f"{path}:{number}: {wrong}", file=out)
            tally.unreadable += 1
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


if __name__ == "__main__":
    sys.exit(replay_command(sys.argv[1:] or ["-"], sys.stdout))
