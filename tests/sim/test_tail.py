"""A broker loses the last records of a partition: whoever had read them must stop, not fork."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.rules import HOUSE
from riverboat.log import topics
from riverboat.log.log import Place
from riverboat.sim.faults import NONE
from riverboat.sim.house import House, Order
from riverboat.sim.network import Network
from services.cli.simulate import house, tables

SEEDS = range(1, 7)
# Some readers are behind what is lost, and some records of who was ahead land long after.
LAGGING = replace(NONE, slow_reader=0.3, append_late=0.1)


def lose(real: House, seed: int) -> Network:
    """Play, lose six records of a partition, and go on for a minute; raises what it breaks."""
    net = Network(real, Order(seed, 8, tables(seed, 4, HOUSE.offered()), LAGGING))
    net.begin()
    net.world.run(lambda: net.auditor.ended >= 8, net.world.now_ms + 600_000)
    net.lose_tail(Place(topics.HAND_LOG, seed % 2), 6)
    for _ in range(60):
        net.world.run(lambda: False, net.world.now_ms + 1_000)
        net.check_no_fork()
    return net


@pytest.mark.parametrize("seed", SEEDS)
def test_whoever_read_what_is_lost_stops(seed: int) -> None:
    """ARCHITECTURE 9: "a broker that loses its tail (must stop, not fork)"."""
    net = lose(house(), seed)
    assert net.world.reached["tail_lost"] == 1
    assert net.world.reached["stopped_not_forked"] > 0
