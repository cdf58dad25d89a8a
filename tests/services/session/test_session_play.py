"""Play: one stream for all tables; asks up; answers, snapshots and changes down."""

from __future__ import annotations

import asyncio
from copy import deepcopy

import pytest
from google.rpc import code_pb2

from riverboat.game.hand.sight import own_cards
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from services.session import views
from services.session.own import Own
from services.session.watched import Watched

TABLE = "1.0"


def follow(seen=0, table=TABLE):
    return {"follow": pb.Follow(table=table, seen=seen)}


def sit(seat, amount=1_000, number=0):
    asked = pb.SitDownRequest(table=TABLE, seat=seat, amount=amount, post=True, number=number)
    return {"sit_down": asked}


def act(options, hand, action, total=0, number=0):
    on = pb.ActOn(hand=hand, turn=options.turn, price=options.price, action=action, total=total)
    return {"act": pb.ActRequest(table=TABLE, act=on, number=number)}


async def seated(room, *players):
    """A client for each player, seated and looking."""
    clients = [room.play(player) for player in players]
    for seat, client in enumerate(clients, 1):
        client.asks((0, follow()), (0, sit(seat)))
    await room.until(lambda: len(room.table.sittings) == len(players))
    return clients


async def on_turn(room, clients):
    """The client whose turn it is, what he may do and in which hand."""

    def find():
        hand = room.table.hand
        for client in clients:
            private = client.of("private")
            options = private[-1].options if private else None
            if hand and options and hand.turn == options.seat and options.turn == hand.turn_number:
                return client, options, hand.id
        return None

    return await room.until(find)


async def call_along(room, clients, hands):
    """Check and call until this many hands have ended."""
    while len(clients[0].events("hand_ended")) < hands:
        found = None
        while found is None and len(clients[0].events("hand_ended")) < hands:
            try:
                found = await asyncio.wait_for(on_turn(room, clients), 0.05)
            except TimeoutError:
                continue
        if found is not None:
            client, options, hand = found
            action = Action.ACTION_CHECK if options.check else Action.ACTION_CALL
            answer = await client.asked(**act(options, hand, action))
            assert answer.HasField("done"), answer


def ended(outcome, code, reason):
    assert isinstance(outcome, Fault), f"not ended by a fault: {outcome}"
    assert (outcome.code, outcome.reason) == (code, reason)
    return outcome


async def test_a_table_is_told_by_a_snapshot_and_then_by_every_change(room):
    client = room.play("p1")
    answer = await client.asked(**follow())
    assert answer.done.version == room.table.version
    snapshot = client.of("snapshot")[0]
    assert snapshot.table == TABLE
    assert snapshot.settings.name == "Danube"
    assert list(snapshot.chairs) == []
    others = await seated(room, "p2", "p3")
    await call_along(room, others, 2)
    await room.until(lambda: client.of("change")[-1].version == room.table.version)
    versions = [change.version for change in client.of("change")]
    assert versions == list(range(snapshot.version + 1, room.table.version + 1))
    assert len(client.events("hand_ended")) >= 2
    await client.close()


async def test_a_seat_is_held_answered_and_taken(room):
    client = room.play("p1")
    answer = await client.asked(**sit(2))
    assert answer.done.version > 0
    assert answer.done.number > 0
    await room.until(lambda: 2 in room.table.sittings)
    assert room.table.sittings[2].player == "p1"
    refused = await client.asked(**sit(3))
    assert refused.fault.reason == "ALREADY_SEATED"
    assert refused.fault.status == code_pb2.FAILED_PRECONDITION
    assert dict(refused.fault.facts) == {"seat": "2"}
    await client.close()


async def test_a_player_whose_money_is_not_to_be_had_learns_why_and_nobody_else(room):
    room.poor.add("p1")
    poor, other = room.play("p1"), room.play("p2")
    for client in (poor, other):
        await client.asked(**follow())
    await poor.asked(**sit(1))
    await room.until(lambda: other.events("reservation_failed"))
    assert other.events("reservation_failed")[0].reason == ""
    await room.until(lambda: [one for one in poor.of("private") if one.not_funded])
    assert poor.of("private")[-1].not_funded == "NOT_ENOUGH"
    assert not [one for one in other.of("private") if one.not_funded]
    for client in (poor, other):
        await client.close()


async def test_nothing_is_kept_of_money_that_has_arrived(room):
    (client,) = await seated(room, "p1")
    answer = await client.asked(top_up=pb.TopUpRequest(table=TABLE, amount=100))
    assert answer.HasField("done")
    await room.until(lambda: client.events("topped_up"))
    assert room.floor.hall._watched[TABLE].held == {}


