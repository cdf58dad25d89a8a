"""Shapes: what a showdown of each game compares, read from the tables of rules.

Games whose hands are judged alike have one shape. Names no game itself, so that a new table of
data is measured like any other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from riverboat.game.rules import HOUSE
from riverboat.game.rules.schema import Game

ORDER: Final = ("standard", *sorted(set(HOUSE.rulebooks) - {"standard"}))


class Shape(NamedTuple):
    """How hands of one game or more are judged."""

    rankings: tuple[str, ...]  # two where the pot is halved
    select: str
    deck: str
    own: int
    board: int


def every_game() -> dict[str, Game]:
    """One game of every variant that any rulebook has, by its id."""
    found: dict[str, Game] = {}
    for rulebook in ORDER:
        for variant in HOUSE.variants(rulebook):
            if variant not in found:
                limit = HOUSE.limits_of(rulebook, variant)[0]
                found[variant] = HOUSE.game(rulebook, variant, limit)
    return found


def shape_of(game: Game) -> Shape:
    """The cards of a showdown: what was dealt, less what had to go for nothing."""
    gone = sum(street.draw_least for street in game.streets if not street.refill)
    return Shape(
        tuple(name for name in (game.high, game.low) if name),
        game.select,
        game.deck,
        sum(street.down + street.up for street in game.streets) - gone,
        sum(street.board for street in game.streets),
    )


def shapes() -> dict[Shape, list[str]]:
    """Every shape, with the ids of its games."""
    found: dict[Shape, list[str]] = {}
    for variant, game in every_game().items():
        found.setdefault(shape_of(game), []).append(variant)
    return found
