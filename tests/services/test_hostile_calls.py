"""Every call of every service, asked wrongly many times: told by field, nothing changed or shown.

"The status and details of ARCHITECTURE.md section 7, a field named, nothing changed, no traceback
to the client, nothing private in a log line." The requests are made from the descriptors.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from riverboat.runtime.calls import roles_of
from riverboat.runtime.checks import checker
from riverboat.runtime.grpc_server import REQUEST_BYTES_MAX
from riverboat.runtime.sound import sound
from riverboat.wire.v1.access_pb2 import Role
from tests.services.hostile import SECRET, Maker, parses
from tests.services.whole import ENDS_S, METHODS, NAMES, STANDS_S, Network, whole_network

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


@pytest.fixture
async def network(tmp_path: Path) -> Any:
    """All services of an embedded network, ready, with all that they log."""
    async with whole_network(tmp_path) as made:
        yield made


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
