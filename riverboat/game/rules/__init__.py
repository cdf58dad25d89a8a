"""The rules: every game that can be dealt, as tables of data, read once at import.

Holds values and names, never behaviour. An operator's own tables come in as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from riverboat.game.rules.mixes import MIXED, Chooser, Mix, read_mixes
from riverboat.game.rules.reader import (
    Rulebook,
    RulesError,
    extended,
    parsed,
    read_limits,
    read_rulebook,
    read_variants,
    resolve,
)
from riverboat.game.rules.schema import Game

__all__ = [
    "HOUSE",
    "MIXED",
    "Mix",
    "Rules",
    "RulesError",
    "adopt",
    "drop",
    "game",
    "in_force",
    "load",
    "mix",
]

VARIANTS: Final = "variants.toml"
LIMITS: Final = "limits.toml"
SITES: Final = "sites.toml"  # how other houses' hands read here; see sites.py
MIXES: Final = "mixes.toml"
# Files that are no rulebook.
TABLES: Final = (VARIANTS, LIMITS, SITES, MIXES)
RULEBOOKS: Final = ("lt", "et", "ro", "standard")


class Rules:
    """A set of tables: which games can be dealt, and how each of them goes."""

    def __init__(self, texts: Mapping[str, str], base: Rules | None = None) -> None:
        """Read the tables; names of files are `variants.toml`, `limits.toml`, `<rulebook>.toml`."""
        self._variants: dict[str, dict[str, Any]] = dict(base._variants) if base else {}
        self._limits: dict[str, dict[str, Any]] = dict(base._limits) if base else {}
        self._rulebooks: dict[str, Rulebook] = dict(base._rulebooks) if base else {}
        self._mixes: dict[str, Mix] = dict(base._mixes) if base else {}
        self._games: dict[tuple[str, str, str], Game] = {}
        if VARIANTS in texts:
            self._variants.update(read_variants(VARIANTS, texts[VARIANTS]))
        if LIMITS in texts:
            self._limits.update(read_limits(LIMITS, parsed(LIMITS, texts[LIMITS])))
        if MIXES in texts:
            self._mixes.update(read_mixes(MIXES, texts[MIXES]))
        self._read_rulebooks({file: text for file, text in texts.items() if file not in TABLES})
        if MIXED in self._limits:
            raise RulesError(
                f"{LIMITS}: {MIXED}: stands for no limit: a table of a mix is named so"
            )
        for rulebook in self._rulebooks:
            self._check_limits(rulebook)
        for rulebook, variant, limit in self.offered():
            self.game(rulebook, variant, limit)
        for rulebook, name, _ in self.mixed():
            self._check_mix(rulebook, name)

    def _check_limits(self, rulebook: str) -> None:
        """Hold every mention of a limit to those that there are."""
        book = self._rulebooks[rulebook]
        said: list[tuple[str, Iterable[str]]] = [("limits", book.limits)]
        said += [(f"rake[{at}].limits", row.limits) for at, row in enumerate(book.rake)]
        said += [
            (f"buy_in_listed[{at}].limits", row.get("limits", ()))
            for at, row in enumerate(book.listed)
        ]
        for variant in book.variants:
            of = f"variants.{variant}"
            said.append((f"{of}.by_limit", book.by_limit.get(variant, {})))
            not_in = self._not_in(rulebook, variant)
            said.append((f"{of}: not_in", not_in))
            if not_in.keys() >= self._limits.keys():
                raise RulesError(f"{rulebook}.toml: {of}: not_in: leaves no limit to deal it in")
        for where, limits in said:
            for limit in limits:
                if limit not in self._limits:
                    raise RulesError(f"{rulebook}.toml: {where}: no limit {limit!r}")

    def _read_rulebooks(self, texts: Mapping[str, str]) -> None:
        """Each behind the one that it extends, where that is among them."""
        left = dict(texts)
        while left:
            ready = [file for file, text in left.items() if extended(file, text) not in left]
            # Where each waits for another one, reading any of them tells what is wrong.
            for file in ready or list(left):
                rulebook = file.removesuffix(".toml")
                text = left.pop(file)
                self._rulebooks[rulebook] = read_rulebook(file, text, self._rulebooks)

    @property
    def rulebooks(self) -> tuple[str, ...]:
        """The ids of all rulebooks."""
        return tuple(self._rulebooks)

    @property
    def limits(self) -> tuple[str, ...]:
        """The ids of all limits."""
        return tuple(self._limits)

    def title(self, rulebook: str) -> str:
        """What the rulebook is called, in its own language."""
        return self._rulebooks[rulebook].name or rulebook

    def variants(self, rulebook: str) -> tuple[str, ...]:
        """The ids of the variants that the rulebook offers."""
        return tuple(self._rulebooks[rulebook].variants)

    def limits_of(self, rulebook: str, variant: str) -> tuple[str, ...]:
        """The limits in which the rulebook deals this variant of its own."""
        if rulebook not in self._rulebooks or variant not in self._rulebooks[rulebook].variants:
            raise RulesError(f"{rulebook}: no variant {variant!r}")
        return tuple(each for each in self._limits if not self.barred(rulebook, variant, each))

    def offered(self) -> tuple[tuple[str, str, str], ...]:
        """Every rulebook, variant and limit that go together."""
        return tuple(
            (rulebook, variant, limit)
            for rulebook, variant in self._pairs()
            for limit in self._limits
            if not self.barred(rulebook, variant, limit)
        )

    def barred(self, rulebook: str, variant: str, limit: str) -> str:
        """Why the rulebook does not deal its variant in this limit; empty where it does."""
        return self._not_in(rulebook, variant).get(limit, "")

    def _pairs(self) -> list[tuple[str, str]]:
        return [
            (name, variant) for name, book in self._rulebooks.items() for variant in book.variants
        ]

    def _not_in(self, rulebook: str, variant: str) -> Mapping[str, str]:
        every: Mapping[str, str] = self._variants.get(variant, {}).get("not_in", {})
        own: Mapping[str, str] = self._rulebooks[rulebook].variants[variant].get("not_in", every)
        return own

    def mixed(self) -> tuple[tuple[str, str, str], ...]:
        """Every rulebook and mix that go together, as the ids of a table's settings."""
        return tuple(
            (rulebook, name, MIXED)
            for rulebook, book in self._rulebooks.items()
            for name in book.mixes
        )

    def mix(self, rulebook: str, name: str) -> Mix:
        """The list of games of this id."""
        if (rulebook, name, MIXED) not in self.mixed():
            raise RulesError(f"{rulebook}: no mix {name!r}")
        return self._mixes[name]

    def _check_mix(self, rulebook: str, name: str) -> None:
        if name not in self._mixes:
            raise RulesError(f"{rulebook}.toml: mixes: no table of mixes knows {name!r}")
        offered = set(self.offered())
        mixed = self._mixes[name]
        for at, each in enumerate(mixed.games):
            if (rulebook, each.variant, each.limit) not in offered:
                where = f"{MIXES}: {name}.games[{at}]"
                raise RulesError(f"{where}: {rulebook} deals no {each.variant} in {each.limit}")
        games = [self.game(rulebook, each.variant, each.limit) for each in mixed.games]
        if mixed.chooser is Chooser.BUTTON and not any(played.has_button for played in games):
            raise RulesError(f"{MIXES}: {name}.chooser: no game of the list has a button")

    def game(self, rulebook: str, variant: str, limit: str) -> Game:
        """The game, always the same object for the same three ids."""
        ids = (rulebook, variant, limit)
        found = self._games.get(ids)
        if found is None:
            found = self._games[ids] = self._resolved(rulebook, variant, limit)
        return found

    def _resolved(self, rulebook: str, variant: str, limit: str) -> Game:
        if rulebook not in self._rulebooks:
            raise RulesError(f"no rulebook {rulebook!r}; there are {', '.join(self._rulebooks)}")
        book = self._rulebooks[rulebook]
        if variant not in book.variants:
            raise RulesError(f"{rulebook}: no variant {variant!r}")
        if variant not in self._variants:
            raise RulesError(f"{rulebook}.toml: variants.{variant}: no table of variants knows it")
        if limit not in self._limits:
            raise RulesError(f"no limit {limit!r}; there are {', '.join(self._limits)}")
        why_not = self.barred(rulebook, variant, limit)
        if why_not:
            raise RulesError(f"{rulebook}: {variant} is not dealt in {limit}: {why_not}")
        ids = (rulebook, variant, limit)
        return resolve(ids, book, self._variants[variant], self._limits[limit])


