"""Whether the brokers of deploy/kafka really start, die and come back. Knows no topic of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from deploy.kafka.cluster import Cluster

pytestmark = [pytest.mark.kafka, pytest.mark.node]


async def make_topic(bootstrap: str, name: str, copies: int) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        made = await admin.create_topics([NewTopic(name, 1, copies)])
        assert [code for _, code, *_ in made.topic_errors] == [0]
    finally:
        await admin.close()


async def write(bootstrap: str, topic: str, *values: bytes) -> None:
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap, enable_idempotence=True, retry_backoff_ms=50
    )
    await producer.start()
    try:
        for value in values:
            await producer.send_and_wait(topic, value)
    finally:
        await producer.stop()


async def read(bootstrap: str, topic: str, count: int) -> list[bytes | None]:
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="none")
    await consumer.start()
    try:
        place = TopicPartition(topic, 0)
        consumer.assign([place])
        await consumer.seek_to_beginning(place)
        return [(await consumer.getone()).value for _ in range(count)]
    finally:
        await consumer.stop()


async def test_one_broker_takes_records_and_gives_them_back(kafka_broker: Cluster) -> None:
    await make_topic(kafka_broker.bootstrap, "smoke", copies=1)
    await write(kafka_broker.bootstrap, "smoke", b"one", b"two")
    assert await read(kafka_broker.bootstrap, "smoke", 2) == [b"one", b"two"]


def test_a_folder_keeps_its_brokers_ports_and_name(tmp_path: Path) -> None:
    """A restart on the same data is the same cluster: clients find it where it was."""
    first = Cluster(tmp_path, nodes=3)
    again = Cluster(tmp_path)
    assert (again.id, again.nodes) == (first.id, first.nodes)


def test_a_given_port_is_the_first_brokers(tmp_path: Path) -> None:
    assert Cluster(tmp_path, nodes=3, port=29092).bootstrap == (
        "127.0.0.1:29092,127.0.0.1:29093,127.0.0.1:29094"
    )
