"""Bugs planted into the wallet, on both databases: each is caught by what ought to catch it.

The laws are those of the other tests of this room; here they are shown to be able to fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import pytest
from sqlalchemy.exc import IntegrityError

from riverboat.game.commands import Funded, NotFunded
from riverboat.ledger import accounts
from riverboat.ledger.books import Books
from riverboat.ledger.gate import Asked, Gate
from riverboat.ledger.postings import LawBroken, transfer
from riverboat.ledger.refusals import LedgerCode
from riverboat.ledger.standing import DAY_MS, What, standing_of
from riverboat.ledger.standing import Deed as Done
from services.wallet.book import Batch, Booked, Booker
from services.wallet.check import faults
from services.wallet.store import Store
from services.wallet.teller import Teller
from services.wallet.writing import Source
from tests.ledger.toy_table import PLAYERS
from tests.services.wallet.hand_log import (
    HandLog,
    assert_sound,
    balances,
    book,
    funded_store,
)


class Forgetful(Booker):
    """Books its batch and does not keep how far it read."""

    def book(self, batches: Iterable[Batch]) -> Booked:
        done = super().book(list(batches))
        with self._store.writing() as writing:
            writing.move(dict.fromkeys(done.next_offsets, 0))
        return done


class Skipping(Booker):
    """Passes over the first record of every batch."""

    def book(self, batches: Iterable[Batch]) -> Booked:
        return super().book([batch._replace(reads=batch.reads[1:]) for batch in batches])


class Generous(Booker):
    """Tells every table that the money is there."""

    def book(self, batches: Iterable[Batch]) -> Booked:
        done = super().book(list(batches))
        orders = tuple(
            replace(order, order=Funded(order.order.reservation))
            if isinstance(order.order, NotFunded)
            else order
            for order in done.orders
        )
        return done._replace(orders=orders)


class Plant(NamedTuple):
    """A bug, and what it looks like when it is caught."""

    booker: type[Booker]
    caught: Callable[[Booked, Store, HandLog], bool]


def _stale(done: Booked, _store: Store, _log: HandLog) -> bool:
    # Its heads say that it has booked all that: nothing is booked twice, and it is counted.
    return done.stale > 0


def _halted(done: Booked, _store: Store, _log: HandLog) -> bool:
    return bool(done.halted)


def _flagged(done: Booked, _store: Store, _log: HandLog) -> bool:
    # A table that plays on with money that was refused overrules the ledger, and somebody looks.
    return done.flagged > 0


PLANTS = {
    "an offset that is lost": Plant(Forgetful, _stale),
    "a record that is skipped": Plant(Skipping, _halted),
    "an answer that is not the ledger's": Plant(Generous, _flagged),
}


def played(store: Store, booker: Booker) -> tuple[list[Booked], HandLog]:
    log, told = HandLog(2, "1.3"), []
    for _ in range(30):
        log.play(6)
        told.append(book(booker, log))
        log.answer(told[-1].orders)
    return told, log


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_bug_of_booking_is_caught(arm, name):
    plant = PLANTS[name]
    store = funded_store(arm.store(), amount=100)
    told, log = played(store, plant.booker(store))
    assert any(plant.caught(done, store, log) for done in told)


@pytest.mark.parametrize("name", PLANTS)
def test_a_booker_without_the_bug_shows_none_of_it(arm, name):
    store = funded_store(arm.store(), amount=100)
    booker = Booker(store)
    told, log = played(store, booker)
    # Records that stand twice in the log are stale to every reader.
    stale = sum(done.stale for done in told)
    twice = log.end - sum(record[0] for record in log.heads.values())
    assert stale == twice
    assert not any(done.halted or done.flagged for done in told)
    assert_sound(store, log)


def pay_ann(store: Store, bug: Callable[[Books], None]) -> None:
    """Book five for ann, with books that have this bug."""
    ann, world = accounts.player_account("ann", "EUR"), accounts.external("EUR")

    books = Books()
    with store.writing() as writing:
        writing.load(books, {ann, world}, ())
        bug(books)
        books.book(transfer("x", world, ann, 5))
        writing.write(books, [Source(1)], {})


def counts_from_one(books: Books) -> None:
    """Counts an account's lines from one again."""
    for account, standing in books.standings.items():
        books.standings[account] = standing._replace(entries=0)


def loses_a_unit(books: Books) -> None:
    """Takes every account for a unit poorer than it is."""
    for account, standing in books.standings.items():
        books.standings[account] = standing._replace(balance=standing.balance - 1)


def is_right(_books: Books) -> None:
    """Has no bug."""


@pytest.mark.parametrize("bug", [counts_from_one, loses_a_unit])
def test_a_planted_bug_of_reckoning_is_refused_by_the_database(arm, bug):
    store = funded_store(arm.store())
    with pytest.raises(IntegrityError, match=r"entries|accounts"):
        pay_ann(store, bug)
    assert balances(store) == dict.fromkeys(PLAYERS, 500)
    assert faults(store) == []
    pay_ann(store, is_right)
    assert balances(store)["ann"] == 505


class Twice(Teller):
    """Names a deposit by the time, and not by its caller's key."""

    def deposit(self, caller, key, player, currency, amount, note, now_ms, most=None):
        return super().deposit(
            caller, f"{key}@{now_ms}", player, currency, amount, note, now_ms, most
        )


@pytest.mark.parametrize(("teller", "stands"), [(Twice, 514), (Teller, 507)])
def test_a_retry_that_is_booked_twice_shows_on_the_account(arm, teller, stands):
    store = funded_store(arm.store())
    for now_ms in (1, 2):
        teller(store).deposit("till", "order-9", "ann", "EUR", 7, "", now_ms)
    assert balances(store)["ann"] == stands


def test_money_that_only_moves_forward_is_a_law_of_every_posting():
    ann, world = accounts.player_account("ann", "EUR"), accounts.external("EUR")
    with pytest.raises(LawBroken, match="only moves forward"):
        transfer("x", world, ann, -1)


def knows_the_last_only(gate: Gate) -> None:
    """Forgets with what a player left before he left the last time."""
    for left in gate.went.values():
        del left[:-1]


def knows_all(_gate: Gate) -> None:
    """Has no bug."""


@pytest.mark.parametrize(
    ("bug", "bar"), [(knows_the_last_only, None), (knows_all, LedgerCode.GOING_SOUTH)]
)
def test_who_left_two_tables_is_held_to_the_greater(bug, bar):
    asked, gate = Asked("ann", "EUR", 100, "a game", DAY_MS, is_top_up=False, has=900), Gate()
    gate.left("ann", "a game", 500, 1)
    gate.left("ann", "a game", 50, 2)
    bug(gate)
    assert gate.bar(asked, 3) is bar


def test_an_exclusion_that_a_later_one_could_shorten_would_show():
    far, near = (Done(What.EXCLUDE, 1, until_ms=until_ms) for until_ms in (900, 100))
    for deeds in ((far, near), (near, far)):
        assert standing_of(deeds).bar(500) is LedgerCode.EXCLUDED
    assert standing_of((near,)).bar(500) is None
