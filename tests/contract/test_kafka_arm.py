"""What only a real broker can do: go and come back, refuse a batch, hold other topics, forget."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.admin.records_to_delete import RecordsToDelete
from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment,
    ConsumerProtocolMemberMetadata,
)

from deploy.kafka.cluster import Cluster
from riverboat.log.kafka import KafkaLog, KafkaSettings
from riverboat.log.kafka.reading import KafkaReader
from riverboat.log.kafka.sharing import KafkaMembership
from riverboat.log.kafka.topic_settings import differences
from riverboat.log.log import (
    Append,
    AppendFailed,
    LogError,
    Membership,
    NameTaken,
    OffsetOutOfRange,
    WrongTopic,
)
from riverboat.log.opening import open_log
from riverboat.log.topics import TOPICS, by_name
from tests.contract.conftest import PARTITIONS, Arm, batch, now_ms, read, texts
from tests.contract.test_log_contract import SOON_MS, until_shared

pytestmark = pytest.mark.kafka


@pytest.fixture
async def kafka(kafka_broker: Cluster):
    made = Arm("kafka", f"kafka://{kafka_broker.bootstrap}")
    yield made
    await made.close()


@pytest.fixture
async def admin(kafka_broker: Cluster):
    client = AIOKafkaAdminClient(bootstrap_servers=kafka_broker.bootstrap)
    await client.start()
    yield client
    await client.close()


@pytest.mark.node
@pytest.mark.parametrize("end", ["stopped", "killed"])
async def test_a_broker_goes_and_comes_back(kafka: Arm, kafka_broker: Cluster, end):
    log = await kafka.open()
    reader = log.reader()
    reader.follow(kafka.place(), 0)
    member = await log.join(f"betting-{kafka.hands}", "b", [kafka.hands])
    await until_shared(member)
    await log.append(batch(kafka.place(), "before")).durable
    assert texts((await reader.take())[kafka.place()]) == ["before"]

    away = kafka_broker.stop if end == "stopped" else lambda: kafka_broker.kill_node(0)
    await asyncio.to_thread(away)
    sent = [log.append(batch(kafka.place(), f"during {n}")) for n in range(3)]
    waiting = asyncio.create_task(reader.take())
    await asyncio.sleep(1)
    assert not any(s.durable.done() for s in sent)
    assert not waiting.done()
    # Not from another thread: an attached broker ends with the thread that started it.
    kafka_broker.start_node(0)

    await asyncio.wait_for(asyncio.gather(*(s.durable for s in sent)), 30)
    got = texts((await waiting)[kafka.place()])
    while len(got) < 3:
        got += texts((await reader.take())[kafka.place()])
    assert got == ["during 0", "during 1", "during 2"]
    await asyncio.wait_for(member.commit({kafka.place(): 4}), 30)
    assert await member.committed([kafka.place()]) == {kafka.place(): 4}
    assert await log.ends([kafka.place()]) == {kafka.place(): 4}
    assert member.owned == frozenset(range(PARTITIONS))


@pytest.mark.node
async def test_a_broker_that_is_slow_makes_nothing_fail(kafka: Arm, kafka_broker: Cluster):
    """It is asked again before it has answered, several times; each record is written once."""
    log = await kafka.open()
    assert isinstance(log, KafkaLog)
    await log.append(batch(kafka.place(), "before")).durable
    kafka_broker.hang_node(0)
    try:
        sent = []
        for n in range(20):
            sent.append(log.append(batch(kafka.place(n % 2), str(n))))
            await asyncio.sleep(0.25)
        assert not any(s.durable.done() for s in sent)
    finally:
        kafka_broker.wake_node(0)
    await asyncio.wait_for(asyncio.gather(*(s.durable for s in sent)), 30)
    assert log.producers_replaced == 0
    wanted = [str(n) for n in range(20)]
    assert texts(await read(log, kafka.place(0), 10)) == wanted[::2]
    assert texts(await read(log, kafka.place(1), 11)) == ["before", *wanted[1::2]]
    assert await log.ends([kafka.place(0), kafka.place(1)]) == {
        kafka.place(0): 10,
        kafka.place(1): 11,
    }


async def test_a_member_that_dies_is_missed_soon(kafka: Arm):
    log = await kafka.open()
    group = f"betting-{kafka.hands}"
    first = await log.join(group, "b1", [kafka.hands])
    second = await log.join(group, "b2", [kafka.hands])
    await until_shared(first, second)
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert isinstance(second, KafkaMembership)
    await second.stop()  # without a word, as the dead do
    await until_shared(first)
    assert loop.time() - began < 5, "2 s of session, and the group's rearrangement"


async def stays(member: Membership) -> None:
    while True:
        await member.changed(member.owned)


async def test_of_two_members_with_one_name_the_older_ends(kafka: Arm):
    """Neither is told by the client: each would take the name from the other for ever."""
    older, newer = await kafka.open(), await kafka.open()
    group = f"betting-{kafka.hands}"
    beside = await older.join(group, "b1", [kafka.hands])
    first = await older.join(group, "b", [kafka.hands])
    await until_shared(beside, first)
    second = await newer.join(group, "b", [kafka.hands])
    with pytest.raises(NameTaken, match=f"'b' has joined group {group}"):
        await asyncio.wait_for(stays(first), SOON_MS / 1000)
    with pytest.raises(NameTaken):  # at once: who must end need not try for as long as he may
        await asyncio.wait_for(first.commit({kafka.place(min(first.owned)): 1}), 1)
    await until_shared(beside, second)
    with pytest.raises(TimeoutError):  # the newer has the name, and nobody takes it
        await asyncio.wait_for(stays(second), 2)
    await second.commit({kafka.place(min(second.owned)): 1})


class Babbling(AbstractPartitionAssignor):  # type: ignore[misc]  # untyped
    """Takes part under our assignor's name and says nothing that it understands."""

    name = "riverboat-aligned"

    def metadata(self, topics):
        return ConsumerProtocolMemberMetadata(0, sorted(topics), b"\xff")

    def assign(self, cluster, members):
        return {member: ConsumerProtocolMemberAssignment(0, [], b"") for member in members}

    def on_assignment(self, assignment):
        pass


