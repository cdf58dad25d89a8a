"""Further rule cases: the button, the blinds and the debts when several come and go.

Each quotes the sentence that decides it. Tables are played hand by hand, as the dealer plans them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import Action, SitIn, SitOut
from riverboat.game.hand.events import Post, Posted
from riverboat.game.hand.forced import Debt
from riverboat.game.rules import game
from riverboat.game.table.button import Plan, next_hand
from riverboat.game.table.debts import debt_of
from riverboat.game.table.events import ButtonRule
from riverboat.game.table.state import Sitting, Table
from tests.game.hand.dealt import a_hand
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS, sitting, table

HOLDEM = game("standard", "holdem", "nl")
DEAD, MOVING = ButtonRule.DEAD, ButtonRule.MOVING
Places = tuple[int, int, int]  # button, small blind, big blind


def at(rule: ButtonRule, last: Places, *seats: int | Sitting) -> Table:
    """A table whose last hand stood so, with these seats taken now."""
    there = [each if isinstance(each, Sitting) else sitting(each) for each in seats]
    settings = replace(SETTINGS, seats=10, button_rule=rule)
    button, small, big = last
    return table(*there, settings=settings, button=button, small_blind=small, big_blind=big)


def plan(state: Table) -> Plan:
    planned = next_hand(state, HOLDEM, 0)
    assert planned is not None
    return planned


def following(state: Table, hands: int) -> list[Places]:
    """The places in the next hands, while nobody comes or goes."""
    found = []
    for _ in range(hands):
        planned = plan(state)
        state.button, state.small_blind, state.big_blind = planned[:3]
        for seat in planned.seats:
            state.sittings[seat].fresh = False
            state.sittings[seat].owes_big = state.sittings[seat].owes_small = False
        found.append(planned[:3])
    return found


def new(seat: int, post: bool = True) -> Sitting:
    return sitting(seat, fresh=True, post=post)


# Several leave.


def test_the_small_and_the_big_blind_leave_under_the_dead_button():
    """RULES 8: "a dead button and a missing small blind occur": nobody misses the big blind, and
    the button catches up in two hands.
    """
    state = at(DEAD, (1, 2, 3), 1, 4, 5, 6)
    assert following(state, 4) == [(2, 3, 4), (3, 4, 5), (4, 5, 6), (5, 6, 1)]


def test_the_small_and_the_big_blind_leave_under_the_moving_button():
    """RULES 4: "the big blind goes to the next player after the last big blind, the small blind is
    the player before him, the button the player before that".
    """
    state = at(MOVING, (1, 2, 3), 1, 4, 5, 6)
    assert following(state, 4) == [(6, 1, 4), (1, 4, 5), (4, 5, 6), (5, 6, 1)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [(DEAD, [(2, 3, 4), (3, 4, 5), (4, 5, 2)]), (MOVING, [(5, 2, 4), (2, 4, 5), (4, 5, 2)])],
)
def test_the_button_and_the_big_blind_leave(rule, expected):
    """RULES 4: "so that nobody skips or pays twice for the big blind"."""
    assert following(at(rule, (1, 2, 3), 2, 4, 5), 3) == expected


@pytest.mark.parametrize("rule", list(ButtonRule))
def test_all_but_two_leave_and_one_comes_back(rule):
    """RULES 4: "Heads-up the button posts the small blind"; with three again nobody has the big
    blind twice running.
    """
    state = at(rule, (1, 2, 3), 1, 5)
    assert following(state, 2) == [(1, 1, 5), (5, 5, 1)]
    state.sittings[3] = new(3)
    big = [places[2] for places in following(state, 4)]
    assert big == [3, 5, 1, 3]


@pytest.mark.parametrize("rule", list(ButtonRule))
def test_over_many_hands_everybody_has_the_big_blind_equally_often(rule):
    """RULES 4: "so that nobody skips or pays twice for the big blind", whoever leaves."""
    state = at(rule, (3, 5, 6), 1, 3, 5, 6, 8, 9)
    first = [places[2] for places in following(state, 6)]
    assert first == [8, 9, 1, 3, 5, 6]
    for gone in (8, 1, 6):
        del state.sittings[gone]
        assert {places[2] for places in following(state, len(state.sittings))} == set(
            state.sittings
        )


# Several come.


def test_three_come_at_once_and_each_posts_a_live_big_blind():
    """RULES 4, new player: "posts a live big blind wherever he sits or waits for the big blind"."""
    state = at(MOVING, (1, 2, 3), 1, 2, 3, 4, new(6), new(7), new(9, post=False))
    planned = plan(state)
    assert planned[:3] == (2, 3, 4)
    assert planned.debts == {6: Debt(10, 0), 7: Debt(10, 0)}
    assert planned.seats == (3, 4, 6, 7, 1, 2)  # seat 9 waits


def test_whoever_comes_in_behind_the_last_big_blind_has_it_next_and_posts_nothing_else():
    """RULES 4: "Waiting for the big blind clears every debt, everywhere"."""
    back = sitting(4, owes_big=True, owes_small=True, post=True)
    for rule in ButtonRule:
        planned = plan(at(rule, (1, 2, 3), 1, 2, 3, back, 5))
        assert planned[:3] == (2, 3, 4)
        assert planned.debts == {}


@pytest.mark.parametrize("rule", list(ButtonRule))
def test_nobody_comes_in_between_the_button_and_the_big_blind(rule):
    """RULES 4, field: "He does not come in on the button or small blind"; BC-067: "cannot return:
    between small blind and button position".
    """
    newcomers = [new(2), new(4), new(6)]  # beside the button 3 and the small blind 5, next hand
    state = at(rule, (1, 3, 5), 1, 3, 5, 7, 8, *newcomers)
    state.sittings[6].away = True
    planned = plan(state)
    assert planned[:3] == (3, 5, 7)
    assert planned.seats == (5, 7, 8, 1, 2, 3)
    assert planned.debts == {2: Debt(10, 0)}  # before the button he may


def test_a_new_player_in_the_dead_small_blinds_chair_pays_no_small_blind():
    """RULES 4, field: "He does not come in on the button or small blind"."""
    state = at(DEAD, (1, 2, 3), 1, 2, 4, 5, new(3))
    planned = plan(state)
    assert planned[:3] == (2, 3, 4)
    assert 3 not in planned.seats
    assert following(state, 2)[-1] == (3, 4, 5)  # the button is dead there: he still waits
    assert 3 in plan(state).seats


def test_a_new_player_in_the_dead_buttons_chair_waits_too():
    """RULES 4, field: "He does not come in on the button"."""
    planned = plan(at(DEAD, (1, 2, 3), 1, 3, 4, 5, new(2)))
    assert planned[:3] == (2, 3, 4)
    assert 2 not in planned.seats


# Debts.


@pytest.mark.parametrize("hands", [4, 19])
def test_an_orbit_away_costs_the_same_as_five(hands):
    """RULES 4, missed blinds: the big blind's amount live and the small one's dead, once each."""
    house = House.opened(ann=1_000, bob=1_000, cid=1_000, dan=1_000)
    house.run()
    house.play_out()
    house.ask("dan", SitOut())
    for _ in range(hands):
        house.now_ms += 3_000
        house.run()
        house.play_out()
    house.ask("dan", SitIn(post=True))
    (dan,) = [each for each in house.table.sittings.values() if each.player == "dan"]
    assert debt_of(dan, SETTINGS.stakes) == Debt(live=10, dead=5)


def test_who_was_away_for_the_big_blind_alone_owes_no_small_one():
    """`lt`: "praleidęs didįjį nematomą statymą, į žaidimą gali sugrįžti kito statymo metu arba
    sumokėti didžiajam nematomam statymui lygią sumą" (returns at the next one or pays as much).
    """
    state = at(MOVING, (1, 2, 3), 1, 2, 3, sitting(4, away=True), 5, 6)
    planned = plan(state)
    assert (planned.big, planned.missed_big, planned.missed_small) == (5, (4,), ())
    state.button, state.small_blind, state.big_blind = planned[:3]
    state.sittings[4] = sitting(4, owes_big=True, post=True)
    # Now the small blind would be his place: he waits, and that one he misses as well.
    planned = plan(state)
    assert (planned[:3], 4 in planned.seats) == ((3, 5, 6), False)


def test_dead_and_live_money_of_a_short_stack():
    """RULES 8: "dead blinds go into the main pot"; the live part comes first."""
    state = at(MOVING, (6, 1, 2), 1, 2, 3, 5, 6, sitting(4, 12, owes_big=True, owes_small=True))
    state.sittings[4].post = True
    planned = plan(state)
    assert planned.debts == {4: Debt(10, 5)}
    assert planned.seats == (2, 3, 4, 5, 6, 1)


# Straddles.


def order(dealt_in: int, **stakes: Any) -> list[int]:
    """Who is asked before the flop, in turn, when all call."""
    dealt = a_hand(stacks=(1_000,) * dealt_in, **stakes)
    asked = []
    while dealt.hand.turn:
        asked.append(dealt.hand.turn)
        dealt.does(asked[-1], Action.CALL if dealt.offered.call else Action.CHECK)
    return asked


@pytest.mark.parametrize(
    ("many", "stakes", "asked"),
    [
        (5, {}, [3, 4, 5, 1, 2]),
        (5, {"straddles": (20,)}, [4, 5, 1, 2, 3]),
        (5, {"straddles": (20, 40)}, [5, 1, 2, 3, 4]),
        (5, {"button_straddle": 20}, [1, 2, 3, 4, 5]),
        (5, {"straddles": (20,), "button_straddle": 40}, [1, 2, 3, 4, 5]),
        (3, {"straddles": (20,)}, [1, 2, 3]),  # the button is left of the big blind
        (2, {"straddles": (20,), "button_straddle": 20}, [2, 1]),  # both have blinds
    ],
)
def test_a_straddle_moves_the_option_to_its_player(many, stakes, asked):
    """RULES 8: "straddles (button too) raise the price and move the option"."""
    assert order(many, **stakes) == asked


def test_who_cannot_pay_the_straddle_whole_leaves_the_option_with_the_big_blind():
    """RULES 8: a straddle is a raise made blind, and half a straddle is none."""
    dealt = a_hand(stacks=(1_000, 1_000, 19, 1_000), straddles=(20,))
    assert (dealt.hand.price, dealt.hand.turn) == (10, 3)
    posts: Iterable[Posted] = dealt.happened(Posted)
    assert [post.post for post in posts] == [Post.SMALL_BLIND, Post.BIG_BLIND]


def test_after_the_flop_straddles_are_forgotten():
    """RULES 4: "Later rounds start left of the button"."""
    dealt = a_hand(stacks=(1_000,) * 5, straddles=(20, 40))
    while dealt.hand.turn:
        dealt.does(dealt.hand.turn, Action.CALL if dealt.offered.call else Action.CHECK)
    dealt.deals()
    assert (dealt.hand.turn, dealt.offered.raise_least) == (1, 10)


def test_a_straddle_that_all_fold_to_gets_back_what_nobody_met():
    """RULES 5, uncalled bets: "A bet no one can call is given back before the rake"."""
    dealt = a_hand(stacks=(1_000,) * 4, straddles=(20,))
    for seat in (4, 1, 2):
        dealt.does(seat, Action.FOLD)
    dealt.ends()
    assert dealt.hand.seats[3].stack == 1_000 + 5 + 10
