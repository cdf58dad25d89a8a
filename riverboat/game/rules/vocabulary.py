"""The vocabulary: every key that a table of rules may hold, and what its value must be.

A check takes a value as TOML gives it and returns it as a game holds it, or raises `ValueError`
with a text that says what it must be. Knows no file and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from riverboat.game.cards import DECKS
from riverboat.game.ranking import RANKINGS, SELECTIONS
from riverboat.game.rules.schema import (
    Completion,
    Forced,
    OddUnit,
    Opener,
    Raise,
    RakeDue,
    ShowOpener,
)

DAY_MS: Final = 86_400_000  # no clock is longer
CAPS_MOST: Final = 9  # of a rake's row: for 2 players and each number more, to a full table


def text(value: Any) -> str:
    """A check for text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"must be text, not {value!r}")
    return value


def flag(value: Any) -> bool:
    """A check for true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {value!r}")
    return value


def number(least: int, most: int | None = None) -> Callable[[Any], int]:
    """A check for a whole number from `least`, to `most` where there is one."""
    bounds = f"from {least}" if most is None else f"from {least} to {most}"

    def check(value: Any) -> int:
        if type(value) is not int or value < least or (most is not None and value > most):
            raise ValueError(f"must be a whole number {bounds}, not {value!r}")
        return value

    return check


def one_of(names: type[StrEnum]) -> Callable[[Any], StrEnum]:
    """A check for one of these names."""

    def check(value: Any) -> StrEnum:
        try:
            return names(value)
        except ValueError:
            raise ValueError(f"must be one of {', '.join(names)}, not {value!r}") from None

    return check


def _known(names: Mapping[str, object], and_none: bool = False) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value == "" and and_none:
            return ""
        if not isinstance(value, str) or value not in names:
            raise ValueError(f"must be one of {', '.join(names)}, not {value!r}")
        return value

    return check


def numbers(least: int) -> Callable[[Any], tuple[int, ...]]:
    """A check for a list of whole numbers from `least`."""
    one = number(least)

    def check(value: Any) -> tuple[int, ...]:
        if not isinstance(value, list):
            raise ValueError(f"must be a list of numbers, not {value!r}")
        return tuple(one(each) for each in value)

    return check


def _caps(value: Any) -> tuple[int, ...]:
    caps = numbers(0)(value)
    if len(caps) > CAPS_MOST:
        raise ValueError(f"must name caps for 2, 3, ... {CAPS_MOST + 1} players, not {value!r}")
    return caps


def _openers(value: Any) -> tuple[Opener, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"must be a list of openers, not {value!r}")
    one = one_of(Opener)
    return tuple(Opener(one(name)) for name in value)


def _suits(value: Any) -> str:
    if not isinstance(value, str) or (value and sorted(value) != sorted("cdhs")):
        raise ValueError(f"must hold each of c d h s once, not {value!r}")
    return value


def words(value: Any) -> tuple[str, ...]:
    """A check for a list of names."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError(f"must be a list of names, not {value!r}")
    if len(set(value)) < len(value):
        raise ValueError(f"must name each once, not {value!r}")
    return tuple(value)


def _pairs(value: Any) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, list) or not all(
        isinstance(row, list) and len(row) == 2 for row in value
    ):
        raise ValueError(f"must be a list of pairs, not {value!r}")
    return tuple(numbers(1)(row) for row in value)


def _reasons(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(
        isinstance(why, str) and why for why in value.values()
    ):
        raise ValueError(f"must be a table of limits and reasons, not {value!r}")
    return dict(value)


def _contestants(value: Any) -> str:
    if value not in ("", "hand", "pot"):
        raise ValueError(f"must be hand or pot, not {value!r}")
    return str(value)


# Every key that a variant, a limit or a rulebook may set, and what it must be. Keys of a game that
# are not here follow from others.
KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "name": text,
    "seats_most": number(2),
    "deck": _known(DECKS),
    "forced": one_of(Forced),
    "first_opener": one_of(Opener),
    "later_openers": _openers,
    "bring_in_suits": _suits,
    "bring_in_ace_low": flag,
    "high": _known(RANKINGS, and_none=True),
    "low": _known(RANKINGS, and_none=True),
    "select": _known(SELECTIONS),
    "raise_rule": one_of(Raise),
    "bets_most": number(0),
    "cap_heads_up": flag,
    "cap_total": number(0),
    "spread_equal_raises": flag,
    "half_bet_reopens": flag,
    "completion": one_of(Completion),
    "open_pair_street": number(-1),
    "pot_counts_dead_blind": flag,
    "pot_counts_full_blinds": flag,
    "own_discards_barred": flag,
    "pat_bars_raise": flag,
    "draw_ms": number(1000, DAY_MS),
    "split_offered": flag,
    "split_shows": flag,
    "short_deck_shares": flag,
    "show_opener": one_of(ShowOpener),
    "all_show_checked_down": flag,
    "odd_unit": one_of(OddUnit),
    "pot_contestants_rule": _contestants,
    "rake_due": one_of(RakeDue),
    "not_in": _reasons,  # limits in which the variant is not dealt, and why
    "buy_in_least_big_blinds": number(1),
    "buy_in_most_big_blinds": number(0),
}

# Keys that are about a variant and not part of a game.
NOT_OF_A_GAME: Final = ("not_in",)

# What a game is where no table says anything.
DEFAULTS: Final[dict[str, Any]] = {
    "bring_in_suits": "",
    "bring_in_ace_low": False,
    "high": "",
    "low": "",
    "tiers": (),
    "bets_most": 0,
    "cap_heads_up": False,
    "cap_total": 0,
    "spread_equal_raises": False,
    "half_bet_reopens": False,
    "completion": Completion.RULES,
    "open_pair_street": -1,
    "pot_counts_dead_blind": True,
    "pot_counts_full_blinds": False,
    "own_discards_barred": False,
    "pat_bars_raise": False,
    "draw_ms": 30_000,  # "30 seconds" [RULES 5, draws]
    "split_offered": False,
    "split_shows": False,
    "short_deck_shares": False,
    "all_show_checked_down": False,
    "pot_contestants_rule": "",
}

STREET_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "name": text,
    "down": number(0),
    "up": number(0),
    "board": number(0),
    "draw": number(-1),
    "draw_least": number(0),
    "refill": flag,
    "bet": flag,
}

RAKE_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "limits": words,
    "big_blind_from": number(0),
    "step": number(1),
    "fee": number(0),
    "caps": _caps,
    "small_below": number(0),
    "small_step": number(1),
    "small_fee": number(0),
}


LISTED_KEYS: Final[dict[str, Callable[[Any], Any]]] = {"limits": words, "table": _pairs}

HEAD_KEYS: Final[dict[str, Callable[[Any], Any]]] = {
    "name": text,
    "language": text,
    "mixes": words,
}

RULEBOOK_KEYS: Final = (
    "name",
    "language",
    "extends",
    "every",
    "limits",
    "variants",
    "rake",
    "buy_in_listed",
    "mixes",
)
