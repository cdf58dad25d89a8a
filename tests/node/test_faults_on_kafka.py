"""A network on Kafka under play: services killed, doubled, stopped and woken, the broker killed.

ARCHITECTURE 3, law 8: after any single crash play resumes with no acknowledged event lost, and
every hand ends. The pause is measured by the log's own times: a table's longest silence from the
fault on.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3

import pytest

from deploy.kafka.cluster import Cluster
from riverboat.game.commands import Funded
from riverboat.game.ids import partition_of
from riverboat.log.sharing import share_out
from riverboat.log.topics import PARTITIONS
from riverboat.runtime.config import SERVICES
from services.cli.trouble import TAKEN
from tests.node import guests
from tests.node.clocks import faked
from tests.node.playing import RESUME_S, Play, seed
from tests.node.watching import Pauses, now_ms

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(120),
]

# A supervised restart: the process starts, reads what it has missed, and goes on.
RESTART_MS = 3_000
# A member that nobody starts again is missed after its session's 2 s; then the others share.
MISSED_MS = 5_000
# A broker that was killed and started again, and all that hung on it.
BROKER_MS = 10_000
WATCHED_S = 5.0  # beyond the margin of clocks, well within a player's clock
STOPPED_S = 4.0  # longer than a session: the group has given the partitions to others meanwhile

KILLS = 10  # in one run
AUDITED_EVERY = 5

PLAYS = [service for service in SERVICES if service != "wallet"]


@pytest.mark.parametrize("service", PLAYS)
async def test_a_killed_service_is_back_in_time(on_kafka: Play, service):
    await on_kafka.a_while()
    at_ms = await on_kafka.signal(service, signal.SIGKILL)
    await on_kafka.settled(f"{service} killed", at_ms, within_ms=RESTART_MS)


async def test_a_killed_wallet_books_on_in_time(on_kafka: Play):
    """No hand waits for the wallet; what waits is what it has to book."""
    await on_kafka.a_while()
    at_ms = await on_kafka.signal("wallet", signal.SIGKILL)
    booked_ms = await on_kafka.booked(on_kafka.watcher.versions())
    pause = Pauses.of([booked_ms - at_ms])
    await on_kafka.held("wallet killed, until it books", pause, within_ms=RESTART_MS)
    await on_kafka.settled("wallet killed, at tables", at_ms, within_ms=RESTART_MS)


@pytest.mark.parametrize("service", ["betting", "dealer", "wallet"])
async def test_two_copies_share_the_work_and_one_may_die(on_kafka: Play, service):
    began_ms = now_ms()
    copy = await on_kafka.also(service, "two")
    await on_kafka.a_while()
    await on_kafka.settled(f"{service} doubled", began_ms, within_ms=RESTART_MS)
    if service != "wallet":
        writers = on_kafka.watcher.writers(service, began_ms)
        assert any("/two-" in writer for writer in writers), "the copy owns partitions"
        assert any("/one-" in writer for writer in writers), "and so does the first"
    at_ms = await on_kafka.end(copy)
    await on_kafka.settled(f"{service}'s copy killed", at_ms, within_ms=MISSED_MS)
    await on_kafka.booked(on_kafka.watcher.versions())


@pytest.mark.parametrize("service", ["betting", "dealer"])
async def test_a_service_that_was_stopped_wakes_up_late(on_kafka: Play, service):
    """A paused process that wakes up late is harmless: the log's order arbitrates."""
    copy = await on_kafka.also(service, "two")
    await on_kafka.a_while()
    at_ms = await on_kafka.signal(service, signal.SIGSTOP)
    await asyncio.sleep(STOPPED_S)
    await on_kafka.signal(service, signal.SIGCONT)
    await on_kafka.settled(f"{service} stopped, its copy goes on", at_ms, within_ms=MISSED_MS)
    ended_ms = await on_kafka.end(copy)
    await on_kafka.settled(f"{service}'s copy killed again", ended_ms, within_ms=MISSED_MS)


async def test_two_incarnations_under_one_name(on_kafka: Play):
    """A process that hangs is followed by another under its name, and ends when it wakes up."""
    hung = await on_kafka.pid("betting")
    at_ms = await on_kafka.signal("betting", signal.SIGSTOP)
    successor = await on_kafka.also("betting", "one")
    await on_kafka.settled("betting hangs and is followed", at_ms, within_ms=MISSED_MS)
    woken_ms = now_ms()
    os.kill(hung, signal.SIGCONT)
    await on_kafka.up.until(
        lambda line: "another process named 'one' has joined group betting" in line, RESUME_S
    )
    # Its supervisor starts it again: now that one is the newest.
    assert await asyncio.wait_for(successor.wait(), RESUME_S) == TAKEN
    await on_kafka.settled("old and new under one name", woken_ms, within_ms=MISSED_MS)


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
    told = [(time_ms, one) for time_ms, one in await guests.orders(on_kafka.address, table)]
    funded = [time_ms for time_ms, order in told if isinstance(order, Funded)]
    assert funded, "the seat was paid"
    assert min(funded) > started_ms, "the wallet that committed answered nobody"
    assert sum(watcher.count_at(table, end) for end in ends) == 1
    await on_kafka.settled("broker and wallet killed", at_ms, within_ms=BROKER_MS)


# Past a player's clock betting would extend it, and past the grace the dealer would void the hand.
@pytest.mark.parametrize(("service", "ahead_s"), [("betting", 40), ("dealer", 120)])
async def test_a_clock_that_is_ahead_ends_no_player_s_turn(on_kafka: Play, service, ahead_s):
    """ARCHITECTURE 4: a process corrects its clock by the log's; acts in time always win."""
    watcher = on_kafka.watcher
    began_ms = now_ms()
    copy = await on_kafka.also(
        service, "ahead", environment=faked(FAKETIME=f"+{ahead_s}s"), ready=False
    )
    await watcher.until(
        "the copy takes part",
        lambda: any("/ahead-" in writer for writer in watcher.writers(service, began_ms)),
        RESUME_S,
    )
    owned = share_out(PARTITIONS, ["one", "ahead"])["ahead"]
    table = await guests.idle_table(on_kafka.data, owned)
    await watcher.until("a hand", lambda: watcher.has(table, "HandStarted"), RESUME_S)
    await asyncio.sleep(WATCHED_S)
    for kind in ("TimedOut", "ClockExtended", "HandVoided"):
        assert watcher.count_at(table, kind) == 0, "his clock has not run out"
    await on_kafka.settled(
        f"{service}, clock {ahead_s} s ahead",
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


@pytest.mark.deep
@pytest.mark.timeout(600)
@pytest.mark.parametrize("run", [1, 2, 3, 4, 5, 6])
async def test_kills_at_random_moments(on_kafka: Play, run):
    """One service or two, while the one before may still be on its way back; sixty times in all."""
    on_kafka.rng.seed(f"{seed()}, run {run}")
    for number in range(KILLS):
        await on_kafka.a_while()
        at_ms = now_ms()
        services = on_kafka.rng.sample(PLAYS, on_kafka.rng.choice([1, 1, 2]))
        for service in services:
            await on_kafka.signal(service, signal.SIGKILL)
        what = f"{run}.{number + 1}: {' and '.join(services)} killed"
        # What breaks a law stays in the log: the next audit finds it too.
        audit = number % AUDITED_EVERY == AUDITED_EVERY - 1
        await on_kafka.settled(what, at_ms, within_ms=2 * RESTART_MS, audit=audit)
