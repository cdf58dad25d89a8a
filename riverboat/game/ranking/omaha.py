"""Omaha: exactly two own cards and exactly three of the board, in hands of four, five and six.

The innermost loops of the Omaha family, written out card by card: a loop over the pairs of a hand
takes twice as long. Knows no ranking: the tables are handed in.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from riverboat.game.ranking.face import Cards
from riverboat.game.ranking.rows import PLACES, Row
from riverboat.game.ranking.tables import SUITED_BITS


def _of_four(row: Row, hands: Sequence[Cards]) -> list[int]:
    places, values = PLACES, []
    for a, b, c, d in hands:
        with_a, with_b = places[a], places[b]
        best = row[with_a[b]]
        # The commonest of these games, and here max() would take a tenth more.
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


def _of_five(row: Row, hands: Sequence[Cards]) -> list[int]:
    places, values = PLACES, []
    for a, b, c, d, e in hands:
        with_a, with_b, with_c = places[a], places[b], places[c]
        best = max(
            row[with_a[b]],
            row[with_a[c]],
            row[with_a[d]],
            row[with_a[e]],
            row[with_b[c]],
            row[with_b[d]],
            row[with_b[e]],
            row[with_c[d]],
            row[with_c[e]],
            row[places[d][e]],
        )
        values.append(best)
    return values


def _of_six(row: Row, hands: Sequence[Cards]) -> list[int]:
    places, values = PLACES, []
    for a, b, c, d, e, f in hands:
        with_a, with_b, with_c, with_d = places[a], places[b], places[c], places[d]
        best = max(
            row[with_a[b]],
            row[with_a[c]],
            row[with_a[d]],
            row[with_a[e]],
            row[with_a[f]],
            row[with_b[c]],
            row[with_b[d]],
            row[with_b[e]],
            row[with_b[f]],
            row[with_c[d]],
            row[with_c[e]],
            row[with_c[f]],
            row[with_d[e]],
            row[with_d[f]],
            row[places[e][f]],
        )
        values.append(best)
    return values


def _of_any(row: Row, hands: Sequence[Cards]) -> list[int]:
    return [max([row[PLACES[one][other]] for one, other in combinations(o, 2)]) for o in hands]


_BY_SIZE: Final[dict[int, Callable[[Row, Sequence[Cards]], list[int]]]] = {
    4: _of_four,
    5: _of_five,
    6: _of_six,
}


def by_ranks(row: Row, hands: Sequence[Cards]) -> list[int]:
    """The values of hands of equally many own cards, as far as ranks make them."""
    return _BY_SIZE.get(len(hands[0]), _of_any)(row, hands)


def with_flushes(
    values: list[int], flushes: Sequence[int], suit: int, board: Cards, hands: Sequence[Cards]
) -> list[int]:
    """The same values where a flush of this suit is no better."""
    bits = SUITED_BITS[suit]
    a, b, c, d, e = board
    threes = _subsets(bits[a] | bits[b] | bits[c] | bits[d] | bits[e], 3)
    for place, own in enumerate(hands):
        if len(own) == 4:
            a, b, c, d = own
            held = bits[a] | bits[b] | bits[c] | bits[d]
        else:
            held = 0
            for card in own:
                held |= bits[card]
        more = held & held - 1  # without the lowest: nothing if fewer than two are of the suit
        if not more:
            continue
        # Two of the suit are one pair, and by far the most common.
        best = values[place]
        for pair in _subsets(held, 2) if more & more - 1 else (held,):
            for three in threes:
                if (value := flushes[pair | three]) > best:
                    best = value
        values[place] = best
    return values


@cache  # of at most five bits of thirteen, or six: a few thousand
def _subsets(bits: int, size: int) -> tuple[int, ...]:
    """Every choice of so many of these bits."""
    single = [1 << rank for rank in range(13) if bits >> rank & 1]
    return tuple(map(sum, combinations(single, size)))
