"""The gate before a table: what a player left with, and what he must come back with."""

from __future__ import annotations

from riverboat.ledger.gate import Asked, Gate

ASKED = Asked("ann", "EUR", 100, "nlhe", south_ms=1_000, is_top_up=False)


def test_a_seat_is_measured_by_what_he_left_with_before_it_was_asked_for():
    gate = Gate()
    gate.left("ann", "nlhe", 500, now_ms=20)
    gate.came("ann", "nlhe", asked_ms=10)
    assert gate.least(ASKED, now_ms=30) == 500, "the seat was asked for before he left"
    gate.came("ann", "nlhe", asked_ms=30)
    assert gate.least(ASKED, now_ms=40) == 0
