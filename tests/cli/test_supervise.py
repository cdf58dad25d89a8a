"""Supervised processes: started again when they end, and ended when they are told to."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from functools import partial

import pytest

from services.cli.supervise import AGAIN_S, NOT_STARTED, TAKEN_S, Child
from services.cli.trouble import TAKEN
from tests.services.network import ROOT
from tests.waiting import until

pytestmark = pytest.mark.node

READY = "import sys, time; print('{\"ready\": true}', flush=True); sys.stdin.read(); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {READY}"


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


async def test_what_was_killed_is_started_again() -> None:
    child = Child("sleeper", python(READY))
    child.start()
    await until(child.ready.is_set)
    first = child.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    await until(lambda: child.pid != first and child.ready.is_set())
    await child.stop()
    assert child.pid is None


async def test_what_is_supervised_ends_with_its_supervisor() -> None:
    """Whoever is left behind would hold the ports and files that its successor needs."""
    waits = (
        "import asyncio, sys\n"
        "from services.cli.running import stop_on_signals\n"
        "async def wait():\n"
        "    stop = stop_on_signals()\n"
        "    print('up', file=sys.stderr, flush=True)\n"
        "    await stop.wait()\n"
        "asyncio.run(wait())\n"
    )
    supervises = (
        "import asyncio\n"
        "from services.cli.supervise import Child\n"
        "async def supervise():\n"
        f"    Child('waits', {python(waits)}).start()\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(supervise())\n"
    )
    parent = await asyncio.create_subprocess_exec(*python(supervises), stderr=PIPE, cwd=ROOT)
    assert parent.stderr is not None
    async with asyncio.timeout(20):
        assert await parent.stderr.readline() == b"up\n"
        parent.kill()
        # Both held it: its end is the end of both.
        assert await parent.stderr.read() == b""
        await parent.wait()


async def test_what_ends_at_once_waits_longer_each_time() -> None:
    child = Child("broken", python("raise SystemExit(3)"))
    child.start()
    await until(lambda: child.ends >= 3)
    assert child.wait_s >= 0.4
    assert not child.ready.is_set()
    await child.stop()


async def test_what_cannot_be_started_at_all_is_tried_again() -> None:
    child = Child("missing", ["/no/such/program"])
    child.start()
    await until(lambda: child.ends >= 2)
    assert (child.refused, child.pid) == (NOT_STARTED, None)
    await child.stop()


async def test_only_an_object_says_that_a_child_is_ready() -> None:
    child = Child("talks", python("print('[1]\\n3\\nhello\\n{\"port\": 3}', flush=True); input()"))
    child.start()
    await until(child.ready.is_set)
    assert child.said == {"port": 3}
    await child.stop()


async def test_what_refuses_to_start_is_let_be_where_that_is_wanted() -> None:
    child = Child("refuses", python("raise SystemExit(75)"), insists=False)
    child.start()
    await until(child.begun.is_set)
    assert child.refused == 75
    await until(lambda: child.pid is None)
    assert child.ends == 1
    await child.stop()


async def test_what_was_well_is_started_again_without_waiting() -> None:
    child = Child("dies", python("print('{}', flush=True); raise SystemExit(1)"))
    child.start()
    await until(lambda: child.ends >= 5)
    assert child.wait_s == AGAIN_S
    await child.stop()


SPARES = (
    "import json, os, sys\n"
    "from services.cli.running import await_turn\n"
    "began = 'SPARE' if 'RIVERBOAT_SPARE' in os.environ else 'NEW'\n"
    "await_turn()\n"
    "print(json.dumps({'began': began}), flush=True)\n"
    "sys.stdin.read()\n"
)


async def test_a_spare_takes_over_from_what_was_killed() -> None:
    child = Child("spared", python(SPARES), loading=asyncio.Semaphore())
    child.start()
    await until(child.ready.is_set)
    assert child.said == {"began": "NEW"}

    def runs(pid: int) -> bool:
        return child.pid == pid and child.ready.is_set()

    for _ in range(2):  # the spare has a spare in its turn
        await until(lambda: child.spare is not None)
        before, spare = child.pid, child.spare
        assert before is not None
        assert spare is not None
        os.kill(before, signal.SIGKILL)
        await until(partial(runs, spare))
        assert child.said == {"began": "SPARE"}
    await child.stop()
    assert child.spare is None


async def test_a_spare_that_has_died_is_not_waited_for() -> None:
    child = Child("spared", python(SPARES), loading=asyncio.Semaphore())
    child.start()
    await until(lambda: child.spare is not None)
    assert child.spare is not None
    os.kill(child.spare, signal.SIGKILL)
    await until(lambda: child.spare is None)
    before = child.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    await until(lambda: child.pid not in {None, before} and child.ready.is_set())
    assert child.said == {"began": "NEW"}
    await child.stop()


async def test_a_spare_that_cannot_be_started_is_done_without(tmp_path, caplog) -> None:
    """Its like goes on, and the next one is tried behind the next start."""
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho '{}'\nexec cat\n")
    program.chmod(0o700)
    loading = asyncio.Semaphore()
    child = Child("alone", [str(program)], loading=loading)
    child.start()
    await until(child.ready.is_set)
    first = child.pid
    program.unlink()
    await until(lambda: "no spare" in caplog.text)
    assert (child.pid, child.spare, loading.locked()) == (first, None, False)
    await child.stop()


async def test_a_spare_ends_with_its_supervisor() -> None:
    supervises = (
        "import asyncio, sys\n"
        "from services.cli.supervise import Child\n"
        "async def supervise():\n"
        f"    child = Child('spared', {python(SPARES)}, loading=asyncio.Semaphore())\n"
        "    child.start()\n"
        "    while child.spare is None:\n"
        "        await asyncio.sleep(0.1)\n"
        "    print(child.spare, file=sys.stderr, flush=True)\n"
        "    await asyncio.Event().wait()\n"
        "asyncio.run(supervise())\n"
    )
    parent = await asyncio.create_subprocess_exec(*python(supervises), stderr=PIPE, cwd=ROOT)
    assert parent.stderr is not None
    async with asyncio.timeout(20):
        assert await parent.stderr.readline()
        parent.kill()
        # The spare held it too: its end is the end of all.
        assert await parent.stderr.read() == b""
        await parent.wait()


async def test_who_has_lost_his_name_waits_before_he_takes_it_back() -> None:
    child = Child("replaced", python(f"print('{{}}', flush=True); raise SystemExit({TAKEN})"))
    child.start()
    await until(lambda: child.ends == 2)
    assert child.wait_s >= 2 * TAKEN_S, "longer each time"
    await child.stop()


async def test_what_does_not_end_in_order_is_killed() -> None:
    child = Child("stubborn", python(STUBBORN), stop_s=0.2)
    child.start()
    await until(child.ready.is_set)
    await child.stop()
    assert child.pid is None
