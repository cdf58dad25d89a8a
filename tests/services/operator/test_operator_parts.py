"""The parts of the operator's service by themselves: the book, what is kept open, flags, orders."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.commands import CloseTable, PauseTable
from riverboat.game.record import Answered, Record
from riverboat.game.table.events import TablePaused
from riverboat.game.table.state import Sitting, Table
from riverboat.log import log, topics
from riverboat.runtime.config import ConfigError, load
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli.network_log import open_network
from services.operator.book import Book
from services.operator.keeping import due
from services.operator.measures import HOUSE
from services.operator.orders import MEMORY, Orders
from services.operator.templates import read_templates
from services.operator.watch import SOON_MS, Index, Note
from tests.services.operator.operating import orders, templates
from tests.waiting import until

M = pb.Measure


def taken(own_id: str, *, by: str = "ann", **measure: Any) -> pb.OperatorRecord:
    made = pb.MeasureTaken(id=own_id, by=by, subject="x", measure=M(**measure))
    return pb.OperatorRecord(taken=made)


def ended(own_id: str, **more: Any) -> pb.OperatorRecord:
    return pb.OperatorRecord(ended=pb.MeasureEnded(id=own_id, subject="x", **more))


def book_of(*records: pb.OperatorRecord) -> Book:
    book = Book()
    for at, record in enumerate(records):
        value = record.SerializeToString()
        book.take(log.Record(topics.OPERATOR_LOG, 0, at, 1_000 + at, "x", value))
    return book


def test_a_measure_counts_once_and_ends_once():
    warn = M.Warn(player="huck")
    book = book_of(
        taken("1", warn=warn),
        taken("1", warn=M.Warn(player="jim")),  # the same key, by another process, too late
        ended("1"),
        ended("1", refused="NO_TABLE"),
        ended("2"),  # of nothing that was ever taken
    )
    assert (book.player("huck").warnings, book.player("jim").warnings) == (1, 0)
    entry = book.entries["1"]
    assert (entry.taken_at, entry.ended_at, entry.ended_ms) == (0, 2, 1_002)
    assert entry.ended is not None
    assert not entry.ended.refused
    assert not book.open


def test_what_was_refused_has_no_effect():
    book = book_of(taken("1", freeze=M.Freeze(player="huck")), ended("1", refused="NO_TABLE"))
    assert not book.player("huck").frozen


def test_a_record_of_a_later_release_is_counted_and_passed_over():
    book = Book()
    book.take(log.Record(topics.OPERATOR_LOG, 0, 0, 1, "x", b"\xff"))
    book.take(log.Record(topics.OPERATOR_LOG, 0, 1, 1, "x", b""))
    assert (book.unknown, book.entries) == (2, {})


def sat(table: str, *players: str, path: Path) -> Table:
    settings = read_templates(path)["evening"].settings
    found = Table(table, settings=settings)
    for seat, player in enumerate(players, 1):
        found.sittings[seat] = Sitting(seat, player, f"{table}:{player}", 100)
    return found


@pytest.mark.parametrize(
    ("tables", "kinds"),
    [
        ([], ["open"]),  # one is wanted
        ([("1.0", "a")], []),
        ([("1.0", "a", "b")], ["open"]),  # the last one has filled: two seats
        ([("1.0", "a", "b"), ("2.0", "c")], []),
        ([("1.0",), ("2.0",)], ["drain 2.0"]),  # the newest of two empty ones
        ([("1.0", "a"), ("2.0", "b")], []),  # nobody is sent away
    ],
)
def test_as_many_with_a_free_chair_as_are_wanted(tables, kinds, tmp_path):
    path = templates(tmp_path)
    known = {name: sat(name, *players, path=path) for name, *players in tables}
    opened = [
        record
        for name in known
        for record in (
            taken(name, by=HOUSE, open=M.Open(template="evening", table=name)),
            ended(name),
        )
    ]
    wanted = M.Keep(template="evening", tables=1)
    book = book_of(*opened, taken("k", keep=wanted), ended("k"))
    found = list(due(book, read_templates(path), known.get, 2_000))
    told = [
        f"drain {one.measure.drain.table}" if one.measure.HasField("drain") else "open"
        for one in found
    ]
    assert told == kinds


def test_what_an_operator_opened_is_his_to_close(tmp_path):
    path = templates(tmp_path)
    table = sat("1.0", path=path)
    opened = M(open=M.Open(template="evening", table="1.0")).open
    for by, many in (("ann", 0), (HOUSE, 1)):
        book = book_of(taken("1.0", by=by, open=opened), ended("1.0"))
        assert len(list(due(book, read_templates(path), {"1.0": table}.get, 2_000))) == many


def test_a_table_under_way_is_waited_for_and_a_refused_one_not_tried_again_at_once(tmp_path):
    kept = read_templates(templates(tmp_path, "[evening]\nkeep = 1\n"))
    opening = taken("1", open=M.Open(template="evening", table="1.0"))
    opening.taken.subject = "template:evening"
    assert list(due(book_of(opening), kept, lambda _: None, 2_000)) == []
    refused = book_of(opening, ended("1", refused="BAD_SETTING"))
    assert list(due(refused, kept, lambda _: None, 2_000)) == []
    assert len(list(due(refused, kept, lambda _: None, 2_000_000))) == 1


def protected(at_ms: int, hand: str, *, facing: bool = True, back_ms: int = 0) -> list[Note]:
    """A hand in which huck's line is lost and he is protected; it ends a second later."""
    lost = Note("line_lost", "huck", at_ms, "1.0", hand, facing=facing)
    kept = Note("protected", "huck", at_ms, "1.0", hand, facing=True)
    over = Note("hand_over", "", at_ms + 1_000, "1.0", hand)
    back = Note("line_back", "huck", at_ms + 1_000 + back_ms, "1.0")
    return [lost, kept, over, back]


