"""The showdown: who wins what, odd units, halves, boards, rake, and splits that were agreed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.cards import DECKS
from riverboat.game.hand.events import (
    Half,
    HandEnded,
    PotsMade,
)
from riverboat.game.hand.judge import judge
from riverboat.game.rules import game
from riverboat.game.rules.schema import OddUnit
from tests.game.hand.judged import DRY, HILO, HOLDEM, awards, hand, hole, mucked, paid, shown


@pytest.mark.parametrize(
    ("button", "shares"), [(8, {2: 138, 5: 137}), (3, {2: 137, 5: 138}), (5, {2: 138, 5: 137})]
)
def test_the_odd_unit_goes_left_of_the_button(button: int, shares: dict[int, int]) -> None:
    """RULES 5: "The odd unit (one cent), pot by pot, goes to the first winner left of the
    button"; case BC-021."""
    played = hand({1: 25, 2: 100, 5: 100, 8: 50}, "AsKsQsJsTs", button=button, folded=[1, 8])
    assert paid(judge(played, hole(p2="4c5d", p5="4d5h"))) == shares


def test_several_odd_units_go_one_each() -> None:
    played = hand({1: 100, 2: 100, 3: 100, 4: 99, 5: 99}, "AsKsQsJsTs", folded=[4, 5])
    own = hole(p1="2c3d", p2="2d3h", p3="2h3c")
    assert paid(judge(played, own)) == {1: 166, 2: 166, 3: 166}
    played = hand({1: 100, 2: 100, 3: 100, 4: 50}, "AsKsQsJsTs", button=1, folded=[4])
    assert paid(judge(played, own)) == {2: 117, 3: 117, 1: 116}
    last = replace(HOLDEM, odd_unit=OddUnit.LAST_SEATS)
    played = hand({1: 100, 2: 100, 3: 100, 4: 50}, "AsKsQsJsTs", of=last, folded=[4])
    assert paid(judge(played, own)) == {1: 116, 2: 117, 3: 117}


def test_the_odd_unit_by_dealing_order_where_no_button_moves() -> None:
    """RULES 5: "in stud-type games to the winner nearest the dealer's box"."""
    stud = game("standard", "stud7", "fl")
    played = hand({1: 100, 2: 100, 3: 51}, "", of=stud, button=1, folded=[3])
    own = hole(p1="AsKdQcJhTs2c3d", p2="AdKsQhJcTd2d3s")
    assert paid(judge(played, own)) == {1: 126, 2: 125}


def test_side_pots_are_split_each_on_its_own() -> None:
    """Cases BC-006, BC-024: pots are never added together before dividing."""
    played = hand({1: 50, 2: 100, 3: 200, 4: 200}, "Kc Kd 2c 3d 7s", all_in=[1, 2, 3, 4])
    own = hole(p1="AsAh", p2="KsQs", p3="KhQh", p4="8c8d")
    assert awards(judge(played, own)) == [
        (0, 0, Half.WHOLE, {2: 100, 3: 100}),
        (1, 0, Half.WHOLE, {2: 75, 3: 75}),
        (2, 0, Half.WHOLE, {3: 200}),
    ]


LOW_BOARD = "2c 4d 8h Kc Ks"


def test_the_odd_unit_between_halves_goes_high_and_within_them_left_of_the_button() -> None:
    """RULES 5: "in hi/lo games the odd unit between the halves goes to the high half"."""
    played = hand({1: 100, 2: 100, 3: 100, 4: 5}, LOW_BOARD, of=HILO, folded=[4])
    own = hole(p1="As3d9c9s", p2="Ad3s7c7s", p3="KhKdQcJc")
    assert awards(judge(played, own)) == [
        (0, 0, Half.HIGH, {3: 153}),
        (0, 0, Half.LOW, {1: 76, 2: 76}),
    ]
    quartered = hole(p1="As3d9c9s", p2="Ad3s7c7s", p3="Ac3cKhKd")
    assert awards(judge(played, quartered)) == [
        (0, 0, Half.HIGH, {3: 153}),
        (0, 0, Half.LOW, {1: 51, 2: 51, 3: 50}),
    ]


def test_without_a_low_the_high_hand_takes_all() -> None:
    """RULES 2: "No qualifying low: the high hand takes all"."""
    played = hand({1: 100, 2: 100, 3: 1}, "Tc Jd 8h Kc Ks", of=HILO, folded=[3])
    own = hole(p1="As3d9c9s", p2="KhKdQcJc")
    assert awards(judge(played, own)) == [(0, 0, Half.WHOLE, {2: 201})]


