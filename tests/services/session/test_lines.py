"""A seated player's line: whose connection stands, and what is said when it is gone."""

from __future__ import annotations

from dataclasses import replace

from riverboat.game.commands import Asked, LoseLine
from riverboat.game.table.events import LineBack, LineLost, ListLeft
from riverboat.log.log import Append
from riverboat.log.topics import TABLE_COMMANDS
from riverboat.wire.beats import decode_beat
from riverboat.wire.record import encode_asked
from riverboat.wire.v1 import seats_pb2
from riverboat.wire.v1 import session_pb2 as pb
from services.session.floor import BEAT_MS
from tests.services.session.room import SETTINGS, Room

TABLE = "1.0"


def follow():
    return {"follow": pb.Follow(table=TABLE)}


async def sit(room, client, seat):
    await client.asked(sit_down=pb.SitDownRequest(table=TABLE, seat=seat, amount=500), player=0)
    return await room.until(lambda: room.table.sittings.get(seat))


def said(room, kind):
    return [event for record in room.records for event in record.events if type(event) is kind]


async def test_a_player_who_goes_away_loses_his_line_and_gets_it_back(room):
    client = room.play("p1")
    await client.asked(**follow())
    sitting = await sit(room, client, 1)
    assert sitting.line.startswith("s1.")
    await client.close()
    await room.until(lambda: sitting.line_lost)
    [lost] = said(room, LineLost)
    assert (lost.player, lost.gateway) == ("p1", False)
    again = room.play("p1")
    await again.asked(**follow())
    await room.until(lambda: not sitting.line_lost)
    assert sitting.line != lost.connection
    await again.close()


async def test_a_second_device_takes_the_line_and_the_first_takes_it_back(room):
    first = room.play("p1")
    await first.asked(**follow())
    sitting = await sit(room, first, 1)
    line = sitting.line
    second = room.play("p1")
    await second.asked(**follow())
    await room.until(lambda: sitting.line != line)
    await second.close()
    await room.until(lambda: sitting.line == line)
    assert said(room, LineLost) == []
    await first.close()


async def test_an_old_line_that_ends_late_does_not_end_a_newer(room):
    first = room.play("p1")
    await first.asked(**follow())
    sitting = await sit(room, first, 1)
    line = sitting.line
    second = room.play("p1")
    await second.asked(**follow())
    await room.until(lambda: sitting.line != line)
    await first.close()
    settled = room.play("p9")
    await settled.asked(**follow())
    assert said(room, LineLost) == []
    assert not sitting.line_lost
    for client in (second, settled):
        await client.close()


async def test_a_player_who_sat_down_by_a_call_gets_his_line_when_he_looks(room):
    asked = pb.SitDownRequest(table=TABLE, seat=1, amount=500)
    assert (await room.call("SitDown", "p1", asked)).version > 0
    sitting = await room.until(lambda: room.table.sittings.get(1))
    assert sitting.line == ""
    watch = room.watch("p1", pb.Follow(table=TABLE))
    await room.until(lambda: sitting.line)
    assert len(said(room, LineBack)) == 1
    await watch.close()
    await room.until(lambda: sitting.line_lost)


async def test_a_player_who_looks_and_then_sits_down_by_a_call_has_his_line(room):
    watch = room.watch("p1", pb.Follow(table=TABLE))
    await room.until(lambda: watch.of("snapshot"))
    await room.call("SitDown", "p1", pb.SitDownRequest(table=TABLE, seat=1, amount=500))
    sitting = await room.until(lambda: room.table.sittings.get(1))
    await room.until(lambda: sitting.line)
    assert said(room, LineLost) == []
    await watch.close()


async def test_watchers_who_do_not_sit_have_no_line(room):
    client = room.play("p9")
    await client.asked(**follow())
    await client.close()
    other = room.play("p8")
    await other.asked(**follow())
    assert room.sent == []
    await other.close()


async def test_the_lines_of_a_process_that_is_gone_are_lost_by_the_gateways_fault(room):
    client = room.play("p1")
    await client.asked(**follow())
    await sit(room, client, 1)
    # The process dies: nothing that it says lands any more.
    room.loses = True
    await client.close()
    room.loses = False
    await room.again()
    await room.until(lambda: room.table.sittings[1].line_lost)
    [lost] = said(room, LineLost)
    assert lost.gateway
    back = room.play("p1")
    await back.asked(**follow())
    await room.until(lambda: not room.table.sittings[1].line_lost)
    await back.close()


async def test_a_session_beats_where_lines_may_stand_and_nowhere_else(room):
    """ARCHITECTURE 7: "It beats in each partition where it holds lines"."""
    floor = room.floor
    floor.tick()
    assert room.beats == []
    client = room.play("p1")
    await client.asked(**follow())
    now_ms = room.clock.now_ms()
    await room.until(lambda: room.beats)
    [beat] = room.beats
    assert (beat.topic, beat.partition, decode_beat(beat.value)) == (TABLE_COMMANDS, 0, "s1")
    floor.tick()
    assert len(room.beats) == 1 or room.clock.now_ms() - now_ms >= BEAT_MS
    await client.close()


async def test_a_line_that_was_given_up_while_its_session_was_silent_comes_back(room):
    client = room.play("p1")
    await client.asked(**follow())
    sitting = await sit(room, client, 1)
    line = sitting.line
    dead = Asked(TABLE, "p1", 1 << 40, LoseLine(line, gateway=True))
    room.node.submit([Append(TABLE_COMMANDS, 0, TABLE, encode_asked(dead))])
    await room.until(lambda: said(room, LineLost))
    [back] = await room.until(lambda: said(room, LineBack))
    assert back.connection == line
    assert not sitting.line_lost
    await client.close()


async def test_who_waits_for_a_chair_and_goes_away_waits_no_longer(tmp_path):
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(SETTINGS, seats=2, offer_ms=60_000))
    for seat in (1, 2):
        await sit(room, room.play(f"p{seat}"), seat)
    client = room.play("p3")
    await client.asked(**follow())
    answer = await client.asked(join_list=seats_pb2.JoinListRequest(table=TABLE))
    assert answer.HasField("done"), answer
    [waits] = room.table.waiters
    assert waits.connection.startswith("s1.")
    second = room.play("p3")
    await second.asked(**follow())
    line = room.floor.hall.streams_of(TABLE, "p3")[-1].connection
    await room.until(lambda: waits.connection == line)
    await client.close()
    await second.close()
    await room.until(lambda: not room.table.waiters)
    [left] = said(room, ListLeft)
    assert (left.player, left.why) == ("p3", "line_lost")
    await room.stop()
