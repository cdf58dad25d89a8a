"""Who sees a table, and when: live, later, or not at all, as its options say."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from google.rpc import code_pb2
from hypothesis import given
from hypothesis import settings as example_settings
from hypothesis import strategies as st

from riverboat.game.commands import Action, Leave, OpenTable
from riverboat.game.hand.options import options
from riverboat.game.table.events import (
    ListJoined,
    ListLeft,
    OptionsChanged,
    SeatHeld,
    SeatReleased,
)
from riverboat.log import log
from riverboat.log.topics import HAND_LOG
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.observe import Metrics
from riverboat.wire.record import encode_record
from riverboat.wire.v1 import session_pb2 as pb
from riverboat.wire.v1.access_pb2 import Role
from services.session import later as laters
from services.session.desk import Desk
from services.session.hall import Hall
from services.session.later import CHANGES, Later
from services.session.onlookers import NO_PLAYER, may_look
from services.session.stream import Stream
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS, OpenDecks
from tests.services.session.room import SETTINGS as ROOM_SETTINGS
from tests.services.session.room import Room

DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))
TABLE = "1.0"
DELAY_MS = 5_000
PLAYERS = ["p1", "p2", "p3", "p4"]


class Viewer(Stream):
    """A stream that judges what it is told."""

    __slots__ = ("gone", "name", "rig", "seen")

    def __init__(self, rig, name, role):
        caller = Caller(name, frozenset({role}), 1 << 62)
        super().__init__(Call(caller, name), name)
        self.players.append(caller)
        self.rig = rig
        self.name = name
        self.seen = 0
        self.gone = False

    @property
    def index(self):
        return 0 if Role.ROLE_PLAYER in self.players[0].roles else NO_PLAYER

    def push(self, frame):
        if not self.closed:
            for item in pb.PlayResponse.FromString(frame).items:
                self.hear(item)

    def hear(self, item):
        kind = item.WhichOneof("item")
        if kind == "hidden":
            self.gone = True
            return
        if kind == "private":
            return
        version = getattr(item, kind).version
        assert not self.gone, "nothing comes behind the end"
        if kind == "change":
            assert version == self.seen + 1, "in order, none left out"
        else:
            assert version >= self.seen, "a table never goes back"
        self.seen = version
        self.rig.judge(self, version)


class Rig(House):
    """A house whose every record is shown by a hall, under the law of its options."""

    def __init__(self):
        super().__init__(TABLE, OpenDecks())
        clock = Now(self)
        desk = Desk(lambda _table: self.table, _unsent, clock, Seeded(1))
        self.hall = Hall(desk, OpenDecks(), clock, Metrics())
        self.viewers = {}
        self.times = {0: 0}
        self.options = {0: SETTINGS}  # under which each version came about
        self.inside: frozenset[str] = frozenset()
        self.seated: frozenset[str] = frozenset()

    def append(self, service, events, answers=None):
        before, options_before = self.people(), self.table.settings or SETTINGS
        record = super().append(service, events, answers)
        self.times[record.version] = self.now_ms
        self.options[record.version] = options_before
        after = self.people()
        # Who goes by this record was there when it happened.
        self.inside, self.seated = before[0] | after[0], before[1] | after[1]
        value = encode_record(record)
        self.hall.see(self.table, record, log.Record(HAND_LOG, 0, 0, self.now_ms, TABLE, value))
        self.hall.cut()()
        self.inside, self.seated = after
        return record

    def people(self):
        table = self.table
        seated = {one.player for one in table.sittings.values()}
        held = {one.player for one in table.reservations.values() if not one.top_up}
        return (
            frozenset(seated | held | set(table.holds) | {one.player for one in table.waiters}),
            frozenset(seated),
        )

    def look(self, name, role=Role.ROLE_PLAYER, seen=0):
        viewer = self.viewers[name] = Viewer(self, name, role)
        viewer.seen = seen
        self.hall.follow(viewer, viewer.index, self.table, seen)
        self.hall.cut()()
        return viewer

    def look_away(self, name):
        self.hall.close(self.viewers.pop(name))

    def pass_time(self, ms):
        self.now_ms += ms
        self.hall.tick()

    def judge(self, viewer, version):
        """LAW: no viewer's stream ever carries what he may not see."""
        plays = viewer.index != NO_PLAYER
        operator = Role.ROLE_OPERATOR in viewer.players[0].roles
        then, now = self.options[version], self.table.settings
        assert now is not None
        if then.closed_to_view and now.closed_to_view:
            assert operator or (plays and viewer.name in self.inside), viewer.name
        if not (plays and viewer.name in self.seated):
            due_ms = self.times[version] + min(then.view_delay_ms, now.view_delay_ms)
            assert self.now_ms >= due_ms, f"{viewer.name} saw v{version} too early"


class Now:
    """The clock of a rig."""

    def __init__(self, rig):
        self.rig = rig

    def now_ms(self):
        return self.rig.now_ms


