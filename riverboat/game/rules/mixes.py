"""Mixes: lists of games that one table deals in turn, as data.

Reads and checks; which game comes next at a table is the table's business. [RULES 8]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from riverboat.game.rules.reader import RulesError, check_id, checked, parsed
from riverboat.game.rules.vocabulary import DAY_MS, flag, number, one_of, text

MIXED: Final = "mixed"  # stands in the place of a limit where a table deals a mix


class Rotation(StrEnum):
    """When the next game comes."""

    HANDS = "hands"
    ORBITS = "orbits"  # as many hands as there were players at the first


class Chooser(StrEnum):
    """Who chooses the next game, where it does not come in order."""

    BUTTON = "button"  # who has the button in the next hand of a game with one
    PLAQUE = "plaque"  # a plaque goes clockwise, one player on at each choice, from the button


class Unchosen(StrEnum):
    """The next game where its chooser lets his time pass."""

    SAME = "same"  # the last one again
    NEXT = "next"  # in the list
    DRAWN = "drawn"  # by the house


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
    drawn: bool = False  # the house draws the next game
    chooser: Chooser | None = None  # who chooses the next game; None: nobody
    choose_ms: int = 20_000  # his time to do so: the list is longer than a hand's few actions
    unchosen: Unchosen = Unchosen.NEXT

    def hands(self, players: int) -> int:
        """How many hands a game gets, where so many players are dealt into the first."""
        return self.every * (players if self.rotation is Rotation.ORBITS else 1)


_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "name": text,
    "rotation": one_of(Rotation),
    "every": number(1),
    "drawn": flag,
    "chooser": one_of(Chooser),
    "choose_ms": number(1_000, DAY_MS),  # nobody can read a list in less
    "unchosen": one_of(Unchosen),
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
        check_id(where, name)
        values = checked(where, table, _KEYS, apart=("games",))
        for key in ("name", "rotation"):
            if key not in values:
                raise RulesError(f"{where}.{key}: is missing")
        if values.get("drawn") and "chooser" in values:
            raise RulesError(f"{where}.drawn: goes with no chooser")
        for key in ("choose_ms", "unchosen"):
            if key in values and "chooser" not in values:
                raise RulesError(f"{where}.{key}: goes with a chooser")
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
