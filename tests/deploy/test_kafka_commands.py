"""The brokers' command line: what it refuses, and what ends with what."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest

from deploy.kafka import jars
from deploy.kafka.cluster import PLAN, Cluster
from deploy.kafka.jars import NoBroker
from tests.services.network import ROOT

KAFKA = [sys.executable, "-m", "deploy.kafka"]


async def kafka(*words: str) -> Process:
    return await asyncio.create_subprocess_exec(*KAFKA, *words, stdout=PIPE, stderr=PIPE, cwd=ROOT)


@pytest.mark.parametrize("words", [["stop"], ["kill-node", "0"], ["start-node", "0"]])
def test_a_folder_without_brokers_stays_as_it_is(words: list[str], tmp_path: Path) -> None:
    command = [*KAFKA, words[0], "--data", str(tmp_path), *words[1:]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr == f"kafka: {tmp_path}: no brokers were started in this folder\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("plan", ["", "{", "[]", "{}", '{"id": "a", "nodes": [{"port": 1}]}'])
def test_a_plan_that_was_damaged_is_named(plan: str, tmp_path: Path) -> None:
    (tmp_path / PLAN).write_text(plan)
    with pytest.raises(NoBroker, match=f"{PLAN}: not what was written there"):
        Cluster(tmp_path)


def test_a_folder_keeps_its_brokers(tmp_path: Path) -> None:
    first = Cluster(tmp_path, 3)
    again = Cluster.standing(tmp_path)
    assert (again.id, again.nodes) == (first.id, first.nodes)
    assert not again.runs(0), "there is no process yet"
    (tmp_path / "node-0.pid").write_text("")  # a start that was cut off
    assert not again.runs(0)


@pytest.mark.kafka
@pytest.mark.skipif(jars.missing() is not None, reason=str(jars.missing()))
async def test_a_command_and_its_brokers_end_together(tmp_path: Path) -> None:
    waits = "import time; print('up', flush=True); time.sleep(600)"
    data = ["--data", str(tmp_path)]
    process = await kafka("run", *data, "--", sys.executable, "-c", waits)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        assert await process.stdout.readline() == b"up\n"
        assert Cluster.standing(tmp_path).runs(0)
        process.send_signal(signal.SIGTERM)
        # The command held it too: its end is the end of both.
        assert await process.stdout.read() == b""
        assert await process.wait() == 128 + signal.SIGTERM
        assert not Cluster.standing(tmp_path).runs(0)
        lost = await kafka("run", *data, "--", "/no/such/program")
        _, told = await lost.communicate()
    assert told.decode() == "kafka: /no/such/program: No such file or directory\n"
    assert lost.returncode == 1
