"""Rake: every row of RULES 6, the choice of the row, and how the whole leaves the pots.

Judges nothing but amounts: who wins a pot has no say in what is taken from it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.hand.events import Pot, Stakes
from riverboat.game.hand.rake import rake, spread, stake, triggered
from riverboat.game.rules import game
from riverboat.game.rules.schema import RakeDue, RakeRow

ALL_LIMITS = "nl pl hpl fl sl"
BIG_LIMITS = "nl pl hpl"
SMALL_LIMITS = "fl sl"


def taken(rulebook: str, limit: str, big_blind: int, dealt: int, *amounts: int) -> tuple[int, ...]:
    pots = [Pot(amount, 0, (1, 2)) for amount in amounts]
    return rake(game(rulebook, "holdem", limit), pots, dealt, True, big_blind)


# One line a row: rulebook, limits, big blinds at both ends of the row, a pot below the step, one
# on it, one above, and the caps for 2, 3, 4, 5 players.
ROWS = [
    ("lt", ALL_LIMITS, (1, 100, 1000), {19: 0, 20: 1, 39: 1, 1000: 50}, (75, 200, 300, 300)),
    ("et", BIG_LIMITS, (1, 100, 1000), {99: 0, 100: 5, 199: 5, 200: 10}, (75, 200, 200, 300)),
    ("et", SMALL_LIMITS, (10, 50, 99), {99: 0, 100: 5, 199: 5, 200: 10}, (75, 75, 100, 100)),
    ("et", SMALL_LIMITS, (100, 199), {499: 0, 500: 25, 999: 25, 1000: 50}, (75, 75, 200, 200)),
    ("et", SMALL_LIMITS, (200, 1000), {999: 0, 1000: 50, 1999: 50}, (75, 75, 200, 200)),
    ("ro", BIG_LIMITS, (1, 100), {19: 0, 99: 4, 199: 9, 200: 10, 299: 10}, (75, 200, 300, 300)),
    ("ro", SMALL_LIMITS, (2, 50, 99), {19: 0, 99: 4, 199: 9, 200: 10}, (75, 75, 100, 100)),
    ("ro", SMALL_LIMITS, (100, 199), {199: 0, 499: 0, 500: 25}, (75, 75, 200, 200)),
    ("ro", SMALL_LIMITS, (200, 1000), {999: 0, 1000: 50, 1999: 50}, (75, 75, 200, 200)),
]


@pytest.mark.parametrize(("rulebook", "limits", "big_blinds", "pots", "caps"), ROWS)
def test_each_row_takes_its_fee_for_every_whole_step(
    rulebook: str,
    limits: str,
    big_blinds: tuple[int, ...],
    pots: dict[int, int],
    caps: tuple[int, ...],
) -> None:
    """RULES 6: "`floor(pot / step) * fee`, at most the cap", the cap by players dealt in."""
    for limit in limits.split():
        for big_blind in big_blinds:
            for pot, fee in pots.items():
                assert taken(rulebook, limit, big_blind, 10, pot) == (min(fee, caps[3]),)
            capped = [taken(rulebook, limit, big_blind, n, 1_000_000) for n in (2, 3, 4, 5, 6, 10)]
            assert capped == [(cap,) for cap in (*caps, caps[3], caps[3])]


def test_stakes_under_the_lowest_take_the_lowest_row() -> None:
    """RULES 6: "unlisted stakes take the next lower row, those under the lowest the lowest"."""
    assert taken("et", "fl", 1, 5, 200) == (10,)
    assert taken("ro", "fl", 1, 5, 199) == (9,)


@pytest.mark.parametrize(
    ("pot", "lt", "et", "ro"), [(99, 4, 0, 4), (199, 9, 5, 9), (200, 10, 10, 10)]
)
def test_house_case_8(pot: int, lt: int, et: int, ro: int) -> None:
    """House case 8: "Pot limit hold'em with a flop, five dealt"."""
    for rulebook, fee in (("lt", lt), ("et", et), ("ro", ro)):
        assert taken(rulebook, "pl", 100, 5, pot) == (fee,)


def test_rake_is_reckoned_on_the_whole_and_leaves_the_pots_in_proportion() -> None:
    """RULES 6: "Spread over the pots in proportion, largest remainder first, main pot first"."""
    assert taken("lt", "nl", 100, 5, 19, 19) == (1, 0)
    assert taken("lt", "nl", 100, 5, 300, 100, 200) == (15, 5, 10)
    assert spread(3, [Pot(100, 0, (1,)), Pot(100, 0, (1,))]) == (2, 1)
    assert spread(0, [Pot(100, 0, (1,)), Pot(50, 0, (2,))]) == (0, 0)


def test_nothing_is_taken_before_the_trigger() -> None:
    """RULES 6: none "without the trigger: hold'em and omaha a flop"."""
    pots = [Pot(10_000, 0, (1, 2))]
    assert rake(game("lt", "holdem", "nl"), pots, 6, False, 100) == (0,)


def test_a_table_without_rows_takes_nothing() -> None:
    rakeless = replace(game("lt", "holdem", "nl"), rake=())
    assert rake(rakeless, [Pot(10_000, 0, (1, 2)), Pot(50, 0, (1,))], 6, True, 100) == (0, 0)


def test_a_row_without_caps_has_none() -> None:
    row = RakeRow(limits=(), big_blind_from=0, step=20, fee=1, caps=())
    uncapped = replace(game("lt", "holdem", "nl"), rake=(row,))
    assert rake(uncapped, [Pot(1_000_000, 0, (1, 2))], 2, True, 100) == (50_000,)


@pytest.mark.parametrize(
    ("variant", "last_without", "first_with"),
    [
        ("holdem", 0, 1),  # a flop
        ("omaha", 0, 1),
        ("soko", 0, 1),  # the third card
        ("stud7", 0, 1),  # the fourth card
        ("draw5", 0, 1),  # a draw
        ("triple_draw27", 0, 1),
    ],
)
def test_what_makes_rake_due(variant: str, last_without: int, first_with: int) -> None:
    """RULES 6: "hold'em and omaha a flop; soko the third card; stud the fourth card; draw5,
    triple_draw27 a draw"."""
    of = game("lt", variant, "fl")
    assert not triggered(of, -1)
    assert not triggered(of, last_without)
    assert triggered(of, first_with)
    assert triggered(of, len(of.streets) - 1)


@pytest.mark.parametrize("variant", ["americana", "telesina", "draw32"])
def test_games_the_documents_do_not_rake(variant: str) -> None:
    """RULES 6: "americana, telesina and draw32 are rake-free" by themselves."""
    of = game("lt", variant, "nl")
    assert not triggered(of, len(of.streets) - 1)
    assert triggered(replace(of, rake_due=RakeDue.ALWAYS), 0)


def test_the_stake_that_chooses_the_row() -> None:
    """RULES 6: "by the big blind (without blinds the lower bet; spread: the first number)"."""
    assert stake(Stakes(small_blind=50, big_blind=100, small_bet=100, big_bet=200)) == 100
    assert stake(Stakes(ante=10, bring_in=20, small_bet=100, big_bet=200)) == 100
    assert stake(Stakes(ante=10, spread=(100, 200, 300))) == 100
    assert stake(Stakes(ante=10, button_blind=100)) == 100
    assert stake(Stakes(ante=10)) == 0
