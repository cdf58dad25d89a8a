"""Disconnect protections, on both databases: granted, used, and given back by a void."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import Funded
from riverboat.game.hand.events import HandVoided, PlayerProtected
from riverboat.game.table.events import PlayerLeft, PlayerSeated, SeatReserved, TableOpened
from riverboat.ledger.standing import DAY_MS
from services.wallet.book import Batch, Booker
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import PARTITION
from tests.services.wallet.room import Room


async def test_protections_are_granted_with_a_seat_and_told_again_alike(room):
    room.open("2.3", protections=2)
    (first,) = room.tell("2.3", SeatReserved("q", "ann", 1, 500, "", 0, "", post=False))
    assert first == Funded("q", 2)
    assert [order.order for order in Booker(room.desk.store).owed([PARTITION])] == [first]
    room.tell("2.3", PlayerSeated("q"))
    more = room.tell("2.3", SeatReserved("t", "ann", 1, 50, "q", 0, "", post=False))
    assert more == [Funded("t", 0)], "a top-up begins no sitting"


async def test_a_person_has_so_many_protections_in_a_day_over_all_tables(room):
    """RULES 7: "Each player has a set number of these in any 24 hours"."""
    for table in ("2.3", "3.3", "4.3", "5.3"):
        room.open(table, protections=2)

    def ask(table: str) -> int:
        """Sit down there; the protections granted."""
        room.asked += 1
        sitting = f"{table}:r{room.asked}"
        asked = SeatReserved(sitting, "ann", 1, 500, "", 0, "", post=False)
        (answer,) = room.tell(table, asked)
        assert isinstance(answer, Funded)
        room.tell(table, PlayerSeated(sitting))
        return answer.protections

    assert ask("2.3") == 2
    assert ask("3.3") == 0, "the first sitting holds both, and may use them"
    room.tell("2.3", PlayerProtected(1, 7, "ann", "2.3:r1"))
    room.leave("2.3", "2.3:r1", 500)
    room.booker = Booker(room.desk.store)
    room.desk.clock.advance(DAY_MS - 1)
    assert ask("4.3") == 1, "one was used within the day"
    room.desk.clock.advance(1)
    assert ask("5.3") == 1, "one is old now, and one is held"


def granted(room: Room, table: str) -> int:
    """Sit down there and leave again; the protections that came with the seat."""
    room.asked += 1
    sitting = f"{table}:p{room.asked}"
    (answer,) = room.tell(table, SeatReserved(sitting, "ann", 1, 50, "", 0, "", post=False))
    assert isinstance(answer, Funded)
    room.tell(table, PlayerSeated(sitting))
    room.leave(table, sitting, 50)
    return answer.protections


@pytest.mark.parametrize("restarts", [False, True])
async def test_a_hand_that_is_called_off_gives_back_what_was_used_in_it(room, restarts):
    """RULES 7: "every chip in the pot goes back": the hand never was."""
    room.open("2.3", protections=2)
    room.open("3.3", protections=2)
    (first,) = room.tell("2.3", SeatReserved("q", "ann", 1, 50, "", 0, "", post=False))
    room.tell("2.3", PlayerSeated("q", first.protections))
    room.tell("2.3", PlayerProtected(1, 7, "ann", "q"), hand="2.3-1")
    room.tell("2.3", PlayerProtected(1, 7, "ann", "q"), hand="2.3-2")
    if restarts:
        room.booker = Booker(room.desk.store)
    room.tell("2.3", HandVoided("2.3-2", "operator"), hand="2.3-2")
    assert granted(room, "3.3") == 0, "the sitting holds it again"
    room.leave("2.3", "q", 50)
    assert granted(room, "3.3") == 1, "one hand was played, one was not"
    room.desk.clock.advance(DAY_MS)
    assert granted(room, "3.3") == 2


async def test_all_of_it_in_one_batch_comes_to_the_same(room):
    room.open("2.3", protections=2)
    room.open("3.3", protections=2)
    start, log = len(room.log.reads), room.log
    log.append("2.3", SeatReserved("q", "ann", 1, 50, "", 0, "", post=False))
    log.append("2.3", PlayerSeated("q", 2))
    log.append("2.3", PlayerProtected(1, 7, "ann", "q"), hand="2.3-1")
    log.append("2.3", PlayerProtected(1, 7, "ann", "q"), hand="2.3-2")
    left = PlayerLeft("ann", "q", 1, 50, "voided")
    log.append("2.3", HandVoided("2.3-2", "outage"), left, hand="2.3-2")
    log.append("3.3", SeatReserved("r", "ann", 1, 50, "", 0, "", post=False))
    now_ms = room.desk.clock.now_ms()
    log.reads[start:] = [read._replace(time_ms=now_ms) for read in log.reads[start:]]
    done = room.booker.book([Batch(PARTITION, start, log.reads[start:], len(log.reads))])
    assert [order.order for order in done.orders][-1] == Funded("r", 1)


async def test_a_batch_that_opens_the_table_grants_no_more_than_is_left(room):
    room.open("2.3", protections=2)
    (first,) = room.tell("2.3", SeatReserved("q", "ann", 1, 50, "", 0, "", post=False))
    assert first == Funded("q", 2)
    start, log = len(room.log.reads), room.log
    log.append("3.3", TableOpened(replace(settings(), protections=2)))
    log.append("3.3", SeatReserved("r", "ann", 1, 50, "", 0, "", post=False))
    done = Booker(room.desk.store).book([Batch(PARTITION, start, log.reads[start:], start + 2)])
    assert [order.order for order in done.orders] == [Funded("r", 0)]
