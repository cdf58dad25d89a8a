"""Hand values: cards in, one comparable int out. Never asks who holds them or for how much."""

from riverboat.game.ranking.classes import Category, Meaning
from riverboat.game.ranking.face import Cards, Ranking
from riverboat.game.ranking.registry import RANKINGS, SELECTIONS, best, judge, ranking, values

__all__ = [
    "RANKINGS",
    "SELECTIONS",
    "Cards",
    "Category",
    "Meaning",
    "Ranking",
    "best",
    "judge",
    "ranking",
    "values",
]
