"""The formats of the embedded log's file: a new one is made, an older one is brought up to date.

Whole or not at all: a file that cannot be brought up stays what it was. Never touches a record.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from riverboat.log.log import LogError

FORMAT = 2

_SCHEMA = f"""
BEGIN;
CREATE TABLE place (
    id INTEGER PRIMARY KEY, topic TEXT NOT NULL, partition INTEGER NOT NULL,
    first INTEGER NOT NULL DEFAULT 0, UNIQUE (topic, partition)
);
CREATE TABLE record (
    seq INTEGER PRIMARY KEY, place INTEGER NOT NULL, at INTEGER NOT NULL,
    time_ms INTEGER NOT NULL, key TEXT NOT NULL, value BLOB
);
CREATE TABLE placed (
    place INTEGER NOT NULL, at INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (place, at)
) WITHOUT ROWID;
CREATE TABLE indexed (seq INTEGER NOT NULL);
INSERT INTO indexed VALUES (0);
CREATE TABLE progress (
    team TEXT NOT NULL, place INTEGER NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (team, place)
) WITHOUT ROWID;
PRAGMA user_version = {FORMAT};
COMMIT;
"""

# Format 1 kept an index of SQLite's own, written with each record.
_FROM_1 = """
BEGIN;
CREATE TABLE placed (
    place INTEGER NOT NULL, at INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (place, at)
) WITHOUT ROWID;
INSERT INTO placed SELECT place, at, seq FROM record ORDER BY place, at;
CREATE TABLE indexed (seq INTEGER NOT NULL);
INSERT INTO indexed SELECT ifnull(max(seq), 0) FROM record;
DROP INDEX record_at;
PRAGMA user_version = 2;
COMMIT;
"""
# The same, for who may not write.
_AS_IF_2 = f"""
CREATE TEMP VIEW placed AS SELECT place, at, seq FROM record;
CREATE TEMP VIEW indexed AS SELECT {2**63 - 1} AS seq;
"""


def version(file: sqlite3.Connection) -> int:
    """The format of a file; 0 where it is none yet: new, or its maker died before it stood."""
    (found,) = file.execute("PRAGMA user_version").fetchone()
    return int(found)


def make(file: sqlite3.Connection) -> None:
    """Make an empty file a log."""
    _whole(file, _SCHEMA)


def bring_up(file: sqlite3.Connection, path: Path) -> None:
    """Bring a file of format 1 up to date; `LogError` says why that cannot be, and it stays so."""
    try:
        _whole(file, _FROM_1)
    except sqlite3.OperationalError as error:
        raise LogError(
            f"{path} cannot be brought from format 1 to {FORMAT}, and stays as it is: {error}"
        ) from error


def look_as_if(file: sqlite3.Connection) -> None:
    """Let a file of format 1 be read like a newer one, by who may not write."""
    file.executescript(_AS_IF_2)


def _whole(file: sqlite3.Connection, script: str) -> None:
    try:
        file.executescript(script)
    except BaseException:
        if file.in_transaction:
            file.execute("ROLLBACK")
        raise
