"""Paragraph 1.7: what becomes of a player whose connection is lost while a hand is played."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.commands import Action, LoseLine
from riverboat.game.hand.events import Folded, PlayerProtected, PotsMade
from riverboat.game.table.events import Event
from tests.documents.playing import settings_of, starts, table_of
from tests.documents.quoting import by_book, says
from tests.game.table.house import House, chips

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE


def facing_a_bet(
    book: str,
    variant: str = "holdem",
    limit: str = "fl",
    protections: int = 2,
    **other: Any,
) -> House:
    """The small blind, seat 2, has lost his line and is on turn; the first to act has raised."""
    house = table_of(settings_of(book, variant, limit, **other))
    for player in "abc":
        house.seat(player, 10_000, protections=protections)
    starts(house)
    house.ask("b", LoseLine("line of b", False))
    raises(house)
    assert house.hand.turn == 2
    return house


def raises(house: House) -> None:
    """The seat on turn raises the big blind by as little as it may."""
    house.act(RAISE, 2 * house.hand.stakes.big_blind)


def time_is_up(house: House) -> list[Event]:
    events = house.wait(20_000)
    house.run()
    return events


def kinds(events: list[Event]) -> list[type]:
    return [type(event) for event in events]


def check_down(house: House) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Everybody else checks to the end; the pots as they were then."""
    while house.playing():
        hand = house.hand
        house.act(CHECK if hand.price <= hand.seats[hand.turn].bet else CALL)
    pots = next(
        event
        for record, _ in reversed(house.log)
        for event in record.events
        if isinstance(event, PotsMade)
    )
    return tuple([(pot.amount, tuple(sorted(pot.seats))) for pot in pots.pots])


@pytest.mark.parametrize(
    "book",
    by_book(
        "who loses his line with money in the pot counts as all-in for it",
        lt=("1.7", "visi jo įdėti į puodą pinigai yra laikomi kaip paskutinių žetonų statymas"),
        et=("1.7", "loetakse teda All-in'is olevaks mängijaks juhul, kui tal on juba raha pangas"),
        ro=("1.7", "el va fi tratat ca all-in daca a pus bani in pot"),
    ),
)
def test_money_in_the_pot_plays_as_an_all_in(book):
    house = facing_a_bet(book)
    assert PlayerProtected in kinds(time_is_up(house))
    house.act(CALL)
    assert check_down(house) == ((3 * 250, (1, 2, 3)), (2 * 750, (1, 3)))
    assert house.stacks()["b"] in {10_000 - 250, 10_000 - 250 + 750, 10_000 - 250 + 375, 10_000}
    assert chips(house.table) == 30_000


@pytest.mark.parametrize(
    "book",
    by_book(
        "with no money in the pot his cards are thrown away",
        lt=("1.7", "(kitu atveju jo kortos būtų numetamos)"),
        et=("1.7", "(kui raha pangas ei ole, lähevad kaardid maha)"),
        ro=("1.7", "(daca nu, mana sa va fi aruncata)"),
    ),
)
def test_without_money_in_the_pot_he_is_folded(book):
    house = table_of(settings_of(book, "holdem", "fl"))
    for player in "abc":
        house.seat(player, 10_000, protections=2)
    starts(house)
    house.ask("a", LoseLine("line of a", False))
    assert (house.hand.turn, house.hand.seats[1].put) == (1, 0)
    assert kinds(time_is_up(house))[1:] == [Folded]
    assert house.table.sittings[1].protections == 2


@pytest.mark.parametrize(
    "book",
    by_book(
        "so many times in 24 hours; the wallet grants what is left of them to a sitting",
        lt=("1.7", "tam tikras tokių apsaugotų atsijungimų skaičius per 24 valandas"),
        et=("1.7", "vaid määratud arv kordi 24 tunni jooksul"),
        ro=("1.7", "poate sa fie all-in artificial de un numar fix in maxim 24 de ore"),
    ),
)
def test_without_a_protection_left_he_is_folded(book):
    house = facing_a_bet(book, protections=1)
    assert PlayerProtected in kinds(time_is_up(house))
    assert house.table.sittings[2].protections == 0
    again = facing_a_bet(book, protections=0)
    assert kinds(time_is_up(again))[1:2] == [Folded]


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [
        ("fl", PlayerProtected),
        ("sl", PlayerProtected),
        ("nl", Folded),
        ("pl", Folded),
        ("hpl", Folded),
    ],
)
@pytest.mark.parametrize(
    "book",
    by_book(
        "only in fixed and spread limit, neither in pot, half pot nor no limit",
        lt=("1.7", "tik Fiksuoto ir Kintančio limito (PL , ½PL ir NL žaidimuose neveikia)"),
        et=("1.7", "ainult Fixed Limit ja Spread Limit mängudes"),
        ro=("1.7", "la Fixed Limit si Spread Limit, nici la PL , ½PL si NL"),
    ),
)
def test_only_in_fixed_and_spread_limit(book, limit, outcome):
    house = facing_a_bet(book, limit=limit)
    assert kinds(time_is_up(house))[1] is outcome


@pytest.mark.parametrize(
    "book",
    by_book(
        "only at tables for real money",
        lt=("1.7", "ir tik grynųjų pinigų staluose"),
        et=("1.7", "ainult rahalaudades"),
        ro=("1.7", "ci doar la jocurile cash"),
    ),
)
def test_only_for_real_money(book):
    house = facing_a_bet(book, currency="PLAY")
    assert kinds(time_is_up(house))[1] is Folded


@says("lt", "1.7", "jeigu žaidėjas atsijungia", "if a player loses his connection")
@says("et", "1.7", "kui mängija ei saa internetiühenduse katkemise", "if his line is cut")
@pytest.mark.parametrize("book", ["lt", "et", "ro"])
def test_whose_line_stands_is_folded(book):
    """RULES 7: "It applies when his clock and bank end while he is disconnected"."""
    house = table_of(settings_of(book, "holdem", "fl"))
    for player in "abc":
        house.seat(player, 10_000, protections=2)
    starts(house)
    raises(house)
    assert kinds(time_is_up(house))[1] is Folded
