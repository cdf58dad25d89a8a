"""Mixes: lists of games that one table deals in turn, as data.

Reads and checks; which game comes next at a table is the table's business. [RULES 8]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from riverboat.game.rules.reader import RulesError, checked, parsed
from riverboat.game.rules.vocabulary import flag, number, one_of, text

MIXED: Final = "mixed"  # stands in the place of a limit where a table deals a mix


class Rotation(StrEnum):
    """When the next game comes."""

    HANDS = "hands"
    ORBITS = "orbits"  # as many hands as there were players at the first


@dataclass(frozen=True, slots=True)
class MixedGame:
    """One game of a mix."""

    variant: str
    limit: str
    ante: bool = False  # a game with blinds takes the table's ante too
    blinds_divided_by: int = 1


@dataclass(frozen=True, slots=True)
class Mix:
    """Games in turn."""

    id: str
    name: str
    rotation: Rotation
    games: tuple[MixedGame, ...]
    every: int = 1  # so many hands or orbits of each game
    drawn: bool = False  # the next game is drawn, not the next of the list

    def hands(self, players: int) -> int:
        """How many hands a game gets, where so many players are dealt into the first."""
        return self.every * (players if self.rotation is Rotation.ORBITS else 1)


_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "name": text,
    "rotation": one_of(Rotation),
    "every": number(1),
    "drawn": flag,
}
_GAME_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "variant": text,
    "limit": text,
    "ante": flag,
    "blinds_divided_by": number(1),
}


def read_mixes(file: str, words: str) -> dict[str, Mix]:
    """Every mix of the text, by id."""
    mixes = {}
    for name, table in parsed(file, words).items():
        where = f"{file}: {name}"
        values = checked(where, table, _KEYS, apart=("games",))
        for key in ("name", "rotation"):
            if key not in values:
                raise RulesError(f"{where}.{key}: is missing")
        mixes[name] = Mix(id=name, games=_games(f"{where}.games", table.get("games")), **values)
    return mixes


def _games(where: str, rows: Any) -> tuple[MixedGame, ...]:
    if not isinstance(rows, list) or not rows:
        raise RulesError(f"{where}: must be a list of games, not {rows!r}")
    games = []
    for at, row in enumerate(rows):
        values = checked(f"{where}[{at}]", row, _GAME_KEYS)
        for key in ("variant", "limit"):
            if key not in values:
                raise RulesError(f"{where}[{at}].{key}: is missing")
        games.append(MixedGame(**values))
    return tuple(games)