def rigged(**changes):
    """An open table with these options."""
    rig = Rig()
    rig.order(OpenTable(replace(SETTINGS, **changes)))
    assert rig.table.settings is not None
    return rig


def change_options(rig, **changes):
    rig.append("dealer", (OptionsChanged(replace(rig.table.settings, **changes)),))


def step(rig, chance):
    """Something happens: time passes, somebody comes, goes, waits, acts, or looks."""
    what = chance.randrange(12)
    table = rig.table
    name = chance.choice(PLAYERS)
    inside, seated = rig.people()
    if what == 0:
        rig.pass_time(chance.choice((100, 1_000, DELAY_MS)))
    elif what == 1 and name not in inside and not table.waiters:
        rig.seat(name, 1_000)
    elif what == 2 and name in seated:
        rig.ask(name, Leave())
        rig.run()
    elif what == 3 and name not in inside:
        rig.append("dealer", (ListJoined(name, ""),))
    elif what == 4 and table.waiters:
        rig.append("dealer", (ListLeft(table.waiters[0].player, "asked"),))
    elif what == 5 and name not in inside and len(seated) + len(table.holds) < 6:
        free = next(seat for seat in range(1, 7) if seat not in table.sittings)
        if all(held.seat != free for held in table.holds.values()):
            rig.append("dealer", (SeatHeld(name, free, 0, ""),))
    elif what == 6 and table.holds:
        rig.append("dealer", (SeatReleased(next(iter(table.holds)), "asked"),))
    elif what == 7 and name not in rig.viewers:
        if may_look(table, name, frozenset({Role.ROLE_PLAYER})):
            rig.look(name)
    elif what == 8 and name in rig.viewers:
        rig.look_away(name)
    elif what == 9 and table.deal is None and chance.random() < 0.2:
        closed = chance.random() < 0.3
        delay_ms = 0 if closed else chance.choice((0, 1_000, DELAY_MS))
        change_options(rig, closed_to_view=closed, view_delay_ms=delay_ms)
    elif table.hand is not None and table.hand.turn:
        offered = options(table.hand)
        assert offered is not None
        rig.act(Action.CHECK if offered.check else Action.CALL)
    else:
        rig.wait(3_000)
        rig.run()


@example_settings(max_examples=1_000 if DEEP else 60, deadline=None)
@given(st.integers(0, 2**64), st.sampled_from([(0, False), (DELAY_MS, False), (0, True)]))
def test_nobody_ever_sees_what_he_may_not_and_all_see_the_rest(seed, begun):
    """Issue: closed to view, and seen later: order and versions kept, and nothing left out."""
    chance = random.Random(seed)
    delay_ms, closed = begun
    rig = rigged(view_delay_ms=delay_ms, closed_to_view=closed)
    rig.look("operator", Role.ROLE_OPERATOR)
    if not closed:
        rig.look("observer", Role.ROLE_OBSERVER)
    for _ in range(150):
        step(rig, chance)
        rig.viewers = {name: one for name, one in rig.viewers.items() if not one.gone}
    rig.pass_time(2 * DELAY_MS)
    for name, viewer in rig.viewers.items():
        assert viewer.seen == rig.table.version, f"{name} was told all"


def test_who_sits_down_sees_live_and_who_leaves_sees_later_again():
    rig = rigged(view_delay_ms=DELAY_MS)
    rig.seat("p2", 1_000)
    viewer = rig.look("p1")
    assert viewer.seen == 0
    rig.pass_time(DELAY_MS - 1)
    assert viewer.seen == 0
    rig.pass_time(1)
    begun = viewer.seen
    assert begun > 0
    rig.seat("p1", 1_000)
    assert viewer.seen == rig.table.version
    rig.ask("p1", Leave())
    rig.run()
    left = viewer.seen
    rig.seat("p3", 1_000)
    assert viewer.seen == left < rig.table.version
    rig.pass_time(DELAY_MS)
    assert viewer.seen == rig.table.version
    assert begun < left


def test_a_stream_of_many_sees_at_once_what_any_of_its_players_sits_at():
    rig = rigged(view_delay_ms=DELAY_MS)
    rig.seat("p2", 1_000)
    stream = rig.look("p1")
    assert stream.seen == 0
    stream.players.append(Caller("p2", frozenset({Role.ROLE_PLAYER}), 1 << 62))
    stream.name = "p2"  # whose sight is judged
    rig.hall.follow(stream, 1, rig.table, 0)
    rig.hall.cut()()
    assert stream.seen == rig.table.version
    rig.seat("p3", 1_000)
    assert stream.seen == rig.table.version
    rig.ask("p2", Leave())
    left = rig.table.version
    rig.run()
    rig.seat("p4", 1_000)
    assert left <= stream.seen < rig.table.version
    rig.pass_time(DELAY_MS)
    assert stream.seen == rig.table.version


