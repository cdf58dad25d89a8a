"""A bare log under the load of play: nothing but records, as many and as large as acts bring.

An act is one command's record and those that it brings about; it is done when all of them were read
back. In one trip they are appended together, as the embedded network appends them; in two the rest
is appended once the command was read, as services do that speak over brokers. All acts go to one
partition of each topic, where a log is at its best. Decides nothing, folds nothing, proves nothing.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import grpc
import uvloop
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, Place
from riverboat.log.topics import HAND_LOG, TABLE_COMMANDS

OUTSTANDING: Final = 64
SECONDS: Final = 1.0
FILL: Final = os.urandom(4_096)
WARM_S: Final = 0.5  # connections are made and batches begun: not counted
COMMANDS: Final = Place(TABLE_COMMANDS, 3)
HANDS: Final = Place(HAND_LOG, 3)
_MARK: Final = 8  # bytes: the act's number, at the head of each of its records
_APART: Final = "bare."
_PATH: Final = "/bare.Log/Act"

Send = Callable[[Sequence[Append]], Awaitable[object]]
Take = Callable[[], Awaitable[Iterable[bytes]]]


class Load(NamedTuple):
    """What an act brings into the log."""

    command_bytes: int
    record_bytes: int
    records: float  # of the hand log, to one command

    def batch(self, number: int) -> list[Append]:
        """The records of this act, its command first."""
        mark, key = _mark(number), f"{number % OUTSTANDING:x}.3"
        command = mark + FILL[: self.command_bytes - _MARK]
        record = mark + FILL[: self.record_bytes - _MARK]
        count = int((number + 1) * self.records) - int(number * self.records)
        return [Append(*COMMANDS, key, command), *[Append(*HANDS, key, record)] * count]


class Way(Protocol):
    """Acts on their way through a log, near or far."""

    async def begin(self, numbers: Sequence[int]) -> None:
        """Let these acts go."""

    async def done(self) -> list[int]:
        """Wait for some; those that are over."""


class Acts:
    """Acts on their way through a log of this process."""

    def __init__(self, load: Load, send: Send, take: Take, trips: int) -> None:
        self.load = load
        self._send = send
        self._take = take
        self._trips = trips
        self._left: dict[bytes, int] = {}  # records to be read back yet, by act
        self._rest: dict[bytes, list[Append]] = {}  # what follows the command, by act

    async def begin(self, numbers: Sequence[int]) -> None:
        together: list[Append] = []
        for number in numbers:
            mark, batch = _mark(number), self.load.batch(number)
            self._left[mark] = len(batch)
            if self._trips > 1:
                self._rest[mark] = batch[1:]
                batch = batch[:1]
            together += batch
        await self._send(together)

    async def done(self) -> list[int]:
        over: list[int] = []
        more: list[Append] = []
        for value in await self._take():
            mark = value[:_MARK]
            left = self._left.get(mark)
            if left is None:
                continue
            more += self._rest.pop(mark, ())
            if left > 1:
                self._left[mark] = left - 1
            else:
                del self._left[mark]
                over.append(int.from_bytes(mark, "big"))
        if more:
            await self._send(more)
        return over


async def to_and_fro(way: Way) -> list[float]:
    """Seconds from letting an act go to its being done, with 64 outstanding."""
    began: dict[int, float] = {}
    took: list[float] = []
    number = 0
    counts = time.perf_counter() + WARM_S
    ends = counts + SECONDS
    while True:
        now = time.perf_counter()
        if now < ends:
            fresh = range(number, number + OUTSTANDING - len(began))
            number = fresh.stop
            began.update(dict.fromkeys(fresh, now))
            await way.begin(fresh)
        if not began:
            return took
        over = await way.done()
        now = time.perf_counter()
        took += [now - at for one in over if (at := began.pop(one)) >= counts]


@asynccontextmanager
async def embedded(load: Load) -> AsyncIterator[Acts]:
    """An embedded log with nobody else on it, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        log = await EmbeddedLog.open(Path(folder), clock=lambda: time.time_ns() // 1_000_000)
        reader = log.reader()
        for place in (COMMANDS, HANDS):
            reader.follow(place, 0)

        async def send(batch: Sequence[Append]) -> None:
            log.append(batch)

        async def take() -> list[bytes]:
            got = await reader.take(wait_ms=200)
            return [record.value or b"" for records in got.values() for record in records]

        yield Acts(load, send, take, 1)
        await reader.close()
        await log.close()


@asynccontextmanager
async def kafka(bootstrap: str, load: Load, trips: int) -> AsyncIterator[Acts]:
    """The bare client on a broker, set as the log sets it, on topics of its own."""
    await _make_topics(bootstrap)
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, enable_idempotence=True, acks="all")
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, auto_offset_reset="none")
    await producer.start()
    await consumer.start()
    spots = [TopicPartition(_APART + place.topic, 0) for place in (COMMANDS, HANDS)]
    consumer.assign(spots)
    await consumer.seek_to_end(*spots)

    async def send(batch: Sequence[Append]) -> None:
        for topic, _, key, value in batch:
            await producer.send(_APART + topic, value, key.encode(), 0)

    async def take() -> list[bytes]:
        got = await consumer.getmany(timeout_ms=200)
        return [message.value for messages in got.values() for message in messages]

    await take()
    yield Acts(load, send, take, trips)
    await producer.stop()
    await consumer.stop()


# Behind a bare wire: as far from who measures as the network is.


async def _make_topics(bootstrap: str) -> None:
    """Apart from the network's, which would put what it cannot read aside, record by record."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    names = {_APART + place.topic for place in (COMMANDS, HANDS)}
    missing = names - set(await admin.list_topics())
    await admin.create_topics([NewTopic(name, 1, 1) for name in sorted(missing)])
    await admin.close()


@asynccontextmanager
async def far(load: Load) -> AsyncIterator[Way]:
    """An embedded log in a process of its own; all that waits goes in one message, either way."""
    command = [sys.executable, "-m", "benchmarks.bare", *map(str, load)]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    port = int(await process.stdout.readline())
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.stream_stream(_PATH)()
        yield _Far(call)
        call.cancel()
    process.terminate()
    await process.wait()


class _Far:
    """Acts on their way through a log of another process."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def begin(self, numbers: Sequence[int]) -> None:
        if numbers:
            await self._call.write(b"".join(map(_mark, numbers)))

    async def done(self) -> list[int]:
        return _numbers(await self._call.read())


def _mark(number: int) -> bytes:
    return number.to_bytes(_MARK, "big")


def _numbers(message: bytes) -> list[int]:
    return [int.from_bytes(message[at : at + _MARK], "big") for at in range(0, len(message), _MARK)]


async def serve(load: Load) -> None:
    """Be the process of the bare log: one stream, acts up and acts down."""
    async with embedded(load) as acts:

        async def talk(incoming: AsyncIterator[bytes], context: Any) -> None:
            async def answer() -> None:
                while True:
                    over = await acts.done()
                    if over:
                        await context.write(b"".join(map(_mark, over)))

            answering = asyncio.create_task(answer())
            try:
                async for message in incoming:
                    await acts.begin(_numbers(message))
            finally:
                answering.cancel()

        server = grpc.aio.server()
        handlers: dict[str, Any] = {"Act": grpc.stream_stream_rpc_method_handler(talk)}
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("bare.Log", handlers),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        print(port, flush=True)
        await server.wait_for_termination()


if __name__ == "__main__":
    uvloop.run(serve(Load(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))))
