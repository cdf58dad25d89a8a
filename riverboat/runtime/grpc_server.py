"""gRPC: the gate's calls, served by grpc.aio.

A thin adapter: bytes from the wire go to the gate, bytes and faults from the gate to the wire.
Health, reflection, keepalive and TLS stand here because they are gRPC's own. No rule of ours does:
another transport over the same gate would serve the same calls alike.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from riverboat.runtime.calls import Gate, Method, Shape, methods
from riverboat.runtime.errors import Fault, to_status

# A request is a few asks; what is larger is refused before it is read whole.
REQUEST_BYTES_MAX: Final = 256 * 1024

_OPTIONS: Final[Sequence[tuple[str, int]]] = (
    # A client that froze is noticed after 13 s; without the third line only after 68.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # Clients may ping as often as we do.
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.max_receive_message_length", REQUEST_BYTES_MAX),
    ("grpc.max_metadata_size", 16 * 1024),
    ("grpc.max_concurrent_streams", 1_000),
    # Two processes on one port would each get some of the calls: the second must fail instead.
    ("grpc.so_reuseport", 0),
)


class PortTaken(Exception):
    """The address cannot be served; the message names it."""


@dataclass(frozen=True, slots=True)
class Tls:
    """The files of a server's certificate."""

    certificate: Path  # PEM, the chain
    key: Path  # PEM


class GrpcServer:
    """Services behind one gate on one port."""

    def __init__(
        self,
        gate: Gate,
        services: Sequence[tuple[ServiceDescriptor, object]],
        *,
        host: str,
        port: int,
        tls: Tls | None = None,
    ) -> None:
        """Services by their descriptor and the object whose functions handle them.

        `BadWiring` if one of their methods names no role or has no handler.
        """
        self._address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._tls = tls
        self._gate = gate
        self._names = [service.full_name for service, _ in services]
        self._methods = [one for service, rpc in services for one in methods(service, rpc)]
        self._health = health.aio.HealthServicer()
        self._server: Any = None
        self.port = port

    async def start(self) -> None:
        """Serve; not ready until `set_ready`. `PortTaken` if the address cannot be had."""
        self._server = grpc.aio.server(options=_OPTIONS)
        self._server.add_generic_rpc_handlers((_Router(self._gate, self._methods),))
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            [*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        await self.set_ready(False)
        try:
            self.port = self._bind()
        except RuntimeError:
            raise PortTaken(f"{self._address}: cannot be served; is the port taken?") from None
        await self._server.start()

    async def set_ready(self, ready: bool) -> None:
        """Say in health whether calls should come here.

        The gate opens with the first time and closes only in `stop`: a process that falls behind
        takes no new clients but does not cut off those it has.
        """
        status = health_pb2.HealthCheckResponse
        for name in ("", *self._names):
            await self._health.set(name, status.SERVING if ready else status.NOT_SERVING)
        self._gate.open = self._gate.open or ready

    async def stop(self, grace_s: float) -> None:
        """Take no more calls; end those that run within `grace_s`, or then cut them off."""
        self._gate.open = False
        await self._health.enter_graceful_shutdown()
        await self._server.stop(grace_s)

    def _bind(self) -> int:
        if self._tls is None:
            return int(self._server.add_insecure_port(self._address))
        pair = (self._tls.key.read_bytes(), self._tls.certificate.read_bytes())
        return int(self._server.add_secure_port(self._address, grpc.ssl_server_credentials([pair])))


class _Router(grpc.GenericRpcHandler):
    """Finds a method's handler by its path."""

    def __init__(self, gate: Gate, served: Sequence[Method]) -> None:
        make = {Shape.UNARY: _unary, Shape.DOWN: _down, Shape.BOTH: _both}
        self._handlers = {method.path: make[method.shape](gate, method) for method in served}

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        return self._handlers.get(details.method)


_Context = Any  # grpc.aio.ServicerContext, whose types promise less than it keeps
_Behaviour = Callable[[Any, _Context], Awaitable[Any]]


def _unary(gate: Gate, method: Method) -> Any:
    async def serve(data: bytes, context: _Context) -> bytes:
        outcome = await gate.unary(method, _authorization(context), data)
        if isinstance(outcome, Fault):
            await _abort(context, outcome)
        return outcome  # type: ignore[return-value]  # abort raises

    return grpc.unary_unary_rpc_method_handler(serve)  # bytes in, bytes out


def _down(gate: Gate, method: Method) -> Any:
    async def serve(data: bytes, context: _Context) -> None:
        await _stream(gate, method, data, context)

    return grpc.unary_stream_rpc_method_handler(serve)


def _both(gate: Gate, method: Method) -> Any:
    async def serve(incoming: AsyncIterator[bytes], context: _Context) -> None:
        await _stream(gate, method, incoming, context)

    return grpc.stream_stream_rpc_method_handler(serve)


async def _stream(
    gate: Gate, method: Method, incoming: AsyncIterator[bytes] | bytes, context: _Context
) -> None:
    fault = await gate.stream(method, _authorization(context), incoming, context.write)
    if fault is not None:
        await _abort(context, fault)


def _authorization(context: _Context) -> str:
    for key, value in context.invocation_metadata():
        if key == "authorization":
            return value if isinstance(value, str) else ""
    return ""


async def _abort(context: _Context, fault: Fault) -> None:
    """End the call by this fault; raises."""
    status = rpc_status.to_status(to_status(fault))
    await context.abort(status.code, status.details, status.trailing_metadata)
