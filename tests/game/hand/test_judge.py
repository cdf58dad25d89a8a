"""The showdown: the whole decision, who shows, and who may give up his hand unshown."""

from __future__ import annotations

import pytest

from riverboat.game.cards import cards
from riverboat.game.hand.events import (
    Half,
    HandEnded,
    HandMucked,
    HandShown,
    PotAwarded,
    PotsMade,
)
from riverboat.game.hand.judge import judge
from riverboat.game.hand.shows import show_order
from riverboat.game.rules import game
from tests.game.hand.judged import DRY, HILO, awards, hand, hole, mucked, paid, shown


def test_the_whole_decision_in_its_order() -> None:
    events = judge(hand({1: 100, 2: 100, 3: 40}, DRY, folded=[3]), hole(p1="AsAh", p2="KsKh"))
    assert [type(event) for event in events] == [
        PotsMade,
        HandShown,
        HandMucked,
        PotAwarded,
        HandEnded,
    ]
    ended = events[-1]
    assert isinstance(ended, HandEnded)
    assert (ended.hand, ended.rake) == ("1.0-7", 0)
    assert {net.seat: net.amount for net in ended.nets} == {1: 140, 2: -100, 3: -40}
    assert {net.seat: net.contributed for net in ended.nets} == {1: 100, 2: 100, 3: 40}
    assert [(net.player, net.sitting) for net in ended.nets] == [
        ("p1", "s1"),
        ("p2", "s2"),
        ("p3", "s3"),
    ]


def test_a_shown_hand_comes_with_what_opens_it() -> None:
    played = hand({1: 100, 2: 100}, DRY)
    played.seats[1].places = (0, 2)
    events = judge(played, hole(p1="AsAh", p2="KsKh"), prove=bytes)
    assert HandShown(1, cards("AsAh"), b"\x00\x02") in events


def test_a_win_by_folds_shows_no_card() -> None:
    """Case BC-160: the pot goes to the last player in, and no hand is asked for."""
    events = judge(hand({1: 2, 2: 2, 3: 1}, folded=[1, 3]), {})
    assert [type(event) for event in events] == [PotsMade, PotAwarded, HandEnded]
    assert awards(events) == [(0, 0, Half.WHOLE, {2: 5})]


@pytest.mark.parametrize(
    ("aggressor", "button", "folded", "order"),
    [
        (3, 4, [], [3, 4, 1, 2]),  # whoever bet or raised last in the last round
        (0, 4, [], [1, 2, 3, 4]),  # nobody bet: left of the button
        (0, 2, [], [3, 4, 1, 2]),
        (0, 2, [3], [4, 1, 2]),
        (3, 4, [1], [3, 4, 2]),
    ],
)
def test_who_shows_first(aggressor: int, button: int, folded: list[int], order: list[int]) -> None:
    """RULES 5: "whoever bet or raised last in the last round. If no one bet in it", the table."""
    puts = dict.fromkeys((1, 2, 3, 4), 100)
    played = hand(puts, DRY, aggressor=aggressor, button=button, folded=folded)
    assert show_order(played) == order


def test_left_of_a_button_at_an_empty_seat() -> None:
    played = hand({5: 100, 1: 100, 3: 100}, DRY, button=4)
    assert show_order(played) == [5, 1, 3]


@pytest.mark.parametrize(
    ("variant", "rulebook", "order"),
    [
        ("soko", "lt", [1, 2, 3]),  # left of the dealer's box
        ("soko", "ro", [2, 3, 1]),  # highest open hand
        ("stud7", "lt", [2, 3, 1]),
        ("americana", "et", [1, 2, 3]),
        ("telesina", "ro", [2, 3, 1]),
    ],
)
def test_who_shows_first_of_open_hands(variant: str, rulebook: str, order: list[int]) -> None:
    """RULES 5, who shows first: the table."""
    played = hand(dict.fromkeys((1, 2, 3), 100), "", of=game(rulebook, variant, "fl"))
    for seat, up in ((1, "AhKh"), (2, "9s9d"), (3, "9h9c")):
        played.seats[seat].up = cards(up)
    if variant == "telesina":
        # Equal pairs are told apart by the suits where suits count, and only there.
        played.seats[2].up, played.seats[3].up = played.seats[3].up, played.seats[2].up
    assert show_order(played) == order


