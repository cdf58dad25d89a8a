"""What the house says is told once to those for whom it is, from the operator-log."""

from __future__ import annotations

from riverboat.log.log import Append, Record
from riverboat.log.topics import OPERATOR_LOG
from riverboat.runtime.clock import SystemClock
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.operator_pb2 import Measure, MeasureEnded, MeasureTaken, OperatorRecord
from services.session.notices import WARNED_MS, Notices

TABLE = "1.0"
WHY = "a complaint that is nobody's business"


async def write(room, id_, **measure):
    taken = MeasureTaken(id=id_, by="op", why=WHY, measure=Measure(**measure))
    record = OperatorRecord(taken=taken)
    await append(room, record.SerializeToString())


async def append(room, value):
    await room.log.append([Append(OPERATOR_LOG, 0, "all", value)]).durable


def say(text, table=""):
    return {"say": Measure.Say(table=table, text=text)}


def heard(client):
    return [(one.table, one.player, one.text) for one in client.of("notice")]


async def looks(room, player):
    client = room.play(player)
    await client.asked(follow=pb.Follow(table=TABLE))
    return client


async def test_a_notice_is_told_to_all_who_look_and_once(room):
    first, second = await looks(room, "p1"), await looks(room, "p2")
    idle = room.play("p3")
    await write(room, "m1", **say("the network stops at ten"))
    await write(room, "m1", **say("the network stops at ten"))
    await write(room, "m2", **say("this table closes", TABLE))
    await write(room, "m3", **say("another table closes", "2.0"))
    await write(room, "m4", **say("good night"))
    expected = [
        ("", "", "the network stops at ten"),
        (TABLE, "", "this table closes"),
        ("", "", "good night"),
    ]
    for client in (first, second):
        await room.until(lambda client=client: len(heard(client)) == 3)
        assert heard(client) == expected
        # What the house knows of it besides stays with the house.
        assert WHY.encode() not in b"".join(client.messages)
    assert heard(idle) == []
    for client in (first, second, idle):
        await client.close()


async def test_a_warning_is_told_its_player_alone_wherever_he_is(room):
    warned, other = room.play("p1"), await looks(room, "p2")
    await warned.asked(unfollow=pb.Unfollow(table=TABLE))
    await write(room, "m1", warn=Measure.Warn(player="p1", text="do not do that again"))
    await write(room, "m2", **say("all"))
    await room.until(lambda: heard(other))
    assert heard(warned) == [("", "p1", "do not do that again")]
    assert heard(other) == [("", "", "all")]
    for client in (warned, other):
        await client.close()


async def test_other_measures_are_nobodys_business_and_rubbish_is_passed_over(room):
    client = await looks(room, "p1")
    await append(room, b"\xff\xff")
    await append(room, OperatorRecord(ended=MeasureEnded(id="m1")).SerializeToString())
    await write(room, "m2", pause=Measure.Pause(table=TABLE))
    await write(room, "m3", **say("hello"))
    await room.until(lambda: heard(client))
    assert heard(client) == [("", "", "hello")]
    await client.close()


async def test_what_was_said_before_a_start_is_not_said_again(room):
    await write(room, "m1", **say("yesterday"))
    await room.again()
    client = await looks(room, "p1")
    await write(room, "m2", **say("today"))
    await room.until(lambda: heard(client))
    assert heard(client) == [("", "", "today")]
    await client.close()


async def test_who_was_away_is_told_that_he_was_warned_once(room):
    await write(room, "m1", warn=Measure.Warn(player="p1", text="do not do that again"))
    await write(room, "m2", warn=Measure.Warn(player="p2", text="nor you"))
    other = await looks(room, "p3")
    await write(room, "m3", **say("all"))
    await room.until(lambda: heard(other))
    late = await looks(room, "p1")
    assert heard(late) == [("", "p1", "do not do that again")]
    again = await looks(room, "p1")
    assert heard(again) == []
    for client in (late, again, other):
        await client.close()
    # After a restart too, as long as it is not too old.
    await room.again()
    late = await looks(room, "p2")
    assert heard(late) == [("", "p2", "nor you")]
    await late.close()


async def test_an_old_warning_does_not_wait_for_ever(room):
    clock = SystemClock()
    notices = Notices(room.log, clock)
    taken = MeasureTaken(id="m1", measure=Measure(warn=Measure.Warn(player="p1", text="x")))
    value = OperatorRecord(taken=taken).SerializeToString()
    old_ms = clock.now_ms() - WARNED_MS - 1_000
    notices._hear(Record(OPERATOR_LOG, 0, 0, old_ms, "p1", value), False)
    assert notices.missed("p1") is None
