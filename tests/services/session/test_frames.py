"""Frames are what the wire's own encoder would make, whatever bytes they are put together from."""

from __future__ import annotations

import pytest

from riverboat.game.hand.sight import public
from riverboat.game.record import UnknownEvent
from riverboat.wire.joined import varint
from riverboat.wire.record import fill_event
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from riverboat.wire.v1.record_pb2 import Event, Record
from services.session import frames, views
from tests.services.session.room import Room

TABLE = "1.0"
NOBODY: frozenset[str] = frozenset()


def _message(event):
    message = Event()
    fill_event(message, event)
    return message


def plainly(table, record):
    """The change, built without a short cut, where nobody wants to sit out."""
    known = [event for event in record.events if not isinstance(event, UnknownEvent)]
    seen = [one for one in map(public, known) if one is not None]
    turn = pb.Turn()
    if table.hand is not None:
        views.turn(table.hand, turn)
    return pb.Change(
        table=table.id,
        version=table.version,
        hand=record.hand,
        events=[_message(event) for event in seen],
        time_ms=table.time_ms,
        turn=None if table.hand is None else turn,
    )


def test_a_change_has_of_a_records_numbers_only_what_is_the_same_in_both():
    """Else a record's bytes, read as a change, would tell everybody another field."""
    record = Record.DESCRIPTOR.fields_by_number
    shared = [one for one in pb.Change.DESCRIPTOR.fields if one.number in record]
    assert {one.name for one in shared} == {"table", "version", "hand", "events"}
    for one in shared:
        other = record[one.number]
        assert (one.name, one.type, one.message_type) == (
            other.name,
            other.type,
            other.message_type,
        )


def _on_turn(hand):
    return hand if hand is not None and hand.turn else None


async def test_a_change_is_the_record_without_what_is_not_for_everybody(tmp_path):
    room = Room(tmp_path)
    pairs = []

    def saw(table, record, found):
        pairs.append(
            (frames.change(table, record, found.value, NOBODY, NOBODY), plainly(table, record))
        )

    room.followers.append(saw)
    await room.start()
    await room.opened()
    clients = [room.play(player) for player in ("p1", "p2", "p3")]
    for seat, client in enumerate(clients, 1):
        sit = pb.SitDownRequest(table=TABLE, seat=seat, amount=500, post=True)
        client.asks((0, {"follow": pb.Follow(table=TABLE)}), (0, {"sit_down": sit}))
    await room.until(lambda: clients[0].events("hand_started"))
    for _ in range(12):
        hand = await room.until(lambda: _on_turn(room.table.hand))
        seat = hand.seats[hand.turn]
        client = next(one for one in clients if one.player == seat.player)
        on = pb.ActOn(hand=hand.id, turn=hand.turn_number, price=hand.price)
        on.action = Action.ACTION_CALL if hand.price > seat.bet else Action.ACTION_CHECK
        await client.asked(act=pb.ActRequest(table=TABLE, act=on))
        if not room.table.hand:
            break
    refused = await clients[0].asked(sit_in=pb.SitInRequest(table=TABLE))
    assert refused.HasField("fault")
    # Nobody but he is left who could act for those that go: they lose their lines, and keep seats.
    for client in clients[1:]:
        await client.close()
    await room.until(lambda: clients[0].events("line_lost"))
    await clients[0].close()
    await room.stop()

    kinds = set()
    for frame, wanted in pairs:
        [item] = pb.PlayResponse.FromString(frame).items
        assert item.change == wanted
        # Nothing stands in it besides: not who asked, nor under which number.
        assert frame == pb.PlayResponse(items=[pb.Item(change=wanted)]).SerializeToString()
        kinds |= {event.WhichOneof("event") for event in item.change.events}
    # Events that are passed on as they stand, and events that are not.
    assert {"hand_started", "street_dealt", "posted", "called", "line_lost"} <= kinds
    assert "command_refused" not in kinds
    assert len(pairs) > 20


def test_a_frame_serves_both_streams():
    answer = pb.Answer(ask=7, done=pb.Done(version=300, number=1 << 40))
    item = pb.Item(answer=answer)
    frame = frames.answer(answer)
    assert frame == pb.PlayResponse(items=[item]).SerializeToString()
    assert list(pb.WatchResponse.FromString(frame + frame).items) == [item, item]


@pytest.mark.parametrize("index", [0, 1, 127, 128, 1_023])
def test_a_private_frame_names_its_player(index):
    seen = pb.Private(table=TABLE, version=7, cards=[51, 0], not_funded="NOT_ENOUGH")
    frame = frames.private(index, seen.SerializeToString())
    [item] = pb.PlayResponse.FromString(frame).items
    seen.player = index
    assert item.private == seen


@pytest.mark.parametrize("number", [0, 1, 127, 128, 16_383, 16_384, 2**32, 2**63 - 1])
def test_a_number_is_written_as_the_wire_writes_it(number):
    written = pb.Done(version=number).SerializeToString()
    assert (b"\x08" + varint(number) if number else b"") == written
