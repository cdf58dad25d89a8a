"""Contests: what each opened hand is worth over one board, by each ranking that its game names.

Most games have one contest a board, those that halve the pot two. Nobody wins anything here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from riverboat.game.hand.events import Half
from riverboat.game.ranking import registry
from riverboat.game.ranking.face import Judge, Ranking
from riverboat.game.rules.schema import Game

# The own cards of the seats whose hands were opened.
Hole = Mapping[int, Sequence[int]]

# Looking members up in their enums takes as long as a hand's value.
HIGH: Final = Half.HIGH
LOW: Final = Half.LOW


@dataclass(slots=True)
class Contest:
    """One ranking over one board."""

    half: Half
    ranking: Ranking
    values: dict[int, int]  # by seat
    best: int = 0  # the greatest value that is up so far


def contests(game: Game, hole: Hole, board: Sequence[int]) -> list[Contest]:
    """The contests over one board: one in most games, high and low where the pot is halved."""
    found = []
    if game.high:
        found.append(_contest(HIGH, game.high, game.select, hole, board))
    if game.low:
        found.append(_contest(LOW, game.low, game.select, hole, board))
    return found


def _contest(half: Half, name: str, select: str, hole: Hole, board: Sequence[int]) -> Contest:
    ranking, judge = _ways(name, select)
    return Contest(half, ranking, dict(zip(hole, judge(board, hole.values()), strict=True)))


@cache
def _ways(name: str, select: str) -> tuple[Ranking, Judge]:
    return registry.ranking(name), registry.showdown(name, select)


def greatest_wins(over: Sequence[Contest]) -> bool:
    """Whether the greater of two values always wins, however many contest the pot."""
    for contest in over:
        kind = type(contest.ranking)
        if kind.beats is not Ranking.beats or kind.winners is not Ranking.winners:
            return False
    return True
