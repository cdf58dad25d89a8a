"""An operator's folder of rules that does not hold: every command tells why and starts nothing."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from services.cli.main import run
from services.cli.own_rules import adopt
from tests.cli.house import network, rules_apart

WRONG = "extends = 'standard'\nrake = 3\n"
TOLD = "riverboat: river.toml: rake: must be a list of tables, not 3"


def _missing(folder: Path) -> Path:
    return folder / "nowhere"


def _a_file(folder: Path) -> Path:
    (folder / "file").write_text("x")
    return folder / "file"


def _empty(folder: Path) -> Path:
    return folder


def _other_files(folder: Path) -> Path:
    (folder / "notes.txt").write_text(WRONG)
    return folder


def _loop_of_folders(folder: Path) -> Path:
    (folder / "a").symlink_to(folder / "b")
    (folder / "b").symlink_to(folder / "a")
    return folder / "a"


def _loop_of_files(folder: Path) -> Path:
    (folder / "loop.toml").symlink_to(folder / "loop.toml")
    return folder


def _dangling(folder: Path) -> Path:
    (folder / "gone.toml").symlink_to(folder / "nowhere")
    return folder


def _a_folder_for_a_file(folder: Path) -> Path:
    (folder / "river.toml").mkdir()
    return folder


def _not_utf8(folder: Path) -> Path:
    (folder / "river.toml").write_bytes("name = 'Rivière'".encode("latin-1"))
    return folder


def _utf16(folder: Path) -> Path:
    (folder / "river.toml").write_bytes(WRONG.encode("utf-16"))
    return folder


def _marked(folder: Path) -> Path:
    (folder / "river.toml").write_bytes(WRONG.encode("utf-8-sig"))
    return folder


FOLDERS: list[tuple[Callable[[Path], Path], str]] = [
    (_missing, "nowhere: no such folder of rules"),
    (_a_file, "file: no such folder of rules"),
    (_empty, "holds no table of rules: no file ends in .toml"),
    (_other_files, "holds no table of rules: no file ends in .toml"),
    (_loop_of_folders, "a: no such folder of rules"),
    (_loop_of_files, "riverboat: loop.toml: Too many levels of symbolic links"),
    (_dangling, "riverboat: gone.toml: No such file or directory"),
    (_a_folder_for_a_file, "riverboat: river.toml: Is a directory"),
    (_not_utf8, "riverboat: river.toml: not UTF-8: invalid continuation byte"),
    (_utf16, "riverboat: river.toml: not UTF-8: invalid start byte"),
    (_marked, "riverboat: river.toml: begins with a byte order mark"),
]


@pytest.mark.parametrize(
    ("made", "told"), FOLDERS, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_folder_that_cannot_be_read_is_told_by_its_file(
    made: Callable[[Path], Path], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "--rules", str(made(tmp_path))]) == 2
    said = "".join(capsys.readouterr())
    assert told in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["rules"],
        ["simulate", "--seed", "1", "--hands", "1"],
        ["replay", "hands.jsonl"],
        ["up", "--port", "0", "--metrics", "none", "--data", "data"],
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_takes_the_folder_refuses_it_at_its_start(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RIVERBOAT_RULEBOOKS", "")
    monkeypatch.delenv("RIVERBOAT_RULEBOOKS")
    Path("house").mkdir()
    Path("house/river.toml").write_text(WRONG)
    Path("hands.jsonl").write_text("")
    assert run([*words, "--rules", "house"]) == 2
    said = "".join(capfd.readouterr())
    assert TOLD in said
    assert "Traceback" not in said
    # Nothing was begun.
    assert not list(Path().glob("data/*.sqlite*"))
    shutil.rmtree("data", ignore_errors=True)


VARIANT = """
[drawless]
name = "Drawless"
deck = "52"
forced = "blinds"
first_opener = "after_blinds"
later_openers = ["left_of_button"]
high = "standard"
select = "own"
show_opener = "left_of_button"
odd_unit = "left_of_button"
rake_due = "never"
not_in = { fl = "one round has no upper bet", sl = "nor a second number" }
streets = [{ name = "all", down = 5 }]
"""


async def test_an_audit_knows_the_games_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, data = tmp_path / "house", tmp_path / "data"
    house.mkdir()
    (house / "variants.toml").write_text(VARIANT)
    (house / "river.toml").write_text("extends = 'lt'\n[variants.drawless]\nseats_most = 6\n")
    with rules_apart():
        adopt(house)
        async with network(data) as net:
            table = await net.open_table(variant="drawless", limit="pl", rulebook="river")
            async with net.bots(table, 3, hands=5) as crowd, asyncio.timeout(30):
                await crowd.done.wait()
    assert await asyncio.to_thread(_audited, str(data)) == 1
    assert "no rulebook 'river'" in capsys.readouterr().out
    assert await asyncio.to_thread(_audited, str(data), "--rules", str(house)) == 0
    assert "clean" in capsys.readouterr().out


def _audited(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        run(["audit", *words])
    return ended.value.code


def test_every_pair_is_listed_in_every_limit(capsys: pytest.CaptureFixture[str]) -> None:
    """RULES 1: "Each is played in every limit below that makes sense for it": all five, and where
    one makes none the reason is told.
    """
    pairs = 0
    for rulebook in ("lt", "et", "ro"):
        assert run(["rules", "--rulebook", rulebook]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert not [line for line in lines if "not in" in line]
        pairs += len([line for line in lines if line.endswith(" seats  nl pl hpl fl sl")])
    assert pairs == 35
    assert run(["rules", "--rulebook", "standard"]) == 0
    barred = [line for line in capsys.readouterr().out.splitlines() if "not in" in line]
    assert len(barred) == 2
    assert all(len(line.partition(": ")[2]) > 20 for line in barred)
