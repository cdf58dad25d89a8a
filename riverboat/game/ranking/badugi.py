"""Badugi: the lowest cards of different ranks and different suits, more of them before fewer.

The ace is low. Of four cards, those that repeat a rank or a suit do not count.
"""

from collections.abc import Sequence
from itertools import combinations

from riverboat.game.ranking.classes import Category, Meaning, pack, unpack
from riverboat.game.ranking.face import Ranking


def _rungs(cards: Sequence[int]) -> list[int]:
    """The cards' ranks from the highest, turned over so that the lower is the greater."""
    return sorted(12 - (card // 4 + 1) % 13 for card in cards)


class Badugi(Ranking):
    """Badugi's ranking: place is the number of cards that count, less one."""

    size = 4
    low = True

    def exact(self, cards: Sequence[int]) -> int:
        for size in range(len(cards), 0, -1):
            found = [
                pack(size - 1, _rungs(some))
                for some in combinations(cards, size)
                if len({card >> 2 for card in some}) == len({card & 3 for card in some}) == size
            ]
            if found:
                return max(found)
        raise AssertionError("one card alone repeats nothing")

    def showing(self, cards: Sequence[int]) -> int:
        return self.exact(cards)

    def meaning(self, value: int) -> Meaning | None:
        _, rungs = unpack(value)
        return Meaning(Category.BADUGI, tuple((11 - rung) % 13 for rung in rungs))