def test_auto_muck_gives_up_only_a_beaten_hand() -> None:
    """Case BC-161: "may muck only when every pot he contests is already beaten"."""
    board = "Ah Ks Ts 2h 3c"
    puts = dict.fromkeys((1, 2, 3), 100)
    events = judge(hand(puts, board, aggressor=3), hole(p1="KcTd", p2="2c2d", p3="AcAd"))
    assert (shown(events), mucked(events)) == ([3], [1, 2])
    events = judge(hand(puts, board, aggressor=3), hole(p1="QsJs", p2="2c2d", p3="AcAd"))
    assert (shown(events), mucked(events)) == ([3, 1], [2])


def test_an_equal_hand_is_never_given_up() -> None:
    events = judge(hand({1: 100, 2: 100}, "AsKsQsJsTs"), hole(p1="2c3d", p2="2d3h"))
    assert shown(events) == [1, 2]
    assert paid(events) == {1: 100, 2: 100}


def test_a_hand_that_is_beaten_in_the_main_pot_alone_is_shown() -> None:
    played = hand({1: 50, 2: 100, 3: 100}, DRY, all_in=[1])
    events = judge(played, hole(p1="AsAh", p2="QsQh", p3="KsKh"))
    assert shown(events) == [1, 2, 3]
    assert paid(events) == {1: 150, 3: 100}


def test_a_low_half_is_a_part_that_is_not_given_up() -> None:
    board = "2c 4d 8h Kc Ks"
    events = judge(hand({1: 100, 2: 100}, board, of=HILO), hole(p1="KhKdQcJc", p2="As3d9c9s"))
    assert shown(events) == [1, 2]
    assert awards(events) == [(0, 0, Half.HIGH, {1: 100}), (0, 0, Half.LOW, {2: 100})]


def test_what_was_not_opened_mucks_and_no_card_of_it_is_needed() -> None:
    events = judge(hand(dict.fromkeys((1, 2, 3), 100), DRY), hole(p2="KsKh"))
    assert (shown(events), mucked(events)) == ([2], [1, 3])
    assert paid(events) == {2: 300}


def test_the_last_unmucked_hand_wins_unshown() -> None:
    """Case BC-162: "If all others muck, the last live hand wins without being shown"."""
    events = judge(hand({1: 100, 2: 100}, DRY), hole(p2="KsKh"))
    assert (shown(events), mucked(events)) == ([], [1])
    assert paid(events) == {2: 200}
    events = judge(hand({1: 100, 2: 100}, DRY), {})
    assert (shown(events), mucked(events)) == ([], [1])
    assert paid(events) == {2: 200}


def test_a_side_pot_is_never_given_up_by_everybody() -> None:
    """The last one in it takes it unshown, and has no part in the pot that was shown for."""
    played = hand({1: 50, 2: 100, 3: 100}, DRY, all_in=[1])
    events = judge(played, hole(p1="2d3d"))
    assert (shown(events), mucked(events)) == ([1], [2])
    assert awards(events) == [(0, 0, Half.WHOLE, {1: 150}), (1, 0, Half.WHOLE, {3: 100})]


def test_all_in_hands_are_turned_up() -> None:
    """RULES 5: "when no more betting can happen because players are all-in, all live hands are
    turned up"."""
    own = hole(p1="AsAh", p2="KsKh", p3="3d3h")
    played = hand({1: 100, 2: 100, 3: 100}, DRY, all_in=[1, 2])
    assert shown(judge(played, own)) == [1, 2, 3]
    played = hand({1: 100, 2: 100, 3: 100}, DRY, all_in=[1])
    assert shown(judge(played, own)) == [1]


def test_a_hand_that_is_up_already_is_not_shown_again() -> None:
    played = hand({1: 100, 2: 100}, DRY, all_in=[1, 2])
    for seat, own in hole(p1="AsAh", p2="KsKh").items():
        played.seats[seat].shown = own
    events = judge(played, {})
    assert (shown(events), mucked(events)) == ([], [])
    assert paid(events) == {1: 200}


@pytest.mark.parametrize("rulebook", ["lt", "standard"])
def test_all_show_where_the_rulebook_says_so(rulebook: str) -> None:
    """RULES 5, who shows first: "`lt` draw5 and draw32: when the last round is checked down all
    show, no mucking"."""
    draw = game(rulebook, "draw5", "fl")
    own = hole(p1="AsAhKdQdJc", p2="3s3hKcQcJs")
    checked_down = judge(hand({1: 100, 2: 100}, "", of=draw), own)
    assert shown(checked_down) == ([1, 2] if rulebook == "lt" else [1])
    bet = judge(hand({1: 100, 2: 100}, "", of=draw, aggressor=1), own)
    assert shown(bet) == [1]
