"""A network on Kafka with its ledger on PostgreSQL: database, wallet and session killed under play.

ARCHITECTURE 3, laws 3 and 4: whatever crashes in between, the ledger equals the log to the cent.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from deploy.kafka.cluster import Cluster
from deploy.postgres import server as postgres
from deploy.postgres.server import Server
from tests.node import guests
from tests.node.playing import RESUME_S, TABLES, Play, playing
from tests.node.watching import Pauses, Watcher, now_ms

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(300),
]

DATABASE = "database"
KINDS = (DATABASE, "wallet", "session")
RESTART_MS = 3_000
# A database that was killed reads its own log first; then the wallet must notice that it is back.
DATABASE_MS = 15_000
AWAY_S = 5.0
LONG_S = 600.0  # "killed at random for ten minutes at 20 tables"; "down for ten minutes"
# What twenty tables do in ten minutes is booked in a fraction of that.
CATCH_UP_MS = 120_000
ENDS = ("PlayerSeated", "BuyInReturned", "ReservationFailed")
PROBES = 6


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_both(
    one_broker: Cluster, database: Server, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Play]:
    """Five processes over one broker and one database server, and tables that play."""
    log, data = f"kafka://{one_broker.bootstrap}", tmp_path_factory.mktemp("network")
    async with playing(data, log, ledger=database.url(), tables=TABLES) as play:
        yield play


@pytest.fixture(scope="module")
def database() -> Iterator[Server]:
    """A server of this room's own: it is killed here."""
    reason = postgres.missing()
    if reason:
        pytest.skip(reason)
    # Not below pytest's own folder, which no other user may enter: it does not run as root.
    folder = Path(tempfile.mkdtemp(prefix="riverboat-postgres-"))
    server = Server(folder, attached=True)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


async def killed(play: Play, database: Server, kind: str) -> int:
    """Kill one of them, and see to it that it comes back; when it died, in ms."""
    if kind != DATABASE:
        return await play.signal(kind, signal.SIGKILL)
    at_ms = now_ms()
    database.kill()
    database.start()
    return at_ms


@pytest.mark.parametrize("kind", KINDS)
async def test_what_dies_takes_no_money_along(on_both: Play, database: Server, kind: str) -> None:
    await on_both.a_while()
    at_ms = await killed(on_both, database, kind)
    booked_ms = await on_both.booked(on_both.watcher.versions())
    pause = Pauses.of([booked_ms - at_ms])
    await on_both.held(f"{kind} killed, until all is booked", pause, within_ms=DATABASE_MS)
    await on_both.settled(f"{kind} killed, at tables", at_ms, within_ms=RESTART_MS)
    await on_both.audited()


async def test_while_the_database_is_away_new_seats_are_refused_and_play_goes_on(
    on_both: Play, database: Server
) -> None:
    """A buy-in that went out is neither lost nor taken twice: it is answered once, afterwards.

    Who asks once the wallet has noticed gets a clear error at once.
    """
    watcher = on_both.watcher
    table = await guests.open_table(on_both.data, "Waits")
    another = await guests.open_table(on_both.data, "Refuses")
    for player in ("waits", "late"):
        await guests.deposit(on_both.data, player)
    # Asked while nobody can answer, and before anybody can say so.
    await on_both.signal("wallet", signal.SIGSTOP)
    await guests.sit_down(on_both.data, table, "waits")
    at_ms = now_ms()
    database.stop()
    await on_both.signal("wallet", signal.SIGCONT)
    await told_so(on_both)
    assert not any(watcher.has(table, end) for end in ENDS), "nobody has answered for the money"
    assert await guests.refused(on_both.data, another, "late") == "LEDGER_AWAY"
    assert not watcher.has(another, "SeatReserved")
    database.start()
    await seated(on_both, another, "late")
    # In his seat where that was not free again by then, and else on his account.
    await watcher.until("the seat", lambda: answered(watcher, table), RESUME_S)
    assert sum(watcher.count_at(table, end) for end in ENDS) == 1
    await on_both.settled("database away, at tables", at_ms, within_ms=RESTART_MS)
    await on_both.booked(watcher.versions())
    await on_both.audited()


async def told_so(play: Play) -> None:
    """Wait until the tables know that no money can be brought; who asks before waits for it."""
    table = await guests.open_table(play.data, "Asks")
    for number in range(PROBES):
        await asyncio.sleep(AWAY_S)
        if await guests.refused(play.data, table, f"probe-{number}") == "LEDGER_AWAY":
            return
    raise AssertionError("nobody has told the tables")


async def seated(play: Play, table: str, player: str) -> None:
    """Ask again and again for a seat, as people do, until it is there."""
    async with asyncio.timeout(RESUME_S):
        while await guests.refused(play.data, table, player):
            await play.a_while()
    await play.watcher.until("a seat", lambda: play.watcher.has(table, "PlayerSeated"), RESUME_S)


async def finished(play: Play) -> None:
    """Every hand that is running goes on to its end.

    Who has lost all his chips can bring none now, so that a table may have too few for another.
    """
    watcher = play.watcher
    running = watcher.playing(play.tables)
    ended = {name: watcher.count_at(name, "HandEnded") for name in running}
    assert running, "somebody has chips"
    await watcher.until_all(
        "running hands are finished",
        running,
        lambda name: watcher.count_at(name, "HandEnded") > ended[name],
        RESUME_S,
    )
    assert watcher.count("HandVoided") == 0


def answered(watcher: Watcher, table: str) -> bool:
    """Whether the money that was asked for there came, went back, or was not to be had."""
    return any(watcher.has(table, end) for end in ENDS)


@pytest.mark.deep
@pytest.mark.timeout(1_200)
async def test_ten_minutes_of_kills(on_both: Play, database: Server) -> None:
    """Whatever of the three chance chooses, while the one before may still be on its way back."""
    end_s = asyncio.get_running_loop().time() + LONG_S
    kills = 0
    while asyncio.get_running_loop().time() < end_s:
        await on_both.a_while(4.0)
        kind = on_both.rng.choice(KINDS)
        at_ms = await killed(on_both, database, kind)
        kills += 1
        await on_both.settled(
            f"{kills}: {kind} killed", at_ms, within_ms=2 * RESTART_MS, audit=kills % 10 == 0
        )
    await on_both.booked(on_both.watcher.versions())
    await on_both.audited()


@pytest.mark.deep
@pytest.mark.timeout(1_200)
async def test_ten_minutes_without_the_database(on_both: Play, database: Server) -> None:
    """New buy-ins get a clear error, running hands go on, nothing is lost."""
    watcher = on_both.watcher
    table = await guests.open_table(on_both.data, "Long")
    await guests.deposit(on_both.data, "long")
    at_ms = now_ms()
    database.kill()
    await told_so(on_both)
    end_s = asyncio.get_running_loop().time() + LONG_S
    while asyncio.get_running_loop().time() < end_s:
        await asyncio.sleep(60.0)
        assert await guests.refused(on_both.data, table, "long") == "LEDGER_AWAY"
        await finished(on_both)
    assert not watcher.has(table, "SeatReserved")
    database.start()
    back_ms = now_ms()
    booked_ms = await on_both.booked(watcher.versions())
    pause = Pauses.of([booked_ms - back_ms])
    await on_both.held("ten minutes booked in", pause, within_ms=CATCH_UP_MS)
    await seated(on_both, table, "long")
    await on_both.settled("database away for 600 s", at_ms, within_ms=RESTART_MS)
    await on_both.booked(watcher.versions())
    await on_both.audited()
