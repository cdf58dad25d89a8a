"""An event loop in virtual time: coroutines of one process, each of whose steps is a turn of the
world. Whoever runs on it knows no other loop; it may end between any two steps, and then nothing
of it happens any more. Real time, sockets, threads and signals it has none.
"""

from __future__ import annotations

import asyncio
from asyncio import events
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from functools import partial
from math import ceil
from typing import Any, Final, TypeVar
from weakref import WeakSet

from riverboat.sim.world import World

_T = TypeVar("_T")

EXECUTOR_MS: Final = (1, 40)  # how long what runs in a thread takes


class VirtualLoop:
    """The loop of one life of one process: as much of one as coroutines need that only wait."""

    def __init__(
        self, world: World, until_ms: Callable[[], int], stepping: Callable[[], bool]
    ) -> None:
        """`until_ms` says until when the process stands still; `stepping`, whether it dies now."""
        self.world = world
        self.over = False
        self._itself: Any = self  # as asyncio takes it
        self._tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        self._until_ms = until_ms
        self._stepping = stepping

    def end(self) -> None:
        """Nothing of it happens any more."""
        self.over = True
        with self.inside():
            for task in list(self._tasks):
                work: Any = task.get_coro()
                if not task.done() and not work.cr_running:
                    work.close()

    def time(self) -> float:
        """Seconds, as asyncio counts."""
        return self.world.now_ms / 1_000

    def is_running(self) -> bool:
        """Whether anything of it still happens."""
        return not self.over

    def is_closed(self) -> bool:
        """It is only ever over."""
        return False

    def get_debug(self) -> bool:
        """There is nothing to be seen by it."""
        return False

    def create_future(self) -> asyncio.Future[Any]:
        """A future of this loop."""
        return asyncio.Future(loop=self._itself)

    def create_task(
        self,
        coro: Any,
        *,
        name: str | None = None,
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        """Its first step is one of the next."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=self._itself, name=name, context=context)
        self._tasks.add(task)
        return task

    def begin(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        """Let this run from the next step on."""
        return self.create_task(work)

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """In a step of its own, at this moment."""
        handle = asyncio.Handle(callback, args, self._itself, context)
        self.world.after(0, partial(self._run, handle))
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """There is but one thread."""
        return self.call_soon(callback, *args, context=context)

    def call_later(
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """So many seconds from now."""
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """At that second, or in the millisecond after it."""
        handle = asyncio.TimerHandle(when, callback, args, self._itself, context)
        self.world.at(ceil(when * 1_000), partial(self._run, handle))
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is passed over when its time comes."""

    def run_in_executor(
        self, executor: Any, func: Callable[..., _T], *args: Any
    ) -> asyncio.Future[_T]:
        """Whole or not at all, as a thread that nobody waits for is: its answer comes later."""
        future: asyncio.Future[_T] = self.create_future()
        try:
            outcome = func(*args)
        except Exception as error:
            self._later(future, partial(future.set_exception, error))
        else:
            self._later(future, partial(future.set_result, outcome))
        return future

    def _later(self, future: asyncio.Future[Any], settle: Callable[[], None]) -> None:
        def settled() -> None:
            if not future.done():
                settle()

        self.call_later(self.world.rng.randint(*EXECUTOR_MS) / 1_000, settled)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What breaks a callback breaks the run; who is dead breaks nothing."""
        error = context.get("exception")
        if self.over or not isinstance(error, Exception):
            return
        raise error

    def _run(self, handle: asyncio.Handle) -> None:
        if self.over or handle.cancelled():
            return
        if self._until_ms() > self.world.now_ms:
            self.world.at(self._until_ms(), partial(self._run, handle))
            return
        if self._stepping():
            return
        with self.inside():
            handle._run()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """What is called here finds this loop running."""
        before = events._get_running_loop()
        events._set_running_loop(self._itself)
        try:
            yield
        finally:
            events._set_running_loop(before)
