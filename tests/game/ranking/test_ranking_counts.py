"""Every hand there is: the known classes and the known counts of each category."""

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest

from riverboat.game.cards import DECKS
from riverboat.game.ranking import ranking
from riverboat.game.ranking.fast import FastRanking
from riverboat.game.ranking.packed import LOW_BITS, LOW_MASK, packed
from riverboat.game.ranking.tables import (
    FLUSH_SUIT,
    KEYS,
    NO_SUIT,
    RANK_KEYS,
    SUIT_BITS,
    SUIT_KEYS,
    SUIT_MASK,
    suits_shared,
)

FIVE_CARDS = {
    "straight flush": 40,
    "four of a kind": 624,
    "full house": 3_744,
    "flush": 5_108,
    "straight": 10_200,
    "three of a kind": 54_912,
    "two pair": 123_552,
    "one pair": 1_098_240,
    "high card": 1_302_540,
}
CLASSES = {
    "straight flush": 10,
    "four of a kind": 156,
    "full house": 156,
    "flush": 1_277,
    "straight": 10,
    "three of a kind": 858,
    "two pair": 858,
    "one pair": 2_860,
    "high card": 1_277,
}
SEVEN_CARDS = {
    "straight flush": 41_584,
    "four of a kind": 224_848,
    "full house": 3_473_184,
    "flush": 4_047_644,
    "straight": 6_180_020,
    "three of a kind": 6_461_620,
    "two pair": 31_433_400,
    "one pair": 58_627_800,
    "high card": 23_294_460,
}
# Five of 32 cards, by counting: the ace closes the straight below the seven, so five straights.
FIVE_OF_32 = {
    "straight flush": 20,
    "four of a kind": 224,
    "flush": 4 * comb(8, 5) - 20,
    "full house": 1_344,
    "straight": 5 * 4**5 - 20,
    "three of a kind": 10_752,
    "two pair": 24_192,
    "one pair": 107_520,
    "high card": (comb(8, 5) - 5) * (4**5 - 4),
}
# Seven cards hold only 4,824 of the 7,462 classes: a seven-high, for one, is never the best.
CLASSES_OF_SEVEN = 4_824


@cache
def standard() -> FastRanking:
    found = ranking("standard")
    assert isinstance(found, FastRanking)
    return found


