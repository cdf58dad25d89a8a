"""The ledger's laws, over streams of chance and one by one."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.hand.events import HandEnded, HandVoided, Net
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import (
    BuyInReturned,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    TableOpened,
    ToppedUp,
)
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account, Kind, account_of
from riverboat.ledger.books import BALANCE_MOST, Books
from riverboat.ledger.follow import TableBooks, follow
from riverboat.ledger.postings import Flag, LawBroken, posting, transfer
from riverboat.ledger.refusals import LedgerCode
from riverboat.ledger.touched import Touched
from tests.ledger.toy_table import PLAYERS, ToyTable, settings

EUR = "EUR"
ANN = accounts.player_account("ann", EUR)
WORLD = accounts.external(EUR)


def sums(books: Books) -> Counter[str]:
    total: Counter[str] = Counter()
    for account, standing in books.standings.items():
        total[account.currency] += standing.balance
    return total


def give(books: Books, player: str, amount: int) -> None:
    books.book(transfer(f"deposit:{player}", WORLD, accounts.player_account(player, EUR), amount))


def opened(**money: int) -> TableBooks:
    books = TableBooks()
    for player, amount in money.items():
        give(books, player, amount)
    follow(books, "1.0", TableOpened(settings()))
    return books


def reserve(name: str, player: str, amount: int, top_up: str = "") -> SeatReserved:
    return SeatReserved(name, player, 1, amount, top_up, 0, "", post=False)


def at_tables(books: Books) -> dict[str, int]:
    return {
        account.owner: standing.balance
        for account, standing in books.standings.items()
        if account.kind is Kind.AT_TABLE and standing.balance
    }


@given(st.integers(0, 2**32), st.lists(st.sampled_from((0, 10, 300)), min_size=5, max_size=5))
def test_after_every_posting_the_sum_is_zero_and_at_table_equals_the_stack(seed, money):
    """ARCHITECTURE 3, law 3: "The ledger sums to zero in every currency after every posting"."""
    books = TableBooks()
    for player, amount in zip(PLAYERS, money, strict=True):
        give(books, player, amount)
    tables = [ToyTable("1.0", random.Random(seed)), ToyTable("2.0", random.Random(seed + 1))]
    for number in range(160):
        table = tables[number % 2]
        for event in table.step() if number < 150 else table.finish():
            follow(books, table.id, event)
            table.answers.update((held.id, held.refused) for held in books.reservations.values())
            assert not any(sums(books).values())
            # What is at a table, to the unit; the players' own accounts never owe.
            assert at_tables(books) == {
                sitting: stack for each in tables for sitting, stack in each.stacks.items() if stack
            }
            assert all(
                standing.balance >= 0 or account.may_owe
                for account, standing in books.standings.items()
            )
    in_transit = [a for a, s in books.standings.items() if a.kind is Kind.IN_TRANSIT and s.balance]
    assert in_transit == [], "no money is in transit once every reservation has its end"
    assert books.balance(accounts.rake("standard", EUR)) == sum(table.raked for table in tables)
    assert {post.flag for post in books.fresh} <= {Flag.NONE}


@given(st.integers(0, 2**32))
def test_every_event_booked_again_changes_nothing(seed):
    """ARCHITECTURE 3, law 3: "the same cause books once"."""
    books = TableBooks()
    for player in PLAYERS:
        give(books, player, 500)
    table = ToyTable("1.0", random.Random(seed))
    for _ in range(60):
        for event in table.step():
            follow(books, "1.0", event)
            table.answers.update((held.id, held.refused) for held in books.reservations.values())
            before = dict(books.standings), len(books.fresh)
            follow(books, "1.0", event)
            assert (dict(books.standings), len(books.fresh)) == before


@given(st.integers(0, 2**32))
def test_a_batch_touches_no_more_than_it_names(seed):
    """A store loads what `Touched` names; an account it forgot would be booked from nothing."""
    books = TableBooks()
    table = ToyTable("1.0", random.Random(seed))
    for player in PLAYERS:
        give(books, player, 300)
    for _ in range(80):
        for event in table.step():
            touched = Touched(books)
            touched.add("1.0", event)
            fresh = len(books.fresh)
            follow(books, "1.0", event)
            table.answers.update((held.id, held.refused) for held in books.reservations.values())
            for post in books.fresh[fresh:]:
                assert post.id in touched.postings
                assert {leg.account for leg in post.legs} <= touched.accounts


def test_a_posting_that_does_not_sum_to_zero_breaks_the_law():
    with pytest.raises(LawBroken, match="sum to zero"):
        posting("x", [(ANN, 5), (WORLD, -4)])


def test_money_never_crosses_currencies():
    with pytest.raises(LawBroken, match="sum to zero"):
        posting("x", [(ANN, 5), (accounts.external("RON"), -5)])


def test_money_only_moves_forward():
    with pytest.raises(LawBroken, match="forward"):
        transfer("x", WORLD, ANN, -1)


def test_legs_of_one_account_are_added_and_those_of_nothing_left_out():
    bob = accounts.player_account("bob", EUR)
    made = posting("x", [(ANN, 5), (bob, 0), (ANN, 2), (WORLD, -7)])
    assert made.legs == ((ANN, 7), (WORLD, -7))


def test_one_cause_with_two_contents_breaks_the_law():
    books = Books()
    assert books.book(transfer("x", WORLD, ANN, 5))
    assert not books.book(transfer("x", WORLD, ANN, 5))
    with pytest.raises(LawBroken, match="other legs"):
        books.book(transfer("x", WORLD, ANN, 6))
    assert books.balance(ANN) == 5


@pytest.mark.parametrize(
    ("amount", "outcome"),
    [
        (7, None),  # all he has
        (8, Refusal(LedgerCode.NOT_ENOUGH_MONEY, balance=7, amount=8)),
    ],
)
def test_a_player_pays_with_what_he_has(amount, outcome):
    books = Books()
    books.book(transfer("in", WORLD, ANN, 7))
    assert books.refusal_of(transfer("x", ANN, WORLD, amount)) == outcome


@pytest.mark.parametrize(
    ("amount", "outcome"),
    [
        (BALANCE_MOST - 7, None),
        (BALANCE_MOST - 6, Refusal(LedgerCode.BALANCE_TOO_LARGE, most=BALANCE_MOST)),
    ],
)
def test_a_balance_stays_a_number_that_every_client_counts(amount, outcome):
    books = Books()
    books.book(transfer("in", WORLD, ANN, 7))
    assert books.refusal_of(transfer("x", accounts.house(EUR), ANN, amount)) == outcome


@pytest.mark.parametrize(
    "account",
    [
        ANN,
        WORLD,
        accounts.house("PLAY"),
        accounts.rake("lt", EUR),
        accounts.at_table("3f.7:p:7:12@904", EUR),
        accounts.in_transit("3f.7:p7:12@904", EUR),
    ],
)
def test_an_account_is_read_back_from_its_id(account: Account):
    assert account_of(account.id) == account


def test_a_reservation_is_answered_once():
    """ARCHITECTURE 5: "A second reading finds the first answer"."""
    books = opened(ann=5)
    asked = reserve("r", "ann", 10)
    follow(books, "1.0", asked)
    assert books.answered["r"].refused == "NOT_ENOUGH_MONEY"
    give(books, "bob", 1)
    books.book(transfer("more", WORLD, ANN, 100))
    follow(books, "1.0", asked)
    assert books.answered["r"].refused == "NOT_ENOUGH_MONEY"
    assert books.balance(ANN) == 105


def test_one_reservation_for_two_asks_breaks_the_law():
    books = opened(ann=50)
    follow(books, "1.0", reserve("r", "ann", 10))
    with pytest.raises(LawBroken, match="asked for twice"):
        follow(books, "1.0", reserve("r", "ann", 11))


def test_a_void_posts_nothing():
    """ARCHITECTURE 5: "a void before that posts nothing"."""
    books = opened(ann=50)
    before = len(books.fresh)
    follow(books, "1.0", HandVoided("1.0-1", "operator"))
    assert len(books.fresh) == before


@pytest.mark.parametrize("seated", [PlayerSeated("r"), BuyInReturned("r")])
def test_the_log_is_final_over_a_ledger_that_refused(seated):
    """ARCHITECTURE 5: "a seating ... whose funding a restored ledger lacks books it, into debt"."""
    books = opened(ann=4)
    follow(books, "1.0", reserve("r", "ann", 10))
    assert books.answered["r"].refused
    follow(books, "1.0", seated)
    returned = isinstance(seated, BuyInReturned)
    assert books.balance(ANN) == (4 if returned else -6)
    assert books.postings["fund:r"].flag is Flag.LOG_WINS
    assert books.settled == {"r"}
    assert books.answered == {}
    # A player in debt is refused until he has paid it back, and is never kept from being paid.
    follow(books, "1.0", reserve("again", "ann", 5))
    assert books.reservations["again"].refused == "NOT_ENOUGH_MONEY"


def test_a_top_up_of_a_ledger_that_refused_lands_on_its_sitting_in_debt():
    books = opened(ann=10)
    follow(books, "1.0", reserve("r", "ann", 10))
    follow(books, "1.0", PlayerSeated("r"))
    follow(books, "1.0", reserve("more", "ann", 7, top_up="r"))
    follow(books, "1.0", ToppedUp("more"))
    assert books.balance(accounts.at_table("r", EUR)) == 17
    assert books.balance(ANN) == -7
    assert books.postings["fund:more"].flag is Flag.LOG_WINS


def test_the_log_is_final_over_a_ledger_that_funded():
    books = opened(ann=10)
    follow(books, "1.0", reserve("r", "ann", 10))
    assert books.balance(ANN) == 0
    follow(books, "1.0", ReservationFailed("r", "NOT_ENOUGH_MONEY"))
    assert books.balance(ANN) == 10
    assert books.postings["seat:r"].flag is Flag.LOG_WINS


BROKEN = [
    ("1.0", PlayerSeated("nobody"), "never reserved"),
    ("2.0", PlayerSeated("r"), "never reserved"),
    ("2.0", reserve("q", "ann", 1), "never opened"),
    ("1.0", reserve("q", "ann", -1), "only moves forward"),
    ("1.0", TableOpened(settings("PLAY")), "on other terms"),
    ("1.0", PlayerLeft("ann", "r", 1, 9, "asked"), "left 1 behind"),
    ("1.0", PlayerLeft("ann", "r", 1, 11, "asked"), "left -1 behind"),
    ("1.0", HandEnded("1.0-1", (Net(1, "ann", "r", 1),), 0), "sum to zero"),
    (
        "1.0",
        HandEnded("1.0-1", (Net(1, "ann", "r", -11), Net(2, "bob", "s", 11)), 0),
        "took more",
    ),
]


@pytest.mark.parametrize(("table", "event", "message"), BROKEN)
def test_what_cannot_be_true_stops_the_ledger(table, event, message):
    books = opened(ann=10)
    follow(books, "1.0", reserve("r", "ann", 10))
    follow(books, "1.0", PlayerSeated("r"))
    with pytest.raises(LawBroken, match=message):
        follow(books, table, event)
