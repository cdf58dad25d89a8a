"""Further rule cases: layers, odd units over halves, boards and side pots, and what rake takes.

Each quotes the sentence that decides it.
"""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import Half, HandEnded, Pot, Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.judge import judge
from riverboat.game.hand.pots import pots
from riverboat.game.hand.rake import rake, triggered
from riverboat.game.rules import game
from tests.documents.playing import to_the_end
from tests.game.hand.dealt import Dealt, a_hand, flop
from tests.game.hand.judged import HILO, awards, hand, hole, paid

CALL, CHECK, FOLD, RAISE = Action.CALL, Action.CHECK, Action.FOLD, Action.RAISE
ROYAL = "As Ks Qs Js Ts"  # plays for everybody


# Odd units.


@pytest.mark.parametrize(
    ("button", "expected"),
    [(3, {5: 51, 2: 50}), (5, {2: 51, 5: 50}), (2, {5: 51, 2: 50}), (6, {2: 51, 5: 50})],
)
def test_the_odd_unit_goes_around_from_the_button_wherever_it_stands(button, expected):
    """RULES 5, ties: "The odd unit (one cent), pot by pot, goes to the first winner left of the
    button": seat 3 is empty, seats 5 and 2 have it themselves.
    """
    played = hand({2: 50, 5: 50, 6: 1}, ROYAL, button=button, folded=[6])
    assert paid(judge(played, hole(p2="2c3d", p5="2d3h"))) == expected


def test_three_odd_units_of_five_winners_go_one_each():
    """RULES 3, open-ended words: "several odd units go one each in that order"."""
    puts = {1: 20, 2: 20, 3: 20, 4: 20, 5: 20, 6: 3}
    played = hand(puts, ROYAL, button=3, folded=[6])
    own = hole(p1="2c3d", p2="2d3h", p3="2h3c", p4="4c5d", p5="4d5h")
    assert paid(judge(played, own)) == {4: 21, 5: 21, 1: 21, 2: 20, 3: 20}


HALVED = hole(p1="As3dQcJd", p2="KhQd9c9s", p3="KdQh9d9h")  # 1 has the low, 2 and 3 tie for high
LOW_BOARD = "2c 4d 8h Kc Ks"


def test_the_odd_unit_of_the_halves_and_that_of_the_high_half():
    """`et`: "High/Low mängudes läheb paaritu žetoon kõrge käe võitjale": 77 is 39 and 38, and of
    the 39 the first high winner left of the button has 20.
    """
    played = hand({1: 25, 2: 25, 3: 25, 4: 2}, LOW_BOARD, of=HILO, button=2, folded=[4])
    events = judge(played, HALVED)
    assert awards(events) == [
        (0, 0, Half.HIGH, {3: 20, 2: 19}),
        (0, 0, Half.LOW, {1: 38}),
    ]


def test_each_side_pot_is_halved_on_its_own_and_without_a_low_not_at_all():
    """RULES 5, ties: "In hi/lo, each side pot is split on its own": the low is all-in for 30."""
    played = hand({1: 30, 2: 60, 3: 60}, LOW_BOARD, of=HILO, button=3, all_in=[1])
    events = judge(played, HALVED)
    assert paid(events) == {1: 45, 2: 23 + 30, 3: 22 + 30}
    assert [half for pot, _, half, _ in awards(events) if pot == 1] == [Half.WHOLE]


def test_two_boards_share_before_equal_hands_do():
    """RULES 8: "Run it twice or three times: odd units one each to the first boards": 51 and 50."""
    played = hand({1: 50, 2: 50, 3: 1}, ROYAL, "2c 7d 9h 4d 3h", folded=[3], all_in=[1, 2])
    events = judge(played, hole(p1="KcQd", p2="AcAd"))
    assert awards(events) == [
        (0, 0, Half.WHOLE, {1: 26, 2: 25}),
        (0, 1, Half.WHOLE, {2: 50}),
    ]


def test_three_boards():
    """RULES 8: "odd units one each to the first boards": 34, 33 and 33."""
    boards = ("2c 7d 9h 4d 3h", "Kh Kd 5s 6s 8c", "2d 7s 9c 4h 3c")
    played = hand({1: 49, 2: 49, 3: 2}, *boards, folded=[3], all_in=[1, 2])
    events = judge(played, hole(p1="KcQd", p2="AcAd"))
    assert [shares for *_, shares in awards(events)] == [{2: 34}, {1: 33}, {2: 33}]


def test_two_boards_of_a_halved_pot():
    """RULES 8: boards first; RULES 5, ties: then halves, the odd unit to the high one."""
    boards = (LOW_BOARD, "Qc Jd Th 9h 5s")
    played = hand({1: 50, 2: 50, 3: 1}, *boards, of=HILO, folded=[3], all_in=[1, 2])
    events = judge(played, hole(p1="KhKdQsJs", p2="As3d9c9s"))
    assert awards(events) == [
        (0, 0, Half.HIGH, {1: 26}),
        (0, 0, Half.LOW, {2: 25}),
        (0, 1, Half.WHOLE, {1: 50}),
    ]


