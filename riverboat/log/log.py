"""The log: what every log promises, embedded or Kafka. [ARCHITECTURE 6]

A log is a set of topics; a topic has partitions; a partition is an ordered, append-only sequence of
records with growing offsets and append times. Nothing above this interface knows which log it runs
on. This module holds the promises only, never an implementation.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class Place(NamedTuple):
    """One partition of one topic."""

    topic: str
    partition: int


class Record(NamedTuple):
    """One record as it stands in the log."""

    topic: str
    partition: int
    offset: int
    time_ms: int  # append time by the log's own clock, milliseconds since the epoch
    key: str
    value: bytes | None  # None is a tombstone


class Append(NamedTuple):
    """One record on its way into the log."""

    topic: str
    partition: int
    key: str
    value: bytes | None


class Sent(NamedTuple):
    """A batch handed to the log.

    `records` is where the batch stands, when the log knows it at once (the sole writer of an
    embedded log); it may be folded and decided on, but nothing may leave the process before
    `durable` is done. `None` means that only reading back tells.
    `durable` ends when the batch is safe, or with `AppendFailed`.
    """

    records: Sequence[Record] | None
    durable: asyncio.Future[None]


class LogError(Exception):
    """Something the log could not do; the message names the topic and the reason."""


class AppendFailed(LogError):
    """The batch may be absent, whole, or still on its way: only reading back tells."""


class RecordTooLarge(LogError):
    """A record is larger than its topic takes; nothing of its batch was appended."""


class OffsetOutOfRange(LogError):
    """The offset asked for is not in the log: history is missing, and the process must end."""


class LogInUse(LogError):
    """Another process holds this embedded log."""


class NameTaken(LogError):
    """Another process has joined a group under this member's name: the older of them must end."""


class DiskNearlyFull(LogError):
    """The log's disk cannot take the batch; nothing of it was appended."""


class WrongTopic(LogError):
    """A topic is missing, or stands with other settings than this network needs."""


class Reader(Protocol):
    """Follows places and hands over what stands there, in order, once, durable records only."""

    def follow(self, place: Place, offset: int) -> None:
        """Read `place` from `offset` on; a place that is followed already moves there."""

    def leave(self, place: Place) -> None:
        """Stop reading `place`; records of it that were not taken yet are dropped."""

    async def take(
        self, *, most: int = 4096, wait_ms: int | None = None
    ) -> dict[Place, list[Record]]:
        """What is new at the places followed; waits for it, at most `wait_ms`, without polling.

        Empty only when `wait_ms` has passed. Raises `OffsetOutOfRange` for a place whose offset
        is not in the log (below what is kept, or beyond the end).
        """

    async def close(self) -> None:
        """Free what the reader holds."""


class Membership(Protocol):
    """One member's share of the partitions, under a group's name; also keeps its offsets."""

    @property
    def owned(self) -> frozenset[int]:
        """The partitions owned now."""

    async def changed(self, before: frozenset[int]) -> frozenset[int]:
        """The partitions owned, as soon as they differ from `before`.

        Raises `NameTaken` as soon as it is known that another member bears this one's name.
        """

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        """Remember, for the group, the next offset to read at each place owned.

        Places that are not owned (any more) are passed over: their owner keeps their offsets.
        """

    async def committed(self, places: Sequence[Place]) -> dict[Place, int]:
        """The next offset to read at each place; a place never committed is absent."""

    async def leave(self) -> None:
        """Give the partitions up."""


class Log(Protocol):
    """All records of one network."""

    @property
    def disk_low(self) -> bool:
        """Whether the log's own disk has so little room that no new hand should start."""

    def append(self, batch: Sequence[Append]) -> Sent:
        """Append these records, in this order; those of one partition stand whole or not at all.

        Returns at once. Raises `RecordTooLarge` (a record, or all that one partition gets at
        once), `WrongTopic` or `DiskNearlyFull` before anything is appended, and `AppendFailed`
        when the log has ended.
        Batches of one writer to one place stand in the order in which they were handed over,
        unless one of them failed.
        """

    def partitions(self, topic: str) -> int:
        """How many partitions `topic` has in this log."""

    def reader(self) -> Reader:
        """A new reader that follows nothing yet."""

    async def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        """The offset that the next durable record at each place will have."""

    async def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        """The lowest offset kept at each place."""

    async def time_ms(self) -> int:
        """The log's own time: it stamped nothing later before the call, and nothing earlier after.

        A log on several machines tells the time of one of them.
        """

    async def join(self, group: str, member: str, topics: Sequence[str]) -> Membership:
        """Share the partitions of `topics` (aligned: the same numbers of each) with the group.

        `member` is static: who comes back under it within the session time keeps its share.
        """

    async def close(self) -> None:
        """Stop; what was handed over is durable, or has failed, when this returns."""
