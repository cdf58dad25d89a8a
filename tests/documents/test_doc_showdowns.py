"""Each game's showdown: who shows first, and who need not show."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import HandMucked, HandShown
from tests.documents.playing import (
    passes,
    plays,
    showing_order,
    sit,
    to_round,
    to_the_end,
)
from tests.documents.quoting import by_game
from tests.game.hand.dealt import Dealt

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE

# Cards for three: seat 3 shows the best open hand, where cards lie open, and nobody else a pair.
OPEN = {
    "soko": {1: "2c7d9hTcQc", 2: "3d8c4hJcKc", 3: "5cAsAh6d8s"},
    "stud7": {1: "2c3c7d9hTcQc4s", 2: "3d4d8c5hJcKc6h", 3: "5c6cAsAh6d8s9d"},
    "americana": {1: "7c8d9hJcQc", 2: "7d8cThJdKc", 3: "9cAsAh7s8s"},
}
OPEN["stud7_hilo"] = OPEN["stud7"]
OPEN["telesina"] = OPEN["americana"]


def three_at(book: str, variant: str) -> Dealt:
    return sit(book, variant, holes=OPEN.get(variant, 3))


def last_round(dealt: Dealt) -> Dealt:
    return to_round(dealt, dealt.game.rounds - 1)


LEFT_LT = "pirmas kortas rodys tas žaidejas, kuris sedi dalintojui iš kaires"
HIGHEST_RO = "jucatorul care are cea mai mare mana de pe masa, trebuie sa isi arate mana primul"
# What the documents say of a last round without a bet: book, paragraphs, words; by who shows.
NO_BET = {
    "left": [
        ("lt", "4.6 5.6 6.6 7.6 8.6 9.7 13.8 14.7 15.7", LEFT_LT),
        ("lt", "12.7", "pradedant kaireje dalintojo sedinčiu žaideju, rodo savo kortas"),
        ("et", "4.6 5.6 6.6", "siis avab kaardid esimesena diilerinupust järgmine mängija"),
        ("et", "10.7 11.8", "the first remaining player to the left of the dealer shows his hand"),
        ("et", "12.7", "siis avab kaardid diileri vasakult käelt esimene mängija"),
        ("ro", "4.6", "primul jucator ramas in stanga dealer-ului, isi arata mana primul"),
        ("ro", "5.6 6.6", "primul din stanga dealer-ului va arata primul mana"),
        ("ro", "7.6 8.6", "primul jucator ramas in joc de dupa dealer arata mana"),
        ("ro", "12.7", "jucatorul activ din stanga dealer-ului,isi va arata mana primul"),
        ("ro", "13.8", "primul jucator din stanga dealer-ului isi va arata mana primul"),
    ],
    "left of the big blind": [
        ("lt", "16.7", "pirmas žaidime likęs žaidejas po didžiojo „nematomo“ statymo rodo kortas"),
        ("et", "13.7", "avab esimesena kaartid suurest blindist järgmine allesjäänud mängija"),
    ],
    "best open hand": [
        (
            "lt",
            "10.6 11.6",
            "kortas rodys žaidejas, sudarantis aukščiausią kortu kombinaciją",
        ),
        (
            "et",
            "7.6 8.6 9.6",
            "the player showing the highest hand on the board shows his hand",
        ),
        ("ro", "9.7 10.6", HIGHEST_RO),
        ("ro", "11.6", "jucatorul cu mana cea mai mare de pe masa isi va arata mana primul"),
        ("ro", "14.7", "jucatorul cu mana cea mai mare trebuie sa isi arate cartile primul"),
        ("ro", "15.7", "jucatorul care arata cea mai mare mana isi arata primul mana"),
    ],
}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game("without a bet the player left of the dealer shows first", *NO_BET["left"]),
)
def test_without_a_bet_the_first_left_of_the_dealer_shows(book, variant):
    assert showing_order(to_the_end(three_at(book, variant)))[0] == 1
    dealt = three_at(book, variant)
    to_round(dealt, 1)
    while dealt.hand.turn != 1:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.does(1, FOLD)
    assert showing_order(to_the_end(dealt))[0] == 2


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game("without a bet: the first behind the big blind", *NO_BET["left of the big blind"]),
)
def test_without_a_bet_the_first_behind_the_big_blind_shows(book, variant):
    assert showing_order(to_the_end(sit(book, variant, holes=4)))[0] == 3
    dealt = sit(book, variant, holes=4)
    plays(dealt, (3, FOLD))
    assert showing_order(to_the_end(dealt))[0] == 4


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game("without a bet the best open hand shows first", *NO_BET["best open hand"]),
)
def test_without_a_bet_the_best_open_hand_shows(book, variant):
    assert showing_order(to_the_end(three_at(book, variant)))[0] == 3


BET_RO = "jucatorul care a pariat ultimul sau a replusat, trebuie sa isi arate mana primul"


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after a bet in the last round whoever bet or raised last shows first",
        (
            "lt",
            "4.6 5.6 6.6 7.6 8.6 9.7 13.8 14.7 15.7",
            "kortas pirmas rodys tas, kuris atliko paskutini statymą/kelimą",
        ),
        ("lt", "10.6 11.6", "kortas pirmas rodys tas žaidejas, kuris atliko paskutini statymą"),
        ("lt", "12.7 16.7", "statymą atlikęs žaidejas kortas rodo pirmas"),
        ("et", "4.6 5.6 6.6", "peab kaardid esimesena avama see mängija kes viimasena tõstis"),
        ("et", "7.6 8.6 9.6 10.7 11.8", "the player who made the last bet or raise must show his"),
        ("et", "12.7", "peab kaardid esimesena avama see mängija, kes viimasena panustas või"),
        ("et", "13.7", "peab esmalt oma kaartid avama mängija, kes panustas või tõstis panust"),
        ("ro", "4.6", "jucatorul care a pariat ultimul trebuie sa isi arate mana primul"),
        ("ro", "5.6 6.6", "jucatorul care a facut bet-ul sau raise-ul va arata primul cartile"),
        ("ro", "7.6 8.6", "cel care a facut ultimul bet sau raise arata primul cartile"),
        ("ro", "9.7 10.6", BET_RO),
        ("ro", "11.6", "jucatorul care a facut ultimul pariu sau replusare, isi va arata mana"),
        ("ro", "12.7", "jucatorul care a facut ultimul pariu isi va arata mana primul"),
        ("ro", "13.8", "ultimul jucator care a participat la actiune trebuie sa isi arate mana"),
        ("ro", "14.7", "jucatorul care a facut ultimul pariu, trebuie sa isi arate mana primul"),
        ("ro", "15.7", "jucatorul care a facut ultimul pariu sau ultima plusare trebuie sa isi"),
    ),
)
def test_after_a_bet_the_last_aggressor_shows(book, variant):
    dealt = last_round(three_at(book, variant))
    while dealt.hand.turn != 2:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.does(2, RAISE, 1_000)
    assert showing_order(to_the_end(dealt))[0] == 2
    # Of a bet and a raise the raise is the last, whoever of the others makes it.
    for raiser in (1, 3):
        dealt = last_round(three_at(book, variant))
        while dealt.hand.turn != 2:
            dealt.does(dealt.hand.turn, CHECK)
        dealt.does(2, RAISE, 1_000)
        while dealt.hand.turn != raiser:
            dealt.does(dealt.hand.turn, CALL)
        dealt.does(raiser, RAISE, 3_000)
        assert showing_order(to_the_end(dealt))[0] == raiser
    # A bet of an earlier round does not count: the order is as if nobody had bet.
    for bettor in (1, 2, 3):
        dealt = to_round(three_at(book, variant), 0)
        while dealt.hand.turn != bettor:
            passes(dealt)
        dealt.does(bettor, RAISE, 2_000)
        without = to_the_end(three_at(book, variant))
        assert showing_order(to_the_end(dealt)) == showing_order(without)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "when nobody bets all players show their cards",
        ("lt", "12.7 16.7", "Jeigu niekas nedidina statymu, visi žaidejai, pradedant kaireje"),
    ),
)
def test_after_no_bet_everybody_shows(book, variant):
    holes = {1: "AhAdAcKhKd", 2: "7h8c9dJsQh", 3: "7d8d9hJhQd"}
    dealt = to_the_end(sit(book, variant, holes=holes))
    assert len(dealt.happened(HandShown)) == 3
    assert not dealt.happened(HandMucked)
    # After a bet a hand already beaten is not shown.
    dealt = last_round(sit(book, variant, holes=holes))
    dealt.does(1, RAISE, 1_000)
    assert len(to_the_end(dealt).happened(HandMucked)) == 2
