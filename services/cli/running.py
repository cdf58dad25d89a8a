"""Running: an event loop, its signals, its lines, and who it must not outlive.

SIGINT and SIGTERM end a process in order. Nothing here knows what runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

import uvloop

from riverboat.runtime import logs
from riverboat.runtime.config import Config

_T = TypeVar("_T")

# Names the process that supervises this one; its end of this one's stdin is never closed.
SUPERVISOR: Final = "RIVERBOAT_SUPERVISOR"
ORPHANED: Final = 71  # EX_OSERR


def set_up_logs(config: Config) -> None:
    """Write this process's lines as configured."""
    logs.set_up(config.log_level, json_lines=config.log_format == "json")
    # The client tells every retry as an error, many a second while a broker is away; what comes of
    # it is told by the log's own errors, once.
    client = logging.CRITICAL if config.log_level != "debug" else logging.DEBUG
    logging.getLogger("aiokafka").setLevel(client)


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run this in an event loop of its own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def stop_on_signals() -> asyncio.Event:
    """Set once somebody wants this process to end; the second signal ends it at once.

    A process that is supervised ends with its supervisor, at once and however that ended, as if one
    kill had met both: its successor needs its ports and its files, and nothing is lost by it.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        stop.set()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked)
    if SUPERVISOR in os.environ:
        loop.add_reader(sys.stdin.fileno(), _orphaned)
    return stop


def _orphaned() -> None:
    # Nobody writes to this stdin: what can be read is that its other end is gone.
    os._exit(ORPHANED)
