"""Appending to Kafka: what waits for a partition travels as one record batch, whole or not at all.

One idempotent producer at a time. It retries by itself for as long as the cluster is away; when it
fails for good it is replaced, what it still had under way is said to have failed, and may yet land.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Iterable, Sequence

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, KafkaTimeoutError
from aiokafka.producer.message_accumulator import BatchBuilder
from aiokafka.structs import RecordMetadata

from riverboat.log.kafka.connection import KafkaSettings, impatient
from riverboat.log.log import Append, AppendFailed, LogError, Place, Sent
from riverboat.log.topics import (
    BATCH_BYTES_MAX,
    BATCH_HEADER_BYTES,
    RECORD_FRAME_BYTES,
    record_bytes,
)

_log = logging.getLogger(__name__)

NO_COMPRESSION = 0
# All partitions' batches for one broker travel in one request.
REQUEST_BYTES_MAX = 64 * 1024 * 1024


class _Waiting:
    """One append: done when each of its partitions is."""

    __slots__ = ("durable", "left", "time_ms")

    def __init__(self, durable: asyncio.Future[None], left: int) -> None:
        self.durable = durable
        self.left = left
        self.time_ms = 0  # the latest stamp of what has landed

    def landed(self, time_ms: int) -> None:
        self.left -= 1
        self.time_ms = max(self.time_ms, time_ms)
        if self.left == 0 and not self.durable.done():
            self.durable.set_result(None)

    def failed(self, reason: str) -> None:
        if not self.durable.done():
            self.durable.set_exception(AppendFailed(reason))
            self.durable.exception()  # seen: nobody needs to wait for it


class _Builder(BatchBuilder):  # type: ignore[misc]  # untyped
    """Takes no more records once the producer has numbered those that it holds.

    The producer counts them then, and builds the batch a turn of the loop later: a record that
    slipped in between would bear the number of the next batch's first, and the broker refuses that.
    """

    def __init__(self) -> None:
        super().__init__(BATCH_BYTES_MAX + BATCH_HEADER_BYTES, NO_COMPRESSION)

    def _set_producer_state(self, producer_id: int, producer_epoch: int, base: int) -> None:
        super()._set_producer_state(producer_id, producer_epoch, base)
        self.close()


class _Crate:
    """One record batch on its way to one partition; open until the producer numbers it."""

    __slots__ = ("builder", "bytes", "place", "waiting")

    def __init__(self, place: Place) -> None:
        self.place = place
        self.builder = _Builder()
        self.bytes = 0
        self.waiting: list[_Waiting] = []

    def take(self, records: Sequence[tuple[bytes, bytes | None]], size: int) -> bool:
        """Add these records, all or none of them."""
        if self.bytes + size > BATCH_BYTES_MAX:
            return False
        append = self.builder.append
        for key, value in records:
            if append(timestamp=None, key=key, value=value) is None:
                assert not self.bytes or self.builder.closed(), "what was counted fits"
                return False
        self.bytes += size
        return True

    def landed(self, time_ms: int) -> None:
        for waiting in self.waiting:
            waiting.landed(time_ms)

    def failed(self, reason: str) -> None:
        for waiting in self.waiting:
            waiting.failed(reason)


class Writer:
    """Appends for one process."""

    def __init__(self, settings: KafkaSettings) -> None:
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._producer = self._new_producer()
        self._ready = False
        self._closed = False
        self._open: dict[Place, _Crate] = {}  # the newest crate of each place
        self._lanes: dict[Place, deque[_Crate]] = {}  # not yet handed to the producer
        self._pumps: dict[Place, asyncio.Task[None]] = {}
        self._under_way: set[_Crate] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._abandoned: list[AIOKafkaProducer] = []  # failed, and not yet let go of
        self.replaced = 0  # producers that failed for good

    def _new_producer(self) -> AIOKafkaProducer:
        settings = self._settings
        producer = AIOKafkaProducer(
            enable_idempotence=True,
            acks="all",
            max_batch_size=BATCH_BYTES_MAX + BATCH_HEADER_BYTES,
            max_request_size=REQUEST_BYTES_MAX,
            linger_ms=0,  # what waits goes as soon as the last request is back
            **(settings.client() | {"request_timeout_ms": settings.leaderless_ms}),
        )
        impatient(producer.client, settings)
        return producer

    async def start(self) -> None:
        """Connect; `LogError` when the cluster is not there."""
        try:
            await self._producer.start()
        except KafkaError as error:
            await self._producer.stop()
            raise LogError(f"no Kafka at {self._settings.bootstrap}: {error}") from error
        self._ready = True

    def append(self, batch: Sequence[Append]) -> Sent:
        """Hand over a batch whose sizes and places were checked."""
        return Sent(None, self._hand_over(batch).durable)

    async def stamp(self, batch: Sequence[Append]) -> int:
        """Append this batch; the time that the broker stamped it with."""
        waiting = self._hand_over(batch)
        await waiting.durable
        if not waiting.time_ms:
            raise AppendFailed("a copy had landed before, and the broker tells no time of it")
        return waiting.time_ms

    def _hand_over(self, batch: Sequence[Append]) -> _Waiting:
        if self._closed:
            raise AppendFailed("the log is closed")
        places: dict[Place, list[tuple[bytes, bytes | None]]] = {}
        sizes: dict[Place, int] = {}
        for topic, partition, key, value in batch:
            place = Place(topic, partition)
            if place not in places:
                places[place] = []
                sizes[place] = 0
            places[place].append((key.encode(), value))
            sizes[place] += record_bytes(key, value) + RECORD_FRAME_BYTES
        durable: asyncio.Future[None] = self._loop.create_future()
        if not places:
            durable.set_result(None)
        waiting = _Waiting(durable, len(places))
        for place, records in places.items():
            crate = self._open.get(place)
            if crate is None or not crate.take(records, sizes[place]):
                crate = self._open[place] = _Crate(place)
                fits = crate.take(records, sizes[place])
                assert fits, "a batch that was checked fits into an empty crate"
                self._queue(crate)
            crate.waiting.append(waiting)
        return waiting

    def _queue(self, crate: _Crate) -> None:
        self._lanes.setdefault(crate.place, deque()).append(crate)
        if self._ready and crate.place not in self._pumps:
            self._pump(crate.place)

    def _pump(self, place: Place) -> None:
        pump = self._pumps[place] = self._loop.create_task(self._send(place, self._producer))
        pump.add_done_callback(lambda _: self._pumped(place, pump))

    def _pumped(self, place: Place, pump: asyncio.Task[None]) -> None:
        if self._pumps.get(place) is pump:
            del self._pumps[place]
            if self._lanes.get(place) and self._ready and not self._closed:
                self._pump(place)

    async def _send(self, place: Place, producer: AIOKafkaProducer) -> None:
        """Hand the crates of one place to the producer, in order, until none waits."""
        lane = self._lanes[place]
        while lane and producer is self._producer:
            crate = lane[0]
            try:
                result = await producer.send_batch(
                    crate.builder, place.topic, partition=place.partition
                )
            except KafkaTimeoutError:
                continue  # the broker is away, and the crate before this one has not left yet
            except Exception as error:
                self._replace(producer, error)
                return
            lane.popleft()
            self._under_way.add(crate)
            result.add_done_callback(
                lambda result, crate=crate: self._settled(producer, crate, result)
            )

    def _settled(
        self, producer: AIOKafkaProducer, crate: _Crate, result: asyncio.Future[RecordMetadata]
    ) -> None:
        error = None if result.cancelled() else result.exception()
        if crate not in self._under_way:
            return  # given up with its producer
        self._under_way.discard(crate)
        if self._open.get(crate.place) is crate:
            del self._open[crate.place]
        if error is None and not result.cancelled():
            crate.landed(result.result().timestamp)
        else:
            crate.failed(f"{crate.place.topic}, partition {crate.place.partition}: {error!r}")
            self._replace(producer, error)

    def _replace(self, producer: AIOKafkaProducer, error: BaseException | None) -> None:
        """This producer's sequence has a hole: what it has under way fails, a new one takes over.

        What was not yet handed to it keeps its order and goes to the new one.
        """
        if producer is not self._producer or self._closed:
            return
        _log.warning(f"a Kafka producer failed for good and is replaced: {error!r}")
        self.replaced += 1
        self._ready = False
        self._producer = self._new_producer()
        self._give_up(f"the producer failed: {error!r}")
        self._pumps.clear()
        self._abandoned.append(producer)
        self._spawn(self._let_go(producer))
        self._spawn(self._start_again(self._producer))

    def _give_up(self, reason: str) -> None:
        crates, self._under_way = self._under_way, set()
        for crate in crates:
            if self._open.get(crate.place) is crate:
                del self._open[crate.place]
            crate.failed(reason)

    async def _let_go(self, producer: AIOKafkaProducer) -> None:
        await _abandon(producer)
        self._abandoned.remove(producer)

    async def _start_again(self, producer: AIOKafkaProducer) -> None:
        while producer is self._producer and not self._closed:
            try:
                await producer.start()
            except Exception as error:  # whatever it is, without a producer nothing goes on
                _log.warning(f"no Kafka at {self._settings.bootstrap}: {error!r}")
                await asyncio.sleep(self._settings.retry_backoff_ms / 1000)
                continue
            self._ready = True
            for place, lane in self._lanes.items():
                if lane and place not in self._pumps:
                    self._pump(place)
            return

    def _spawn(self, work: object) -> None:
        assert asyncio.iscoroutine(work)
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop; what was handed over has landed, or failed, when this returns."""
        if self._closed:
            return
        outstanding = {w.durable for crate in self._crates() for w in crate.waiting}
        outstanding = {durable for durable in outstanding if not durable.done()}
        if outstanding:
            await asyncio.wait(outstanding, timeout=self._settings.request_timeout_ms / 1000)
        self._closed = True
        for crate in list(self._crates()):
            crate.failed("the log was closed before the broker answered")
        self._under_way.clear()
        self._lanes.clear()
        for task in [*self._pumps.values(), *self._tasks]:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
        for producer in [*self._abandoned, self._producer]:
            await _abandon(producer)

    def _crates(self) -> Iterable[_Crate]:
        yield from self._under_way
        for lane in self._lanes.values():
            yield from lane


async def _abandon(producer: AIOKafkaProducer) -> None:
    """Let go of a producer without waiting for what it has under way.

    Its `stop` would wait for as long as the broker is away, so its batches are failed first and
    its sender ended; the client offers no public way.
    """
    producer._message_accumulator.fail_all(AppendFailed("the producer was given up"))
    sender = producer._sender.sender_task
    if sender is not None:
        sender.cancel()
    await producer.client.close()
    with contextlib.suppress(KafkaError, asyncio.CancelledError):
        await producer.stop()
