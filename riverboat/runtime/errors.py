"""Faults: why a call was not done, and how that is told to whoever called.

A fault is a value: a google.rpc code, a reason that a client switches on, and facts. One place
turns it into a status with details, or into the message that travels inside a stream. Nothing here
decides whether a call is done, and nothing of ours but the reason ever reaches the caller: no
traceback, no value that he sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from riverboat.game.refusals import HandCode, Refusal, TableCode
from riverboat.wire.v1 import errors_pb2

ABORTED: Final[int] = code_pb2.ABORTED
FAILED_PRECONDITION: Final[int] = code_pb2.FAILED_PRECONDITION

# Who gives the reasons, as google.rpc.ErrorInfo wants it said.
DOMAIN: Final = "riverboat"

# The command named a moment that has passed: whoever asks anew, on what is true now, may succeed.
# Every other refusal stands until something else changes.
PASSED: Final = frozenset(
    {
        HandCode.NO_HAND,
        HandCode.ANOTHER_HAND,
        HandCode.TURN_PASSED,
        HandCode.PRICE_CHANGED,
        TableCode.STALE_LINE,
    }
)


@dataclass(frozen=True, slots=True)
class BadInput:
    """One field of a request that is not as it must be."""

    field: str  # the way to it from the request: "asks[2].act.total"; "." is the request itself
    reason: str  # what it must be, never what it was


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a call was not done."""

    code: int  # google.rpc.Code
    reason: str
    message: str
    facts: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[BadInput, ...] = ()
    retry_after_ms: int = 0  # 0: waiting does not help


def bad_input(*fields: BadInput) -> Fault:
    """The request itself is wrong, whatever the state of the network."""
    assert fields, "a bad input names its field"
    said = "; ".join(f"{one.field}: {one.reason}" for one in fields)
    return Fault(code_pb2.INVALID_ARGUMENT, "BAD_INPUT", said, fields=fields)


def refused(refusal: Refusal) -> Fault:
    """The rules, or the table, do not allow it now."""
    code = ABORTED if refusal.code in PASSED else FAILED_PRECONDITION
    facts = {name: str(value) for name, value in refusal.facts.items()}
    said = ", ".join(f"{name} {value}" for name, value in facts.items())
    words = refusal.code.name.lower().replace("_", " ")
    return Fault(code, refusal.code.name, f"{words} ({said})" if said else words, facts)


def unauthenticated(reason: str, message: str) -> Fault:
    """Nobody vouches for the caller."""
    return Fault(code_pb2.UNAUTHENTICATED, reason, message)


def denied(reason: str, message: str) -> Fault:
    """The caller is known, and this is not for him."""
    return Fault(code_pb2.PERMISSION_DENIED, reason, message)


def exhausted(reason: str, message: str, retry_after_ms: int) -> Fault:
    """A limit is reached."""
    return Fault(code_pb2.RESOURCE_EXHAUSTED, reason, message, retry_after_ms=retry_after_ms)


def not_found(reason: str, message: str) -> Fault:
    """What the request names is not there."""
    return Fault(code_pb2.NOT_FOUND, reason, message)


def unavailable(reason: str, message: str, retry_after_ms: int = 1_000) -> Fault:
    """This process cannot do it now; it, or another one, soon can."""
    return Fault(code_pb2.UNAVAILABLE, reason, message, retry_after_ms=retry_after_ms)


def too_late() -> Fault:
    """The answer did not come within the deadline; whether it had effect is not known."""
    return Fault(code_pb2.DEADLINE_EXCEEDED, "TOO_LATE", "no answer within the deadline")


def internal(incident: str) -> Fault:
    """Something of ours broke; `incident` stands in the log line that tells what."""
    return Fault(code_pb2.INTERNAL, "BROKEN", f"incident {incident}", {"incident": incident})


def fault_of(outcome: Fault | Refusal | BadInput) -> Fault:
    """The fault behind whatever a handler gave instead of an answer."""
    if isinstance(outcome, Refusal):
        return refused(outcome)
    if isinstance(outcome, BadInput):
        return bad_input(outcome)
    return outcome


def to_status(fault: Fault) -> status_pb2.Status:
    """The fault as google.rpc tells it, with details."""
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=fault.reason, domain=DOMAIN, metadata=fault.facts)
    ]
    if fault.fields:
        violations = [
            error_details_pb2.BadRequest.FieldViolation(field=one.field, description=one.reason)
            for one in fault.fields
        ]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if fault.retry_after_ms:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromMilliseconds(fault.retry_after_ms)
        details.append(retry)
    packed = []
    for detail in details:
        packed.append(Any())
        packed[-1].Pack(detail)
    return status_pb2.Status(code=fault.code, message=fault.message, details=packed)


def to_message(fault: Fault) -> errors_pb2.Fault:
    """The fault as it travels inside a stream."""
    return errors_pb2.Fault(
        status=fault.code,
        reason=fault.reason,
        facts=fault.facts,
        fields=[errors_pb2.FieldFault(field=one.field, reason=one.reason) for one in fault.fields],
        message=fault.message,
        retry_after_ms=fault.retry_after_ms,
    )
