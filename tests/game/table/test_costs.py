"""What a game costs where only its blinds are named: a table that can be opened, in every game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.hand.events import Stakes
from riverboat.game.rules import HOUSE, MIXED
from riverboat.game.table.costs import with_usual_stakes
from riverboat.game.table.settings import buy_in_bounds, fault
from tests.game.table.tables import SETTINGS

PAIRS = dict.fromkeys(ids[:2] for ids in (*HOUSE.offered(), *HOUSE.mixed()))


@pytest.mark.parametrize(("rulebook", "variant"), PAIRS)
@pytest.mark.parametrize(("small", "big"), [(1, 2), (5, 10), (50, 100)])
def test_a_table_of_any_game_can_be_opened_by_its_blinds(rulebook, variant, small, big):
    for of_book, of_variant, limit in (*HOUSE.offered(), *HOUSE.mixed()):
        if (of_book, of_variant) == (rulebook, variant):
            named = replace(SETTINGS, rulebook=rulebook, variant=variant, limit=limit, seats=2)
            settings = with_usual_stakes(named, small, big)
            assert fault(settings) is None
            least, most = buy_in_bounds(settings)
            assert least >= big
            assert not most or most >= least


@pytest.mark.parametrize(
    ("ids", "stakes"),
    [
        (("standard", "holdem", "nl"), Stakes(small_blind=50, big_blind=100)),
        (
            ("lt", "holdem", "sl"),
            Stakes(small_blind=50, big_blind=100, spread=(100, 200, 300)),
        ),
        (("lt", "stud7", "fl"), Stakes(ante=10, bring_in=20, small_bet=100)),
        (("standard", "short_deck", "nl"), Stakes(ante=10, button_blind=100)),
        (
            ("standard", "horse", MIXED),
            Stakes(small_blind=50, big_blind=100, ante=10, bring_in=20, small_bet=100),
        ),
    ],
)
def test_each_kind_of_game_has_its_own_costs(ids, stakes):
    rulebook, variant, limit = ids
    named = replace(SETTINGS, rulebook=rulebook, variant=variant, limit=limit)
    assert with_usual_stakes(named, 50, 100).stakes == stakes
