"""Sites: games as other houses name them and play them, for hands that were recorded there.

Reads its one packaged table at import. No table of this network plays by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, Final

from riverboat.game.rules import HOUSE
from riverboat.game.rules.reader import RulesError, parsed
from riverboat.game.rules.schema import Game
from riverboat.game.rules.vocabulary import KEYS

FILE: Final = "sites.toml"


class Sites:
    """The names and the rules of other houses, checked."""

    def __init__(self, text: str) -> None:
        table = parsed(FILE, text)
        for key in ("rulebook", "variants", "limits"):
            if key not in table:
                raise RulesError(f"{FILE}: {key}: is missing")
        self.rulebook: Final[str] = table["rulebook"]
        self.variants: Final[Mapping[str, str]] = table["variants"]
        self.limits: Final[Mapping[str, str]] = table["limits"]
        self._every = _own_rules("every", table.get("every", {}))
        self._sites = {
            site: _own_rules(f"sites.{site}", rules)
            for site, rules in table.get("sites", {}).items()
        }
        for name, variant in self.variants.items():
            if variant not in HOUSE.variants(self.rulebook):
                raise RulesError(f"{FILE}: variants.{name}: {self.rulebook} deals no {variant!r}")

    def game(self, site: str, variant: str, limit: str) -> Game | None:
        """The game as the site plays it, by the site's names; None where it is not offered."""
        if variant not in self.variants or limit not in self.limits:
            return None
        ids = self.rulebook, self.variants[variant], self.limits[limit]
        if HOUSE.barred(*ids):
            return None
        of = HOUSE.game(*ids)
        return replace(of, **{**self._every, **self._sites.get(site, {})})


def _own_rules(name: str, rules: Mapping[str, Any]) -> dict[str, Any]:
    own = {}
    for key, value in rules.items():
        where = f"{FILE}: {name}.{key}"
        if key not in KEYS:
            raise RulesError(f"{where}: no such key")
        try:
            own[key] = KEYS[key](value)
        except ValueError as wrong:
            raise RulesError(f"{where}: {wrong}") from None
    return own


SITES: Final = Sites((files("riverboat.game.rules") / FILE).read_text("utf-8"))


@cache
def game_at(site: str, variant: str, limit: str) -> Game | None:
    """The game that a hand of this site was played by; None where it is not offered yet."""
    return SITES.game(site, variant, limit)
