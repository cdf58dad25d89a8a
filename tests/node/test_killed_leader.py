"""Three brokers: any of them is killed, and the one that leads while twenty tables play.

ARCHITECTURE 3, law 8: after the loss of any minority of brokers play resumes, with no acknowledged
event lost.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from aiokafka.admin import AIOKafkaAdminClient

from deploy.kafka.cluster import Cluster
from riverboat.game.ids import partition_of
from riverboat.log import topics
from tests.node.conftest import brokers
from tests.node.playing import Play, playing
from tests.node.test_kafka_broker import make_topic, read, write
from tests.node.watching import now_ms

pytestmark = [
    pytest.mark.kafka,
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(180),
]

LEADER_MS = 10_000


@pytest.fixture(scope="module")
def three_brokers(tmp_path_factory: pytest.TempPathFactory):
    cluster = brokers(tmp_path_factory.mktemp("brokers"), 3)
    yield cluster
    cluster.stop()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_three(
    three_brokers: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Play]:
    data = tmp_path_factory.mktemp("network")
    async with playing(data, f"kafka://{three_brokers.bootstrap}") as play:
        yield play


async def test_three_brokers_outlive_any_one_of_them(three_brokers: Cluster) -> None:
    bootstrap = three_brokers.bootstrap
    await make_topic(bootstrap, "smoke", copies=3)
    written = []
    for n in range(3):
        three_brokers.kill_node(n)
        assert not three_brokers.runs(n)
        value = f"without {n}".encode()
        await write(bootstrap, "smoke", value)
        written.append(value)
        three_brokers.start_node(n)
    assert await read(bootstrap, "smoke", 3) == written


async def leaders(cluster: Cluster) -> dict[int, int]:
    """The broker that leads each partition of the hand log."""
    admin = AIOKafkaAdminClient(bootstrap_servers=cluster.bootstrap)
    await admin.start()
    try:
        (found,) = await admin.describe_topics([topics.HAND_LOG])
        return {part["partition"]: part["leader"] for part in found["partitions"]}
    finally:
        await admin.close()


async def test_a_leader_that_is_killed_is_followed_by_another(
    on_three: Play, three_brokers: Cluster
):
    await on_three.a_while()
    led = await leaders(three_brokers)
    victim = led[partition_of(on_three.tables[0])]
    tables = [name for name in on_three.tables if led[partition_of(name)] == victim]
    at_ms = now_ms()
    three_brokers.kill_node(victim)
    await on_three.settled("a partition's leader killed", at_ms, tables, within_ms=LEADER_MS)
    others = [name for name in on_three.tables if name not in tables]
    await on_three.settled("a leader killed, others' tables", at_ms, others, within_ms=LEADER_MS)
    three_brokers.start_node(victim)


@pytest.mark.parametrize(
    "hangs", [1, pytest.param(6, marks=[pytest.mark.deep, pytest.mark.timeout(600)])]
)
async def test_a_leader_that_hangs_is_followed_by_another(
    on_three: Play, three_brokers: Cluster, hangs
):
    """It answers nobody and closes nothing: whoever asked it must think of others by himself."""
    for number in range(hangs):
        await on_three.a_while()
        led = await leaders(three_brokers)
        victim = led[partition_of(on_three.rng.choice(on_three.tables))]
        tables = [name for name in on_three.tables if led[partition_of(name)] == victim]
        others = [name for name in on_three.tables if name not in tables]
        at_ms = now_ms()
        three_brokers.hang_node(victim)
        try:
            what = f"a leader hangs, {number + 1}"
            await on_three.settled(what, at_ms, tables, within_ms=LEADER_MS)
            await on_three.settled(f"{what}, others' tables", at_ms, others, within_ms=LEADER_MS)
        finally:
            woken_ms = now_ms()
            three_brokers.wake_node(victim)
        await on_three.settled(f"it wakes up, {number + 1}", woken_ms, within_ms=LEADER_MS)
