"""A network whose ledger is a PostgreSQL: served, audited, and its password told to nobody."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from deploy.postgres.server import Server
from riverboat.log.embedded import EmbeddedLog
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.config import SERVICES
from services.cli.main import run
from services.wallet.store import Store
from tests.cli.played import Played
from tests.services.network import ROOT

SERVE = (
    *("-m", "services.cli.main", "serve", *SERVICES),
    *("--listen", "127.0.0.1:0", "--metrics", "none"),
)


def fresh(server: Server, name: str) -> str:
    server.command("createdb", name)
    return server.url(name)


def test_an_audit_reads_a_ledger_on_a_server(
    postgres_server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = fresh(postgres_server, "audited")
    clock = [SystemClock().now_ms()]

    async def play() -> None:
        network = await EmbeddedLog.open(tmp_path, clock=lambda: clock[0])
        house = Played(network, tmp_path, clock, Store(url))
        await house.play()
        await network.close()
        house.store.close()

    asyncio.run(play())
    with pytest.raises(SystemExit) as ended:
        run(["audit", str(tmp_path), "--ledger", url])
    said = capsys.readouterr().out
    assert (ended.value.code, said.splitlines()[-1]) == (0, "clean"), said
    assert "ledger compared at 2 tables" in said

    store = Store(url)
    with store.connection(write=True) as connection:
        connection.exec_driver_sql("ALTER TABLE accounts DISABLE TRIGGER ALL")
        connection.exec_driver_sql(
            "UPDATE accounts SET balance = balance + 1 WHERE kind = 'external'"
        )
    store.close()
    with pytest.raises(SystemExit) as ended:
        run(["audit", str(tmp_path), "--ledger", url])
    said = capsys.readouterr().out
    assert ended.value.code == 1
    assert "sum to 1" in said
    assert postgres_server.password not in said


@pytest.mark.node
async def test_a_network_keeps_its_money_on_a_server_and_its_password_to_itself(
    postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = fresh(postgres_server, "served")
    monkeypatch.setenv("RIVERBOAT_LEDGER_URL", url)
    process = await asyncio.create_subprocess_exec(
        sys.executable, *SERVE, "--data", str(tmp_path), stdout=PIPE, stderr=PIPE, cwd=ROOT
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        ready = json.loads(await process.stdout.readline())
    assert "wallet" in ready["ready"]
    process.terminate()
    _, said = await process.communicate()
    assert not (tmp_path / "ledger.sqlite").exists()
    assert postgres_server.password not in said.decode()
    Store(url, read_only=True).close()


@pytest.mark.node
@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://riverboat:hidden@127.0.0.1:{port}/served", "password authentication failed"),
        ("mysql://riverboat:hidden@127.0.0.1/x", "ledger_url: must be postgresql://"),
    ],
)
async def test_a_ledger_that_cannot_be_opened_is_told_in_a_line(
    postgres_server: Server, tmp_path: Path, url: str, says: str
) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *SERVE, "--data", str(tmp_path)),
        *("--ledger", url.format(port=postgres_server.port)),
        stdout=PIPE,
        stderr=PIPE,
        cwd=ROOT,
    )
    async with asyncio.timeout(60):
        _, said = await process.communicate()
    assert process.returncode != 0
    last = said.decode().splitlines()[-1]
    assert last.startswith("riverboat: ")
    assert says in last
    assert "hidden" not in said.decode()
    assert "Traceback" not in said.decode()


def test_a_password_file_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIVERBOAT_LEDGER_PASSWORD_FILE", str(tmp_path / "none"))
    assert run(["audit", str(tmp_path), "--ledger", "postgresql://a@127.0.0.1:1/b"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line == f"riverboat: ledger_password_file: {tmp_path}/none: No such file or directory"
