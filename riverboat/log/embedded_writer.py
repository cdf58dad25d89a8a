"""The thread that writes the embedded log: all that waits becomes durable in one transaction.

It starts as soon as there is something and never waits to collect more. It tells the loop once a
transaction, clears what is past its time while nothing waits, and never goes on after a commit
that failed.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Mapping, Sequence

from riverboat.log.embedded_reader import Part
from riverboat.log.embedded_store import INDEXED_AT_ONCE, Store
from riverboat.log.log import AppendFailed, Record

CLEAR_EVERY_MS = 60 * 60 * 1000

CLOSED = "the log is closed"


class _Durable(asyncio.Future[None]):
    """Done when its batches are safe. Many appends share it, so none of them may cancel it."""

    def cancel(self, msg: object = None) -> bool:
        return False


class Batch:
    """What the appends of one turn of the loop bring."""

    __slots__ = ("durable", "now_ms", "parts", "progress", "rows", "superseded", "weight")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.durable = _Durable(loop=loop)
        self.rows: list[object] = []  # as `Store.commit` takes them
        self.parts: dict[Part, list[Record]] = {}
        self.progress: dict[tuple[str, int], int] = {}
        self.superseded: dict[int, list[int]] = {}
        self.weight = 0  # bytes
        self.now_ms = 0  # of the last append


class WriterThread:
    """Writes batches in the order in which they are put."""

    def __init__(
        self,
        store: Store,
        kept: Mapping[Part, int],
        landed: Callable[[Sequence[Batch], int], None],
        fatal: Callable[[str], None],
    ) -> None:
        """`landed` is told in the running loop what is safe, and the bytes that the disk takes yet;
        `kept` is how long parts keep records, in ms.
        """
        self.ended: str | None = None  # why nothing is written any more
        self._loop = asyncio.get_running_loop()
        self._store = store
        self._kept = kept
        self._landed = landed
        self._fatal = fatal
        self._inbox: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._last_ms = 0  # of the last group written
        self._cleared_ms = 0
        self._to_clear: list[Part] = []
        self._written = self._loop.create_future()
        self._thread = threading.Thread(target=self._run, name="riverboat-log", daemon=True)
        self._thread.start()

    def put(self, batch: Batch) -> None:
        """Write this batch after those before it."""
        self._inbox.put(batch)

    async def stop(self) -> bool:
        """End when all that was put is written, or has failed; false if it ended before."""
        if not self._thread.is_alive():
            return False
        self._inbox.put(None)
        await asyncio.shield(self._written)
        self._thread.join()
        self.ended = CLOSED
        return True

    def _run(self) -> None:
        going = True
        while going:
            batches = [self._inbox.get()]
            while not self._inbox.empty():
                batches.append(self._inbox.get())
            group = [batch for batch in batches if batch is not None]
            going = len(group) == len(batches)
            if group:
                self._write(group)
            if self.ended is None:
                self._tidy()
        self._tell(self._written.set_result, None)

    def _write(self, group: Sequence[Batch]) -> None:
        if self.ended is None:
            try:
                self._commit(group)
                # Here and not in the loop: a call of the system gives the interpreter away.
                self._tell(self._landed, group, self._store.free_bytes())
                return
            except Exception as error:
                self._end(error)
        self._tell(self._failed, group)

    def _commit(self, group: Sequence[Batch]) -> None:
        first = group[0]
        for batch in group[1:]:
            first.rows += batch.rows
            first.progress |= batch.progress
            for place, offsets in batch.superseded.items():
                first.superseded.setdefault(place, []).extend(offsets)
        self._store.commit(first.rows, first.progress, first.superseded)
        self._last_ms = max(self._last_ms, group[-1].now_ms)

    def _failed(self, group: Sequence[Batch]) -> None:
        for batch in group:
            batch.durable.set_exception(AppendFailed(self.ended or CLOSED))
            batch.durable.exception()  # seen: nobody needs to wait for it

    def _tell(self, call: Callable[..., None], *args: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *args)
        except RuntimeError:
            # The loop was closed without closing the log: nobody is left to be told.
            self.ended = self.ended or "the event loop has ended"

    def _tidy(self) -> None:
        try:
            if self._store.new >= INDEXED_AT_ONCE:
                self._store.index()
            self._clear()
        except Exception as error:
            self._end(error)

    def _clear(self) -> None:
        """Delete what is past its time, in slices, as long as nothing waits to be written."""
        now_ms = self._last_ms
        if not self._to_clear and now_ms - self._cleared_ms >= CLEAR_EVERY_MS:
            self._cleared_ms = now_ms
            self._to_clear = list(self._kept)
        while self._to_clear and self._inbox.empty():
            part = self._to_clear[-1]
            first = self._clear_slice(part, now_ms - self._kept[part])
            if first is None:
                self._to_clear.pop()
            else:
                self._tell(part.cleared, first)

    def _clear_slice(self, part: Part, before_ms: int) -> int | None:
        if part.newest is None:
            return self._store.clear_before(part.id, before_ms)
        buried = self._store.clear_tombstones(part.id, before_ms)
        if buried:
            self._tell(part.buried, buried)
        return None

    def _end(self, error: Exception) -> None:
        # Whether it stands is unknown, and what follows builds on it: nothing more may land.
        self.ended = f"{type(error).__name__}: {error}"
        self._fatal(self.ended)