@pytest.mark.parametrize(
    ("own", "wins"),
    [
        # The short stack alone has a low: half of the main pot, and nothing of what he is not in.
        (
            hole(p1="As3dQcQd", p2="KhKd9c9s", p3="QsQhJcJs"),
            [
                (0, 0, Half.HIGH, {2: 75}),
                (0, 0, Half.LOW, {1: 75}),
                (1, 0, Half.WHOLE, {2: 100}),
            ],
        ),
        # He has the best high too: the side pot is still whole for the best high hand in it.
        (
            hole(p1="As3dKhKd", p2="QsQhJcJs", p3="TsThJhJd"),
            [
                (0, 0, Half.HIGH, {1: 75}),
                (0, 0, Half.LOW, {1: 75}),
                (1, 0, Half.WHOLE, {2: 100}),
            ],
        ),
        # Two of three have a low: in the side pot the second-best low is the best one.
        (
            hole(p1="As3dQcQd", p2="KhKd9c9s", p3="Ad6cJcJs"),
            [
                (0, 0, Half.HIGH, {2: 75}),
                (0, 0, Half.LOW, {1: 75}),
                (1, 0, Half.HIGH, {2: 50}),
                (1, 0, Half.LOW, {3: 50}),
            ],
        ),
    ],
    ids=["low outside", "high and low outside", "a low in each"],
)
def test_a_side_pot_is_halved_by_the_hands_in_it_alone(
    own: dict[int, list[int]], wins: list[Any]
) -> None:
    """RULES 5, ties: "In hi/lo, each side pot is split on its own". PokerKit halves it if a hand
    outside it has a low. [RULES 9]
    """
    played = hand({1: 50, 2: 100, 3: 100}, LOW_BOARD, of=HILO, all_in=[1])
    assert awards(judge(played, own)) == wins


def test_a_side_pot_of_the_side_pot_goes_whole_where_nobody_in_it_has_a_low() -> None:
    played = hand({1: 20, 2: 50, 3: 100, 4: 100}, LOW_BOARD, of=HILO, all_in=[1, 2])
    own = hole(p1="As3dQcQd", p2="Ad6cJcJs", p3="KhKd9c9s", p4="QsQhThTs")
    assert awards(judge(played, own)) == [
        (0, 0, Half.HIGH, {3: 40}),
        (0, 0, Half.LOW, {1: 40}),
        (1, 0, Half.HIGH, {3: 45}),
        (1, 0, Half.LOW, {2: 45}),
        (2, 0, Half.WHOLE, {3: 100}),
    ]


def test_boards_share_each_pot_and_the_first_ones_get_the_odd_units() -> None:
    """RULES 8: "Run it twice or three times: odd units one each to the first boards"."""
    boards = ("2c 7d 9h Ts 4d", "Kc 7h 9s Td 4s", "As Ks Qs Js Ts")
    own = hole(p1="AhAd", p2="KhKd")
    played = hand({1: 100, 2: 100, 3: 1}, *boards[:2], folded=[3], all_in=[1, 2])
    assert awards(judge(played, own)) == [
        (0, 0, Half.WHOLE, {1: 101}),
        (0, 1, Half.WHOLE, {2: 100}),
    ]
    played = hand({1: 50, 2: 100, 3: 100}, *boards, all_in=[1, 2, 3])
    own = hole(p1="AhAd", p2="KhKd", p3="3h3d")
    assert awards(judge(played, own)) == [
        (0, 0, Half.WHOLE, {1: 50}),
        (0, 1, Half.WHOLE, {2: 50}),
        (0, 2, Half.WHOLE, {1: 17, 2: 17, 3: 16}),
        (1, 0, Half.WHOLE, {2: 34}),
        (1, 1, Half.WHOLE, {2: 33}),
        (1, 2, Half.WHOLE, {2: 17, 3: 16}),
    ]


def test_a_hand_beaten_on_one_board_alone_is_shown() -> None:
    played = hand({1: 100, 2: 100}, "2c 7d 9h Ts 4d", "Kc 7h 9s Td 4s")
    assert shown(judge(played, hole(p1="AhAd", p2="KhKd"))) == [1, 2]


def test_rake_leaves_each_pot_before_halves_and_odd_units() -> None:
    """RULES 6: "Rake leaves each pot before halves and odd units"; case BC-169."""
    of = game("lt", "holdem", "nl")
    played = hand({1: 5, 2: 100, 3: 100}, "AsKsQsJsTs", of=of, folded=[1], raked=True)
    events = judge(played, hole(p2="2c3d", p3="2d3h"))
    made, ended = events[0], events[-1]
    assert isinstance(made, PotsMade)
    assert isinstance(ended, HandEnded)
    assert [(pot.amount, pot.rake) for pot in made.pots] == [(205, 10)]
    assert paid(events) == {2: 98, 3: 97}
    assert ended.rake == 10
    assert sum(net.amount for net in ended.nets) == -10


