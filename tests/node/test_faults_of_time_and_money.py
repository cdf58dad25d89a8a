"""Faults timed to the moment: a wallet dead between commit and answer, a wrong clock, a broker."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from pathlib import Path

import pytest

from deploy.kafka.cluster import Cluster
from riverboat.game.commands import Funded
from riverboat.game.ids import partition_of
from riverboat.log import topics
from riverboat.log.log import Place, Record
from riverboat.log.opening import open_log
from riverboat.log.sharing import share_out
from riverboat.wire.record import decode_ordered
from tests.node import guests
from tests.node.playing import RESUME_S, Play
from tests.node.watching import now_ms

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(120),
]

AHEAD_S = 120
# A broker that was killed and started again, and all that hung on it.
BROKER_MS = 10_000
WATCHED_S = 5.0  # beyond the margin of clocks, well within a player's clock


async def orders(address: str, table: str) -> list[tuple[int, object]]:
    """What the house ordered at a table, and when."""
    network = await open_log(address, clock=now_ms, read_only=True)
    try:
        place = Place(topics.TABLE_ORDERS, partition_of(table))
        end = (await network.ends([place]))[place]
        reader = network.reader()
        reader.follow(place, 0)
        found: list[Record] = []
        while not found or found[-1].offset + 1 < end:
            found += (await reader.take())[place]
        await reader.close()
        decoded = [(one.time_ms, decode_ordered(one.value or b"")) for one in found]
        return [(at_ms, one.order) for at_ms, one in decoded if one.table == table]
    finally:
        await network.close()


async def test_a_wallet_that_dies_between_its_commit_and_its_answer(
    on_kafka: Play, one_broker: Cluster
):
    """ARCHITECTURE 5: a second reading finds the first answer, and it is told until it is seen."""
    data, watcher = on_kafka.data, on_kafka.watcher
    table = await guests.open_table(data, "Late")
    await guests.deposit(data, "late")
    # Whoever holds the ledger holds the wallet up before its commit ...
    ledger = sqlite3.connect(data / "ledger.sqlite", isolation_level=None)
    ledger.execute("BEGIN IMMEDIATE")
    await guests.sit_down(data, table, "late")
    await watcher.until("a reservation", lambda: watcher.has(table, "SeatReserved"), RESUME_S)
    await asyncio.sleep(0.5)  # for the wallet to have read it
    # ... and without a broker it has nobody to answer to afterwards.
    at_ms = now_ms()
    one_broker.kill_node(0)
    ledger.execute("ROLLBACK")
    ledger.close()
    await on_kafka.ledger(lambda store: bool(store.owed([partition_of(table)])))
    await on_kafka.signal("wallet", signal.SIGKILL)
    started_ms = now_ms()
    one_broker.start_node(0)
    # A seat, or where all that took too long for one: the money goes back.
    ends = ("PlayerSeated", "BuyInReturned")
    await watcher.until("an end", lambda: any(watcher.has(table, end) for end in ends), RESUME_S)
    told = [(time_ms, one) for time_ms, one in await orders(on_kafka.address, table)]
    funded = [time_ms for time_ms, order in told if isinstance(order, Funded)]
    assert funded, "the seat was paid"
    assert min(funded) > started_ms, "the wallet that committed answered nobody"
    assert sum(watcher.count_at(table, end) for end in ends) == 1
    await on_kafka.settled("broker and wallet killed", at_ms, within_ms=BROKER_MS)


def faked(ahead_s: int) -> dict[str, str]:
    """An environment in which a process's clock is ahead."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip("a wrong clock needs Debian's package faketime, which is not here")
    return {
        "LD_PRELOAD": str(found[0]),
        "FAKETIME": f"+{ahead_s}s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
    }


async def idle_table(play: Play, members: list[str], owner: str) -> str:
    """A table that `owner` owns, where two guests play and neither acts."""
    partitions = len(await partitions_of(play.address))
    owned = share_out(partitions, members)[owner]
    for number in range(2 * partitions):
        table = await guests.open_table(play.data, f"Idle {number}")
        if partition_of(table) in owned:
            break
    for player in ("north", "south"):
        await guests.deposit(play.data, player)
        await guests.sit_down(play.data, table, player)
    await play.watcher.until("a hand", lambda: play.watcher.has(table, "HandStarted"), RESUME_S)
    return table


async def partitions_of(address: str) -> range:
    network = await open_log(address, clock=now_ms, read_only=True)
    try:
        return range(network.partitions(topics.HAND_LOG))
    finally:
        await network.close()


@pytest.mark.parametrize("service", ["betting", "dealer"])
async def test_a_clock_that_is_ahead_ends_no_player_s_turn(on_kafka: Play, service):
    """ARCHITECTURE 4: a process corrects its clock by the log's; acts in time always win."""
    watcher = on_kafka.watcher
    began_ms = now_ms()
    copy = await on_kafka.also(service, "ahead", environment=faked(AHEAD_S), ready=False)
    await watcher.until(
        "the copy takes part",
        lambda: any("/ahead-" in writer for writer in watcher.writers(service, began_ms)),
        RESUME_S,
    )
    table = await idle_table(on_kafka, ["one", "ahead"], "ahead")
    await asyncio.sleep(WATCHED_S)
    for kind in ("TimedOut", "ClockExtended", "HandVoided"):
        assert watcher.count_at(table, kind) == 0, "his clock has not run out"
    await on_kafka.settled(
        f"{service}, clock 120 s ahead",
        began_ms,
        within_ms=3_000,
    )
    at_ms = await on_kafka.end(copy)
    await on_kafka.settled(f"{service} ahead killed", at_ms, within_ms=5_000)


async def test_a_broker_that_is_killed_and_started_again(on_kafka: Play, one_broker: Cluster):
    await on_kafka.a_while()
    at_ms = now_ms()
    one_broker.kill_node(0)
    one_broker.start_node(0)
    await on_kafka.settled("broker killed and started", at_ms, within_ms=BROKER_MS)
