"""Measures on a real network: taken by who may, once whatever is retried, kept with who and why."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from riverboat.game.commands import CloseTable, Ordered
from riverboat.game.ids import partition_of
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.runtime.auth import RIGHT_NAMES
from riverboat.wire.record import encode_ordered
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli import reach
from services.cli.network_log import open_network
from services.operator.measures import measure_id, partition_for
from services.operator.refusals import OperatorCode
from tests.cli.house import network
from tests.services.operator.operating import (
    measures,
    operators,
    options,
    orders,
    running,
    templates,
)
from tests.waiting import until

M = pb.Measure


async def test_a_table_is_opened_from_a_template_once_for_each_key(tmp_path: Path) -> None:
    async with (
        network(tmp_path, table_templates=templates(tmp_path)) as net,
        operators(net, "ann") as (ann,),
    ):
        first = await ann.take(key="k1", open=M.Open(template="evening"))
        again = await ann.take(key="k1", open=M.Open(template="evening"))
        other = await ann.take(key="k2", open=M.Open(template="evening"))
        assert again == first
        assert other.table != first.table
        names = {name: options(net, name).name for name in net.house.tables}
        assert names == {first.table: "Natchez 1", other.table: "Natchez 2"}
        listed = await ann.ask("ListTemplates", pb.ListTemplatesRequest())
        told = {one.name: list(one.tables) for one in listed.templates}
        assert told == {"evening": [first.table, other.table], "morning": []}


async def test_a_key_names_one_measure(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann", "bob") as (ann, bob):
        table = await net.open_table()
        await ann.take(key="k", say=M.Say(table=table, text="good evening"))
        said = await ann.reason(key="k", say=M.Say(table=table, text="good morning"))
        assert said == OperatorCode.MEASURE_KEY_REUSED.name
        said = await ann.refusal(
            key="k", why="another why", say=M.Say(table=table, text="good evening")
        )
        assert said.startswith("FAILED_PRECONDITION: measure key reused")
        # Another operator's key is another key.
        await bob.take(key="k", say=M.Say(table=table, text="good morning"))


async def test_two_calls_with_one_key_at_once_are_one_measure(tmp_path: Path) -> None:
    async with (
        network(tmp_path, table_templates=templates(tmp_path)) as net,
        operators(net, "ann") as (ann,),
    ):
        calls = [ann.take(key="k", open=M.Open(template="evening")) for _ in range(8)]
        answers = await asyncio.gather(*calls)
        assert all(answer == answers[0] for answer in answers)
        assert len(net.house.tables) == 1
        sent = await orders(net.house._log)
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("measure", "right"),
    [
        ({"close": M.Close(table="1.0")}, "tables"),
        ({"void": M.Void(hand="1.0-1")}, "tables"),
        ({"warn": M.Warn(player="ann")}, "players"),
        ({"freeze": M.Freeze(player="ann")}, "players"),
        ({"refund": M.Refund(player="ann", currency="PLAY", amount=1)}, "money"),
        ({"approve": M.Approve(correction="1")}, "approve"),
        ({"complain": M.Complain(player="ann", text="x")}, "complaints"),
    ],
)
async def test_a_measure_takes_its_right(tmp_path: Path, measure, right) -> None:
    """Deny by default: the role alone lets somebody look."""
    others = [one for one in RIGHT_NAMES if one != right]
    async with network(tmp_path) as net, operators(net, "ann", rights=others) as (ann,):
        assert await ann.refusal(**measure) == f"PERMISSION_DENIED: only with the right {right}"
        assert await measures(net.house._log) == []


async def test_why_must_be_said(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        said = await ann.refusal(why="", say=M.Say(text="x"))
        assert said == "INVALID_ARGUMENT: why: must be there"


async def test_the_house_is_nobody_s_token(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "house") as (house,):
        said = await house.refusal(say=M.Say(text="x"))
        assert said == "PERMISSION_DENIED: the house itself is nobody's token"


async def test_orders_are_answered_once_the_table_shows_them(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        done = await ann.take(close=M.Close(table=table))
        assert (done.table, done.version > 1) == (table, True)
        assert net.house.tables[table].closing
        said = await ann.refusal(close=M.Close(table="77.0"))
        assert said == "FAILED_PRECONDITION: no table"
        said = await ann.refusal(close=M.Close(table="77.99"))
        assert said == "INVALID_ARGUMENT: measure.close.table: must be a table's id"
        line = (await ann.ask("ListMeasures", pb.ListMeasuresRequest())).measures[0]
        assert (line.taken.by, line.taken.why) == ("ann", "as the test wants")
        assert line.taken.subject == f"table:{table}"
        assert 0 < line.taken_ms <= line.ended_ms
        assert (line.taken_at, line.ended_at) == (0, 1)


async def test_a_running_hand_is_called_off(tmp_path: Path) -> None:
    """RULES 7, disputes: the operator can void any hand."""
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=60_000):
            await until(lambda: net.house.tables[table].deal is not None)
            hand = running(net, table)
            await ann.take(key="v", void=M.Void(hand=hand))
            assert net.house.tables[table].hands > 1 or net.house.tables[table].deal is None
            # The same again is answered by what came of it; another finds no hand to call off.
            await ann.take(key="v", void=M.Void(hand=hand))
            said = await ann.refusal(void=M.Void(hand=hand))
            assert said.startswith("FAILED_PRECONDITION: no such hand")


@pytest.mark.parametrize("ordered", [False, True], ids=["before the order", "after the order"])
async def test_a_crash_between_measure_and_end_carries_it_out_once(tmp_path: Path, ordered) -> None:
    """The log holds what a process leaves that dies there; the next one ends it."""
    async with network(tmp_path) as net:
        table = await net.open_table()
        config = net.config
    taken = pb.MeasureTaken(
        id=measure_id("ann", "k"),
        by="ann",
        key="k",
        why="as the test wants",
        subject=f"table:{table}",
        measure=M(close=M.Close(table=table)),
    )
    log = await open_network(config)
    place = partition_for(taken.subject, 4)
    record = pb.OperatorRecord(taken=taken).SerializeToString()
    left = [Append(topics.OPERATOR_LOG, place, taken.subject, record)]
    if ordered:
        order = Ordered(table, f"operator/{taken.id}", "ann", CloseTable("operator"))
        left.append(Append(topics.TABLE_ORDERS, partition_of(table), table, encode_ordered(order)))
    await log.append(left).durable
    await log.close()
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        await until(lambda: net.house.tables[table].closing)
        # The caller who lost his answer gets it by his key.
        done = await ann.take(key="k", close=M.Close(table=table))
        assert (done.id, done.table) == (taken.id, table)
        sent = await orders(net.house._log)
        kept = await measures(net.house._log)
    assert [one.id for one in sent] == [f"operator/{taken.id}"]
    assert [one.WhichOneof("event") for one in kept] == ["taken", "ended"]


async def test_a_measure_that_ended_is_not_begun_again_after_a_restart(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        table = await net.open_table()
        first = await ann.take(key="k", close=M.Close(table=table))
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        again = await ann.take(key="k", close=M.Close(table=table))
        sent = await orders(net.house._log)
    assert again == first
    assert len(sent) == 1


async def test_complaints_have_a_state_and_a_deadline(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann", "bob") as (ann, bob):
        late = await ann.take(complain=M.Complain(player="huck", text="was cut off", deadline_ms=1))
        soon = await ann.take(complain=M.Complain(player="jim", hand="1.0-1", text="wrong pot"))

        async def listed(**wanted) -> list[str]:
            found = await bob.ask("ListComplaints", pb.ListComplaintsRequest(**wanted))
            return [one.id for one in found.complaints]

        assert await listed() == [late.id, soon.id]
        assert await listed(overdue=True) == [late.id]
        answered = pb.COMPLAINT_STATE_ANSWERED
        await bob.take(handle=M.Handle(complaint=late.id, state=answered, answer="it was us"))
        assert await listed(overdue=True) == []
        assert await listed(state=pb.COMPLAINT_STATE_OPEN) == [soon.id]
        closed = pb.COMPLAINT_STATE_CLOSED
        await bob.take(handle=M.Handle(complaint=late.id, state=closed))
        found = (await ann.ask("ListComplaints", pb.ListComplaintsRequest(state=closed))).complaints
        assert [(one.answer, one.by) for one in found] == [("it was us", "bob")]
        said = await bob.reason(handle=M.Handle(complaint=late.id, state=answered))
        assert said == OperatorCode.COMPLAINT_CLOSED.name
        said = await bob.reason(handle=M.Handle(complaint="none", state=answered))
        assert said == OperatorCode.NO_COMPLAINT.name


async def test_as_many_tables_are_kept_open_as_are_wanted(tmp_path: Path) -> None:
    """Another is opened when the last one fills."""
    async with (
        network(tmp_path, table_templates=templates(tmp_path)) as net,
        operators(net, "ann") as (ann,),
    ):
        assert net.house.tables == {}
        await ann.take(keep=M.Keep(template="evening", tables=1))
        await until(lambda: len(net.house.tables) == 1)
        (first,) = net.house.tables
        async with net.bots(first, 2, think_ms=1_000):
            await until(lambda: len(net.house.tables) == 2)
            lines = (await ann.ask("ListMeasures", pb.ListMeasuresRequest(by="house"))).measures
            assert [one.taken.key for one in lines] == ["keep:evening:2", "keep:evening:1"]
            assert {one.taken.why for one in lines} == {"as many as are to be kept open"}
        said = await ann.refusal(keep=M.Keep(template="night", tables=1))
        assert said == "FAILED_PRECONDITION: no template (template night)"
        assert await ann.reason(open=M.Open(template="night")) == OperatorCode.NO_TEMPLATE.name


async def test_a_player_takes_no_measures(tmp_path: Path) -> None:
    async with network(tmp_path) as net, operators(net, "ann") as (ann,):
        ann.metadata = reach.bearer(net.token("huck"))
        said = await ann.refusal(say=M.Say(text="x"))
        assert said == "PERMISSION_DENIED: only for the role operator"
