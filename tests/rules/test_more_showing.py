"""Further rule cases: who shows first and who need not, with all-ins, side pots and two boards.

Each quotes the sentence that decides it.
"""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import HandMucked, HandShown, PotAwarded
from riverboat.game.hand.judge import judge
from tests.documents.playing import plays, showing_order, sit, to_round, to_the_end
from tests.game.hand.dealt import Dealt, a_hand, flop
from tests.game.hand.judged import HILO, hand, hole, mucked, paid, shown

CALL, CHECK, FOLD, RAISE = Action.CALL, Action.CHECK, Action.FOLD, Action.RAISE
DRAW = Action.DRAW
DEEP = 1_000


def to_the_river(dealt: Dealt) -> Dealt:
    for _ in range(3):
        flop(dealt)
    return dealt


def one_all_in() -> Dealt:
    """Seat 1 is all-in before the flop, seats 2 and 3 have come to the river."""
    dealt = a_hand(stacks=(30, DEEP, DEEP))
    plays(dealt, (3, CALL), (1, RAISE, 30), (2, CALL), (3, CALL))
    return flop(flop(dealt))


def test_without_a_bet_an_all_in_player_shows_in_his_place():
    """RULES 5, who shows first: "If no one bet in it": left of the button, and that is the one who
    was all-in before the flop.
    """
    dealt = plays(one_all_in(), (2, CHECK), (3, CHECK))
    assert showing_order(to_the_end(dealt)) == [1, 2, 3]


def test_a_bet_for_the_side_pot_is_shown_first():
    """RULES 5, who shows first: "whoever bet or raised last in the last round"; then clockwise."""
    dealt = plays(one_all_in(), (2, CHECK), (3, RAISE, 100), (2, CALL))
    assert showing_order(to_the_end(dealt)) == [3, 1, 2]


def test_of_a_bet_and_a_check_raise_the_raise_is_the_last():
    """`et`: "peab kaardid esimesena avama see mängija kes viimasena tõstis" (who raised last)."""
    dealt = to_the_river(a_hand(stacks=(DEEP,) * 3))
    plays(dealt, (1, CHECK), (2, RAISE, 50), (3, CALL), (1, RAISE, 150), (2, CALL), (3, FOLD))
    assert showing_order(to_the_end(dealt)) == [1, 2]


def test_a_short_all_in_is_the_last_raise_though_it_reopens_nothing():
    """RULES 5, who shows first: "bet or raised last": 70 over 50 is a raise, if not a full one."""
    dealt = to_the_river(a_hand(stacks=(DEEP, 80, DEEP)))
    plays(dealt, (1, RAISE, 50), (2, RAISE, 70), (3, CALL), (1, CALL))
    assert showing_order(to_the_end(dealt))[0] == 2


def test_all_in_and_called_everybody_is_turned_up_beaten_or_not():
    """RULES 5, field: "when no more betting can happen because players are all-in, all live hands
    are turned up".
    """
    dealt = to_the_river(a_hand(stacks=(DEEP, 300, 300)))
    plays(dealt, (1, CHECK), (2, RAISE, 290), (3, CALL), (1, FOLD))
    to_the_end(dealt)
    assert not dealt.happened(HandMucked)
    assert len(dealt.happened(HandShown)) == 2


def test_a_beaten_hand_is_given_up_where_chips_are_left():
    """RULES 5, field: "auto-muck gives up only a hand already beaten"."""
    played = hand({1: 50, 2: 50, 3: 50}, "2c 7d 9h Ts 4d", aggressor=2, button=3)
    events = judge(played, hole(p1="AcTd", p2="KcTh", p3="KdTc"))
    assert (shown(events), mucked(events)) == ([2, 3, 1], [])
    played = hand({1: 50, 2: 50, 3: 50}, "2c 7d 9h Ts 4d", aggressor=1, button=3)
    events = judge(played, hole(p1="AcTd", p2="KcTh", p3="KdTc"))
    assert (shown(events), mucked(events)) == ([1], [2, 3])


def test_half_a_pot_is_a_part_worth_showing_for():
    """RULES 5, field: "a player who cannot win any part may muck": a low is a part."""
    played = hand({1: 50, 2: 50, 3: 50}, "2c 4d 8h Kc Ks", of=HILO, aggressor=1, button=3)
    events = judge(played, hole(p1="KhQdQs9d", p2="As3dTcJc", p3="JhJd9c9s"))
    assert (shown(events), mucked(events)) == ([1, 2], [3])
    assert paid(events) == {1: 75, 2: 75}


