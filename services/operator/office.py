"""The office: takes measures, has them carried out once, and tells what came of them.

A measure is in the operator-log before it has any effect, and only what was read back from there
is carried out: by the process that owns its partition, one at a time for each subject. Whoever
takes over carries on what has no end yet. It reads the clock nowhere: times are the log's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

from riverboat.game.refusals import Refusal
from riverboat.game.table.events import Fact
from riverboat.log import log, topics
from riverboat.log.log import Append, Log, LogError, Membership, Place
from riverboat.runtime.logs import facts
from riverboat.runtime.tasks import Tasks
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import OPERATOR
from services.operator.book import Book, Entry, refusal_of
from services.operator.measures import as_asked, measure_id, partition_for, subject_of
from services.operator.refusals import OperatorCode

logger = logging.getLogger(__name__)

# What could not be done now is tried again after this: the log or the wallet may be away.
AGAIN_S: Final = 0.5

Submit = Callable[[Sequence[Append]], Awaitable[None]]

_T = TypeVar("_T")

_fill_fact = CODEC.filler(Fact)


class NotNow(Exception):
    """What a measure needs cannot be reached: it is carried out later."""


class Office:
    """One process's part in what operators do."""

    def __init__(
        self,
        network: Log,
        submit: Submit,
        carry: Callable[[Entry], Awaitable[pb.MeasureEnded]],
        *,
        member: str,
        fatal: Callable[[BaseException], None],
    ) -> None:
        """`carry` gives a measure its effect, whole even where it was begun before, and says what
        came of it; or raises `NotNow`.
        """
        self.book = Book()
        self.caught_up = asyncio.Event()
        self.partitions = network.partitions(topics.OPERATOR_LOG)
        self._log = network
        self._submit = submit
        self._carry = carry
        self._member = member
        self._membership: Membership | None = None
        self._tasks = Tasks(fatal)
        self._ready = asyncio.Event()
        self._carried: set[str] = set()  # ids that are being carried out here
        self._turns: dict[str, asyncio.Lock] = {}  # one for each subject that has work
        self._news: dict[str, list[asyncio.Future[None]]] = {}

    # Life.

    async def start(self, *ready: asyncio.Event) -> None:
        """Read the log on; carry out what this process owns once all of `ready` are."""
        self._membership = await self._log.join(OPERATOR, self._member, [topics.OPERATOR_LOG])
        self._tasks.spawn(self._follow())
        self._tasks.spawn(self._own(self._membership, ready))

    async def stop(self) -> None:
        """Leave what is under way to whoever comes next."""
        await self._tasks.cancel()
        if self._membership is not None:
            await self._membership.leave()

    def owns(self, subject: str) -> bool:
        """Whether this process acts for the house about this."""
        owned = self._membership.owned if self._membership is not None else frozenset()
        return self._ready.is_set() and partition_for(subject, self.partitions) in owned

    # Taking.

    async def take(
        self, by: str, key: str, why: str, measure: pb.Measure, *, wait: bool = True
    ) -> Entry | Refusal:
        """The measure once it has ended, whether it was taken now or before under this key."""
        own_id = measure_id(by, key)
        entry = self.book.entries.get(own_id)
        if entry is None:
            taken = pb.MeasureTaken(
                id=own_id,
                by=by,
                key=key,
                why=why,
                subject=subject_of(measure, own_id),
                measure=measure,
            )
            refusal = refusal_of(self.book, taken)
            if refusal is not None:
                return refusal  # nothing has happened, and nothing is kept
            await self._append(taken.subject, pb.OperatorRecord(taken=taken))
            entry = await self._until(own_id, lambda: self.book.entries.get(own_id))
        was = entry.taken
        if (as_asked(was.measure), was.why) != (as_asked(measure), why):
            return Refusal(OperatorCode.MEASURE_KEY_REUSED, key=key)
        if wait:
            taken_entry = entry
            await self._until(own_id, lambda: taken_entry.ended)
        return entry

    async def note(self, subject: str, record: pb.OperatorRecord) -> None:
        """Keep what is no measure of an operator."""
        await self._append(subject, record)

    async def _append(self, subject: str, record: pb.OperatorRecord) -> None:
        partition = partition_for(subject, self.partitions)
        append = Append(topics.OPERATOR_LOG, partition, subject, record.SerializeToString())
        await self._submit([append])

    async def _until(self, own_id: str, what: Callable[[], _T | None]) -> _T:
        while (found := what()) is None:
            news = asyncio.get_running_loop().create_future()
            self._news.setdefault(own_id, []).append(news)
            await news
        return found

    # Reading.

    async def _follow(self) -> None:
        places = [Place(topics.OPERATOR_LOG, partition) for partition in range(self.partitions)]
        starts, ends = await self._log.starts(places), await self._log.ends(places)
        behind = {place: ends[place] for place in places if starts[place] < ends[place]}
        reader = self._log.reader()
        for place in places:
            reader.follow(place, starts[place])
        try:
            while True:
                if not behind:
                    self.caught_up.set()
                for place, records in (await reader.take()).items():
                    for found in records:
                        self._read(found)
                    if records[-1].offset + 1 >= behind.get(place, 0):
                        behind.pop(place, None)
        finally:
            await reader.close()

    def _read(self, found: log.Record) -> None:
        own_id = self.book.take(found)
        if not own_id:
            return
        for news in self._news.pop(own_id, ()):
            if not news.done():
                news.set_result(None)
        if self._ready.is_set() and own_id in self.book.open:
            self._begin(own_id)

    # Carrying out.

    async def _own(self, membership: Membership, ready: Sequence[asyncio.Event]) -> None:
        """Carry on whatever has no end, in every partition that is gained."""
        for event in (self.caught_up, *ready):
            await event.wait()
        self._ready.set()
        while True:
            owned = membership.owned
            # In the log's order: of two about one thing the first may have had its effect.
            entries = [self.book.entries[own_id] for own_id in self.book.open]
            entries.sort(key=lambda entry: (entry.partition, entry.taken_at))
            for own_id in [entry.taken.id for entry in entries]:
                self._begin(own_id)
            await membership.changed(owned)

    def _begin(self, own_id: str) -> None:
        entry = self.book.entries[own_id]
        assert self._membership is not None, "nothing is carried out before the start"
        if own_id not in self._carried and entry.partition in self._membership.owned:
            self._carried.add(own_id)
            self._tasks.spawn(self._carry_out(entry))

    async def _carry_out(self, entry: Entry) -> None:
        own_id, subject = entry.taken.id, entry.taken.subject
        turn = self._turns.setdefault(subject, asyncio.Lock())
        try:
            async with turn:
                while entry.ended is None and self._is_owned(entry):
                    try:
                        ended = await self._carry(entry)
                        await self._append(subject, pb.OperatorRecord(ended=ended))
                    except (NotNow, LogError) as error:
                        named = facts(measure=own_id, kind=entry.kind, reason=str(error))
                        logger.warning("a measure is tried again", extra=named)
                        await asyncio.sleep(AGAIN_S)
                        continue
                    await self._until(own_id, lambda: entry.ended)
        finally:
            self._carried.discard(own_id)

    def _is_owned(self, entry: Entry) -> bool:
        assert self._membership is not None, "nothing is carried out before the start"
        return entry.partition in self._membership.owned


def ended(
    entry: Entry,
    *,
    refused: str = "",
    told: Sequence[Fact] = (),
    version: int = 0,
    posting: str = "",
) -> pb.MeasureEnded:
    """What came of a measure, as the log keeps it."""
    message = pb.MeasureEnded(
        id=entry.taken.id,
        subject=entry.taken.subject,
        refused=refused,
        version=version,
        posting=posting,
    )
    for fact in told:
        _fill_fact(message.facts.add(), fact)
    return message


def refused(entry: Entry, refusal: Refusal) -> pb.MeasureEnded:
    """A measure that had no effect, and never will."""
    told = [
        Fact(name, value, "") if isinstance(value, int) else Fact(name, 0, value)
        for name, value in refusal.facts.items()
    ]
    return ended(entry, refused=refusal.code.name, told=told)