LATE = SOON_MS + 1


@pytest.mark.parametrize(
    ("notes", "kinds"),
    [
        (protected(1, "a", back_ms=SOON_MS), [pb.FLAG_KIND_BACK_SOON]),
        (protected(1, "a", back_ms=LATE), []),
        # Twice, and only ever when he faced a bet.
        (
            [*protected(1, "a", back_ms=LATE), *protected(99_999, "b", back_ms=LATE)],
            [pb.FLAG_KIND_ONLY_FACING],
        ),
        # His line is lost at other times, too.
        (
            [
                *protected(1, "a", back_ms=LATE, facing=False),
                *protected(99_999, "b", back_ms=LATE),
            ],
            [],
        ),
        # What a gateway loses is not his doing, the one way or the other.
        (
            [
                Note("line_lost", "huck", 1, "1.0", gateway=True),
                *protected(2, "a", back_ms=LATE),
                *protected(99_999, "b", back_ms=LATE),
            ],
            [pb.FLAG_KIND_ONLY_FACING],
        ),
        # Lost and back without a protection.
        ([Note("line_lost", "huck", 1, "1.0", "a"), Note("line_back", "huck", 2, "1.0")], []),
    ],
)
def test_what_is_flagged_of_lost_lines(notes, kinds):
    """RULES 7: "disconnected only when facing a bet; ... back within seconds after the hand"."""
    found: list[pb.PlayerFlagged] = []
    index = Index(found.append)
    for note in notes:
        index.gather(note)
    assert [one.kind for one in found] == kinds


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("evening = 3", "evening: must be a table of options"),
        ("[evening]\nkeep = -1", "evening.keep: must be a whole number from 0 to 100"),
        ("[evening]\ncolour = 1", "evening.colour: is no option of a table"),
        ("[evening]\nseats = '6'", "evening.seats: must be a whole number"),
        ("[evening]\nseats = 99", "evening.seats: "),
        ("[evening]\nblinds = [5]", "evening.blinds: must be two amounts"),
        ("[evening]\nbutton_rule = 'walking'", "evening.button_rule: must be moving or dead"),
        ("[evening]\nvariant = 'snap'", "evening.variant: "),
        ("[evening]\n[evening.stakes]\nrent = 1", "evening.stakes: must be some of "),
        ("[evening", "templates.toml: "),
    ],
)
def test_a_wrong_template_is_told_by_file_and_key(text, says, tmp_path):
    path = templates(tmp_path, text)
    with pytest.raises(ConfigError) as raised:
        read_templates(path)
    assert str(raised.value).startswith(f"table_templates: {path}: ")
    assert says in str(raised.value)


class Sender:
    """Orders over a real log, beside a table that the test moves."""

    def __init__(self, network: log.Log) -> None:
        self.log = network
        self.count = 0
        self.table = Table("1.0", version=5)
        self.orders = Orders(network, lambda _: self.table, self.submit)
        self.caught_up = asyncio.Event()
        self.following = asyncio.create_task(self.orders.follow(self.caught_up))

    async def submit(self, appends: Any) -> None:
        await self.log.append(appends).durable
        self.count += len(appends)

    async def carried(self) -> Any:
        return await self.orders.carry("operator/1", "1.0", "ann", PauseTable("operator", 0))

    async def sent(self) -> int:
        return len(await orders(self.log))

    def answer(self, offset: int) -> None:
        events = (TablePaused("operator", 0),)
        told = Answered("table-orders", offset)
        record = Record("1.0", 6, "r5", "dealer/a/1", "", told, 1, events)
        self.table.version = 6
        self.orders.saw(self.table, record, log.Record(topics.HAND_LOG, 0, 9, 1, "1.0", b""))


async def test_an_order_that_stands_unanswered_is_not_sent_again(tmp_path: Path) -> None:
    network = await open_network(load(flags={"data": tmp_path, "partitions": 1}))
    sender = Sender(network)
    carrying = asyncio.create_task(sender.carried())
    await until(lambda: sender.count == 1)
    done, _ = await asyncio.wait([carrying], timeout=1.5)
    assert not done
    assert await sender.sent() == 1
    sender.answer(0)
    assert (await carrying).version == 6
    # Whoever comes next, by the same id, finds it answered.
    assert (await sender.carried()).version == 6
    assert await sender.sent() == 1
    sender.following.cancel()
    await network.close()


async def test_an_order_that_was_passed_over_is_sent_again(tmp_path: Path) -> None:
    """Orders of the house are resent: a decider that is behind may pass them over."""
    network = await open_network(load(flags={"data": tmp_path, "partitions": 1}))
    sender = Sender(network)
    carrying = asyncio.create_task(sender.carried())
    await until(lambda: sender.count == 1)
    # The dealer answers something later first: what is before it is never answered any more.
    sender.table.offsets[MEMORY] = 0
    await until(lambda: sender.count == 2)
    sender.answer(1)
    assert (await carrying).refused == ""
    sender.following.cancel()
    await network.close()


async def test_an_order_to_a_table_that_is_gone_is_refused(tmp_path: Path) -> None:
    network = await open_network(load(flags={"data": tmp_path, "partitions": 1}))
    found = Orders(network, lambda _: None, lambda _: asyncio.sleep(0))
    following = asyncio.create_task(found.follow(asyncio.Event()))
    answer = await found.carry("operator/1", "1.0", "ann", CloseTable("operator"))
    assert answer.refused == "NO_TABLE"
    following.cancel()
    await network.close()
