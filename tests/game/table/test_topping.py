"""Top-ups by preference, and what a player may prefer at a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import (
    ChangeOptions,
    CloseTable,
    Funded,
    Leave,
    NotFunded,
    SetPreferences,
    SitOut,
    TopUp,
)
from riverboat.game.hand.events import Stakes
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import Preferences, PreferencesSet, SeatReserved, ToppedUp
from riverboat.game.table.topping import gap
from services import dealer
from tests.game.table.house import House, chips, folded
from tests.game.table.tables import SETTINGS

OPTIONS = replace(SETTINGS, auto_top_up=True)
FULL = Preferences(top_up_below=1000, top_up_to=1000)


def prefers(house, player, wanted=FULL):
    return house.ask(player, SetPreferences(wanted))


def due(house: House, drawn: int = 0) -> SeatReserved:
    """The one top-up that is due now."""
    events = house.owe(dealer.MANIFEST, drawn)
    assert events is not None
    (asked,) = events
    assert isinstance(asked, SeatReserved)
    return asked


def gap_of(house: House) -> int:
    assert house.table.settings is not None
    return gap(house.table, house.table.settings, house.table.sittings[1])


def top_ups(house):
    return [
        event
        for record, _ in house.log
        for event in record.events
        if isinstance(event, SeatReserved) and event.top_up
    ]


def lost(house, player="ann", amount=5):
    """The player has lost so much to the other."""
    (sitting,) = [each for each in house.table.sittings.values() if each.player == player]
    sitting.stack -= amount
    other = next(each for each in house.table.sittings.values() if each is not sitting)
    other.stack += amount
    return sitting


def test_a_stack_that_has_become_small_is_filled_up_between_hands():
    house = House.opened(OPTIONS, ann=1000, bob=1000)
    assert prefers(house, "ann") == (PreferencesSet("ann", FULL),)
    sitting = lost(house)
    asked = due(house)
    assert asked == SeatReserved(
        asked.reservation, "ann", 1, 5, sitting.id, house.now_ms + 15_000, "line of ann", False
    )
    house.order(Funded(asked.reservation))
    assert sitting.stack + sitting.behind == 1000
    house.run()
    assert len(top_ups(house)) == 1
    assert chips(house.table) == house.table.bought_in - house.table.cashed_out


def test_a_gap_is_filled_once():
    house = House.opened(OPTIONS, ann=1000, bob=1000)
    prefers(house, "ann")
    lost(house)
    house.owe(dealer.MANIFEST)
    house.run()
    assert house.playing()
    assert len(top_ups(house)) == 1  # it is still on its way
    house.play_out()
    assert len(top_ups(house)) == 1


def test_nothing_is_asked_for_again_where_the_money_was_not_there():
    house = House.opened(OPTIONS, ann=1000, bob=1000)
    prefers(house, "ann")
    sitting = lost(house)
    asked = due(house)
    house.order(NotFunded(asked.reservation, "NO_FUNDS"))
    house.run()
    assert len(top_ups(house)) == 1
    assert (sitting.top_up_below, sitting.top_up_to) == (0, 0)
    house.play_out()
    prefers(house, "ann")  # until he says so anew
    lost(house, amount=100)
    assert gap(house.table, OPTIONS, sitting) == 1000 - sitting.stack


def test_a_top_up_that_failed_for_another_sitting_changes_nothing():
    house = House.opened(OPTIONS, ann=1000, bob=1000)
    prefers(house, "ann")
    house.ask("bob", Leave())
    lost_ = house.table.sittings[1]
    assert lost_.top_up_to == 1000
    house.seat("bob", 500)
    house.ask("bob", TopUp(10))
    (held,) = house.table.reservations
    house.ask("bob", Leave())
    house.order(NotFunded(held, "NO_FUNDS"))
    assert lost_.top_up_to == 1000


def test_whoever_has_nothing_left_stays_while_more_is_coming():
    house = House.opened(OPTIONS, ann=1000, bob=1000, cas=1000)
    prefers(house, "ann")
    lost(house, amount=1000)
    asked = due(house)
    assert asked.amount == 1000
    house.run()
    assert 1 in house.table.sittings and 1 not in house.hand.seats
    assert house.order(Funded(asked.reservation)) == (ToppedUp(asked.reservation),)
    assert folded(house).sittings.keys() == house.table.sittings.keys()


def test_no_more_than_the_greatest_buy_in():
    house = House.opened(OPTIONS, ann=900, bob=1000)
    prefers(house, "ann")
    house.order(ChangeOptions(replace(OPTIONS, buy_in_most=950)))
    assert gap_of(house) == 50
    house.order(ChangeOptions(replace(OPTIONS, buy_in_most=800)))
    assert gap_of(house) == 0


@pytest.mark.parametrize("change", [SitOut(), None])
def test_nothing_for_who_is_away_or_where_the_options_say_nothing(change):
    house = House.opened(OPTIONS, ann=500, bob=1000)
    prefers(house, "ann")
    if change is None:
        house.order(ChangeOptions(SETTINGS))
    else:
        house.ask("ann", change)
    house.run()
    assert not top_ups(house)


def test_nothing_at_a_table_that_closes():
    house = House.opened(OPTIONS, ann=500, bob=1000)
    prefers(house, "ann")
    house.order(CloseTable("night"))
    house.run()
    assert house.table.closed and not top_ups(house)


def test_a_top_up_is_named_by_chance():
    """ARCHITECTURE 2: "Ids of reservations never come from a command's id alone"."""
    names = set()
    for drawn in (1, 2):
        house = House.opened(OPTIONS, ann=500, bob=1000)
        prefers(house, "ann")
        names.add(due(house, drawn).reservation)
    assert len(names) == 2


@pytest.mark.parametrize(
    ("options", "wanted", "field", "reason"),
    [
        ({}, Preferences(top_up_to=1), "top_up_to", "must be from 0 to 0"),
        ({"auto_top_up": True}, Preferences(1, 1001), "top_up_to", "must be from 0 to 1000"),
        ({"auto_top_up": True}, Preferences(1, -1), "top_up_to", "must be from 0 to 1000"),
        ({"auto_top_up": True}, Preferences(501, 500), "top_up_below", "must be from 0 to 500"),
        ({"auto_top_up": True}, Preferences(-1, 500), "top_up_below", "must be from 0 to 500"),
        ({}, Preferences(straddles=True), "straddles", "is not asked here"),
        ({"runs": 3}, Preferences(runs_most=1), "runs_most", "must be from 0 to 0"),
        (
            {"runs": 2, "runs_asked": True},
            Preferences(runs_most=3),
            "runs_most",
            "must be from 0 to 2",
        ),
    ],
)
def test_what_cannot_be_had_here_is_not_noted(options, wanted, field, reason):
    house = House.opened(replace(SETTINGS, **options), ann=500)
    assert prefers(house, "ann", wanted) == Refusal(
        TableCode.BAD_PREFERENCE, field=field, reason=reason
    )


def test_what_a_player_prefers_is_noted_until_he_says_otherwise():
    stakes = Stakes(small_blind=5, big_blind=10, straddles=(20,))
    options = replace(OPTIONS, runs=3, runs_asked=True, stakes=stakes, straddles_asked=True)
    house = House.opened(options, ann=500)
    prefers(house, "ann", Preferences(400, 500, True, True, 3))
    sitting = house.table.sittings[1]
    assert (sitting.top_up_below, sitting.top_up_to, sitting.runs_most) == (400, 500, 3)
    assert sitting.shows_losing and sitting.straddles
    prefers(house, "ann", Preferences())
    assert (sitting.top_up_to, sitting.shows_losing, sitting.straddles) == (0, False, False)
    assert prefers(house, "bob") == Refusal(TableCode.NOT_SEATED)


def test_who_leaves_has_no_preferences():
    house = House.opened(OPTIONS, ann=500, bob=500)
    house.run()
    house.ask("ann", Leave())
    assert prefers(house, "ann") == Refusal(TableCode.LEAVING)
