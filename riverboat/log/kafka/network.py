"""The log on Kafka: durable on a majority of brokers before it is acknowledged.

Keeps what log.py promises by Kafka's own means and adds none: no transactions, no locks, no local
state. Where a batch stands is only known by reading it back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import KafkaError

from riverboat.log.kafka.connection import MADE_MS, KafkaSettings, greet, impatient, patiently
from riverboat.log.kafka.reading import KafkaReader
from riverboat.log.kafka.sharing import KafkaMembership
from riverboat.log.kafka.topic_settings import ensure
from riverboat.log.kafka.writing import Writer
from riverboat.log.log import Append, Place, Sent, WrongTopic
from riverboat.log.topics import CLOCK, TOPICS, Topic, aligned, by_name, check_batch, places


class KafkaLog:
    """See `Log` in log.py."""

    def __init__(self, settings: KafkaSettings, topics: Sequence[Topic]) -> None:
        self._settings = settings
        self._topics = by_name(topics)
        self._admin = AIOKafkaAdminClient(**settings.client())
        self._offsets = AIOKafkaConsumer(
            group_id=None, enable_auto_commit=False, **settings.client()
        )
        impatient(self._offsets._client, settings)
        self._writer = Writer(settings)
        self._readers: set[KafkaReader] = set()
        self._members: list[KafkaMembership] = []

    @classmethod
    async def open(
        cls, settings: KafkaSettings, topics: Sequence[Topic] = TOPICS, *, read_only: bool = False
    ) -> Self:
        """Connect, and make the topics that are missing (not with `read_only`)."""
        log = cls(settings, topics)
        try:
            await greet(settings)
            await patiently("no Kafka", settings, log._admin.start)
            await ensure(log._admin, settings, topics, make=not read_only)
            await patiently("no Kafka", settings, log._offsets.start)
            # Or it finds one unknown topic after the other, and waits each time; it offers no
            # public way.
            await log._offsets._client.set_topics([topic.name for topic in topics])
            # A topic just made has leaders before they lead; an answer for each place says so.
            every = [place for topic in topics for place in places(topic)]
            await log._bounds(every, log._offsets.end_offsets, patience_ms=MADE_MS)
            await log._writer.start()
        except BaseException:
            await log.close()
            raise
        return log

    @property
    def disk_low(self) -> bool:
        return False  # the brokers' disks are watched where the brokers are

    def append(self, batch: Sequence[Append]) -> Sent:
        check_batch(batch, self._topics)
        return self._writer.append(batch)

    @property
    def producers_replaced(self) -> int:
        """How many producers failed for good so far."""
        return self._writer.replaced

    def partitions(self, topic: str) -> int:
        return self._topics[topic].partitions if topic in self._topics else 0

    def reader(self) -> KafkaReader:
        reader = KafkaReader(self._settings, self._check, self._readers.discard)
        self._readers.add(reader)
        return reader

    def _check(self, place: Place) -> None:
        if not 0 <= place.partition < self.partitions(place.topic):
            raise WrongTopic(f"this log has no partition {place.partition} of {place.topic}")

    async def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        return await self._bounds(places, self._offsets.end_offsets)

    async def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        return await self._bounds(places, self._offsets.beginning_offsets)

    async def _bounds(
        self,
        places: Sequence[Place],
        ask: Callable[[Iterable[TopicPartition]], Awaitable[dict[TopicPartition, int]]],
        patience_ms: int | None = None,
    ) -> dict[Place, int]:
        for place in places:
            self._check(place)
        if not places:
            return {}
        spots = [TopicPartition(*place) for place in places]
        found = await patiently(
            "offsets", self._settings, lambda: ask(spots), patience_ms=patience_ms
        )
        return {Place(spot.topic, spot.partition): at for spot, at in found.items()}

    async def time_ms(self) -> int:
        batch = [Append(CLOCK, 0, "", b"")]
        check_batch(batch, self._topics)
        return await self._writer.stamp(batch)

    async def join(self, group: str, member: str, topics: Sequence[str]) -> KafkaMembership:
        for topic in topics:
            if topic not in self._topics:
                raise WrongTopic(f"this log has no topic {topic}")
        aligned([self._topics[topic] for topic in topics])
        membership = KafkaMembership(self._settings, group, member, topics, self)
        await membership.join()
        self._members.append(membership)
        return membership

    async def committed(self, group: str, places: Sequence[Place]) -> dict[Place, int]:
        """What a group has committed at these places."""
        spots = [TopicPartition(*place) for place in places]
        if not spots:
            return {}
        found = await patiently(
            f"group {group}",
            self._settings,
            lambda: self._admin.list_consumer_group_offsets(group, partitions=spots),
        )
        return {
            Place(spot.topic, spot.partition): stands.offset
            for spot, stands in found.items()
            if stands.offset >= 0
        }

    async def members(self, group: str) -> list[str]:
        """The ids that the cluster has given to a group's members."""
        found = await patiently(
            f"group {group}",
            self._settings,
            lambda: self._admin.describe_consumer_groups([group]),
        )
        members = (one for answer in found for described in answer.groups for one in described[5])
        return [member[0] for member in members]

    async def close(self) -> None:
        for member in self._members:
            await member.stop()
        for reader in list(self._readers):
            await reader.close()
        await self._writer.close()
        await self._offsets.stop()
        with contextlib.suppress(KafkaError):
            await self._admin.close()
