"""The digest: equal for equal states, different on any field."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from riverboat.game.commands import Action, SitDown
from riverboat.game.hand.events import Stakes
from riverboat.game.rules.schema import Game
from riverboat.game.table.digest import digest
from riverboat.game.table.events import GameOffered, OfferedGame
from riverboat.game.table.state import Deal, Reservation, Table
from tests.game.table.house import House, folded
from tests.game.table.tables import NOW_MS, sitting, table

OWN = ("stopped", "stopped_at", "lost")


def in_play() -> Table:
    """A hand on the flop, a seat reserved, a top-up on its way: every field holds something."""
    house = House.opened(ann=1000, bob=1000, cas=1000)
    house.run()
    house.act(Action.RAISE, 30)
    house.act(Action.CALL)
    house.act(Action.FOLD)
    house.ask("dan", SitDown(0, 500, True, "line"))
    # Never open while a hand is played, but then every field stands in one state.
    offered = OfferedGame(1, "stud7", "fl", Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20))
    house.table.choice = GameOffered(2, 1, "ann", (offered,), NOW_MS)
    return house.table


def changed(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, Enum):
        return next(other for other in type(value) if other is not value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value + type(value)("x", "ascii") if isinstance(value, bytes) else value + "x"


def holders(found: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    """Every field of every dataclass in the state, with who holds it."""
    if isinstance(found, Game):
        return
    if is_dataclass(found):
        for field in fields(found):
            value = getattr(found, field.name)
            yield f"{path}.{field.name}", found, field.name
            yield from holders(value, f"{path}.{field.name}")
    elif isinstance(found, dict):
        for key, value in found.items():
            yield from holders(value, f"{path}[{key}]")
    elif isinstance(found, list | tuple):
        for at, value in enumerate(found):
            yield from holders(value, f"{path}[{at}]")


def test_every_field_counts():
    state = in_play()
    before = digest(state)
    seen = 0
    for path, holder, name in list(holders(state, "table")):
        value = getattr(holder, name)
        if not isinstance(value, int | str | bytes) or (holder is state and name in OWN):
            continue
        setattr(holder, name, changed(value))
        assert digest(state) != before, f"{path} does not count"
        setattr(holder, name, value)
        seen += 1
    assert digest(state) == before
    assert seen > 150


@pytest.mark.parametrize("name", ["settings", "hand", "deal", "choice"])
def test_what_is_there_or_not_counts(name):
    state = in_play()
    before = digest(state)
    setattr(state, name, None)
    assert digest(state) != before


@pytest.mark.parametrize("name", ["sittings", "reservations", "offsets", "answers"])
def test_every_row_counts_and_its_key(name):
    state = in_play()
    before = digest(state)
    rows = getattr(state, name)
    key, value = next(iter(rows.items()))
    del rows[key]
    assert digest(state) != before
    rows[key] = value
    assert digest(state) == before  # whatever the order in which rows came to stand there


def test_what_one_reader_alone_knows_does_not_count():
    state = table(sitting(1), deal=Deal("1.0-1", (1, 2), 1, 1, 2))
    before = digest(state)
    state.stopped, state.stopped_at, state.lost = "unknown event", 7, True
    assert digest(state) == before


@pytest.mark.plain
def test_equal_states_have_equal_digests_however_they_came_about():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    assert digest(copy.deepcopy(house.table)) == digest(house.table) == digest(folded(house))


def test_a_digest_is_the_same_in_every_process_and_every_release():
    """A change of this value is a change of `LAYOUT`: old logs name the old ones."""
    state = table(
        sitting(2, player="ann", line="l1"),
        reservations={"r": Reservation("r", "bob", 3, 500, "", NOW_MS, "l2")},
    )
    assert digest(state).hex() == "07daffed5076273b95cf5a73dafbc90370"
