"""Ctrl-C at any moment of a start: the process ends, with the status that says so, and no word."""

from __future__ import annotations

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest

from services.cli.commands import COMMANDS
from services.cli.interrupts import STATUS
from tests.services.network import ROOT, riverboat

TOLD = b"import time:"


async def interrupted_at(module: str, *arguments: str) -> tuple[int, list[str]]:
    """Run one command, interrupted as soon as it has loaded a module: its status, and its words."""
    program, *rest = riverboat(*arguments)
    process = await asyncio.create_subprocess_exec(
        *(program, "-X", "importtime", *rest), cwd=ROOT, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    said: list[str] = []
    sent = False
    async with asyncio.timeout(30):
        async for line in process.stderr:
            if not line.startswith(TOLD) and line.strip():
                said.append(line.decode().rstrip())
            elif not sent and line.rpartition(b"|")[2].strip() == module.encode():
                process.send_signal(signal.SIGINT)
                sent = True
        said += (await process.stdout.read()).decode().splitlines()
        status = await process.wait()
    assert sent, f"{arguments} loads no {module}"
    return status, said


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_command_may_be_interrupted_before_it_is_loaded(name):
    assert await interrupted_at("click.core", name, "--help") == (STATUS, [])


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("uvloop.loop", ("up",)),
        ("grpc._cython.cygrpc", ("tables",)),
        ("google.protobuf.message", ("audit", "nowhere")),
        ("riverboat.game.cards", ("replay", os.devnull)),
    ],
)
async def test_a_command_may_be_interrupted_while_it_is_loaded(module, arguments, tmp_path: Path):
    data = ("--data", str(tmp_path)) if arguments[0] in ("up", "tables") else ()
    assert await interrupted_at(module, *arguments, *data) == (STATUS, [])


async def test_what_has_begun_is_ended_in_order(tmp_path: Path):
    """Here the network is told to stop, and says good-bye by ending well."""
    process = await asyncio.create_subprocess_exec(
        *riverboat("up", "--data", str(tmp_path), "--port", "0", "--metrics", "none"),
        cwd=ROOT,
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        while b"The network is up" not in await process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        _, told = await process.communicate()
    assert process.returncode == 0
    assert b"Traceback" not in told
