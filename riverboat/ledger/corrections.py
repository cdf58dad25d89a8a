"""Corrections: money moved after the fact, by decision and not by play. Decides nothing.

A past hand is never booked anew: what it should have brought is one more posting, named by whoever
decided it. Who has spent by then what he must give back owes it to the house, and whoever is to
get it gets it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.postings import Posting, posting


def correction(
    posting_id: str,
    legs: Iterable[tuple[str, int]],
    currency: str,
    balance: Callable[[Account], int],
) -> Posting:
    """The posting of these legs: players by their names, or nothing for the house; positive is in.

    >>> legs = [("ann", -50), ("bob", 50)]
    >>> booked = correction("correct:1", legs, "EUR", lambda account: 30)
    >>> [(leg.account.id, leg.amount) for leg in booked.legs]
    [('player:ann:EUR', -30), ('receivable:ann:EUR', -20), ('player:bob:EUR', 50)]
    """
    moved: list[tuple[Account, int]] = []
    for player, amount in legs:
        if not player:
            moved.append((accounts.house(currency), amount))
            continue
        account = accounts.player_account(player, currency)
        own = max(amount, -max(balance(account), 0))
        moved.append((account, own))
        moved.append((accounts.receivable(player, currency), amount - own))
    return posting(posting_id, moved)


def touched(legs: Iterable[tuple[str, int]], currency: str) -> set[Account]:
    """All accounts that a correction of these legs may move."""
    found = {accounts.house(currency)}
    for player, _ in legs:
        if player:
            found |= {
                accounts.player_account(player, currency),
                accounts.receivable(player, currency),
            }
    return found
