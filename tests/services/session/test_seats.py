"""What players ask of a table besides seats and acts, and what is told of it, and to whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game import commands
from riverboat.game.hand.sight import public
from riverboat.game.record import Record
from riverboat.game.table.besides import DIGEST_BYTES
from riverboat.game.table.events import (
    Apart,
    OptionsChanged,
    OptionsNoted,
    Preferences,
    Settings,
    TableOpened,
)
from riverboat.game.table.state import Hold, Sitting, Table, Waiter
from riverboat.runtime.codes import code_digest
from riverboat.wire.record import decode_asked, encode_record
from riverboat.wire.v1 import seats_pb2 as seats
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.commands_pb2 import Action
from services.session import frames, views
from services.session.asks import command_of
from services.session.desk import WORDS_AT_ONCE
from tests.services.session.room import SETTINGS, Room

TABLE = "1.0"
WORD = "sesame-4711"
DIGEST = code_digest(TABLE, WORD)
NOBODY: frozenset[str] = frozenset()

ASKS: dict[str, tuple[Any, Any]] = {
    "hold_seat": (
        seats.HoldSeatRequest(table=TABLE, seat=2, code=WORD),
        commands.HoldSeat(2, "line", DIGEST),
    ),
    "release_seat": (seats.ReleaseSeatRequest(table=TABLE), commands.ReleaseSeat()),
    "join_list": (
        seats.JoinListRequest(table=TABLE, code=WORD),
        commands.JoinList("line", DIGEST),
    ),
    "leave_list": (seats.LeaveListRequest(table=TABLE), commands.LeaveList()),
    "set_preferences": (
        seats.SetPreferencesRequest(
            table=TABLE,
            top_up_below=100,
            top_up_to=200,
            shows_losing=True,
            straddles=True,
            runs_most=2,
        ),
        commands.SetPreferences(Preferences(100, 200, True, True, 2)),
    ),
    "show_cards": (
        seats.ShowCardsRequest(table=TABLE, hand="1.0-1", at=[0, 1]),
        commands.ShowCards("1.0-1", (0, 1)),
    ),
    "sit_down": (
        pb.SitDownRequest(table=TABLE, seat=1, amount=500, post=True, code=WORD),
        commands.SitDown(1, 500, True, "line", DIGEST),
    ),
    "sit_out": (
        pb.SitOutRequest(table=TABLE, now=True, at_big_blind=True),
        commands.SitOut(True, True),
    ),
}


@pytest.mark.parametrize("kind", ASKS)
def test_a_request_becomes_the_command_of_its_name(kind):
    request, command = ASKS[kind]
    assert command_of(request, lambda _table: "line") == command


@pytest.mark.parametrize("kind", ASKS)
async def test_an_ask_goes_to_the_log_once_under_its_number_however_it_comes(room, kind):
    """Like their neighbours: by a call and on a stream, numbered, and without a second effect."""
    request, command = ASKS[kind]
    again = type(request)()
    again.CopyFrom(request)
    again.number = 7
    name = "".join(word.capitalize() for word in kind.split("_"))
    first = await room.call(name, "p1", again)
    written = len(room.sent)
    client = room.play("p1")
    second = await client.asked(**{kind: again})
    # The outcome under this number is known: it is told again, and nothing is written.
    assert second.HasField("done") == (not hasattr(first, "reason"))
    assert len(room.sent) == written
    asked = decode_asked(room.sent[0].value)
    assert (asked.player, asked.number) == ("p1", 7)
    assert type(asked.command) is type(command)
    assert room.table.answers["dealer p1"].number == 7
    await client.close()


async def test_a_word_is_never_written(room, caplog):
    """Issue: a code travels as a word in the call and is in the log only as a digest."""
    caplog.set_level("DEBUG")
    await room.call("SitDown", "p1", ASKS["sit_down"][0])
    await room.until(lambda: room.table.sittings)
    [asked] = [decode_asked(one.value) for one in room.sent]
    assert isinstance(asked.command, commands.SitDown)
    assert asked.command.code_digest == DIGEST
    assert all(WORD.encode() not in one.value for one in room.sent)
    assert all(WORD.encode() not in encode_record(record) for record in room.records)
    assert WORD not in caplog.text


def test_a_digest_is_of_one_word_at_one_table():
    assert len(DIGEST) == DIGEST_BYTES
    assert code_digest(TABLE, f"  {WORD} ") == DIGEST
    assert code_digest(TABLE, WORD.upper()) != DIGEST
    assert code_digest("2.0", WORD) != DIGEST
    assert code_digest(TABLE, "   ") == b""
    # However the keyboard spells it: one letter, or a letter and its accent.
    assert code_digest(TABLE, "caf\u00e9") == code_digest(TABLE, "cafe\u0301")


# --- What is shown.


def a_table(**changes):
    table = Table(TABLE, version=5, settings=SETTINGS)
    for name, value in changes.items():
        setattr(table, name, value)
    return table


def test_a_snapshot_says_whether_play_waits_and_who_may_still_come():
    table = a_table(
        paused="gateway",
        paused_until_ms=99,
        draining=True,
        coming=replace(SETTINGS, name="Volga"),
        waiters=[Waiter("w1", "line"), Waiter("w2", "line")],
        holds={"h1": Hold("h1", 2, 77, "line", True)},
    )
    seen = views.snapshot(table)
    assert (seen.pause.reason, seen.pause.until_ms) == ("gateway", 99)
    assert seen.draining
    assert seen.coming.name == "Volga"
    assert seen.waiting == 2
    [chair] = seen.chairs
    assert (chair.seat, chair.player, chair.kept, chair.held) == (2, "h1", True, False)
    assert chair.kept_until_ms == 77
    assert not views.snapshot(a_table()).HasField("pause")
    # Who waits is nobody's business but his own, and a line is nobody's.
    for secret in (b"w1", b"w2", b"line"):
        assert secret not in seen.SerializeToString()
    assert views.taken(table) == 1


def test_a_chair_says_how_its_player_is_away_and_what_bank_he_has():
    sitting = Sitting(
        1, "p1", "r1", 500, away=True, now=True, away_since_ms=8, bank_ms=30_000, protections=2
    )
    waits = Sitting(2, "p2", "r2", 500, at_big_blind=True)
    one, other = views.snapshot(a_table(sittings={1: sitting, 2: waits})).chairs
    assert (one.away, one.away_since_ms, one.bank_ms) == (True, 8, 30_000)
    assert not other.away
    # How he wants it is told him alone.
    assert not any(each.away_now or each.away_at_big_blind for each in (one, other))


def test_a_players_standing_is_told_him_alone():
    sitting = Sitting(
        1, "p1", "r1", 500, protections=2, top_up_below=50, top_up_to=100, straddles=True
    )
    table = a_table(
        sittings={1: sitting},
        waiters=[Waiter("w1", ""), Waiter("w2", "")],
        holds={"h1": Hold("h1", 3, 77, "", False)},
    )
    own = views.private(table, "p1", None, ()).standing
    assert own.protections == 2
    wanted = own.preferences
    assert (wanted.top_up_below, wanted.top_up_to, wanted.straddles) == (50, 100, True)
    assert views.places(table) == {"w1": 1, "w2": 2}
    assert views.private(table, "w2", None, (), place=2).standing.place == 2
    kept = views.private(table, "h1", None, ()).standing
    assert (kept.kept_seat, kept.kept_until_ms) == (3, 77)
    assert not views.private(table, "p9", None, ()).standing.ListFields()


WORDS = st.text("abcxyz", min_size=1, max_size=9).map(lambda word: f"secret {word}")
PRIVATE: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    invited=st.lists(WORDS, max_size=3).map(tuple),
    code_digest=st.binary(max_size=32),
    apart=st.lists(st.lists(WORDS, min_size=2, max_size=3).map(tuple).map(Apart)).map(tuple),
)


@settings(deadline=None)
@given(PRIVATE)
def test_a_stream_is_the_same_whoever_is_invited_and_kept_apart(private):
    """Issue: snapshots and lists must not carry the list, the word, or who may not sit together."""
    hidden, plain = replace(SETTINGS, **private), SETTINGS
    for settings_of in (lambda one: {"settings": one}, lambda one: {"coming": one}):
        one, other = a_table(**settings_of(hidden)), a_table(**settings_of(plain))
        assert frames.snapshot(one) == frames.snapshot(other)
        assert views.table_line(one) == views.table_line(other)
        assert views.private(one, "p1", None, ()) == views.private(other, "p1", None, ())
    for event in (TableOpened, OptionsNoted, OptionsChanged):
        changes = []
        for options in (hidden, plain):
            record = Record(TABLE, 5, "p", "dealer/1/1", "", None, 1, (event(options),))
            value = encode_record(record)
            changes.append(frames.change(a_table(), record, value, NOBODY, NOBODY))
        assert changes[0] == changes[1]


def test_every_other_option_is_shown():
    """A client knows all that a table has but what tells of players."""
    hidden = {"invited", "apart", "code_digest"}
    shown = public(TableOpened(replace(SETTINGS, bank_ms=1, cap=2, bomb_every=3)))
    assert shown == TableOpened(replace(SETTINGS, bank_ms=1, cap=2, bomb_every=3))
    assert hidden < set(Settings.__dataclass_fields__)


# --- At a real table.


async def opened(folder, **options):
    room = Room(folder)
    await room.start()
    await room.opened(replace(SETTINGS, **options))
    return room


def sits(seat, code=""):
    return pb.SitDownRequest(table=TABLE, seat=seat, amount=500, post=True, code=code)


async def test_a_private_table_takes_who_knows_the_word(tmp_path):
    room = await opened(tmp_path, code_digest=DIGEST, hold_ms=60_000)
    for code in ("", "sesame", WORD.upper()):
        assert (await room.call("SitDown", "p1", sits(1, code))).reason == "WRONG_CODE"
    hold = seats.HoldSeatRequest(table=TABLE, code="no")
    assert (await room.call("HoldSeat", "p1", hold)).reason == "WRONG_CODE"
    assert (await room.call("SitDown", "p1", sits(1, WORD))).version > 0
    await room.until(lambda: room.table.sittings)
    listed = await room.call("ListTables", "p9", pb.ListTablesRequest())
    assert listed.tables[0].settings.code_digest == b""
    await room.stop()


async def test_a_chair_is_kept_given_up_and_offered_to_who_waits(tmp_path):
    room = await opened(tmp_path, seats=2, hold_ms=60_000, offer_ms=60_000)
    await room.call("SitDown", "p1", sits(1))
    client, waits = room.play("p2"), room.play("p3")
    for one in (client, waits):
        await one.asked(follow=pb.Follow(table=TABLE))
    await client.asked(hold_seat=seats.HoldSeatRequest(table=TABLE))
    await room.until(lambda: client.of("private")[-1].standing.kept_seat == 2)
    assert client.of("private")[-1].standing.kept_until_ms > 0
    await waits.asked(join_list=seats.JoinListRequest(table=TABLE))
    await room.until(lambda: waits.of("private")[-1].standing.place == 1)
    listed = await room.call("ListTables", "p9", pb.ListTablesRequest())
    assert (listed.tables[0].taken, listed.tables[0].waiting) == (2, 1)
    assert not (await room.call("ListTables", "p9", pb.ListTablesRequest(free=True))).tables
    # That somebody waits, everybody sees; who, he alone.
    await room.until(lambda: client.events("list_joined"))
    assert [one.player for one in client.events("list_joined")] == [""]
    await client.asked(release_seat=seats.ReleaseSeatRequest(table=TABLE))
    await room.until(lambda: waits.of("private")[-1].standing.kept_seat == 2)
    assert waits.of("private")[-1].standing.place == 0
    listed = await room.call("ListTables", "p9", pb.ListTablesRequest())
    assert (listed.tables[0].taken, listed.tables[0].waiting) == (2, 0)
    assert (await waits.asked(sit_down=sits(0))).HasField("done")
    await room.until(lambda: 2 in room.table.sittings)
    for one in (client, waits):
        await one.close()
    await room.stop()


async def test_preferences_are_told_their_player_alone(tmp_path):
    room = await opened(tmp_path, auto_top_up=True)
    client, other = room.play("p1"), room.play("p2")
    for one in (client, other):
        await one.asked(follow=pb.Follow(table=TABLE))
    await client.asked(sit_down=sits(1))
    await room.until(lambda: room.table.sittings)
    wanted = seats.SetPreferencesRequest(table=TABLE, top_up_below=100, top_up_to=500)
    assert (await client.asked(set_preferences=wanted)).HasField("done")
    await room.until(lambda: client.of("private")[-1].standing.preferences.top_up_to == 500)
    fault = await room.call(
        "SetPreferences", "p1", seats.SetPreferencesRequest(table=TABLE, straddles=True)
    )
    assert fault.reason == "BAD_PREFERENCE"
    await room.until(lambda: other.of("change")[-1].version == room.table.version)
    assert not other.events("preferences_set")
    assert not [one for one in other.of("private") if one.standing.HasField("preferences")]
    for one in (client, other):
        await one.close()
    await room.stop()


async def test_cards_are_shown_by_who_held_them_to_all(tmp_path):
    room = await opened(tmp_path)
    clients = {player: room.play(player) for player in ("p1", "p2")}
    for seat, client in enumerate(clients.values(), 1):
        await client.asked(follow=pb.Follow(table=TABLE))
        await client.asked(sit_down=sits(seat))
    hand = await room.until(lambda: room.table.hand and room.table.hand.turn and room.table.hand)
    player = hand.seats[hand.turn].player
    client = clients[player]
    await room.until(lambda: [one for one in client.of("private") if len(one.cards) == 2])
    cards = next(list(one.cards) for one in client.of("private") if len(one.cards) == 2)
    on = pb.ActOn(hand=hand.id, turn=hand.turn_number, price=hand.price, action=Action.ACTION_FOLD)
    # With no further hand begun, what was held can still be shown.
    other = next(one for one in clients if one != player)
    await room.call("SitOut", other, pb.SitOutRequest(table=TABLE))
    await client.asked(act=pb.ActRequest(table=TABLE, act=on))
    await room.until(lambda: client.events("hand_ended"))
    show = seats.ShowCardsRequest(table=TABLE, hand=hand.id, at=[1])
    assert (await client.asked(show_cards=show)).HasField("done")
    await room.until(lambda: clients[other].events("cards_shown"))
    [shown] = clients[other].events("cards_shown")
    assert list(shown.cards) == [cards[1]]
    for one in clients.values():
        await one.close()
    await room.stop()


async def test_the_word_of_a_private_table_is_not_found_by_trying(tmp_path):
    room = await opened(tmp_path, code_digest=DIGEST, hold_ms=60_000)
    for number in range(WORDS_AT_ONCE):
        assert (await room.call("SitDown", "p1", sits(1, f"{number}"))).reason == "WRONG_CODE"
    written = len(room.sent)
    for request in (sits(1, "9"), sits(1, WORD)):
        fault = await room.call("SitDown", "p1", request)
        assert (fault.reason, fault.retry_after_ms > 0) == ("TOO_MANY_WORDS", True)
    hold = seats.HoldSeatRequest(table=TABLE, code=WORD)
    assert (await room.call("HoldSeat", "p1", hold)).reason == "TOO_MANY_WORDS"
    assert len(room.sent) == written, "nothing of it comes into the log"
    assert (await room.call("SitDown", "p2", sits(2, WORD))).version > 0
    await room.stop()


async def test_only_who_stands_behind_is_told_that_one_has_gone(tmp_path):
    room = await opened(tmp_path, seats=2, offer_ms=60_000)
    for seat in (1, 2):
        await room.call("SitDown", f"p{seat}", sits(seat))
    await room.until(lambda: len(room.table.sittings) == 2)
    waiting = [room.play(f"w{place}") for place in (1, 2, 3)]
    for place, client in enumerate(waiting, 1):
        await client.asked(follow=pb.Follow(table=TABLE))
        await client.asked(join_list=seats.JoinListRequest(table=TABLE))
        await room.until(lambda c=client, p=place: c.of("private")[-1].standing.place == p)
    told = [len(client.of("private")) for client in waiting]
    assert told == [2, 2, 2], "who stood there already is told nothing of who comes"
    await waiting[1].asked(leave_list=seats.LeaveListRequest(table=TABLE))
    await room.until(lambda: waiting[2].of("private")[-1].standing.place == 2)
    await room.until(lambda: waiting[1].of("private")[-1].standing.place == 0)
    await room.until(lambda: len(waiting[0].events("list_left")) == 1)
    assert len(waiting[0].of("private")) == 2
    for client in waiting:
        await client.close()
    await room.stop()
