"""The documents' further numbers: cards before a round, cards that make a hand, two blinds."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.cards import cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import HandShown, Post, Posted, StreetDealt
from riverboat.game.hand.state import Baton
from riverboat.game.ranking import ranking
from tests.documents.playing import (
    beats,
    sit,
    to_round,
    to_the_bets,
    to_the_draw,
    to_the_end,
    winners,
)
from tests.documents.quoting import by_book, by_game, says, variant_of

SPLIT = Action.SPLIT

# How many cards each player holds when the first round begins.
FIRST = {
    **dict.fromkeys(("holdem", "soko", "americana", "telesina"), 2),
    **dict.fromkeys(("stud7", "stud7_hilo"), 3),
    **dict.fromkeys(("omaha", "omaha_hilo"), 4),
    **dict.fromkeys(("omaha5", "omaha5_hilo", "draw5", "triple_draw27", "draw32"), 5),
}


@pytest.mark.parametrize(
    ("book", "variant"),
    [
        *by_game(
            "the first round comes once each player has so many cards",
            ("lt", "4.5", "Pirmas statymu ratas vyksta kiekvienam žaidejui išdalinus dvi kortas"),
            ("lt", "5.5 7.5", "vyksta kiekvienam žaidejui išdalinus po keturias kortas"),
            ("lt", "9.6 14.6 15.6", "vyksta, kai žaidejai gauna pirmas dvi kortas"),
            ("lt", "10.5 11.5", "vyksta kiekvienam žaidejui gavus po tris kortas"),
            ("lt", "12.6 16.6", "Pirmame statymu rate žaidejai gali statyti gavę po 5 kortas"),
            ("lt", "13.7", "vyksta tada, kai kiekvienas žaidejas gauna po 5 kortas"),
            ("et", "4.5", "leiab aset peale 2 kinnise kaardi jagamist igale mängijale"),
            ("et", "5.5 6.5", "leiab aset peale 4 kinnise kaardi jagamist igale mängijale"),
            ("et", "7.5", "takes place after each player is dealt his first two cards"),
            ("et", "8.5 9.5", "takes place after each player is dealt his first three cards"),
            ("et", "10.6 11.7", "takes place after each player is dealt his 5 cards"),
            ("et", "12.6", "leiab aset peale seda kui igale mängijale on jagatud 2 kaarti"),
            ("et", "13.6", "kui kõikidele mängijatele on jagatud nende 5 kaarti"),
            ("ro", "4.5", "incepe dupa ce jucatorul a primit cele doua cart"),
            ("ro", "5.5", "dupa ce fiecare jucator a primit cela 4 carti cu fata in jos"),
            ("ro", "7.5", "se face dupa ce fiecare jucator primeste cele 4 carti"),
            ("ro", "9.6", "Prima are loc cand fiecare jucator primeste cele 2 carti"),
            ("ro", "10.5", "prima are lc cand jucatorii primesc cele 3 carti"),
            ("ro", "11.5", "are loc dupa ce fiecare jucator primeste trei carti"),
            ("ro", "12.6", "are loc dupa ce fiecare jucator primeste cele 5 carti ale lui"),
            ("ro", "13.7", "are loc dupa ce toti jucatorii au primit cele 5 carti"),
            ("ro", "15.6", "are loc dupa ce fiecare jucator primeste cele doua carti"),
        ),
        *by_game(
            "copied from Omaha of four cards: five, as the paragraph before says [reading]",
            ("lt", "6.5 8.5", "vyksta kiekvienam žaidejui išdalinus po keturias kortas"),
            ("ro", "6.5", "dupa ce fiecare jucator a primit cela 4 carti cu fata in jos"),
            ("ro", "8.5", "se face dupa ce fiecare jucator primeste cele 4 carti"),
        ),
    ],
)
def test_the_first_round_comes_after_so_many_cards(book, variant):
    hand = sit(book, variant).hand
    assert (hand.round, hand.baton) == (0, Baton.BETTING)
    assert {len(seat.places) for seat in hand.seats.values()} == {FIRST[variant]}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "turn and river, one card each, make five on the board",
        ("lt", "4.4 5.4 6.4 7.4 8.4", "kas sudarys iš viso 5 bendras kortas atverstas ant stalo"),
        ("et", "4.4 5.4 6.4", '"river" ehk ka "fifth street", mis teeb kokku lauale 5 kaarti'),
        ("ro", "4.4", "va intregii cele 5 de pe masa"),
        ("ro", "5.4 6.4 7.4 8.4", "va face sa fie 5 carti comunitare pe masa"),
    ),
)
def test_the_river_makes_five_shared_cards(book, variant):
    shared = [len(to_round(sit(book, variant), at).hand.boards[0]) for at in range(4)]
    assert shared == [0, 3, 4, 5]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "so many further cards to each, a round after each of them",
        ("lt", "15.4", "gauna dar po 3 kortas, kurios taip pat yra matomos visu žaideju"),
        ("lt", "15.6", "Išdalinus trečią, ketvirtą ir penktą kortas vyskta kiti 3 statymu ratai"),
        ("lt", "10.5", "Tada statymu ratai vyksta po kiekvienos kitos išdalintos kortos"),
        ("et", "8.5 9.5", "Then a 4th, 5th, 6th and 7th card is dealt to each player"),
        ("ro", "10.5", "Dupa ce inca 4 carti sunt impartite jucatorilor"),
        ("ro", "11.5", "Dupa urmatoarele patru carti, va porni o noua runda de pariere"),
        ("ro", "15.4", "se vor mai imparti 3 carti cu fata in sus catre fiecare jucator"),
        ("ro", "15.6", "a treia, a patra si a cincea carte este impartita fiecarui jucator"),
    ),
)
def test_so_many_further_cards_each_with_a_round(book, variant):
    further = {"telesina": 3, "stud7": 4, "stud7_hilo": 4}[variant]
    held = []
    for at in range(further + 1):
        hand = to_round(sit(book, variant), at).hand
        held.append({len(seat.places) for seat in hand.seats.values()})
    assert held == [{FIRST[variant] + at} for at in range(further + 1)]
    if variant == "telesina":
        # Face up, all three of them; and then the Vela with a last round, and no further card.
        last = to_round(sit(book, variant), 4).hand
        assert {len(seat.up) for seat in last.seats.values()} == {4}
        assert {len(seat.places) for seat in last.seats.values()} == {5}
        assert len(last.boards[0]) == 1


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after the last round, over five cards on the board, the cards are turned up",
        ("ro", "4.6", "pe masa sunt deja toate cele 5 carti, se vor intoarce cartile"),
    ),
)
def test_over_five_shared_cards_the_cards_are_turned_up(book, variant):
    dealt = to_round(sit(book, variant), 3)
    assert not dealt.happened(HandShown)
    assert len(to_the_end(dealt).hand.boards[0]) == 5
    assert dealt.happened(HandShown)


BLINDS = by_game(
    "two blinds, a small and a big one, before any card",
    (
        "lt",
        "12.3 13.4 16.3",
        'yra žaidžiamas su dviem "nematomais" statymais: mažuoju ir didžiuoju',
    ),
    (
        "et",
        "4.3 5.3 6.3",
        "mängitakse kahe pimeda panuse ehk blaindiga, väikese blaindiga ja suure",
    ),
    ("et", "10.3 11.4", 'is played with two blinds, the "small blind" and the "big blind"'),
    ("et", "13.3", "on kaks blindi – väike blind ja suur blind"),
    ("ro", "4.3", "este jucat cu doua blind-uri"),
    ("ro", "5.3 6.3 7.3 8.3", 'este jucat cu doua blind-uri, "small blind" si "big blind"'),
    ("ro", "12.3", 'este jucat cu 2 blind-uri, "small blind" si "big blind"'),
    ("ro", "13.4", 'se joaca, cu 2 blind-uri, "small blind" si "big blind"'),
)


@pytest.mark.parametrize(("book", "variant"), BLINDS)
@pytest.mark.parametrize("players", [2, 3, 5])
def test_two_blinds_before_any_card(book, variant, players):
    dealt = sit(book, variant, holes=players)
    kinds = [type(event) for event in dealt.events]
    posts = [event.post for event in dealt.happened(Posted)]
    assert sorted(posts) == [Post.SMALL_BLIND, Post.BIG_BLIND]
    assert kinds.index(StreetDealt) > max(at for at, kind in enumerate(kinds) if kind is Posted)


# What wins.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the best five cards win the pot; in Telesina the Vela may be one of them",
        ("lt", "15.7 16.7", "Aukščiausia 5 kortu kombinacija laimi puodą"),
        ("et", "13.7", "Poti võidab parim 5 kaartiga käsi"),
        ("ro", "15.7", "Cea mai buna mana formata din cinci carti castiga pot-ul"),
        ("ro", "15.4", "poate fi folosita de catre toti jucatorii pentru a-si imbunatati mainile"),
    ),
)
def test_the_best_five_of_32_cards_win(book, variant):
    vela = "9h" if variant == "telesina" else ""
    assert beats(book, variant, "KhKdKs8c7s", "AhAdQcQsJd", vela)
    if variant == "telesina":
        # It makes the one hand better, though it lies there for the other one too.
        assert beats(book, variant, "9c9dTs8c7s", "AhAdQcJsTd", "9h")
        assert beats(book, variant, "AhAdQcJsTd", "9c9dTs8c7s", "Kh")


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the lowest five cards win the pot",
        ("lt", "13.1", "2-7 Triple Draw žaidime žemiausia 5 kortu kombinacija laimi puodą"),
        ("et", "11.1", "In 2-7 Triple Draw the lowest 5 card hand wins the pot"),
        ("ro", "13.1", "In 2-7 Triple Draw cele mai mici 5 carti castiga potul"),
    ),
)
def test_the_lowest_five_cards_win(book, variant):
    assert beats(book, variant, "8h6d4s3c2d", "8s7d3h2c4c")
    assert beats(book, variant, "KhQdJs9c8d", "2h2d3s4c5c")  # a pair is higher than none


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "all five cards of the board may be used",
        ("lt", "4.6", '"play the board"), tai reiškia naudoti visas 5 bendras kortas'),
    ),
)
def test_the_board_plays(book, variant):
    assert winners(book, variant, {1: "2h3d", 2: "2c3s", 3: "4c4d"}, "AhKdQsJcTd") == {1, 2, 3}


@pytest.mark.parametrize(
    "book",
    by_book(
        "of two hands of a kind the one of higher cards, then the one with the higher kicker",
        lt=("1.1", 'laimi žaidejas, kurio "kicker" korta yra aukštesne'),
        et=("1.1", "siis võidab mängija, kellel on kõrgemad kaardid"),
        ro=("1.1", "jucatorul cu cele mai mari carti castiga"),
    ),
)
def test_higher_cards_then_higher_kickers(book):
    assert beats(book, "holdem", "9h9d", "8c8d", "AsKd5c3h2s")
    assert beats(book, "holdem", "9hQd", "9cJd", "9sKd5c3h2s")
    assert winners(book, "holdem", {1: "9hQd", 2: "9cQs"}, "9sKd5c3h2s") == {1, 2}


# The ace at either end of a straight of 32 cards.

LOW_END, HIGH_END = "AcTd9h8s7d", "AcKdQhJsTc"
LOW_FLUSH, HIGH_FLUSH = "AdTd9d8d7d", "AhKhQhJhTh"
ENDS = by_game(
    "the ace ends the highest straight and begins the lowest",
    ("lt", "15.13 16.15", "(A, K, Q, J, T) ir taip pat kaip eiles apačia (T, 9, 8, 7, A)"),
    ("lt", "16.15", "tad eile gali buti A-7-8-9-10 arba 10-J-Q-K-A"),
    ("lt", "16.15", "A-7-8-9-10 yra žemiausia imanoma eile"),
    ("et", "13.16", "seega rida võib olla A-7-8-9-10 või 10-J-Q-K-A"),
    ("et", "13.16", "A-7-8-9-10 on madalaim rida"),
    ("ro", "15.13", "(A, K, Q, J, T) sau in partea de jos a unei chinte mici (T, 9, 8, 7, A)"),
)


@pytest.mark.parametrize(("book", "variant"), ENDS)
def test_the_ace_ends_and_begins_a_straight(book, variant):
    for end in (LOW_END, HIGH_END):
        vela = "8h" if variant == "telesina" and end is HIGH_END else ""
        vela = "Ks" if variant == "telesina" and end is LOW_END else vela
        assert beats(book, variant, end, "QsQdQc9cJd" if end is LOW_END else "9s9d9c7cKs", vela)
    vela = "Kc" if variant == "telesina" else ""
    assert beats(book, variant, "JsTc9d8h7s", "AhTs9c8d7h", vela)
    vela = "7c" if variant == "telesina" else ""
    assert beats(book, variant, "AsKdQhJsTc", "KhQdJhTh9c", vela)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "and so in a straight flush",
        ("lt", "16.11", "tad Spalvota eile gali buti A-7-8-9-10 arba 10-J-Q-K-A"),
        ("et", "13.12", "seega mastirida võib olla A-7-8-9-10 või 10-J-Q-K-A"),
    ),
)
def test_the_ace_ends_and_begins_a_straight_flush(book, variant):
    assert beats(book, variant, LOW_FLUSH, "KcKdKhKsQc")
    assert beats(book, variant, HIGH_FLUSH, "KsQsJsTs9s")
    assert beats(book, variant, "JsTs9s8s7s", LOW_FLUSH)


# What makes a hand of each kind.

KINDS: list[tuple[str, str, str, str, str]] = [
    ("lt", "15.9 16.11", "Penkios vienos spalvos iš eiles einančios kortos", "QsJsTs9s8s", "SF"),
    ("et", "13.12", "Viis samast mastist järjestikkust kaarti", "QsJsTs9s8s", "SF"),
    ("ro", "15.9", "Cinci carti in secventa numerica si aceeasi suita", "QsJsTs9s8s", "SF"),
    ("lt", "16.10", "Tuzas, karalius, dama, bartukas ir dešimake vienos", "AhKhQhJhTh", "SF"),
    ("et", "13.11", "Samast mastist äss, kuningas, emand, sõdur ja kümme", "AhKhQhJhTh", "SF"),
    ("lt", "15.10 16.12", "Keturios vienodos vertes kortos", "9c9d9h9s7h", "4"),
    ("et", "13.13", "Neli sama tugevusega kaarti ning üks kõrvalkaart", "9c9d9h9s7h", "4"),
    ("ro", "15.10", "Patru carti de aceeasi valoare numerica", "9c9d9h9s7h", "4"),
    ("lt", "15.11 16.13", "Penkios vienos spalvos kortos", "AhQhJh9h8h", "F"),
    ("et", "13.14", "Viis samast mastist kaarti", "AhQhJh9h8h", "F"),
    ("ro", "15.11", "Cinci carti de aceeasi suita", "AhQhJh9h8h", "F"),
    ("lt", "15.12 16.14", "Trys vienodos kortos ir pora", "8c8d8h7c7d", "32"),
    ("et", "13.15", "Käe moodustavad kolm sama tugevusega ning kaks", "8c8d8h7c7d", "32"),
    ("ro", "15.12", "Trei bucati si o pereche", "8c8d8h7c7d", "32"),
    ("lt", "15.13", "Penkios skirtingu spalvu iš eiles einančios kortos", "JsTc9d8h7s", "S"),
    ("lt", "16.15", "Penkios iš eiles einančios kortos", "JsTc9d8h7s", "S"),
    ("et", "13.16", "Viis järjestikkust kaarti", "JsTc9d8h7s", "S"),
    ("ro", "15.13", "Cinci carti in secventa numerica si de culori", "JsTc9d8h7s", "S"),
    ("lt", "15.14 16.16", "Trys vienodos vertes kortos", "8c8d8h9c7d", "3"),
    ("et", "13.17", "Kolm sama tugevusega kaarti ja kaks seoseta kaarti", "8c8d8h9c7d", "3"),
    ("ro", "15.14", "Trei carti de aceeasi valoare numerica", "8c8d8h9c7d", "3"),
    ("lt", "16.17", "Dvi kortos vienos skaitines vertes, dvi – kitos", "KcKd7c7dAs", "22"),
    ("et", "13.18", "veel kaks erinevat sama tugevusega kaarti ning üks", "KcKd7c7dAs", "22"),
    ("lt", "16.18", "Dvi vienodos vertes kortos ir trys skirtingos kortos", "KcKd9c8dAs", "2"),
    ("et", "13.19", "Kaks sama tugevusega kaarti ja kolm seosetut", "KcKd9c8dAs", "2"),
    ("lt", "15.16", "Dvi vienodos vertės kortos", "KcKd9c8dAs", "2"),
    ("ro", "15.16", "Două cărţi cu aceeaşi valoare numerică", "KcKd9c8dAs", "2"),
    ("lt", "16.19", "Visos kortu kombinacijos, kurios nepaminetos viršuje", "AsKsJcTd8c", ""),
    ("et", "13.20", "Iga käsi, mis ei kvalifitseeru ühekski ülalmainitud", "AsKsJcTd8c", ""),
]
NAMES = {
    "SF": "straight flush",
    "4": "four of a kind",
    "F": "flush",
    "32": "full house",
    "S": "straight",
    "3": "three of a kind",
    "22": "two pair",
    "2": "one pair",
    "": "high card",
}


def kinds() -> list[Any]:
    return [
        pytest.param(
            *(variant_of(book, number), hand, NAMES[kind]),
            marks=says(book, number, words, f"what makes {NAMES[kind]}"),
            id=f"{book} {number}",
        )
        for book, numbers, words, hand, kind in KINDS
        for number in numbers.split()
    ]


@pytest.mark.parametrize(("variant", "hand", "kind"), kinds())
def test_what_makes_a_hand_of_each_kind(variant, hand, kind):
    meaning = ranking(variant).meaning(ranking(variant).value(cards(hand)))
    assert meaning is not None
    assert meaning.category == kind


# SPLIT.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after the draw SPLIT stands beside FOLD, CHECK and BET: first for one, then for the next",
        ("lt", "16.8", "yra šalia reguliariu mygtuku „FOLD“, „CHECK“, „BET“ pirmam po kortu"),
        ("lt", "16.8", "jeigu prieš juos pasirinkimo teisę tureję žaidejai pasirinko dalintis"),
        ("et", "13.8", "ilmub tavapäraste nuppude kõrvale poolitusnupp (Split)"),
        ("et", "13.8", "ilmub sama nupp ka järgmisena tegutsevale mängijale"),
        ("et", "13.8", "See tegevus võib jätkuda ka kõikidele mängijatele"),
    ),
)
def test_the_split_button_stands_beside_the_others(book, variant):
    dealt = sit(book, variant, holes=4)
    assert not dealt.offered.split  # never before the draw
    to_the_bets(to_the_draw(dealt))
    for _ in range(4):
        offered = dealt.offered
        assert offered.split and offered.fold and offered.check and offered.raise_least
        dealt.does(offered.seat, SPLIT)
    assert dealt.hand.turn == 0
