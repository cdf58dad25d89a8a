"""The rules' own sentences about hand values, each with hands on both sides of it."""

import random
from collections import defaultdict
from itertools import combinations, pairwise

import pytest

from riverboat.game.cards import DECKS, cards, suit
from riverboat.game.ranking import best, judge, ranking
from riverboat.game.ranking.suited import HIGHEST, LOWEST


def value(name: str, hand: str) -> int:
    return ranking(name).value(cards(hand))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("QcQdQh6c6d", "QcQdQh5c5d"),  # QQQ66 > QQQ55
        ("Kh7h5h3h2h", "QsJsTs8s6s"),
        ("AcAdKhTs6c", "AcAdQhJs5c"),  # AAKT6 > AAQJ5
        ("JcJdJhAsQc", "JcJdJhAs9c"),  # JJJAQ > JJJA9
    ],
)
def test_the_documents_worked_comparisons(better: str, worse: str) -> None:
    """RULES 2: "QQQ66 > QQQ55; Kh7h5h3h2h > QsJsTs8s6s; AAKT6 > AAQJ5; JJJAQ > JJJA9." """
    for name in ("standard", "soko"):
        assert value(name, better) > value(name, worse)


# Hands from the best to the worst, each the better by a sentence of the rules.
STANDARD = [
    "AsKsQsJsTs",
    "5d4d3d2dAd",
    "2c2d2h2s3c",
    "AcAdAhKcKd",
    "AhJh9h7h5h",
    "AcKdQhJsTc",
    "5c4d3h2sAc",
    "AcAdAhKcQd",
    "AcAdKhKsQc",
    "AcAdKhQsJc",
    "AcKdQhJs9c",
    "7c5d4h3s2c",
]
SHORT = [
    "AhKhQhJhTh",
    "TcJcQcKc9c",
    "Ah7h8h9hTh",
    "7c7d7h7s8c",
    "7h8h9hJhKh",
    "AcAdAhKcKd",
    "AcKdQhJsTc",
    "Ac7d8h9sTc",
    "AcAdAhKcQd",
    "AcAdKhKsQc",
    "AcAdKhQsJc",
    "AcKdQhJs9c",
]
SHORT_36 = [
    *SHORT[:2],
    "Ah6h7h8h9h",
    *SHORT[3:6],
    "Tc6d7h8s9c",
    "Ac6d7h8s9c",
    *SHORT[8:],
]
SOKO = [
    *STANDARD[:9],
    "2c2d3h3s4c",  # the lowest two pair
    "AhKhQhJh9c",  # a four-flush, ...
    "AhKhQhJh8c",  # ... then its fifth card
    "5c6c7c8cKd",  # both four to a flush and to a straight: a four-flush
    "6c7d8h9sKd",
    "6d7h8s9cQd",
    "8c7d6h5s8d",  # "a hand with a pair that also holds a four-straight"
    "Ac2d3h4sKc",  # "A-2-3-4 is the lowest"
    "Ac2d3h4s4c",
    "AcAdKhQs9c",
    "AcKdQh9s8c",
]
LOW27 = [
    "2c3d4h5s7c",  # "best is 2-3-4-5-7 of mixed suits"
    "2c3d4h6s7c",
    "2c3d5h6s7c",
    "2c3d4h5s8c",
    "Ac2d3h4s5c",  # "is ace-high, not a straight"
    "AcKdQhJs9c",
    "2c2d3h4s5c",
    "2c2d3h3s4c",
    "2c2d2h3s4c",
    "2c3d4h5s6c",
    "AcKdQhJsTc",
    "2h3h4h5h7h",
    "AhKhQhJh9h",
    "2c2d2h3s3c",
    "2c2d2h2s3c",
    "2h3h4h5h6h",
]
ACE_TO_FIVE = [
    "Ac2d3h4s5c",
    "Ah2h3h4h6h",  # "straights and flushes ignored"
    "Ac2d3h5s6c",
    "2c3d4h5s6c",
    "Ac2d3h4s7c",
    "8c7d6h5s4c",
    "Ac2d3h4s9c",
    "KcQdJhTs9c",
    "AcAd2h3s4c",
    "KcKdQhJsTc",
    "AcAd2h2s3c",
    "AcAdAh2s3c",
    "AcAdAh2s2c",
    "AcAdAhAs2c",
]
BADUGI = [
    "Ac2d3h4s",
    "Ac2d3h5s",
    "Ac2d4h5s",
    "KcQdJhTs",
    "Ac2d3h3s",
    "Ac2d4h4s",
    "2c3d4h4s",
    "KcQdJhJs",
    "AcAd2h2s",
    "Ac2c3c4d",
    "KcKdQcQd",
    "Ac2c3c4c",
    "KcKdKhKs",
]


