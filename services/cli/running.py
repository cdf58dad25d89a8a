"""Running: an event loop, its signals, its lines, and who it must not outlive.

SIGINT and SIGTERM end a process in order. Nothing here knows what runs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, Final, TypeVar

import uvloop

from riverboat.runtime import logs
from riverboat.runtime.config import Config

_T = TypeVar("_T")

# Names the process that supervises this one; its end of this one's stdin is never closed.
SUPERVISOR: Final = "RIVERBOAT_SUPERVISOR"
ORPHANED: Final = 71  # EX_OSERR
# Names a process that stands by: it loads all that it needs, says so, and waits for its turn.
SPARE: Final = "RIVERBOAT_SPARE"
LOADED: Final = {"spare": True}
TURN: Final = b"\n"


def set_up_logs(config: Config) -> None:
    """Write this process's lines as configured."""
    handler = logs.set_up(config.log_level, json_lines=config.log_format == "json")
    if config.log_level != "debug":
        handler.addFilter(_not_the_client)


def _not_the_client(record: logging.LogRecord) -> bool:
    # It tells every retry as an error, many a second while a broker is away; what comes of it is
    # told by the log's own errors, once.
    return record.name.partition(".")[0] != "aiokafka" or record.levelno >= logging.CRITICAL


def run(work: Coroutine[Any, Any, _T]) -> _T:
    """Run this in an event loop of its own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def await_turn() -> None:
    """Where a spare waits until its supervisor lets it take over; others pass at once."""
    if os.environ.pop(SPARE, None) is None:
        return
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(LOADED) + "\n")
        sys.stdout.flush()
    if os.read(sys.stdin.fileno(), len(TURN)) != TURN:
        _orphaned()


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
    # Whoever has had his turn is written nothing more: what can be read is the other end's end.
    os._exit(ORPHANED)
