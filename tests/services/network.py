"""A real network as processes of this machine: started, killed, looked at by its own commands.

For the tests of this room and of tests/node; holds no test itself.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from riverboat.runtime.config import SERVICES

ROOT = Path(__file__).parents[2]
START_S = 60.0  # six processes, where others keep both cores busy


def free_port(count: int = len(SERVICES)) -> int:
    """The first of so many ports in a row that were free a moment ago.

    Below those that the system hands out by itself: any connection may get one of these while a
    process that was killed is not back yet.
    """
    while True:
        first = random.randrange(10_000, 30_000)
        with ExitStack() as held:
            try:
                for port in range(first, first + count):
                    held.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first


def riverboat(*arguments: str) -> list[str]:
    """The command line of one command."""
    return [sys.executable, "-m", "services.cli.main", *arguments]


async def finished(*arguments: str, timeout_s: float = 60.0) -> tuple[int, list[str]]:
    """Run one command to its end: its status, and the lines that it wrote."""
    process = await asyncio.create_subprocess_exec(
        *riverboat(*arguments), cwd=ROOT, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    try:
        written, _ = await asyncio.wait_for(process.communicate(), timeout_s)
    except TimeoutError:
        process.kill()
        raise
    assert process.returncode is not None
    return process.returncode, written.decode().splitlines()


class Up:
    """`riverboat up` in a process of its own."""

    def __init__(self, data: Path, *, log: str = "embedded", more: tuple[str, ...] = ()) -> None:
        self.data = data
        self.port = free_port()
        self.lines: list[str] = []
        self._arguments = riverboat(
            *("up", "--data", str(data), "--port", str(self.port)),
            *("--metrics", "none", "--log", log, *more),
        )
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process is not None
        return self._process.pid

    async def __aenter__(self) -> Up:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.stop()

    async def start(self) -> None:
        """Start it and wait until it says that it is up."""
        self.lines.clear()
        self._process = await asyncio.create_subprocess_exec(
            *self._arguments, cwd=ROOT, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
        )
        self._reading = asyncio.create_task(self._read(self._process))
        await self.until(lambda line: "The network is up" in line, START_S)

    async def until(self, wanted: Callable[[str], bool], timeout_s: float, times: int = 1) -> None:
        """Wait for so many lines of this kind since the start."""
        try:
            async with asyncio.timeout(timeout_s):
                while sum(map(wanted, self.lines)) < times:
                    process = self._process
                    assert process is not None
                    assert process.returncode is None, f"it has ended: {self.lines[-20:]}"
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            told = "\n".join(self.lines[-40:])
            raise AssertionError(f"not within {timeout_s} s; what it said last:\n{told}") from None

    async def hands(self, count: int, timeout_s: float = 40.0) -> None:
        """Wait until so many hands have ended since the start."""
        await self.until(lambda line: "hand ended" in line, timeout_s, count)

    async def kill(self) -> None:
        """Kill it as a failing machine would."""
        assert self._process is not None
        self._process.kill()
        await self._over()

    async def stop(self) -> int:
        """End it in order; its status."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        return await self._over()

    async def _over(self) -> int:
        assert self._process is not None
        status = await asyncio.wait_for(self._process.wait(), START_S)
        assert self._reading is not None
        await self._reading
        return status

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            self.lines.append(line.decode().rstrip())
            self._news.set()
        self._news.set()


class Bots:
    """`riverboat bots` in a process of its own."""

    async def __aenter__(self) -> Bots:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    def __init__(self, data: Path, *more: str) -> None:
        self._arguments = riverboat("bots", "--data", str(data), *more)
        self._process: Process | None = None

    async def start(self) -> None:
        """Start them."""
        self._process = await asyncio.create_subprocess_exec(
            *self._arguments, cwd=ROOT, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
        )

    async def figures(self, timeout_s: float) -> dict[str, Any]:
        """Wait until they have played enough; what they say of it."""
        assert self._process is not None
        try:
            written, _ = await asyncio.wait_for(self._process.communicate(), timeout_s)
        except TimeoutError:
            self._process.kill()
            raise
        assert self._process.returncode == 0, written.decode()
        found: dict[str, Any] = json.loads(written.decode().splitlines()[-1])
        return found


def kill_child(parent: int, service: str) -> int:
    """Kill the child of `parent` that serves `service`; its process id."""
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        with suppress(OSError):
            stat = (folder / "stat").read_text()
            words = (folder / "cmdline").read_text().split("\0")
            above = int(re.sub(r"^.*\) ", "", stat).split()[1])
            if above == parent and "serve" in words and service in words:
                os.kill(int(folder.name), signal.SIGKILL)
                return int(folder.name)
    raise AssertionError(f"no child of {parent} serves {service}")
