"""Services of a network on Kafka are killed, doubled, stopped and woken while twenty tables play.

ARCHITECTURE 3, law 8: after any single crash play resumes with no acknowledged event lost, and
every hand ends. The pause is measured by the log's own times: a table's longest silence from the
fault on.
"""

from __future__ import annotations

import asyncio
import signal

import pytest

from riverboat.runtime.config import SERVICES
from tests.node.playing import Play
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
STOPPED_S = 4.0  # longer than a session: the group has given the partitions to others meanwhile

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
