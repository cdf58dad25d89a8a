"""What /metrics tells of a network that plays: all is there, and has moved where it must."""

from __future__ import annotations

import asyncio
import urllib.request
from pathlib import Path

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from riverboat.wire.v1 import dealer_pb2, session_pb2
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from riverboat.wire.v1.session_pb2_grpc import SessionServiceStub
from services.cli import reach
from tests.cli.house import Network, network
from tests.waiting import until

# By play, at a table that is dealt at, bet at, voided at, refused at and paid.
MOVED = (
    "hands_started_total",
    "hands_ended_total",
    "hands_voided_total",
    "actions_total",
    "refusals_total",
    "decide_seconds_count",
    "append_seconds_count",
    "read_back_seconds_count",
    "alarm_late_seconds_count",
    "action_to_watcher_seconds_count",
    "records_folded_total",
    "tables_owned",
    "watchers",
    "streams",
    "ready",
    "calls_total",
    "call_seconds_count",
    "postings_total",
)
# What stays 0 where nothing is wrong.
STILL = (
    "records_stale_total",
    "records_missing_total",
    "records_unreadable_total",
    "records_unauthorised_total",
    "decisions_failed_total",
    "stood_in_total",
    "tables_stopped",
    "tables_not_kept",
    "ledger_imbalance",
)
# There, and as it happens to be.
THERE = (
    "partition_lag_records",
    "owed",
    "clock_disagreement_seconds",
    "answers_ignored_total",
    "commands_copied_total",
    "records_beaten_total",
)

Scraped = dict[str, dict[tuple[str, ...], float]]


def scrape(port: int) -> Scraped:
    """All that the page tells, by name and by the values of labels in order."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page:
        text = page.read().decode()
    found: Scraped = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            name = sample.name.removeprefix("riverboat_")
            found.setdefault(name, {})[
                tuple(value for _, value in sorted(sample.labels.items()))
            ] = sample.value
    return found


async def refused(net: Network, table: str) -> None:
    """Ask for what makes no sense: to leave a table where one does not sit."""
    async with reach.channel(net.where, "session") as channel:
        leave = SessionServiceStub(channel).Leave
        with pytest.raises(grpc.aio.AioRpcError):
            await leave(
                session_pb2.LeaveRequest(table=table), metadata=reach.bearer(net.token("ann"))
            )


async def voided(net: Network, table: str) -> None:
    """Call a hand off that is being played; one may end before the dealer is asked."""
    state = net.house.tables[table]
    async with reach.channel(net.where, "dealer") as channel:
        while True:
            await until(lambda: state.deal is not None)
            assert state.deal is not None
            request = dealer_pb2.VoidHandRequest(hand=state.deal.hand)
            try:
                await DealerServiceStub(channel).VoidHand(request, metadata=net.operator)
                return
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.FAILED_PRECONDITION:
                    raise


async def test_every_series_of_a_network_that_plays_tells_of_it(tmp_path: Path) -> None:
    async with network(tmp_path, metrics="127.0.0.1:0") as net:
        metrics = net.house.metrics
        table = await net.open_table()
        slow = await net.open_table(turn_ms=1_000)
        # At one table all is quick; at the other all time runs out.
        async with net.bots(table, 4), net.bots(slow, 2, think_ms=60_000):
            state = net.house.tables[slow]
            await until(lambda: metrics.hands_ended.value >= 2 and state.deal is not None)
            await refused(net, table)
            await until(lambda: sum(metrics.alarm_late.counts) > 0)
            await voided(net, slow)
            await until(lambda: bool(metrics.imbalance.by and metrics.refusals.by))
            found = await asyncio.to_thread(scrape, net.house.metrics_port)
    assert [name for name in (*MOVED, *STILL, *THERE) if name not in found] == []
    assert [name for name in MOVED if not sum(found[name].values()) > 0] == []
    assert {name: found[name] for name in STILL if any(found[name].values())} == {}
    assert {number for number, _ in found["partition_lag_records"]} == {"0", "1", "2", "3"}
    assert found["tables_owned"][()] == 2
    # On busy cores a bot may be told that its time was up.
    assert ("NOT_SEATED",) in found["refusals_total"]
    assert found["refusals_total"].keys() <= {("NOT_SEATED",), ("TURN_PASSED",)}
    assert any("OK" in labels for labels in found["calls_total"])
    assert ("PLAY",) in found["ledger_imbalance"]
