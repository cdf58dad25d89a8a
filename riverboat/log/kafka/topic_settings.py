"""The cluster's topics against the table: made where they are missing, refused where they differ.

Never changes a topic that stands: what was kept under other settings may already be lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import TopicAlreadyExistsError, for_code

from riverboat.log.kafka.connection import MADE_MS, KafkaSettings, patiently
from riverboat.log.log import WrongTopic
from riverboat.log.topics import Topic

REPLICAS: Final = 3

_EXISTS: Final = TopicAlreadyExistsError.errno

# A topic that differs in one of these loses records or their times. `_at_least` and `_equal` say
# how; the rest (segments, copies) is the operator's to tune.
_EQUAL: Final = ("cleanup.policy", "message.timestamp.type", "unclean.leader.election.enable")
_AT_LEAST: Final = ("retention.ms", "retention.bytes", "max.message.bytes")
_UNLIMITED: Final = -1


async def ensure(
    admin: AIOKafkaAdminClient, settings: KafkaSettings, topics: Sequence[Topic], *, make: bool
) -> None:
    """Make the topics that are missing, and hold the others against the table."""
    standing = await patiently("the topics", settings, admin.list_topics)
    missing = [topic for topic in topics if topic.name not in standing]
    if missing and not make:
        raise WrongTopic(f"missing: {', '.join(topic.name for topic in missing)}")
    if missing:
        cluster = await patiently("the cluster", settings, admin.describe_cluster)
        replicas = settings.replicas or min(REPLICAS, len(cluster["brokers"]))
        await _make(admin, settings, missing, replicas)
    await _check_partitions(admin, settings, topics)
    await _check_settings(admin, settings, topics)


async def _make(
    admin: AIOKafkaAdminClient, settings: KafkaSettings, topics: Sequence[Topic], replicas: int
) -> None:
    new = [
        NewTopic(
            topic.name,
            topic.partitions,
            replicas,
            topic_configs=topic.kafka_settings(replicas=replicas),
        )
        for topic in topics
    ]
    answer = await patiently(
        "making the topics", settings, lambda: admin.create_topics(new), patience_ms=MADE_MS
    )
    for name, code, *said in answer.topic_errors:
        if code not in (0, _EXISTS):  # another process of the network was first
            raise WrongTopic(f"{name} cannot be made: {said[0] if said else for_code(code)}")


async def _check_partitions(
    admin: AIOKafkaAdminClient, settings: KafkaSettings, topics: Sequence[Topic]
) -> None:
    async def described() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = await admin.describe_topics([topic.name for topic in topics])
        for topic in found:
            errors = [topic["error_code"], *(part["error_code"] for part in topic["partitions"])]
            if any(errors):
                raise for_code(max(errors))()  # just made: some have no leader yet
        return found

    for found in await patiently("the topics", settings, described, patience_ms=MADE_MS):
        (topic,) = (topic for topic in topics if topic.name == found["topic"])
        stands = len(found["partitions"])
        if stands != topic.partitions:
            raise WrongTopic(
                f"{topic.name} has {stands} partitions, this network needs {topic.partitions}"
            )


async def _check_settings(
    admin: AIOKafkaAdminClient, settings: KafkaSettings, topics: Sequence[Topic]
) -> None:
    asked = [ConfigResource(ConfigResourceType.TOPIC, topic.name) for topic in topics]

    async def described() -> dict[str, dict[str, str]]:
        stands = {}
        for answer in await admin.describe_configs(asked):
            for code, _said, _kind, name, entries in answer.resources:
                if code:
                    raise for_code(code)()  # just made: not every broker has heard of it
                stands[name] = {entry[0]: entry[1] for entry in entries}
        return stands

    stands = await patiently("the topics' settings", settings, described)
    for topic in topics:
        different = differences(topic, stands[topic.name])
        if different:
            raise WrongTopic(f"{topic.name}: {'; '.join(different)}")


def differences(topic: Topic, stands: Mapping[str, str]) -> list[str]:
    """Where a topic's settings would lose what this network needs kept; one sentence each."""
    needed = topic.kafka_settings(replicas=1)
    found = []
    for setting in _EQUAL:
        if stands.get(setting) != needed[setting]:
            found.append(f"{setting} is {stands.get(setting)}, must be {needed[setting]}")
    for setting in _AT_LEAST:
        if topic.compacted and setting == "retention.ms":
            continue  # compaction alone decides
        has, least = int(stands.get(setting, 0)), int(needed[setting])
        if has != _UNLIMITED and (least == _UNLIMITED or has < least):
            found.append(f"{setting} is {has}, must be at least {needed[setting]}")
    return found
