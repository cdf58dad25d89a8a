"""Later: what those see of a table who see it some time after it was played.

Frames wait here until they are due, in the table's order. Who comes new, or has missed something,
begins with a snapshot that is as old as the rest. Kept within a bound: past it the oldest is let
go, and its viewers begin anew. It does not know what a frame says.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from services.session.stream import Stream

# What waits of one table, at most: some thousand records.
BYTES_MOST: Final = 2 * 1024 * 1024
# After so many changes a snapshot follows, so that nobody who comes must take more than these.
CHANGES: Final = 64


class Shown(NamedTuple):
    """One frame, and when it is due."""

    due_ms: int
    version: int  # of the table, after it; 0: of none, it is for whoever looks
    frame: bytes
    whole: bool  # a snapshot, not a change
    by: str = ""  # who said it, if it was said


class Later:
    """What waits of one table, and for whom."""

    __slots__ = ("_bytes", "_due_ms", "_past", "_waiting", "changes", "lost", "viewers")

    def __init__(self) -> None:
        self.viewers: dict[Stream, int] = {}  # the last version that each was told; 0: nothing yet
        self.changes = CHANGES  # since the last snapshot: the first comes first
        self.lost = False  # something was let go: a snapshot must come next
        self._waiting: deque[Shown] = deque()
        self._past: list[Shown] = []  # the newest snapshot that was due, and what was due since
        self._bytes = 0
        self._due_ms = 0

    @property
    def wants_snapshot(self) -> bool:
        """Whether the next record should bring one."""
        return self.lost or self.changes >= CHANGES

    def add(self, due_ms: int, version: int, frame: bytes, snapshot: bytes) -> None:
        """Let this change be seen when it is due, and begin anew behind it if there is a snapshot.

        Nothing is ever due before what came before it.
        """
        self._due_ms = max(self._due_ms, due_ms)
        if self.lost and not snapshot:
            return
        if not self.lost and frame:
            self._put(Shown(self._due_ms, version, frame, False))
            self.changes += 1
        if snapshot:
            self.lost = False
            self.changes = 0
            self._put(Shown(self._due_ms, version, snapshot, True))

    def say(self, due_ms: int, frame: bytes, by: str) -> None:
        """Let what was said be heard when it is due."""
        self._due_ms = max(self._due_ms, due_ms)
        if not self.lost:
            self._put(Shown(self._due_ms, 0, frame, False, by))

    def begin(self, stream: Stream, seen: int) -> None:
        """Show this stream from now on what is due; `seen` is what it knows already."""
        past = self._past
        fresh = bool(past) and seen < past[0].version
        for shown in past:
            if fresh or shown.version > seen:
                stream.push(shown.frame)
                seen = shown.version
                fresh = False
        self.viewers[stream] = seen

    def tick(self, now_ms: int) -> None:
        """Show what is due by now."""
        while self._waiting and self._waiting[0].due_ms <= now_ms:
            self._show(self._waiting.popleft())

    def _put(self, shown: Shown) -> None:
        self._waiting.append(shown)
        self._bytes += len(shown.frame)
        if self._bytes > BYTES_MOST:
            self._waiting.clear()
            self._past.clear()
            self._bytes = 0
            self.lost = True

    def _show(self, shown: Shown) -> None:
        if not shown.version:
            self._bytes -= len(shown.frame)
            for stream in list(self.viewers):
                if shown.by not in stream.deaf:
                    stream.push(shown.frame)
            return
        if shown.whole:
            self._bytes -= sum(len(past.frame) for past in self._past)
            self._past = [shown]
        elif self._past:
            self._past.append(shown)
        else:
            self._bytes -= len(shown.frame)  # of no use to who comes: he has no snapshot below it
        for stream, seen in list(self.viewers.items()):
            if (seen < shown.version) if shown.whole else (seen == shown.version - 1):
                stream.push(shown.frame)
                self.viewers[stream] = shown.version
