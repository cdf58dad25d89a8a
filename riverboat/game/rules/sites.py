"""Sites: games as other houses name them and play them, for hands that were recorded there.

Reads its one packaged table at import. No table of this network plays by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from riverboat.game.rules import HOUSE, Rules
from riverboat.game.rules.reader import RulesError, parsed
from riverboat.game.rules.schema import Game
from riverboat.game.rules.vocabulary import KEYS

FILE: Final = "sites.toml"


_KEYS: Final = ("rulebook", "variants", "limits", "every", "sites")


class Sites:
    """The names and the rules of other houses, checked; `base` holds what the text leaves out."""

    def __init__(self, text: str, rules: Rules = HOUSE, base: Sites | None = None) -> None:
        table = parsed(FILE, text)
        for key in table:
            if key not in _KEYS:
                raise RulesError(f"{FILE}: {key}: no such key")
        self._rules = rules
        self.rulebook: Final[str] = _there(table, "rulebook", base and base.rulebook)
        self.variants: Final[Mapping[str, str]] = _there(table, "variants", base and base.variants)
        self.limits: Final[Mapping[str, str]] = _there(table, "limits", base and base.limits)
        self._every: dict[str, Any] = {
            **(base._every if base else {}),
            **_own_rules("every", table),
        }
        self._sites: dict[str, dict[str, Any]] = dict(base._sites) if base else {}
        sites = table.get("sites", {})
        if not isinstance(sites, dict):
            raise RulesError(f"{FILE}: sites: must be a table of sites, not {sites!r}")
        for site in sites:
            self._sites[site] = _own_rules(site, sites, f"sites.{site}")
        if self.rulebook not in rules.rulebooks:
            raise RulesError(f"{FILE}: rulebook: no rulebook {self.rulebook!r}")
        for name, variant in self.variants.items():
            if variant not in rules.variants(self.rulebook):
                raise RulesError(f"{FILE}: variants.{name}: {self.rulebook} deals no {variant!r}")
        for name, limit in self.limits.items():
            if limit not in rules.limits:
                raise RulesError(f"{FILE}: limits.{name}: no limit {limit!r}")

    def game(self, site: str, variant: str, limit: str) -> Game | None:
        """The game as the site plays it, by the site's names; None where it is not offered."""
        if variant not in self.variants or limit not in self.limits:
            return None
        ids = self.rulebook, self.variants[variant], self.limits[limit]
        if self._rules.barred(*ids):
            return None
        of = self._rules.game(*ids)
        return replace(of, **{**self._every, **self._sites.get(site, {})})


def _there(table: Mapping[str, Any], key: str, before: Any) -> Any:
    """The value, or what stood before; tables are laid over one another."""
    if key not in table and before is None:
        raise RulesError(f"{FILE}: {key}: is missing")
    value = table.get(key, before)
    if key == "rulebook":
        return value
    if not isinstance(value, dict):
        raise RulesError(f"{FILE}: {key}: must be a table of names, not {value!r}")
    return {**(before or {}), **value}


def _own_rules(key_of: str, table: Mapping[str, Any], name: str = "") -> dict[str, Any]:
    own = {}
    said = table.get(key_of, {})
    if not isinstance(said, dict):
        raise RulesError(f"{FILE}: {name or key_of}: must be a table, not {said!r}")
    for key, value in said.items():
        where = f"{FILE}: {name or key_of}.{key}"
        if key not in KEYS:
            raise RulesError(f"{where}: no such key")
        try:
            own[key] = KEYS[key](value)
        except ValueError as wrong:
            raise RulesError(f"{where}: {wrong}") from None
    return own


SITES: Final = Sites((files("riverboat.game.rules") / FILE).read_text("utf-8"))


# What hands are read by, the last adopted last.
_IN_FORCE: Final[list[Sites]] = [SITES]


def adopt(sites: Sites) -> None:
    """From now on this process reads recorded hands by `sites`."""
    _IN_FORCE.append(sites)
    game_at.cache_clear()


def drop(sites: Sites) -> None:
    """From now on this process does not read by `sites` any more."""
    _IN_FORCE.remove(sites)
    game_at.cache_clear()


@cache
def game_at(site: str, variant: str, limit: str) -> Game | None:
    """The game that a hand of this site was played by; None where it is not offered yet."""
    return _IN_FORCE[-1].game(site, variant, limit)
