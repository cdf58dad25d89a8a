"""The program's manners: one line for what went wrong, and a status that tells it apart."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from riverboat.runtime.auth import Caller, Issuer, Verifier
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.config import SERVICES, load
from riverboat.runtime.keys import KeyFile
from riverboat.wire.v1.access_pb2 import Role
from services.cli import reach
from services.cli.commands import COMMANDS
from services.cli.issuing import make_issuer
from services.cli.main import run
from services.cli.trouble import told


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_what_it_is(name, capsys):
    assert run([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: riverboat {name}")


def test_the_list_of_commands_names_them_all(capsys):
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert [name for name in COMMANDS if f"\n  {name} " not in out] == []


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["deal"], 2, "No such command 'deal'"),
        (["up", "--port", "x"], 2, "'x' is not a valid integer"),
        (["up", "--log", "kafka://"], 2, "log: must be embedded, or kafka://HOST:PORT"),
        (["audit", "kafka://there"], 2, "log: must be embedded, or kafka://HOST:PORT"),
        (["up", "--config", "{folder}/none.toml"], 2, "none.toml: No such file"),
        (["token", "--player", "ann", "--data", "{folder}/none"], 1, "there is no network in"),
        (["token", "--player", "a b", "--data", "{folder}"], 2, "not an id"),
        (["hand", "12", "--data", "{folder}"], 2, "no hand's id; one looks like 3f.7-12"),
        (["hand", "3f.7-12", "--data", "{folder}/none"], 1, "none"),
        (["tables", "--data", "{folder}", "--server", "127.0.0.1:1"], 69, "cannot be reached"),
        (["bots", "--data", "{folder}", "--server", "127.0.0.1:1"], 69, "cannot be reached"),
        (["tables", "open", "--name", "x", "--blinds", "five"], 2, "two amounts, as in 5/10"),
        (["tables", "open", "--name", "x", "--blinds", f"5/{10**22}"], 2, "1000000000000 at most"),
        (["tables", "open", "--name", "x", "--ante", f"{10**22}"], 2, "'--ante': "),
        (["tables", "--data", "{folder}", "--server", "there"], 2, "'--server': must be HOST:PORT"),
        (["tables", "--data", "{folder}", "--server", "h:65536"], 2, "must be HOST:PORT"),
        (["up", "--data", "{folder}", "--log", "kafka://127.0.0.1:1"], 69, "log: no broker takes"),
        (["hand", "3f.7-12", "--log", "kafka://127.0.0.1:1"], 1, "no Kafka: 127.0.0.1:1"),
        (["up", "--bots", "-1"], 2, "'--bots': -1 is not in the range"),
        (["bots", "--tables", "0"], 2, "'--tables': 0 is not in the range"),
        (["bots", "--tables", "1000000000"], 2, "'--tables': 1000000000 is not in the range"),
        (["bots", "--think", "-5"], 2, "'--think': -5 is not in the range"),
        (["bots", "--hands", "-5"], 2, "'--hands': -5 is not in the range"),
        (["serve"], 2, "Missing argument '{dealer|betting|showdown|wallet|session|operator}...'"),
    ],
)
def test_what_goes_wrong_is_one_line(arguments, status, says, tmp_path, capfd):
    """STYLE, habit 9: refused in order, before the point of no return, and said plainly."""
    make_issuer(load(flags={"data": tmp_path}))
    given = [word.replace("{folder}", str(tmp_path)) for word in arguments]
    assert run(given) == status
    err = capfd.readouterr().err
    said = [line for line in err.splitlines() if not line.startswith("Try 'riverboat")]
    assert len(said) == 1, err
    assert says in said[0]
    assert said[0].startswith("riverboat: ")


def test_no_key_is_made_where_no_network_is(tmp_path, capfd):
    """A folder that was mistyped stays as it is."""
    for command in (["tables"], ["bots"], ["token", "--player", "ann"], ["play", "--name", "ann"]):
        assert run([*command, "--data", str(tmp_path)]) == 1
        assert f"{tmp_path}: there is no network in this folder" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"session": 5}', "[1, 2"])
def test_a_note_that_says_nothing_leads_where_up_would_serve(note, tmp_path):
    config = load(flags={"data": tmp_path, "listen": "127.0.0.1:1"})
    (tmp_path / reach.NOTE).write_text(note)
    assert reach.addresses(config, None) == dict.fromkeys(SERVICES, "127.0.0.1:1")


def test_what_the_machine_lacks_is_told_without_a_file():
    """A disk that is full names no file to the call that finds it so."""
    full = told(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert full is not None
    assert (str(full), full.status) == ("no space left on device", 1)
    assert told(OSError(errno.EBADF, os.strerror(errno.EBADF))) is None, "a bug of ours"


TLS = "RIVERBOAT_TLS_{}"
KAFKA = "RIVERBOAT_KAFKA_{}"
SASL = {KAFKA.format("SASL"): "PLAIN", KAFKA.format("USER"): "ann"}


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ({KAFKA.format("CA"): "none.pem"}, "kafka_ca: {folder}/none.pem: No such file"),
        ({KAFKA.format("CA"): "noise"}, "kafka_ca: {folder}/noise: "),
        (SASL | {KAFKA.format("PASSWORD_FILE"): "none"}, "kafka_password_file: {folder}/none: No"),
        (
            SASL | {KAFKA.format("PASSWORD_FILE"): "noise"},
            "kafka_password_file: {folder}/noise: not",
        ),
    ],
)
def test_a_file_for_brokers_that_cannot_be_used_is_named(named, says, tmp_path, capfd, monkeypatch):
    (tmp_path / "noise").write_bytes(b"\xff\xfe")
    for name, value in named.items():
        is_file = name.endswith(("CA", "FILE"))
        monkeypatch.setenv(name, str(tmp_path / value) if is_file else value)
    assert run(["hand", "3f.7-12", "--log", "kafka://127.0.0.1:1"]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("riverboat: " + says.format(folder=tmp_path))


@pytest.mark.parametrize("given", ["none.pem", "noise"])
def test_a_certificate_that_cannot_be_used_is_named(given, tmp_path, capfd, monkeypatch):
    """gRPC itself would say that the port cannot be had."""
    (tmp_path / "noise").write_bytes(b"\xff\xfe")
    for name in ("CERTIFICATE", "KEY"):
        monkeypatch.setenv(TLS.format(name), str(tmp_path / given))
    where = ["--data", str(tmp_path), "--listen", "127.0.0.1:0", "--metrics", "none"]
    assert run(["serve", *SERVICES, *where]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"riverboat: tls_certificate, tls_key: {tmp_path}/{given}, ")
    assert not line.endswith(": None")


def test_a_taken_port_is_named(tmp_path, capfd):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        arguments = ["up", "--data", str(tmp_path), "--port", str(port), "--metrics", "none"]
        assert run(arguments) == 75
    assert f"127.0.0.1:{port}" in capfd.readouterr().err


def test_a_taken_port_for_metrics_is_named(tmp_path, capfd):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        metrics = f"127.0.0.1:{port}"
        arguments = ["up", "--data", str(tmp_path), "--port", "0", "--metrics", metrics]
        assert run(arguments) == 75
    err = capfd.readouterr().err
    assert metrics in err
    assert "--metrics" in err
    assert "--port" not in err


def test_a_token_is_good_for_whom_it_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    config = load(flags={"data": tmp_path})
    make_issuer(config)
    given = ["token", "--player", "ann", "--role", "player", "--role", "observer"]
    assert run([*given, "--data", str(tmp_path)]) == 0
    clock = SystemClock()
    keys = KeyFile(tmp_path / "tokens" / Issuer.KEYS, clock)
    verifier = Verifier(keys, issuer="riverboat", audience="riverboat", clock=clock)
    caller = verifier.caller(capsys.readouterr().out.strip())
    assert isinstance(caller, Caller)
    assert (caller.id, caller.roles) == (
        "ann",
        frozenset({Role.ROLE_PLAYER, Role.ROLE_OBSERVER}),
    )
