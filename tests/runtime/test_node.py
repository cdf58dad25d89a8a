"""The node: what it reads again, and what it tells, over a real log."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

from riverboat.game.commands import Asked, Leave, OpenTable, Ordered
from riverboat.game.record import Record
from riverboat.game.table.events import SatOut
from riverboat.log import topics
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, AppendFailed, Log, Place, Sent
from riverboat.log.sealing import SealedDecks
from riverboat.log.topics import topics_with
from riverboat.runtime.clock import LogClock, SystemClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.node import Node
from riverboat.runtime.service import Manifest
from riverboat.runtime.step import Step
from riverboat.wire.record import encode_asked, encode_ordered, encode_record
from services import betting, dealer
from tests.game.table.tables import SETTINGS
from tests.waiting import until

TABLE = "1.0"


class Watched:
    """A log that counts how often somebody begins to read, and may fail what is appended."""

    def __init__(self, inner: EmbeddedLog) -> None:
        self._inner = inner
        self.readers = 0
        self.fails = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def reader(self) -> Any:
        self.readers += 1
        return self._inner.reader()

    def append(self, appends: Any) -> Sent:
        sent = self._inner.append(appends)
        if not self.fails or appends[0].topic != topics.HAND_LOG:
            return sent
        failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        failed.set_exception(AppendFailed("the disk is gone"))
        return Sent(sent.records, failed)


class Told:
    """An edge that keeps what it may tell."""

    def __init__(self) -> None:
        self.cuts = 0
        self.told = 0

    def cut(self) -> Any:
        self.cuts += 1
        return self.tell

    def tell(self) -> None:
        self.told += 1


async def watched(folder: Path) -> Watched:
    return Watched(await EmbeddedLog.open(folder, topics_with(1), clock=SystemClock().now_ms))


def a_step(*manifests: Manifest) -> Step:
    decks = SealedDecks(DerivedKeys(bytes(32)), Seeded(1), lambda: 0)
    return Step([(manifest, 0) for manifest in manifests], "life", Seeded(2), decks)


def a_node(network: Watched, step: Step, broke: list[BaseException], *edges: Told) -> Node:
    return Node(
        cast(Log, network),
        step,
        LogClock(SystemClock()),
        member="m1",
        incarnation=lambda: "life",
        edges=edges,
        follows=[0],
        fatal=broke.append,
    )


def follows_nothing(version: int) -> Append:
    """A record whose history was never written."""
    event = SatOut("ann", "asked")
    record = Record(TABLE, version, "lost", f"dealer/x/{version}", "", None, 1, (event,))
    return Append(topics.HAND_LOG, 0, TABLE, encode_record(record))


async def test_nobody_stands_in_before_what_stood_at_the_start_is_read(tmp_path: Path):
    network = await watched(tmp_path)
    asked = encode_asked(Asked(TABLE, "ann", 1, Leave()))
    await network.append([Append(topics.TABLE_COMMANDS, 0, TABLE, asked)]).durable
    broke: list[BaseException] = []
    step = a_step(betting.MANIFEST)
    node = a_node(network, step, broke)
    await node.start()
    assert step.fences.behind == {0}
    await node.caught_up.wait()
    assert step.fences.behind == set()
    assert step.positions[Place(topics.TABLE_COMMANDS, 0)] == 1
    await node.stop()
    await network.close()
    assert broke == []


async def test_a_tables_history_is_read_again_once_however_often_the_node_wakes(tmp_path: Path):
    """ARCHITECTURE 2, applying: "refold that table from earlier"."""
    network = await watched(tmp_path)
    broke: list[BaseException] = []
    step = a_step()
    node = a_node(network, step, broke)
    await node.start()
    before = network.readers
    node.submit([follows_nothing(7)])
    for _ in range(5):
        node.wake()
        await asyncio.sleep(0)
    await until(lambda: step.tables.entries[TABLE].lost)
    assert network.readers == before + 1
    await node.stop()
    await network.close()
    assert not broke


async def test_what_did_not_become_durable_is_told_to_nobody(tmp_path: Path):
    """ARCHITECTURE 6, the log: "nothing leaves the process before its commit"."""
    network = await watched(tmp_path)
    edge = Told()
    step = a_step(dealer.MANIFEST)
    node = a_node(network, step, [], edge)
    await node.start()
    await node.caught_up.wait()
    network.fails = True
    opens = Ordered(TABLE, "o1", "test", OpenTable(SETTINGS))
    node.submit([Append(topics.TABLE_ORDERS, 0, TABLE, encode_ordered(opens))])
    cuts, told = edge.cuts, edge.told
    await until(lambda: step.tables.entries[TABLE].table.settings is not None)
    node.wake()
    await until(lambda: edge.cuts > cuts + 1)
    assert edge.told == told
    await node.stop()
    await network.close()


class Share:
    """A membership whose share is what the test says; it tells its offsets when it may."""

    def __init__(self) -> None:
        self.owned: frozenset[int] = frozenset()
        self.asked = False
        self.tells = asyncio.Event()
        self.tells.set()
        self._moved = asyncio.Event()

    def move(self, *owned: int) -> None:
        self.owned = frozenset(owned)
        self._moved.set()

    async def changed(self, before: frozenset[int]) -> frozenset[int]:
        while self.owned == before:
            self._moved.clear()
            await self._moved.wait()
        return self.owned

    async def commit(self, offsets: Any) -> None:
        """Nothing is kept."""

    async def committed(self, places: Any) -> dict[Any, int]:
        self.asked = True
        await self.tells.wait()
        return {}

    async def leave(self) -> None:
        """Nothing is given up."""


class Shared(Watched):
    """A log that gives each group the share that the test says."""

    def __init__(self, inner: EmbeddedLog) -> None:
        super().__init__(inner)
        self.shares = {"dealer": Share(), "betting": Share()}

    async def join(self, group: str, member: str, inputs: Any) -> Share:
        return self.shares[group]


async def test_a_partition_that_is_lost_while_it_is_taken_up_is_let_go_of(tmp_path: Path):
    network = Shared(await EmbeddedLog.open(tmp_path, topics_with(2), clock=SystemClock().now_ms))
    dealers, bettings = network.shares["dealer"], network.shares["betting"]
    broke: list[BaseException] = []
    step = a_step(dealer.MANIFEST, betting.MANIFEST)
    node = a_node(network, step, broke)  # it follows partition 0 in any case
    await node.start()
    dealers.asked = False
    dealers.tells.clear()
    dealers.move(1)
    await until(lambda: dealers.asked)  # it is being taken up, and lost:
    dealers.move()
    bettings.move(0)  # another service's share changes, and this process tidies up
    for _ in range(10):
        await asyncio.sleep(0)
    dealers.tells.set()
    await until(lambda: bool(broke or (step.deciders[1].owned and not step.deciders[0].owned)))
    assert not broke
    await until(lambda: not [place for place in step.positions if place.partition == 1])
    dealers.move(1)  # whoever gets it again takes it up from the start
    await until(lambda: bool(broke) or step.deciders[0].owned == {1})
    assert not broke
    await node.stop()
    await network.close()
