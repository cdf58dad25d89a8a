"""Omaha: exactly two own cards and exactly three of the board, by one row per board.

A row holds, for one multiset of board ranks, the best value that each pair of own ranks makes
with any three of them. Rows are made when a board first comes up (some 60 microseconds) and kept:
6,175 at most, five megabytes. Knows no ranking: the tables are handed in.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
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
FOUR: Final = 4  # own cards of Omaha itself, for which the loops are written out


class BoardRows:
    """The rows of one ranking, made as boards come up."""

    def __init__(self, fives: Mapping[int, int]) -> None:
        self._fives = fives
        self._by_three: dict[int, list[int]] = {}
        self._by_board: dict[int, Sequence[int]] = {}

    def row(self, total: int, board: Cards) -> Sequence[int]:
        """By the place of two own cards: the best value without a flush.

        `total` is the sum of the board's rank keys.
        """
        known = self._by_board.get(total)
        if known is not None:
            return known
        threes = {sum(three) for three in combinations([RANK_KEYS[c >> 2] for c in board], 3)}
        # A 0 to begin with, because max() of a single row would look for the greatest of it.
        best = map(max, [0] * WIDTH, *map(self._three, threes))
        row = self._by_board[total] = tuple(best)
        return row

    def _three(self, total: int) -> list[int]:
        row = self._by_three.get(total)
        if row is None:
            row = self._by_three[total] = [0] * WIDTH
            for high, low in combinations_with_replacement(range(13), 2):
                # Five of one rank are looked up too and never asked for: no deck deals them.
                five = total + RANK_KEYS[high] + RANK_KEYS[low]
                row[_BY_RANK[high][low]] = self._fives.get(five, 0)
        return row


def by_ranks(row: Sequence[int], hands: Sequence[Cards]) -> list[int]:
    """The values of hands of four, five or six own cards, as far as ranks make them."""
    places, values = PLACES, []
    if len(hands[0]) != FOUR:
        for own in hands:
            values.append(max([row[places[one][other]] for one, other in combinations(own, 2)]))
        return values
    for a, b, c, d in hands:
        # Written out, because max() of the six takes twice as long.
        with_a, with_b = places[a], places[b]
        best = row[with_a[b]]
        if (value := row[with_a[c]]) > best:
            best = value
        if (value := row[with_a[d]]) > best:
            best = value
        if (value := row[with_b[c]]) > best:
            best = value
        if (value := row[with_b[d]]) > best:
            best = value
        if (value := row[places[c][d]]) > best:
            best = value
        values.append(best)
    return values


def with_flushes(
    values: list[int],
    flushes: Sequence[int],
    bit_of: Sequence[int],
    board: Cards,
    hands: Sequence[Cards],
) -> list[int]:
    """The same values where a flush is no better, in the suit that `bit_of` gives bits."""
    bits = [bit_of[card] for card in board if bit_of[card]]
    threes = [sum(three) for three in combinations(bits, 3)]
    for place, own in enumerate(hands):
        if len(own) == FOUR:
            a, b, c, d = own
            held = bit_of[a] | bit_of[b] | bit_of[c] | bit_of[d]
        else:
            held = sum({bit_of[card] for card in own})
        more = held & held - 1  # without the lowest: nothing if fewer than two are of the suit
        if not more:
            continue
        # Two of the suit are one pair, and by far the most common.
        best = values[place]
        for pair in _pairs(held) if more & more - 1 else (held,):
            for three in threes:
                if (value := flushes[pair | three]) > best:
                    best = value
        values[place] = best
    return values


def _pairs(held: int) -> list[int]:
    bits = [1 << rank for rank in range(13) if held >> rank & 1]
    return [one | other for one, other in combinations(bits, 2)]
