"""The gate before a table: what a player left with, and what he must come back with."""

from __future__ import annotations

import pytest

from riverboat.ledger.gate import Asked, Gate
from riverboat.ledger.refusals import LedgerCode

ASKED = Asked("ann", "EUR", 100, "nlhe", south_ms=1_000, is_top_up=False, most=200, has=900)
SOUTH, ABOVE = LedgerCode.GOING_SOUTH, LedgerCode.ABOVE_MOST_BUY_IN


def test_a_seat_is_measured_by_what_he_left_with_before_it_was_asked_for():
    gate = Gate()
    gate.left("ann", "nlhe", 500, now_ms=20)
    gate.came("ann", "nlhe", asked_ms=10)
    assert gate.least(ASKED, now_ms=30) == 500, "the seat was asked for before he left"
    gate.came("ann", "nlhe", asked_ms=30)
    assert gate.least(ASKED, now_ms=40) == 0


def test_a_table_without_the_rule_asks_for_nothing_whatever_the_clocks_say():
    """Two partitions have their times from two brokers, which agree within a second."""
    gate = Gate()
    gate.left("ann", "nlhe", 500, now_ms=20)
    assert gate.least(ASKED, now_ms=10) == 500
    assert gate.least(ASKED._replace(south_ms=0), now_ms=10) == 0


@pytest.mark.parametrize(
    ("left_with", "amount", "barred"),
    [
        (0, 200, None),
        (0, 201, ABOVE),
        (150, 149, SOUTH),
        (150, 200, None),
        (150, 201, ABOVE),
        (500, 200, SOUTH),
        (500, 499, SOUTH),
        (500, 500, None),  # above the greatest buy-in, and no more than he must
        (500, 501, ABOVE),
        (1_000, 899, SOUTH),
        (1_000, 900, None),  # all that he has
        (1_000, 901, ABOVE),
    ],
)
def test_who_left_with_more_comes_back_with_that_or_all_he_has(left_with, amount, barred):
    """RULES 4: "A player who left with more may not come back within a set time with less"."""
    gate = Gate()
    gate.left("ann", "nlhe", left_with, now_ms=20)
    assert gate.bar(ASKED._replace(amount=amount), now_ms=30) == barred
    later = ABOVE if amount > 200 else None
    assert gate.bar(ASKED._replace(amount=amount), now_ms=1_020) == later, "the time is over"
    assert gate.bar(ASKED._replace(amount=amount, most=0), now_ms=1_020) is None, "no bound"
    assert gate.bar(ASKED._replace(amount=amount, is_top_up=True), now_ms=30) is None


def test_what_is_elsewhere_is_his_too():
    gate = Gate(elsewhere={("ann", "EUR"): 300})
    gate.left("ann", "nlhe", 1_000, now_ms=20)
    asked = ASKED._replace(has=100)
    assert gate.least(asked, now_ms=30) == 400
    gate.sat("ann", "EUR", "s")
    gate.won("s", -50)
    gate.won("of another", -50)
    assert gate.least(asked, now_ms=30) == 350, "what he lost there is gone"
    gate.moved("ann", "EUR", -250)
    assert gate.least(asked._replace(has=350), now_ms=30) == 350, "what came back is his still"
