"""Every fault is told as google.rpc tells it, with details, and the same inside a stream."""

from __future__ import annotations

from typing import Any

import pytest
from google.rpc import code_pb2, error_details_pb2

from riverboat.game.refusals import HandCode, Refusal, TableCode
from riverboat.runtime import errors
from riverboat.runtime.errors import BadInput, to_message, to_status


def details(status: Any, kind: Any) -> list[Any]:
    found = []
    for packed in status.details:
        if packed.Is(kind.DESCRIPTOR):
            found.append(kind())
            packed.Unpack(found[-1])
    return found


def test_bad_input_names_each_field_and_its_reason():
    """ARCHITECTURE 7: "INVALID_ARGUMENT (field violations)"."""
    fault = errors.bad_input(BadInput("act.total", "must be 1 to 9"), BadInput("table", "too long"))
    status = to_status(fault)
    assert status.code == code_pb2.INVALID_ARGUMENT
    [bad] = details(status, error_details_pb2.BadRequest)
    assert [(one.field, one.description) for one in bad.field_violations] == [
        ("act.total", "must be 1 to 9"),
        ("table", "too long"),
    ]
    message = to_message(fault)
    assert [(one.field, one.reason) for one in message.fields] == [
        ("act.total", "must be 1 to 9"),
        ("table", "too long"),
    ]


def test_a_refusal_keeps_its_code_and_its_facts():
    """ARCHITECTURE 7: "FAILED_PRECONDITION (the `Refusal`: a code and its facts)"."""
    fault = errors.refused(Refusal(HandCode.BELOW_LEAST_RAISE, least=100))
    status = to_status(fault)
    assert status.code == code_pb2.FAILED_PRECONDITION
    assert status.message == "below least raise (least 100)"
    [info] = details(status, error_details_pb2.ErrorInfo)
    assert (info.reason, info.domain) == ("BELOW_LEAST_RAISE", "riverboat")
    assert dict(info.metadata) == {"least": "100"}
    message = to_message(fault)
    assert (message.status, message.reason) == (9, "BELOW_LEAST_RAISE")
    assert dict(message.facts) == {"least": "100"}


@pytest.mark.parametrize("code", [*HandCode, *TableCode])
def test_a_passed_moment_is_aborted_and_all_else_is_failed_precondition(code):
    """ARCHITECTURE 7: "ABORTED (the turn had passed)"."""
    passed = {"NO_HAND", "ANOTHER_HAND", "TURN_PASSED", "PRICE_CHANGED", "STALE_LINE"}
    wanted = code_pb2.ABORTED if code.name in passed else code_pb2.FAILED_PRECONDITION
    assert errors.refused(Refusal(code)).code == wanted


def test_a_limit_says_how_long_to_wait():
    fault = errors.exhausted("TOO_MANY_CALLS", "20 calls a second", 1_500)
    [retry] = details(to_status(fault), error_details_pb2.RetryInfo)
    assert retry.retry_delay.ToMilliseconds() == 1_500
    assert to_message(fault).retry_after_ms == 1_500


@pytest.mark.parametrize(
    ("fault", "code", "reason"),
    [
        (errors.unauthenticated("NO_TOKEN", "m"), code_pb2.UNAUTHENTICATED, "NO_TOKEN"),
        (errors.denied("ROLE_MISSING", "m"), code_pb2.PERMISSION_DENIED, "ROLE_MISSING"),
        (errors.not_found("NO_TABLE", "m"), code_pb2.NOT_FOUND, "NO_TABLE"),
        (errors.unavailable("NOT_READY", "m"), code_pb2.UNAVAILABLE, "NOT_READY"),
        (errors.too_late(), code_pb2.DEADLINE_EXCEEDED, "TOO_LATE"),
        (errors.internal("c0ffee"), code_pb2.INTERNAL, "BROKEN"),
    ],
)
def test_every_fault_tells_its_reason(fault, code, reason):
    status = to_status(fault)
    assert status.code == code
    [info] = details(status, error_details_pb2.ErrorInfo)
    assert info.reason == reason
    assert (to_message(fault).status, to_message(fault).reason) == (code, reason)


def test_an_incident_is_all_that_is_told_of_what_broke():
    status = to_status(errors.internal("c0ffee"))
    assert status.message == "incident c0ffee"
    [info] = details(status, error_details_pb2.ErrorInfo)
    assert dict(info.metadata) == {"incident": "c0ffee"}


def test_whatever_a_handler_gives_instead_of_an_answer_is_a_fault():
    fault = errors.not_found("NO_TABLE", "m")
    assert errors.fault_of(fault) is fault
    assert errors.fault_of(BadInput("table", "why")) == errors.bad_input(BadInput("table", "why"))
    refusal = Refusal(TableCode.SEAT_TAKEN, seat=3)
    assert errors.fault_of(refusal) == errors.refused(refusal)
