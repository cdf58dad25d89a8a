"""What a player has only asked for is his own until it takes effect."""

from __future__ import annotations

from dataclasses import replace

from riverboat.game.table.events import SatIn, SatOut, TableResumed
from riverboat.game.table.wishes import by_now
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from tests.services.session.room import SETTINGS, Room

TABLE = "1.0"
WISHES = ("sat_out", "sit_out_noted", "leave_noted", "player_left", "sat_in")


async def seated(tmp_path, **options):
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(SETTINGS, pause_ms=200, **options))
    clients = {name: room.play(name) for name in ("p1", "p2", "p3")}
    for seat, client in enumerate(clients.values(), 1):
        sit = pb.SitDownRequest(table=TABLE, seat=seat, amount=500, post=True)
        client.asks((0, {"follow": pb.Follow(table=TABLE)}), (0, {"sit_down": sit}))
    await room.until(lambda: len(room.table.sittings) == 3 and on_turn(room))
    return room, clients


def on_turn(room):
    hand = room.table.hand
    return hand if hand is not None and hand.turn else None


async def played(room, clients):
    """Play the hand to its end."""
    while (hand := on_turn(room)) is not None:
        seat = hand.seats[hand.turn]
        on = pb.ActOn(hand=hand.id, turn=hand.turn_number, price=hand.price)
        on.action = Action.ACTION_CALL if hand.price > seat.bet else Action.ACTION_CHECK
        await clients[seat.player].asked(act=pb.ActRequest(table=TABLE, act=on))


async def looks(room):
    onlooker = room.play("p9")
    await onlooker.asked(follow=pb.Follow(table=TABLE))
    await room.until(lambda: onlooker.of("snapshot"))
    return onlooker


def standing(client):
    return client.of("private")[-1].standing


async def test_who_sits_out_or_leaves_in_a_hand_is_told_of_when_it_is_over(tmp_path):
    room, clients = await seated(tmp_path)
    # All three are in the hand, or the second is played.
    await room.until(lambda: on_turn(room))
    if len(room.table.deal.seats) < 3:
        await played(room, clients)
        await room.until(lambda: on_turn(room) and len(room.table.deal.seats) == 3)
    before = await looks(room)
    # Who is not on turn: else his hand is over at once.
    out, goes = (
        name for name in clients if name != on_turn(room).seats[room.table.hand.turn].player
    )
    await clients[out].asked(sit_out=pb.SitOutRequest(table=TABLE, now=True))
    await clients[goes].asked(leave=pb.LeaveRequest(table=TABLE))
    after = await looks(room)
    version = room.table.version
    await room.until(lambda: before.of("change")[-1].version >= version)
    for seen in (before, after, clients["p1"]):
        assert not [kind for kind in WISHES if seen.events(kind)], "nobody is told yet"
    for chair in after.of("snapshot")[0].chairs:
        assert not (chair.away or chair.away_now or chair.leaving or chair.away_since_ms)
    assert standing(clients[out]).sits_out_now
    assert standing(clients[goes]).leaves
    await played(room, clients)
    for seen in (before, after):
        await room.until(lambda seen=seen: seen.events("sat_out") and seen.events("player_left"))
        assert [one.player for one in seen.events("sat_out")] == [out]
        assert not seen.events("sat_out")[0].now
        assert [one.player for one in seen.events("player_left")] == [goes]
    for client in (before, after, *clients.values()):
        await client.close()
    await room.stop()


async def test_who_sits_out_at_the_big_blind_is_told_of_when_it_comes(tmp_path):
    room, clients = await seated(tmp_path)
    onlooker = await looks(room)
    await clients["p1"].asked(sit_out=pb.SitOutRequest(table=TABLE, at_big_blind=True))
    await clients["p1"].asked(sit_in=pb.SitInRequest(table=TABLE, post=True))
    await clients["p1"].asked(sit_out=pb.SitOutRequest(table=TABLE, at_big_blind=True))
    await room.until(lambda: standing(clients["p1"]).sits_out_at_big_blind)
    for _ in range(4):
        if room.table.sittings[1].away:
            break
        assert not [kind for kind in WISHES if onlooker.events(kind)]
        hands = room.table.hands
        await played(room, clients)
        await room.until(
            lambda hands=hands: room.table.sittings[1].away or room.table.hands > hands
        )
        await room.until(lambda: room.table.sittings[1].away or on_turn(room))
    await room.until(lambda: onlooker.events("sat_out"))
    assert [(one.player, one.why) for one in onlooker.events("sat_out")] == [("p1", "big_blind")]
    await clients["p1"].asked(sit_in=pb.SitInRequest(table=TABLE, post=True))
    await room.until(lambda: onlooker.events("sat_in"))
    for client in (onlooker, *clients.values()):
        await client.close()
    await room.stop()


def test_events_are_told_when_what_they_say_is_so():
    nobody: frozenset[str] = frozenset()
    ann = frozenset({"ann"})
    out, back, other = SatOut("ann", "asked"), SatIn("ann", False), TableResumed("asked")
    assert by_now([other, out], nobody, nobody) == [other, None]
    assert by_now([out], nobody, ann) == [out]
    assert by_now([other, None], nobody, ann) == [other, None, out]
    assert by_now([back], nobody, nobody) == [None], "he takes back what nobody knew"
    assert by_now([back], ann, nobody) == [back]
    assert by_now([other], ann, ann) == [other]
