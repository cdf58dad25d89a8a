"""The wallet's process on a real log: books, answers, reminds, takes up what another left."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.hand.events import Checked
from riverboat.game.record import Record
from riverboat.game.table.events import (
    PlayerLeft,
    PlayerSeated,
    SatIn,
    SatOut,
    SeatReserved,
    TableOpened,
)
from riverboat.game.table.fold import BadRecord, apply
from riverboat.game.table.state import Table
from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, Place
from riverboat.log.log import Record as LogRecord
from riverboat.runtime.observe import Metrics
from riverboat.wire.beats import decode_word
from riverboat.wire.record import decode_ordered, encode_record
from riverboat.wire.v1 import record_pb2
from services.wallet.book import Batch, Booker
from services.wallet.check import faults, positions
from services.wallet.loop import Loop
from services.wallet.reads import read
from services.wallet.store import Store
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import balances, funded_store
from tests.waiting import until

PARTITIONS = 4
T, U = "1.3", "1.2"
NEVER_MS = 3_600_000


def reserve(name: str, player: str, amount: int) -> SeatReserved:
    return SeatReserved(name, player, 1, amount, "", 0, "", post=False)


class Network:
    """A log, and the dealer's part in it."""

    def __init__(self, log: EmbeddedLog) -> None:
        self.log = log
        self.sent: list[Ordered] = []
        self.words: list[tuple[int, bool]] = []  # partitions, and whether they are told to wait
        self.loops: list[Loop] = []
        self.broken: list[BaseException] = []
        self.metrics = Metrics()
        self._heads: dict[str, tuple[int, str]] = {}
        self._orders = log.reader()
        for partition in range(PARTITIONS):
            self._orders.follow(Place(topics.TABLE_ORDERS, partition), 0)

    async def append(self, table: str, *events: Any) -> None:
        version, head = self._heads.get(table, (0, ""))
        record = Record(table, version + 1, head, f"dealer/1/{version}", "", None, 1, events)
        self._heads[table] = (record.version, record.id)
        await self.put(table, encode_record(record))

    async def put(self, table: str, data: bytes) -> None:
        partition = int(table.partition(".")[2])
        await self.log.append([Append(topics.HAND_LOG, partition, table, data)]).durable

    async def wallet(
        self, store: Store, name: str = "one", send: Any = None, resend_ms: int = NEVER_MS
    ) -> Loop:
        loop = Loop(
            self.log,
            store,
            send or (lambda appends: self.log.append(appends).durable),
            self.metrics,
            member=name,
            fatal=self.broken.append,
            resend_ms=resend_ms,
        )
        self.loops.append(loop)
        await loop.start()
        return loop

    async def order(self) -> Ordered:
        """The next order of the wallet."""
        while not self.sent:
            await self._take()
        return self.sent.pop(0)

    async def told(self, partition: int, *, away: bool) -> None:
        """Wait until the tables of a partition are told so."""
        while (partition, away) not in self.words:
            await self._take()

    async def _take(self) -> None:
        for place, records in (await self._orders.take()).items():
            for record in records:
                assert record.value is not None
                word = decode_word(record.value)
                if word is None:
                    self.sent.append(decode_ordered(record.value))
                else:
                    self.words.append((place.partition, word))


@pytest.fixture
async def network(tmp_path):
    now_ms = iter(range(1_000, 1_000_000))
    log = await EmbeddedLog.open(
        tmp_path, topics.topics_with(PARTITIONS), clock=lambda: next(now_ms)
    )
    network = Network(log)
    yield network
    for loop in network.loops:
        await loop.stop()
    await log.close()
    assert network.broken == []


@asynccontextmanager
async def running(network: Network, store: Store, **wallet: Any):
    loop = await network.wallet(store, **wallet)
    yield loop
    await loop.stop()
    network.loops.remove(loop)


def funded(table: str, reservation: str) -> Ordered:
    return Ordered(table, f"wallet:{reservation}", "wallet", Funded(reservation))


async def test_it_books_what_it_reads_and_answers(network):
    store = funded_store()
    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    await network.wallet(store)
    assert await network.order() == funded(T, "r")
    await network.append(T, SatIn("bob", True), PlayerSeated("r"))
    await network.append(T, reserve("q", "bob", 1_000))
    refused = Ordered(T, "wallet:q", "wallet", NotFunded("q", "NOT_ENOUGH_MONEY"))
    assert await network.order() == refused
    assert positions(store)[T].at_table == {"r": 40}
    assert faults(store) == []
    assert network.metrics.postings.value == 2
    assert network.metrics.imbalance.by == {"EUR": 0}


async def test_it_has_caught_up_when_it_has_booked_what_there_was(network):
    store = funded_store()
    for table in (T, U):
        await network.append(table, TableOpened(settings()))
    loop = await network.wallet(store)
    await loop.caught_up.wait()
    assert {table: at.version for table, at in positions(store).items()} == {T: 1, U: 1}


async def test_an_order_that_was_lost_is_sent_again(network):
    lost: list[Append] = []

    def losing(appends: Any) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if len(lost) < 3:
            lost.extend(appends)
            done.set_exception(OSError("no broker"))
            return done
        durable: asyncio.Future[None] = network.log.append(appends).durable
        return durable

    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    await network.wallet(funded_store(), send=losing, resend_ms=20)
    assert await network.order() == funded(T, "r")
    assert len(lost) == 3


async def test_a_successor_answers_what_its_predecessor_had_only_committed(network):
    def nowhere(_appends: Any) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    store = funded_store()
    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    async with running(network, store, send=nowhere) as loop:
        await loop.caught_up.wait()
    assert balances(store)["ann"] == 460
    await network.wallet(store)
    assert await network.order() == funded(T, "r")
    assert balances(store)["ann"] == 460


