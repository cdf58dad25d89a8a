"""The product's rankings and the plain ones put every hand of a deck in the same order.

Where suits only have to be equal or not, one hand stands for all that differ by suits' names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from math import comb

import pytest

from riverboat.game.cards import cards
from riverboat.game.ranking import ranking
from tests.documents import plain_rankings as plain
from tests.documents.every_hand import Hand, counted, counted_in_soko, hands, kinds

Plain = Callable[[Hand], plain.Key | None]
TOTAL_OF_32 = comb(32, 5)
assert TOTAL_OF_32 == 201_376


class Valued:
    """What both rankings say of every hand: for each plain key the product's values."""

    def __init__(self, name: str, worth: Plain, every: Iterable[tuple[Hand, int]]) -> None:
        self.of = ranking(name)
        self.many: Counter[int] = Counter()  # hands by the product's value
        self.values: dict[plain.Key | None, set[int]] = {}
        self.masks: dict[plain.Key | None, list[int]] = {}  # hands by the plain key, bit by card
        for hand, many in every:
            numbers = cards("".join(hand))
            key, value = worth(hand), self.of.exact(numbers)
            self.many[value] += many
            self.values.setdefault(key, set()).add(value)
            self.masks.setdefault(key, []).append(sum(1 << number for number in numbers))

    def in_one_order(self) -> list[set[int]]:
        """The values of the plain keys as they rise; no later one is met before its turn."""
        assert self.values.pop(None, {0}) == {0}, "who takes no part has no value"
        in_order = [self.values[key] for key in sorted(key for key in self.values if key)]
        assert min(in_order[0]) > 0
        assert all(max(low) < min(high) for low, high in pairwise(in_order))
        return in_order

    def names(self) -> Counter[str]:
        """How many hands the product calls by each name."""
        found: Counter[str] = Counter()
        for value, many in self.many.items():
            meaning = self.of.meaning(value)
            if meaning is not None:
                found[str(meaning.category).replace("four-card ", "four-")] += many
        return found


@pytest.mark.parametrize(
    ("name", "worth", "deck", "classes", "counts"),
    [
        ("standard", plain.high, "52", 7_462, counted(13, 10)),
        ("soko", plain.soko, "52", None, counted_in_soko()),
        ("short_deck", plain.short_deck, "6-A", None, counted(9, 6)),
        ("flush_over_full_house", plain.americana, "7-A", None, counted(8, 5)),
        ("low27", plain.low27, "52", 7_462, counted(13, 9)),  # the ace is high only
        ("ace_to_five_low8", plain.low8, "52", comb(8, 5), {"high card": comb(8, 5) * 4**5}),
    ],
)
def test_every_kind_of_hand_has_its_place_and_its_name(name, worth, deck, classes, counts):
    valued = Valued(name, worth, kinds(deck))
    ranks = {"52": 13, "6-A": 9, "7-A": 8}[deck]
    assert valued.many.total() == comb(4 * ranks, 5)
    in_order = valued.in_one_order()
    assert all(len(values) == 1 for values in in_order)  # equal hands are equal in both
    assert classes in (None, len(in_order))
    assert valued.names() == counts


def test_every_ace_to_five_low_has_its_place():
    valued = Valued("ace_to_five_low", plain.low_a5, kinds("52"))
    in_order = valued.in_one_order()
    assert all(len(values) == 1 for values in in_order)
    # Every choice of five of thirteen ranks, each four times at most.
    assert len(in_order) == comb(13 + 4, 5) - 13
    usual = counted(13, 0)  # neither straights nor flushes
    usual["high card"] += usual.pop("flush")
    assert valued.names() == {name: many for name, many in usual.items() if many}


def test_every_badugi_has_its_place():
    valued = Valued("badugi", plain.badugi, kinds("52", 4))
    assert valued.many.total() == comb(52, 4)
    in_order = valued.in_one_order()
    assert all(len(values) == 1 for values in in_order)
    assert len(in_order) == sum(comb(13, many) for many in (1, 2, 3, 4))
    whole = 0
    for value, many in valued.many.items():
        meaning = valued.of.meaning(value)
        assert meaning is not None
        whole += many * (len(meaning.ranks) == 4)
    assert whole == comb(13, 4) * 4 * 3 * 2


@pytest.mark.parametrize(
    ("name", "worth", "shared_at_most"),
    [("draw32", plain.draw32, 0), ("telesina", plain.telesina, 1)],
)
def test_every_hand_of_32_cards_has_its_place_and_its_name(name, worth, shared_at_most):
    """RULES 2, draw32: "no two hands are ever equal": equal ones could not be dealt together.

    They share a card, and in Telesina one beside the Vela. Where the plain ranking stops the
    product may count on: for the same reason it decides nothing.
    """
    valued = Valued(name, worth, ((hand, 1) for hand in hands("7-A")))
    assert valued.many.total() == TOTAL_OF_32
    valued.in_one_order()
    assert valued.names() == counted(8, 5)
    for masks in valued.masks.values():
        shared = masks[0]
        for mask in masks:
            shared &= mask
        if shared.bit_count() <= shared_at_most:
            for one, other in combinations(masks, 2):
                assert (one & other).bit_count() > shared_at_most


def test_the_names_of_suits_do_not_matter_to_the_others():
    """The kinds stand for all: those of 32 cards are valued one by one."""
    value = ranking("flush_over_full_house").exact
    by_kind: Counter[int] = Counter()
    for hand, many in kinds("7-A"):
        by_kind[value(cards("".join(hand)))] += many
    assert by_kind == Counter(value(cards("".join(hand))) for hand in hands("7-A"))


def test_the_plain_names_have_the_same_counts():
    for name, deck, expected in (
        (plain.soko_name, "52", counted_in_soko()),
        (lambda hand: plain.shape(hand, 10), "7-A", counted(8, 5)),
    ):
        found: Counter[str] = Counter()
        for hand, many in kinds(deck):
            found[name(hand)] += many
        assert found == expected
