"""All services of a network in this process, asked over real gRPC.

For the tests of this room that look at every call of the wire; holds no test itself.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import logging
import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_status import rpc_status

import riverboat.wire.v1
from riverboat.game.hand.events import Stakes
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.log import topics
from riverboat.log.log import Log, Place
from riverboat.log.opening import open_log
from riverboat.runtime import errors
from riverboat.runtime.auth import Issuer
from riverboat.runtime.calls import roles_of
from riverboat.runtime.clock import LogClock, SystemClock
from riverboat.runtime.config import Address, Config
from riverboat.runtime.grpc_server import REQUEST_BYTES_MAX
from riverboat.runtime.logs import JsonLines
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import dealer_pb2
from riverboat.wire.v1.access_pb2 import Role
from services.cli.house import House
from services.cli.issuing import make_issuer
from tests.services.hostile import SECRET

# A stream that is accepted may stand; this long without a fault is long enough.
STANDS_S = 0.05
# One that must end has all the time that a busy machine needs.
ENDS_S = 20.0
# What this client's own library says of a stream that the server ended before what was written had
# left: how the server ended it is lost by that, so it is asked again.
CUT = "Internal error from Core"
TRIES = 5

PARTITIONS = 2
SETTINGS = Settings(
    name="Danube",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=5, big_blind=10),
    currency="PLAY",
    seats=3,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=100,
    buy_in_most=2_000,
    turn_ms=60_000,
    grace_ms=60_000,
    reserve_ms=60_000,
    pause_ms=0,
)


def services() -> list[ServiceDescriptor]:
    """Every service of the wire."""
    found: list[ServiceDescriptor] = []
    for module in pkgutil.iter_modules(riverboat.wire.v1.__path__):
        if module.name.endswith("_pb2"):
            loaded = importlib.import_module(f"riverboat.wire.v1.{module.name}")
            found += loaded.DESCRIPTOR.services_by_name.values()
    return found


METHODS = [method for service in services() for method in service.methods]
NAMES = [f"{method.containing_service.name}.{method.name}" for method in METHODS]


class Told(NamedTuple):
    """What a call came to; of a stream, each of the faults that it brought."""

    codes: set[str]
    fields: set[str]
    text: str  # all that the client was told besides an answer


class Network:
    """All services in this process, asked over real gRPC."""

    def __init__(self, house: House, log: Log, issuer: Issuer, logged: io.StringIO) -> None:
        self.logged = logged
        self._house = house
        self.log = log
        self._issuer = issuer
        self.channel: Any = grpc.aio.insecure_channel(f"127.0.0.1:{house.port}")
        self.tokens: list[str] = []

    def bearer(self, method: MethodDescriptor, *, may: bool = True) -> str:
        """A token that may call this, or one that may not."""
        wanted = roles_of(method)
        roles = [
            Role.Name(role)[5:].lower()
            for role in Role.values()
            if role not in (Role.ROLE_UNSPECIFIED, Role.ROLE_ANYONE)
            and (role in wanted or Role.ROLE_ANYONE in wanted) is may
        ]
        return self.token("p1", *roles)

    async def ask(
        self, method: MethodDescriptor, bearer: str, data: bytes, stands_s: float = ENDS_S
    ) -> Told:
        """Call, and wait for an answer, a fault, or a stream that stands this long."""
        for _ in range(TRIES):
            try:
                return await self._call(method, bearer, data, stands_s)
            except grpc.aio.AioRpcError as error:
                if error.details() != CUT:
                    return _told(error)
        raise AssertionError(f"{method.name} ended {TRIES} times before it was asked anything")

    async def _call(
        self, method: MethodDescriptor, bearer: str, data: bytes, stands_s: float
    ) -> Told:
        path = f"/{method.containing_service.full_name}/{method.name}"
        metadata = (("authorization", bearer),) if bearer else ()
        assert len(data) <= REQUEST_BYTES_MAX, "gRPC itself refuses it, before it is a request"
        if method.client_streaming:
            both = self.channel.stream_stream(path)(metadata=metadata)
            await both.write(data)
            await both.done_writing()
            return await self._listen(method, both, stands_s)
        if method.server_streaming:
            down = self.channel.unary_stream(path)(data, metadata=metadata)
            return await self._listen(method, down, stands_s)
        await self.channel.unary_unary(path)(data, metadata=metadata)
        return Told({"OK"}, set(), "")

    async def _listen(self, method: MethodDescriptor, call: Any, stands_s: float) -> Told:
        """The faults in what comes down: inside a stream they travel as messages."""
        kind: Any = GetMessageClass(method.output_type)
        told = Told(set(), set(), "")
        try:
            async with asyncio.timeout(stands_s):
                while (message := await call.read()) is not grpc.aio.EOF:
                    for item in getattr(kind.FromString(message), "items", ()):
                        if item.answer.HasField("fault"):
                            fault = item.answer.fault
                            told.codes.add(_name(fault.status))
                            told.fields.update(one.field for one in fault.fields)
                            told = told._replace(text=f"{told.text}{fault}")
        except TimeoutError:
            pass
        finally:
            call.cancel()
        return told if told.codes else Told({"OK"}, set(), "")

    def token(self, subject: str, *roles: str) -> str:
        """A token of these roles, as a call carries it."""
        self.tokens.append(self._issuer.token(subject, roles, 3_600_000))
        return f"Bearer {self.tokens[-1]}"

    async def stands(self) -> object:
        """What a call could have changed: the log's ends and the money's count."""
        logs = (topics.TABLE_COMMANDS, topics.TABLE_ORDERS, topics.HAND_LOG)
        places = [Place(topic, partition) for topic in logs for partition in range(PARTITIONS)]
        return await self.log.ends(places), self._house.metrics.postings.value

    async def open_table(self) -> str:
        """A table that requests may name."""
        settings: Any = CODEC.encoder(Settings)(SETTINGS)
        request = dealer_pb2.OpenTableRequest(settings=settings)
        method = dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].methods_by_name[
            "OpenTable"
        ]
        answer = await self.channel.unary_unary(
            "/riverboat.wire.v1.DealerService/OpenTable",
            response_deserializer=dealer_pb2.OpenTableResponse.FromString,
        )(request.SerializeToString(), metadata=(("authorization", self.bearer(method)),))
        return str(answer.table)

    def check_hidden(self, told: Told) -> None:
        """Nothing of ours is in what the client was told, nothing of his in a line of the log."""
        for word in ("Traceback", ".py", "Error("):
            assert word not in told.text
        logged = self.logged.getvalue()
        assert SECRET not in logged
        for token in self.tokens:
            assert token not in logged


def _name(code: int) -> str:
    """The status's name by google.rpc's number."""
    return next(one.name for one in grpc.StatusCode if one.value[0] == code)


def _told(error: grpc.aio.AioRpcError) -> Told:
    fields: set[str] = set()
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    reasons = []
    for packed in status.details if status is not None else ():
        if packed.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            bad = error_details_pb2.BadRequest()
            packed.Unpack(bad)
            fields |= {one.field for one in bad.field_violations}
        if packed.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            info = error_details_pb2.ErrorInfo()
            packed.Unpack(info)
            assert info.domain == errors.DOMAIN
            reasons.append(info.reason)
    assert reasons, f"a fault tells its reason: {error}"
    return Told({error.code().name}, fields, f"{error.details()} {status}")


@asynccontextmanager
async def whole_network(folder: Path) -> AsyncIterator[Network]:
    """All services of an embedded network, ready, with all that they log."""
    stream, root = io.StringIO(), logging.getLogger()
    handler, ours = logging.StreamHandler(stream), logging.getLogger("riverboat")
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    level = ours.level
    ours.setLevel(logging.DEBUG)
    config = Config(
        data=folder,
        partitions=PARTITIONS,
        listen=Address("127.0.0.1", 0),
        metrics_listen=None,
        calls_per_second=1_000_000,
        calls_burst=1_000_000,
        unary_ms_max=5_000,
        stop_ms=0,
    )
    issuer = make_issuer(config)
    assert issuer is not None
    settings = topics.topics_with(PARTITIONS)
    log = await open_log(folder, settings, clock=SystemClock().now_ms)
    house = House(config, log, LogClock(SystemClock()))
    await house.start()
    await asyncio.wait_for(house.ready.wait(), 20)
    made = Network(house, log, issuer, stream)
    try:
        yield made
    finally:
        await made.channel.close()
        await house.stop()
        root.removeHandler(handler)
        ours.setLevel(level)
