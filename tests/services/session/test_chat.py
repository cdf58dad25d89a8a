"""What is said: who may, who hears it, and where it never stands."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from google.rpc import code_pb2

from riverboat.log import log
from riverboat.log.log import Append, AppendFailed
from riverboat.log.topics import (
    HAND_LOG,
    MUTES,
    OPERATOR_LOG,
    TABLE_CHAT,
    TABLE_COMMANDS,
    TOPICS,
    by_name,
)
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.errors import Fault
from riverboat.wire.record import encode_record
from riverboat.wire.v1 import chat_pb2
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.operator_pb2 import Measure, MeasureTaken, OperatorRecord
from services.session.chat import LINES_AT_ONCE, Chat
from services.session.mutes import MUTED_MOST
from services.session.words import Words
from tests.services.session.room import SETTINGS, Room

TABLE = "1.0"
SAID = "what a river, my friend"


def say(text=SAID, **more):
    return chat_pb2.SayRequest(table=TABLE, text=text, **more)


async def sits(room, player, seat):
    sit = pb.SitDownRequest(table=TABLE, seat=seat, amount=500, post=True)
    await room.call("SitDown", player, sit)
    await room.until(lambda: seat in room.table.sittings)


async def looks(room, player):
    client = room.play(player)
    await client.asked(follow=pb.Follow(table=TABLE))
    await room.until(lambda: client.of("snapshot"))
    return client


def lines(client):
    return [(line.player, line.text) for line in client.of("said")]


async def test_what_is_said_is_heard_by_all_who_look(room):
    await sits(room, "p1", 1)
    clients = [await looks(room, name) for name in ("p1", "p9")]
    answer = await clients[0].asked(say=say())
    assert answer.HasField("done"), answer
    for client in clients:
        await room.until(lambda client=client: lines(client))
        assert lines(client) == [("p1", SAID)]
        [line] = client.of("said")
        assert line.table == TABLE
        assert line.time_ms > 0
    await room.call("Say", "p1", say("and  by a\u00a0call, too"))
    await room.until(lambda: len(lines(clients[1])) == 2)
    assert lines(clients[1])[-1] == ("p1", "and by a call, too")
    for client in clients:
        await client.close()


async def test_what_is_said_stands_in_its_own_topic_and_in_no_line(room, caplog):
    """Issue: "in a topic of its own"; nothing of it in the hand log, nothing in a log line."""
    caplog.set_level("DEBUG")
    await sits(room, "p1", 1)
    client = await looks(room, "p1")
    await client.asked(say=say())
    await room.until(lambda: lines(client))
    assert SAID not in caplog.text
    assert all(SAID.encode() not in encode_record(record) for record in room.records)
    assert all(SAID.encode() not in one.value for one in room.sent)
    places = {name: log.Place(name, 0) for name in (HAND_LOG, TABLE_COMMANDS, TABLE_CHAT)}
    ends = await room.log.ends(list(places.values()))
    assert ends[places[TABLE_CHAT]] == 1
    await client.close()


@pytest.mark.parametrize("text", ["   ", "\u200b", "\u2067x", "a\tb\u0000", "x" + 4 * "\u0338"])
async def test_what_is_no_line_is_refused(room, text):
    await sits(room, "p1", 1)
    fault = await room.call("Say", "p1", say(text))
    assert fault.code == code_pb2.INVALID_ARGUMENT
    assert [one.field for one in fault.fields] == ["text"]
    long = await room.call("Say", "p1", say("x" * 201))
    assert [one.field for one in long.fields] == ["text"]


async def test_who_looks_on_is_silent_unless_the_table_lets_him(tmp_path):
    room = Room(tmp_path)
    await room.start()
    await room.opened()
    fault = await room.call("Say", "p9", say())
    assert (fault.code, fault.reason) == (code_pb2.PERMISSION_DENIED, "ONLOOKERS_ARE_SILENT")
    assert (await room.call("Say", "p9", say(), "observer")).reason == "ONLOOKERS_ARE_SILENT"
    room.table.settings = replace(SETTINGS, onlookers_speak=True)
    assert not isinstance(await room.call("Say", "p9", say(), "observer"), Fault)
    # A table that he may not look at, he may not speak at.
    room.table.settings = replace(SETTINGS, onlookers_speak=True, closed_to_view=True)
    assert (await room.call("Say", "p9", say())).reason == "ONLOOKERS_ARE_SILENT"
    missing = await room.call("Say", "p9", chat_pb2.SayRequest(table="77.0", text="x"))
    assert missing.reason == "NO_TABLE"
    await room.stop()


async def test_nobody_says_too_much(room):
    await sits(room, "p1", 1)
    await sits(room, "p2", 2)
    for _ in range(LINES_AT_ONCE):
        assert not isinstance(await room.call("Say", "p1", say()), Fault)
    fault = await room.call("Say", "p1", say())
    assert (fault.code, fault.reason) == (code_pb2.RESOURCE_EXHAUSTED, "TOO_MUCH_SAID")
    assert fault.retry_after_ms > 0
    assert not isinstance(await room.call("Say", "p2", say()), Fault), "another one's own limit"


async def test_a_player_does_not_hear_whom_he_mutes(room):
    await sits(room, "p1", 1)
    deaf, other = await looks(room, "p2"), await looks(room, "p3")
    await deaf.asked(mute=chat_pb2.MuteRequest(player="p1"))
    await room.until(lambda: room.chat.mutes.of("p2"))
    await room.call("Say", "p1", say())
    await room.until(lambda: lines(other))
    assert lines(deaf) == []
    # It holds on his next stream, and after a restart, until he lifts it.
    await deaf.close()
    await other.close()
    await room.again()
    await asyncio.wait_for(room.chat.caught_up.wait(), 10)
    assert room.chat.mutes.of("p2") == {"p1"}
    again, witness = await looks(room, "p2"), await looks(room, "p3")
    assert again.of("said") == [], "what was said before is not said again"
    await room.call("Say", "p1", say("one"))
    await room.until(lambda: lines(witness))
    assert lines(again) == []
    await room.call("Mute", "p2", chat_pb2.MuteRequest(player="p1", lift=True))
    await room.until(lambda: not room.chat.mutes.of("p2"))
    await room.call("Say", "p1", say("two"))
    await room.until(lambda: lines(again))
    assert lines(again) == [("p1", "two")]
    for client in (again, witness):
        await client.close()


async def silences(room, id_, **silence):
    """An operator's measure, as the operator-log has it."""
    measure = Measure(silence=Measure.Silence(**silence))
    record = OperatorRecord(taken=MeasureTaken(id=id_, by="op", why="abuse", measure=measure))
    value = record.SerializeToString()
    await room.log.append([Append(OPERATOR_LOG, 0, "player:p1", value)]).durable


