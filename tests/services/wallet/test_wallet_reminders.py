"""Answers that are owed are told again: soon, then ever more seldom, and never no more."""

from __future__ import annotations

from riverboat.game.commands import Funded, Ordered
from services.wallet.reminders import Reminders


def order(name: str) -> Ordered:
    return Ordered("1.0", name, "wallet", Funded(name))


def test_an_order_is_told_again_ever_more_seldom_up_to_the_most() -> None:
    reminders = Reminders(10)
    looks = [look for look in range(1, 60) if reminders.due([order("a")])]
    assert looks == [2, 4, 8, 16, 26, 36, 46, 56]


def test_what_was_not_owed_at_the_last_look_is_not_told_again_yet() -> None:
    reminders = Reminders(10)
    assert reminders.due([order("a")]) == []
    assert reminders.due([order("a"), order("b")]) == [order("a")]
    assert reminders.due([order("b")]) == [order("b")]
    # What was answered and is owed anew begins anew.
    assert reminders.due([order("a")]) == []
    assert reminders.due([order("a")]) == [order("a")]
