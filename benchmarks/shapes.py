"""Shapes: every game of every rulebook as it is measured, read from the tables of rules.

Games whose showdowns compare alike have one shape. Names no game itself, so that a new table of
data is measured like any other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from benchmarks.bench_step import SETTINGS
from riverboat.game.hand.events import Stakes
from riverboat.game.rules import HOUSE
from riverboat.game.rules.schema import Forced, Game, Raise
from riverboat.game.table.events import Settings

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


COSTS: Final = {
    Forced.BLINDS: Stakes(small_blind=1, big_blind=2),
    Forced.BRING_IN: Stakes(ante=1, bring_in=1, small_bet=2),
    Forced.BUTTON_BLIND: Stakes(ante=1, button_blind=2),
}


def table_of(game: Game) -> Settings:
    """A table of this game, otherwise like all tables that are measured."""
    spread = (2, 4, 6) if game.raise_rule is Raise.SPREAD else ()
    return replace(
        SETTINGS,
        rulebook=game.rulebook,
        variant=game.variant,
        limit=game.limit,
        stakes=replace(COSTS[game.forced], spread=spread),
        seats=min(SETTINGS.seats, game.seats_most),
    )
