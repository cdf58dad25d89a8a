"""Tables where players choose the next game, for tests: four ways to choose among three games.

Holds no test. The mixes are an operator's own, in force while a test runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from riverboat.game import rules
from riverboat.game.commands import Action
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.state import Phase
from riverboat.game.rules import MIXED
from riverboat.game.table.events import Settings
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS

COSTS = Stakes(small_blind=50, big_blind=100, ante=10, bring_in=20, small_bet=100, big_bet=200)
LIST = """[own]
name = "Own"
{}
games = [
  {{ variant = "holdem", limit = "nl", blinds_divided_by = 2 }},
  {{ variant = "stud7", limit = "fl" }},
  {{ variant = "draw5", limit = "pl" }},
]"""
BOOKS = {
    "plaque": "rotation = 'orbits'\nchooser = 'plaque'",
    "button": "rotation = 'hands'\nchooser = 'button'",
    "same": "rotation = 'orbits'\nchooser = 'plaque'\nunchosen = 'same'",
    "drawn": "rotation = 'hands'\nchooser = 'plaque'\nunchosen = 'drawn'",
}


@contextmanager
def own_mixes() -> Iterator[None]:
    """A rulebook for each way to choose, with one mix of its own name."""
    texts = {f"{name}.toml": f"extends='standard'\nmixes=['{name}']" for name in BOOKS}
    lists = [LIST.format(keys).replace("[own]", f"[{name}]") for name, keys in BOOKS.items()]
    own = rules.load({"mixes.toml": "\n".join(lists), **texts})
    rules.adopt(own)
    try:
        yield
    finally:
        rules.drop(own)


def settings(name: str, **changes: object) -> Settings:
    made = replace(SETTINGS, rulebook=name, variant=name, limit=MIXED, stakes=COSTS, seats=10)
    return replace(made, **changes)  # type: ignore[arg-type]


def begin(house: House) -> bool:
    """Let the pause pass; whether a hand is played then."""
    house.now_ms += 3_000
    house.run()
    return house.playing()


def end(house: House) -> str:
    """All but one give the hand up; its variant."""
    variant = house.hand.game.variant
    while house.playing():
        bring_in = house.hand.phase is Phase.BRING_IN
        house.act(Action.BRING_IN if bring_in else Action.FOLD)
    return variant