@pytest.mark.parametrize(
    ("name", "best_first"),
    [
        ("standard", STANDARD),
        ("flush_over_full_house", SHORT),
        ("draw32", SHORT),
        ("telesina", SHORT),
        ("short_deck", SHORT_36),
        ("soko", SOKO),
        ("low27", LOW27),
        ("ace_to_five_low", ACE_TO_FIVE),
        ("badugi", BADUGI),
    ],
)
def test_hands_stand_in_the_order_of_the_rules(name: str, best_first: list[str]) -> None:
    values = [value(name, hand) for hand in best_first]
    for (hand, one), (below, other) in pairwise(zip(best_first, values, strict=True)):
        assert one > other, f"{hand} beats {below}"


def test_a_low_qualifies_with_five_ranks_of_eight_or_lower() -> None:
    """RULES 2: "ace-to-five, eight or better: five different ranks of eight or lower"."""
    in_order = ["Ah2h3h4h5h", "Ac2d3h4s6c", "8c7d6h5s3c", "8c7d6h5s4c"]
    values = [value("ace_to_five_low8", hand) for hand in in_order]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 1
    for hand in ("9c4d3h2sAc", "AcAd2h3s4c", "KcQdJhTs9c"):
        assert value("ace_to_five_low8", hand) == 0
    assert ranking("ace_to_five_low8").winners([0, 0], 2) == ()


def test_omaha_low_takes_exactly_two_and_three_for_each_half() -> None:
    """RULES 2: "Omaha uses exactly two hole cards and exactly three of the board, for high and
    for low separately."
    """
    board = cards("2c5d8hKsKd")
    low = judge("ace_to_five_low8", "two_and_three", board)
    assert low(cards("AcJdJhTs")) == 0  # one low card of his own is not two
    wheel_draw = cards("Ac3dKhKc")
    assert low(wheel_draw) == value("ace_to_five_low8", "8h5d3d2cAc")
    assert best("standard", "two_and_three", wheel_draw, board) == value("standard", "KcKhKdKs8h")
    assert low(cards("Ac2d3h4s")) == value("ace_to_five_low8", "8h5d2c3hAc")


def test_stud_uses_any_five_of_seven_own_or_of_six_and_the_shared_seventh() -> None:
    own = cards("AcAdAh2s3c4dKh")
    assert best("standard", "any_five", own, ()) == value("standard", "AcAdAhKh4d")
    assert best("standard", "any_five", own[:6], own[6:]) == value("standard", "AcAdAhKh4d")
    assert best("standard", "own", own, cards("As")) == value("standard", "AcAdAhKh4d")


# Draw32: the ranks of the two hands are equal, and the suit named decides.
DRAW32_TIES = [
    ("AhKhQhJhTh", "AdKdQdJdTd"),
    ("AdKdQdJdTd", "AcKcQcJcTc"),
    ("AcKcQcJcTc", "AsKsQsJsTs"),
    ("Th9c8c7cAs", "Td9h8h7hAh"),  # "the top of A-7-8-9-10 is the ten"
    ("AhKcQcJcTs", "AdKhQhJhTh"),
    ("Ad9d8d7dKd", "Ac9c8c7cKc"),
    ("AcAsKcKs9h", "AhAdKhKd9d"),  # "then the kicker's suit"
    ("9c9sAhJcTc", "9h9dAdJhTh"),  # "the suit of the highest kicker"
    ("AhKsJs9s7c", "AdKhJh9h7h"),  # "then the suit of the highest"
]


@pytest.mark.parametrize(("better", "worse"), DRAW32_TIES)
def test_suits_break_every_tie_of_draw32(better: str, worse: str) -> None:
    """RULES 2: "Suits: hearts > diamonds > clubs > spades." """
    assert value("draw32", better) > value("draw32", worse)
    assert value("flush_over_full_house", better) == value("flush_over_full_house", worse)


def test_ranks_come_before_the_suit_of_a_draw32_flush() -> None:
    """RULES 2: "Flush: ranks from the top, then the suit." Telesina's: "the suit alone"."""
    spades, hearts = "AsKsQsJs9s", "Jh9h8h7hQh"
    assert value("draw32", spades) > value("draw32", hearts)
    assert value("telesina", hearts) > value("telesina", spades)


def test_no_two_hands_of_draw32_are_ever_equal() -> None:
    """RULES 2: "no two hands are ever equal", of all hands that can meet in one deal."""
    of = ranking("draw32").value
    alike: dict[int, list[set[int]]] = defaultdict(list)
    for hand in combinations(DECKS["7-A"], 5):
        alike[of(hand)].append(set(hand))
    assert any(len(hands) > 1 for hands in alike.values())
    for hands in alike.values():
        assert all(one & other for one, other in combinations(hands, 2))


