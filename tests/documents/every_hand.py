"""Every hand of a deck, and every kind of hand where suits only have to be equal or not.

Counts and lists cards as letters; values nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product
from math import comb
from typing import Final

SUITS: Final = "cdhs"
RANKS_OF: Final = {"52": "23456789TJQKA", "6-A": "6789TJQKA", "7-A": "789TJQKA"}
Hand = tuple[str, ...]


def whole_deck(deck: str) -> list[str]:
    return [rank + suit for rank in RANKS_OF[deck] for suit in SUITS]


def hands(deck: str, size: int = 5) -> Iterator[Hand]:
    """Every hand of the deck."""
    return combinations(whole_deck(deck), size)


def kinds(deck: str, size: int = 5) -> Iterator[tuple[Hand, int]]:
    """One hand for all that differ only by an exchange of suits, and how many they are."""
    found: dict[tuple[int, ...], list[tuple[tuple[str, ...], int]]] = {}
    for some in combinations_with_replacement(range(len(RANKS_OF[deck])), size):
        counts = tuple(some.count(rank) for rank in dict.fromkeys(some))
        if max(counts) > len(SUITS):
            continue
        if counts not in found:
            found[counts] = _suitings(counts)
        ranks = [RANKS_OF[deck][rank] for rank in dict.fromkeys(some)]
        for suits, many in found[counts]:
            yield (
                tuple(
                    rank + suit for rank, held in zip(ranks, suits, strict=True) for suit in held
                ),
                many,
            )


def _suitings(counts: tuple[int, ...]) -> list[tuple[tuple[str, ...], int]]:
    """The ways to give suits to so many cards of each rank; those alike but for names are one."""
    alike: dict[tuple[tuple[bool, ...], ...], list[tuple[str, ...]]] = {}
    choices = [["".join(held) for held in combinations(SUITS, count)] for count in counts]
    for suits in product(*choices):
        # What each suit holds, whichever suit it is.
        shape = tuple(sorted(tuple(suit in held for held in suits) for suit in SUITS))
        alike.setdefault(shape, []).append(suits)
    return [(same[0], len(same)) for same in alike.values()]


def counted(ranks: int, straights: int) -> dict[str, int]:
    """How many five-card hands of each name a deck of so many ranks in four suits has.

    `straights`: how many runs of five its ranks make, the ace's both ways.
    """
    return {
        "straight flush": straights * 4,
        "four of a kind": ranks * (ranks - 1) * 4,
        "full house": ranks * 4 * (ranks - 1) * 6,
        "flush": (comb(ranks, 5) - straights) * 4,
        "straight": straights * (4**5 - 4),
        "three of a kind": ranks * 4 * comb(ranks - 1, 2) * 4**2,
        "two pair": comb(ranks, 2) * 6**2 * (ranks - 2) * 4,
        "one pair": ranks * 6 * comb(ranks - 1, 3) * 4**3,
        "high card": (comb(ranks, 5) - straights) * (4**5 - 4),
    }


def counted_in_soko() -> dict[str, int]:
    """The same with four-flushes and four-straights, which take from pairs and high cards."""
    usual = counted(13, 10)
    # Four of a suit and a fifth of another, which may pair one of the four or close a straight.
    paired_flush = 4 * comb(13, 4) * 4 * 3
    four_flush = 4 * comb(13, 4) * 39 - 10 * 5 * 4 * 3
    # Eleven runs of four. A fifth rank that makes no straight: A-2-3-4 and J-Q-K-A leave eight,
    # the nine between leave seven. Suits: neither five nor four alike.
    alone = (2 * 8 + 9 * 7) * (4**5 - 4 - 5 * 4 * 3)
    # Or the fifth pairs one of the four, and is not the odd one of a four-flush.
    paired_run = 11 * 4 * (6 * 4**3 - 4 * 3)
    return {
        **usual,
        "four-flush": four_flush,
        "four-straight": alone + paired_run,
        "one pair": usual["one pair"] - paired_flush - paired_run,
        "high card": usual["high card"] - (four_flush - paired_flush) - alone,
    }
