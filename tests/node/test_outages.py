"""Everything stopped for a while, and started again: play goes on, or every chip goes back.

RULES 7: an outage shorter than the table's grace resumes each hand where the log left it; a longer
one is a server failure: the hand is voided and the table cashed out. Held to the cent by the log
and by the ledger.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from services.cli.first_tables import table_settings
from services.wallet.store import Store
from tests.node import guests
from tests.node.playing import RESUME_S, Play, playing
from tests.node.watching import now_ms

pytestmark = [
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(240),
]

TABLES = 8
# What starting two processes takes comes on top of a stop.
START_MS = 6_000
SHORT_S = 10.0
# The grace of a table for people is 60 s, and begins when a clock has run out: a test that waits
# for less has a table with less.
TURN_MS = 2_000
GRACE_MS = 3_000
BEYOND_S = 8.0
LONG_S = 120.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_file(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Play]:
    async with playing(tmp_path_factory.mktemp("network"), tables=TABLES, voids=True) as play:
        yield play


async def stopped(play: Play, seconds: float) -> int:
    """Everything is dead for so long, and started again; when it died, in ms."""
    at_ms = now_ms()
    await play.up.kill()
    await asyncio.sleep(seconds)
    await play.up.start()
    return at_ms


def held(play: Play, player: str) -> dict[str, int]:
    """What the ledger has of a player, by kind of account."""
    store = Store(play.data / "ledger.sqlite", read_only=True)
    try:
        return {one.kind: one.balance for one in store.holdings(player)}
    finally:
        store.close()


async def test_an_outage_of_ten_seconds_is_played_on(on_file: Play) -> None:
    voided = on_file.watcher.count("HandVoided")
    at_ms = await stopped(on_file, SHORT_S)
    within_ms = int(SHORT_S * 1_000) + START_MS
    await on_file.settled("all stopped for 10 s", at_ms, within_ms=within_ms, voids=voided)
    assert on_file.watcher.count("HandVoided") == voided
    await on_file.booked(on_file.watcher.versions())
    await on_file.audited()


async def test_past_the_grace_the_hand_is_voided_and_the_table_paid_out(on_file: Play) -> None:
    """Two who never act: the outage takes their hand, and nothing but their hand."""
    watcher, pair = on_file.watcher, ("grace-north", "grace-south")
    settings = table_settings(name="Grace", small=5, big=10, turn_ms=TURN_MS)
    table = await guests.open_with(on_file.data, replace(settings, grace_ms=GRACE_MS))
    for player in pair:
        await guests.deposit(on_file.data, player)
        await guests.sit_down(on_file.data, table, player)
    await watcher.until("a hand", lambda: watcher.has(table, "HandStarted"), RESUME_S)
    await stopped(on_file, BEYOND_S)
    await watcher.until("all is paid out", lambda: watcher.has(table, "PlayerLeft"), RESUME_S)
    assert watcher.count_at(table, "HandVoided") == 1
    await on_file.booked({table: watcher.versions()[table]})
    for player in pair:
        assert held(on_file, player) == {"player": guests.BUY_IN, "table": 0, "transit": 0}
    await on_file.audited()


@pytest.mark.deep
@pytest.mark.timeout(400)
async def test_an_outage_of_two_minutes_voids_every_hand_and_pays_all_out(on_file: Play) -> None:
    watcher = on_file.watcher
    await on_file.a_while()
    await on_file.up.kill()
    running = watcher.playing(on_file.tables)
    voided = {table: watcher.count_at(table, "HandVoided") for table in running}
    await asyncio.sleep(LONG_S)
    at_ms = now_ms()
    await on_file.up.start()
    await watcher.until_all(
        "every hand that ran is voided",
        running,
        lambda table: watcher.count_at(table, "HandVoided") == voided[table] + 1,
        RESUME_S,
    )
    # Those who were paid out buy in again, and play.
    await watcher.until_all(
        "hands go on", on_file.tables, lambda name: watcher.gone_on(name, at_ms), RESUME_S
    )
    await on_file.booked(watcher.versions())
    await on_file.audited()
