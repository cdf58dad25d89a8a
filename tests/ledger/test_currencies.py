"""Currencies as data: what is read and refused, and that nothing crosses from one to another."""

from __future__ import annotations

import pytest

from riverboat.game.hand.events import HandEnded, Net
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import TableOpened
from riverboat.ledger import accounts
from riverboat.ledger.books import Books
from riverboat.ledger.currencies import CURRENCIES, CurrencyError, is_play, read
from riverboat.ledger.follow import TableBooks, follow
from riverboat.ledger.postings import Flag, LawBroken, posting
from riverboat.ledger.refusals import LedgerCode
from tests.ledger.toy_table import settings

PLAY = 'name = "x"\ndigits = 0\nplay = true\n'


@pytest.mark.parametrize(
    ("code", "amount", "text"),
    [
        ("EUR", 0, "0.00"),
        ("EUR", 5, "0.05"),
        ("EUR", -5, "-0.05"),
        ("EUR", 123_456, "1234.56"),
        ("JPY", 7, "7"),
        ("KWD", -1_001, "-1.001"),
        ("PLAY", 1_000, "1000"),
    ],
)
def test_an_amount_is_written_with_its_currencys_digits(code, amount, text):
    assert CURRENCIES[code].text(amount) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[EURO]\nname = 'x'\ndigits = 2", "EURO: a currency is three capital letters"),
        ("[eur]\nname = 'x'\ndigits = 2", "eur: a currency"),
        ("EUR = 2", "EUR: must be a table"),
        ("[EUR]\ndigits = 2", "EUR.name: must be set"),
        ("[EUR]\nname = 'x'", "EUR.digits: must be set"),
        ("[EUR]\nname = 'x'\ndigits = '2'", "EUR.digits: must be of type int"),
        ("[EUR]\nname = 'x'\ndigits = true", "EUR.digits: must be of type int"),
        ("[EUR]\nname = 'x'\ndigits = 5", "EUR.digits: must be from 0 to 4"),
        ("[EUR]\nname = 'x'\ndigits = 2\nrate = 3", "EUR.rate: there is no such key"),
        ("[EUR]\nname = 'x'\ndigits = 2\nrefills = 3\nrefill_ms = 5", "EUR.refills: play money"),
        (f"[PLAY]\n{PLAY}", "PLAY.refills: play money has refills"),
        ("[EUR", "Expected"),
    ],
)
def test_a_table_of_currencies_that_is_wrong_is_refused_by_its_key(text, why):
    with pytest.raises(CurrencyError, match=why):
        read(text)


def test_play_money_is_the_only_one_that_is_none():
    assert [code for code in CURRENCIES if is_play(code)] == ["PLAY"]
    assert not is_play("ABC")


def test_no_transfer_crosses_currencies():
    """Issue: "no transfer crosses currencies", even where each of them sums to zero."""
    crossing = posting(
        "swap",
        (
            (accounts.external("EUR"), -5),
            (accounts.player_account("ann", "EUR"), 5),
            (accounts.external("RON"), -25),
            (accounts.player_account("ann", "RON"), 25),
        ),
    )
    books = Books()
    assert books.refusal_of(crossing) == Refusal(LedgerCode.CROSSES_CURRENCIES)
    with pytest.raises(LawBroken, match="crosses currencies"):
        books.book(crossing)


def test_a_table_of_play_money_that_was_raked_is_booked_and_flagged():
    """The log is final, and play money is never raked: somebody should look."""
    books = TableBooks()
    follow(books, "1.0", TableOpened(settings("PLAY")))
    books.book(
        posting("seed", ((accounts.external("PLAY"), -9), (accounts.at_table("s", "PLAY"), 9)))
    )
    follow(books, "1.0", HandEnded("1.0-1", (Net(1, "ann", "s", -1),), 1))
    assert books.postings["hand:1.0-1"].flag is Flag.PLAY_RAKED
    follow(books, "1.0", HandEnded("1.0-2", (Net(1, "ann", "s", 0),), 0))
    assert books.postings["hand:1.0-2"].flag is Flag.NONE
