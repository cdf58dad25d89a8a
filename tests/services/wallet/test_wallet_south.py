"""Going south, on both databases: who left a game with more comes back with that, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import NotFunded
from riverboat.game.table.events import (
    OptionsChanged,
    PlayerLeft,
    PlayerSeated,
    SeatReserved,
    TableOpened,
)
from services.wallet.book import Batch, Booker
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import PARTITION
from tests.services.wallet.room import HOUR_MS
from tests.services.wallet.test_wallet_rpc import ANN, BOSS


async def test_who_left_with_more_may_not_come_back_with_less(room):
    """RULES 4: "A player who left with more may not come back within a set time with less"."""
    room.open("2.3")
    room.open("3.3", variant="omaha")
    sitting = room.sit("1.3", 100)
    room.lose("1.3", sitting, -400)
    room.leave("1.3", sitting, 500)
    assert room.reserve("1.3", 499) == "GOING_SOUTH"
    assert room.reserve("2.3", 100) == "GOING_SOUTH", "another table of the same game"
    assert room.reserve("3.3", 100).startswith("r"), "another game"
    assert room.reserve("1.3", 100, player="bob") == "NOT_ENOUGH_MONEY", "another player"
    again = room.sit("2.3", 500)
    # He came back with all of it: what he loses from now on is lost.
    room.lose("2.3", again, 450)
    room.leave("2.3", again, 50)
    assert room.reserve("1.3", 49) == "GOING_SOUTH"
    back = room.sit("1.3", 50)
    assert room.reserve("1.3", 1, top_up=back).startswith("r"), "a top-up is no coming back"


async def test_he_comes_back_with_all_of_it_above_the_greatest_buy_in(room):
    sitting = room.sit("1.3", 200)
    room.lose("1.3", sitting, -400)
    room.leave("1.3", sitting, 600)
    assert room.reserve("1.3", 200, most=200) == "GOING_SOUTH"
    assert room.reserve("1.3", 601, most=200) == "ABOVE_MOST_BUY_IN"
    back = room.reserve("1.3", 600, most=200)
    room.tell("1.3", PlayerSeated(back))
    room.lose("1.3", back, 500)
    room.leave("1.3", back, 100)
    assert room.reserve("1.3", 201, most=200) == "ABOVE_MOST_BUY_IN"
    assert room.reserve("1.3", 200, most=200).startswith("r")


@pytest.mark.parametrize("restarts", [False, True])
async def test_who_has_less_than_he_left_with_comes_back_with_all_he_has(room, restarts):
    desk = room.desk
    room.open("2.3", variant="omaha")
    sitting = room.sit("1.3", 10_000)
    room.leave("1.3", sitting, 10_000)
    other = room.sit("2.3", 4_000)
    room.lose("2.3", other, 3_000)
    await desk.call("RequestWithdrawal", ANN, key="w", currency="EUR", amount=2_000)
    if restarts:
        room.booker = Booker(desk.store)
    assert room.reserve("1.3", 4_000, most=200) == "GOING_SOUTH", "1000 play, 2000 wait"
    room.leave("2.3", other, 1_000)
    assert room.reserve("1.3", 5_000, most=200) == "GOING_SOUTH", "2000 wait"
    (asked,) = (await desk.call("ListWithdrawals", BOSS)).withdrawals
    await desk.call("CancelWithdrawal", ANN, key="c", withdrawal=asked.id)
    assert room.reserve("1.3", 6_999, most=200) == "GOING_SOUTH"
    assert room.reserve("1.3", 7_000, most=200).startswith("r"), "all that he has"


async def test_going_south_ends_with_its_time_and_survives_a_restart(room):
    sitting = room.sit("1.3", 500)
    room.leave("1.3", sitting, 500)
    room.desk.clock.advance(HOUR_MS - 1)
    room.booker = Booker(room.desk.store)
    assert room.reserve("1.3", 100) == "GOING_SOUTH"
    room.desk.clock.advance(1)
    assert room.reserve("1.3", 100).startswith("r")


async def test_a_table_that_changes_its_options_is_another_game(room):
    sitting = room.sit("1.3", 500)
    room.leave("1.3", sitting, 500)
    room.tell("1.3", OptionsChanged(replace(settings(), south_ms=HOUR_MS, limit="pl")))
    assert room.reserve("1.3", 100).startswith("r")
    room.tell("1.3", OptionsChanged(replace(settings(), south_ms=HOUR_MS)))
    assert room.reserve("1.3", 100) == "GOING_SOUTH"
    room.tell("1.3", OptionsChanged(settings()))
    assert room.reserve("1.3", 100).startswith("r"), "it has no such rule any more"


async def test_all_in_one_batch_is_answered_as_one_by_one(room):
    """What a batch itself does is followed, not only what was there before it."""
    room.log.append("1.3", SeatReserved("q", "ann", 1, 500, "", 0, "", post=False))
    room.log.append("1.3", PlayerSeated("q"))
    room.log.append("1.3", PlayerLeft("ann", "q", 1, 500, "asked"))
    room.log.append("1.3", SeatReserved("p", "ann", 1, 499, "", 0, "", post=False))
    start = 1
    done = room.booker.book([Batch(PARTITION, start, room.log.reads[start:], len(room.log.reads))])
    assert [order.order for order in done.orders] == [NotFunded("p", "GOING_SOUTH")]


async def test_a_batch_that_opens_a_table_measures_by_what_stands_elsewhere(room):
    sitting = room.sit("1.3", 9_000)
    room.leave("1.3", sitting, 9_000)
    omaha = replace(settings(), south_ms=HOUR_MS, variant="omaha")
    start = len(room.log.reads)
    room.log.append("2.3", TableOpened(omaha))
    for name, table, amount in (("a", "2.3", 4_000), ("b", "1.3", 6_000)):
        asked = SeatReserved(name, "ann", 1, amount, "", 0, "", post=False, most=200)
        room.log.append(table, asked)
    now_ms = room.desk.clock.now_ms()
    reads = [read._replace(time_ms=now_ms) for read in room.log.reads[start:]]
    done = room.booker.book([Batch(PARTITION, start, reads, len(room.log.reads))])
    assert [order.order for order in done.orders] == [
        NotFunded("a", "ABOVE_MOST_BUY_IN"),
        NotFunded("b", "GOING_SOUTH"),
    ]


async def test_who_leaves_a_table_leaves_the_game_that_it_plays_then(room):
    sitting = room.sit("1.3", 500)
    room.tell("1.3", OptionsChanged(replace(settings(), south_ms=HOUR_MS, limit="pl")))
    room.leave("1.3", sitting, 500)
    room.desk.clock.advance(1)
    assert room.reserve("1.3", 100) == "GOING_SOUTH"


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_seat_asked_for_before_he_left_is_no_coming_back(room, restarts):
    room.open("2.3")
    sitting = room.sit("1.3", 500)
    room.desk.clock.advance(1)
    early = room.reserve("2.3", 100)
    room.desk.clock.advance(1)
    room.leave("1.3", sitting, 500)
    room.desk.clock.advance(1)
    room.tell("2.3", PlayerSeated(early))
    room.desk.clock.advance(1)
    if restarts:
        room.booker = Booker(room.desk.store)
    assert room.reserve("1.3", 100) == "GOING_SOUTH"
    assert room.reserve("1.3", 500).startswith("r")
