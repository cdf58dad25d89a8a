"""`riverboat report`: the forms it is told in, and what it says of a log that differs."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from pathlib import Path

import pytest

from riverboat.log.embedded import EmbeddedLog
from riverboat.runtime.clock import SystemClock
from services.cli.main import run
from services.wallet.store import Store
from services.wallet.teller import Teller
from tests.cli.played import Played


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported")
    clock = [SystemClock().now_ms()]

    async def play() -> None:
        network = await EmbeddedLog.open(folder, clock=lambda: clock[0])
        house = Played(network, folder, clock)
        await house.play()
        await network.close()
        house.store.close()

    asyncio.run(play())
    return folder


@pytest.fixture
def till(tmp_path: Path) -> Path:
    store = Store(tmp_path / "ledger.sqlite")
    teller = Teller(store)
    teller.deposit("till", "a", "ann", "EUR", 1_205, "=cmd()", 86_400_000)
    teller.withdraw("till", "b", "ann", "EUR", 205, "", 2 * 86_400_000)
    store.close()
    return tmp_path


def report(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    assert run(["report", *words, "--data", str(folder)]) == 0
    return capsys.readouterr().out


def test_liabilities_are_held_against_the_log(
    capsys: pytest.CaptureFixture[str], played: Path
) -> None:
    assert run(["report", "liabilities", "--data", str(played), "--against", str(played)]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines()[-1] == "ledger and log agree at 2 tables"
    assert "owed to players" in said.out


def test_a_ledger_that_differs_from_the_log_is_told(
    capsys: pytest.CaptureFixture[str], played: Path, tmp_path: Path
) -> None:
    # A log that ends before what the ledger has booked.
    async def empty() -> None:
        await (await EmbeddedLog.open(tmp_path, clock=SystemClock().now_ms)).close()

    asyncio.run(empty())
    assert run(["report", "liabilities", "--data", str(played), "--against", str(tmp_path)]) == 1
    assert "riverboat: ledger and log differ" in capsys.readouterr().err


def test_rake_has_a_row_for_each_day_and_game(
    capsys: pytest.CaptureFixture[str], played: Path
) -> None:
    rows = json.loads(report(capsys, played, "rake", "--format", "json"))
    assert rows
    for row in rows:
        assert row["hands"] > 0
        assert row["currency"] in ("EUR", "PLAY")
        assert row["variant"]
    assert (
        json.loads(report(capsys, played, "rake", "--format", "json", "--until", "1999-01-01"))
        == []
    )
    assert report(capsys, played, "players").startswith("player")


def test_a_statement_comes_in_three_forms(capsys: pytest.CaptureFixture[str], till: Path) -> None:
    words = ("statement", "--player", "ann", "--currency", "EUR")
    table = report(capsys, till, *words).splitlines()
    assert table[0].split()[:4] == ["number", "time", "posting", "amount"]
    assert table[2].split()[:5] == [
        *("1", "1970-01-02T00:00:00+00:00", "deposit:till:a", "12.05", "12.05")
    ]
    rows = list(csv.DictReader(io.StringIO(report(capsys, till, *words, "--format", "csv"))))
    assert [row["amount"] for row in rows] == ["-205", "1205"]
    assert rows[1]["note"] == "'=cmd()", "no spreadsheet takes it for a formula"
    found = json.loads(report(capsys, till, *words, "--format", "json"))
    assert [one["balance"] for one in found] == [1_000, 1_205]


def test_liabilities_of_a_day_past_are_those_of_then(
    capsys: pytest.CaptureFixture[str], till: Path
) -> None:
    words = ("liabilities", "--format", "json")
    rows = json.loads(report(capsys, till, *words, "--until", "1970-01-02"))
    assert {row["account"]: row["balance"] for row in rows} == {
        "external": -1_205,
        "owed to players": 1_205,
        "player": 1_205,
    }


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["rake", "--from", "yesterday"], 2, "--from: must be a day, YYYY-MM-DD, not 'yesterday'"),
        (["statement"], 2, "a statement needs --player and --currency"),
        (["statement", "--player", "ann", "--currency", "ABC"], 2, "a statement needs"),
        (["rake", "--data", "/nowhere"], 1, "there is no ledger at /nowhere/ledger.sqlite"),
        (["rake", "--ledger", "postgresql://a:hidden@127.0.0.1:1/b"], 69, "cannot be reached"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_line(
    capsys: pytest.CaptureFixture[str], till: Path, words: list[str], status: int, says: str
) -> None:
    given = words if "--data" in words else [*words, "--data", str(till)]
    assert run(["report", *given]) == status
    said = capsys.readouterr().err
    assert says in said.splitlines()[0]
    assert "hidden" not in said
