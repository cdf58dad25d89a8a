"""Checks a case file without a network: python scripts/check_case.py FILE [DIGEST].

Says whether every byte is as it was when the file was made: each line's link to the one before,
each record's own hash, and that records of one table follow each other. With the DIGEST that the
operator-log keeps it also says whether this is the very file. Needs nothing but Python, and
believes nothing that it does not reckon anew.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FORMAT = 1
NOTHING = "0" * 64
SECTIONS = ("case", "hand-log", "seats", "commands", "orders", "ledger", "operator-log", "seal")
WITH_RECORDS = ("hand-log", "commands", "orders", "operator-log")


class Broken(Exception):
    """The file is not as it was made; the text says where."""


def canonical(value: object) -> bytes:
    """The one way in which a line is written."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def check(file: bytes) -> dict[str, dict[str, Any]]:
    """The sections of a file that is whole; raises `Broken`."""
    lines = file.split(b"\n")
    if lines[-1:] != [b""] or len(lines) != len(SECTIONS) + 1:
        raise Broken(f"it has not the {len(SECTIONS)} lines of a case file")
    found: dict[str, dict[str, Any]] = {}
    previous = NOTHING
    for name, line in zip(SECTIONS, lines, strict=False):
        try:
            section = json.loads(line)
        except ValueError:
            raise Broken(f"{name}: the line cannot be read") from None
        if not isinstance(section, dict) or sorted(section) != ["body", "previous", "section"]:
            raise Broken(f"{name}: the line is no section")
        if canonical(section) != line:
            raise Broken(f"{name}: the line is not written as such lines are")
        if section["section"] != name:
            raise Broken(f"{name}: another section stands here")
        if section["previous"] != previous:
            raise Broken(f"{name}: the line before is not the one that it was made behind")
        if not isinstance(section["body"], dict):
            raise Broken(f"{name}: the line has no body")
        previous = hashlib.sha256(line).hexdigest()
        found[name] = section["body"]
    # The last line has none behind it: all that it may say is known.
    if found["seal"] != {"sections": len(SECTIONS) - 1, "digest": found["seal"].get("digest")}:
        raise Broken("seal: it says something else than how many sections there are")
    sealed = hashlib.sha256(b"\n".join(lines[: len(SECTIONS) - 1]) + b"\n").hexdigest()
    if found["seal"].get("digest") != sealed:
        raise Broken("seal: it was put on another file")
    if found["case"].get("format") != FORMAT:
        raise Broken(f"case: not of format {FORMAT}")
    for name in WITH_RECORDS:
        _check_records(name, found[name].get("records"))
    _check_hand(found["case"], found["hand-log"]["records"])
    return found


def _check_records(section: str, records: Any) -> None:
    """Each record's hash, and that those of one partition stand in order."""
    if not isinstance(records, list):
        raise Broken(f"{section}: it has no records")
    last: dict[tuple[str, int], int] = {}
    for record in records:
        where = f"{section}: the record at offset {record.get('offset')}"
        try:
            value = base64.b64decode(record["value"], validate=True)
            place = (str(record["topic"]), int(record["partition"]))
            offset = int(record["offset"])
        except (binascii.Error, KeyError, TypeError, ValueError):
            raise Broken(f"{where} cannot be read") from None
        if hashlib.sha256(value).hexdigest() != record.get("sha256"):
            raise Broken(f"{where} is not what was hashed")
        if offset <= last.get(place, -1):
            raise Broken(f"{where} does not follow the one before")
        last[place] = offset


def _check_hand(case: dict[str, Any], records: list[dict[str, Any]]) -> None:
    """The hand's records, by their own bytes: one table, one hand, no version left out."""
    if not records:
        raise Broken("hand-log: it holds no hand")
    before: dict[str, Any] | None = None
    for record in records:
        said = envelope(base64.b64decode(record["value"]))
        where = f"hand-log: the record at offset {record['offset']}"
        for name in ("id", "version", "parent", "hand"):
            if said[name] != record.get(name):
                raise Broken(f"{where} has another {name} than its bytes")
        if said["table"] != case.get("table") or said["hand"] != case.get("hand"):
            raise Broken(f"{where} is of another hand")
        if before is not None and (
            said["parent"] != before["id"] or said["version"] != before["version"] + 1
        ):
            raise Broken(f"{where} does not follow the one before")
        before = said


def envelope(data: bytes) -> dict[str, Any]:
    """Table, version, parent, id and hand of a Record's bytes (record.proto, frozen for ever)."""
    names = {1: "table", 2: "version", 3: "parent", 4: "id", 5: "hand"}
    found: dict[str, Any] = {"table": "", "version": 0, "parent": "", "id": "", "hand": ""}
    for number, value in _fields(data):
        name = names.get(number)
        if name is not None:
            found[name] = value.decode() if isinstance(value, bytes) else value
    return found


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a protobuf message: varints and what has a length, which is all there is."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            value, at = _varint(data, at)
            yield number, value
        elif kind == 2:
            length, at = _varint(data, at)
            if at + length > len(data):
                raise Broken("hand-log: a record ends too early")
            yield number, data[at : at + length]
            at += length
        else:
            raise Broken("hand-log: a record holds what no record holds")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise Broken("hand-log: a record ends too early")


def main(arguments: list[str]) -> int:
    """Check one file; the status says whether it is whole."""
    if len(arguments) not in (1, 2):
        print("usage: check_case.py FILE [DIGEST]", file=sys.stderr)
        return 2
    try:
        file = Path(arguments[0]).read_bytes()
    except OSError as error:
        print(f"{arguments[0]}: {error.strerror}", file=sys.stderr)
        return 2
    digest = hashlib.sha256(file).hexdigest()
    try:
        found = check(file)
        if len(arguments) == 2 and arguments[1] != digest:
            raise Broken("it is whole, and not the file of this digest")
    except Broken as broken:
        print(f"BROKEN: {broken}")
        return 1
    case = found["case"]
    print(f"Hand {case['hand']}, made by {case['by']}: {case['why']}")
    for name in WITH_RECORDS:
        print(f"  {name}: {len(found[name]['records'])} records")
    print(f"  ledger: {len(found['ledger']['postings'])} postings")
    print(f"whole; SHA-256 {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
