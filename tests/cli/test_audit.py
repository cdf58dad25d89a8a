"""`riverboat audit` on a real log and ledger: clean as they were played, and forged in every way.

The network is the real step of all deciders on a real embedded log, with the real ledger beside it,
driven without a wire. Each test tampers with a copy of what it left behind.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.hand.events import HandStarted, RaisedTo, StreetDealt
from riverboat.game.record import Record
from riverboat.log import topics
from riverboat.log.deck_keys import FileKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.embedded_store import FILE_NAME
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.entropy import Seeded
from riverboat.wire.record import decode_record, encode_record
from services.cli.main import run
from tests.cli.played import HANDS, TABLES, Played


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    # Of today: what was put aside is kept for some weeks only.
    clock = [SystemClock().now_ms()]

    async def play() -> None:
        network = await EmbeddedLog.open(folder, clock=lambda: clock[0])
        house = Played(network, folder, clock)
        await house.play()
        await network.close()
        house.store.close()

    asyncio.run(play())
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


class File:
    """The hand log of a copy, to be tampered with."""

    def __init__(self, folder: Path) -> None:
        self.file = sqlite3.connect(folder / FILE_NAME)

    def records(self, table: str) -> list[tuple[int, Record]]:
        """Number of the row, and the record in it."""
        rows = self.file.execute(
            "SELECT seq, value FROM record JOIN place ON place.id = place"
            " WHERE topic = ? AND key = ? ORDER BY at",
            (topics.HAND_LOG, table),
        )
        return [(row, decode_record(value)) for row, value in rows]

    def first(self, table: str, *kinds: type) -> tuple[int, Record]:
        """The first record with such an event."""
        return next(
            found
            for found in self.records(table)
            if any(isinstance(event, kinds) for event in found[1].events)
        )

    def change(self, statement: str, *values: object) -> None:
        with self.file:
            assert self.file.execute(statement, values).rowcount == 1
        self.file.close()

    def put(self, row: int, value: bytes) -> None:
        self.change("UPDATE record SET value = ? WHERE seq = ?", value, row)


def audited(capsys: pytest.CaptureFixture[str], folder: Path, *more: str) -> tuple[int, list[str]]:
    """The status of the audit, and what it printed."""
    try:
        status = run(["audit", str(folder), *more])
    except SystemExit as ended:
        status = int(str(ended.code))
    return status, capsys.readouterr().out.splitlines()


def swapped(event: Any) -> Any:
    """The street with the first card of its board turned into another one."""
    if not isinstance(event, StreetDealt) or not event.board:
        return event
    board = event.board[0]
    cards = ((board.cards[0] + 1) % 52, *board.cards[1:])
    return replace(event, board=(replace(board, cards=cards), *event.board[1:]))


def board_of(file: File, table: str) -> tuple[int, Record]:
    """The first record that deals to the board."""
    return next(
        found
        for found in file.records(table)
        if any(isinstance(event, StreetDealt) and event.board for event in found[1].events)
    )


def test_what_was_played_is_clean(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (0, "clean"), lines
    assert "ledger compared at 2 tables" in lines
    assert "decks opened and proofs checked" in lines
    assert int(lines[1].partition(" ")[0]) >= 2 * HANDS, "hands started"


def test_a_record_taken_out_of_the_middle_is_named(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    file = File(copy)
    row, gone = file.records(TABLES[1])[20]
    file.change("DELETE FROM record WHERE seq = ?", row)
    status, lines = audited(capsys, copy)
    what = f"version {gone.version + 1}, "
    assert status == 1
    assert lines[-1].startswith(f"broken: one state: {gone.table} v{gone.version - 1}: {what}")


def test_the_last_record_of_a_table_is_missed_by_the_ledger(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    file = File(copy)
    row, gone = file.records(TABLES[1])[-1]
    file.change("DELETE FROM record WHERE seq = ?", row)
    status, lines = audited(capsys, copy)
    ends = f"is booked, and the log ends at v{gone.version - 1}"
    assert status == 1
    assert lines[-1] == f"broken: ledger: {gone.table} v{gone.version}: {ends}"


def test_a_record_taken_out_where_no_table_misses_it_is_named_by_its_place(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    """A command that nobody answered leaves no trace but its offset."""
    file = File(copy)
    place = f"{topics.TABLE_COMMANDS}/0/4"
    file.change(
        "DELETE FROM record WHERE at = 4 AND place ="
        " (SELECT id FROM place WHERE topic = ? AND partition = 0)",
        topics.TABLE_COMMANDS,
    )
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (
        1,
        f"broken: one state: {place}: nothing stands here, and something did",
    )


def test_a_record_with_changed_bytes_is_named(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    file = File(copy)
    row, raised = file.first(TABLES[0], RaisedTo)
    file.put(row, encode_record(raised)[:-3])
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith("broken: one state: 0.0 v")
    assert f"{topics.HAND_LOG}/0/" in "\n".join(lines)


def test_a_last_record_that_is_no_record_is_named(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    file = File(copy)
    row, last = file.records(TABLES[0])[-1]
    file.put(row, b"\xff\xff")
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith(f"broken: one state: 0.0 v{last.version}: {topics.HAND_LOG}/0/")
    assert "cannot be read and was not put aside" in lines[-1]


def test_a_changed_amount_is_named(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    file = File(copy)
    row, raised = file.first(TABLES[0], RaisedTo)
    events = tuple(
        replace(event, total=event.total + 1_000_000) if isinstance(event, RaisedTo) else event
        for event in raised.events
    )
    file.put(row, encode_record(replace(raised, events=events)))
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith(f"broken: chips: 0.0 v{raised.version}: ")


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        (True, "a card is shown that was not dealt"),
        (False, "a shown card's proof does not hold"),
    ],
)
def test_a_changed_card_is_named(
    capsys: pytest.CaptureFixture[str], copy: Path, *, keys: bool, why: str
) -> None:
    file = File(copy)
    row, dealt = board_of(file, TABLES[1])
    file.put(row, encode_record(replace(dealt, events=tuple(map(swapped, dealt.events)))))
    if not keys:
        (copy / "deck-keys.json").unlink()
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (1, f"broken: cards: 1.1 v{dealt.version}: {why}")


def test_a_deck_that_does_not_open_is_named(capsys: pytest.CaptureFixture[str], copy: Path) -> None:
    file = File(copy)
    row, started = file.first(TABLES[0], HandStarted)
    events = tuple(
        replace(event, sealed=event.sealed[:-1] + bytes([event.sealed[-1] ^ 1]))
        if isinstance(event, HandStarted)
        else event
        for event in started.events
    )
    file.put(row, encode_record(replace(started, events=events)))
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith(f"broken: cards: 0.0 v{started.version}: ")
    assert "does not open" in lines[-1]


def test_cards_under_a_key_that_was_destroyed_are_named_as_not_checked(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    """ARCHITECTURE 4, the deck: "Destroying a day's key is the retention policy"."""
    keys = FileKeys(copy / "deck-keys.json", Seeded(9))
    day = keys.days()[0]
    keys.destroy(day)
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (0, "clean")
    told = [line for line in lines if line.startswith("cards of ")]
    assert " hands not checked, from 0.0 v" in told[0]
    assert told[0].endswith(f"the key of {day} was destroyed")


def test_a_record_that_stands_twice_is_harmless(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    file = File(copy)
    row, _ = file.records(TABLES[0])[10]
    file.change(
        "INSERT INTO record (place, at, time_ms, key, value)"
        " SELECT place, (SELECT max(at) + 1 FROM record AS r WHERE r.place = record.place),"
        " time_ms, key, value FROM record WHERE seq = ?",
        row,
    )
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (0, "clean"), lines
    assert lines[2].startswith("1 stale records")


def forge(folder: Path, *statements: str) -> None:
    """Change the ledger behind its own back."""
    with sqlite3.connect(folder / "ledger.sqlite") as ledger:
        for statement in statements:
            ledger.execute(statement)


@pytest.mark.parametrize(
    ("statements", "broken"),
    [
        (
            (
                "DROP TRIGGER entries_stand",
                (
                    "UPDATE entries SET amount = amount + 1 WHERE number = 2"
                    " AND account = (SELECT number FROM accounts WHERE kind = 'table')"
                ),
            ),
            ("ledger: the ledger: ", "sums to 1 PLAY (", ".", " v"),
        ),
        (
            (
                "DROP TRIGGER accounts_add_up",
                (
                    "UPDATE accounts SET balance = balance + 1 WHERE id ="
                    " (SELECT id FROM accounts WHERE kind = 'table')"
                ),
            ),
            ("ledger: ", " v", "the ledger has {"),
        ),
        (
            ("UPDATE heads SET record = 'dealer/x/1' WHERE table_id = '1.1'",),
            ("ledger: 1.1 v", "the ledger has booked dealer/x/1, the log has "),
        ),
        (
            ("UPDATE heads SET version = 9999 WHERE table_id = '1.1'",),
            ("ledger: 1.1 v9999: is booked, and the log ends at v",),
        ),
        (
            ("UPDATE heads SET table_id = '7.1' WHERE table_id = '1.1'",),
            ("the ledger cannot be checked: ",),
        ),
    ],
    ids=["an entry", "a balance", "a head", "a version", "a table"],
)
def test_a_changed_row_of_the_ledger_is_named(
    capsys: pytest.CaptureFixture[str],
    copy: Path,
    statements: Sequence[str],
    broken: Sequence[str],
) -> None:
    forge(copy, *statements)
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith(f"broken: {broken[0]}")
    for part in broken[1:]:
        assert part in lines[-1]


def test_flagged_postings_are_told_and_break_nothing(
    capsys: pytest.CaptureFixture[str], copy: Path
) -> None:
    forge(
        copy,
        "DROP TRIGGER postings_stand",
        "UPDATE postings SET flag = 'log_wins' WHERE number ="
        " (SELECT max(number) FROM postings WHERE table_id = '1.1')",
    )
    status, lines = audited(capsys, copy)
    assert (status, lines[-1]) == (0, "clean")
    assert "1 postings are flagged; the newest:" in lines
    assert lines[-2].endswith(" is flagged: log_wins")
    assert " at 1.1 v" in lines[-2]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (FILE_NAME, "the log cannot be read: "),
        ("ledger.sqlite", "the ledger cannot be read: "),
        ("deck-keys.json", "the decks cannot be opened: "),
    ],
)
def test_a_file_that_is_none_is_named(
    capsys: pytest.CaptureFixture[str], copy: Path, name: str, said: str
) -> None:
    for file in copy.glob(f"{name}*"):
        file.write_bytes(b"what is this?" * 1_000)
    status, lines = audited(capsys, copy)
    assert status == 1
    assert lines[-1].startswith(f"broken: {said}")
