"""Tasks: the duties of one part of a process, ended together. Decides nothing about them.

A duty that breaks is told to whoever started it: nothing goes on for long on what is broken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any


class Tasks:
    """What runs until `cancel`."""

    def __init__(self, fatal: Callable[[BaseException], None]) -> None:
        """`fatal` hears of what breaks a task; a task that is cancelled breaks nothing."""
        self._fatal = fatal
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Let this run from the next turn of the loop on."""
        # Held here: the loop itself keeps no task alive.
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    async def cancel(self) -> None:
        """End all that runs, and wait for it."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fatal(error)
