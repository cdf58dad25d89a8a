"""The field's further games, made of data alone: what is new in each, played to the end."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.cards import cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import Drew, HandShown, Post, Posted, Stakes, StreetDealt
from riverboat.game.hand.options import options
from riverboat.game.hand.rake import triggered
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.game.hand.dealt import Dealt, dealt_places

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN, DRAW = Action.BRING_IN, Action.DRAW


def a_game(
    variant: str,
    limit: str,
    holes: dict[int, str],
    board: str = "",
    stacks: int = 500,
    deck: str = "52",
    **stakes: Any,
) -> Dealt:
    """Seats with these cards in dealing order, the button the last; then the board."""
    order = tuple(holes)
    hands = {seat: cards(hole) for seat, hole in holes.items()}
    places = dealt_places(order, hands, deck)
    many, next_ones = sum(map(len, hands.values())), cards(board)
    rest = [card for card in places[many:] if card not in next_ones]
    has_blinds = "big_blind" in stakes
    blinds = (order[0], order[1]) if len(order) > 2 else (order[1], order[0])
    return Dealt(
        ("standard", variant, limit),
        dict.fromkeys(order, stacks),
        Stakes(**stakes),
        [*places[:many], *next_ones, *rest],
        button=order[-1] if "bring_in" not in stakes else 0,
        blinds=blinds if has_blinds else (0, 0),
    )


def checked_down(dealt: Dealt) -> Dealt:
    """Everybody calls or checks to the end, and throws his first cards where he must."""
    while dealt.hand.phase is not Phase.OVER:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        elif dealt.hand.phase is Phase.SHOW:
            dealt.ends()
        elif dealt.hand.phase is Phase.DRAW:
            dealt.does(dealt.hand.turn, DRAW, throw=range(dealt.offered.draw_least))
        elif dealt.offered.bring_in:
            dealt.does(dealt.hand.turn, BRING_IN)
        else:
            dealt.does(dealt.hand.turn, CALL if dealt.offered.call else CHECK)
    return dealt


# Crazy Pineapple.


def pineapple(stacks: int = 500) -> Dealt:
    return a_game(
        "crazy_pineapple",
        "nl",
        {1: "AsAh2c", 2: "KsKh3d", 3: "QsQh4d"},
        "2s3s4sTcTd",
        stacks,
        small_blind=5,
        big_blind=10,
    )


def to_the_discard() -> Dealt:
    """All three see the flop and check it; one card each has to go."""
    dealt = pineapple()
    for seat, action in ((3, CALL), (1, CALL), (2, CHECK)):
        dealt.does(seat, action)
    dealt.deals()
    for seat in (1, 2, 3):
        dealt.does(seat, CHECK)
    dealt.deals()
    return dealt


def test_one_of_three_cards_goes_after_the_flop_and_none_comes():
    dealt = to_the_discard()
    assert (dealt.offered.draw_least, dealt.offered.draw_most) == (1, 1)
    dealt.does(1, DRAW, throw=(2,))
    dealt.does(2, DRAW, throw=(0,))
    dealt.does(3, DRAW, throw=(2,))
    assert [event.places for event in dealt.happened(Drew)] == [(), (), ()]
    own = {s.seat: [dealt.deck[place] for place in s.places] for s in dealt.hand.seats.values()}
    assert own == {1: [*cards("AsAh")], 2: [*cards("Kh3d")], 3: [*cards("QsQh")]}
    # No betting follows the discards: the turn does.
    assert dealt.hand.phase is Phase.DEAL
    checked_down(dealt)
    assert dealt.won() == {1: 30}


@pytest.mark.parametrize(
    ("throw", "facts"), [((), {"least": 1}), ((0, 1), {"most": 1}), ((3,), {"place": 3})]
)
def test_just_one_card_goes(throw, facts):
    dealt = to_the_discard()
    outcome = dealt.tries(dealt.the_act(DRAW, throw=throw))
    assert outcome == Refusal(HandCode.BAD_DISCARD, **facts)


def test_whoever_does_not_answer_keeps_his_first_cards_and_may_raise():
    """RULES 5, draws: "stands pat"; where a card must go, it is the last one dealt."""
    dealt = to_the_discard()
    dealt.times_out()
    assert dealt.happened(Drew) == [Drew(1, (2,), ())]
    dealt.does(2, DRAW, throw=(2,))
    dealt.does(3, DRAW, throw=(2,))
    dealt.deals()
    assert dealt.offered.raise_least == 10


def test_all_in_players_discard_before_hands_are_turned_up():
    """RULES 5, field: "all live hands are turned up, after the last draw and never before"."""
    dealt = pineapple(stacks=100)
    dealt.does(3, RAISE, 100)
    dealt.does(1, CALL)
    dealt.does(2, FOLD)
    dealt.deals()
    assert [event.street for event in dealt.happened(StreetDealt)] == [0, 1, 2]
    assert not dealt.happened(HandShown)
    dealt.does(1, DRAW, throw=(2,))
    dealt.does(3, DRAW, throw=(0,))
    dealt.deals()
    assert [event.cards for event in dealt.happened(HandShown)] == [cards("AsAh"), cards("Qh4d")]
    dealt.ends()
    assert dealt.won() == {1: 210}


# Courchevel.


def test_courchevel_shows_the_first_card_of_the_flop_before_any_bet():
    dealt = a_game(
        "courchevel",
        "pl",
        {1: "AsAhKd7c2d", 2: "QsQhJdTc3d", 3: "8s8h9d4c5d"},
        "Ac2c3c9s9h",
        small_blind=5,
        big_blind=10,
    )
    assert dealt.hand.boards == [[*cards("Ac")]]
    assert not triggered(dealt.game, 0)  # a flop is three cards
    checked_down(dealt)
    assert [len(event.board) for event in dealt.happened(StreetDealt)] == [1, 1, 1, 1]
    assert dealt.hand.boards == [[*cards("Ac2c3c9s9h")]]
    assert triggered(dealt.game, 1)
    assert dealt.won() == {1: 30}


def test_courchevel_hilo_halves_the_pot():
    dealt = a_game(
        "courchevel_hilo",
        "pl",
        {1: "KsKhKd7c2d", 2: "AhQh4d5cJd"},
        "8cKc3c9s9h",
        small_blind=5,
        big_blind=10,
    )
    checked_down(dealt)
    assert dealt.won() == {1: 20}  # 8-5-4-3-A would need three low cards of the board

    dealt = a_game(
        "courchevel_hilo",
        "pl",
        {1: "KsKhKd7c2d", 2: "AhQh4d5cJd"},
        "8cKc3c2s9h",
        small_blind=5,
        big_blind=10,
    )
    checked_down(dealt)
    assert dealt.won() == {1: 10, 2: 10}


# Razz.


def razz(holes: dict[int, str]) -> Dealt:
    return a_game("razz", "fl", holes, ante=1, bring_in=3, small_bet=10, big_bet=20)


@pytest.mark.parametrize(
    ("doors", "seat"),
    [
        (("Kc", "Qd", "Jh"), 1),
        (("As", "2d", "3h"), 3),  # an ace is low
        (("As", "Ad", "Ah"), 1),
        (("Kc", "Kh", "Ks"), 3),  # "where the highest, the higher"
    ],
)
def test_razz_the_highest_up_card_brings_in(doors, seat):
    """RULES 8: "razz (ace-to-five low, highest up card brings in, lowest board acts first)"."""
    dealt = razz({at: f"{9 - at}c{9 - at}d{door}" for at, door in enumerate(doors, 1)})
    assert dealt.hand.turn == seat
    assert dealt.offered.bring_in == 3


def test_razz_the_lowest_board_acts_first_and_the_lowest_hand_wins():
    dealt = razz({1: "KcQcKd9s9h9dTc", 2: "2c3d4h5sAc8dJh"})
    dealt.does(1, BRING_IN)
    dealt.does(2, CALL)
    dealt.deals()
    assert dealt.hand.turn == 2
    checked_down(dealt)
    assert dealt.won() == {2: 8}


def test_five_card_stud_plays_the_five_own_cards():
    dealt = a_game(
        "five_card_stud",
        "nl",
        {1: "AsAh3d4d5d", 2: "KsKh2d2c7d"},
        ante=1,
        bring_in=2,
    )
    assert dealt.hand.turn == 2  # the king of hearts is the lowest up card
    checked_down(dealt)
    assert dealt.won() == {2: 6}


# Short deck.


def short_deck(holes: dict[int, str], board: str, stacks: int = 500) -> Dealt:
    return a_game("short_deck", "nl", holes, board, stacks, deck="6-A", ante=10, button_blind=10)


def test_short_deck_everybody_antes_and_the_button_posts():
    """RULES 8: "short_deck (36 cards, 6-A; a flush beats a full house; ... ante, button blind)"."""
    dealt = short_deck({1: "AsAh", 2: "KsKh", 3: "QsQh"}, "")
    posts = [(event.seat, event.post, event.amount) for event in dealt.happened(Posted)]
    assert posts[:3] == [(seat, Post.ANTE, 10) for seat in (1, 2, 3)]
    assert posts[3:] == [(3, Post.BUTTON_BLIND, 10)]
    # Left of the button opens, and the button has the option.
    assert dealt.hand.turn == 1
    assert (dealt.offered.call, dealt.offered.raise_least) == (10, 20)
    dealt.does(1, CALL)
    dealt.does(2, CALL)
    assert dealt.hand.turn == 3
    assert (dealt.offered.check, dealt.offered.raise_least) == (True, 20)
    dealt.does(3, CHECK)
    dealt.deals()
    assert (dealt.hand.turn, dealt.offered.raise_least) == (1, 10)


def test_short_deck_a_flush_beats_a_full_house():
    dealt = short_deck({1: "9s9h", 2: "AdKd"}, "9d6d7dKsKh")
    checked_down(dealt)
    assert dealt.won() == {2: 40}


def test_short_deck_the_ace_closes_the_lowest_straight():
    dealt = short_deck({1: "Ah6d", 2: "AdKd"}, "7c8c9hKsTc")
    checked_down(dealt)
    assert dealt.won() == {1: 40}  # 6-7-8-9-T

    dealt = short_deck({1: "Ah6d", 2: "AdKd"}, "7c8c9hKsJc")
    checked_down(dealt)
    assert dealt.won() == {1: 40}  # A-6-7-8-9 beats two kings


def test_short_deck_a_short_button_blind_is_called_in_full():
    dealt = short_deck({1: "AsAh", 2: "KsKh", 3: "QsQh"}, "", stacks=14)
    assert dealt.hand.seats[3].stack == 0
    assert dealt.offered.call == 4  # what seat 1 has left of the 10 that it owes
    assert options(dealt.hand) is not None


# Lowball and badugi.


@pytest.mark.parametrize(
    ("variant", "first", "second", "won"),
    [
        ("single_draw27", "2c3d4h5s7c", "2d3h4s5c8d", {1: 20}),
        ("single_draw27", "Ac2d3h4s5c", "KdQh9s8c7d", {2: 20}),  # aces are high
        ("triple_draw_a5", "Ac2d3h4s5c", "Ad2h3s4c6d", {1: 20}),
        ("triple_draw_a5", "Ac2c3c4c6c", "Ad2h3s4h7d", {1: 20}),  # flushes do not count
        ("badugi", "Ac2d3h4s", "Ad2h3s5c", {1: 20}),
        ("badugi", "Kc2d3h4s", "Ad2h3s4h", {1: 20}),  # four cards before three
        ("badugi", "Ac2d3h4h", "Ad2h3s4s", {1: 10, 2: 10}),
    ],
)
def test_the_lowest_hand_wins(variant, first, second, won):
    dealt = a_game(variant, "fl", {1: first, 2: second}, small_blind=5, big_blind=10)
    draws = sum(street.draw >= 0 for street in dealt.game.streets)
    checked_down(dealt)
    assert len(dealt.happened(Drew)) == 2 * draws
    assert dealt.won() == won


def test_six_card_omaha_uses_two_of_six():
    dealt = a_game(
        "omaha6",
        "pl",
        {1: "AsAhAdKs2c3c", 2: "4h5hKdQdJdTd"},
        "6h7h9h2s2d",
        small_blind=5,
        big_blind=10,
    )
    checked_down(dealt)
    assert dealt.won() == {2: 20}
