"""What the runtime's tests share: the echo service, its handlers, and a gate before them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_tools import protoc

from riverboat.game.refusals import HandCode, Refusal
from riverboat.runtime import errors
from riverboat.runtime.auth import Issuer, Verifier
from riverboat.runtime.calls import Call, Gate, methods
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.errors import BadInput
from riverboat.runtime.keys import KeyFile
from riverboat.runtime.limits import Limit
from riverboat.runtime.observe import Metrics
from riverboat.wire.v1 import access_pb2

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


class Echo:
    """Messages and services of `echo.proto`, by name."""

    def __init__(self, pool: descriptor_pool.DescriptorPool) -> None:
        self._pool = pool

    def message(self, name: str) -> Any:
        descriptor = self._pool.FindMessageTypeByName(f"riverboat.test.v1.{name}")
        return message_factory.GetMessageClass(descriptor)

    def service(self, name: str) -> Any:
        return self._pool.FindServiceByName(f"riverboat.test.v1.{name}")


@pytest.fixture(scope="session")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Echo:
    """The echo service; its options are read with the wire's own extensions."""
    assert access_pb2.DESCRIPTOR is not None
    out = tmp_path_factory.mktemp("echo") / "echo.binpb"
    code = protoc.main(
        ["protoc", f"-I{HERE}", f"-I{ROOT / 'protos'}", f"-I{_bundled()}", f"-o{out}", "echo.proto"]
    )
    assert code == 0
    pool = descriptor_pool.Default()
    for file in descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes()).file:
        pool.Add(file)
    return Echo(pool)


def _bundled() -> Path:
    return Path(protoc.__file__).parent / "_proto"


NOW_MS = 1_800_000_000_000
PRIVATE = "AsAh-the-hole-cards"  # stands in what breaks, and must never come out


class EchoRpc:
    """Handles the echo service; what it does is told by the word it is sent."""

    def __init__(self, echo: Echo) -> None:
        self._word = echo.message("Word")
        self._response = echo.message("EchoResponse")
        self.calls: list[Call] = []
        self.ended: list[str] = []
        self.one_ended = asyncio.Event()

    async def echo(self, request: Any, call: Call) -> Any:
        self.calls.append(call)
        return self._response(said=f"{call.caller.id}: {request.say}")

    async def say_back(self, request: Any, call: Call) -> Any:
        self.calls.append(call)
        if request.word == "refuse":
            return Refusal(HandCode.NOT_YOUR_TURN, turn_seat=4)
        if request.word == "passed":
            return Refusal(HandCode.TURN_PASSED, turn=9)
        if request.word == "bad":
            return BadInput("word", "must be better")
        if request.word == "bytes":
            return self._word(word="encoded").SerializeToString()
        if request.word == "break":
            raise ValueError(f"{PRIVATE} {request.word}")
        if request.word == "other":
            return self._response(said="of another type")
        if request.word == "hang":
            await asyncio.Event().wait()
        if request.word == "inner":
            async with asyncio.timeout(0.001):
                await asyncio.Event().wait()
        return request

    async def count_down(self, request: Any, call: Call) -> Any:
        self.calls.append(call)
        try:
            if request.word == "break":
                yield self._word(word="1")
                raise KeyError(PRIVATE)
            if request.word == "refuse":
                yield self._word(word="1")
                yield Refusal(HandCode.NO_HAND)
                raise AssertionError("a fault is the last thing said")
            for number in range(int(request.word), 0, -1):
                yield self._word(word=str(number))
        finally:
            self.ended.append(call.id)
            self.one_ended.set()

    async def talk(self, requests: Any, call: Call) -> Any:
        self.calls.append(call)
        try:
            async for request in requests:
                if request.word == "flood":
                    while True:
                        yield self._word(word="x" * 10_000).SerializeToString()
                if request.word == "cut":
                    call.cut(errors.exhausted("TOO_SLOW", "too slow", 0))
                yield request
        finally:
            self.ended.append(call.id)
            self.one_ended.set()


class World:
    """A gate before the echo service, its clock, its issuer."""

    def __init__(self, echo: Echo, folder: Path) -> None:
        self.echo = echo
        self.clock = ManualClock(NOW_MS)
        self.issuer = Issuer.open(
            folder, issuer="home", audience="riverboat", clock=self.clock, entropy=Seeded(1)
        )
        keys = KeyFile(folder / Issuer.KEYS, self.clock)
        self.verifier = Verifier(keys, issuer="home", audience="riverboat", clock=self.clock)
        self.metrics = Metrics()
        self.limit = Limit(self.clock, per_second=1, burst=1_000)
        self.gate = Gate(
            self.verifier,
            clock=self.clock,
            entropy=Seeded(2),
            metrics=self.metrics,
            limit=self.limit,
            unary_ms_max=200,
        )
        self.gate.open = True
        self.rpc = EchoRpc(echo)
        self.methods = {
            one.path.rpartition("/")[2]: one
            for one in methods(echo.service("EchoService"), self.rpc)
        }

    def bearer(self, *roles: str, player: str = "p1", lifetime_ms: int = 3_600_000) -> str:
        return f"Bearer {self.issuer.token(player, roles, lifetime_ms)}"

    def word(self, word: str) -> bytes:
        return bytes(self.echo.message("Word")(word=word).SerializeToString())

    def words(self, encoded: list[bytes]) -> list[str]:
        return [self.echo.message("Word").FromString(one).word for one in encoded]


@pytest.fixture
def world(echo: Echo, tmp_path: Path) -> World:
    """A gate that is open, before the echo service."""
    return World(echo, tmp_path)
