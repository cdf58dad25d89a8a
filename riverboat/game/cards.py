"""Cards: an int from 0 to 51 inside, two letters such as "Ah" at the edge, and the decks.

A card is `rank * 4 + suit`, so that cards sort by rank first. No part of the game but this module
reads or writes a card's letters, and this module never asks what a hand is worth.
"""

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

TEXTS: Final = tuple(r + s for r in RANKS for s in SUITS)
_CARDS: Final = {letters: number for number, letters in enumerate(TEXTS)}

# Decks by the names that the variants' tables use, in the order of a new pack.
DECKS: Final[dict[str, tuple[int, ...]]] = {
    "52": tuple(range(52)),
    "7-A": tuple(range(RANKS.index("7") * 4, 52)),
    "6-A": tuple(range(RANKS.index("6") * 4, 52)),
}


def card(letters: str) -> int:
    """The card written as a rank of "23456789TJQKA" and a suit of "cdhs".

    >>> card("2c"), card("Ah"), card("As")
    (0, 50, 51)
    """
    number = _CARDS.get(letters)
    if number is None:
        raise ValueError(f"not a card: {letters!r}")
    return number


def cards(letters: str) -> tuple[int, ...]:
    """The cards written one behind the other, with or without blanks between them.

    >>> cards("AhKd") == cards("Ah Kd") == (50, 45)
    True
    """
    packed = "".join(letters.split())
    if len(packed) % 2:
        raise ValueError(f"not cards: {letters!r} has half a card too much")
    pairs = [packed[at : at + 2] for at in range(0, len(packed), 2)]
    wrong = next((pair for pair in pairs if pair not in _CARDS), None)
    if wrong is not None:
        raise ValueError(f"not cards: {letters!r} holds {wrong!r}")
    return tuple(_CARDS[pair] for pair in pairs)


def text(card: int) -> str:
    """The card's two letters.

    >>> text(50)
    'Ah'
    """
    if not 0 <= card < 52:
        raise ValueError(f"not a card: {card!r}")
    return TEXTS[card]


def texts(cards: Iterable[int]) -> str:
    """The cards' letters, one behind the other.

    >>> texts((50, 45))
    'AhKd'
    """
    return "".join(map(text, cards))


def rank(card: int) -> int:
    """0 for a two, up to 12 for an ace."""
    return card >> 2


def suit(card: int) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3