async def test_an_operator_silences_a_player_for_all_and_till_when(room):
    """Issue: "Every action is an event with who, why and when": it stands in the operator-log."""
    await sits(room, "p1", 1)
    await silences(room, "m1", player="p1", for_ms=60_000)
    fault = await room.until(lambda: room.chat._silenced) and await room.call("Say", "p1", say())
    assert (fault.code, fault.reason) == (code_pb2.FAILED_PRECONDITION, "SILENCED")
    assert int(fault.facts["until_ms"]) > room.clock.now_ms()
    await room.again()
    assert (await room.call("Say", "p1", say())).reason == "SILENCED"
    await silences(room, "m2", player="p1")
    await room.until(lambda: not room.chat._silenced)
    assert not isinstance(await room.call("Say", "p1", say()), Fault)
    await silences(room, "m1", player="p1", for_ms=60_000)  # a copy of the first
    await silences(room, "m3", player="p2", for_ms=60_000)
    await room.until(lambda: room.chat._silenced)
    assert list(room.chat._silenced) == ["p2"]


async def test_the_session_silences_nobody_by_a_call(room):
    request = chat_pb2.SilenceRequest(player="p1", for_ms=60_000, reason="abuse")
    assert (await room.call("Silence", "p1", request)).code == code_pb2.PERMISSION_DENIED
    fault = await room.call("Silence", "op", request, "operator")
    assert (fault.code, fault.reason) == (code_pb2.FAILED_PRECONDITION, "IS_A_MEASURE")
    assert not room.chat._silenced


async def test_who_sees_the_table_later_hears_it_later(tmp_path):
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(SETTINGS, view_delay_ms=3_600_000))
    await sits(room, "p1", 1)
    player = await looks(room, "p1")
    onlooker = room.play("p9")
    await onlooker.asked(follow=pb.Follow(table=TABLE))
    await player.asked(say=say())
    await room.until(lambda: lines(player))
    assert lines(onlooker) == []
    for client in (player, onlooker):
        await client.close()
    await room.stop()


# --- Several processes, and a log that fails.


class Clock:
    """A clock that stands."""

    def now_ms(self):
        return 1_000


def a_chat(network):
    made = Chat(network, Words.of(None), Clock(), Seeded("chat"), calendar=Clock())
    heard: list[chat_pb2.Said] = []
    made.told = heard.append
    return made, heard


