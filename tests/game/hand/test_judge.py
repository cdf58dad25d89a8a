"""The showdown: who shows, who wins what, and what the hand ends with.

Hands stand here as they come from betting; their boards and cards are given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.cards import DECKS, cards
from riverboat.game.hand.events import (
    Half,
    HandEnded,
    HandEvent,
    HandMucked,
    HandShown,
    PotAwarded,
    PotsMade,
    Stakes,
)
from riverboat.game.hand.judge import judge, show_order
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.rules import game
from riverboat.game.rules.schema import Game, OddUnit

HOLDEM = game("standard", "holdem", "nl")
HILO = game("standard", "omaha_hilo", "pl")
DRY = "2c 7d 9h Ts 4d"


def hand(
    puts: Mapping[int, int],
    *boards: str,
    of: Game = HOLDEM,
    button: int = 0,
    aggressor: int = 0,
    folded: Sequence[int] = (),
    all_in: Sequence[int] = (),
    raked: bool = False,
) -> Hand:
    """A hand whose betting is over: what each seat put in, in dealing order, and the boards."""
    seats = {
        seat: Seat(
            seat=seat,
            player=f"p{seat}",
            sitting=f"s{seat}",
            start=put + (0 if seat in all_in else 1000),
            stack=0 if seat in all_in else 1000,
            put=put,
            folded=seat in folded,
        )
        for seat, put in puts.items()
    }
    return Hand(
        id="1.0-7",
        number=7,
        game=of,
        stakes=Stakes(small_blind=50, big_blind=100),
        button=button or max(puts),
        seats=seats,
        runs=max(1, len(boards)),
        turn_ms=20_000,
        raked=raked,
        street=len(of.streets) - 1 if boards else 0,
        boards=[list(cards(board)) for board in boards] or [[]],
        aggressor=aggressor,
    )


def hole(**own: str) -> dict[int, tuple[int, ...]]:
    return {int(seat.removeprefix("p")): cards(letters) for seat, letters in own.items()}


def paid(events: Sequence[HandEvent]) -> dict[int, int]:
    """What each seat got from the pots."""
    got: dict[int, int] = {}
    for event in events:
        if isinstance(event, PotAwarded):
            for share in event.shares:
                got[share.seat] = got.get(share.seat, 0) + share.amount
    return got


def shown(events: Sequence[HandEvent]) -> list[int]:
    return [event.seat for event in events if isinstance(event, HandShown)]


def mucked(events: Sequence[HandEvent]) -> list[int]:
    return [event.seat for event in events if isinstance(event, HandMucked)]


def awards(events: Sequence[HandEvent]) -> list[tuple[int, int, Half, dict[int, int]]]:
    return [
        (event.pot, event.run, event.half, {share.seat: share.amount for share in event.shares})
        for event in events
        if isinstance(event, PotAwarded)
    ]


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
    assert [(net.player, net.sitting) for net in ended.nets] == [
        ("p1", "s1"),
        ("p2", "s2"),
        ("p3", "s3"),
    ]


def test_a_shown_hand_comes_with_what_opens_it() -> None:
    played = hand({1: 100, 2: 100}, DRY)
    played.seats[1].places = [0, 2]
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
        played.seats[seat].up = list(cards(up))
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