TELESINA = [
    # own, own, the Vela: the first wins.
    ("AhKhQhJhTh", "AdKdQdJdTd", "7s"),  # straight flush: "top card, then suit"
    ("AcKsQcJdTs", "AsKcQdJcTc", "7d"),  # straight: "top card, then the top card's suit"
    ("KhQcJdTs7c", "KdQsJcTc7s", "Ac"),  # the top is the Vela for both: the next card's suit
    ("AhAdKcKh8c", "AcAsKdKs8h", "9d"),  # the Vela is the kicker of both: the upper pair's suit...
    ("AhAsKdKs8c", "AcAdKcKh8h", "9d"),  # ... the higher of its two suits
    ("AcAsKdKs9h", "AhAdKcKh9c", "7d"),  # kickers equal in rank, different cards
    ("AcAsKdKs9h", "AhAdKcKh8c", "9d"),  # one kicker is the Vela: hearts before diamonds
    ("9c9sAhJc8c", "9h9dAdJh8h", "7s"),  # one pair: "the suit of the highest kicker"
    ("9c9sJh8c7c", "9h9dJd8h7h", "As"),  # the Vela is the highest of both: the next kicker
    ("AhQc9c8s7d", "AdKcJs9d8c", "7s"),  # "Ah with Qc beats Ad with Kc"
]


@pytest.mark.parametrize(("better", "worse", "vela"), TELESINA)
def test_telesina_breaks_ties_by_suits(better: str, worse: str, vela: str) -> None:
    of = judge("telesina", "own_and_vela", cards(vela))
    assert of(cards(better)) > of(cards(worse))


def test_where_the_vela_is_the_highest_card_of_both_the_next_decides() -> None:
    """RULES 2, [field]: "Where the card that should break a tie by suit is the Vela for both, go
    on to the next kicker".
    """
    of = judge("telesina", "own_and_vela", cards("As"))
    hearts, diamonds, queen = cards("KhJc9c8s7c"), cards("KdQcJs9d8c"), cards("QhJd9h8h7d")
    assert of(hearts) > of(diamonds) > of(queen)


def test_no_two_players_of_telesina_tie_over_one_vela() -> None:
    rng = random.Random(32)
    for _ in range(2_000):
        dealt = rng.sample(DECKS["7-A"], 31)
        of = judge("telesina", "own_and_vela", dealt[30:])
        values = [of(dealt[at : at + 5]) for at in range(0, 30, 5)]
        assert len(set(values)) == 6


def test_the_highest_straight_flush_loses_to_the_lowest_when_two_are_left() -> None:
    """RULES 2: "When exactly two players are left [...], the highest one (hearts A-K-Q-J-T) loses
    to the lowest one (spades T-9-8-7-A)."
    """
    telesina = ranking("telesina")
    highest, lowest = value("telesina", "AhKhQhJhTh"), value("telesina", "AsTs9s8s7s")
    assert (highest, lowest) == (HIGHEST, LOWEST)
    assert telesina.beats(lowest, highest, contestants=2)
    assert not telesina.beats(highest, lowest, contestants=2)
    assert telesina.winners([highest, lowest], contestants=2) == (1,)
    assert telesina.winners([lowest, highest], contestants=2) == (0,)
    # With a third in the hand, and for every other pair of hands, the higher wins.
    assert telesina.beats(highest, lowest, contestants=3)
    assert not telesina.beats(lowest, highest, contestants=3)
    assert telesina.winners([highest, lowest], contestants=3) == (0,)
    next_lowest = value("telesina", "AcTc9c8c7c")
    next_highest = value("telesina", "AdKdQdJdTd")
    four_aces = value("telesina", "AcAdAhAs7c")
    assert telesina.winners([highest, next_lowest], contestants=2) == (0,)
    assert telesina.winners([next_highest, lowest], contestants=2) == (0,)
    assert telesina.winners([lowest, four_aces], contestants=2) == (0,)
    assert telesina.beats(next_highest, lowest, contestants=2)
    # Elsewhere nobody counts the players.
    assert ranking("draw32").beats(highest, lowest, contestants=2)


@pytest.mark.parametrize("name", ["standard", "flush_over_full_house", "soko"])
def test_suits_break_nothing_elsewhere(name: str) -> None:
    """RULES 2: "`americana`: equal hands split; suits break nothing."."""
    rng = random.Random(5)
    for _ in range(500):
        hand = rng.sample(DECKS["7-A"], 5)
        turned = [card - suit(card) + (suit(card) + 1) % 4 for card in hand]
        values = [ranking(name).value(hand), ranking(name).value(turned)]
        assert values[0] == values[1]
        assert ranking(name).winners(values, 2) == (0, 1)
