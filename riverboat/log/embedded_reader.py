"""Reading the embedded log, and sharing its partitions out among members, within one process.

Lives in the event loop. A reader is woken by the commit that brought something for it and by
nothing else; it never polls, and never sees a record before it is durable.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from riverboat.log.embedded_store import Answer, Ask
from riverboat.log.log import LogError, OffsetOutOfRange, Place, Record, WrongTopic
from riverboat.log.sharing import share_out

# The newest records of a partition are served from memory: enough that whoever keeps up never
# touches the file, little enough that every partition of every topic may hold as much.
TAIL_RECORDS_MAX = 512
TAIL_BYTES_MAX = 512 * 1024

# Begins at once.
Fetch = Callable[[Sequence[Ask], int], asyncio.Future[list[Answer]]]


class Part:
    """One partition in memory."""

    __slots__ = (
        "durable",
        "first",
        "id",
        "newest",
        "next",
        "place",
        "readers",
        "tail",
        "tail_bytes",
    )

    def __init__(self, id_: int, place: Place, first: int, after: int) -> None:
        self.id = id_
        self.place = place
        self.first = first  # the lowest offset kept
        self.next = after  # the offset of the next append
        self.durable = after  # every record below this offset is safe
        self.tail: list[Record] = []  # the newest durable records, without a gap
        self.tail_bytes = 0
        self.readers: list[EmbeddedReader] = []
        self.newest: dict[str, int] | None = None  # offset by key, of a compacted topic

    def landed(self, records: list[Record]) -> None:
        """These records, the next after the durable ones, have become durable."""
        tail = self.tail
        tail += records
        for record in records:
            self.tail_bytes += len(record.value or b"")
        self.durable = records[-1].offset + 1
        if len(tail) > TAIL_RECORDS_MAX or self.tail_bytes > TAIL_BYTES_MAX:
            # Half goes at a time, so that the cost of moving the rest is paid seldom.
            del tail[: (len(tail) + 1) // 2]
            self.tail_bytes = sum(len(record.value or b"") for record in tail)
        for reader in self.readers:
            reader.wake(self.place)

    def cleared(self, first: int) -> None:
        """Everything below `first` has gone."""
        self.first = first

    def buried(self, tombstones: Mapping[str, int]) -> None:
        """These have gone, and with them all that stood under their keys."""
        assert self.newest is not None, "only a compacted topic has tombstones"
        for key, offset in tombstones.items():
            if self.newest.get(key) == offset:
                del self.newest[key]


@dataclass(slots=True, eq=False)
class _Spot:
    part: Part
    offset: int  # of the next record to hand over


class Fetching(NamedTuple):
    """What is being fetched before anybody asked for it."""

    asks: list[Ask]
    most: int
    answers: asyncio.Future[list[Answer]]


class EmbeddedReader:
    """See `Reader` in log.py."""

    def __init__(self, parts: Mapping[tuple[str, int], Part], fetch: Fetch) -> None:
        self._parts = parts
        self._fetch = fetch
        self._spots: dict[Place, _Spot] = {}
        self._news: dict[Place, None] = {}  # places that may have something, oldest news first
        self._waiter: asyncio.Future[None] | None = None
        self._taking = False
        self._ahead: Fetching | None = None
        self.looks = 0  # how often `take` looked for records; a test holds that nothing polls

    def follow(self, place: Place, offset: int) -> None:
        part = self._parts.get(place)
        if part is None:
            raise WrongTopic(f"this log has no partition {place.partition} of {place.topic}")
        if place not in self._spots:
            part.readers.append(self)
        self._spots[place] = _Spot(part, offset)
        self.wake(place)

    def leave(self, place: Place) -> None:
        spot = self._spots.pop(place, None)
        if spot is not None:
            spot.part.readers.remove(self)
            self._news.pop(place, None)

    def wake(self, place: Place) -> None:
        """There may be something at `place`."""
        self._news[place] = None
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def take(
        self, *, most: int = 4096, wait_ms: int | None = None
    ) -> dict[Place, list[Record]]:
        assert not self._taking, "one task takes from a reader"
        assert most > 0
        self._taking = True
        loop = asyncio.get_running_loop()
        alarm: asyncio.TimerHandle | None = None
        try:
            while True:
                self.looks += 1
                got = await self._collect(most)
                if got:
                    self._look_ahead(most)
                    return got
                if self._news:
                    continue
                self._waiter = waiter = loop.create_future()
                if alarm is None and wait_ms is not None:
                    alarm = loop.call_later(wait_ms / 1000, self._time_up)
                await waiter
                if not self._news:
                    return {}
        finally:
            self._taking = False
            self._waiter = None
            if alarm is not None:
                alarm.cancel()

    def _time_up(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _collect(self, most: int) -> dict[Place, list[Record]]:
        got: dict[Place, list[Record]] = {}
        cold = [spot for place in self._news if self._is_cold(spot := self._spots[place])]
        if cold:
            # Nothing moves before the fetch is back: who is cancelled meanwhile loses nothing.
            most = await self._collect_cold(cold, most, got)
        for place in list(self._news):
            spot = self._spots[place]
            part = spot.part
            ready = part.durable - spot.offset
            if place not in got and ready > 0 and most and not self._is_cold(spot):
                at = spot.offset - part.durable + len(part.tail)
                got[place] = records = part.tail[at : at + most]
                spot.offset += len(records)
                most -= len(records)
            if spot.offset >= part.durable:
                del self._news[place]
        for place in got:
            if place in self._news:  # more is there; the others come first next time
                del self._news[place]
                self._news[place] = None
        return got

    def _is_cold(self, spot: _Spot) -> bool:
        part = spot.part
        if not part.first <= spot.offset <= part.next:
            raise OffsetOutOfRange(
                f"{part.place.topic}, partition {part.place.partition}: offset {spot.offset} is"
                f" not in the log, which stands from {part.first} to {part.next}"
            )
        return spot.offset < part.durable - len(part.tail)

    async def _collect_cold(
        self, cold: list[_Spot], most: int, got: dict[Place, list[Record]]
    ) -> int:
        asks = [_ask(spot) for spot in cold]
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead.most == most and _begins_with(asks, ahead.asks):
            asks = ahead.asks  # places that have become cold since wait for the next look
            found = await ahead.answers
        else:
            if ahead is not None:
                ahead.answers.cancel()
            found = await self._fetch(asks, most)
        for spot, ask, (records, after) in zip(cold, asks, found, strict=False):
            if self._spots.get(ask.place) is not spot:
                continue  # left, or moved elsewhere, during the fetch
            if spot.part.first > ask.offset:
                continue  # cleared during the fetch: the next look says so
            most -= len(records)
            if records:
                got[ask.place] = records
            spot.offset = after
        return most

    def _look_ahead(self, most: int) -> None:
        """Fetch what comes next while what was handed over is worked on.

        The file is read on another core then. Nothing moves until it is asked for.
        """
        try:
            spots = [self._spots[place] for place in self._news]
            asks = [_ask(spot) for spot in spots if self._is_cold(spot)]
        except OffsetOutOfRange:
            return  # who asks for it is told
        if asks:
            if self._ahead is not None:
                self._ahead.answers.cancel()
            self._ahead = Fetching(asks, most, self._fetch(asks, most))

    async def close(self) -> None:
        if self._ahead is not None:
            self._ahead.answers.cancel()
            self._ahead = None
        for place in list(self._spots):
            self.leave(place)


def _ask(spot: _Spot) -> Ask:
    return Ask(spot.part.id, spot.part.place, spot.offset, spot.part.durable)


def _begins_with(asks: Sequence[Ask], ahead: Sequence[Ask]) -> bool:
    """Whether these ask first for what was fetched ahead; how far it is durable may have grown."""
    return [ask[:3] for ask in asks[: len(ahead)]] == [ask[:3] for ask in ahead]


class Group:
    """The members that share partitions under one name."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self.members: dict[str, EmbeddedMembership] = {}

    def enter(self, member: EmbeddedMembership) -> None:
        """Give `member` its share; one already here under its name is replaced by it."""
        before = self.members.pop(member.name, None)
        self.members[member.name] = member
        if before is not None:
            share = before.owned
            before.own(frozenset())
            member.own(share)
        self._balance()

    def go(self, member: EmbeddedMembership) -> None:
        """Take the share of `member` back."""
        if self.members.get(member.name) is member:
            del self.members[member.name]
            member.own(frozenset())
            self._balance()

    def _balance(self) -> None:
        shares = share_out(self.partitions, self.members)
        # Whoever gives up is told first: nobody owns what another still believes to own.
        for name, member in self.members.items():
            member.own(member.owned & shares[name])
        for name, member in self.members.items():
            member.own(shares[name])


@dataclass(slots=True, eq=False)
class EmbeddedMembership:
    """See `Membership` in log.py."""

    group: Group
    team: str
    name: str
    save: Callable[[str, Mapping[Place, int]], asyncio.Future[None]]
    saved: Callable[[str, Sequence[Place]], dict[Place, int]]
    _owned: frozenset[int] = frozenset()
    _waiters: list[asyncio.Future[None]] = field(default_factory=list)

    @property
    def owned(self) -> frozenset[int]:
        return self._owned

    def own(self, partitions: frozenset[int]) -> None:
        """From now on, these are the partitions owned."""
        if partitions == self._owned:
            return
        self._owned = partitions
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def changed(self, before: frozenset[int]) -> frozenset[int]:
        while self._owned == before:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return self._owned

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        mine = {place: at for place, at in offsets.items() if place.partition in self._owned}
        if mine:
            await self.save(self.team, mine)
        elif self.group.members.get(self.name) is not self:
            raise LogError(f"{self.name} is not in group {self.team} any more")

    async def committed(self, places: Sequence[Place]) -> dict[Place, int]:
        return self.saved(self.team, places)

    async def leave(self) -> None:
        self.group.go(self)
