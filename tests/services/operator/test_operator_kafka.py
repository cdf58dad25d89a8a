"""Measures over a real broker: read back before they are carried out, carried on by the next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deploy.kafka.cluster import Cluster
from riverboat.game.commands import CloseTable, Ordered
from riverboat.game.ids import partition_of
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.wire.record import encode_ordered
from riverboat.wire.v1 import operator_pb2 as pb
from scripts.check_case import check
from services.cli.network_log import open_network
from services.operator.measures import measure_id, partition_for
from tests.cli.house import network
from tests.services.operator.operating import operators, orders, templates
from tests.waiting import until

pytestmark = [pytest.mark.kafka, pytest.mark.node]

M = pb.Measure


def closing(table: str) -> pb.MeasureTaken:
    return pb.MeasureTaken(
        id=measure_id("ann", "last"),
        by="ann",
        key="last",
        why="as the test wants",
        subject=f"table:{table}",
        measure=M(close=M.Close(table=table)),
    )


async def test_measures_over_a_broker(tmp_path: Path, kafka_broker: Cluster) -> None:
    """Once whatever is retried, also by the process after the one that died."""
    where: dict[str, Any] = {
        "log": f"kafka://{kafka_broker.bootstrap}",
        "partitions": topics.PARTITIONS,
    }
    kept = templates(tmp_path)
    async with (
        network(tmp_path, table_templates=kept, ready_s=60, **where) as net,
        operators(net, "ann", "bob") as (ann, bob),
    ):
        config = net.config
        opened = await ann.take(key="o", open=M.Open(template="evening"))
        assert await ann.take(key="o", open=M.Open(template="evening")) == opened
        table = opened.table
        async with net.bots(table, 2, hands=2) as crowd:
            await crowd.done.wait()
        await until(lambda: not net.house.tables[table].sittings)
        await ann.take(key="p", pause=M.Pause(table=table))
        await bob.take(resume=M.Resume(table=table))
        await ann.take(key="p", pause=M.Pause(table=table))
        assert not net.house.tables[table].paused, "a retry does not pause it again"
        hand, huck, jim = f"{table}-1", f"bot0@{table}", f"bot1@{table}"
        legs = [pb.CorrectionLeg(player=huck, amount=-5), pb.CorrectionLeg(player=jim, amount=5)]
        proposed = await ann.take(propose=M.Propose(hand=hand, legs=legs))
        await bob.take(approve=M.Approve(correction=proposed.id))
        request = pb.MakeCaseRequest(hand=hand, key="c", why="for the file", cards=True)
        file = check((await ann.ask("MakeCase", request)).file)
        posted = [one["posting"] for one in file["ledger"]["postings"]]
        assert f"correct:operator:{proposed.id}" in posted
        assert any(one["answer"] for one in file["commands"]["records"])
    # What a process leaves that dies between an order and its end.
    taken = closing(table)
    order = Ordered(table, f"operator/{taken.id}", "ann", CloseTable("operator"))
    record = pb.OperatorRecord(taken=taken).SerializeToString()
    log = await open_network(config)
    place = partition_for(taken.subject, topics.PARTITIONS)
    await log.append(
        [
            Append(topics.OPERATOR_LOG, place, taken.subject, record),
            Append(topics.TABLE_ORDERS, partition_of(table), table, encode_ordered(order)),
        ]
    ).durable
    await log.close()
    async with (
        network(tmp_path, table_templates=kept, ready_s=60, **where) as net,
        operators(net, "ann") as (ann,),
    ):
        done = await ann.take(key="last", close=M.Close(table=table))
        assert (done.id, done.table) == (taken.id, table)
        assert net.house.tables[table].closing
        sent = [one.id for one in await orders(net.house._log) if one.table == table]
        assert sent.count(order.id) == 1
        assert len(sent) == len(set(sent)), "no order stands there twice"
