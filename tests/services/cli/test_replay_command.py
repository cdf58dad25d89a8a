"""The command `replay`: what it prints, and what its status says."""

from __future__ import annotations

import io
import json
from pathlib import Path

from click.testing import CliRunner

from services.cli.replay import command, replay_command
from tests.hands.real_hands import hands, lines


def said(path: Path, *, count_all: bool = False) -> tuple[int, list[str]]:
    out = io.StringIO()
    status = replay_command([str(path)], out, count_all)
    return status, out.getvalue().replace(str(path), "FILE").splitlines()


def test_nothing_differs(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(line for line, _ in zip(lines("holdem"), range(5), strict=False)))
    assert said(path) == (0, ["5 replayed, 0 differ"])


def test_a_line_a_difference_and_a_status(tmp_path: Path) -> None:
    first, second = (json.loads(json.dumps(hand)) for hand in hands("holdem")[:2])
    first["expected"]["total"] += 1
    path = tmp_path / "hands.jsonl"
    path.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    total = first["expected"]["total"]
    assert said(path) == (
        1,
        [
            f"{first['id']}: total: expected {total}, got {total - 1}",
            "2 replayed, 1 differ",
        ],
    )


def test_a_bad_line_is_named_and_the_rest_is_replayed(tmp_path: Path) -> None:
    good = next(lines("holdem")).strip()
    path = tmp_path / "hands.jsonl"
    path.write_text(f'{good}\n\n{{"id": }}\n{{"id": "x"}}\n[1]\n{"[" * 100_000}\n{good}\n')
    status, told = said(path)
    assert status == 1
    assert told[:3] == [
        "FILE:3: not JSON: Expecting value at column 8",
        "FILE:4: seats: is missing",
        "FILE:5: hand: must be an object, not [1]",
    ]
    assert told[3].startswith("FILE:6: ")
    assert told[4:] == ["4 could not be read", "2 replayed, 0 differ"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert said(tmp_path / "none") == (
        1,
        ["FILE: No such file or directory", "1 could not be read", "0 replayed, 0 differ"],
    )
    path = tmp_path / "hands.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    assert said(path)[1][0] == "FILE:1: not UTF-8: invalid start byte"


def test_games_not_offered_are_named_by_kind(tmp_path: Path) -> None:
    hand = json.loads(next(lines("holdem")))
    other = {**hand, "variant": "tiddlywinks", "limit": "FL"}
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (hand, other, other)))
    named = "2 passed over, not offered yet: tiddlywinks FL 2"
    assert said(path) == (0, [named, "1 replayed, 0 differ"])
    assert said(path, count_all=True) == (1, [named, "3 replayed, 2 differ"])


def test_the_standard_input() -> None:
    line = next(lines("omaha"))
    result = CliRunner().invoke(command, ["-"], input=line)
    assert result.output == "1 replayed, 0 differ\n"