async def test_all_processes_hear_the_same_once_however_often_it_is_written(room):
    await sits(room, "p1", 1)
    chats = [a_chat(room.log) for _ in range(2)]
    tasks = [asyncio.create_task(one.run()) for one, _ in chats]
    for one, _ in chats:
        await asyncio.wait_for(one.caught_up.wait(), 10)
    await room.call("Say", "p1", say("shit happens", key="k1"))
    await room.call("Say", "p1", say("shit happens", key="k1"))
    await room.call("Say", "p1", say("once more", key="k2"))
    for _, heard in chats:
        await room.until(lambda heard=heard: len(heard) == 2)
        assert [line.text for line in heard] == ["**** happens", "once more"]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_rubbish_in_the_topic_is_passed_over(room):
    await sits(room, "p1", 1)
    client = await looks(room, "p1")
    await room.log.append([Append(TABLE_CHAT, 0, TABLE, b"\xff\xff")]).durable
    await client.asked(say=say())
    await room.until(lambda: lines(client))
    await client.close()


class Broken:
    """A log that takes nothing."""

    def append(self, _batch):
        sent = asyncio.get_running_loop().create_future()
        sent.set_exception(AppendFailed("no"))
        return log.Sent(None, sent)


async def test_what_the_log_does_not_take_is_told(room):
    await sits(room, "p1", 1)
    made, _ = a_chat(Broken())
    caller = room.gate.identify(room.token("p1"))
    fault = await made.say(caller, room.table, say())
    assert (fault.code, fault.reason) == (code_pb2.UNAVAILABLE, "NOT_SAID")


async def test_nobody_mutes_without_end(room):
    mutes = room.chat.mutes
    for number in range(MUTED_MOST):
        assert await mutes.mute("p1", chat_pb2.MuteRequest(player=f"x{number}")) is None
    await room.until(lambda: len(mutes.of("p1")) == MUTED_MOST)
    fault = await room.call("Mute", "p1", chat_pb2.MuteRequest(player="one-more"))
    assert (fault.code, fault.reason) == (code_pb2.RESOURCE_EXHAUSTED, "TOO_MANY_MUTED")
    for number in (0, 1, 1):
        await room.call("Mute", "p1", chat_pb2.MuteRequest(player=f"x{number}", lift=True))
    await room.until(lambda: len(mutes.of("p1")) == MUTED_MOST - 2)
    fault = await room.call("Mute", "p1", chat_pb2.MuteRequest(player="no id at all"))
    assert [one.field for one in fault.fields] == ["player"]


async def test_a_mute_outlives_what_was_said(room):
    """It stands in a topic of its own, under a key for its two players, and in no other."""
    await room.call("Mute", "p2", chat_pb2.MuteRequest(player="p1"))
    await room.call("Mute", "p2", chat_pb2.MuteRequest(player="p3"))
    await room.call("Mute", "p2", chat_pb2.MuteRequest(player="p3", lift=True))
    chat, mutes = log.Place(TABLE_CHAT, 0), log.Place(MUTES, 0)
    ends = await room.log.ends([chat, mutes])
    assert ends == {chat: 0, mutes: 3}
    kept = by_name(TOPICS)[MUTES]
    assert (kept.compacted, kept.keep_ms) == (True, None)
    await room.again()
    assert room.chat.mutes.of("p2") == {"p1"}


async def test_a_stream_hears_nobody_whom_one_of_its_players_mutes(room):
    await sits(room, "p1", 1)
    shared, other = await looks(room, "p2"), await looks(room, "p4")
    await shared.asked(join=pb.Join(token=room.token("p3")))
    await shared.asked(1, mute=chat_pb2.MuteRequest(player="p1"))
    await room.until(lambda: room.chat.mutes.of("p3"))
    await room.call("Say", "p1", say("one"))
    await room.until(lambda: lines(other))
    assert lines(shared) == []
    # So it is from his joining on, too, and until he lifts it.
    await other.asked(join=pb.Join(token=room.token("p3")))
    await room.call("Mute", "p4", chat_pb2.MuteRequest(player="p9"))
    await room.until(lambda: room.chat.mutes.of("p4"))
    witness = await looks(room, "p5")
    await room.call("Say", "p1", say("two"))
    await room.until(lambda: lines(witness))
    assert lines(other) == [("p1", "one")]
    await room.call("Mute", "p3", chat_pb2.MuteRequest(player="p1", lift=True))
    await room.until(lambda: not room.chat.mutes.of("p3"))
    await room.call("Say", "p1", say("three"))
    await room.until(lambda: lines(shared) and len(lines(other)) == 2)
    for client in (shared, other, witness):
        await client.close()


async def test_a_key_names_one_line(room):
    await sits(room, "p1", 1)
    client = await looks(room, "p1")
    await room.call("Say", "p1", say("one", key="k1"))
    await room.until(lambda: lines(client))
    assert not isinstance(await room.call("Say", "p1", say("one", key="k1")), Fault)
    fault = await room.call("Say", "p1", say("another", key="k1"))
    assert (fault.code, fault.reason) == (code_pb2.FAILED_PRECONDITION, "KEY_REUSED")
    await room.call("Say", "p1", say("another", key="k2"))
    await room.until(lambda: len(lines(client)) == 2)
    assert [text for _, text in lines(client)] == ["one", "another"]
    await client.close()
