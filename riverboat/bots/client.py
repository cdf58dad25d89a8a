"""The native client's way: one Play stream for all that a process plays, and back after every cut.

All that waits goes up in one message. It decides nothing and remembers no table: its owner hears
what comes down and is told when a new stream stands.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import grpc

from riverboat.runtime.logs import facts
from riverboat.wire.v1 import session_pb2 as pb

logger = logging.getLogger(__name__)

ASKS_MOST: Final = 1_024  # of one message, as the session takes them
AGAIN_S: Final = 0.05
AGAIN_S_MOST: Final = 1.0

# What an answer is that will not be better the next time.
FOR_GOOD: Final = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INVALID_ARGUMENT,
    }
)


class Shut(Exception):
    """The network does not let this client in, or play; the text says why."""


class PlayStream:
    """One client's stream, as long as `run` runs."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        token: str,
        *,
        heard: Callable[[pb.Item], None],
        began: Callable[[], None],
        ended: Callable[[], None],
    ) -> None:
        """`began` is told of every new stream, before anything is asked; `ended` of its end."""
        self.cuts = 0  # how often a stream that stood was cut
        self._play = channel.stream_stream(
            "/riverboat.wire.v1.SessionService/Play",
            request_serializer=pb.PlayRequest.SerializeToString,
            response_deserializer=pb.PlayResponse.FromString,
        )
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._heard = heard
        self._began = began
        self._ended = ended
        self._asks: deque[pb.Ask] = deque()
        self._wake = asyncio.Event()

    def ask(self, ask: pb.Ask) -> None:
        """Send this with all else that waits."""
        self._asks.append(ask)
        self._wake.set()

    async def run(self) -> None:
        """Keep a stream until cancelled; raises `Shut` where there is no use in trying again."""
        wait_s = AGAIN_S
        while True:
            stood = await self._stream()
            if stood:
                self.cuts += 1
                wait_s = AGAIN_S
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, AGAIN_S_MOST)

    async def _stream(self) -> bool:
        """One stream, from its beginning to its end; whether anything ever came down."""
        self._asks.clear()
        call: Any = self._play(metadata=self._metadata)
        self._began()
        writing = asyncio.create_task(self._write(call))
        stood = False
        try:
            while (response := await call.read()) is not grpc.aio.EOF:
                stood = True
                for item in response.items:
                    self._heard(item)
        except grpc.aio.AioRpcError as error:
            if error.code() in FOR_GOOD:
                raise Shut(error.details() or error.code().name) from None
            logger.debug("the stream was cut", extra=facts(status=error.code().name))
        finally:
            writing.cancel()
            call.cancel()
            self._ended()
        return stood

    async def _write(self, call: Any) -> None:
        # A stream that has ended is told of by its reader.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._asks:
                    count = min(len(self._asks), ASKS_MOST)
                    asks = [self._asks.popleft() for _ in range(count)]
                    await call.write(pb.PlayRequest(asks=asks))
