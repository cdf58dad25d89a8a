"""Logs: what a process writes for people, a line an occurrence, as JSON or as plain words.

Our own lines are a constant sentence and facts by name, and only the names in `FACTS` are written:
no card, key, token, address or word of a player has a name there. An exception tells what kind it
is and where it rose; its own words may quote what somebody sent and are written only where they
cannot. A line a hand is INFO, a line an event DEBUG; nothing here counts as a record of anything.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, TextIO

# What a line may tell. All of it stands in the log of the network or is of the machine.
FACTS: Final = frozenset(
    {
        *("table", "hand", "version", "event", "topic", "partition", "offset", "lag"),
        *("service", "instance", "player", "seat", "seats", "connection", "reservation"),
        *("command", "number", "code", "reason", "status", "method", "incident", "role"),
        *("count", "amount", "pot", "rake", "currency", "variant", "limit", "rulebook", "runs"),
        *("ms", "late_ms", "clock_ms", "bytes", "port", "host", "file", "setting", "kind"),
        *("pid", "exit", "signal", "attempt", "tables", "hands", "events", "watchers"),
    }
)

LONGEST_VALUE: Final = 200
LONGEST_MESSAGE: Final = 2_000

_OURS: Final = ("riverboat", "services")
_TOKEN: Final = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]*")

# Their words come from the operating system or from our own source, never from a caller.
_QUOTABLE: Final = (OSError, AssertionError)


def facts(**named: int | float | str | bool | None) -> dict[str, Mapping[str, Any]]:
    """The facts of a line, as its `extra`: `log.info("hand ended", extra=facts(hand=hand.id))`."""
    return {"facts": named}


class _Lines(logging.Formatter):
    """What both ways of writing share: what a record may tell."""

    def said(self, record: logging.LogRecord) -> str:
        if _ours(record.name):
            # Its arguments, if it has any, are not facts by name.
            return str(record.msg)
        # Of another library's line the first: those that follow quote objects.
        line = record.getMessage().partition("\n")[0]
        return _TOKEN.sub("(token)", line[:LONGEST_MESSAGE])

    def told(self, record: logging.LogRecord) -> dict[str, Any]:
        named = getattr(record, "facts", {})
        told = {name: _plain(named[name]) if name in FACTS else "(not told)" for name in named}
        if record.exc_info and record.exc_info[1] is not None:
            told |= broken(record.exc_info[1])
        return told


class JsonLines(_Lines):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": self.said(record),
        }
        return json.dumps(line | self.told(record))


class PlainLines(_Lines):
    """A line for a person at a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        told = self.told(record)
        where = told.pop("where", [])
        tail = "".join(f"  {name}={value}" for name, value in told.items())
        line = f"{_time(record)[11:23]}  {record.levelname.lower():7}  {self.said(record)}{tail}"
        # A line is a line, whatever stands in it.
        line = "".join(sign if sign.isprintable() else " " for sign in line)
        return "\n    ".join([line, *where])


def broken(error: BaseException) -> dict[str, Any]:
    """What a line tells of an exception: its kind, where it rose, its words if they are ours."""
    chain: list[BaseException] = []
    step: BaseException | None = error
    while step is not None and step not in chain and len(chain) < 8:
        chain.append(step)
        step = step.__cause__ or (None if step.__suppress_context__ else step.__context__)
    kinds = [type(one).__name__ for one in chain]
    told: dict[str, Any] = {"error": " from ".join(kinds), "where": _frames(error)}
    if isinstance(error, _QUOTABLE) or _ours(type(error).__module__):
        told["words"] = _TOKEN.sub("(token)", str(error))[:LONGEST_MESSAGE]
    return told


def set_up(level: str, *, json_lines: bool, stream: TextIO | None = None) -> logging.Handler:
    """Write this process's logs to `stream` (stderr if none), from `level` on."""
    # gRPC's core writes to stderr past all of this, also about every client that hung up; what is
    # wrong for us it raises as well.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonLines() if json_lines else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Other libraries speak up only where something is wrong.
    root.setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))
    for name in _OURS:
        logging.getLogger(name).setLevel(level.upper())
    return handler


def _ours(name: str) -> bool:
    return name.partition(".")[0] in _OURS


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _plain(value: object) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _TOKEN.sub("(token)", value[:LONGEST_VALUE])
    return type(value).__name__


def _frames(error: BaseException) -> list[str]:
    """Where it rose, innermost first; the source's lines are left out, they are in the source."""
    frames = traceback.extract_tb(error.__traceback__)[-12:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in reversed(frames)]
