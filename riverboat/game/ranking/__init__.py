"""Hand values: cards in, one comparable int out. Never asks who holds them or for how much."""

from riverboat.game.ranking.classes import Category, Meaning
from riverboat.game.ranking.face import Judge, Ranking
from riverboat.game.ranking.registry import RANKINGS, SELECTIONS, best, judge, ranking

__all__ = [
    "RANKINGS",
    "SELECTIONS",
    "Category",
    "Judge",
    "Meaning",
    "Ranking",
    "best",
    "judge",
    "ranking",
]
