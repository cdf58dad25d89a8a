"""The page about adding a game, followed word for word from an empty folder."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from riverboat.game import rules
from riverboat.game.rules import Rules
from services.cli.main import run

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text("utf-8")


def blocks(language: str) -> list[tuple[str, str]]:
    """The page's blocks, each with the file that was named last before it."""
    found = []
    for match in re.finditer(rf"```{language}\n(.*?)```", PAGE, re.DOTALL):
        named = re.findall(r"`([\w/]+\.(?:toml|jsonl))`", PAGE[: match.start()])
        found.append((named[-1], match[1]))
    return found


@pytest.fixture
def _followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder as the page has it made."""
    monkeypatch.chdir(tmp_path)
    files = dict(blocks("toml"))
    assert set(files) == {
        f"house/{name}.toml" for name in ("variants", "riviera", "sites", "mixes")
    }
    # The page shows where in the rulebook a mix is named.
    files["house/riviera.toml"] = 'mixes = ["riviera_choice"]\n' + files["house/riviera.toml"]
    for path, text in files.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text)
    Path("wrong").mkdir()
    wrong = files["house/riviera.toml"].replace("seats_most", "seats_mots")
    Path("wrong/riviera.toml").write_text(wrong)
    ((path, hand),) = blocks("json")
    Path(path).write_text(json.dumps(json.loads(hand)))


COMMANDS = [
    (lines[0].removeprefix("$ riverboat ").split(), lines[1:])
    for _, block in blocks("console")
    if (lines := block.splitlines())[0].startswith("$ ")
]


@pytest.mark.usefixtures("_followed")
@pytest.mark.parametrize(("words", "told"), COMMANDS, ids=lambda value: value[0])
def test_the_page_is_true(
    words: list[str], told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status = run(words)
    said = "".join(capsys.readouterr())
    assert status == (2 if "wrong" in words else 0), said
    for line in told:
        assert line in said


def test_every_command_of_the_page_was_tried() -> None:
    assert [words[0] for words, _ in COMMANDS] == ["rules", "rules", "simulate", "replay"]


@pytest.mark.usefixtures("_followed")
def test_all_that_is_told_of_a_game_is_told_by_its_rulebook(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "--rules", "house"]) == 0
    said = capsys.readouterr().out
    for rulebook in (*rules.HOUSE.rulebooks, "riviera"):
        assert f"{rulebook}: " in said
    assert "not in fl: its antes and button blind" in said
    assert "house holds: " in said


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (None, "rules: no such folder of rules"),
        ({}, "rules: holds no table of rules"),
        ({"variants.toml": b"\xff"}, "variants.toml: not UTF-8"),
        ({"a.toml": b"extends = 'b'", "b.toml": b"extends = 'a'"}, "a.toml: extends: no rulebook"),
        ({"sites.toml": b"rulebook = 'b'"}, "sites.toml: rulebook: no rulebook 'b'"),
        ({"sites.toml": b"variants = 3"}, "sites.toml: variants: must be a table of names"),
        ({"sites.toml": b"[sites.a]\nx = 3"}, "sites.toml: sites.a.x: no such key"),
        ({"own.toml": b"[variants.omaha]\nseats_most = 99"}, "own.toml: variants.omaha in nl: "),
    ],
)
@pytest.mark.parametrize("command", ["rules", "replay", "simulate", "up"])
def test_a_wrong_folder_is_refused_before_anything_starts(
    command: str,
    files: dict[str, bytes] | None,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "rules"
    if files is not None:
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_bytes(text)
    more = {"simulate": ["--seed", "1", "--hands", "1"], "replay": ["-"]}.get(command, [])
    assert run([command, "--rules", str(folder), *more]) == 2
    assert words in capsys.readouterr().err


def test_rulebooks_may_extend_one_another_whatever_their_names() -> None:
    own = rules.load({"a.toml": "extends = 'b'\nname = 'A'", "b.toml": "extends = 'lt'"})
    assert own.variants("a") == rules.HOUSE.variants("lt")
    assert (own.title("a"), own.title("b")) == ("A", rules.HOUSE.title("lt"))


def test_a_game_costs_what_the_page_says() -> None:
    told = {
        row[1].strip(): int(row[2])
        for row in re.finditer(r"^\| ([^|]+) \| (\d+) \|$", PAGE, re.MULTILINE)
    }
    files = dict(blocks("toml"))
    ((_, hand),) = blocks("json")
    rulebook = tomllib.loads(files["house/riviera.toml"])
    offers = ["[variants.courchevel]", "seats_most = 6"]
    assert [line for line in files["house/riviera.toml"].splitlines() if line in offers] == offers
    assert set(rulebook["variants"]) == {"courchevel"}
    assert told == {
        "the variant, in `variants.toml`": len(files["house/variants.toml"].splitlines()),
        "a rulebook that offers it": len(offers),
        "the name that other houses give it, in `sites.toml`": 1,
        "its hands, one a line": len(json.dumps(json.loads(hand)).splitlines()),
        "code outside `tests/`": 0,
    }
    more = [line for line in files["house/riviera.toml"].splitlines() if line not in ("", *offers)]
    assert ("seven lines more" in PAGE, len(more)) == (True, 7)


def test_the_built_in_game_is_these_lines_and_no_other() -> None:
    """The built-in tables without it, and the page's on top: the same game."""
    folder = resources.files("riverboat.game.rules")
    texts = {name: (folder / name).read_text("utf-8") for name in (rules.VARIANTS, rules.LIMITS)}
    texts["standard.toml"] = (folder / "rulebooks" / "standard.toml").read_text("utf-8")
    texts["standard.toml"] = re.sub(r"(?m)^mixes .*\n", "", texts["standard.toml"])
    for name in (rules.VARIANTS, "standard.toml"):
        texts[name], many = re.subn(
            r"(?ms)^\[(variants\.)?courchevel\]\n.*?\n(?=\[)", "", texts[name]
        )
        assert many == 1
    before = Rules(texts)
    assert ("standard", "courchevel", "pl") not in before.offered()
    page = dict(blocks("toml"))
    own = Rules(
        {
            rules.VARIANTS: page["house/variants.toml"],
            "standard.toml": 'extends = "standard"\n[variants.courchevel]\nseats_most = 9\n',
        },
        before,
    )
    for limit in own.limits_of("standard", "courchevel"):
        made = own.game("standard", "courchevel", limit)
        assert made.digest == rules.HOUSE.game("standard", "courchevel", limit).digest
    # No code knows it by its name.
    root = Path(__file__).parents[2]
    for place in ("riverboat", "services", "benchmarks"):
        for path in (root / place).rglob("*.py"):
            assert "courchevel" not in path.read_text("utf-8"), path


@pytest.mark.usefixtures("_followed")
def test_the_mix_of_the_page_can_be_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--rules", "house", "--rulebook", "riviera", "--seed", "1"]
    mixed = ["--variant", "riviera_choice", "--limit", "mixed", "--hands", "10"]
    assert run([*words, *mixed]) == 0
    assert '"laws_broken": {}' in capsys.readouterr().out
