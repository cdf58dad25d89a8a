"""Supervising: child processes kept running, each started again at once when it ends.

Most of a start is loading, so a spare may stand by that has loaded all and only waits for its turn.
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
from services.cli.running import LOADED, SPARE, SUPERVISOR, TURN
from services.cli.trouble import TAKEN

logger = logging.getLogger(__name__)

AGAIN_S: Final = 0.1
AGAIN_S_MOST: Final = 10.0
# Who lost his name to another takes it back when he is started: not at once, and ever more seldom.
TAKEN_S: Final = 1.0
# A spare is loaded this long after its like is ready: those who play have waited enough.
SPARE_S: Final = 2.0
# After SIGTERM a child has this long before it is killed.
STOP_S: Final = 15.0
NOT_STARTED: Final = 71  # EX_OSERR


def command_line(*arguments: str) -> list[str]:
    """This program's own command line, whatever it was started by."""
    return [sys.executable, "-m", "services.cli.main", *arguments]


class Child:
    """One process that is kept running."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        stop_s: float = STOP_S,
        insists: bool = True,
        loading: asyncio.Semaphore | None = None,
    ) -> None:
        """`command` is a whole command line; its first JSON line on stdout says it is ready.

        Without `insists` one that refuses to start, before it was ever ready, is let be. With
        `loading` a spare stands by, see `running.await_turn`; it is held while one loads.
        """
        self._insists = insists
        self._loading = loading
        self._preparing: asyncio.Task[None] | None = None
        self._spare: asyncio.subprocess.Process | None = None
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

    @property
    def spare(self) -> int | None:
        """The process that stands by, while it does."""
        spare = self._spare
        return spare.pid if spare is not None and spare.returncode is None else None

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
        await self._stop_preparing()
        if self._spare is not None and self._spare.returncode is None:
            with suppress(ProcessLookupError):
                self._spare.kill()
            await self._spare.wait()

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
            if status == TAKEN:
                self.wait_s = max(self.wait_s, TAKEN_S)
            elif was_well:
                self.wait_s = AGAIN_S
                continue
            await asyncio.sleep(self.wait_s)
            self.wait_s = min(2 * self.wait_s, AGAIN_S_MOST)

    async def _run(self) -> int:
        """One life of the process; the status it ended by."""
        try:
            self._process = process = await self._successor()
        except OSError as error:
            # A machine out of processes or memory for a moment is no reason to give it up.
            logger.error("it cannot be started", extra=facts(service=self.name, reason=str(error)))
            return NOT_STARTED
        logger.debug("started", extra=facts(service=self.name, pid=process.pid))
        assert process.stdout is not None, "its stdout is a pipe"
        async for line in process.stdout:
            said = _object(line)
            if said is not None and said != LOADED:
                self.said = said
                self.ready.set()
                self.begun.set()
                self._prepare()
        return await process.wait()

    async def _successor(self) -> asyncio.subprocess.Process:
        """The spare, if it lives, or else a new process."""
        await self._stop_preparing()
        spare, self._spare = self._spare, None
        if spare is not None and spare.returncode is None:
            assert spare.stdin is not None, "its stdin is a pipe"
            with suppress(OSError):
                spare.stdin.write(TURN)
                await spare.stdin.drain()
                return spare
        return await self._launch()

    async def _launch(self, **more: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self._command,
            # Held open: its end tells the child that this process is gone.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, SUPERVISOR: str(os.getpid()), **more},
            # A signal for the terminal's whole group would end children before they are told to.
            start_new_session=True,
        )

    # The spare.

    def _prepare(self) -> None:
        if self._loading is not None and self._spare is None and self._preparing is None:
            self._preparing = asyncio.get_running_loop().create_task(self._load(self._loading))

    async def _load(self, loading: asyncio.Semaphore) -> None:
        await asyncio.sleep(SPARE_S)
        async with loading:
            try:
                self._spare = await self._launch(**{SPARE: "1"})
            except OSError as error:
                named = facts(service=self.name, reason=str(error))
                logger.warning("it has no spare", extra=named)
                return
            assert self._spare.stdout is not None, "its stdout is a pipe"
            await self._spare.stdout.readline()  # it is loaded; or it has ended

    async def _stop_preparing(self) -> None:
        """A spare that is still loading goes on by itself, and then finds that it is its turn."""
        if self._preparing is not None:
            self._preparing.cancel()
            await asyncio.wait([self._preparing])
            self._preparing = None


def _object(line: bytes) -> dict[str, Any] | None:
    """The JSON object that the line holds, if it holds one."""
    try:
        said = json.loads(line)
    except ValueError:
        return None
    return said if isinstance(said, dict) else None
