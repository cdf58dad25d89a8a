"""What a process has in hand for a table, and what it is for a service. Values only."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from riverboat.game.record import Record
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Place
from riverboat.runtime.service import Manifest, Message

NEVER: Final = 1 << 62


class Waiting(NamedTuple):
    """A message that a decider has not answered yet."""

    offset: int
    message: Message
    time_ms: int


class Undecided(NamedTuple):
    """A record handed to the log and not yet read back."""

    record: Record
    value: bytes
    at_ms: int


class Decider:
    """One service in this process: its manifest, its name in the log, what it owns."""

    __slots__ = ("counter", "incarnation", "index", "manifest", "name", "owned", "pending", "rank")

    def __init__(self, index: int, manifest: Manifest, incarnation: str, rank: int) -> None:
        self.index = index
        self.manifest = manifest
        self.name = manifest.name
        self.incarnation = incarnation
        self.counter = 0
        self.rank = rank
        self.owned: set[int] = set()
        # Per input, offsets not yet answered, in order: the lowest holds the commit. With each
        # whose it is, and when it came.
        self.pending: dict[Place, dict[int, tuple[Entry, int]]] = {}

    def next_id(self) -> str:
        """The id of this decider's next record."""
        self.counter += 1
        return f"{self.name}/{self.incarnation}/{self.counter}"


class Entry:
    """One table and what this process has in hand for it."""

    __slots__ = (
        "backlog",
        "dirty",
        "failed",
        "head_at",
        "held",
        "lost",
        "partition",
        "queues",
        "table",
        "undecided",
        "wakes",
    )

    def __init__(self, table: Table, partition: int, queues: int, deciders: int) -> None:
        self.table = table
        self.partition = partition
        self.undecided: Undecided | None = None
        self.queues: list[deque[Waiting]] = [deque() for _ in range(queues)]
        self.wakes: list[int] = [NEVER] * deciders  # the earliest wake-up scheduled, per decider
        self.head_at = -1  # offset of the last record applied; -1: none yet
        self.dirty = -1  # offset of the first record that no snapshot covers; -1: covered
        self.held = False  # its history is being read again
        self.lost = False  # its history has a hole: it stands still here for good
        self.backlog: list[tuple[Record, log.Record]] = []
        self.failed = ""  # why deciding failed at this state

    @property
    def stands_still(self) -> bool:
        """Whether this process answers nothing at the table but a void."""
        return bool(self.table.stopped or self.failed or self.lost)
