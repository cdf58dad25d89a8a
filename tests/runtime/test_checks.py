"""Every field of a request is held against its type and its bounds; a broken one is named."""

from __future__ import annotations

import pytest

from riverboat.runtime.checks import FAULTS, checker
from riverboat.runtime.errors import BadInput
from riverboat.runtime.sound import ENTRIES, LONGEST


@pytest.fixture
def good(echo):
    """A request with nothing wrong; each test breaks one thing."""
    inner = {"name": "inner"}
    return {
        "say": "hello",
        "amount": 1,
        "needed": 1,
        "inner": inner,
        "word": "word",
        "maybe": 0,
        "tags": ["tag"],
    }


def look(echo, fields):
    request = echo.message("EchoRequest")(**fields)
    return checker(request.DESCRIPTOR)(request)


def test_a_right_request_passes(echo, good):
    assert look(echo, good) == ()


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"say": "x" * LONGEST}, None, None),
        ({"say": "x" * (LONGEST + 1)}, "say", "must have at most 128 characters"),
        ({"say": "Ąžuolų gatvė"}, None, None),
        ({"say": "two\nlines"}, "say", "must not hold control characters"),
        ({"say": "to the \u202eleft"}, "say", "must not hold control characters"),
        ({"say": "\x00"}, "say", "must not hold control characters"),
        ({"amount": 0}, "amount", "must be 1 to 100"),
        ({"amount": 100}, None, None),
        ({"amount": 101}, "amount", "must be 1 to 100"),
        ({"amount": -(2**63)}, "amount", "must be 1 to 100"),
        ({"colour": 2}, None, None),
        ({"colour": 3}, "colour", "must be a value of Colour"),
        ({"colour": -1}, "colour", "must be a value of Colour"),
        ({"needed": 0}, "needed", "must be there"),
        ({"needed": 9}, "needed", "must be a value of Colour"),
        ({"inner": None}, "inner", "must be there"),
        ({"inner": {}}, "inner.name", "must be there"),
        ({"inner": {"name": "far too long"}}, "inner.name", "must have at most 8 characters"),
        (
            {"inner": {"name": "a", "more": [{"name": "b"}, {}]}},
            "inner.more[1].name",
            "must be there",
        ),
        (
            {"inner": {"name": "a", "more": [{"name": "b"}] * 3}},
            "inner.more",
            "must have at most 2 entries",
        ),
        ({"places": [0, 51]}, None, None),
        ({"places": [0, 52]}, "places[1]", "must be 0 to 51"),
        ({"places": [0, 1, 2, 3]}, "places", "must have at most 3 entries"),
        ({"named": {"abcde": {"name": "a"}}}, "named[0]", "must have at most 4 characters"),
        ({"named": {"a": {"name": ""}}}, "named[0].name", "must be there"),
        ({"named": {key: {"name": "a"} for key in "abc"}}, "named", "must have at most 2 entries"),
        ({"word": None}, "what", "must be one of word or thing"),
        ({"word": None, "thing": {"name": "t"}}, None, None),
        ({"word": None, "thing": {}}, "thing.name", "must be there"),
        ({"maybe": None}, "maybe", "must be there"),
        ({"blob": b"1234"}, None, None),
        ({"blob": b"12345"}, "blob", "must have at most 4 bytes"),
        ({"share": float("nan")}, "share", "must be a finite number"),
        ({"share": float("-inf")}, "share", "must be a finite number"),
        ({"tags": []}, "tags", "must have an entry"),
        ({"tags": ["t"] * ENTRIES}, None, None),
        ({"tags": ["t"] * (ENTRIES + 1)}, "tags", "must have at most 256 entries"),
        ({"tags": ["t", "\r"]}, "tags[1]", "must not hold control characters"),
    ],
)
def test_a_broken_field_is_named_with_its_reason(echo, good, change, field, reason):
    fields = {name: value for name, value in (good | change).items() if value is not None}
    found = look(echo, fields)
    assert found == (() if field is None else (BadInput(field, reason),))


def test_all_that_is_wrong_is_told_at_once(echo, good):
    found = look(echo, {})
    assert [one.field for one in found] == ["amount", "needed", "inner", "maybe", "tags", "what"]


def test_no_more_is_told_than_a_client_can_read(echo, good):
    found = look(echo, good | {"tags": ["\n"] * ENTRIES})
    assert len(found) == FAULTS


def test_no_reason_repeats_what_was_sent(echo):
    secret = "hole-cards-AsAh"
    found = look(
        echo, {"say": secret * 20, "word": secret + "\n", "named": {secret: {"name": secret}}}
    )
    assert len(found) >= 4
    assert secret not in repr(found)