def _packaged() -> Rules:
    here = files(__name__)
    texts = {name: (here / name).read_text("utf-8") for name in (VARIANTS, LIMITS, MIXES)}
    for rulebook in RULEBOOKS:
        file = f"{rulebook}.toml"
        texts[file] = (here / "rulebooks" / file).read_text("utf-8")
    return Rules(texts)


HOUSE: Final = _packaged()

# What this process deals by, the last adopted last; tables that a hand may still name stay.
_IN_FORCE: Final[list[Rules]] = [HOUSE]


def load(texts: Mapping[str, str]) -> Rules:
    """The packaged rules with an operator's own tables on top, by the names of their files."""
    return Rules(texts, HOUSE)


def in_force() -> Rules:
    """The rules that were adopted last: what this process deals by from now on."""
    return _IN_FORCE[-1]


def adopt(rules: Rules) -> None:
    """From now on this process finds games in `rules` too, before those that it knew."""
    _IN_FORCE.append(rules)
    game.cache_clear()
    mix.cache_clear()


def drop(rules: Rules) -> None:
    """From now on this process finds no game in `rules` any more; the packaged rules stay."""
    assert rules is not HOUSE, "a process always has the packaged rules"
    _IN_FORCE.remove(rules)
    game.cache_clear()
    mix.cache_clear()


@cache
def mix(rulebook: str, name: str) -> Mix:
    """The mix of these ids, by the rules adopted last that have it.

    >>> mix("standard", "horse").name
    'HORSE'
    """
    wrong: RulesError | None = None
    for rules in reversed(_IN_FORCE):
        try:
            return rules.mix(rulebook, name)
        except RulesError as error:
            wrong = wrong or error
    assert wrong is not None, "there are always the packaged rules"
    raise wrong


@cache
def game(rulebook: str, variant: str, limit: str, digest: str = "") -> Game:
    """The game of these ids; with a digest, the one whose tables said exactly that.

    >>> game("standard", "holdem", "nl").name
    "Texas Hold'em"
    """
    wrong: RulesError | None = None
    for rules in reversed(_IN_FORCE):
        try:
            found = rules.game(rulebook, variant, limit)
        except RulesError as error:
            wrong = wrong or error
            continue
        if not digest or found.digest == digest:
            return found
    raise wrong or RulesError(f"{rulebook} {variant} {limit}: no tables have digest {digest}")
