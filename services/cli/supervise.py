"""Supervising: child processes kept running, each started again at once when it ends.

One that ends again and again waits longer each time. All are ended in order. Nothing here knows
what the children do.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from riverboat.runtime.logs import facts

logger = logging.getLogger(__name__)

AGAIN_S: Final = 0.1
AGAIN_S_MOST: Final = 10.0
# A child that ran this long was well: its next end is its first.
WELL_S: Final = 30.0
# After SIGTERM a child has this long before it is killed.
STOP_S: Final = 15.0


class Child:
    """One process that is kept running."""

    def __init__(self, name: str, arguments: Sequence[str], *, reads: bool = True) -> None:
        """`arguments` are the program's own; with `reads` it says on stdout when it is ready."""
        self.name = name
        self.ready = asyncio.Event()
        self.said: dict[str, Any] = {}
        self._arguments = list(arguments)
        self._reads = reads
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Run it from now on."""
        self._task = asyncio.get_running_loop().create_task(self._keep())

    async def stop(self) -> None:
        """End it, in order if it can."""
        self._stopping = True
        process = self._process
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_S)
            except TimeoutError:
                logger.error("it does not end and is killed", extra=facts(service=self.name))
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _is_stopping(self) -> bool:
        return self._stopping

    async def _keep(self) -> None:
        wait_s = AGAIN_S
        while True:
            began = time.monotonic()
            status = await self._run()
            if self._is_stopping():
                return
            self.ready.clear()
            named = facts(service=self.name, exit=status, ms=int(wait_s * 1_000))
            logger.warning("it ended and is started again", extra=named)
            if time.monotonic() - began >= WELL_S:
                wait_s = AGAIN_S
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, AGAIN_S_MOST)

    async def _run(self) -> int:
        """One life of the process; the status it ended by."""
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "services.cli.main",
            *self._arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE if self._reads else None,
            # A signal for the terminal's whole group would end children before they are told to.
            start_new_session=True,
        )
        logger.info("started", extra=facts(service=self.name, pid=process.pid))
        if process.stdout is not None:
            async for line in process.stdout:
                with suppress(ValueError):
                    self.said = json.loads(line)
                    self.ready.set()
        return await process.wait()
