"""A stream: one client's way down, bounded, and the players who speak on it.

What waits is kept as frames, encoded already, and leaves in one message. A client that does not
read is cut off rather than remembered without bound. Nothing here knows what a frame says.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from riverboat.runtime import errors
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.errors import Fault

# A thousand tables' snapshots fit; past this the client has not read for seconds.
BYTES_MOST: Final = 4 * 1024 * 1024
# One message at most: well below what gRPC clients take, 4 MB.
MESSAGE_BYTES: Final = 512 * 1024


class Stream:
    """What waits for one client."""

    __slots__ = (
        "_bytes",
        "_call",
        "_ready",
        "_waiting",
        "asked",
        "closed",
        "connection",
        "deaf",
        "heard_all",
        "players",
        "tables",
    )

    def __init__(self, call: Call, connection: str) -> None:
        self.connection = connection  # the line's id, unique in the network
        self.players: list[Caller] = []  # who speaks here, by index
        self.tables: dict[str, set[int]] = {}  # tables followed, for which players; -1: for nobody
        self.deaf: frozenset[str] = frozenset()  # whom it does not hear
        self.closed = False
        self.asked = 0  # asks that are not answered yet
        self.heard_all = False  # the client has said that it asks no more
        self._call = call
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._ready = asyncio.Event()

    def push(self, frame: bytes) -> None:
        """Let this leave next; cuts the client off if too much waits already."""
        if self.closed:
            return
        self._waiting.append(frame)
        self._bytes += len(frame)
        if self._bytes > BYTES_MOST:
            self.cut(errors.exhausted("TOO_SLOW", "too much waits to be read; come back", 0))
        elif len(self._waiting) == 1:
            self._ready.set()

    def cut(self, fault: Fault) -> None:
        """End at once, whatever waits: the client is told why."""
        self.closed = True
        self._waiting.clear()
        self._call.cut(fault)

    def end_if_done(self) -> None:
        """End if the client asks no more, has all its answers and looks at no table."""
        if self.heard_all and not self.asked and not self.tables:
            self.end()

    def end(self) -> None:
        """Let what waits leave, and nothing more."""
        self.closed = True
        self._ready.set()

    async def take(self) -> bytes | None:
        """All that waits, as one message; waits for something. None when it has ended."""
        while not self._waiting:
            if self.closed:
                return None
            self._ready.clear()
            await self._ready.wait()
        if self._bytes <= MESSAGE_BYTES:
            message = b"".join(self._waiting)
            self._waiting.clear()
            self._bytes = 0
            return message
        part, size = [], 0
        while self._waiting and size < MESSAGE_BYTES:
            part.append(self._waiting.popleft())
            size += len(part[-1])
        self._bytes -= size
        return b"".join(part)
