"""Every call of every service, asked wrongly many times: told by field, nothing changed or shown.

"The status and details of ARCHITECTURE.md section 7, a field named, nothing changed, no traceback
to the client, nothing private in a log line." The requests are made from the descriptors.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import logging
import pkgutil
import re
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
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
from riverboat.runtime.checks import checker
from riverboat.runtime.clock import LogClock, SystemClock
from riverboat.runtime.config import Address, Config
from riverboat.runtime.grpc_server import REQUEST_BYTES_MAX
from riverboat.runtime.logs import JsonLines
from riverboat.runtime.sound import sound
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import dealer_pb2
from riverboat.wire.v1.access_pb2 import Role
from services.cli.house import House
from services.cli.issuing import make_issuer
from tests.services.hostile import SECRET, Maker, parses

QUICK, DEEP = 100, 2_000
# What a call may be told; INTERNAL and UNKNOWN would be faults of ours.
PROPER = {
    "OK",
    "INVALID_ARGUMENT",
    "FAILED_PRECONDITION",
    "ABORTED",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
}
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
        self._log = log
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
        self.tokens.append(self._issuer.token("p1", roles, 3_600_000))
        return f"Bearer {self.tokens[-1]}"

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

    async def stands(self) -> object:
        """What a call could have changed: the log's ends and the money's count."""
        logs = (topics.TABLE_COMMANDS, topics.TABLE_ORDERS, topics.HAND_LOG)
        places = [Place(topic, partition) for topic in logs for partition in range(PARTITIONS)]
        return await self._log.ends(places), self._house.metrics.postings.value

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


@pytest.fixture
async def network(tmp_path: Path) -> Any:
    """All services of an embedded network, ready, with all that they log."""
    stream, root = io.StringIO(), logging.getLogger()
    handler, ours = logging.StreamHandler(stream), logging.getLogger("riverboat")
    handler.setFormatter(JsonLines())
    root.addHandler(handler)
    level = ours.level
    ours.setLevel(logging.DEBUG)
    config = Config(
        data=tmp_path,
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
    log = await open_log(tmp_path, settings, clock=SystemClock().now_ms)
    house = House(config, log, LogClock(SystemClock()))
    await house.start()
    await asyncio.wait_for(house.ready.wait(), 20)
    made = Network(house, log, issuer, stream)
    yield made
    await made.channel.close()
    await house.stop()
    root.removeHandler(handler)
    ours.setLevel(level)


def test_every_call_names_who_may_call_it():
    """An RPC without a role fails here, and is refused when a server starts."""
    assert len(METHODS) > 10
    for method in METHODS:
        roles = roles_of(method)
        assert roles, f"{method.full_name}: names no role"
        assert Role.ROLE_UNSPECIFIED not in roles


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_the_quick_look_and_the_long_one_agree(method):
    """`sound` tells whether, `checks` tells what: a right request costs only the quick look."""
    maker, is_sound = Maker(f"sound {method.full_name}"), sound(method.input_type)
    check = checker(method.input_type)
    for _ in range(QUICK):
        right = maker.right(method.input_type)
        assert is_sound(right)
        assert check(right) == ()
        made = maker.wrong(method.input_type)
        if made is not None:
            message, field = made
            assert not is_sound(message)
            assert [one.field for one in check(message)] == [field]


async def test_every_call_of_the_wire_is_served(network):
    for method in METHODS:
        path = f"/{method.containing_service.full_name}/{method.name}"
        call = network.channel.stream_stream(path)()
        await call.write(b"")
        await call.done_writing()
        assert await call.code() is grpc.StatusCode.UNAUTHENTICATED


async def ask_wrongly(network: Network, method: MethodDescriptor, count: int) -> None:
    """Ask `count` times with one known fault each; each is named and nothing changes."""
    maker = Maker(f"wrong {method.full_name}")
    before = await network.stands()
    for turn in range(count):
        kind = maker.rng.random()
        made = maker.wrong(method.input_type) if kind < 0.8 else None
        while made is not None and made[0].ByteSize() > REQUEST_BYTES_MAX:
            made = maker.wrong(method.input_type)
        right = maker.right(method.input_type)
        if kind >= 0.9:
            bearer = maker.rng.choice(["", "Bearer", "Basic x", "Bearer a.b.c", f"Bearer {SECRET}"])
            told = await network.ask(method, bearer, right.SerializeToString())
            assert told.codes == {"UNAUTHENTICATED"}
        elif made is None:
            if Role.ROLE_ANYONE in roles_of(method):
                continue
            bearer = network.bearer(method, may=False)
            told = await network.ask(method, bearer, right.SerializeToString())
            assert told.codes == {"PERMISSION_DENIED"}
        else:
            message, field = made
            told = await network.ask(method, network.bearer(method), message.SerializeToString())
            # In a stream each ask is answered on its own, by fields of its own.
            field = re.sub(r"^asks\[\d+\]\.", "", field)
            assert "INVALID_ARGUMENT" in told.codes, f"{turn}: {field}: {told}"
            assert field in told.fields, f"{turn}: {field}: {told}"
        network.check_hidden(told)
    assert await network.stands() == before


async def ask_anything(network: Network, method: MethodDescriptor, count: int) -> None:
    """Ask `count` times whatever a client could send: each is told properly, and no more."""
    table = await network.open_table()
    maker = Maker(f"any {method.full_name}", words=(table, f"{table}-1", "PLAY", "holdem", "nl"))
    for turn in range(count):
        rubbish = maker.rng.random() < 0.4
        data = (
            maker.rubbish(method.input_type)
            if rubbish
            else maker.right(method.input_type).SerializeToString()
        )
        readable = parses(data, GetMessageClass(method.input_type))
        stands_s = STANDS_S if readable else ENDS_S
        told = await network.ask(method, network.bearer(method), data, stands_s)
        assert told.codes <= PROPER, f"{turn}: {told} {network.logged.getvalue()[-2_000:]}"
        if "INVALID_ARGUMENT" in told.codes:
            assert told.fields
        if not readable:
            assert told.codes == {"INVALID_ARGUMENT"}
        network.check_hidden(told)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
async def test_what_is_wrong_is_named_and_changes_nothing(network, method):
    await ask_wrongly(network, method, QUICK)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
async def test_whatever_is_asked_is_told_properly(network, method):
    await ask_anything(network, method, QUICK)


@pytest.mark.deep
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("method", METHODS, ids=NAMES)
async def test_what_is_wrong_is_named_and_changes_nothing_at_depth(network, method):
    await ask_wrongly(network, method, DEEP)


@pytest.mark.deep
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("method", METHODS, ids=NAMES)
async def test_whatever_is_asked_is_told_properly_at_depth(network, method):
    await ask_anything(network, method, DEEP)
