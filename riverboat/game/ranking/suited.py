"""Suits that break ties: 32-card draw, where no two hands are equal, and Telesina.

A value is a hand's code with suits behind (or between) its ranks. Because the one card that two
players can share has one suit, comparing the suits of kickers in turn is the rule of the Vela:
what is the Vela for both decides nothing, and the next kicker does.
"""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from riverboat.game.cards import cards as read
from riverboat.game.ranking.classes import (
    CATEGORY_SHIFT,
    FLUSH_OVER_FULL_HOUSE_ORDER,
    Category,
    Meaning,
    Scheme,
    pack,
    unpack,
)
from riverboat.game.ranking.face import Ranking
from riverboat.game.ranking.tables import TableRanking

# "hearts > diamonds > clubs > spades" [RULES 2, draw32], by the suits' own numbers: c d h s.
STANDING: Final = (1, 2, 3, 0)
SUIT_BITS: Final = 10  # five suits of two bits, the first to decide in front
SCHEME: Final = Scheme(order=FLUSH_OVER_FULL_HOUSE_ORDER, floor=5)
# "By the rank of the four / the three": there is no second such hand for a suit to decide.
_WITHOUT_SUITS: Final = {
    Category.FOUR_OF_A_KIND,
    Category.FULL_HOUSE,
    Category.THREE_OF_A_KIND,
}


def _in_turn(cards: Sequence[int], straight_top: int | None) -> list[int]:
    """The cards as their suits decide: kickers from the top, then pairs from the upper.

    An ace that closes a straight from below comes last. [RULES 2, draw32]
    """
    ranks = [card >> 2 for card in cards]

    def turn(card: int) -> tuple[bool, int, int, int]:
        rank = card >> 2
        below = straight_top is not None and rank > straight_top
        return below, ranks.count(rank), -rank, -STANDING[card & 3]

    return sorted(cards, key=turn)


def _suits(cards: Sequence[int]) -> int:
    packed = 0
    for card in cards:
        packed = packed << 2 | STANDING[card & 3]
    return packed << SUIT_BITS - 2 * len(cards)


class SuitedRanking(Ranking):
    """The 32-card ranking and a game's own use of suits."""

    floor = SCHEME.floor
    # Which of two hands has the better code; suits are asked only of those with the best.
    _plain = TableRanking(SCHEME)

    def exact(self, cards: Sequence[int]) -> int:
        return self._suited(self._plain.codes[self._plain.exact(cards) - 1], cards)

    def showing(self, cards: Sequence[int]) -> int:
        return self._suited(SCHEME.code([card >> 2 for card in cards], flush=False), cards)

    def value(self, cards: Sequence[int]) -> int:
        if len(cards) == self.size:
            return self.exact(cards)
        fives = tuple(combinations(cards, self.size))
        places = self._plain.own((), fives)
        best = max(places)
        return max(
            self.exact(five) for five, place in zip(fives, places, strict=True) if place == best
        )

    def _suited(self, code: int, cards: Sequence[int]) -> int:
        place, ranks = unpack(code)
        category = SCHEME.order[place]
        if category in _WITHOUT_SUITS:
            return code << SUIT_BITS
        straight = category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
        in_turn = _in_turn(cards, ranks[0] if straight else None)
        return self._with_suits(category, code, in_turn)

    @abstractmethod
    def _with_suits(self, category: Category, code: int, in_turn: Sequence[int]) -> int:
        """The code with the suits that decide, of the cards as they come in turn."""

    def meaning(self, value: int) -> Meaning | None:
        category, ranks, _ = SCHEME.meaning(value >> SUIT_BITS)
        if category in _WITHOUT_SUITS:
            return Meaning(category, ranks)
        return Meaning(category, ranks, STANDING.index(value >> SUIT_BITS - 2 & 3))


class Draw32(SuitedRanking):
    """No two hands are ever equal: one suit decides what the ranks do not."""

    def _with_suits(self, category: Category, code: int, in_turn: Sequence[int]) -> int:
        return code << SUIT_BITS | _suits(in_turn[:1])


class Telesina(SuitedRanking):
    """The suit of a flush is all of it, and of a high card more than the second card."""

    def _with_suits(self, category: Category, code: int, in_turn: Sequence[int]) -> int:
        place = code >> CATEGORY_SHIFT
        if category is Category.FLUSH:
            return pack(place, ()) << SUIT_BITS | _suits(in_turn[:1])
        if category is Category.HIGH_CARD:
            return _ranks_and_suits(place, in_turn)
        return code << SUIT_BITS | _suits(in_turn)

    def meaning(self, value: int) -> Meaning | None:
        if value >> CATEGORY_SHIFT + SUIT_BITS:
            return super().meaning(value)
        pairs = [value >> shift & 63 for shift in range(24, -1, -6)]
        ranks = tuple((pair >> 2) - 1 for pair in pairs if pair)
        return Meaning(Category.HIGH_CARD, ranks, STANDING.index(pairs[0] & 3))

    def beats(self, value: int, other: int, contestants: int) -> bool:
        # "When exactly two players are left [...], the highest one (hearts A-K-Q-J-T) loses to
        # the lowest one (spades T-9-8-7-A)." [RULES 2, telesina]
        if contestants == 2 and {value, other} == {HIGHEST, LOWEST}:
            return value == LOWEST
        return value > other

    def winners(self, values: Sequence[int], contestants: int) -> tuple[int, ...]:
        if contestants == 2 and sorted(values) == [LOWEST, HIGHEST]:
            return (values.index(LOWEST),)
        return super().winners(values, contestants)


def _ranks_and_suits(place: int, in_turn: Sequence[int]) -> int:
    packed = place
    for card in in_turn:
        packed = packed << 6 | (card >> 2) + 1 << 2 | STANDING[card & 3]
    return packed << 6 * (5 - len(in_turn))


# Telesina's highest straight flush and its lowest.
HIGHEST: Final = Telesina().exact(read("AhKhQhJhTh"))
LOWEST: Final = Telesina().exact(read("Ts9s8s7sAs"))