def test_no_flop_no_rake_and_none_where_the_table_is_not_raked() -> None:
    of = game("lt", "holdem", "nl")
    for played in (
        hand({1: 100, 2: 100}, of=of, folded=[1], raked=True),
        hand({1: 100, 2: 100}, DRY, of=of, folded=[1], raked=False),
    ):
        assert paid(judge(played, {})) == {2: 200}


def test_a_recorded_rake_leaves_the_pots_in_proportion() -> None:
    played = hand({1: 50, 2: 100, 3: 100}, DRY, all_in=[1])
    events = judge(played, hole(p1="AsAh", p2="QsQh", p3="KsKh"), rake=5)
    assert paid(events) == {1: 147, 3: 98}


TELESINA = hole(p1="Ah Kh Qh Jh Th", p2="7s 8s 9s Ts As", p3="9c 9d 9h 8h 8d")


@pytest.mark.parametrize(
    ("rulebook", "folded", "expected"),
    [
        ("ro", [], {1: 3000, 2: 4000}),
        ("lt", [], {1: 7000}),
        ("ro", [3], {2: 7000}),
        ("lt", [3], {2: 7000}),
    ],
)
def test_the_lowest_straight_flush_beats_the_highest_between_two(
    rulebook: str, folded: list[int], expected: dict[int, int]
) -> None:
    """House case 3; RULES 2: "`lt`: live in the hand; `ro`: eligible for that pot"."""
    own = {seat: held for seat, held in TELESINA.items() if seat not in folded}
    played = hand(
        {1: 3000, 2: 3000, 3: 1000}, "7c", of=game(rulebook, "telesina", "nl"), folded=folded
    )
    assert paid(judge(played, own)) == expected


def test_agreed_splits_are_paid_without_a_showdown() -> None:
    """House case 5: seats 1 and 2 split 1210; seat 3 agrees to split the 3050, or shows for it."""
    own = hole(p1="AhAdAcKhKd", p2="QhQdQcJhJd", p3="7h8d9cThKc")
    for of, all_show in ((game("lt", "draw32", "pl"), 0), (game("et", "draw32", "pl"), 3)):
        played = hand({5: 50, 1: 1605, 2: 1605, 3: 1000}, "", of=of, folded=[5], all_in=[3])
        for seat in (1, 2, 3):
            played.seats[seat].split = 1
        events = judge(played, own)
        assert (len(shown(events)), mucked(events)) == (all_show, [])
        assert awards(events) == [
            (0, 0, Half.WHOLE, {1: 1017, 2: 1017, 3: 1016}),
            (1, 0, Half.WHOLE, {1: 605, 2: 605}),
        ]


def test_one_refusal_sends_that_pot_alone_to_the_showdown() -> None:
    own = hole(p1="AhAdAcKhKd", p2="QhQdQcJhJd", p3="7h8d9cThKc")
    of = game("lt", "draw32", "pl")
    played = hand({5: 50, 1: 1605, 2: 1605, 3: 1000}, "", of=of, folded=[5], all_in=[3])
    for seat, said in ((1, 1), (2, 1), (3, 2)):
        played.seats[seat].split = said
    assert awards(judge(played, own)) == [
        (0, 0, Half.WHOLE, {1: 3050}),
        (1, 0, Half.WHOLE, {1: 605, 2: 605}),
    ]


@given(st.data())
def test_every_chip_of_every_pot_is_paid_or_raked(data: st.DataObject) -> None:
    """Law 2, whatever was put in, folded, shown and dealt: nets sum to minus the rake."""
    of = data.draw(st.sampled_from([HOLDEM, HILO, game("lt", "omaha", "pl")]))
    count = data.draw(st.integers(2, 6))
    runs = data.draw(st.integers(1, 3))
    deck = data.draw(st.permutations(DECKS["52"]))
    own_cards = of.streets[0].down
    seats = range(1, count + 1)
    puts = {seat: data.draw(st.integers(1, 60)) for seat in seats}
    folded = data.draw(st.sets(st.sampled_from(seats), max_size=count - 1))
    boards = [deck[5 * run : 5 * run + 5] for run in range(runs)]
    rest = deck[15:]
    held = {
        seat: rest[own_cards * (seat - 1) : own_cards * seat]
        for seat in seats
        if seat not in folded and data.draw(st.booleans())
    }
    played = hand(puts, *[""] * runs, of=of, folded=sorted(folded), raked=True)
    played.boards = [list(board) for board in boards]
    events = judge(played, held)
    made, ended = events[0], events[-1]
    assert isinstance(made, PotsMade)
    assert isinstance(ended, HandEnded)
    assert sum(net.amount for net in ended.nets) == -ended.rake
    assert sum(paid(events).values()) + ended.rake == sum(puts.values())
    for index, pot in enumerate(made.pots):
        parts = [won for which, _, _, won in awards(events) if which == index]
        assert sum(sum(won.values()) for won in parts) == pot.amount - pot.rake
        assert all(seat in pot.seats for won in parts for seat in won)