async def test_two_wallets_share_the_partitions(network):
    store = funded_store()
    for name in ("one", "two"):
        await network.wallet(store, name=name)
    for table in (T, U, "1.0", "1.1"):
        await network.append(table, TableOpened(settings()))
        await network.append(table, reserve(f"r{table}", "ann", 10))
    await until(lambda: balances(store)["ann"] == 460)
    assert faults(store) == []
    assert set(await asyncio.to_thread(store.offsets, range(4))) == {0, 1, 2, 3}


async def test_where_history_is_missing_it_stops_the_partition_and_is_not_ready(network):
    store = funded_store()
    await network.append(T, TableOpened(settings()))
    stray = Record(T, 5, "dealer/1/8", "dealer/1/9", "", None, 1, (PlayerSeated("r"),))
    await network.put(T, encode_record(stray))
    await network.append(U, TableOpened(settings()))
    loop = await network.wallet(store)
    await until(lambda: loop.stopped == {3} and U in positions(store))
    assert not loop.caught_up.is_set()
    assert network.metrics.missing.value == 1
    await network.append(U, reserve("r", "ann", 40))
    assert await network.order() == funded(U, "r")
    # Nobody would answer for money there.
    await network.told(3, away=True)
    assert {partition for partition, _ in network.words} == {3}


async def test_a_partition_that_stops_later_makes_it_unready(network):
    loop = await network.wallet(funded_store())
    await network.append(T, TableOpened(settings()))
    await loop.caught_up.wait()
    stray = Record(T, 3, "dealer/1/1", "dealer/1/2", "", None, 1, (PlayerSeated("r"),))
    await network.put(T, encode_record(stray))
    await until(lambda: loop.stopped == {3})
    assert not loop.caught_up.is_set()


async def test_an_envelope_that_cannot_be_read_is_passed_over(network):
    store = funded_store()
    await network.append(T, TableOpened(settings()))
    await network.put(T, b"\xff\xff\xff")
    await network.put(T, record_pb2.Record(table=T).SerializeToString())
    await network.append(T, reserve("r", "ann", 40))
    loop = await network.wallet(store)
    assert await network.order() == funded(T, "r")
    await loop.caught_up.wait()
    assert store.offsets([3]) == {3: 4}


async def test_an_event_of_a_newer_version_stops_its_table_until_that_version_runs(network):
    store = funded_store()
    await network.append(T, TableOpened(settings()))
    newer = record_pb2.Record(
        table=T, version=2, parent="dealer/1/0", id="dealer/1/x", events=[record_pb2.Event()]
    )
    await network.put(T, newer.SerializeToString())
    async with running(network, store) as loop:
        await loop.caught_up.wait()
        (stop,) = store.stopped([3])
    assert "tells what is not known here" in stop.why
    async with running(network, store) as loop:
        await loop.caught_up.wait()
        assert store.stopped([3]) == [stop]


async def test_a_table_that_another_version_stopped_is_read_on(network):
    store = funded_store()
    await network.append(T, TableOpened(settings()))
    await network.append(T, reserve("r", "ann", 40))
    await network.append(T, SatOut("bob", "asked"))
    # What a version leaves behind that could not book the second record.
    reader = network.log.reader()
    reader.follow(Place(topics.HAND_LOG, 3), 0)
    (records,) = (await reader.take()).values()
    Booker(store).book([Batch(3, 0, read(records[:1]), 1)])
    with store.writing() as writing:
        writing.stop(T, 3, 1, "an event of a newer version")
        writing.move({3: 3})
    loop = await network.wallet(store)
    assert await network.order() == funded(T, "r")
    await loop.caught_up.wait()
    assert store.stopped([3]) == []
    assert positions(store)[T].version == 3


def test_reading_leaves_out_what_moves_no_money():
    events = (SatIn("a", True), PlayerSeated("r"), SatOut("a", "b"))
    record = Record(T, 4, "p", "dealer/1/4", "h", None, 1, events)
    (found,) = read([LogRecord("t", 3, 17, 99, T, encode_record(record))])
    assert (found.offset, found.time_ms) == (17, 99)
    assert found.record == replace(record, events=(PlayerSeated("r"),))


@pytest.mark.parametrize(
    ("writer", "events"),
    [
        ("betting", (PlayerLeft("ann", "r", 1, 500, "asked"),)),
        ("betting", (Checked(1), PlayerLeft("ann", "r", 1, 500, "asked"))),
        ("showdown", (SatOut("ann", "asked"),)),
        ("wallet", (PlayerSeated("r"),)),
        ("dealer", ()),
    ],
)
def test_what_its_writer_may_not_write_is_not_booked_and_holds_nobodys_place(writer, events):
    """ARCHITECTURE 2, authority: the ledger passes over what every fold passes over."""
    store = funded_store()
    forged = Record(T, 2, "dealer/1/1", f"{writer}/9/1", "", None, 1, events)
    true = Record(T, 2, "dealer/1/1", "dealer/1/2", "", None, 1, (reserve("r", "ann", 200),))
    opened = Record(T, 1, "", "dealer/1/1", "", None, 1, (TableOpened(settings()),))
    table = Table(T)
    apply(table, opened, 1)
    with pytest.raises(BadRecord):
        apply(table, forged, 2)
    found = [
        LogRecord(topics.HAND_LOG, 3, offset, 99, T, encode_record(record))
        for offset, record in enumerate((opened, forged, true))
    ]
    booked = Booker(store).book([Batch(3, 0, read(found), 3)])
    assert not booked.halted
    assert not booked.stopped
    assert positions(store)[T].record == true.id
    assert positions(store)[T].in_transit == {"r": 200}
