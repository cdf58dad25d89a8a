"""The gate: who may call, what is sound, what is told of what broke, what is counted."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from types import SimpleNamespace

import pytest
from google.rpc import code_pb2

from riverboat.runtime import errors
from riverboat.runtime.calls import BadWiring, Shape, methods
from riverboat.runtime.errors import BadInput, Fault
from riverboat.runtime.logs import JsonLines

PRIVATE = "AsAh-the-hole-cards"


@pytest.fixture
def logged():
    """What the gate logs."""
    stream, log = io.StringIO(), logging.getLogger("riverboat.runtime.calls")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log.addHandler(handler)
    yield stream
    log.removeHandler(handler)


async def say(world, word, *roles, bearer=None):
    bearer = world.bearer(*(roles or ("player",))) if bearer is None else bearer
    return await world.gate.unary(world.methods["SayBack"], bearer, world.word(word))


async def stream(world, name, *words, role="player"):
    """All that the stream answered, and how it ended."""
    written = []

    async def incoming():
        for word in words:
            yield world.word(word)

    async def write(data):
        written.append(data)

    method = world.methods[name]
    up = incoming() if method.shape is Shape.BOTH else world.word(words[0])
    fault = await world.gate.stream(method, world.bearer(role), up, write)
    return world.words(written), fault


def fault(outcome, code, reason):
    assert isinstance(outcome, Fault), f"answered: {outcome!r}"
    assert (outcome.code, outcome.reason) == (code, reason)
    return outcome


def test_methods_are_wired_by_their_names(world):
    assert {name: one.shape for name, one in world.methods.items()} == {
        "Echo": Shape.UNARY,
        "SayBack": Shape.UNARY,
        "CountDown": Shape.DOWN,
        "Talk": Shape.BOTH,
    }
    assert world.methods["SayBack"].path == "/riverboat.test.v1.EchoService/SayBack"


@pytest.mark.parametrize(
    ("service", "why"),
    [
        ("OpenService", "OpenService.Forgotten: its proto names no role"),
        ("NamelessService", "NamelessService.Nobody: its proto names no role"),
    ],
)
def test_a_method_that_names_no_role_is_not_served(echo, service, why):
    with pytest.raises(BadWiring, match=why):
        methods(echo.service(service), SimpleNamespace(forgotten=say, nobody=say))


def test_a_method_without_a_handler_is_not_served(echo):
    with pytest.raises(BadWiring, match=r"EchoService.Echo: SimpleNamespace has no function echo"):
        methods(echo.service("EchoService"), SimpleNamespace())


async def test_a_sound_request_of_one_who_may_is_answered(world):
    assert world.words([await say(world, "hello")]) == ["hello"]
    assert world.rpc.calls[0].caller.id == "p1"


async def test_an_encoded_answer_is_passed_on_as_it_stands(world):
    assert world.words([await say(world, "bytes")]) == ["encoded"]


@pytest.mark.parametrize(
    ("bearer", "reason"),
    [
        ("", "NO_TOKEN"),
        ("Bearer", "NO_TOKEN"),
        ("Bearer ", "NO_TOKEN"),
        ("Basic cDE6cDE=", "BAD_TOKEN"),
        ("Bearer x.y.z", "BAD_TOKEN"),
    ],
)
async def test_nobody_calls_without_a_good_token(world, bearer, reason):
    fault(await say(world, "hello", bearer=bearer), code_pb2.UNAUTHENTICATED, reason)
    assert world.rpc.calls == []


@pytest.mark.parametrize(
    ("name", "roles", "let_in"),
    [
        ("Echo", ["player"], True),
        ("Echo", ["operator"], True),
        ("Echo", ["observer", "operator"], True),
        ("Echo", ["observer"], False),
        ("Echo", ["service"], False),
        ("Echo", [], False),
        ("SayBack", [], True),  # anyone whose token is good
        ("Talk", ["operator", "service", "observer"], False),
    ],
)
async def test_a_method_is_for_the_roles_that_its_proto_names(world, name, roles, let_in):
    method, bearer = world.methods[name], world.bearer(*roles)
    if method.shape is Shape.BOTH:
        outcome = await world.gate.stream(method, bearer, b"", None)
    else:
        outcome = await world.gate.unary(method, bearer, b"")
    denied = isinstance(outcome, Fault) and outcome.code == code_pb2.PERMISSION_DENIED
    assert denied is not let_in
    if denied:
        assert outcome.reason == "ROLE_MISSING"
        assert world.rpc.calls == []


async def test_a_request_that_is_not_sound_is_answered_by_its_fields(world):
    bearer, method = world.bearer("player"), world.methods["Echo"]
    outcome = await world.gate.unary(method, bearer, b"")
    bad = fault(outcome, code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert BadInput("amount", "must be 1 to 100") in bad.fields
    for data in (b"\xff\xff\xff", b"\x0a\xff", b"\x0a\x02\xc3\x28"):
        outcome = await world.gate.unary(method, bearer, data)
        bad = fault(outcome, code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
        assert bad.fields == (BadInput(".", "must be a EchoRequest"),)
    assert world.rpc.calls == []


async def test_what_a_handler_gives_instead_of_an_answer_is_told(world):
    told = fault(await say(world, "refuse"), code_pb2.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    assert told.facts == {"turn_seat": "4"}
    fault(await say(world, "passed"), code_pb2.ABORTED, "TURN_PASSED")
    told = fault(await say(world, "bad"), code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert told.fields == (BadInput("word", "must be better"),)


@pytest.mark.parametrize("word", ["break", "other", "inner"])
async def test_what_breaks_is_told_by_an_incident_alone(world, logged, word):
    told = fault(await say(world, word), code_pb2.INTERNAL, "BROKEN")
    line = json.loads(logged.getvalue())
    assert line["incident"] == told.facts["incident"]
    assert line["method"] == "/riverboat.test.v1.EchoService/SayBack"
    assert line["where"]
    assert PRIVATE not in logged.getvalue()
    assert set(told.facts) == {"incident"}
    assert told.message == f"incident {told.facts['incident']}"


async def test_an_answer_that_does_not_come_in_time_is_not_waited_for(world):
    fault(await say(world, "hang"), code_pb2.DEADLINE_EXCEEDED, "TOO_LATE")


async def test_nothing_is_answered_before_the_process_has_caught_up(world):
    world.gate.open = False
    told = fault(await say(world, "hello"), code_pb2.UNAVAILABLE, "NOT_READY")
    assert told.retry_after_ms > 0
    assert world.rpc.calls == []


async def test_a_caller_who_asks_too_much_is_told_to_wait(world):
    while world.limit.wait_ms("p1") == 0:
        pass
    told = fault(await say(world, "hello"), code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_CALLS")
    assert told.retry_after_ms == 1_001
    other = world.bearer("player", player="p2")
    assert isinstance(await say(world, "hello", bearer=other), bytes)
    service = world.bearer("service", player="p1")
    assert isinstance(await say(world, "hello", bearer=service), bytes)


async def test_a_stream_down_gives_what_its_handler_yields(world):
    assert await stream(world, "CountDown", "3") == (["3", "2", "1"], None)
    assert len(world.rpc.ended) == 1


async def test_a_fault_ends_a_stream(world, logged):
    words, ended = await stream(world, "CountDown", "refuse")
    assert words == ["1"]
    fault(ended, code_pb2.ABORTED, "NO_HAND")
    words, ended = await stream(world, "CountDown", "break")
    assert words == ["1"]
    fault(ended, code_pb2.INTERNAL, "BROKEN")
    assert PRIVATE not in logged.getvalue()
    _, ended = await stream(world, "CountDown", "x" * 13)
    fault(ended, code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert len(world.rpc.ended) == 2


async def test_a_stream_both_ways_answers_each_message(world):
    assert await stream(world, "Talk", "a", "b") == (["a", "b"], None)


async def test_a_message_that_is_not_sound_ends_its_stream(world):
    words, ended = await stream(world, "Talk", "a", "x" * 13, "b")
    assert words == ["a"]
    told = fault(ended, code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert told.fields == (BadInput("word", "must have at most 12 characters"),)
    assert len(world.rpc.ended) == 1


async def test_a_stream_that_is_cut_ends_by_what_it_was_cut_for(world):
    _, ended = await stream(world, "Talk", "cut")
    fault(ended, code_pb2.RESOURCE_EXHAUSTED, "TOO_SLOW")
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    assert len(world.rpc.ended) == 1


async def test_a_stream_is_cut_while_its_client_does_not_read(world):
    async def incoming():
        yield world.word("flood")

    stuck = asyncio.Event()

    async def write(_):
        stuck.set()
        await asyncio.Event().wait()

    call = world.gate.stream(world.methods["Talk"], world.bearer("player"), incoming(), write)
    task = asyncio.create_task(call)
    await stuck.wait()
    assert world.metrics.streams.value == 1
    world.rpc.calls[0].cut(errors.exhausted("TOO_SLOW", "too slow", 0))
    fault(await task, code_pb2.RESOURCE_EXHAUSTED, "TOO_SLOW")
    assert world.metrics.streams.value == 0
    assert len(world.rpc.ended) == 1


async def test_a_stream_whose_client_goes_is_cancelled(world):
    async def incoming():
        yield world.word("a")
        await asyncio.Event().wait()

    said = asyncio.Event()

    async def write(_):
        said.set()

    call = world.gate.stream(world.methods["Talk"], world.bearer("player"), incoming(), write)
    task = asyncio.create_task(call)
    await said.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(world.rpc.ended) == 1
    assert world.metrics.calls.by[world.methods["Talk"].path, "CANCELLED"] == 1


async def test_a_stream_ends_with_the_token_that_opened_it(world):
    async def incoming():
        await asyncio.Event().wait()
        yield b""

    bearer = world.bearer("player", lifetime_ms=1_000)
    world.clock.advance(1_000 + 4_990)  # the leeway is 5 s: 10 ms are left
    ended = await world.gate.stream(world.methods["Talk"], bearer, incoming(), None)
    fault(ended, code_pb2.UNAUTHENTICATED, "TOKEN_EXPIRED")


async def test_every_call_is_counted_by_method_and_code(world, logged):
    for word in ("a", "b", "refuse", "break", "hang"):
        await say(world, word)
    await say(world, "a", bearer="")
    await stream(world, "Talk", "a")
    by = world.metrics.calls.by
    assert {key[1]: by[key] for key in by if key[0].endswith("SayBack")} == {
        "OK": 2,
        "FAILED_PRECONDITION": 1,
        "INTERNAL": 1,
        "DEADLINE_EXCEEDED": 1,
        "UNAUTHENTICATED": 1,
    }
    assert by[world.methods["Talk"].path, "OK"] == 1
    assert sum(world.metrics.call_seconds.counts) == 6
    assert PRIVATE not in logged.getvalue()


async def test_each_call_has_an_id_of_its_own(world):
    for _ in range(10):
        await say(world, "a")
    assert len({call.id for call in world.rpc.calls}) == 10
