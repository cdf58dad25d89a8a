"""Hand values: cards in, one comparable int out. Never asks who holds them or for how much."""

from riverboat.game.ranking.classes import Category, Meaning
from riverboat.game.ranking.face import Cards, Judge, Ranking
from riverboat.game.ranking.registry import (
    FITS,
    RANKINGS,
    SELECTIONS,
    best,
    judge,
    ranking,
    showdown,
    values,
)

__all__ = [
    "FITS",
    "RANKINGS",
    "SELECTIONS",
    "Cards",
    "Category",
    "Judge",
    "Meaning",
    "Ranking",
    "best",
    "judge",
    "ranking",
    "showdown",
    "values",
]