def test_who_comes_where_others_look_already_begins_with_what_is_due():
    rig = rigged(view_delay_ms=DELAY_MS)
    rig.look("first", Role.ROLE_OBSERVER)
    rig.seat("p1", 1_000)
    rig.pass_time(DELAY_MS)
    due = rig.table.version
    rig.seat("p2", 1_000)
    late = rig.look("late", Role.ROLE_OBSERVER)
    assert late.seen == due < rig.table.version
    # Who comes back with what he saw is not told it again.
    back = rig.look("back", Role.ROLE_OBSERVER, seen=due)
    assert back.seen == due
    rig.pass_time(DELAY_MS)
    assert late.seen == back.seen == rig.table.version


def test_what_waits_is_bounded_and_goes_on_with_a_snapshot():
    waits, viewer = Later(), Viewer(_NoLaw(), "v", Role.ROLE_OBSERVER)
    waits.begin(viewer, 0)
    huge = bytes(laters.BYTES_MOST // 4)
    waits.add(10, 1, b"", _frame(snapshot=pb.Snapshot(version=1)))
    waits.tick(10)
    assert viewer.seen == 1
    for version in range(2, 8):
        waits.add(20, version, huge, b"")
    assert (waits.lost, waits.wants_snapshot) == (True, True)
    waits.tick(30)
    assert viewer.seen == 1
    waits.add(40, 8, huge, _frame(snapshot=pb.Snapshot(version=8)))
    assert (waits.lost, waits.wants_snapshot) == (False, False)
    waits.tick(39)
    assert viewer.seen == 1
    waits.tick(40)
    assert viewer.seen == 8


def test_a_snapshot_follows_now_and_then_so_that_little_is_kept():
    waits = Later()
    wanted = [waits.wants_snapshot]
    waits.add(0, 1, b"", b"s")
    for version in range(2, CHANGES + 2):
        wanted.append(waits.wants_snapshot)
        waits.add(0, version, b"c", b"")
    wanted.append(waits.wants_snapshot)
    assert wanted == [True, *[False] * CHANGES, True]


def _unsent(_batch, _said):
    raise AssertionError("who looks asks nothing")


class _NoLaw:
    def judge(self, viewer, version):
        """Whatever a test puts there may be seen."""


def _frame(**item):
    return pb.PlayResponse(items=[pb.Item(**item)]).SerializeToString()


# --- Over the session's calls.


@pytest.fixture
async def closed(tmp_path):
    """A process with one table that is closed to view."""
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(ROOM_SETTINGS, closed_to_view=True))
    yield room
    await room.stop()


async def test_a_closed_table_is_shown_to_who_sits_there_and_to_operators(closed):
    stranger = closed.play("p9")
    answer = await stranger.asked(follow=pb.Follow(table=TABLE))
    assert answer.fault.status == code_pb2.PERMISSION_DENIED
    assert answer.fault.reason == "CLOSED_TO_VIEW"
    for role in ("observer", "player"):
        ended = await closed.watch("p9", pb.Follow(table=TABLE), role=role).task
        assert ended.reason == "CLOSED_TO_VIEW"
    operator = closed.watch("o1", pb.Follow(table=TABLE), role="operator")
    await closed.until(lambda: operator.of("snapshot"))
    sit = pb.SitDownRequest(table=TABLE, seat=1, amount=500, post=True)
    assert (await stranger.asked(sit_down=sit)).HasField("done")
    assert (await stranger.asked(follow=pb.Follow(table=TABLE))).HasField("done")
    await closed.until(lambda: stranger.of("snapshot"))
    await closed.until(lambda: closed.table.sittings)
    await stranger.asked(leave=pb.LeaveRequest(table=TABLE))
    await closed.until(lambda: [item for item in stranger.items if item.HasField("hidden")])
    assert stranger.events("player_left")
    asked = len(closed.sent)
    told = len(stranger.of("change"))
    await closed.call("SitDown", "p2", pb.SitDownRequest(table=TABLE, seat=2, amount=500))
    await closed.until(lambda: operator.events("player_seated")[1:])
    assert len(stranger.of("change")) == told
    await stranger.close()
    # Nothing of his hangs on a line there any more: none is told of.
    assert len(closed.sent) == asked + 1, "who sat down meanwhile asked for it"
    await operator.close()


async def test_a_delayed_table_shows_an_onlooker_nothing_at_once(tmp_path):
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(ROOM_SETTINGS, view_delay_ms=3_600_000))
    onlooker, player = room.play("p9"), room.play("p1")
    for client in (onlooker, player):
        await client.asked(follow=pb.Follow(table=TABLE))
    sit = pb.SitDownRequest(table=TABLE, seat=1, amount=500, post=True)
    await player.asked(sit_down=sit)
    await room.until(lambda: player.of("snapshot"))
    assert onlooker.of("snapshot") == onlooker.of("change") == []
    for client in (onlooker, player):
        await client.close()
    await room.stop()
