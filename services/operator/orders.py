"""Orders: what a measure orders at a table, sent until its answer is found, and never twice.

An order is known by its id wherever it stands in table-orders, and its answer is the record of the
hand log that names its offset there. One that stands there unanswered is waited for and not sent
again: between two copies somebody else may have ordered the contrary. Decides nothing.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from riverboat.game.commands import ChangeOptions, OpenTable, Order, Ordered, VoidHand
from riverboat.game.hand.events import HandVoided
from riverboat.game.ids import partition_of
from riverboat.game.record import Record
from riverboat.game.refusals import TableCode
from riverboat.game.table.events import CommandRefused, Fact
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.log import Append, Log, LogError, Place
from riverboat.wire.record import Unreadable, decode_ordered, encode_ordered
from services.operator import history

MARK: Final = "operator/"  # how the ids of such orders begin
# The dealer's memory of the last order that it answered: nothing up to there is answered any more.
MEMORY: Final = "dealer table-orders"
SHORT: Final = "table-orders"
# What was not seen answered after this is looked for again.
AGAIN_S: Final = 0.5
# Answers of orders kept for those whose own place is read later: of a second, at the most.
ANSWERS_MOST: Final = 4_096

Submit = Callable[[Sequence[Append]], Awaitable[None]]
Find = Callable[[str], Table | None]


class Answer(NamedTuple):
    """What the table made of an order."""

    version: int  # which shows it
    refused: str  # the refusal's name; empty: it had effect
    facts: tuple[Fact, ...] = ()


class Orders:
    """Table-orders and their answers, as far as this process has read."""

    def __init__(self, network: Log, find: Find, submit: Submit) -> None:
        self._log = network
        self._find = find
        self._submit = submit
        self._sent: dict[str, list[Place_]] = {}  # where each order stands, by its id
        self._answers: OrderedDict[Place_, Answer] = OrderedDict()
        self._over: set[Place_] = set()  # passed over without an answer
        self._news: list[asyncio.Future[None]] = []
        self._read_to: dict[int, int] = {}  # the next offset to read, by partition
        self._known: set[int] = set()  # partitions read to an end after the last append

    async def follow(self, caught_up: asyncio.Event) -> None:
        """Read table-orders on, for as long as this process lives."""
        places = [
            Place(topics.TABLE_ORDERS, partition)
            for partition in range(self._log.partitions(topics.TABLE_ORDERS))
        ]
        starts, ends = await self._log.starts(places), await self._log.ends(places)
        behind = {place: ends[place] for place in places if starts[place] < ends[place]}
        reader = self._log.reader()
        for place in places:
            reader.follow(place, starts[place])
        try:
            if not behind:
                caught_up.set()
            while True:
                for place, found in (await reader.take()).items():
                    for one in found:
                        self._read(one)
                    self._read_to[place.partition] = found[-1].offset + 1
                    if found[-1].offset + 1 >= behind.get(place, 0):
                        behind.pop(place, None)
                self._tell()
                if not behind:
                    caught_up.set()
        finally:
            await reader.close()

    def _read(self, found: log.Record) -> None:
        # Most are the wallet's: they are told apart before anything is decoded.
        if found.value is None or MARK.encode() not in found.value:
            return
        with suppress(Unreadable):
            ordered = decode_ordered(found.value)
            if ordered.id.startswith(MARK):
                self._sent.setdefault(ordered.id, []).append((found.partition, found.offset))

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        """Follow the tables: a record was folded."""
        answers = record.answers
        if answers is None or answers.topic != SHORT:
            return
        self._answers[found.partition, answers.offset] = _answer(record)
        if len(self._answers) > ANSWERS_MOST:
            self._answers.popitem(last=False)
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, []
        for one in news:
            if not one.done():
                one.set_result(None)

    async def carry(self, order_id: str, table: str, by: str, order: Order) -> Answer:
        """The answer to this order, which is sent if it does not stand in the log yet."""
        assert order_id.startswith(MARK), "else it would not be known again"
        place = partition_of(table)
        value = encode_ordered(Ordered(table, order_id, by, order))
        append = Append(topics.TABLE_ORDERS, place, table, value)
        await self._landed(place)
        while True:
            answer = await self._answer_of(order_id, table, order)
            if answer is not None:
                return answer
            if place in self._known and not self._waits(order_id):
                self._known.discard(place)
                with suppress(LogError):
                    await self._submit([append])
                # Again only once it is known not to have landed, or to be passed over.
                await self._landed(place)
            elif place not in self._known:
                await self._landed(place)
            else:
                await self._next()

    def _waits(self, order_id: str) -> bool:
        return any(place not in self._over for place in self._sent.get(order_id, ()))

    async def _landed(self, partition: int) -> None:
        """Wait until all that was appended up to now is read here."""
        place = Place(topics.TABLE_ORDERS, partition)
        try:
            end = (await self._log.ends([place]))[place]
        except LogError:
            return  # it is asked again, and nothing is sent before it has answered
        while self._read_to.get(partition, 0) < end:
            await self._next()
        self._known.add(partition)

    async def _next(self) -> None:
        """Wait for something to be read, or for a while."""
        news = asyncio.get_running_loop().create_future()
        self._news.append(news)
        await asyncio.wait([news], timeout=AGAIN_S)

    async def _answer_of(self, order_id: str, name: str, order: Order) -> Answer | None:
        table = self._find(name)
        if table is not None and _is_so(table, order):
            return Answer(table.version, "")
        for place in self._sent.get(order_id, ()):
            answer = self._answers.get(place)
            if answer is not None:
                return answer
            if place not in self._over and _is_past(table, place, order):
                # From before this process began: the answer stands in the log, if there is one.
                found = await self._search(place, name, order)
                if found is not None:
                    return found
                self._over.add(place)
        if table is None and not isinstance(order, OpenTable):
            return Answer(0, TableCode.NO_TABLE.name)  # closed so long ago that it was let go
        return None

    async def _search(self, place: Place_, name: str, order: Order) -> Answer | None:
        """The answer to the order that stands at `place`, from the hand log itself."""
        voids = order.hand if isinstance(order, VoidHand) else ""
        found: list[Answer] = []

        def look(_table: Table, record: Record, _found: log.Record) -> bool:
            answers = record.answers
            if answers is not None and (answers.topic, answers.offset) == (SHORT, place[1]):
                found.append(_answer(record))
            elif voids and record.hand == voids and _voids(record):
                found.append(Answer(record.version, ""))
            return not found

        table = await history.of_table(self._log, name, look)
        if not found and voids:
            found.append(Answer(table.version, TableCode.NO_SUCH_HAND.name))
        return found[0] if found else None


Place_ = tuple[int, int]  # partition and offset of table-orders


def _is_so(table: Table, order: Order) -> bool:
    """Whether the order says nothing new: such a one is passed over, and never answered."""
    return isinstance(order, ChangeOptions) and order.settings == (table.coming or table.settings)


def _is_past(table: Table | None, place: Place_, order: Order) -> bool:
    """Whether the dealer will not answer what stands there any more."""
    if table is None:
        return not isinstance(order, OpenTable)
    if isinstance(order, VoidHand):  # taken out of turn: the memory does not tell
        return table.deal is None or table.deal.hand != order.hand
    return table.offsets.get(MEMORY, -1) >= place[1]


def _voids(record: Record) -> bool:
    return any(isinstance(event, HandVoided) for event in record.events)


def _answer(record: Record) -> Answer:
    refused = next((one for one in record.events if isinstance(one, CommandRefused)), None)
    if refused is None:
        return Answer(record.version, "")
    try:
        name = TableCode(refused.code).name
    except ValueError:
        name = f"CODE_{refused.code}"
    return Answer(record.version, name, refused.facts)
