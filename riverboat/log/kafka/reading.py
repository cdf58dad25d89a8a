"""Reading from Kafka: one consumer a reader, at places and offsets of the reader's choice.

The broker holds a request until there is something; nothing here looks again on a timer. An offset
that is not in the log is an error, never a reason to start elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from aiokafka import AIOKafkaConsumer, ConsumerRecord, TopicPartition
from aiokafka.errors import KafkaError, OffsetOutOfRangeError

from riverboat.log.kafka.connection import KafkaSettings, impatient, patiently, stop
from riverboat.log.log import LogError, OffsetOutOfRange, Place, Record

# How long the broker may hold a request when there is nothing. The client does not interrupt one
# that it holds, so a place that is followed meanwhile waits for it: short, then.
HOLD_MS = 100
# Of all partitions of one broker. It must have come within the time of one answer, over a line of
# 25 Mbit/s too, or it would be asked for again and again.
FETCH_BYTES_MAX = 4 * 1024 * 1024
# The client's own look around when nothing happens; everything that matters wakes it.
IDLE_MS = 60_000
FOR_EVER_MS = 24 * 60 * 60 * 1000


class KafkaReader:
    """See `Reader` in log.py."""

    def __init__(
        self,
        settings: KafkaSettings,
        check: Callable[[Place], None],
        gone: Callable[[KafkaReader], None],
    ) -> None:
        self._settings = settings
        self._check = check
        self._gone = gone
        self._consumer: AIOKafkaConsumer | None = None
        self._offsets: dict[Place, int] = {}  # of the next record to hand over
        self._moved: set[Place] = set()
        self._regrouped = False  # places came or went since the consumer was told
        self._changed = asyncio.Event()
        self._taking = False
        self._broken: LogError | None = None  # nothing comes any more
        self.looks = 0  # how often `take` looked for records; a test holds that nothing polls

    def follow(self, place: Place, offset: int) -> None:
        self._check(place)
        self._regrouped |= place not in self._offsets
        self._offsets[place] = offset
        self._moved.add(place)
        self._tell_soon()

    def leave(self, place: Place) -> None:
        if self._offsets.pop(place, None) is not None:
            self._moved.discard(place)
            self._regrouped = True
            self._tell_soon()

    def _tell_soon(self) -> None:
        """Tell a consumer that waits: once for all changes of this turn of the loop."""
        if not self._changed.is_set():
            self._changed.set()
            asyncio.get_running_loop().call_soon(self._tell)

    def _tell(self) -> None:
        self._changed.clear()
        consumer = self._consumer
        if consumer is None:
            return
        if self._regrouped:
            # The client forgets every position with its assignment.
            consumer.assign([TopicPartition(*place) for place in self._offsets])
            self._moved = set(self._offsets)
            self._regrouped = False
        for place in self._moved:
            consumer.seek(TopicPartition(*place), self._offsets[place])
        self._moved.clear()

    async def take(
        self, *, most: int = 4096, wait_ms: int | None = None
    ) -> dict[Place, list[Record]]:
        assert not self._taking, "one task takes from a reader"
        loop = asyncio.get_running_loop()
        deadline = None if wait_ms is None else loop.time() + wait_ms / 1000
        self._taking = True
        try:
            consumer = await self._start()
            self._tell()
            while True:
                left_ms = FOR_EVER_MS
                if deadline is not None:
                    left_ms = max(0, round((deadline - loop.time()) * 1000))
                got = await self._look(consumer, most, left_ms)
                if got or (deadline is not None and loop.time() >= deadline - 0.001):
                    return got
        finally:
            self._taking = False

    async def _look(
        self, consumer: AIOKafkaConsumer, most: int, left_ms: int
    ) -> dict[Place, list[Record]]:
        self.looks += 1
        if self._broken is not None:
            raise self._broken
        try:
            found = await consumer.getmany(timeout_ms=left_ms, max_records=most)
        except OffsetOutOfRangeError as error:
            raise _out_of_range(error) from error
        except KafkaError as error:
            raise LogError(f"reading failed: {error!r}") from error
        got: dict[Place, list[Record]] = {}
        for spot, messages in found.items():
            place = Place(spot.topic, spot.partition)
            if place in self._offsets:
                got[place] = [_record(message) for message in messages]
                self._offsets[place] = messages[-1].offset + 1
        return got

    async def _start(self) -> AIOKafkaConsumer:
        if self._consumer is None:
            consumer = AIOKafkaConsumer(
                group_id=None,
                enable_auto_commit=False,
                auto_offset_reset="none",
                fetch_max_wait_ms=HOLD_MS,
                fetch_max_bytes=FETCH_BYTES_MAX,
                consumer_timeout_ms=IDLE_MS,
                **self._settings.client(),
            )
            impatient(consumer._client, self._settings)
            # Places first: without any, the client waits for its first ones in `getmany`.
            consumer.assign([])
            self._regrouped = True
            try:
                await patiently("a reader", self._settings, consumer.start)
            except BaseException:
                await stop(consumer)
                raise
            # When this task of the client breaks, nothing comes any more and nobody is told: the
            # client offers no public way.
            consumer._fetcher.error_future.add_done_callback(self._fetcher_ended)
            self._consumer = consumer
        return self._consumer

    def _fetcher_ended(self, fetching: asyncio.Future[None]) -> None:
        if not fetching.cancelled() and (error := fetching.exception()) is not None:
            self._broken = LogError(f"reading broke: {error!r}")
            if self._consumer is not None:
                # Whoever waits for records, who would wait for ever.
                self._consumer._subscription.abort_waiters(error)

    async def close(self) -> None:
        self._gone(self)
        self._offsets.clear()
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            with contextlib.suppress(KafkaError):  # what broke before breaks again
                await stop(consumer)


def _out_of_range(error: OffsetOutOfRangeError) -> OffsetOutOfRange:
    (asked,) = error.args
    said = "; ".join(
        f"{spot.topic}, partition {spot.partition}: offset {offset} is not in the log"
        for spot, offset in asked.items()
    )
    return OffsetOutOfRange(said)


def _record(message: ConsumerRecord) -> Record:
    return Record(
        message.topic,
        message.partition,
        message.offset,
        message.timestamp,
        (message.key or b"").decode(errors="replace"),
        message.value,
    )
