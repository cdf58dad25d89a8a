"""Calls: how a request becomes an answer, whatever the transport.

A handler takes a message and a `Call` and gives a message, or a `Refusal`, a `BadInput`, a `Fault`.
The `Gate` stands before every handler: who calls, whether he may, whether the request is sound, how
long it may take, what is counted. A transport hands bytes to the gate and bytes or a fault to its
client, and adds nothing of its own. Nothing here knows of gRPC.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeVar

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import code_pb2

from riverboat.game.refusals import Refusal
from riverboat.runtime import errors
from riverboat.runtime.auth import Caller, Verifier
from riverboat.runtime.checks import Checker, checker
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput, Fault
from riverboat.runtime.limits import Limit
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.wire.v1 import access_pb2
from riverboat.wire.v1.access_pb2 import Role

log = logging.getLogger(__name__)

# A unary call waits for a decision to be read back; past this it answers that it does not know.
UNARY_MS_MAX: Final = 10_000

Answer = Message | bytes  # bytes are an encoded message: forwarded, never encoded again
Outcome = Answer | Refusal | BadInput | Fault
Handler = Callable[..., Any]  # of one of the shapes below
Write = Callable[[bytes], Awaitable[None]]

_H = TypeVar("_H", bound=Handler)


class Shape(Enum):
    """What a method takes and gives; the handler is written accordingly."""

    UNARY = "async def one(self, request, call) -> Outcome"
    DOWN = "async def many(self, request, call) -> AsyncIterator[Outcome]"
    BOTH = "async def talk(self, requests: AsyncIterator, call) -> AsyncIterator[Outcome]"


_SHAPES: Final = {
    (False, False): Shape.UNARY,
    (False, True): Shape.DOWN,
    (True, True): Shape.BOTH,
}


class BadWiring(Exception):
    """A service and its proto do not fit each other: found when the process starts."""


class Call:
    """One call, as its handler sees it."""

    __slots__ = ("_fault", "_task", "caller", "id")

    def __init__(self, caller: Caller, call_id: str, task: asyncio.Task[Any] | None = None) -> None:
        self.caller = caller
        self.id = call_id  # unique: a stream's connection id
        self._fault: Fault | None = None
        self._task = task  # a stream's, as long as it runs

    def cut(self, fault: Fault) -> None:
        """End this stream from outside, even while it waits for a client that does not read."""
        if self._fault is None and self._task is not None:
            self._fault = fault
            self._task.cancel()

    def why_cut(self) -> Fault | None:
        """What the stream was cut off for, if it was."""
        return self._fault

    def over(self) -> None:
        """The stream has ended: there is nothing left to cut."""
        self._task = None


@dataclass(frozen=True, slots=True)
class Method:
    """One method of a service, with its handler."""

    path: str  # as gRPC writes it: "/package.Service/Method"
    shape: Shape
    roles: frozenset[Role.ValueType]
    request: type[Message]
    response: type[Message]
    check: Checker | None  # None: the handler checks the parts itself
    handler: Handler


def checks_parts(handler: _H) -> _H:
    """Mark a handler of many parts in one message that answers for each part on its own.

    It gets its requests parsed and unchecked, and runs `checks.checker` on every part.
    """
    handler.checks_parts = True  # type: ignore[attr-defined]
    return handler


def methods(service: ServiceDescriptor, rpc: object) -> list[Method]:
    """The methods of `service`, handled by the functions of `rpc` that bear their names.

    `BadWiring` if a method names no role, or has no handler: nothing is served by mistake.
    """
    return [_method(method, rpc) for method in service.methods]


def roles_of(method: MethodDescriptor) -> frozenset[Role.ValueType]:
    """The roles that may call this method; none if its proto names none."""
    return frozenset(method.GetOptions().Extensions[access_pb2.access].roles)


def handler_name(method: str) -> str:
    """The function that handles the method of this name.

    >>> handler_name("OpenTable")
    'open_table'
    """
    return re.sub("(?<=.)(?=[A-Z])", "_", method).lower()


def _method(method: MethodDescriptor, rpc: object) -> Method:
    name = handler_name(method.name)
    roles = roles_of(method)
    if not roles or Role.ROLE_UNSPECIFIED in roles:
        raise BadWiring(f"{method.full_name}: its proto names no role that may call it")
    handler = getattr(rpc, name, None)
    if handler is None:
        raise BadWiring(f"{method.full_name}: {type(rpc).__name__} has no function {name}")
    shape = _SHAPES.get((method.client_streaming, method.server_streaming))
    if shape is None:
        raise BadWiring(f"{method.full_name}: streams up and not down; no handler has that shape")
    return Method(
        path=f"/{method.containing_service.full_name}/{method.name}",
        shape=shape,
        roles=roles,
        request=GetMessageClass(method.input_type),
        response=GetMessageClass(method.output_type),
        check=None if hasattr(handler, "checks_parts") else checker(method.input_type),
        handler=handler,
    )


class Gate:
    """What stands before every handler of a process."""

    def __init__(
        self,
        verifier: Verifier,
        *,
        clock: Clock,
        entropy: Entropy,
        metrics: Metrics,
        limit: Limit | None = None,
        unary_ms_max: int = UNARY_MS_MAX,
    ) -> None:
        self.open = False  # closed until the process has caught up, and again when it drains
        self._verifier = verifier
        self._clock = clock
        self._entropy = entropy
        self._metrics = metrics
        self._limit = limit
        self._unary_s_max = unary_ms_max / 1_000

    def identify(self, token: str) -> Caller | Fault:
        """Who presents this token, for a stream that speaks for several callers."""
        return self._verifier.caller(token)

    async def unary(self, method: Method, authorization: str, data: bytes) -> bytes | Fault:
        """The answer to one request."""
        began = time.perf_counter()
        try:
            outcome = await self._unary(method, authorization, data)
        except asyncio.CancelledError:
            self._metrics.calls.by[method.path, "CANCELLED"] += 1
            raise
        self._metrics.call_seconds.took(time.perf_counter() - began)
        self._count(method, outcome if isinstance(outcome, Fault) else None)
        return outcome

    async def stream(
        self,
        method: Method,
        authorization: str,
        incoming: AsyncIterator[bytes] | bytes,
        write: Write,
    ) -> Fault | None:
        """Answer by as many messages as the handler gives; None when it ended as it should.

        Ends when the caller's token does, and when it is cut.
        """
        caller = self._admit(method, authorization)
        fault: Fault | None
        if isinstance(caller, Fault):
            fault = caller
        else:
            self._metrics.streams.value += 1
            try:
                fault = await self._talk(method, caller, incoming, write)
            except asyncio.CancelledError:
                self._metrics.calls.by[method.path, "CANCELLED"] += 1
                raise
            finally:
                self._metrics.streams.value -= 1
        self._count(method, fault)
        return fault

    def _admit(self, method: Method, authorization: str) -> Caller | Fault:
        """Who calls, if he may."""
        scheme, _, token = authorization.partition(" ")
        if scheme and scheme.lower() != "bearer":
            return errors.unauthenticated("BAD_TOKEN", "the call carries no bearer token")
        caller = self._verifier.caller(token.strip())
        if isinstance(caller, Fault):
            return caller
        if not caller.holds(method.roles):
            wanted = " or ".join(sorted(Role.Name(r)[5:].lower() for r in method.roles))
            return errors.denied("ROLE_MISSING", f"only for the role {wanted}")
        if not self.open:
            return errors.unavailable("NOT_READY", "not caught up with the log, or stopping")
        if self._limit is not None and Role.ROLE_SERVICE not in caller.roles:
            wait_ms = self._limit.wait_ms(caller.id)
            if wait_ms:
                return errors.exhausted("TOO_MANY_CALLS", "too many calls", wait_ms)
        return caller

    def _read(self, method: Method, data: bytes) -> Message | Fault:
        """The request, if it is sound."""
        request = method.request()
        try:
            request.ParseFromString(data)
        except DecodeError:
            return errors.bad_input(BadInput(".", f"must be a {method.request.DESCRIPTOR.name}"))
        wrong = method.check(request) if method.check is not None else ()
        return errors.bad_input(*wrong) if wrong else request

    async def _unary(self, method: Method, authorization: str, data: bytes) -> bytes | Fault:
        caller = self._admit(method, authorization)
        if isinstance(caller, Fault):
            return caller
        request = self._read(method, data)
        if isinstance(request, Fault):
            return request
        try:
            async with asyncio.timeout(self._unary_s_max) as timer:
                return _encode(method, await method.handler(request, Call(caller, self._call_id())))
        except Exception as error:
            # A time-out inside the handler is not its deadline.
            if isinstance(error, TimeoutError) and timer.expired():
                return errors.too_late()
            return self._broken(method, error)

    async def _talk(
        self,
        method: Method,
        caller: Caller,
        incoming: AsyncIterator[bytes] | bytes,
        write: Write,
    ) -> Fault | None:
        task = asyncio.current_task()
        call = Call(caller, self._call_id(), task)
        left_s = (caller.expires_ms - self._clock.now_ms()) / 1_000
        try:
            async with asyncio.timeout(left_s) as timer:
                fault = await self._pump(method, call, incoming, write)
                if call.why_cut() is not None:
                    # The cancellation is on its way: it must strike here and not later.
                    await asyncio.sleep(0)
                return fault
        except asyncio.CancelledError:
            cut = call.why_cut()
            # Who was cut may have gone by himself at the same moment: then that counts.
            if cut is None or task is None or task.uncancel() > 0:
                raise
            return cut
        except _BadRequest as bad:
            return bad.fault
        except Exception as error:
            if isinstance(error, TimeoutError) and timer.expired():
                return errors.unauthenticated("TOKEN_EXPIRED", "the token has ended")
            return self._broken(method, error)
        finally:
            call.over()

    async def _pump(
        self, method: Method, call: Call, incoming: AsyncIterator[bytes] | bytes, write: Write
    ) -> Fault | None:
        if isinstance(incoming, bytes):
            request = self._read(method, incoming)
            if isinstance(request, Fault):
                return request
            outcomes = method.handler(request, call)
        else:
            outcomes = method.handler(self._requests(method, incoming), call)
        try:
            async for outcome in outcomes:
                encoded = _encode(method, outcome)
                if isinstance(encoded, Fault):
                    return encoded
                await write(encoded)
        finally:
            # What the handler frees, it frees now and not when the collector comes by.
            await outcomes.aclose()
        return None

    async def _requests(
        self, method: Method, incoming: AsyncIterator[bytes]
    ) -> AsyncIterator[Message]:
        async for data in incoming:
            request = self._read(method, data)
            if isinstance(request, Fault):
                raise _BadRequest(request)
            yield request

    def _call_id(self) -> str:
        return self._entropy(9).hex()

    def _broken(self, method: Method, error: Exception) -> Fault:
        """What the caller is told of an error of ours; the log line is told the rest."""
        incident = self._entropy(6).hex()
        log.error(
            "a call broke", exc_info=error, extra=facts(method=method.path, incident=incident)
        )
        return errors.internal(incident)

    def _count(self, method: Method, fault: Fault | None) -> None:
        code = "OK" if fault is None else code_pb2.Code.Name(fault.code)
        self._metrics.calls.by[method.path, code] += 1


class _BadRequest(Exception):
    """A message of a stream was not sound: ends the stream, through its handler."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.reason)
        self.fault = fault


def _encode(method: Method, outcome: Outcome) -> bytes | Fault:
    if isinstance(outcome, bytes):
        return outcome
    if isinstance(outcome, method.response):
        return outcome.SerializeToString()
    assert isinstance(outcome, Refusal | BadInput | Fault), (
        f"{method.path} answers by {method.response.DESCRIPTOR.name} or says why not"
    )
    return errors.fault_of(outcome)
