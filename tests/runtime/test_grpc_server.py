"""The gate's calls over real gRPC: statuses with details, health, clients that stall or go."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from riverboat.runtime import errors
from riverboat.runtime.calls import BadWiring
from riverboat.runtime.grpc_server import REQUEST_BYTES_MAX, GrpcServer, PortTaken, Tls

ECHO = "/riverboat.test.v1.EchoService/"
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@asynccontextmanager
async def serving(world, **more):
    """The echo service on a port of its own, ready, and a channel to it."""
    server = GrpcServer(
        world.gate,
        [(world.echo.service("EchoService"), world.rpc)],
        host="127.0.0.1",
        port=0,
        **more,
    )
    await server.start()
    await server.set_ready(True)
    channel = grpc.aio.insecure_channel(f"127.0.0.1:{server.port}")
    try:
        yield server, channel
    finally:
        await channel.close()
        await server.stop(0)


def metadata(world, *roles):
    return (("authorization", world.bearer(*roles)),)


async def status_of(call):
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call
    return raised.value


async def drained(talk):
    while await talk.read() is not grpc.aio.EOF:
        pass


def detail(error, kind):
    status = rpc_status.from_call(error)
    assert status is not None
    for packed in status.details:
        if packed.Is(kind.DESCRIPTOR):
            found = kind()
            packed.Unpack(found)
            return found
    raise AssertionError(f"no {kind.__name__} in {status}")


async def test_a_unary_call_is_answered_or_told_why_not(world):
    async with serving(world) as (_, channel):
        say: Any = channel.unary_unary(ECHO + "SayBack")
        player = metadata(world, "player")
        assert world.words([await say(world.word("hello"), metadata=player)]) == ["hello"]

        error = await status_of(say(world.word("refuse"), metadata=player))
        assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
        info = detail(error, error_details_pb2.ErrorInfo)
        assert (info.reason, dict(info.metadata)) == ("NOT_YOUR_TURN", {"turn_seat": "4"})

        error = await status_of(say(world.word("x" * 13), metadata=player))
        assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
        [violation] = detail(error, error_details_pb2.BadRequest).field_violations
        assert violation.field == "word"

        error = await status_of(say(world.word("hello")))
        assert error.code() is grpc.StatusCode.UNAUTHENTICATED

        error = await status_of(say(world.word("break"), metadata=player))
        assert error.code() is grpc.StatusCode.INTERNAL
        assert error.details().startswith("incident ")


async def test_streams_down_and_both_ways_are_served(world):
    async with serving(world) as (_, channel):
        player = metadata(world, "player")
        down = channel.unary_stream(ECHO + "CountDown")(world.word("3"), metadata=player)
        assert world.words([one async for one in down]) == ["3", "2", "1"]

        talk = channel.stream_stream(ECHO + "Talk")(metadata=player)
        for word in ("a", "b"):
            await talk.write(world.word(word))
            assert world.words([await talk.read()]) == [word]
        await talk.done_writing()
        assert await talk.read() is grpc.aio.EOF
        assert await talk.code() is grpc.StatusCode.OK

        ended = channel.unary_stream(ECHO + "CountDown")(world.word("refuse"), metadata=player)
        assert world.words([await ended.read()]) == ["1"]
        assert await ended.code() is grpc.StatusCode.ABORTED


async def test_a_client_that_goes_away_ends_its_stream(world):
    async with serving(world) as (_, channel):
        talk = channel.stream_stream(ECHO + "Talk")(metadata=metadata(world, "player"))
        await talk.write(world.word("a"))
        await talk.read()
        talk.cancel()
        async with asyncio.timeout(5):
            await world.rpc.one_ended.wait()


async def test_a_client_that_does_not_read_is_cut_and_costs_no_more(world):
    async with serving(world) as (_, channel):
        talk = channel.stream_stream(ECHO + "Talk")(metadata=metadata(world, "player"))
        await talk.write(world.word("flood"))
        await talk.read()
        await asyncio.sleep(0.2)  # the windows are full now: the handler waits in its write
        world.rpc.calls[0].cut(errors.exhausted("TOO_SLOW", "too slow", 0))
        async with asyncio.timeout(5):
            await world.rpc.one_ended.wait()
            # What was under way still comes; then the client learns why.
            error = await status_of(drained(talk))
            assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert world.metrics.streams.value == 0


async def test_a_request_that_is_too_large_is_refused(world):
    async with serving(world) as (_, channel):
        say: Any = channel.unary_unary(ECHO + "SayBack")
        huge = bytes(REQUEST_BYTES_MAX + 1)
        error = await status_of(say(huge, metadata=metadata(world, "player")))
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert world.rpc.calls == []


async def test_a_method_that_is_not_served_is_unimplemented(world):
    async with serving(world) as (_, channel):
        for path in (ECHO + "Nothing", "/riverboat.test.v1.OpenService/Forgotten"):
            call = channel.unary_unary(path)(b"", metadata=metadata(world, "player"))
            assert (await status_of(call)).code() is grpc.StatusCode.UNIMPLEMENTED


async def test_health_says_ready_only_when_told(world):
    world.gate.open = False
    async with serving(world) as (server, channel):
        health: Any = health_pb2_grpc.HealthStub(channel)

        async def asked(name=""):
            return (await health.Check(health_pb2.HealthCheckRequest(service=name))).status

        assert await asked() == SERVING
        await server.set_ready(False)
        for name in ("", "riverboat.test.v1.EchoService"):
            assert await asked(name) == NOT_SERVING
        # Who is there already is still served.
        say: Any = channel.unary_unary(ECHO + "SayBack")
        await say(world.word("a"), metadata=metadata(world, "player"))


async def test_a_server_that_has_not_caught_up_answers_health_and_nothing_else(world):
    world.gate.open = False
    services = [(world.echo.service("EchoService"), world.rpc)]
    server = GrpcServer(world.gate, services, host="127.0.0.1", port=0)
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        answer = await health.Check(health_pb2.HealthCheckRequest())
        assert answer.status == NOT_SERVING
        say: Any = channel.unary_unary(ECHO + "SayBack")
        error = await status_of(say(world.word("a"), metadata=metadata(world, "player")))
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        assert detail(error, error_details_pb2.RetryInfo).retry_delay.seconds == 1
    await server.stop(0)


async def test_reflection_lists_what_is_served(world):
    async with serving(world) as (_, channel):
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        [answer] = [one async for one in stub.ServerReflectionInfo(iter([ask]))]
        names = {one.name for one in answer.list_services_response.service}
        assert names == {
            "riverboat.test.v1.EchoService",
            "grpc.health.v1.Health",
            "grpc.reflection.v1alpha.ServerReflection",
        }


async def test_a_service_whose_methods_name_no_role_is_refused_before_it_serves(world):
    with pytest.raises(BadWiring, match="names no role"):
        GrpcServer(
            world.gate,
            [(world.echo.service("OpenService"), world.rpc)],
            host="127.0.0.1",
            port=0,
        )


async def test_a_port_in_use_is_refused_at_start(world):
    async with serving(world) as (server, _):
        again = GrpcServer(world.gate, [], host="127.0.0.1", port=server.port)
        with pytest.raises(PortTaken, match=rf"127.0.0.1:{server.port}"):
            await again.start()


async def test_a_server_that_stops_lets_calls_end(world):
    async with serving(world) as (server, channel):
        talk = channel.stream_stream(ECHO + "Talk")(metadata=metadata(world, "player"))
        await talk.write(world.word("a"))
        await talk.read()
        stopping = asyncio.create_task(server.stop(5))
        await asyncio.sleep(0)
        await talk.done_writing()
        assert await talk.code() is grpc.StatusCode.OK
        await asyncio.wait_for(stopping, 5)


@pytest.fixture
def certificate(tmp_path):
    """A certificate for 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "riverboat")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    files = Tls(certificate=tmp_path / "server.pem", key=tmp_path / "server.key")
    files.certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files.key.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files


async def test_calls_are_served_over_tls(world, certificate):
    async with serving(world, tls=certificate) as (server, _):
        trusted = grpc.ssl_channel_credentials(certificate.certificate.read_bytes())
        async with grpc.aio.secure_channel(f"127.0.0.1:{server.port}", trusted) as channel:
            say: Any = channel.unary_unary(ECHO + "SayBack")
            answer = await say(world.word("hello"), metadata=metadata(world, "player"))
            assert world.words([answer]) == ["hello"]
