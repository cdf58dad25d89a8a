"""The list of tables: what it tells of each, and when."""

from __future__ import annotations

from dataclasses import replace

from riverboat.game.table.state import Table
from riverboat.runtime.clock import ManualClock
from riverboat.wire.v1 import session_pb2 as pb
from services.session.listing import Listing
from tests.services.session.room import SETTINGS, Room

TABLE = "1.0"
DELAY_MS = 30_000


async def test_the_list_tells_of_a_delayed_table_what_an_onlooker_may_know(tmp_path):
    """Hands, chairs and the place in the log are told as late as the table is seen."""
    room = Room(tmp_path)
    await room.start()
    await room.opened(replace(SETTINGS, seats=2, view_delay_ms=3_600_000))
    for seat, name in enumerate(("p1", "p2"), 1):
        sit = pb.SitDownRequest(table=TABLE, seat=seat, amount=500, post=True)
        await room.call("SitDown", name, sit)
    await room.until(lambda: room.table.hands)
    for free in (False, True):
        [line] = (await room.call("ListTables", "p9", pb.ListTablesRequest(free=free))).tables
        assert (line.taken, line.hands, line.waiting) == (0, 0, 0)
    onlooker, player = room.play("p9"), room.play("p1")
    told = [await one.asked(follow=pb.Follow(table=TABLE)) for one in (onlooker, player)]
    assert [answer.done.version > 0 for answer in told] == [False, True]
    owns = [one.of("private")[-1].version for one in (onlooker, player)]
    assert [version > 0 for version in owns] == [False, True]
    for client in (onlooker, player):
        await client.close()
    await room.stop()


def test_a_delayed_table_is_listed_as_it_was():
    clock = ManualClock(1_000)
    listing = Listing(clock)
    table = Table(TABLE, settings=replace(SETTINGS, view_delay_ms=DELAY_MS))
    told = []
    for hands in range(1, 5):
        table.time_ms, table.hands = clock.now_ms(), hands
        listing.see(table)
        listing.see(table)  # nothing new
        told.append(listing.line(table).hands)
        clock.advance(DELAY_MS // 2)
    assert told == [0, 0, 1, 2]
    fresh = Listing(clock)  # of a process that begins now
    assert fresh.line(table).hands == 0
    clock.advance(DELAY_MS)
    assert fresh.line(table).hands == listing.line(table).hands == 4
    table.settings = SETTINGS
    table.hands = 5
    listing.see(table)
    assert listing.line(table).hands == 5, "seen at once now"
