"""An operator's levers: options change, tables drain and close, players are removed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import (
    Action,
    ChangeOptions,
    CloseTable,
    DrainTable,
    Funded,
    HoldSeat,
    JoinList,
    Leave,
    RemovePlayer,
    SitDown,
    SitOut,
)
from riverboat.game.hand.events import Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import (
    Apart,
    BuyInReturned,
    LeaveNoted,
    ListLeft,
    OptionsChanged,
    OptionsNoted,
    PlayerLeft,
    SeatFreed,
    SeatReleased,
    TableClosed,
    TableClosing,
    TableDraining,
)
from services import dealer
from tests.game.table.house import House, folded
from tests.game.table.tables import NOW_MS, SETTINGS

DEARER = replace(SETTINGS, stakes=Stakes(small_blind=10, big_blind=20))
WITH_LISTS = replace(SETTINGS, hold_ms=30_000, offer_ms=20_000, seats=3)


def bad(name, reason):
    return Refusal(TableCode.BAD_SETTING, field=name, reason=reason)


# --- Options.


def test_options_change_at_once_where_no_hand_is_played():
    house = House.opened(ann=1000)
    assert house.order(ChangeOptions(DEARER)) == (OptionsChanged(DEARER),)
    assert house.table.settings == DEARER


def test_options_change_between_hands_only():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    assert house.order(ChangeOptions(DEARER)) == (OptionsNoted(DEARER),)
    assert house.hand.stakes == SETTINGS.stakes
    house.play_out()
    assert (house.table.settings, house.table.coming) == (DEARER, None)
    house.wait(2_000)
    assert house.hand.stakes == DEARER.stakes
    assert folded(house) == house.table


def test_of_options_that_are_noted_the_last_ones_come():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    house.order(ChangeOptions(DEARER))
    assert house.order(ChangeOptions(SETTINGS)) == (OptionsNoted(SETTINGS),)
    house.play_out()
    assert house.table.settings == SETTINGS


def test_the_same_options_are_ordered_once():
    house = House.opened(ann=1000, bob=1000)
    assert house.order(ChangeOptions(SETTINGS)) is None
    house.run()
    house.order(ChangeOptions(DEARER))
    assert house.order(ChangeOptions(DEARER)) is None


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"currency": "USD"}, bad("currency", "must stay what it is at an open table")),
        ({"rulebook": "lt"}, bad("rulebook", "must stay what it is at an open table")),
        ({"seats": 3}, bad("seats", "must be at least 4")),
        ({"turn_ms": 1}, bad("turn_ms", "must be from 1000 to 86400000")),
    ],
)
def test_what_an_open_table_keeps(change, refusal):
    house = House.opened(ann=1000)
    house.seat("bob", 1000, seat=4)
    assert house.order(ChangeOptions(replace(SETTINGS, **change))) == refusal


def test_a_chair_that_is_held_is_kept_and_one_that_will_go_is_given_to_nobody():
    house = House.opened(replace(SETTINGS, hold_ms=5_000), ann=1000, bob=1000)
    house.ask("cas", HoldSeat(4, "line", b""))
    fewer = replace(SETTINGS, seats=3)
    assert house.order(ChangeOptions(fewer)) == bad("seats", "must be at least 4")
    house.wait(5_000)
    assert house.playing()
    assert house.wait(0) == [SeatReleased("cas", "late")]
    assert house.order(ChangeOptions(fewer)) == (OptionsNoted(fewer),)
    assert house.ask("dan", SitDown(4, 500, True, "")) == Refusal(TableCode.NO_SUCH_SEAT, seats=3)


def test_the_options_of_a_table_that_was_never_opened_or_ends_do_not_change():
    assert House().order(ChangeOptions(SETTINGS)) == Refusal(TableCode.NO_TABLE)
    house = House.opened(ann=1000)
    house.order(CloseTable("x"))
    assert house.order(ChangeOptions(DEARER)) == Refusal(TableCode.TABLE_CLOSING)
    house.run()
    assert house.order(ChangeOptions(DEARER)) == Refusal(TableCode.TABLE_CLOSED)


def test_another_mix_begins_anew():
    horse = replace(
        SETTINGS,
        variant="horse",
        limit="mixed",
        stakes=Stakes(5, 10, ante=1, bring_in=2, small_bet=10, big_bet=20),
    )
    house = House.opened(horse, ann=1000, bob=1000)
    house.run()
    house.play_out()
    assert house.table.game_left
    house.order(ChangeOptions(SETTINGS))
    assert (house.table.game_at, house.table.game_left) == (0, 0)


# --- Draining and closing.


def test_nobody_sits_down_at_a_table_that_drains_and_the_last_two_close_it():
    house = House.opened(ann=1000, bob=1000, cas=1000)
    house.run()
    assert house.order(DrainTable("night")) == (TableDraining("night"),)
    assert house.order(DrainTable("night")) == Refusal(TableCode.TABLE_DRAINING)
    assert house.ask("dan", SitDown(0, 500, True, "")) == Refusal(TableCode.TABLE_DRAINING)
    house.ask("cas", Leave())
    house.play_out()
    house.wait(2_000)
    assert house.playing()  # two play on
    house.ask("bob", Leave())
    house.play_out()
    assert house.table.closed
    assert house.table.cashed_out == house.table.bought_in - house.table.raked


def test_who_was_promised_a_chair_gets_it_at_a_table_that_drains():
    house = House.opened(ann=1000)
    house.ask("bob", SitDown(0, 500, True, ""))
    house.order(DrainTable("night"))
    assert house.owe(dealer.MANIFEST) is None
    house.order(Funded("1.0:bob:1@1"))
    assert len(house.table.sittings) == 2
    house.ask("ann", Leave())
    assert house.owe(dealer.MANIFEST) == [TableClosing("drained")]
    house.run()
    assert house.table.closed


@pytest.mark.parametrize(
    ("order", "event", "code"),
    [
        (DrainTable("night"), TableDraining("night"), TableCode.TABLE_DRAINING),
        (CloseTable("night"), TableClosing("night"), TableCode.TABLE_CLOSING),
    ],
)
def test_nobody_waits_at_a_table_that_drains_or_closes(order, event, code):
    house = House.opened(WITH_LISTS, ann=1000, bob=1000)
    house.ask("cas", HoldSeat(0, "line", b""))
    house.ask("dan", JoinList("line", b""))
    assert house.order(order) == (event, ListLeft("dan", "closed"), SeatReleased("cas", "closed"))
    assert house.ask("dan", JoinList("line", b"")) == Refusal(code)


# --- Removing a player.


def test_who_is_removed_goes_at_once_where_he_is_in_no_hand():
    house = House.opened(ann=1000, bob=1000)
    gone = PlayerLeft("bob", "1.0:bob:1@1", 2, 1000, "excluded")
    assert house.order(RemovePlayer("bob", "excluded")) == (gone,)
    assert house.order(RemovePlayer("bob", "excluded")) == Refusal(TableCode.NOT_SEATED)


def test_who_is_removed_in_a_hand_finishes_it_and_goes_with_what_is_his():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    assert house.order(RemovePlayer("bob", "excluded")) == (LeaveNoted("bob", "excluded"),)
    assert house.order(RemovePlayer("bob", "excluded")) == Refusal(TableCode.LEAVING)
    house.run()
    while house.playing():
        house.play_out()
    (left,) = [
        event for record, _ in house.log for event in record.events if isinstance(event, PlayerLeft)
    ]
    assert (left.player, left.why) == ("bob", "excluded")


def test_it_is_known_that_who_was_leaving_anyway_was_removed():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    house.ask("bob", Leave())
    assert house.order(RemovePlayer("bob", "excluded")) == (LeaveNoted("bob", "excluded"),)


def test_who_is_removed_gets_back_a_buy_in_that_is_on_its_way():
    house = House.opened(ann=1000)
    house.ask("bob", SitDown(0, 500, True, ""))
    assert house.order(RemovePlayer("bob", "x")) == [SeatFreed("1.0:bob:1@1")]
    assert house.order(RemovePlayer("bob", "x")) == Refusal(TableCode.NOT_SEATED)
    assert house.order(Funded("1.0:bob:1@1")) == (BuyInReturned("1.0:bob:1@1"),)


def test_who_is_removed_waits_for_no_chair():
    house = House.opened(WITH_LISTS, ann=1000, bob=1000)
    house.ask("cas", HoldSeat(0, "line", b""))
    house.ask("dan", JoinList("line", b""))
    assert house.order(RemovePlayer("cas", "x")) == [SeatReleased("cas", "removed")]
    assert house.order(RemovePlayer("dan", "x")) == [ListLeft("dan", "removed")]


def test_a_removal_gives_its_reason():
    wrong = bad("reason", "must be from 1 to 80 characters that can be printed")
    assert House.opened(ann=1000).order(RemovePlayer("ann", "")) == wrong
    assert House().order(RemovePlayer("ann", "x")) == Refusal(TableCode.NO_TABLE)
    own = bad("reason", "away is what happens without an order")
    assert House.opened(ann=1000).order(RemovePlayer("ann", "away")) == own


def test_a_table_that_drains_and_is_empty_closes():
    house = House.opened()
    house.order(DrainTable("night"))
    assert house.owe(dealer.MANIFEST) == [TableClosing("drained")]
    assert house.owe(dealer.MANIFEST) == [TableClosed()]
    assert house.order(DrainTable("night")) == Refusal(TableCode.TABLE_CLOSED)
    assert house.order(RemovePlayer("ann", "x")) == Refusal(TableCode.TABLE_CLOSED)
    assert house.now_ms == NOW_MS


def test_who_is_removed_in_a_hand_finishes_it_with_his_clock():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    player = house.hand.seats[house.hand.turn].player
    house.order(RemovePlayer(player, "excluded"))
    house.run()
    assert house.playing()
    assert not isinstance(house.act(Action.CALL), Refusal)
    assert house.playing()
    house.play_out()
    house.run()
    assert player not in house.stacks()
    assert folded(house) == house.table


def test_who_had_left_before_he_is_removed_is_waited_for_no_more():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    player = house.hand.seats[house.hand.turn].player
    house.ask(player, Leave())
    house.order(RemovePlayer(player, "excluded"))
    house.run()
    assert not house.playing()


def test_a_table_that_drains_does_not_stay_for_who_is_away():
    house = House.opened(ann=1000, bob=1000)
    house.ask("bob", SitOut())
    house.order(DrainTable("night"))
    house.run()
    assert house.table.closed


def test_whose_money_comes_when_he_may_no_longer_sit_with_who_is_here_has_it_back():
    house = House.opened(ann=1000)
    house.ask("bob", SitDown(0, 500, True, "line of bob"))
    (held,) = house.table.reservations
    house.order(ChangeOptions(replace(SETTINGS, apart=(Apart(("ann", "bob")),))))
    house.run()
    assert house.order(Funded(held)) == (BuyInReturned(held),)
    assert [sitting.player for sitting in house.table.sittings.values()] == ["ann"]


def test_protections_are_lowered_with_the_options():
    limited = replace(SETTINGS, limit="fl", protections=2)
    house = House.opened(limited)
    for player in ("ann", "bob"):
        house.seat(player, 500, protections=2)
    house.order(ChangeOptions(replace(limited, protections=1)))
    house.run()
    assert [sitting.protections for sitting in house.table.sittings.values()] == [1, 1]
    assert folded(house) == house.table
