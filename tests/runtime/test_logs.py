"""Logs tell what they may and nothing private, whatever is thrown at them."""

from __future__ import annotations

import io
import json
import logging

import pytest

from riverboat.runtime.logs import JsonLines, PlainLines, facts, set_up

SECRET = "AsAh-the-hole-cards"
TOKEN = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJwMSJ9.c2lnbmF0dXJl"


class Told:
    """A logger of its own and what it wrote."""

    def __init__(self, name, formatter):
        self.stream = io.StringIO()
        handler = logging.StreamHandler(self.stream)
        handler.setFormatter(formatter)
        self.log = logging.Logger(name, logging.DEBUG)
        self.log.addHandler(handler)

    def text(self):
        return self.stream.getvalue()

    def lines(self):
        return [json.loads(line) for line in self.text().splitlines()]


@pytest.fixture(params=[JsonLines, PlainLines], ids=["json", "plain"])
def either(request):
    return Told("riverboat.session", request.param())


@pytest.fixture
def told():
    return Told("services.dealer", JsonLines())


def test_a_line_is_one_json_object_with_its_facts(told):
    told.log.info("hand ended", extra=facts(table="3f.7", hand="3f.7-12", pot=420, rake=21))
    [line] = told.lines()
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "services.dealer",
        "message": "hand ended",
        "table": "3f.7",
        "hand": "3f.7-12",
        "pot": 420,
        "rake": 21,
    }


def test_a_fact_that_has_no_name_in_the_list_is_not_told(either):
    either.log.info("dealt", extra=facts(hand="3f.7-12", cards=SECRET, sealed=SECRET))
    assert "3f.7-12" in either.text()
    assert SECRET not in either.text()
    assert "(not told)" in either.text()


def test_a_fact_is_a_plain_value_or_only_its_kind(either):
    either.log.info("x", extra={"facts": {"hand": [SECRET], "table": {"a": SECRET}, "seat": None}})
    assert SECRET not in either.text()
    assert "list" in either.text()


def test_arguments_of_our_own_lines_are_not_told(either):
    either.log.warning("dealt %s", SECRET)
    assert SECRET not in either.text()


def test_an_exception_tells_its_kind_and_place_but_not_its_words(either):
    def inner():
        raise ValueError(f"invalid literal: {SECRET}")

    try:
        try:
            inner()
        except ValueError as error:
            raise KeyError(SECRET) from error
    except KeyError:
        either.log.exception("call failed", extra=facts(incident="c0ffee"))
    assert SECRET not in either.text()
    for word in ("KeyError from ValueError", "c0ffee", "test_logs.py:"):
        assert word in either.text()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ConnectionRefusedError(111, "Connection refused"), "[Errno 111] Connection refused"),
        (AssertionError("pots and stacks sum to what was put in"), "pots and stacks sum"),
    ],
)
def test_words_that_nobody_sent_are_told(told, error, words):
    try:
        raise error
    except Exception:
        told.log.exception("stopped")
    [line] = told.lines()
    assert words in line["words"]


def test_a_token_is_never_told(either):
    either.log.info("x", extra=facts(reason=f"Bearer {TOKEN}"))
    other = Told("aiokafka", PlainLines())
    other.log.warning("metadata %s", TOKEN)
    assert TOKEN not in either.text() + other.text()
    assert "(token)" in either.text()
    assert "(token)" in other.text()


def test_another_librarys_objects_are_not_quoted():
    other = Told("asyncio", JsonLines())
    other.log.error("Task exception was never retrieved\nfuture: <Task exception='%s'>", SECRET)
    [line] = other.lines()
    assert line["message"] == "Task exception was never retrieved"


def test_nothing_in_a_line_makes_another(either):
    forged = "x\nlevel: forged\r\n\x1b[2Jgone\u2028"
    either.log.info("left", extra=facts(reason=forged))
    assert len(either.text().strip("\n").split("\n")) == 1
    assert "\x1b" not in either.text()


@pytest.mark.parametrize("json_lines", [True, False])
def test_set_up_writes_ours_from_the_level_and_others_from_warning(json_lines):
    root, ours = logging.getLogger(), logging.getLogger("riverboat")
    before = (list(root.handlers), root.level, ours.level, logging.getLogger("services").level)
    stream = io.StringIO()
    try:
        set_up("debug", json_lines=json_lines, stream=stream)
        logging.getLogger("riverboat.step").debug("event applied")
        logging.getLogger("aiokafka").info("chatter")
        logging.getLogger("aiokafka").warning("broker gone")
        set_up("error", json_lines=json_lines, stream=stream)
        logging.getLogger("riverboat.step").info("hand ended")
        logging.getLogger("aiokafka").warning("broker still gone")
    finally:
        root.handlers[:], level, ours_level, services_level = before
        root.setLevel(level)
        ours.setLevel(ours_level)
        logging.getLogger("services").setLevel(services_level)
    written = stream.getvalue()
    assert "event applied" in written
    assert "broker gone" in written
    for unwanted in ("chatter", "hand ended", "still gone"):
        assert unwanted not in written
