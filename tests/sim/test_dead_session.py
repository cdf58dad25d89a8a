"""A session dies for good: those who played over it lose their lines, and nobody else does."""

from __future__ import annotations

import pytest

from riverboat.game.ids import instance_of
from riverboat.game.rules import HOUSE
from riverboat.game.table.events import LineLost
from riverboat.game.table.seats import lines_of
from riverboat.log import topics
from riverboat.log.log import Place
from riverboat.runtime.beats import SILENT_MS
from riverboat.sim.faults import NONE, Faults
from riverboat.sim.house import Order
from riverboat.sim.network import PARTITIONS, Network
from riverboat.wire.record import decode_record
from services.cli.simulate import house, tables

# What it said last may land a minute late: it seems to live until then.
PATIENCE_MS = SILENT_MS + 80_000


def given_up(net: Network) -> list[tuple[int, str]]:
    """When lines were given up as the gateway's fault, and the sessions they ended at."""
    found = []
    for partition in range(PARTITIONS):
        for record in net.log.records(Place(topics.HAND_LOG, partition)):
            for event in decode_record(record.value or b"").events:
                if isinstance(event, LineLost) and event.gateway:
                    found.append((record.time_ms, instance_of(event.connection)))
    return found


def standing(net: Network, instance: str) -> list[tuple[str, str]]:
    """Lines that end at this session and are not lost."""
    tables = net.auditor.tables.values()
    return [line for table in tables for line in lines_of(table, {instance})]


@pytest.mark.parametrize("faults", [NONE, Faults(append_late=0.05, slow_reader=0.1, skew_ms=400)])
def test_lines_of_a_dead_session_are_lost_and_no_others(faults: Faults) -> None:
    """ARCHITECTURE 7: "the dealer gives up his lines, as the gateway's fault"."""
    net = Network(house(), Order(3, 8, tables(3, 4, HOUSE.offered()), faults))
    net.begin()
    net.world.run(lambda: net.auditor.ended >= 8, net.world.now_ms + 600_000)
    assert given_up(net) == []
    died_ms = net.world.now_ms
    net.sessions[0].end()
    net.world.run(lambda: not standing(net, "session0"), died_ms + PATIENCE_MS)
    assert standing(net, "session0") == []
    assert standing(net, "session1") != []
    lost = given_up(net)
    assert {instance for _, instance in lost} == {"session0"}
    # The last beat may have been written a moment before.
    assert min(at_ms for at_ms, _ in lost) >= died_ms + SILENT_MS - 2_500
