"""Supervising: child processes kept running, each started again at once when it ends.

One that ends again and again before it is ready waits longer each time. All are ended in order.
Nothing here knows what the children do.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from riverboat.runtime.logs import facts
from services.cli.running import SUPERVISOR

logger = logging.getLogger(__name__)

AGAIN_S: Final = 0.1
AGAIN_S_MOST: Final = 10.0
# After SIGTERM a child has this long before it is killed.
STOP_S: Final = 15.0


def command_line(*arguments: str) -> list[str]:
    """This program's own command line, whatever it was started by."""
    return [sys.executable, "-m", "services.cli.main", *arguments]


class Child:
    """One process that is kept running."""

    def __init__(
        self, name: str, command: Sequence[str], *, stop_s: float = STOP_S, insists: bool = True
    ) -> None:
        """`command` is a whole command line; its first JSON line on stdout says it is ready.

        Without `insists` one that refuses to start, before it was ever ready, is let be.
        """
        self._insists = insists
        self.name = name
        self.ready = asyncio.Event()
        self.said: dict[str, Any] = {}
        self.begun = asyncio.Event()  # it was ready once, or has refused to start
        self.refused = 0  # the status by which it ended before it was ever ready
        self.ends = 0  # how often it ended without being told to
        self.wait_s = AGAIN_S  # before it is started again
        self._command = list(command)
        self._stop_s = stop_s
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.returncode is None else None

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
                await asyncio.wait_for(process.wait(), self._stop_s)
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
        while True:
            status = await self._run()
            if self._is_stopping():
                return
            was_well = self.ready.is_set()
            self.ready.clear()
            self.ends += 1
            if status > 0 and not self.begun.is_set():
                self.refused = status
                self.begun.set()
                if not self._insists:
                    return
            named = facts(service=self.name, exit=status)
            logger.warning("it ended and is started again", extra=named)
            if was_well:
                self.wait_s = AGAIN_S
                continue
            await asyncio.sleep(self.wait_s)
            self.wait_s = min(2 * self.wait_s, AGAIN_S_MOST)

    async def _run(self) -> int:
        """One life of the process; the status it ended by."""
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command,
            # Held open and never written to: its end tells the child that this process is gone.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, SUPERVISOR: str(os.getpid())},
            # A signal for the terminal's whole group would end children before they are told to.
            start_new_session=True,
        )
        logger.debug("started", extra=facts(service=self.name, pid=process.pid))
        assert process.stdout is not None, "its stdout is a pipe"
        async for line in process.stdout:
            with suppress(ValueError):
                self.said = json.loads(line)
                self.ready.set()
                self.begun.set()
        return await process.wait()
