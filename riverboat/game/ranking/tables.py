"""Tables: a hand's value by adding its cards' numbers and looking the sum up once.

Each card is a number whose high bits name its rank and whose low eight its suit. The sum of up to
seven cards then tells their ranks as a multiset and whether five share a suit. Tables are built
at first use, in about a tenth of a second, and never change.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import Final

from riverboat.game.ranking.classes import Meaning, Scheme
from riverboat.game.ranking.face import Cards, Ranking

SUIT_BITS: Final = 8
SUIT_MASK: Final = (1 << SUIT_BITS) - 1
# Sums of up to seven of these, at most four of each, are all different (49,205 of seven): a
# test holds them to it. Published as the keys of SpecialKEval, found there by search.
_FOUND: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
COUNTS: Final = 25  # a sum of seven of them has fewer bits than this
SUM_MASK: Final = (1 << COUNTS) - 1
# Moved so that sums of seven whole keys lie around zero and in one digit of Python's int, thirty
# bits and a sign: adding takes half the time there.
CENTRE: Final = 558_983
RANK_KEYS: Final = tuple(key - CENTRE for key in _FOUND)
# The smallest of which a sum of seven tells the suit of a flush, found by trying all; it tells
# the suit that three or four of five share too. More is not asked of them.
SUIT_KEYS: Final = (0, 1, 25, 32)
KEYS: Final = tuple((rank << SUIT_BITS) + suit for rank in RANK_KEYS for suit in SUIT_KEYS)
RANK_KEY_OF: Final = tuple(RANK_KEYS[card >> 2] for card in range(52))
_key_of: Final = RANK_KEY_OF.__getitem__
NO_SUIT: Final = -1


def suits_shared(size: int, least: int) -> tuple[int, ...]:
    """By the suit bits of a sum of so many cards: the suit that `least` or more of them share."""
    shared = [NO_SUIT] * (SUIT_MASK + 1)
    for held in combinations_with_replacement(range(4), size):
        for suit in range(4):
            if held.count(suit) >= least:
                shared[sum(SUIT_KEYS[one] for one in held)] = suit
    return tuple(shared)


# By the number of cards; fewer than five are no flush.
FLUSH_SUIT: Final = tuple(suits_shared(size, 5) for size in range(8))
# A board of five on which a flush is possible: at most one suit can be there three times.
BOARD_SUIT: Final = suits_shared(5, 3)


# By suit, then by card: the bit of the card's rank if it is of the suit, or 0.
SUITED_BITS: Final = tuple(
    tuple(1 << (card >> 2) if card & 3 == suit else 0 for card in range(52)) for suit in range(4)
)


# By rank: one more in its three bits of a count, and its key as it was found.
STEPS: Final = tuple(1 << COUNTS + 3 * rank | _FOUND[rank] for rank in range(13))


def by_sum(counted: dict[int, int], size: int) -> dict[int, int]:
    """The same values of so many cards by the sum of their rank keys."""
    moved = size * CENTRE
    return {(steps & SUM_MASK) - moved: value for steps, value in counted.items()}


def rank_bits(cards: Iterable[int], suit: int) -> int:
    """The ranks of the cards of one suit, a bit each."""
    bits = 0
    for card in cards:
        if card & 3 == suit:
            bits |= 1 << (card >> 2)
    return bits


class TableRanking(Ranking):
    """A ranking by ranks and by whether all five cards share a suit: 7,462 classes at most."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        self.low = scheme.low
        self.floor = scheme.floor
        # By the number of cards, then by the sum of their rank keys.
        self._showing: tuple[dict[int, int], ...] = ({}, {}, {}, {}, {}, {})
        self.suits = scheme.straights  # a flush is a flush

    @cached_property
    def _made(self) -> tuple[tuple[int, ...], tuple[int, ...], dict[int, int]]:
        """`codes`, `flushes` and `counted`, made together: coding the classes is most of it."""
        scheme, ranks = self.scheme, range(self.scheme.floor, 13)
        plain = {
            five: scheme.code(five, flush=False)
            for five in combinations_with_replacement(ranks, 5)
            if five[0] != five[4]
        }
        suited = {five: scheme.code(five, flush=True) for five in combinations(ranks, 5)}
        taking_part = filter(scheme.qualifies, {*plain.values(), *suited.values()})
        codes = tuple(sorted(taking_part, reverse=scheme.low))
        values = {code: place for place, code in enumerate(codes, 1)}
        best = [0] * (1 << 13)
        for five, code in suited.items():
            best[sum([1 << rank for rank in five])] = values.get(code, 0)
        for size in (6, 7):
            for some in combinations(ranks, size):
                bits = sum([1 << rank for rank in some])
                best[bits] = max([best[bits & ~(1 << rank)] for rank in some])
        counted = {
            sum([STEPS[rank] for rank in five]): values.get(code, 0) for five, code in plain.items()
        }
        return codes, tuple(best), counted

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes of all classes that take part, worst first: a value is a place + 1."""
        return self._made[0]

    @cached_property
    def flushes(self) -> tuple[int, ...]:
        """By rank bits of five to seven cards of one suit: the best value they hold."""
        return self._made[1]

    @property
    def counted(self) -> dict[int, int]:
        """By a sum of five steps, which tells how many there are of each rank."""
        return self._made[2]

    @cached_property
    def fives(self) -> dict[int, int]:
        """By the sum of five rank keys: the value without a flush."""
        return by_sum(self.counted, 5)

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        hands = tuple(hands)
        if not hands or len(hands[0]) != self.size:
            return super().own(board, hands)
        # Written out for the five cards of draw games: calls would take as long as the work.
        keys, suits, values, found = KEYS, FLUSH_SUIT[5], self.fives, []
        for a, b, c, d, e in hands:
            total = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
            if suits[total & SUIT_MASK] < 0:
                found.append(values[total >> SUIT_BITS])
            else:
                found.append(self.exact((a, b, c, d, e)))
        return found

    def exact(self, cards: Sequence[int]) -> int:
        total = sum(KEYS[card] for card in cards)
        suit = FLUSH_SUIT[5][total & SUIT_MASK]
        if suit < 0:
            return self.fives[total >> SUIT_BITS]
        return self.flushes[rank_bits(cards, suit)]

    def showing(self, cards: Sequence[int]) -> int:
        total, known = sum(map(_key_of, cards)), self._showing[len(cards)]
        value = known.get(total)
        if value is None:
            code = self.scheme.code([card >> 2 for card in cards], flush=False)
            value = known[total] = (1 << 24) - code if self.low else code
        return value

    def meaning(self, value: int) -> Meaning | None:
        if not value:
            return None
        return self.scheme.meaning(self.codes[value - 1])
