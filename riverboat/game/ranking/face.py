"""Ranking: the one face that every way of ranking hands has.

A value is an int, greater wins, in lows too; 0 is a hand that takes no part (a low that does not
qualify). Values of different rankings are never compared. Knows no player, no pot and no money.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from riverboat.game.ranking.classes import Meaning
from riverboat.game.ranking.words import sentence

# The own cards of one player, or the cards that all share.
Cards = Sequence[int]
# A showdown: the board and each player's own cards, to their values in the same order.
Judge = Callable[[Cards, Iterable[Cards]], list[int]]


class Ranking(ABC):
    """One way of ranking hands. The slow, plain form: subclasses may know short cuts."""

    size = 5  # cards in a whole hand
    low = False  # the lowest hand has the greatest value
    floor = 0  # the lowest rank that it knows; a deck may begin higher, never lower

    @abstractmethod
    def exact(self, cards: Cards) -> int:
        """The value of one whole hand, neither more nor fewer cards."""

    @abstractmethod
    def showing(self, cards: Cards) -> int:
        """The value of a player's open cards, against as many of another's. [RULES 4, field]"""

    @abstractmethod
    def meaning(self, value: int) -> Meaning | None:
        """What `value` stands for; None for a hand that takes no part."""

    def value(self, cards: Cards) -> int:
        """The value of the best hand among these cards."""
        assert len(cards) >= self.size, "who comes to a showdown has a whole hand"
        return max(self.exact(hand) for hand in combinations(cards, self.size))

    def own(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        """The values of hands that use none of the board."""
        return list(map(self.value, hands))

    def any_five(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        """The values of hands that use any five of the own cards and the board."""
        return [self.value((*own, *board)) for own in hands]

    def two_and_three(self, board: Cards, hands: Iterable[Cards]) -> list[int]:
        """The values of hands that use exactly two own cards and three of the board."""
        threes = tuple(combinations(board, 3))
        assert threes, "exactly three cards of the board play"
        return [
            max(self.exact((*two, *three)) for two in combinations(own, 2) for three in threes)
            for own in hands
        ]

    def describe(self, value: int) -> str:
        """The hand in a person's words: "full house, kings full of twos"."""
        return sentence(self.meaning(value), self.low)

    def beats(self, value: int, other: int, contestants: int) -> bool:
        """Whether `value` wins against `other` where so many players contest the pot."""
        return value > other

    def winners(self, values: Sequence[int], contestants: int) -> tuple[int, ...]:
        """The places of the best values, none when no hand takes part.

        `contestants` counts whom the rulebook counts: those live in the hand, or those eligible
        for this pot. Only a ranking with a rule about it looks. [RULES 2, telesina]
        """
        best = max(values, default=0)
        return tuple(place for place, value in enumerate(values) if value == best > 0)
