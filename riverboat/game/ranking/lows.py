"""Lows in which neither suits nor straights count: ace to five, with and without a qualifier.

Five different ranks are lower than any pair, so the ranks held, a bit each, decide nearly every
hand by themselves; and where a low must qualify they decide all of them.
"""

from collections.abc import Iterable
from functools import cache, cached_property
from itertools import combinations
from typing import Final

from riverboat.game.ranking.face import Cards
from riverboat.game.ranking.fast import STUD, FastRanking
from riverboat.game.ranking.tables import RANK_KEY_OF

_BITS: Final = tuple(1 << (card >> 2) for card in range(52))


class LowRanking(FastRanking):
    """The lowest five cards win, the ace being low. A flush is a hand like any other."""

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """By the ranks of up to seven cards, a bit each: the value, 0 if they hold no five."""
        return self.flushes  # where suits do not count that is any five different ranks

    def value(self, cards: Cards) -> int:
        bits = 0
        for card in cards:
            bits |= _BITS[card]
        return self.ranks[bits] or self._paired(cards)

    def _paired(self, cards: Cards) -> int:
        """The value of cards of fewer than five ranks."""
        return self.by_count[len(cards)][sum([RANK_KEY_OF[card] for card in cards])]

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        hands = tuple(hands)
        if not hands or len(hands[0]) != STUD:
            return super().own(board, hands)
        bits, values, found = _BITS, self.ranks, []
        for a, b, c, d, e, f, g in hands:
            held = bits[a] | bits[b] | bits[c] | bits[d] | bits[e] | bits[f] | bits[g]
            found.append(values[held] or self._paired((a, b, c, d, e, f, g)))
        return found

    def any_five(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        if not board:
            return self.own(board, hands)
        return self.own((), [(*own, *board) for own in hands])


class QualifiedLow(LowRanking):
    """A low that takes part only with five different ranks up to the qualifier."""

    def _paired(self, cards: Cards) -> int:
        return 0

    @cached_property
    def _bit_of(self) -> tuple[int, ...]:
        """By card: a bit for each rank that may be part of a low, from the ace; or 0."""
        ranks = [((card >> 2) + 1) % 13 for card in range(52)]
        return tuple(1 << rank if rank <= self.scheme.qualifier else 0 for rank in ranks)

    @cached_property
    def _rows(self) -> dict[int, tuple[int, ...]]:
        """By the bits of a board, then of own cards; made as boards come up."""
        return {}

    def two_and_three(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        assert len(board) == 5, "Omaha is judged over a whole board"
        bits, found = self._bit_of, []
        a, b, c, d, e = board
        held = bits[a] | bits[b] | bits[c] | bits[d] | bits[e]
        row = self._rows.get(held) or self._row(held)
        for own in hands:
            held = 0
            for card in own:
                held |= bits[card]
            found.append(row[held])
        return found

    def _row(self, board: int) -> tuple[int, ...]:
        """The best low of two of some ranks and three of a board's, by all that can be held."""
        row = [0] * (2 << self.scheme.qualifier)
        threes = [sum(three) for three in combinations(_single(board), 3)]
        for held in range(len(row)):
            own = _single(held)
            if len(own) == 2:
                fives = [held | three for three in threes if not held & three]
                row[held] = max([self._by_bits[five] for five in fives], default=0)
            elif len(own) > 2:
                row[held] = max([row[held & ~rank] for rank in own[:3]])
        found = self._rows[board] = tuple(row)
        return found

    @cached_property
    def _by_bits(self) -> dict[int, int]:
        """By five bits from the ace."""
        every = range(self.scheme.qualifier + 1)
        return {
            sum([1 << rank for rank in five]): self.ranks[
                sum([1 << (rank - 1) % 13 for rank in five])
            ]
            for five in combinations(every, 5)
        }


@cache
def _single(bits: int) -> tuple[int, ...]:
    return tuple(1 << place for place in range(bits.bit_length()) if bits >> place & 1)
