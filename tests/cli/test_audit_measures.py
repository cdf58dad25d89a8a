"""`riverboat audit` and what operators do: the operator-log beside the orders and the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from riverboat.game.commands import Ordered, PauseTable
from riverboat.log import topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.runtime.clock import SystemClock
from riverboat.wire.record import encode_ordered
from riverboat.wire.v1 import operator_pb2 as pb
from services.cli.main import run

SUBJECT = "player:ann"


def taken(own_id: str = "m1", by: str = "bob", why: str = "a call", **measure: Any) -> Append:
    asked = pb.Measure(**measure or {"warn": pb.Measure.Warn(player="ann")})
    record = pb.OperatorRecord(
        taken=pb.MeasureTaken(id=own_id, by=by, key="k", why=why, subject=SUBJECT, measure=asked)
    )
    return Append(topics.OPERATOR_LOG, 0, SUBJECT, record.SerializeToString())


def ended(own_id: str = "m1", posting: str = "") -> Append:
    over = pb.MeasureEnded(id=own_id, subject=SUBJECT, posting=posting)
    record = pb.OperatorRecord(ended=over)
    return Append(topics.OPERATOR_LOG, 0, SUBJECT, record.SerializeToString())


def order(own_id: str = "m1", by: str = "bob") -> Append:
    value = encode_ordered(Ordered("1.0", f"operator/{own_id}", by, PauseTable("operator", 0)))
    return Append(topics.TABLE_ORDERS, 0, "1.0", value)


def audited(folder: Path, records: Sequence[Append], capsys: pytest.CaptureFixture[str]) -> str:
    async def write() -> None:
        network = await EmbeddedLog.open(folder, topics.topics_with(1), clock=SystemClock().now_ms)
        await network.append(records).durable
        await network.close()

    asyncio.run(write())
    with pytest.raises(SystemExit):
        run(["audit", str(folder)])
    return capsys.readouterr().out


def test_what_was_taken_and_ended_is_clean_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = audited(tmp_path, [taken(), ended(), ended(), taken("m2"), order()], capsys)
    assert out.splitlines()[-1] == "clean"
    assert "2 measures of operators, 1 without an end yet" in out


PROPOSE: dict[str, Any] = {"propose": pb.Measure.Propose(hand="1.0-1")}
APPROVE: dict[str, Any] = {"approve": pb.Measure.Approve(correction="m1")}


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([taken(why="")], "m1 does not say its why"),
        ([taken(by="")], "m1 does not say its by"),
        ([ended()], "m1 ends, and nobody took it"),
        ([taken(), ended(posting="p"), ended(posting="q")], "m1 was booked twice"),
        ([order()], "operator/m1 orders what nobody took"),
        ([taken(), order(by="cas")], "operator/m1 of bob bears the name of cas"),
        (
            [taken(**PROPOSE), ended(), taken("m2", **APPROVE), ended("m2")],
            "m1 is proposed and approved by bob alone",
        ),
        (
            [
                *(taken(**PROPOSE), ended()),
                *(taken("m2", by="cas", **APPROVE), ended("m2")),
                *(taken("m3", by="dan", **APPROVE), ended("m3")),
            ],
            "m1 is approved, and does not wait for it",
        ),
    ],
)
def test_what_no_operator_may_do_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], records: list[Append], said: str
) -> None:
    out = audited(tmp_path, records, capsys)
    assert out.splitlines()[-1].startswith("broken: measures: ")
    assert said in out
