"""Sökö: the standard ranking with the four-card flush and the four-card straight.

Both stand between one pair and two pair, the flush above the straight. Owns nothing else: what
is common to five cards is the classes' business.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Final

from riverboat.game.ranking.classes import (
    CATEGORY_SHIFT,
    STANDARD_ORDER,
    Category,
    Meaning,
    Scheme,
    pack,
    straight_top,
    unpack,
)
from riverboat.game.ranking.face import Cards, Ranking
from riverboat.game.ranking.tables import (
    KEYS,
    NO_SUIT,
    RANK_KEYS,
    SUIT_BITS,
    SUIT_MASK,
    suits_shared,
)

# Four-card hands beat one pair and lose to two. [RULES 2, soko]
ORDER: Final = (
    *STANDARD_ORDER[:2],
    Category.FOUR_STRAIGHT,
    Category.FOUR_FLUSH,
    *STANDARD_ORDER[2:],
)
_BEST_PLAIN: Final = ORDER.index(Category.ONE_PAIR)


def _with_fifth(cards: Sequence[int], four: Sequence[int]) -> tuple[int, ...]:
    return tuple(card >> 2 for card in cards if card not in four)


def _may_be_four(cards: Sequence[int]) -> bool:
    """Whether four of these follow each other or share a suit."""
    bits = 0
    for card in cards:
        bits |= 2 << (card >> 2)
    bits |= bits >> 13  # the ace stands below the two as well
    suits = [card & 3 for card in cards]
    return bool(bits & bits >> 1 & bits >> 2 & bits >> 3) or max(map(suits.count, suits)) > 3


def _four_card_code(cards: Sequence[int]) -> int:
    """The best four-card flush or straight among four or five cards; 0 if there is none."""
    best = 0
    for four in combinations(cards, 4):
        ranks = sorted((card >> 2 for card in four), reverse=True)
        fifth = _with_fifth(cards, four)
        if len({card & 3 for card in four}) == 1:
            best = max(best, pack(ORDER.index(Category.FOUR_FLUSH), (*ranks, *fifth)))
        top = straight_top(ranks, 0, length=4)
        if top is not None:
            best = max(best, pack(ORDER.index(Category.FOUR_STRAIGHT), (top, *fifth)))
    return best


def _offsuit(ranks: Sequence[int]) -> list[int]:
    """Cards of these ranks, of which no four share a suit."""
    return [rank << 2 | place & 3 for place, rank in enumerate(ranks)]


# By the suit bits of a sum of five: whether four or five share one.
_FOUR_SHARED: Final = tuple(suit != NO_SUIT for suit in suits_shared(5, 4))


class Soko(Ranking):
    """Sökö's ranking. A value is its code."""

    _scheme = Scheme(order=ORDER)

    @cached_property
    def _by_ranks(self) -> dict[int, int]:
        """By the sum of five rank keys: the code where no four cards share a suit."""
        return {
            sum(RANK_KEYS[rank] for rank in five): self.showing(_offsuit(five))
            for five in combinations_with_replacement(range(13), self.size)
            if five[0] != five[-1]
        }

    def exact(self, cards: Sequence[int]) -> int:
        total = sum([KEYS[card] for card in cards])
        if _FOUR_SHARED[total & SUIT_MASK]:
            return self.showing(cards)
        return self._by_ranks[total >> SUIT_BITS]

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        hands = tuple(hands)
        if not hands or len(hands[0]) != self.size:
            return super().own(board, hands)
        keys, shared, codes, found = KEYS, _FOUR_SHARED, self._by_ranks, []
        for a, b, c, d, e in hands:
            total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
            if shared[total & SUIT_MASK]:
                found.append(self.showing((a, b, c, d, e)))
            else:
                found.append(codes[total >> SUIT_BITS])
        return found

    def showing(self, cards: Sequence[int]) -> int:
        flush = len(cards) == self.size and len({card & 3 for card in cards}) == 1
        code = self._scheme.code([card >> 2 for card in cards], flush)
        # A hand with a pair that also holds four to a run or a suit is the better category.
        if code >> CATEGORY_SHIFT <= _BEST_PLAIN and _may_be_four(cards):
            code = max(code, _four_card_code(cards))
        return code

    def meaning(self, value: int) -> Meaning | None:
        place, ranks = unpack(value)
        return Meaning(ORDER[place], ranks)
