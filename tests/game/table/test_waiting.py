"""Chairs that are held, the list of those who wait for one, and who may come to a table at all."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from riverboat.game.commands import (
    ChangeOptions,
    Funded,
    HoldSeat,
    JoinList,
    Leave,
    LeaveList,
    LoseLine,
    NotFunded,
    RegainLine,
    ReleaseSeat,
    SitDown,
)
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import (
    Apart,
    BuyInReturned,
    LineBack,
    ListJoined,
    ListLeft,
    OptionsChanged,
    SeatHeld,
    SeatReleased,
    SeatReserved,
)
from riverboat.game.table.waiting import WAITERS_MOST
from services import dealer
from tests.game.table.house import House, folded
from tests.game.table.tables import NOW_MS, SETTINGS, given

HOLD_MS, OFFER_MS = 30_000, 20_000
OPTIONS = replace(SETTINGS, seats=3, hold_ms=HOLD_MS, offer_ms=OFFER_MS)
WORD = sha256(b"open sesame").digest()


def full(options=OPTIONS):
    return House.opened(options, ann=1000, bob=1000, cas=1000)


def sit(house, player, seat=0, code=b""):
    return house.ask(player, SitDown(seat, 500, True, "line", code))


def hold(house, player, seat=0, code=b""):
    return house.ask(player, HoldSeat(seat, "line", code))


def join(house, player, code=b""):
    return house.ask(player, JoinList("line", code))


def leave_chair(house, player):
    """A chair is free, and its first taker is found."""
    house.ask(player, Leave())
    return house.owe(dealer.MANIFEST)


# --- Chairs that are held.


def test_a_chair_is_held_for_a_set_time():
    house = House.opened(OPTIONS, ann=1000)
    assert hold(house, "bob", 3) == (SeatHeld("bob", 3, NOW_MS + HOLD_MS, "line"),)
    assert sit(house, "cas", 3) == Refusal(TableCode.SEAT_TAKEN, seat=3)
    assert hold(house, "cas", 3) == Refusal(TableCode.SEAT_TAKEN, seat=3)
    assert hold(house, "bob", 2) == Refusal(TableCode.ALREADY_HELD, seat=3)
    assert house.wait(HOLD_MS - 1) == []
    assert house.wait(1) == [SeatReleased("bob", "late")]
    assert not isinstance(sit(house, "cas", 3), Refusal)


@pytest.mark.parametrize("seat", [0, 3])
def test_who_holds_a_chair_sits_down_in_it(seat):
    house = House.opened(OPTIONS, ann=1000)
    hold(house, "bob", 3)
    decision = sit(house, "bob", seat)
    assert isinstance(decision[0], SeatReserved) and decision[0].seat == 3
    assert not house.table.holds
    assert folded(house) == house.table


def test_who_holds_a_chair_may_take_another_and_the_first_is_free():
    house = House.opened(OPTIONS, ann=1000)
    hold(house, "bob", 3)
    decision = sit(house, "bob", 2)
    assert decision[0].seat == 2
    assert sit(house, "cas", 3)[0].seat == 3


def test_a_chair_that_is_held_is_given_back():
    house = House.opened(OPTIONS, ann=1000)
    assert house.ask("bob", ReleaseSeat()) == Refusal(TableCode.NOT_HELD)
    hold(house, "bob")
    assert house.ask("bob", ReleaseSeat()) == (SeatReleased("bob", "asked"),)


def test_chairs_are_held_where_the_options_say_so():
    assert hold(House.opened(ann=1000), "bob") == Refusal(TableCode.NO_HOLDS)
    assert hold(full(), "dan") == Refusal(TableCode.TABLE_FULL)
    assert hold(full(), "ann") == Refusal(TableCode.ALREADY_SEATED, seat=1)
    assert hold(full(), "dan", 4) == Refusal(TableCode.NO_SUCH_SEAT, seats=3)


# --- The list.


def test_a_free_chair_is_offered_to_who_came_first_then_to_the_next():
    house = full()
    assert join(house, "dan") == (ListJoined("dan", "line"),)
    assert join(house, "eve") == (ListJoined("eve", "line"),)
    assert join(house, "dan") == Refusal(TableCode.ALREADY_WAITING, place=1)
    assert join(house, "eve") == Refusal(TableCode.ALREADY_WAITING, place=2)
    offered = SeatHeld("dan", 2, NOW_MS + OFFER_MS, "line", offered=True)
    assert leave_chair(house, "bob") == (ListLeft("dan", "offered"), offered)
    assert house.owe(dealer.MANIFEST) is None or house.playing()
    house.wait(OFFER_MS)
    while "dan" in house.table.holds:
        house.wait(0)
    house.owe(dealer.MANIFEST)
    assert house.table.holds["eve"].seat == 2
    assert house.table.holds["eve"].deadline_ms == house.now_ms + OFFER_MS
    assert not isinstance(sit(house, "eve"), Refusal)
    assert folded(house) == house.table


def test_nobody_takes_a_free_chair_past_the_list():
    house = full()
    join(house, "dan")
    house.ask("bob", Leave())
    assert sit(house, "fay") == Refusal(TableCode.OTHERS_WAIT)
    assert hold(house, "fay", 2) == Refusal(TableCode.OTHERS_WAIT)
    assert dealer.MANIFEST.overdue(house.table) == house.table.time_ms
    house.owe(dealer.MANIFEST)
    assert sit(house, "fay", 2) == Refusal(TableCode.SEAT_TAKEN, seat=2)
    assert sit(house, "fay") == Refusal(TableCode.TABLE_FULL)
    assert not isinstance(sit(house, "dan"), Refusal)


def test_a_chair_that_is_offered_comes_back_where_the_money_does_not_come():
    house = full()
    join(house, "dan")
    join(house, "eve")
    leave_chair(house, "bob")
    sit(house, "dan")
    (held,) = house.table.reservations
    house.order(NotFunded(held, "NO_FUNDS"))
    house.owe(dealer.MANIFEST)
    assert house.table.holds["eve"].seat == 2


def test_a_chair_is_offered_while_a_hand_is_played():
    house = House.opened(replace(OPTIONS, turn_ms=60_000), ann=1000, bob=1000)
    hold(house, "cas")
    join(house, "dan")
    house.run()
    assert house.playing()
    assert house.wait(HOLD_MS) == [SeatReleased("cas", "late")]
    offered = house.owe(dealer.MANIFEST)
    assert offered is not None and offered[0] == ListLeft("dan", "offered")
    assert house.playing()


def test_who_waits_may_wait_no_longer():
    house = full()
    assert house.ask("dan", LeaveList()) == Refusal(TableCode.NOT_WAITING)
    join(house, "dan")
    assert house.ask("dan", LeaveList()) == (ListLeft("dan", "asked"),)
    assert not house.table.waiters


def test_whose_line_is_lost_waits_no_longer():
    house = full()
    join(house, "dan")
    assert house.ask("dan", LoseLine("other", False)) == Refusal(TableCode.STALE_LINE)
    assert house.ask("dan", RegainLine("newer")) == (LineBack("dan", "newer"),)
    assert house.ask("dan", LoseLine("line", False)) == Refusal(TableCode.STALE_LINE)
    assert house.ask("dan", LoseLine("newer", False)) == (ListLeft("dan", "line_lost"),)


def test_whose_session_is_dead_waits_no_longer():
    house = full()
    house.ask("dan", JoinList("s1.dan", b""))
    silent = given(house.now_ms)._replace(silent=frozenset({"s1"}))
    assert dealer.MANIFEST.duty(house.table, silent) == [ListLeft("dan", "line_lost")]


def test_who_holds_a_chair_keeps_it_where_his_line_is_lost():
    house = House.opened(OPTIONS, ann=1000)
    hold(house, "bob")
    house.ask("bob", LoseLine("line", False))
    house.ask("bob", RegainLine("newer"))
    assert house.table.holds["bob"].connection == "newer"


def test_nobody_waits_where_a_chair_is_free_or_where_there_is_no_list():
    house = House.opened(OPTIONS, ann=1000)
    assert join(house, "bob") == Refusal(TableCode.CHAIR_IS_FREE, seat=2)
    assert join(House.opened(ann=1000), "bob") == Refusal(TableCode.NO_LIST)
    assert join(full(), "ann") == Refusal(TableCode.ALREADY_SEATED, seat=1)
    hold(house, "bob")
    assert join(house, "bob") == Refusal(TableCode.ALREADY_HELD, seat=2)


def test_a_list_ends_with_the_options_that_had_it():
    house = full()
    join(house, "dan")
    without = replace(OPTIONS, offer_ms=0)
    assert house.order(ChangeOptions(without)) == (
        OptionsChanged(without),
        ListLeft("dan", "closed"),
    )


# --- Private tables.


@pytest.mark.parametrize("ask", [sit, hold])
def test_who_is_not_invited_does_not_come(ask):
    options = replace(OPTIONS, invited=("bob", "cas"))
    house = House.opened(options)
    assert ask(house, "ann") == Refusal(TableCode.NOT_INVITED)
    assert not isinstance(ask(house, "bob"), Refusal)


@pytest.mark.parametrize("ask", [sit, hold])
def test_who_does_not_know_the_word_does_not_come(ask):
    house = House.opened(replace(OPTIONS, code_digest=WORD))
    for code in (b"", b"x", sha256(b"open").digest()):
        assert ask(house, "ann", code=code) == Refusal(TableCode.WRONG_CODE)
    assert not isinstance(ask(house, "ann", code=WORD), Refusal)


def test_who_may_not_come_does_not_wait_either():
    house = full()
    house.order(ChangeOptions(replace(OPTIONS, invited=("dan",), code_digest=WORD)))
    assert join(house, "eve", WORD) == Refusal(TableCode.NOT_INVITED)
    assert join(house, "dan") == Refusal(TableCode.WRONG_CODE)
    assert not isinstance(join(house, "dan", WORD), Refusal)


# --- Kept apart.


def test_players_who_may_not_sit_together_do_not():
    house = House.opened(replace(OPTIONS, apart=(Apart(("ann", "bob")), Apart(("bob", "cas")))))
    sit(house, "bob")
    assert sit(house, "ann") == Refusal(TableCode.KEPT_APART)  # his money is on its way
    house.order(Funded("1.0:bob:1@0"))
    assert sit(house, "cas") == Refusal(TableCode.KEPT_APART)
    house.ask("bob", Leave())
    hold(house, "ann")
    assert hold(house, "bob") == Refusal(TableCode.KEPT_APART)
    assert not isinstance(sit(house, "cas"), Refusal)


def test_who_may_not_sit_with_somebody_here_is_passed_over_and_keeps_his_place():
    house = full()
    join(house, "dan")
    join(house, "eve")
    house.order(ChangeOptions(replace(OPTIONS, apart=(Apart(("ann", "dan")),))))
    assert leave_chair(house, "bob")[0] == ListLeft("eve", "offered")
    assert [waiter.player for waiter in house.table.waiters] == ["dan"]
    house.ask("ann", Leave())
    house.owe(dealer.MANIFEST)
    assert house.table.holds["dan"].offered


def test_who_is_not_invited_any_more_waits_no_longer():
    options = replace(OPTIONS, seats=2)
    house = House.opened(options, ann=1000, bob=1000)
    for player in ("xia", "yan"):
        house.ask(player, JoinList(f"line of {player}", b""))
    changed = replace(options, invited=("ann", "bob", "yan"))
    answer = house.order(ChangeOptions(changed))
    assert answer == (OptionsChanged(changed), ListLeft("xia", "closed"))
    house.ask("bob", Leave())
    house.run()
    assert list(house.table.holds) == ["yan"]
    assert not house.table.waiters


def test_money_of_who_is_not_invited_any_more_goes_back():
    house = House.opened(OPTIONS)
    sit(house, "bob")
    house.order(ChangeOptions(replace(OPTIONS, invited=("ann",))))
    assert house.order(Funded("1.0:bob:1@0")) == (BuyInReturned("1.0:bob:1@0"),)


def test_so_many_wait_and_nobody_more():
    house = full()
    for number in range(WAITERS_MOST):
        assert not isinstance(join(house, f"p{number}"), Refusal)
    assert join(house, "eve") == Refusal(TableCode.LIST_FULL, most=WAITERS_MOST)
