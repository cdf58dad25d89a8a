"""From three players to two and back: who has the blinds, under either rule of the button."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import Leave, SitIn, SitOut
from riverboat.game.hand.events import HandStarted
from riverboat.game.table.events import ButtonRule
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS


def three(rule: ButtonRule) -> House:
    """The second hand is over: button, small and big blind were seats 2, 3 and 1."""
    house = House.opened(replace(SETTINGS, button_rule=rule), ann=1000, bob=1000, cas=1000)
    house.run()
    next_hand(house)
    assert places(house) == (2, 3, 1)
    house.play_out()
    return house


def next_hand(house: House) -> None:
    if house.playing():
        house.play_out()
    house.wait(SETTINGS.pause_ms)
    house.run()


def places(house: House) -> tuple[int, int, int]:
    started = [e for record, _ in house.log for e in record.events if isinstance(e, HandStarted)][
        -1
    ]
    return started.button, started.small_blind, started.big_blind


@pytest.mark.parametrize("rule", ButtonRule)
@pytest.mark.parametrize(
    ("leaves", "expected"),
    [
        # The big blind goes on to the next player; heads-up the button has the small one.
        ("bob", (1, 1, 3)),  # the button leaves: the small blind has the big one next
        ("cas", (1, 1, 2)),  # the small blind leaves
        ("ann", (3, 3, 2)),  # the big blind leaves: nobody skips it, nobody pays it twice
    ],
)
def test_when_the_third_leaves_nobody_has_the_big_blind_twice(rule, leaves, expected):
    """RULES 4: "Heads-up the button posts the small blind"."""
    house = three(rule)
    house.ask(leaves, Leave())
    house.run()
    next_hand(house)
    assert places(house) == expected
    next_hand(house)
    button, small, big = places(house)
    assert (button, big) == (expected[2], expected[1])
    assert small == button


@pytest.mark.parametrize("rule", ButtonRule)
def test_who_comes_back_to_two_waits_for_the_big_blind_or_posts_behind_it(rule):
    house = three(rule)
    house.ask("bob", SitOut())
    next_hand(house)
    assert places(house) == (1, 1, 3)
    house.ask("bob", SitIn(False))
    next_hand(house)
    # The big blind would be his seat's next but one: it is Ann's, then his.
    assert places(house)[2] == 1
    next_hand(house)
    assert places(house)[2] == 2
    assert sorted(house.hand.seats) == [1, 2, 3]


@pytest.mark.parametrize("rule", ButtonRule)
def test_over_many_changes_the_big_blind_always_goes_to_the_next(rule):
    house = three(rule)
    last = 1
    for number in range(24):
        player = ("ann", "bob", "cas")[number % 3]
        house.ask(player, SitOut() if number % 4 == 0 else SitIn(number % 2 == 0))
        next_hand(house)
        if not house.playing():
            house.ask(player, SitIn(True))
            next_hand(house)
        button, small, big = places(house)
        dealt = sorted(house.hand.seats)
        after = [seat for seat in dealt if seat > last] or dealt
        assert big == after[0]
        if len(dealt) == 2:
            assert button == small != big
        last = big
