"""Omaha: exactly two own cards and exactly three of the board, by one row per board.

A row holds, for one multiset of board ranks, the best value that each pair of own ranks makes
with any three of them. Rows are made when a board first comes up (some 60 microseconds) and kept:
6,175 at most. Suits are looked at only over a board on which three cards share one.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Final

from riverboat.game.ranking.face import Judge
from riverboat.game.ranking.tables import RANK_KEYS

# Marks of an optimal Golomb ruler: no two pairs of ranks have the same sum, so that the sum of
# two own cards' marks is a place in the row.
MARKS: Final = (0, 2, 5, 25, 37, 43, 59, 70, 85, 89, 98, 99, 106)
MARK_OF: Final = tuple(MARKS[card >> 2] for card in range(52))
WIDTH: Final = 2 * MARKS[-1] + 1
_mark: Final[Callable[[int], int]] = MARK_OF.__getitem__


class BoardRows:
    """The rows of one ranking, made as boards come up."""

    def __init__(self, fives: Mapping[int, int]) -> None:
        self._fives = fives
        self._by_three: dict[int, list[int]] = {}
        self._by_board: dict[int, Sequence[int]] = {}

    def row(self, board: Sequence[int]) -> Sequence[int]:
        """By the sum of two own cards' marks: the best value without a flush."""
        keys = [RANK_KEYS[card >> 2] for card in board]
        known = self._by_board.get(sum(keys))
        if known is not None:
            return known
        threes = {sum(three) for three in combinations(keys, 3)}
        # A 0 to begin with, because max() of a single row would look for the greatest of it.
        best = map(max, [0] * WIDTH, *map(self._three, threes))
        row = self._by_board[sum(keys)] = array("H", best)
        return row

    def _three(self, total: int) -> list[int]:
        row = self._by_three.get(total)
        if row is None:
            row = self._by_three[total] = [0] * WIDTH
            for high in range(13):
                for low in range(high + 1):
                    # Five of one rank are looked up too and never asked for: no deck deals them.
                    five = total + RANK_KEYS[high] + RANK_KEYS[low]
                    row[MARKS[high] + MARKS[low]] = self._fives.get(five, 0)
        return row


def by_ranks(row: Sequence[int]) -> Judge:
    """The judge over a board where no three cards share a suit, or where suits say nothing."""
    mark_of = MARK_OF

    def judge(own: Sequence[int]) -> int:
        if len(own) != 4:
            return max(row[one + other] for one, other in combinations(map(_mark, own), 2))
        a, b, c, d = own
        a, b, c, d = mark_of[a], mark_of[b], mark_of[c], mark_of[d]
        return max(row[a + b], row[a + c], row[a + d], row[b + c], row[b + d], row[c + d])

    return judge


def by_suit(plain: Judge, flushes: Sequence[int], suit: int, board: Sequence[int]) -> Judge:
    """The judge over a board where three or more cards are of `suit`; `plain` knows the rest."""
    bits = [1 << (card >> 2) for card in board if card & 3 == suit]
    threes = [sum(three) for three in combinations(bits, 3)]

    def judge(own: Sequence[int]) -> int:
        best = plain(own)
        held = [1 << (card >> 2) for card in own if card & 3 == suit]
        if len(held) < 2:
            return best
        pairs = [one | other for one, other in combinations(held, 2)]
        return max(best, *(flushes[pair | three] for pair in pairs for three in threes))

    return judge
