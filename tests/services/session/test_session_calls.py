"""The session's calls for browsers, and what outlives the process that took them."""

from __future__ import annotations

import pytest
from google.rpc import code_pb2

from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action

TABLE = "1.0"


def sit(seat, amount=500, number=0):
    return pb.SitDownRequest(table=TABLE, seat=seat, amount=amount, number=number, post=True)


async def test_a_whole_sitting_by_unary_calls(room):
    done = await room.call("SitDown", "p1", sit(1))
    assert done.version > 0
    await room.until(lambda: room.table.sittings)
    assert (await room.call("SitOut", "p1", pb.SitOutRequest(table=TABLE))).version > 0
    assert (await room.call("SitIn", "p1", pb.SitInRequest(table=TABLE))).version > 0
    topped = await room.call("TopUp", "p1", pb.TopUpRequest(table=TABLE, amount=100))
    assert topped.version > 0
    await room.until(lambda: room.table.sittings[1].behind or room.table.sittings[1].stack == 600)
    left = await room.call("Leave", "p1", pb.LeaveRequest(table=TABLE))
    assert left.version == room.table.version
    assert room.table.sittings == {}
    assert (room.table.bought_in, room.table.cashed_out) == (600, 600)


async def test_an_act_and_a_watch_make_a_browser(room):
    for seat, player in enumerate(("p1", "p2"), 1):
        await room.call("SitDown", player, sit(seat))
    watches = {player: room.watch(player, pb.Follow(table=TABLE)) for player in ("p1", "p2")}

    def on_turn():
        hand = room.table.hand
        for player, watch in watches.items():
            for seen in watch.of("private")[-1:]:
                if hand and seen.HasField("options") and seen.options.turn == hand.turn_number:
                    return player, seen, hand.id
        return None

    player, seen, hand = await room.until(on_turn)
    assert len(seen.cards) == 2
    on = pb.ActOn(
        hand=hand, turn=seen.options.turn, price=seen.options.price, action=Action.ACTION_FOLD
    )
    assert (await room.call("Act", player, pb.ActRequest(table=TABLE, act=on))).version > 0
    await room.until(lambda: watches[player].events("folded"))
    again = await room.call("Act", player, pb.ActRequest(table=TABLE, act=on))
    assert isinstance(again, Fault)
    assert again.code == code_pb2.ABORTED
    other = "p1" if player == "p2" else "p2"
    stranger = await room.call("Act", "p9", pb.ActRequest(table=TABLE, act=on))
    assert stranger.reason in ("NOT_IN_HAND", "ANOTHER_HAND", "NO_HAND")
    assert other in watches
    for watch in watches.values():
        await watch.close()


@pytest.mark.parametrize("role", ["observer", "operator"])
async def test_who_does_not_play_sees_what_is_public_alone(room, role):
    for seat, player in enumerate(("p1", "p2"), 1):
        await room.call("SitDown", player, sit(seat))
    watch = room.watch("p1", pb.Follow(table=TABLE), role=role)  # the same name, another role
    await room.until(lambda: watch.of("snapshot"))
    await room.until(lambda: room.table.hand and room.table.hand.turn)
    await room.call("SitDown", "p3", sit(3))
    await room.until(lambda: watch.of("change"))
    assert watch.of("private") == []
    await watch.close()


async def test_who_only_looks_may_not_play(room):
    outcome = await room.call("SitDown", "p1", sit(1), "observer")
    assert (outcome.code, outcome.reason) == (code_pb2.PERMISSION_DENIED, "ROLE_MISSING")
    assert room.sent == []


async def test_a_watch_of_a_table_that_is_not_there_names_it(room):
    watch = room.watch("p1", pb.Follow(table=TABLE), pb.Follow(table="rubbish"))
    ended = await watch.task
    assert [one.field for one in ended.fields] == ["tables[1].table"]
    missing = await room.watch("p1", pb.Follow(table="77.0")).task
    assert missing.reason == "NO_TABLE"
    assert watch.items == []


async def test_tables_are_listed_in_order_and_by_what_is_asked_for(room):
    await room.call("SitDown", "p1", sit(1))
    listed = await room.call("ListTables", "p9", pb.ListTablesRequest(), "service")
    [line] = listed.tables
    assert (line.table, line.settings.name, line.taken) == (TABLE, "Danube", 1)
    assert not listed.more
    for request, count in (
        (pb.ListTablesRequest(variant="holdem", limit="nl", free=True), 1),
        (pb.ListTablesRequest(variant="omaha"), 0),
        (pb.ListTablesRequest(limit="fl"), 0),
        (pb.ListTablesRequest(after=TABLE), 0),
        (pb.ListTablesRequest(after="0.0"), 1),
    ):
        answer = await room.call("ListTables", "p9", request)
        assert len(answer.tables) == count
    for seat in (2, 3):
        await room.call("SitDown", f"p{seat}", sit(seat))
    full = await room.call("ListTables", "p9", pb.ListTablesRequest(free=True))
    assert len(full.tables) == 0


async def test_a_command_under_its_number_has_one_outcome_across_a_restart(room):
    """ARCHITECTURE 2: "answers its client from that memory, also after its own restart"."""
    done = await room.call("SitDown", "p1", sit(1, number=7))
    assert (await room.call("SitDown", "p1", sit(1, number=7))) == done
    await room.until(lambda: room.table.sittings)
    refused = await room.call("SitDown", "p2", sit(1, number=3))
    assert refused.reason == "SEAT_TAKEN"
    written = len(room.sent)
    await room.again()
    assert (await room.call("SitDown", "p1", sit(1, number=7))) == done
    again = await room.call("SitDown", "p2", sit(1, number=3))
    assert again.reason == "SEAT_TAKEN"
    overtaken = await room.call("SitDown", "p1", sit(1, number=6))
    assert overtaken.reason == "OVERTAKEN"
    assert len(room.sent) == written
    assert room.table.bought_in == 500


async def test_a_player_is_told_the_last_number_that_was_answered(room):
    done = await room.call("SitDown", "p1", sit(1))
    watch = room.watch("p1", pb.Follow(table=TABLE))
    await room.until(lambda: watch.of("private"))
    assert watch.of("private")[0].last_number == done.number
    await watch.close()


async def test_a_call_whose_answer_does_not_come_is_told_that_it_is_not_known(room):
    room.unary_ms_max = 50
    await room.again()
    room.loses = True
    outcome = await room.call("SitDown", "p1", sit(1))
    assert (outcome.code, outcome.reason) == (code_pb2.DEADLINE_EXCEEDED, "TOO_LATE")
    # It is still on its way: nobody may take it for refused.
    assert room.floor.desk.open == 1