@pytest.mark.plain
async def test_cards_are_those_of_the_hand_though_another_lay_in_the_same_places(room):
    """LAW 5, for a viewer of a table whose records in between this process has not seen."""
    clients = await seated(room, "p1", "p2")
    await on_turn(room, clients)
    before = deepcopy(room.table)
    await call_along(room, clients, 2)
    await on_turn(room, clients)
    own, watched = Own(room.decks, room.floor.hall.preacts), Watched(before)
    places, cards = [], []
    for table in (before, room.table):
        seat = views.seat_of(table.hand, "p1")
        assert seat is not None
        places.append(seat.places)
        cards.append(own_cards(table.hand, seat.seat, room.decks.open(TABLE, table.hand)))
        seen = pb.Private.FromString(own.part(table, watched, "p1"))
        assert tuple(seen.cards) == cards[-1]
    assert places[0] == places[1]
    assert cards[0] != cards[1]
    for client in clients:
        await client.close()


async def test_each_player_sees_his_own_cards_and_no_other_private_card(room):
    """LAW 5: "no viewer's stream ever holds another player's private card"."""
    clients = await seated(room, "p1", "p2", "p3")
    watcher = room.play("p9")
    await watcher.asked(**follow())
    await on_turn(room, clients)
    hand = room.table.hand
    deck = room.decks.open(TABLE, hand)
    for client in clients:
        seat = next(seat for seat in hand.seats.values() if seat.player == client.player)
        await room.until(lambda client=client: [one for one in client.of("private") if one.cards])
        cards = {tuple(one.cards) for one in client.of("private") if one.cards}
        assert cards == {own_cards(hand, seat.seat, deck)}
    assert not [one for one in watcher.of("private") if one.cards]
    for client in (*clients, watcher):
        for dealt in client.events("street_dealt"):
            assert [list(to.up) for to in dealt.to] == [[]] * len(dealt.to)
        for started in client.events("hand_started"):
            assert (started.sealed, started.key, started.state_hash) == (b"", "", b"")
        assert hand.sealed not in b"".join(client.messages)
        await client.close()


async def test_an_act_is_answered_when_it_is_in_the_log(room):
    clients = await seated(room, "p1", "p2")
    client, options, hand = await on_turn(room, clients)
    answer = await client.asked(
        **act(options, hand, Action.ACTION_RAISE, total=options.raise_least)
    )
    record = next(one for one in room.records if one.version == answer.done.version)
    assert record.answers is not None
    assert (record.answers.player, record.answers.number) == (client.player, answer.done.number)
    again = await client.asked(**act(options, hand, Action.ACTION_FOLD))
    assert (again.fault.status, again.fault.reason) == (code_pb2.ABORTED, "TURN_PASSED")
    for client in clients:
        await client.close()


async def test_options_are_what_is_accepted(room):
    clients = await seated(room, "p1", "p2", "p3")
    client, options, hand = await on_turn(room, clients)
    raised = act(options, hand, Action.ACTION_RAISE, total=options.raise_least - 1)
    below = await client.asked(**raised)
    assert below.fault.reason == "BELOW_LEAST_RAISE"
    assert dict(below.fault.facts) == {"least": str(options.raise_least)}
    raised = act(options, hand, Action.ACTION_RAISE, total=options.raise_most)
    assert (await client.asked(**raised)).HasField("done")
    for client in clients:
        await client.close()


async def test_many_asks_travel_in_one_message_and_are_answered_each(room):
    client = room.play("p1")
    ids = client.asks(
        (0, follow()),
        (0, sit(1)),
        (0, {"sit_out": pb.SitOutRequest(table=TABLE)}),
        (0, {"leave": pb.LeaveRequest(table="nowhere")}),
        (0, {"leave": pb.LeaveRequest(table="77.0")}),
        (0, {"top_up": pb.TopUpRequest(table=TABLE)}),
        (0, {}),
        (7, follow()),
    )
    answers = [await client.answer(one) for one in ids]
    assert [one.WhichOneof("outcome") for one in answers[:2]] == ["done", "done"]
    told = [(one.fault.reason, [f.field for f in one.fault.fields]) for one in answers[3:]]
    assert told == [
        ("BAD_INPUT", ["table"]),
        ("NO_TABLE", []),
        ("BAD_INPUT", ["top_up.amount"]),
        ("BAD_INPUT", ["ask"]),
        ("BAD_INPUT", ["player"]),
    ]
    await client.close()


async def test_several_players_speak_on_one_stream_each_by_his_own_token(room):
    client = room.play("p1")
    await client.asked(**follow())
    joined = await client.asked(join=pb.Join(token=room.token("p2")))
    assert joined.done.player == 1
    again = await client.asked(join=pb.Join(token=room.token("p2")))
    assert again.done.player == 1
    for token, reason in (
        ("rubbish", "BAD_TOKEN"),
        (room.token("p3", "observer"), "ROLE_MISSING"),
    ):
        refused = await client.asked(join=pb.Join(token=token))
        assert refused.fault.reason == reason
    await client.asked(1, **follow())
    assert len(client.of("snapshot")) == 1  # a table is told once a stream
    client.asks((0, sit(1)), (1, sit(2)))
    await room.until(lambda: any(one.cards for one in client.of("private") if one.player == 1))
    await room.until(lambda: any(one.cards for one in client.of("private") if one.player == 0))
    hands = {
        player: {tuple(one.cards) for one in client.of("private") if one.player == player}
        for player in (0, 1)
    }
    assert hands[0] != hands[1]
    await client.close()


