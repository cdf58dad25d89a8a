"""Words: hands as an English-speaking person says them.

For logs, the terminal and the hand histories. Skins in other languages say a value's meaning in
their own words; nothing parses a sentence.
"""

from collections.abc import Callable, Sequence
from typing import Final

from riverboat.game.ranking.classes import Category, Meaning

NAMES: Final = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def _many(rank: int) -> str:
    return NAMES[rank] + ("es" if NAMES[rank].endswith("x") else "s")


def _all(ranks: Sequence[int]) -> str:
    return "-".join(NAMES[rank] for rank in ranks)


def _kickers(said: str, kickers: Sequence[int]) -> str:
    return f"{said}, {_all(kickers)} kicker{'s' if len(kickers) > 1 else ''}" if kickers else said


Ranks = Sequence[int]
_DETAILS: Final[dict[Category, Callable[[Ranks], str]]] = {
    Category.HIGH_CARD: _all,
    Category.ONE_PAIR: lambda ranks: _kickers(_many(ranks[0]), ranks[1:]),
    Category.FOUR_STRAIGHT: lambda ranks: _kickers(f"{NAMES[ranks[0]]} high", ranks[1:]),
    Category.FOUR_FLUSH: lambda ranks: _kickers(_all(ranks[:4]), ranks[4:]),
    Category.TWO_PAIR: lambda ranks: _kickers(
        f"{_many(ranks[0])} and {_many(ranks[1])}", ranks[2:]
    ),
    Category.THREE_OF_A_KIND: lambda ranks: _kickers(_many(ranks[0]), ranks[1:]),
    Category.STRAIGHT: lambda ranks: f"{NAMES[ranks[0]]} high",
    Category.FLUSH: _all,
    Category.FULL_HOUSE: lambda ranks: f"{_many(ranks[0])} full of {_many(ranks[1])}",
    Category.FOUR_OF_A_KIND: lambda ranks: _kickers(_many(ranks[0]), ranks[1:]),
    Category.STRAIGHT_FLUSH: lambda ranks: f"{NAMES[ranks[0]]} high",
    Category.BADUGI: _all,
}


def sentence(meaning: Meaning | None, low: bool) -> str:
    """The hand in words, without a full stop."""
    if meaning is None:
        return "no low"
    category, ranks, suit = meaning
    name: str = category.value
    if category is Category.BADUGI:
        name = ("one-card badugi", "two-card badugi", "three-card badugi", name)[len(ranks) - 1]
    elif low:
        name = "low" if category is Category.HIGH_CARD else f"low, {name}"
    said = ", ".join(filter(None, (name, _DETAILS[category](ranks))))
    return said if suit is None else f"{said}, {SUITS[suit]}"