def test_what_wins_the_second_board_is_not_given_up():
    """RULES 8: "Run it twice or three times"; all are up, and each board has its winner."""
    boards = ("2c 7d 9h Td 4d", "Kh 7s 9c 4s 3h")
    played = hand({1: 50, 2: 50}, *boards, aggressor=1, button=2, all_in=[1, 2])
    events = judge(played, hole(p1="AcAd", p2="KcKd"))
    assert (shown(events), mucked(events)) == ([1, 2], [])
    assert paid(events) == {1: 50, 2: 50}


def test_of_hands_that_all_give_up_the_last_one_is_not_shown():
    """RULES 5, field: "the last unmucked hand wins unshown", whoever it is."""
    played = hand({1: 50, 2: 50, 3: 50}, "2c 7d 9h Ts 4d", aggressor=3, button=3)
    events = judge(played, hole(p2="KcKd"))
    assert (shown(events), mucked(events)) == ([], [3, 1])
    assert [share.seat for e in events if isinstance(e, PotAwarded) for share in e.shares] == [2]


# A last round without betting.


@pytest.mark.parametrize("book", ["lt", "et", "ro"])
def test_a_raise_before_the_draw_shows_nobody_first_after_it(book):
    """`et`, 5-card draw: "If there was betting after the draw the player who made the last bet or
    raise must show his hand first. If there was no betting, the first remaining player to the left
    of the dealer": all were all-in before it.
    """
    dealt = sit(book, "draw5", holes=3, stacks=dict.fromkeys((1, 2, 3), DEEP))
    plays(dealt, (3, RAISE, DEEP), (1, CALL), (2, CALL), (1, DRAW), (2, DRAW), (3, DRAW))
    assert showing_order(to_the_end(dealt)) == [1, 2, 3]


def test_all_in_before_the_draw_of_32_cards():
    """`et`, 32-card draw: "Kui panustamist ei toimunud ... avab esimesena kaartid suurest blindist
    järgmine allesjäänud mängija. Sama reegel kehtib ka juhul kui ... üks või enam mängijat on enne
    kaartide vahetamist all-in" (left of the big blind, all-in before the draw or not).
    """
    for book in ("et", "lt"):
        dealt = sit(book, "draw32", holes=4, stacks=dict.fromkeys((1, 2, 3, 4), DEEP))
        plays(dealt, (3, CALL), (4, CALL), (1, RAISE, DEEP), (2, CALL), (3, CALL), (4, CALL))
        plays(dealt, (1, DRAW), (2, DRAW), (3, DRAW), (4, DRAW))
        assert showing_order(to_the_end(dealt)) == [3, 4, 1, 2]


def test_a_bet_after_an_earlier_draw_shows_nobody_first_after_the_last():
    """`lt`, 2-7: "Jeigu niekas neatlieka statymu po paskutinio kortu traukimo" (after the last
    draw): the bet came after the first.
    """
    dealt = sit("lt", "triple_draw27", holes=3, stacks=dict.fromkeys((1, 2, 3), DEEP))
    plays(dealt, (3, CALL), (1, CALL), (2, CHECK), (1, DRAW), (2, DRAW), (3, DRAW))
    plays(dealt, (1, CHECK), (2, CHECK), (3, RAISE, 500), (1, CALL), (2, CALL))
    for _ in range(2):
        plays(dealt, (1, DRAW), (2, DRAW), (3, DRAW))
    assert showing_order(to_the_end(dealt)) == [1, 2, 3]


def test_the_vela_is_in_nobodys_open_hand():
    """RULES 5: "A hand "showing" is a player's own up cards: not the Vela, not a community
    seventh": the queen in the middle makes seat 1 no pair that shows.
    """
    holes = {1: "8c9hJdQs8s", 2: "9d7d7cTh9s", 3: "TsJh8dKcAs"}
    dealt = sit("ro", "telesina", holes=holes, then="Qd")
    to_round(dealt, 4)
    assert dealt.hand.turn == 2
    assert showing_order(to_the_end(dealt))[0] == 2
    assert showing_order(to_the_end(sit("lt", "telesina", holes=holes, then="Qd")))[0] == 1


@pytest.mark.parametrize("variant", ["draw5", "draw32"])
def test_in_lithuania_a_last_round_that_was_bet_on_lets_the_beaten_muck(variant):
    """`lt`: "Jeigu niekas nedidina statymu, visi žaidejai ... rodo savo kortas": only then all."""
    holes = {1: "AhAdAcKhKd", 2: "7h8c9dJsQh", 3: "7d8d9hJhQd"}
    dealt = to_round(sit("lt", variant, holes=holes), 1)
    dealt.does(1, RAISE, DEEP)
    to_the_end(dealt)
    assert [event.seat for event in dealt.happened(HandMucked)] == [2, 3]