async def test_a_member_that_could_not_come_back_is_no_rival_of_itself(kafka: Arm, caplog):
    """Each try leaves it in the group under another id; it is still nobody else."""
    log = await kafka.open()
    group = f"betting-{kafka.hands}"
    member = await log.join(group, "b", [kafka.hands])
    await until_shared(member)
    staying = asyncio.create_task(stays(member))
    # It leads the group, and cannot share anything out with such a one in it.
    stranger = AIOKafkaConsumer(
        bootstrap_servers=kafka.address.removeprefix("kafka://"),
        group_id=group,
        session_timeout_ms=1_000,
        heartbeat_interval_ms=200,
        partition_assignment_strategy=(Babbling(),),
    )
    stranger.subscribe([kafka.hands])
    babbling = asyncio.create_task(stranger.start())
    tries = f"group {group}, member b: "
    async with asyncio.timeout(SOON_MS / 1000):
        while sum(tries in told for told in caplog.messages) < 4:  # noqa: ASYNC110  it tells nobody
            await asyncio.sleep(0.01)
    babbling.cancel()
    await asyncio.gather(babbling, return_exceptions=True)
    await stranger.stop()
    await until_shared(member)
    await asyncio.wait_for(member.commit({kafka.place(): 1}), SOON_MS / 1000)
    assert not staying.done(), "nobody else has the name"
    staying.cancel()


async def limit_batches(admin: AIOKafkaAdminClient, topic: str, most: int) -> None:
    kept = {"max.message.bytes": str(most), "message.timestamp.type": "LogAppendTime"}
    await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, kept)])


async def test_a_producer_that_fails_for_good_is_replaced(kafka: Arm, admin: AIOKafkaAdminClient):
    log = await kafka.open()
    assert isinstance(log, KafkaLog)
    await log.append(batch(kafka.place(), "before")).durable
    await limit_batches(admin, kafka.hands, 2_000)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + SOON_MS / 1000
    while True:  # the broker takes a moment to heed its new setting
        failed = log.append([Append(*kafka.place(), "1.1", b"x" * 10_000)])
        others = [log.append(batch(kafka.place(2), str(n))) for n in range(3)]
        await asyncio.wait([failed.durable], timeout=SOON_MS / 1000)
        if failed.durable.exception() is not None or loop.time() > deadline:
            break
        await asyncio.gather(*(o.durable for o in others))
    with pytest.raises(AppendFailed, match=kafka.hands):
        await failed.durable
    assert log.producers_replaced == 1

    after = [log.append(batch(kafka.place(), f"after {n}")) for n in range(3)]
    await asyncio.wait_for(asyncio.gather(*(a.durable for a in after)), SOON_MS / 1000)
    end = (await log.ends([kafka.place()]))[kafka.place()]
    got = texts(await read(log, kafka.place(), 3, end - 3))
    assert got == ["after 0", "after 1", "after 2"]
    settled = await asyncio.gather(*(o.durable for o in others), return_exceptions=True)
    assert all(s is None or isinstance(s, AppendFailed) for s in settled), "each one is told"


async def test_a_batch_that_is_leaving_takes_no_more(kafka: Arm):
    """A record that slipped in behind its batch's numbering would leave the producer a gap."""
    log = await kafka.open()
    assert isinstance(log, KafkaLog)
    sent = []
    for n in range(1_000):  # in each turn of the loop, so also just behind the numbering
        sent.append(log.append(batch(kafka.place(), str(n))))
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*(s.durable for s in sent)), SOON_MS / 1000)
    assert log.producers_replaced == 0
    assert texts(await read(log, kafka.place(), 1_000)) == [str(n) for n in range(1_000)]


