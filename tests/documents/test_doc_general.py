"""The documents' general rules of hands, odd cents, outages and disputes."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action, VoidHand
from riverboat.game.hand.events import (
    HandVoided,
)
from riverboat.game.table.events import PlayerLeft
from tests.documents.playing import (
    beats,
    plays,
    plays_out,
    settings_of,
    sit,
    starts,
    table_of,
    to_round,
    to_the_end,
    winners,
    won,
)
from tests.documents.quoting import by_book, says

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BOOKS = ("lt", "et", "ro")


# Hands.


@pytest.mark.parametrize(
    "book",
    by_book(
        "the worked comparisons: the better hand wins against the worse",
        lt=("1.1", "| Q-Q-Q-6-6 | laimi prieš | Q-Q-Q-5-5 |"),
        et=("1.1", "| Q-Q-Q-6-6 | võidab | Q-Q-Q-5-5 |"),
        ro=("1.1", "| Q-Q-Q-6-6 | invinge | Q-Q-Q-5-5 |"),
    ),
)
def test_the_worked_comparison_of_full_houses(book):
    assert beats(book, "holdem", "6h6d", "5h5d", then="QhQdQc3s2s")


@pytest.mark.parametrize(
    "book",
    by_book(
        "of two flushes the one with the higher card",
        lt=("1.1", "| Kh-7h-5h-3h-2h | laimi prieš | Qs-Js-Ts-8s-6s |"),
        et=("1.1", "| Kh-7h-5h-3h-2h | võidab | Qs-Js-Ts-8s-6s |"),
        ro=("1.1", "| Kh-7h-5h-3h-2h | invinge | Qs-Js-Ts-8s-6s |"),
    ),
)
def test_the_worked_comparison_of_flushes(book):
    assert beats(book, "draw5", "Kh7h5h3h2h", "QsJsTs8s6s")


@pytest.mark.parametrize(
    "book",
    by_book(
        "of two equal pairs the one with the higher kicker",
        lt=("1.1", "| A-A-K-T-6 | laimi prieš | A-A-Q-J-5 |"),
        et=("1.1", "| A-A-K-T-6 | võidab | A-A-Q-J-5 |"),
        ro=("1.1", "| A-A-K-T-6 | invinge | A-A-Q-J-5 |"),
    ),
)
def test_the_worked_comparison_of_pairs(book):
    assert beats(book, "draw5", "AhAdKsTc6h", "AsAcQhJd5c")


@pytest.mark.parametrize(
    "book",
    by_book(
        "the second kicker decides too",
        lt=("1.1", "| J-J-J-A-Q | laimi prieš | J-J-J-A-9 |"),
        et=("1.1", "| J-J-J-A-Q | võidab | J-J-J-A-9 |"),
        ro=("1.1", "| J-J-J-A-Q | invinge | J-J-J-A-9 |"),
    ),
)
def test_the_worked_comparison_of_three_of_a_kind(book):
    assert beats(book, "holdem", "QhAs", "9h8d", then="JhJdJcAc2s") is True
    assert beats(book, "holdem", "Qh3s", "9h4d", then="JhJdJcAc2s") is True


@pytest.mark.parametrize(
    "book",
    by_book(
        "the ace is the highest card, but in A-2-3-4-5 it counts as one",
        lt=("1.1", "Tuzas yra aukščiausia korta, bet eileje A-2-3-4-5 jis yra skaitomas ir kaip 1"),
        et=("1.1", "Äss on kõrgeim kaart, välja arvatud käes Rida Ässast viieni A-2-3-4-5"),
        ro=("1.1", "in chinta A-2-3-4-5 fac exceptie cand un As are valoarea 1"),
    ),
)
def test_the_ace_is_high_and_low_in_one_straight(book):
    assert beats(book, "draw5", "6s5h4d3c2h", "Ah5c4h3s2d")
    assert beats(book, "draw5", "Ah5c4h3s2d", "KhKdKsQcJd")
    assert beats(book, "draw5", "AhKdQsJcTd", "KhQdJsTc9d")
    assert beats(book, "draw5", "9h9d4s3c2d", "2hAdKsQcJd")  # no straight goes around the ace


@pytest.mark.parametrize(
    "book",
    by_book(
        "the winner is decided by five cards",
        lt=("1.1", "kombinacija yra visada nustatoma pagal 5 kortas"),
        et=("1.1", "Jaotuse võitja määratakse alati parima viie kaardi kombinatsiooni"),
        ro=("1.1", "Mana castigatoare este determinata intotdeauna de cele cinci carti"),
    ),
)
def test_five_cards_decide_and_no_sixth(book):
    assert won(book, "holdem", {1: "3h2d", 2: "7c6c"}, then="AhAdKsKcQh") == {1: 500, 2: 500}


# Odd cents.


@pytest.mark.parametrize(
    "book",
    by_book(
        "a cent that is left over goes to the player left of the dealer; the first who wins",
        lt=("1.1", "jis atitenka kairėje dalintojo sėdinčiam žaidėjui"),
        et=("1.1", "läheb see diilerinupust vasakul istuvale esimesele võitvale mängijale"),
        ro=("1.1", "odd chip(1 cent) acesta va merge la jucatorul din stanga dealer-ului"),
    ),
)
def test_the_odd_cent_goes_to_the_first_winner_left_of_the_button(book):
    holes = {1: "2h2d", 2: "AhKd", 3: "AsKc"}
    dealt = sit(book, "holdem", holes=holes, then="QhJdTs4c3s", small_blind=1, big_blind=2)
    plays(dealt, (3, CALL), (1, FOLD), (2, CHECK))
    assert to_the_end(dealt).won() == {2: 3, 3: 2}


@pytest.mark.parametrize(
    "book",
    by_book(
        "in high/low the odd cent goes to the high hand",
        lt=("1.1", "„High/Low“ žaidimuose atlikęs žetonas atitenka aukštąjį puodą laiminčiam"),
        et=("1.1", "High/Low mängudes läheb paaritu žetoon kõrge käe võitjale"),
        ro=("1.1", "In jocurile High/Low, acest odd chip va merge la jucatorul cu cea mai mare"),
    ),
)
def test_the_odd_cent_of_a_halved_pot_goes_to_the_high_hand(book):
    holes = {1: "KhKd9c9s", 2: "Ac2d6h6s", 3: "QhQdJcJs"}
    then = "KsTc8h5d4c"
    dealt = sit(book, "omaha_hilo", holes=holes, then=then, small_blind=1, big_blind=1)
    plays(dealt, (3, CALL))
    assert to_the_end(dealt).won() == {1: 2, 2: 1}


@pytest.mark.parametrize(
    "book",
    by_book(
        "in Soko the odd cent goes to the one who was dealt his card first",
        lt=("1.1", "Soko žaidime žetonas atitenka pirmam kortas gavusiam žaidėjui"),
        et=("1.1", "Sökös saab selle mängija, kellele jagati varem esimene kaart"),
        ro=(
            "1.1",
            "In Soko jucatorul care a primit primul cele cinci carti primeste acest odd chip",
        ),
    ),
)
def test_the_odd_cent_of_soko_goes_to_the_first_dealt(book):
    holes = {1: "2h3d4s9cKd", 2: "6c7d8h9sQd", 3: "6d7h8s9hQc"}
    dealt = sit(book, "soko", holes=holes, ante=1, bring_in=2)
    to_round(dealt, 3)
    while dealt.hand.turn != 1:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.does(1, FOLD)
    # Three antes and three bring-ins: nine cents.
    assert to_the_end(dealt).won() == {2: 5, 3: 4}


# Outages and disputes.


@pytest.mark.parametrize(
    "book",
    by_book(
        "running games are called off and everybody's money goes back to his account",
        lt=("1.8", "visi pinigai iš puodo sugrąžinti žaidėjams"),
        et=("1.8", "loetakse kehtetuks ja kõik žetoonid pangas tagastatakse mängijatele"),
        ro=("1.8", "vor fi anulate si jucatorii vor primi jetoanele inapoi"),
    ),
)
@says("lt", "1.8", "esantys pinigai bus sugrąžinti į jų sąskaitas", "back to their accounts")
@says("et", "1.8", "lauasolevate mängijate raha nende mängijakontodele", "back to their accounts")
@says("ro", "1.8", "toti jucatorii de la mese vor primi banii inapoi", "all get their money back")
def test_a_failure_calls_the_hand_off_and_pays_everybody_out(book):
    house = table_of(settings_of(book, "holdem"), "a", "b", "c", stack=20_000)
    starts(house)
    plays_out(house)
    before = house.stacks()
    starts(house)
    house.act(RAISE, 1_500)
    house.act(CALL)
    house.wait(20_000 + 60_000)  # his clock and the grace are over: nothing ran for so long
    gone = [e for record, _ in house.log for e in record.events if isinstance(e, PlayerLeft)]
    assert {each.player: each.amount for each in gone} == before
    assert isinstance(house.log[-1][0].events[0], HandVoided)
    assert not house.table.sittings


@says("et", "1.0", "on lõplik otsus mänedžmendil", "in disputes the management's word is final")
@says("ro", "1.0", "decizia managementului este finala", "the management's decision is final")
@pytest.mark.parametrize("book", ["et", "ro"])
def test_the_management_can_call_a_hand_off(book):
    house = table_of(settings_of(book, "holdem"), "a", "b", "c", stack=20_000)
    starts(house)
    house.act(RAISE, 1_500)
    deal = house.table.deal
    assert deal is not None
    house.order(VoidHand(deal.hand, "operator"))
    assert house.stacks() == {"a": 20_000, "b": 20_000, "c": 20_000}
    assert not house.playing()


def test_a_player_left_alone_takes_the_pot_without_showing():
    """The case that none of the comparisons shows: nothing is compared."""
    dealt = sit("lt", "holdem", holes=2)
    plays(dealt, (2, FOLD))
    assert to_the_end(dealt).won() == {1: 500}
    assert winners("lt", "holdem", {1: "AhAd", 2: "KhKd"}, "2c3s7d8h9s") == {1}