def by_category(name: str, hands: dict[int, int]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for value, many in hands.items():
        meaning = ranking(name).meaning(value)
        assert meaning is not None
        counts[meaning.category] += many
    return dict(counts)


def test_all_2598960_five_card_hands_fall_into_the_7462_classes() -> None:
    hands = Counter(map(standard().value, combinations(range(52), 5)))
    assert sorted(hands) == list(range(1, 7_463))
    assert by_category("standard", hands) == FIVE_CARDS
    assert by_category("standard", dict.fromkeys(hands, 1)) == CLASSES


@pytest.mark.parametrize("name", ["flush_over_full_house", "draw32", "telesina"])
def test_all_201376_five_card_hands_of_32_fall_into_the_known_categories(name: str) -> None:
    hands = Counter(map(ranking(name).value, combinations(DECKS["7-A"], 5)))
    assert by_category(name, hands) == FIVE_OF_32
    assert sum(hands.values()) == comb(32, 5)


@pytest.mark.parametrize(("name", "classes"), [("low27", 7_462), ("ace_to_five_low", 6_175)])
def test_low_hands_fall_into_as_many_classes(name: str, classes: int) -> None:
    hands = Counter(map(ranking(name).value, combinations(range(52), 5)))
    assert sorted(hands) == list(range(1, classes + 1))


def test_56_lows_qualify_and_every_other_hand_is_worth_nothing() -> None:
    hands = Counter(map(ranking("ace_to_five_low8").value, combinations(range(52), 5)))
    assert sorted(hands) == list(range(57))
    # "Five different ranks of eight or lower": five of eight ranks in any suits.
    assert sum(many for value, many in hands.items() if value) == comb(8, 5) * 4**5


def suit_patterns(size: int) -> Iterator[tuple[int, int]]:
    """The value and the number of hands of `size` cards, counted by ranks and suits held."""
    tables = standard()
    for held in range(5, size + 1):
        for ranks in combinations(range(13), held):
            value = tables.flushes[sum(1 << rank for rank in ranks)]
            yield value, 4 * comb(39, size - held)
    for ranks in combinations_with_replacement(range(13), size):
        counts = Counter(ranks)
        if max(counts.values()) > 4:
            continue
        # Ways to hold each number of cards of one suit, rank by rank.
        in_suit, all_ways = [1], 1
        for many in counts.values():
            outside, inside = comb(3, many), comb(3, many - 1)
            longer = [0] * (len(in_suit) + 1)
            for held, ways in enumerate(in_suit):
                longer[held] += ways * outside
                longer[held + 1] += ways * inside
            in_suit, all_ways = longer, all_ways * comb(4, many)
        without_flush = all_ways - 4 * sum(in_suit[5:])
        if without_flush:
            total = sum(RANK_KEYS[rank] for rank in ranks)
            yield tables.by_count[size][total], without_flush


def test_all_133784560_seven_card_hands_by_weighted_count() -> None:
    hands: Counter[int] = Counter()
    for value, many in suit_patterns(7):
        hands[value] += many
    assert by_category("standard", hands) == SEVEN_CARDS
    assert len(hands) == CLASSES_OF_SEVEN


def test_the_weighted_count_is_the_count_for_five_cards_too() -> None:
    hands: Counter[int] = Counter()
    for value, many in suit_patterns(5):
        hands[value] += many
    assert by_category("standard", hands) == FIVE_CARDS


def test_no_two_multisets_of_ranks_share_a_sum() -> None:
    for size in (5, 6, 7):
        multisets = [
            ranks
            for ranks in combinations_with_replacement(range(13), size)
            if max(map(ranks.count, ranks)) <= 4
        ]
        assert len({sum(RANK_KEYS[rank] for rank in ranks) for ranks in multisets}) == len(
            multisets
        )


@pytest.mark.parametrize(("size", "least"), [(5, 5), (6, 5), (7, 5), (5, 3), (5, 4)])
def test_a_sum_tells_the_suit_that_enough_cards_share(size: int, least: int) -> None:
    shared = suits_shared(size, least)
    for held in combinations_with_replacement(range(4), size):
        suit = next((suit for suit in range(4) if held.count(suit) >= least), NO_SUIT)
        assert shared[sum(SUIT_KEYS[one] for one in held)] == suit


def test_sums_of_seven_cards_stay_in_one_digit_of_pythons_int() -> None:
    ends = [sum(sorted(KEYS)[:7]), sum(sorted(KEYS)[-7:])]
    assert max(map(abs, ends)) < 1 << sys.int_info.bits_per_digit


@pytest.mark.parametrize("name", ["standard", "short_deck", "ace_to_five_low"])
def test_a_packed_table_is_the_table(name: str) -> None:
    tables = ranking(name)
    assert isinstance(tables, FastRanking)
    for size in (5, 6, 7):
        shifts, values = packed(tables.by_count[size])
        for total, value in tables.by_count[size].items():
            assert values[shifts[total & LOW_MASK] + (total >> LOW_BITS)] == value


def test_sums_of_seven_fill_what_they_are_packed_into() -> None:
    assert len(packed(standard().sevens).values) < 1.1 * len(standard().sevens)


class Columns:
    """The tables of seven cards as columns of numbers, to value hands by the thousand."""

    def __init__(self) -> None:
        plain = standard().by_count[7]
        self.least = min(plain)
        self.plain = np.zeros(max(plain) - self.least + 1, dtype=np.uint16)
        self.plain[[total - self.least for total in plain]] = list(plain.values())
        self.flushes = np.array(standard().flushes, dtype=np.uint16)
        self.suits = np.array(FLUSH_SUIT[7], dtype=np.int8)
        self.keys = np.array(KEYS, dtype=np.int64)
        # Thirteen bits a suit.
        self.bits = np.array([1 << 13 * (c & 3) + (c >> 2) for c in range(52)], dtype=np.int64)

    def values(self, totals: np.ndarray, bits: np.ndarray) -> np.ndarray:
        values: np.ndarray = self.plain[(totals >> SUIT_BITS) - self.least]
        suits = self.suits[totals & SUIT_MASK]
        held = np.nonzero(suits >= 0)[0]
        values[held] = self.flushes[bits[held] >> 13 * suits[held].astype(np.int64) & 8191]
        return values


def test_columns_value_hands_as_the_ranking_does() -> None:
    columns = Columns()
    rng = np.random.default_rng(7)
    hands = np.array([rng.permutation(52)[:7] for _ in range(20_000)])
    values = columns.values(columns.keys[hands].sum(axis=1), columns.bits[hands].sum(axis=1))
    assert values.tolist() == [standard().value(hand) for hand in hands.tolist()]


def test_all_133784560_seven_card_hands_one_by_one() -> None:
    columns = Columns()
    # Four cards behind three: those whose lowest card is above the third are a prefix.
    fours = np.array(list(combinations(range(51, -1, -1), 4)))
    fours = fours[np.argsort(-fours[:, 3], kind="stable")]
    key_of_four = columns.keys[fours].sum(axis=1)
    bits_of_four = columns.bits[fours].sum(axis=1)
    above = [int((fours[:, 3] > card).sum()) for card in range(52)]
    hands = np.zeros(7_463, dtype=np.int64)
    for three in combinations(range(52), 3):
        many = above[three[2]]
        key, bits = columns.keys[list(three)].sum(), columns.bits[list(three)].sum()
        values = columns.values(key_of_four[:many] + key, bits_of_four[:many] + bits)
        hands += np.bincount(values, minlength=7_463)
    found = {int(value): int(hands[value]) for value in np.nonzero(hands)[0]}
    assert sum(found.values()) == 133_784_560
    assert by_category("standard", found) == SEVEN_CARDS
    assert len(found) == CLASSES_OF_SEVEN