async def test_a_player_who_joined_is_told_nothing_after_his_token_ends(room):
    client = room.play("p1")
    await client.asked(join=pb.Join(token=room.token("p2")))
    client.asks((0, follow()), (1, follow()), (0, sit(1)), (1, sit(2)))
    await room.until(lambda: any(one.cards for one in client.of("private") if one.player == 1))
    [stream] = room.floor.streams
    stream.players[1] = stream.players[1].__class__("p2", stream.players[1].roles, 0)
    room.floor.tick()
    assert stream.tables[TABLE] == {0}
    late = await client.asked(1, sit_out=pb.SitOutRequest(table=TABLE))
    assert late.fault.reason == "TOKEN_EXPIRED"
    await client.close()


async def test_a_client_that_comes_back_gets_what_it_missed(room):
    clients = await seated(room, "p1", "p2")
    watcher = room.play("p9")
    await watcher.asked(**follow())
    await call_along(room, clients, 1)
    await room.until(lambda: watcher.of("change"))
    seen = watcher.of("change")[-1].version
    await watcher.close()
    await call_along(room, clients, 2)
    back = room.play("p9")
    await back.asked(**follow(seen=seen))
    await room.until(lambda: back.of("change") and back.of("change")[-1].version > seen + 3)
    assert back.of("snapshot") == []
    versions = [change.version for change in back.of("change")]
    assert versions == list(range(seen + 1, versions[-1] + 1))
    for client in (*clients, back):
        await client.close()


@pytest.mark.parametrize("seen", [1, 10**12])
async def test_a_client_whose_version_is_not_at_hand_gets_a_snapshot(room, seen):
    """Nobody looked at the table so far: no change of it is at hand."""
    await room.call("SitDown", "p1", pb.SitDownRequest(table=TABLE, seat=1, amount=100))
    await room.until(lambda: room.table.sittings)
    client = room.play("p9")
    await client.asked(**follow(seen=seen))
    [snapshot] = client.of("snapshot")
    assert snapshot.version == room.table.version > 1
    assert [(chair.seat, chair.player) for chair in snapshot.chairs] == [(1, "p1")]
    await client.close()


async def test_a_client_that_missed_nothing_is_told_nothing_anew(room):
    client = room.play("p9")
    await client.asked(**follow(seen=room.table.version))
    assert client.of("snapshot") == client.of("change") == []
    await client.close()


async def test_a_table_is_told_no_longer_once_it_is_unfollowed(room):
    client = room.play("p9")
    await client.asked(**follow())
    await client.asked(unfollow=pb.Unfollow(table=TABLE))
    others = await seated(room, "p1", "p2")
    await on_turn(room, others)
    await client.asked(unfollow=pb.Unfollow(table=TABLE))
    assert client.of("change") == []
    for one in (*others, client):
        await one.close()


async def test_a_client_that_does_not_read_is_cut_off_and_holds_up_nobody(room):
    slow = room.play("p9")
    await slow.asked(**follow())
    slow.reads.clear()
    [stream] = room.floor.streams
    item = b"x" * 100_000
    for _ in range(50):
        stream.push(item)
    ended(await slow.task, code_pb2.RESOURCE_EXHAUSTED, "TOO_SLOW")
    assert room.floor.streams == {}
    others = await seated(room, "p1", "p2")
    await call_along(room, others, 1)
    for client in others:
        await client.close()


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b"\xff\xff", "."),
        (b"", "asks"),
        (pb.PlayRequest(asks=[pb.Ask()] * 1_025).SerializeToString(), "asks"),
    ],
)
async def test_a_message_that_is_not_sound_ends_the_stream(room, data, field):
    client = room.play("p1")
    client.raw(data)
    told = ended(await client.task, code_pb2.INVALID_ARGUMENT, "BAD_INPUT")
    assert [one.field for one in told.fields] == [field]


async def test_a_client_that_asks_no_more_gets_its_answers_and_what_it_follows(room):
    short = room.play("p1")
    ask = short.ask(**sit(1))
    short.half_close()
    assert await short.task is None
    assert (await short.answer(ask)).HasField("done")
    long = room.play("p2")
    long.ask(**follow())
    long.half_close()
    await room.until(lambda: long.of("snapshot"))
    other = room.play("p3")
    await other.asked(**sit(3))
    await room.until(lambda: long.of("change"))
    assert not long.task.done()
    for client in (long, other):
        await client.close()
