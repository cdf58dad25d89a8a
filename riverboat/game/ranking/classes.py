"""Classes: what five cards are called, and how two hands of one class compare.

A hand's code is an int of six nibbles: the place of its category in the game's order, then up to
five ranks in the order in which they decide. This module knows no table and no suit but the one
question whether all cards share theirs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple


class Category(StrEnum):
    """What a hand is called. The order is each game's own."""

    HIGH_CARD = "high card"
    ONE_PAIR = "one pair"
    FOUR_STRAIGHT = "four-card straight"
    FOUR_FLUSH = "four-card flush"
    TWO_PAIR = "two pair"
    THREE_OF_A_KIND = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    FOUR_OF_A_KIND = "four of a kind"
    STRAIGHT_FLUSH = "straight flush"
    BADUGI = "badugi"


class Meaning(NamedTuple):
    """What a value stands for, ready to be said in any language."""

    category: Category
    ranks: tuple[int, ...]  # in the order in which they decide
    suit: int | None = None  # where suits are part of the value: the first that decides


# Worst first, as every order below.
STANDARD_ORDER: Final = (
    Category.HIGH_CARD,
    Category.ONE_PAIR,
    Category.TWO_PAIR,
    Category.THREE_OF_A_KIND,
    Category.STRAIGHT,
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.FOUR_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
)
# "A flush beats a full house": eight cards of a suit make it the rarer hand. [RULES 2, 32-card]
FLUSH_OVER_FULL_HOUSE_ORDER: Final = (
    *STANDARD_ORDER[:5],
    Category.FULL_HOUSE,
    Category.FLUSH,
    *STANDARD_ORDER[7:],
)

ACE: Final = 12
NIBBLE: Final = 4
NIBBLE_MASK: Final = (1 << NIBBLE) - 1
CATEGORY_SHIFT: Final = 5 * NIBBLE


def pack(place: int, ranks: Sequence[int]) -> int:
    """The code of a category's `place` in its order and the ranks that decide within it.

    Nibbles hold rank + 1, so that a card that is not there is less than any that is.
    """
    code = place
    for rank in ranks:
        code = code << NIBBLE | rank + 1
    return code << NIBBLE * (5 - len(ranks))


def unpack(code: int) -> tuple[int, tuple[int, ...]]:
    """The place and the ranks that `pack` was given."""
    nibbles = (code >> shift & 15 for shift in range(CATEGORY_SHIFT - NIBBLE, -1, -NIBBLE))
    return code >> CATEGORY_SHIFT, tuple(nibble - 1 for nibble in nibbles if nibble)


def grouped(ranks: Sequence[int]) -> tuple[Category, tuple[int, ...]]:
    """The category by equal ranks alone, and its different ranks in the order they decide.

    Works for fewer than five cards too: what stud players show, and for none.
    """
    counted = sorted([ranks.count(rank) << NIBBLE | rank for rank in set(ranks)], reverse=True)
    most = counted[0] >> NIBBLE if counted else 0
    more = counted[1] >> NIBBLE if len(counted) > 1 else 0
    return _BY_SIZES[most, more], tuple([one & NIBBLE_MASK for one in counted])


# By how many there are of the rank that is there most often, and of the next.
_BY_SIZES: Final = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (4, 0): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1): Category.THREE_OF_A_KIND,
    (3, 0): Category.THREE_OF_A_KIND,
    (2, 2): Category.TWO_PAIR,
    (2, 1): Category.ONE_PAIR,
    (2, 0): Category.ONE_PAIR,
    (1, 1): Category.HIGH_CARD,
    (1, 0): Category.HIGH_CARD,
    (0, 0): Category.HIGH_CARD,
}


def straight_top(ranks: Sequence[int], floor: int | None, length: int = 5) -> int | None:
    """The top rank of the run that `length` different ranks make, or None if they make none.

    The ace also closes the run that starts at `floor`, the lowest rank of the deck; its top is
    then the highest of the others. [RULES 2, 32-card] None for `floor`: the ace is high only.
    """
    run = sorted(set(ranks), reverse=True)
    if len(run) != length:
        return None
    if run[0] - run[-1] == length - 1:
        return run[0]
    if floor is not None and run[0] == ACE and run[1] == floor + length - 2 and run[-1] == floor:
        return run[1]
    return None


@dataclass(frozen=True, slots=True)
class Scheme:
    """All that a ranking by ranks and one question of suits needs to be told."""

    order: tuple[Category, ...] = STANDARD_ORDER
    floor: int = 0  # the lowest rank of the deck
    low: bool = False  # the lowest hand wins
    straights: bool = True  # straights and flushes count
    ace_low: bool = False  # the ace is the lowest rank, and only that
    wheel: bool = True  # the ace also closes the lowest straight
    qualifier: int = ACE  # a low's highest rank may not be above this; the ace of a low is 0

    def code(self, ranks: Sequence[int], flush: bool) -> int:
        """The code of five cards, or of what is showing: greater is higher, won or lost."""
        if self.ace_low:
            ranks = [(rank + 1) % 13 for rank in ranks]
        category, deciding = grouped(ranks)
        if self.straights and len(deciding) == 5:
            top = straight_top(ranks, self.floor if self.wheel else None)
            if top is not None:
                category = Category.STRAIGHT_FLUSH if flush else Category.STRAIGHT
                deciding = (top,)
            elif flush:
                category = Category.FLUSH
        return pack(self.order.index(category), deciding)

    def qualifies(self, code: int) -> bool:
        """Whether a hand takes part at all. [RULES 2, hi/lo]"""
        if self.qualifier == ACE:
            return True
        place, ranks = unpack(code)
        return place == 0 and ranks[0] <= self.qualifier

    def meaning(self, code: int) -> Meaning:
        """The category and the ranks, two to ace, that a code stands for."""
        place, ranks = unpack(code)
        if self.ace_low:
            ranks = tuple((rank - 1) % 13 for rank in ranks)
        return Meaning(self.order[place], ranks)
