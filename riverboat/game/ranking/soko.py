"""Sökö: the standard ranking with the four-card flush and the four-card straight.

Both stand between one pair and two pair, the flush above the straight. Owns nothing else: what
is common to five cards is the classes' business.
"""

from collections.abc import Sequence
from itertools import combinations
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
from riverboat.game.ranking.face import Ranking

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


class Soko(Ranking):
    """Sökö's ranking. A value is its code."""

    _scheme = Scheme(order=ORDER)

    def exact(self, cards: Sequence[int]) -> int:
        return self.showing(cards)

    def showing(self, cards: Sequence[int]) -> int:
        flush = len(cards) == self.size and len({card & 3 for card in cards}) == 1
        code = self._scheme.code([card >> 2 for card in cards], flush)
        # A hand with a pair that also holds four to a run or a suit is the better category.
        if code >> CATEGORY_SHIFT <= _BEST_PLAIN:
            code = max(code, _four_card_code(cards))
        return code

    def meaning(self, value: int) -> Meaning | None:
        place, ranks = unpack(value)
        return Meaning(ORDER[place], ranks)