@pytest.mark.parametrize("variant", ["americana", "soko"])
def test_games_from_the_box_give_the_odd_unit_to_who_was_dealt_first(variant):
    """`et`: "Sökös saab selle mängija, kellele jagati varem esimene kaart"; RULES 5, ties: "in
    stud-type games to the winner nearest the dealer's box".
    """
    played = hand({1: 50, 2: 50, 3: 1}, of=game("lt", variant, "nl"), button=3, folded=[3])
    events = judge(played, hole(p1="AcKcQdJd9h", p2="AdKdQhJh9s"))
    assert paid(events) == {1: 51, 2: 50}


# Layers.


def test_two_short_antes_and_the_blinds_make_three_layers():
    """RULES 8: "a per-player ante short all-in caps that player's main pot": 4, 7 and 10."""
    dealt = a_hand(stacks=(500, 500, 7, 4), ante=10)
    dealt.does(1, CALL)
    dealt.does(2, CHECK)
    assert [(pot.amount, pot.seats) for pot in pots(dealt.hand)] == [
        (16, (1, 2, 3, 4)),
        (9, (1, 2, 3)),
        (26, (1, 2)),
    ]


def test_dead_and_folded_money_lies_in_the_main_pot():
    """RULES 8: "dead blinds go into the main pot": the short stack wins them."""
    dealt = Dealt(
        ("standard", "holdem", "nl"),
        {1: 500, 2: 500, 3: 20, 4: 500, 5: 500},
        Stakes(small_blind=5, big_blind=10),
        range(52),
        button=5,
        blinds=(1, 2),
        debts={4: Debt(10, 5)},
    )
    for seat, action, total in ((3, RAISE, 20), (4, FOLD, 0), (5, RAISE, 60), (1, FOLD, 0)):
        dealt.does(seat, action, total)
    dealt.does(2, CALL)
    assert [(pot.amount, pot.seats) for pot in pots(dealt.hand)] == [
        (60 + 10 + 5 + 5, (2, 3, 5)),
        (80, (2, 5)),
    ]


def test_a_big_blind_ante_of_a_short_stack_is_nobodys_to_match():
    """RULES 8: "a big-blind ante is dead money": the blind comes first, 2 are left for the ante."""
    dealt = a_hand(stacks=(500, 12, 500), big_blind_ante=10)
    assert dealt.hand.pot == 5 + 10 + 2
    dealt.does(3, CALL)
    dealt.does(1, CALL)
    assert [(pot.amount, pot.seats) for pot in pots(dealt.hand)] == [(32, (1, 2, 3))]


# Rake.


def test_rake_leaves_the_pots_in_proportion_the_larger_remainder_first():
    """RULES 6, field: "over the pots in proportion, largest remainder first, main pot first on
    ties": of 10 the pots of 100, 50 and 50 give 5, 3 and 2.
    """
    of = game("lt", "holdem", "pl")

    def taken(*amounts: int) -> tuple[int, ...]:
        return rake(of, [Pot(amount, 0, (1, 2)) for amount in amounts], 4, True, 100)

    assert taken(100, 50, 50) == (5, 3, 2)
    assert taken(90, 60, 50) == (5, 3, 2)  # 4.5, 3 and 2.5: the main pot first
    assert taken(90, 55, 55) == (4, 3, 3)  # 4.5, 2.75 and 2.75
    assert sum(taken(4_000, 3_000, 3_000)) == 300  # the cap is of the hand, not of each pot


def test_what_comes_back_is_not_raked():
    """RULES 6: "a won-back uncalled bet is never raked": a bet of 300 into 30."""
    dealt = flop(a_hand(rulebook="lt"))
    dealt.hand.raked = True
    for seat, action, total in ((1, RAISE, 300), (2, FOLD, 0), (3, FOLD, 0)):
        dealt.does(seat, action, total)
    dealt.ends()
    (ended,) = dealt.happened(HandEnded)
    assert ended.rake == 1
    assert dealt.hand.seats[1].stack == 500 + 20 - 1


def test_the_open_card_of_courchevel_is_no_flop():
    """RULES 6: "None ... without the trigger: hold'em and omaha a flop": its first card is open
    before anybody bets, and the flop is not there yet.
    """
    of = game("standard", "courchevel", "pl")
    assert not triggered(of, 0)
    assert triggered(of, 1)


def test_a_hand_all_in_before_the_flop_sees_one_and_is_raked():
    """`et`: "Flop on laual Texases või Omahas" (a flop lies on the table), whoever could bet."""
    dealt = a_hand(stacks=(500, 500), rulebook="et", variant="omaha")
    dealt.hand.raked = True
    dealt.does(2, RAISE, 500)
    dealt.does(1, CALL)
    (ended,) = to_the_end(dealt).happened(HandEnded)
    assert ended.rake == 50


@pytest.mark.parametrize(("pot", "lt", "et", "ro"), [(1_999, 99, 95, 95), (2_000, 100, 100, 100)])
def test_a_step_begun_is_not_a_step(pot, lt, et, ro):
    """RULES 6: "`floor(pot / step) * fee`, at most the cap": 0.01 of 0.20 or 0.05 of 1.00."""
    taken = {
        book: rake(game(book, "omaha", "pl"), [Pot(pot, 0, (1, 2))], 3, True, 50)
        for book in ("lt", "et", "ro")
    }
    assert taken == {"lt": (lt,), "et": (et,), "ro": (ro,)}
