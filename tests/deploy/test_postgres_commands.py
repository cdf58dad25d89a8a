"""The database server's command line: what it refuses, and what ends with what."""

from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from deploy.postgres.server import PLAN, NoPostgres, Server, missing
from tests.services.network import ROOT

POSTGRES = [sys.executable, "-m", "deploy.postgres"]
NO_SERVER = missing()


def postgres(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*POSTGRES, *words], capture_output=True, text=True, cwd=ROOT)


def test_a_folder_without_a_server_stays_as_it_is(tmp_path: Path) -> None:
    done = postgres("stop", "--data", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == f"postgres: {tmp_path}: no server was started in this folder\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("plan", ["", "{", "[]", "{}", '{"port": "x", "password": "p"}'])
def test_a_plan_that_was_damaged_is_named(plan: str, tmp_path: Path) -> None:
    (tmp_path / PLAN).write_text(plan)
    with pytest.raises(NoPostgres, match=f"{PLAN}: not what was written there"):
        Server(tmp_path)


def test_a_folder_keeps_its_server_and_shows_nobody_the_password(tmp_path: Path) -> None:
    first, again = Server(tmp_path), Server.standing(tmp_path)
    assert again.url() == first.url()
    assert again.password_file.read_text() == first.password
    for path in (tmp_path / PLAN, first.password_file):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not again.runs(), "there is no process yet"


@pytest.mark.skipif(NO_SERVER is not None, reason=str(NO_SERVER))
def test_a_command_and_its_server_end_together() -> None:
    select = "import psycopg, sys; print(*psycopg.connect(sys.argv[1]).execute('SELECT 6 * 7'))"
    with tempfile.TemporaryDirectory(prefix="riverboat-postgres-") as folder:
        run = ["run", "--data", folder, "--", sys.executable, "-c", select, "{url}"]
        done = postgres(*run)
        assert (done.stdout, done.stderr) == ("(42,)\n", "")
        assert not Server.standing(Path(folder)).runs()
        # What it holds, it holds at the next start too.
        assert postgres(*run).stdout == "(42,)\n"
        failing = ["run", "--data", folder, "--", sys.executable, "-c", "raise SystemExit(7)"]
        assert postgres(*failing).returncode == 7
