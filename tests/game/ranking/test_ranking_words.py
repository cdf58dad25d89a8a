"""What hands are called, what players show, and what a table of rules may name."""

import doctest
from itertools import pairwise

import pytest

from riverboat.game.cards import cards
from riverboat.game.ranking import RANKINGS, SELECTIONS, Category, Meaning, best, judge, ranking
from riverboat.game.ranking import registry as module


def test_the_examples_in_the_docstrings_hold() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@pytest.mark.parametrize(
    ("name", "hand", "said"),
    [
        ("standard", "AhKhQhJhTh", "straight flush, ace high"),
        ("standard", "6c6d6h6sKd", "four of a kind, sixes, king kicker"),
        ("standard", "KcKdKh2s2d", "full house, kings full of twos"),
        ("standard", "AhJh9h7h5h", "flush, ace-jack-nine-seven-five"),
        ("standard", "5h4d3c2sAh", "straight, five high"),
        ("standard", "9c9d9hAs2d", "three of a kind, nines, ace-two kickers"),
        ("standard", "9c9d6h6s2d", "two pair, nines and sixes, two kicker"),
        ("standard", "TcTdAh6s2d", "one pair, tens, ace-six-two kickers"),
        ("standard", "AcTd8h6s2d", "high card, ace-ten-eight-six-two"),
        ("flush_over_full_house", "Ah7d8c9sTh", "straight, ten high"),
        ("draw32", "AhJh9h8h7h", "flush, ace-jack-nine-eight-seven, hearts"),
        ("draw32", "9c9d9hAs7d", "three of a kind, nines, ace-seven kickers"),
        ("telesina", "AsJs9s8s7s", "flush, spades"),
        ("telesina", "Ac7d8h9sTd", "straight, ten high, diamonds"),
        ("telesina", "AcJd8h9s7d", "high card, ace-jack-nine-eight-seven, clubs"),
        ("soko", "AcJc8c3c3d", "four-card flush, ace-jack-eight-three, three kicker"),
        ("soko", "6c7d8h9sKd", "four-card straight, nine high, king kicker"),
        ("low27", "7c5d4h3s2d", "low, seven-five-four-three-two"),
        ("low27", "6c5d4h3s2d", "low, straight, six high"),
        ("ace_to_five_low", "5h4h3h2hAh", "low, five-four-three-two-ace"),
        ("ace_to_five_low", "AhAd3h2h4h", "low, one pair, aces, four-three-two kickers"),
        ("ace_to_five_low8", "8h4h3h2hAh", "low, eight-four-three-two-ace"),
        ("ace_to_five_low8", "9h4h3h2hAh", "no low"),
        ("badugi", "Ac2d3h4s", "badugi, four-three-two-ace"),
        ("badugi", "Ac2d3h3s", "three-card badugi, three-two-ace"),
        ("badugi", "KcKdKhKs", "one-card badugi, king"),
    ],
)
def test_a_hand_is_told_as_a_person_would(name: str, hand: str, said: str) -> None:
    of = ranking(name)
    assert of.describe(of.value(cards(hand))) == said


def test_a_meaning_can_be_told_in_any_language() -> None:
    standard, draw32 = ranking("standard"), ranking("draw32")
    kings_full = Meaning(Category.FULL_HOUSE, (11, 0))
    assert standard.meaning(standard.value(cards("KcKdKh2s2d"))) == kings_full
    of_hearts = Meaning(Category.STRAIGHT, (8,), suit=2)
    assert draw32.meaning(draw32.value(cards("Th9c8c7dAs"))) == of_hearts


# Open cards, the best first; each line is told from the one below it.
SHOWING = {
    "standard": ["KcKdKhKs", "2c2d2hAs", "3c3d2h2s", "AcAd7h2s", "AcAd6h5s", "AcKcQcJc", "AcKd"],
    "flush_over_full_house": ["7c7d", "AcKd", "AhQd", "KcQc"],
    "soko": ["2c2d3c3d", "2c3c4c6c", "5c6d7h8h", "2c2dAsKd", "AcKdQhTs"],
    "telesina": ["7h7c8s8d", "AhAcKh8d", "AsAdKc8s", "AhQcJs", "AdKcQs", "AsKdQd"],
    "ace_to_five_low": ["Ac2d3h4s", "Ac2d3h5s", "KcQdJhTs", "AcAd2h3s", "AcAd2h2s", "AcAdAh2s"],
    "badugi": ["Ac2d3h", "Ac2d4h", "Ac2d3d"],
}


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [(name, better, worse) for name, hands in SHOWING.items() for better, worse in pairwise(hands)],
)
def test_open_cards_stand_in_the_order_of_the_game(name: str, better: str, worse: str) -> None:
    """RULES 4: "the player showing the highest hand (by the game's own ranking of the open
    cards".
    """
    showing = ranking(name).showing
    assert showing(cards(better)) > showing(cards(worse))


def test_open_cards_of_equal_ranks_tie_where_suits_break_nothing() -> None:
    for name in ("standard", "soko", "flush_over_full_house", "ace_to_five_low"):
        showing = ranking(name).showing
        assert showing(cards("AcKdJh")) == showing(cards("AsKhJd"))
    assert ranking("telesina").showing(cards("AcKdJh")) > ranking("telesina").showing(
        cards("AsKhJd")
    )


def test_a_name_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"no ranking is called 'chinese'.*standard.*badugi"):
        ranking("chinese")
    with pytest.raises(ValueError, match=r"no selection is called 'three'.*any_five.*own"):
        judge("standard", "three", cards("2c3c4c5c6c"))


def test_a_ranking_is_one_for_all_who_ask() -> None:
    for name in RANKINGS:
        assert ranking(name) is ranking(name)


@pytest.mark.parametrize("select", SELECTIONS)
def test_every_selection_gives_a_judge(select: str) -> None:
    board = () if select == "own" else cards("AcKcQcJcTc")
    own = cards("2d3d4d5d7d") if select == "own" else cards("2d2h")
    expected = {"own": "2d3d4d5d7d", "two_and_three": "2d2hAcKcQc"}.get(select, "AcKcQcJcTc")
    assert best("standard", select, own, board) == ranking("standard").value(cards(expected))


def test_the_best_values_win_and_equal_ones_share() -> None:
    of = ranking("standard")
    assert of.winners([5, 9, 9, 1], 4) == (1, 2)
    assert of.winners([0, 0], 2) == ()
    assert of.winners([], 0) == ()
    assert of.beats(9, 5, 2)
    assert not of.beats(9, 9, 2)
