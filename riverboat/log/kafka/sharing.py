"""Owning partitions on Kafka: a static member of a consumer group, which fetches nothing itself.

Ownership is advice, for efficiency: while a group rearranges itself two members may believe that
they own a partition, and the log's order arbitrates. So a member keeps what it had until it hears
what it has now.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.abstract import AbstractPartitionAssignor
from aiokafka.coordinator.protocol import (
    ConsumerProtocolMemberAssignment,
    ConsumerProtocolMemberMetadata,
)
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError
from aiokafka.errors import InvalidSessionTimeoutError as SessionTimeoutRefused

from riverboat.log.kafka.connection import KafkaSettings, stop
from riverboat.log.kafka.reading import FOR_EVER_MS, IDLE_MS
from riverboat.log.log import LogError, NameTaken, Place
from riverboat.log.sharing import share_out

_log = logging.getLogger(__name__)

# The least that a broker accepts unless it was told otherwise.
SESSION_DEFAULT_MS = 6_000

# The cluster calls a static member by its name, a dash and an id of this length.
_ID_CHARS = 36


class Asked(Protocol):
    """Whoever can be asked about a group."""

    async def committed(self, group: str, places: Sequence[Place]) -> dict[Place, int]: ...

    async def members(self, group: str) -> list[str]: ...


class _Aligned(AbstractPartitionAssignor):  # type: ignore[misc]  # untyped
    """Gives each member the same partition numbers of every topic, by the members' names.

    The name travels with each member. It is all that travels, so that a member that comes back
    says what it said before, and the broker gives it its share without rearranging the group.
    (The client takes an object for a class here: it only calls it.)
    """

    name = "riverboat-aligned"
    version = 0

    def __init__(self, member: str) -> None:
        self._member = member.encode()

    def assign(
        self, cluster: Any, members: Mapping[str, ConsumerProtocolMemberMetadata]
    ) -> dict[str, ConsumerProtocolMemberAssignment]:
        names = {member: metadata.user_data.decode() for member, metadata in members.items()}
        topics = sorted({topic for metadata in members.values() for topic in metadata.subscription})
        counts = [len(cluster.partitions_for_topic(topic) or ()) for topic in topics]
        shares = share_out(min(counts, default=0), names.values())
        return {
            member: ConsumerProtocolMemberAssignment(
                self.version, [(topic, sorted(shares[name])) for topic in topics], b""
            )
            for member, name in names.items()
        }

    def metadata(self, topics: Iterable[str]) -> ConsumerProtocolMemberMetadata:
        return ConsumerProtocolMemberMetadata(self.version, sorted(topics), self._member)

    def on_assignment(self, assignment: ConsumerProtocolMemberAssignment) -> None:
        """Nothing to remember: the names decide."""


class KafkaMembership(ConsumerRebalanceListener):  # type: ignore[misc]  # untyped
    """See `Membership` in log.py."""

    def __init__(
        self,
        settings: KafkaSettings,
        group: str,
        member: str,
        topics: Sequence[str],
        asked: Asked,
    ) -> None:
        self._settings = settings
        self._group = group
        self._member = member
        self._topics = tuple(topics)
        self._asked = asked
        self._session_ms = settings.session_timeout_ms
        self._owned: frozenset[int] = frozenset()
        self._id = ""  # by which the group knows this member
        self._asking = False  # to join, and not answered yet
        self._taken: NameTaken | None = None
        self._moved = asyncio.Event()  # replaced at each change
        self._consumer: AIOKafkaConsumer | None = None
        self._watch: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Enter the group; ends with the first share."""
        try:
            await self._enter()
        except KafkaError as error:
            raise LogError(f"{self._member} cannot join group {self._group}: {error!r}") from error
        self._watch = asyncio.create_task(self._keep())

    async def _enter(self) -> None:
        try:
            await self._try_to_enter()
        except SessionTimeoutRefused:
            if self._session_ms >= SESSION_DEFAULT_MS:
                raise
            _log.warning(
                f"the broker's group.min.session.timeout.ms is above {self._session_ms}: a member"
                f" that dies is missed only after {SESSION_DEFAULT_MS} ms"
            )
            self._session_ms = SESSION_DEFAULT_MS
            await self._try_to_enter()

    async def _try_to_enter(self) -> None:
        consumer = AIOKafkaConsumer(
            group_id=self._group,
            group_instance_id=self._member,
            enable_auto_commit=False,
            auto_offset_reset="latest",
            partition_assignment_strategy=(_Aligned(self._member),),
            session_timeout_ms=self._session_ms,
            heartbeat_interval_ms=self._settings.heartbeat_ms,
            consumer_timeout_ms=IDLE_MS,
            max_partition_fetch_bytes=1,  # it never reads; a fetch may slip in before the pause
            **self._settings.client(),
        )
        consumer.subscribe(self._topics, listener=self)
        self._consumer = consumer
        try:
            await consumer.start()
        except BaseException:
            await self._drop()
            raise

    async def _keep(self) -> None:
        """Stay a member: errors of the group are only told to whoever asks the client."""
        while self._consumer is not None and self._taken is None:
            try:
                await self._consumer.getmany(timeout_ms=FOR_EVER_MS)
            except KafkaError as error:
                _log.warning(f"group {self._group}, member {self._member}: {error!r}")
                await asyncio.sleep(self._settings.heartbeat_ms / 1000)
                with contextlib.suppress(KafkaError):
                    await self._drop()
                await self._come_back()

    async def _drop(self) -> None:
        """Give the client up; who it was to the group is remembered."""
        consumer, self._consumer = self._consumer, None
        assert consumer is not None, "only a client that is there is given up"
        if consumer._coordinator is not None:
            known = consumer._coordinator.member_id
            # Even where it was never told a share. Who asked to join may have an id by an answer
            # that he did not hear: then nobody can tell him from a rival until he is back.
            if known or self._asking:
                self._id = known
        await stop(consumer)

    async def _come_back(self) -> None:
        while self._consumer is None and not await self._is_replaced():
            try:
                await self._enter()
            except KafkaError as error:
                _log.warning(f"group {self._group}, member {self._member}: {error!r}")
                await asyncio.sleep(self._settings.heartbeat_ms / 1000)

    async def _is_replaced(self) -> bool:
        """Whether another process is in the group under this name: it came later, and stays.

        Each would else be told that it is unknown, join again and take the name from the other, for
        ever: the client knows nothing of fenced names.
        """
        if self._id and self._taken is None:
            try:
                found = await self._asked.members(self._group)
            except LogError as error:
                _log.warning(f"group {self._group}, member {self._member}: {error}")
                return False
            if any(one != self._id and one[:-_ID_CHARS] == f"{self._member}-" for one in found):
                self._taken = NameTaken(
                    f"another process named {self._member!r} has joined group {self._group}"
                )
                self._moved.set()
        return self._taken is not None

    # What the group tells.

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """The group is joined anew; nothing is given up before it is known what comes instead."""
        consumer = self._consumer
        forgotten = consumer is not None and not consumer._coordinator.member_id
        if forgotten and await self._is_replaced():
            # The client has no other way not to join again: this ends its task.
            raise asyncio.CancelledError
        self._asking = True

    def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """The group has rearranged itself."""
        if self._consumer is None:
            return
        self._asking = False
        self._id = self._consumer._coordinator.member_id
        self._consumer.pause(*assigned)
        owned = frozenset(spot.partition for spot in assigned)
        if owned != self._owned:
            self._own(owned)

    def _own(self, owned: frozenset[int]) -> None:
        self._owned = owned
        self._moved.set()
        self._moved = asyncio.Event()

    # What its owner asks.

    @property
    def owned(self) -> frozenset[int]:
        return self._owned

    async def changed(self, before: frozenset[int]) -> frozenset[int]:
        while self._owned == before and self._taken is None:
            await self._moved.wait()
        if self._taken is not None:
            raise self._taken
        return self._owned

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.request_timeout_ms / 1000
        while mine := {
            TopicPartition(*place): offset
            for place, offset in offsets.items()
            if place.partition in self._owned and place.topic in self._topics
        }:
            if self._taken is not None:
                raise self._taken
            try:
                if self._consumer is not None:
                    await self._consumer.commit(mine)
                    return
                refused: Exception = LogError("not a member at the moment")
            except (CommitFailedError, IllegalStateError) as error:
                refused = error  # the group is rearranging itself; some may be another's now
            except KafkaError as error:
                raise LogError(f"group {self._group}: {error!r}") from error
            if loop.time() > deadline:
                raise LogError(f"group {self._group}: {refused!r}") from refused
            await asyncio.sleep(self._settings.retry_backoff_ms / 1000)

    async def committed(self, places: Sequence[Place]) -> dict[Place, int]:
        return await self._asked.committed(self._group, places)

    async def leave(self) -> None:
        if self._consumer is not None:
            # A static member says no good-bye of its own accord: its share waits for it. This
            # one will not come back.
            self._consumer._coordinator._group_instance_id = None
        await self.stop()
        self._own(frozenset())

    async def stop(self) -> None:
        """End without a word: under the same name it finds its share again."""
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watch
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            await stop(consumer)
