"""Rows: over one board, the best value that each pair of own ranks makes with it.

A row is made when a board's ranks first come up (some ten microseconds where any five play, sixty
where two and three do) and kept: 6,175 at most of each kind, five megabytes. A hand is then one
look-up in a row that fits a processor's nearest memory, where a table of all seven cards does not.
Knows no ranking and no suit: the tables are handed in.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, repeat
from typing import Final

from riverboat.game.ranking.face import Cards
from riverboat.game.ranking.tables import RANK_KEYS

# By two cards: the place of their ranks in a row, the same for either order and any suits.
_BY_RANK: Final = tuple(
    tuple(max(high, low) * (max(high, low) + 1) // 2 + min(high, low) for low in range(13))
    for high in range(13)
)
WIDTH: Final = 91
PLACES: Final = tuple(
    tuple(places[card >> 2] for card in range(52)) for places in _BY_RANK for _ in range(4)
)
# By place: the sum of the two rank keys.
_PAIR_SUMS: Final = tuple(
    RANK_KEYS[high] + RANK_KEYS[low] for high in range(13) for low in range(high + 1)
)

Row = Sequence[int]


class Rows:
    """The rows of one ranking, made as boards come up, by the sum of a board's rank keys.

    Five of one rank are looked up too and never asked for: no deck deals them.
    """

    def __init__(self, values: Mapping[int, int]) -> None:
        self._values = values
        self.known: dict[int, Row] = {}

    def any_five(self, total: int) -> Row:
        """Of seven cards, by the sum of their rank keys: any five play."""
        sums = map(total.__add__, _PAIR_SUMS)
        row = self.known[total] = tuple(map(self._values.get, sums, repeat(0)))
        return row


class RowsOfThree(Rows):
    """The same where exactly three of the board play, from a table of five cards."""

    def __init__(self, values: Mapping[int, int]) -> None:
        super().__init__(values)
        self._by_three: dict[int, Row] = {}

    def two_and_three(self, total: int, board: Cards) -> Row:
        """Of a board whose rank keys have this sum."""
        threes = {sum(three) for three in combinations([RANK_KEYS[c >> 2] for c in board], 3)}
        # A 0 to begin with, because max() of a single row would look for the greatest of it.
        best = map(max, repeat(0, WIDTH), *map(self._three, threes))
        row = self.known[total] = tuple(best)
        return row

    def _three(self, total: int) -> Row:
        row = self._by_three.get(total)
        if row is None:
            sums = map(total.__add__, _PAIR_SUMS)
            row = self._by_three[total] = tuple(map(self._values.get, sums, repeat(0)))
        return row