async def test_closing_without_a_broker_says_what_has_failed(kafka: Arm, kafka_broker: Cluster):
    settings = KafkaSettings(kafka_broker.bootstrap, request_timeout_ms=1_000)
    log = await KafkaLog.open(settings, kafka.topics)
    await log.append(batch(kafka.place(), "before")).durable
    await asyncio.to_thread(kafka_broker.stop)
    try:
        sent = log.append(batch(kafka.place(), "lost"))
        await asyncio.wait_for(log.close(), 30)
        with pytest.raises(AppendFailed):
            await sent.durable
        with pytest.raises(LogError, match="no Kafka"):
            await KafkaLog.open(settings, kafka.topics)
    finally:
        kafka_broker.start_node(0)
    with pytest.raises(AppendFailed, match="closed"):
        log.append(batch(kafka.place(), "later"))


async def test_offsets_below_what_is_kept_are_out_of_range(kafka: Arm, admin: AIOKafkaAdminClient):
    log = await kafka.open()
    await log.append(batch(kafka.place(), *"abcde")).durable
    spot = TopicPartition(*kafka.place())
    await admin.delete_records({spot: RecordsToDelete(3)})
    assert await log.starts([kafka.place()]) == {kafka.place(): 3}
    reader = log.reader()
    reader.follow(kafka.place(), 2)
    with pytest.raises(OffsetOutOfRange, match="offset 2 "):
        await reader.take(wait_ms=SOON_MS)
    assert texts(await read(log, kafka.place(), 2, 3)) == ["d", "e"]


@pytest.mark.parametrize("waits", [True, False])
async def test_a_reader_whose_client_breaks_says_so(kafka: Arm, waits):
    """Or its process would read nothing for ever, and be taken for well."""
    log = await kafka.open()
    reader = log.reader()
    assert isinstance(reader, KafkaReader)
    reader.follow(kafka.place(), 0)
    assert await reader.take(wait_ms=100) == {}
    assert reader._consumer is not None
    fetcher = reader._consumer._fetcher

    async def breaks() -> bool:
        raise RuntimeError("broken for a test")

    waiting = asyncio.create_task(reader.take()) if waits else None
    await asyncio.sleep(0)
    # One of the tasks in which the client fetches: there is no other way to break one on purpose.
    fetcher._pending_tasks.add(asyncio.create_task(breaks()))
    await asyncio.wait([fetcher.error_future], timeout=SOON_MS / 1000)
    with pytest.raises(LogError, match="reading"):
        await asyncio.wait_for(waiting or reader.take(), SOON_MS / 1000)


async def test_topics_are_made_as_the_table_says(kafka: Arm, admin: AIOKafkaAdminClient):
    await kafka.open()
    found = await admin.describe_configs(
        [ConfigResource(ConfigResourceType.TOPIC, topic.name) for topic in kafka.topics]
    )
    stands = {
        name: {entry[0]: entry[1] for entry in entries}
        for answer in found
        for _, _, _, name, entries in answer.resources
    }
    for topic in kafka.topics:
        needed = topic.kafka_settings(replicas=1)
        assert {key: stands[topic.name][key] for key in needed} == needed


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("cleanup.policy", "delete"),
        ("message.timestamp.type", "CreateTime"),
        ("max.message.bytes", "1000000"),
        ("unclean.leader.election.enable", "true"),
    ],
)
async def test_a_topic_with_settings_that_lose_records_is_refused(
    kafka: Arm, admin: AIOKafkaAdminClient, setting, value
):
    tables = by_name(kafka.topics)[kafka.tables]
    other = tables.kafka_settings(replicas=1) | {setting: value}
    await admin.create_topics([NewTopic(kafka.tables, PARTITIONS, 1, topic_configs=other)])
    with pytest.raises(WrongTopic, match=rf"{kafka.tables}: {setting} is {value}"):
        await kafka.open()


@pytest.mark.parametrize("kept", ["604800000", "-1"])
def test_a_log_kept_for_ever_may_not_forget(kept):
    (hands,) = (topic for topic in TOPICS if topic.keep_ms is None and "hand-log" in topic.name)
    stands = hands.kafka_settings(replicas=3) | {"retention.ms": kept}
    assert bool(differences(hands, stands)) == (kept != "-1")


async def test_looking_makes_no_topics(kafka: Arm, admin: AIOKafkaAdminClient):
    with pytest.raises(WrongTopic, match=f"missing: .*{kafka.hands}"):
        await open_log(kafka.address, kafka.topics, clock=now_ms, read_only=True)
    assert kafka.hands not in await admin.list_topics()
    await kafka.open()
    looking = await open_log(kafka.address, kafka.topics, clock=now_ms, read_only=True)
    assert looking.partitions(kafka.hands) == PARTITIONS
    await looking.close()


@pytest.mark.parametrize(
    "security",
    [{"sasl_user": "x"}, {"security_protocol": "TLS"}, {"tls_ca_file": "x", "username": "y"}],
)
def test_security_settings_that_mean_nothing_are_refused(security):
    with pytest.raises(ValueError, match=r"security"):
        KafkaSettings("localhost:1", security=security).client()
