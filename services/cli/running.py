"""Running: an event loop, its signals, and one house in it until somebody ends it.

SIGINT and SIGTERM end a process in order. Nothing here knows what is served.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

import uvloop

from riverboat.runtime import logs
from riverboat.runtime.config import Config
from services.cli.house import Broken, House, open_house
from services.cli.trouble import BROKEN, Trouble

_T = TypeVar("_T")

# New containers before cycles are looked for, as `gc` counts. What an action makes is freed by its
# last reference and cycles come with connections only: Python's own 700 would take a twentieth of a
# busy server's time to find none.
LOOK_FOR_CYCLES: Final = (50_000, 20, 20)

# Names the process that supervises this one.
SUPERVISOR: Final = "RIVERBOAT_SUPERVISOR"
ORPHAN_S: Final = 0.5


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

    A process that is supervised ends with its supervisor, however that ended: nobody else would
    start it again, and its successor needs its ports.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def asked() -> None:
        stop.set()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, asked)

    def look(supervisor: int) -> None:
        if os.getppid() != supervisor:
            stop.set()
        else:
            loop.call_later(ORPHAN_S, look, supervisor)

    supervisor = os.environ.get(SUPERVISOR)
    if supervisor is not None and supervisor.isdecimal():
        look(int(supervisor))
    return stop


async def serve(config: Config, began: Callable[[House, asyncio.Event], Awaitable[None]]) -> None:
    """Run one house until a signal; `began` is told once it is ready, and cut off at the end."""
    set_up_logs(config)
    stop = stop_on_signals()
    house = await open_house(config)

    async def begin() -> None:
        await house.ready.wait()
        await began(house, stop)

    beginning: asyncio.Task[None] | None = None
    gc.freeze()  # what stands by now stays
    gc.set_threshold(*LOOK_FOR_CYCLES)
    try:
        await house.start()
        beginning = asyncio.get_running_loop().create_task(begin())
        beginning.add_done_callback(lambda done: _failed(done, stop))
        await house.run(stop)
    except Broken as broken:
        raise Trouble(f"a part of this process broke: {broken}", BROKEN) from broken
    finally:
        if beginning is not None:
            beginning.cancel()
            await asyncio.wait([beginning])
        await house.stop()
    if not beginning.cancelled() and (error := beginning.exception()) is not None:
        raise error


def _failed(beginning: asyncio.Task[None], stop: asyncio.Event) -> None:
    """What could not begin must not go on silently."""
    if not beginning.cancelled() and beginning.exception() is not None:
        stop.set()
