"""Badugi: the lowest cards of different ranks and different suits, more of them before fewer.

The ace is low. Of four cards, those that repeat a rank or a suit do not count. A hand is one
look-up: the first two cards choose a row, the other two a place in it. Suits have no order, so
rows are shared by all pairs that are alike but for the names of their suits: 169, made as they
come up in half a millisecond each. Both are arrays of short numbers: as lists they take four times
the memory, and where other work contends for it a look-up is mostly waiting.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Final

from riverboat.game.ranking.classes import Category, Meaning, pack, unpack
from riverboat.game.ranking.face import Cards, Ranking

DECK: Final = range(52)
SHORT: Final = "H"  # of an array: numbers up to 65,535
Values = Sequence[int]
# By two cards, once suits are called by other names: their place in a row.
Places = tuple[Sequence[int], ...]


def _rungs(cards: Sequence[int]) -> list[int]:
    """The cards' ranks from the highest, turned over so that the lower is the greater."""
    return sorted(12 - (card // 4 + 1) % 13 for card in cards)


def _fit(one: int, other: int) -> bool:
    """Whether two cards count together."""
    return one >> 2 != other >> 2 and one & 3 != other & 3


_FITS: Final = tuple(tuple(_fit(one, other) for other in DECK) for one in DECK)
_BITS: Final = tuple(1 << (card >> 2) for card in DECK)


class Badugi(Ranking):
    """Badugi's ranking: a code's place is the number of cards that count, less one."""

    size = 4
    low = True

    def exact(self, cards: Sequence[int]) -> int:
        a, b, c, d = cards
        row, places = self._starts[a][b] or self._start(a, b)
        return row[places[c][d]]

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        hands = tuple(hands)
        if not hands or len(hands[0]) != self.size:
            return super().own(board, hands)
        starts, found = self._starts, []
        for a, b, c, d in hands:
            row, places = starts[a][b] or self._start(a, b)
            found.append(row[places[c][d]])
        return found

    def showing(self, cards: Sequence[int]) -> int:
        for size in range(len(cards), 0, -1):
            found = [
                pack(size - 1, _rungs(some))
                for some in combinations(cards, size)
                if all(_FITS[one][other] for one, other in combinations(some, 2))
            ]
            if found:
                return max(found)
        raise AssertionError("one card alone repeats nothing")

    def meaning(self, value: int) -> Meaning | None:
        _, rungs = unpack(self._ladder[value - 1])
        return Meaning(Category.BADUGI, tuple((11 - rung) % 13 for rung in rungs))

    @cached_property
    def _starts(self) -> list[list[tuple[Values, Places] | None]]:
        """By the first two cards: the row of all that may follow, and the way into it."""
        return [[None] * 52 for _ in DECK]

    @cached_property
    def _rows(self) -> dict[tuple[int, int], Values]:
        return {}

    @cached_property
    def _places(self) -> dict[tuple[int, ...], Places]:
        """By the suits' other names."""
        return {}

    def _start(self, one: int, other: int) -> tuple[Values, Places]:
        high, low = max(one, other), min(one, other)
        # The higher card's suit is called 0, and the lower's 1 if it is another.
        names = [-1] * 4
        for suit in (high & 3, low & 3, *range(4)):
            if names[suit] < 0:
                names[suit] = max(names) + 1
        named = tuple(names)
        first, second = (high & ~3 | names[high & 3]), (low & ~3 | names[low & 3])
        row = self._rows.get((first, second)) or self._row(first, second)
        places = self._places.get(named) or self._renamed(named)
        found = self._starts[one][other] = row, places
        return found

    def _renamed(self, names: tuple[int, ...]) -> Places:
        numbers = [[0] * 52 for _ in DECK]
        for place, (one, other) in enumerate(combinations(DECK, 2)):
            numbers[one][other] = numbers[other][one] = place
        renamed = [card & ~3 | names[card & 3] for card in DECK]
        places = tuple(array(SHORT, [numbers[one][other] for other in renamed]) for one in renamed)
        self._places[names] = places
        return places

    def _row(self, a: int, b: int) -> Values:
        """The values of these two with any other two, in the order of all pairs.

        Pairs that hold one of the two are there, and never asked for.
        """
        values, fits = self._by_ranks, _FITS
        of_a, of_b = self._threes[a], self._threes[b]
        best, third = of_a[b], [fits[a][b] and fits[a][c] and fits[b][c] for c in DECK]
        row = array(SHORT)
        for c in DECK:
            best_c, of_ac, of_bc = best[c], of_a[c], of_b[c]
            fourth = [third[c] and third[d] and fits[c][d] for d in DECK]
            bits = _BITS[a] | _BITS[b] | _BITS[c]
            for d in range(c + 1, 52):
                if fourth[d]:
                    row.append(values[bits | _BITS[d]])
                else:
                    row.append(max(best_c, best[d], of_ac[d], of_bc[d]))
        self._rows[a, b] = row
        return row

    @cached_property
    def _codes(self) -> dict[int, int]:
        """By the ranks that count, a bit each: the code."""
        return {
            sum(1 << rank for rank in ranks): pack(size - 1, _rungs([rank << 2 for rank in ranks]))
            for size in range(1, 5)
            for ranks in combinations(range(13), size)
        }

    @cached_property
    def _ladder(self) -> tuple[int, ...]:
        """The codes of all hands, worst first: a value is a place + 1."""
        return tuple(sorted(self._codes.values()))

    @cached_property
    def _by_ranks(self) -> dict[int, int]:
        """By the ranks that count, a bit each: the value."""
        values = {code: place for place, code in enumerate(self._ladder, 1)}
        return {bits: values[code] for bits, code in self._codes.items()}

    @cached_property
    def _threes(self) -> list[list[list[int]]]:
        """By three cards in any order, of which some may be the same: the best of them."""
        values, fits, bits = self._by_ranks, _FITS, _BITS
        twos = [
            [
                values[bits[a] | bits[b]] if fits[a][b] else max(values[bits[a]], values[bits[b]])
                for b in DECK
            ]
            for a in DECK
        ]
        threes: list[list[list[int]]] = [[[] for _ in DECK] for _ in DECK]
        for a, b in combinations_with_replacement(DECK, 2):
            fit, both, best = fits[a][b], bits[a] | bits[b], twos[a][b]
            of_a, of_b, fits_a, fits_b = twos[a], twos[b], fits[a], fits[b]
            threes[a][b] = threes[b][a] = [
                values[both | bits[c]]
                if fit and fits_a[c] and fits_b[c]
                else max(best, of_a[c], of_b[c])
                for c in DECK
            ]
        return threes
