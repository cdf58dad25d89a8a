"""Networks under play for the tests of faults, and the table of pauses that these leave."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_asyncio

from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from tests.node.playing import playing


def brokers(folder: Path, nodes: int) -> Cluster:
    """Brokers of one's own: a network's topics are a cluster's only once."""
    reason = jars.missing()
    if reason:
        pytest.skip(reason)
    cluster = Cluster(folder, nodes, attached=True)
    cluster.start()
    return cluster


@pytest.fixture(scope="module")
def one_broker(tmp_path_factory: pytest.TempPathFactory):
    cluster = brokers(tmp_path_factory.mktemp("brokers"), 1)
    yield cluster
    cluster.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_kafka(one_broker: Cluster, tmp_path_factory: pytest.TempPathFactory):
    """Five supervised processes over one broker, and twenty tables that play."""
    data = tmp_path_factory.mktemp("network")
    async with playing(data, f"kafka://{one_broker.bootstrap}") as play:
        yield play
