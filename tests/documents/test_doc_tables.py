"""Each game's first paragraphs: how many play, who deals, what goes in before the cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game import rules
from riverboat.game.commands import Action, OpenTable, SitOut
from riverboat.game.hand.events import HandStarted, Post, Posted, StreetDealt
from riverboat.game.refusals import Refusal, TableCode
from tests.documents.playing import plays_out, settings_of, sit, starts, table_of
from tests.documents.quoting import by_game, says, variant_of
from tests.game.table.house import House

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE

SEATS = [
    ("lt", "4.1", 10, "gali žaisti iki 10 žaideju"),
    ("lt", "5.1 6.1 7.1 8.1 9.1 10.1 11.1", 8, "gali žaisti iki 8 žaideju"),
    ("lt", "12.1 13.2 14.1 15.1", 6, "gali žaisti iki 6 žaideju"),
    ("lt", "16.1", 5, "gali žaisti iki 5 žaideju"),
    ("et", "4.1", 10, "saavad mängida kuni 10 mängijat"),
    ("et", "5.1 6.1", 9, "saavad mängida kuni 9 mängijat"),
    ("et", "7.1", 8, "saavad mängida kuni 8 mängijat"),
    ("et", "8.1 9.1", 8, "Up to 8 players are allowed to play in the same game"),
    ("et", "10.1 11.2", 6, "Up to 6 players are allowed to play in the same game"),
    ("et", "12.1", 6, "võib mängida kuni 6 mängijat"),
    ("et", "13.1", 5, "võib osaleda kuni 5 mängijat"),
    ("ro", "4.1", 10, "Pana la 10 jucatori pot sa joace la aceeasi masa"),
    ("ro", "5.1 6.1", 8, "E permis un numar maxim de 8 jucatori la o masa"),
    ("ro", "7.1 8.1", 8, "Este permis un numar de maxim 8 jucatori la o masa"),
    ("ro", "9.1 10.1", 8, "Pana la 8 jucator pot sa joace la aceeasi masa"),
    ("ro", "11.1", 8, "Maxim 8 jucatori pot juca in acelasi joc"),
    ("ro", "12.1 13.2", 6, "Pana la 6 jucatori pot sa joace la aceeasi masa"),
    ("ro", "14.1", 6, "Pana la 6 jucatori maxim pot sa joace la aceeasi masa"),
    ("ro", "15.1", 6, "Pana la sase jucatori au voie sa joace in acelasi joc"),
]


@pytest.mark.parametrize(
    ("book", "variant", "most"),
    [
        pytest.param(
            *(book, variant_of(book, number), most),
            marks=says(book, number, words, f"up to {most} players"),
            id=f"{book} {variant_of(book, number)}",
        )
        for book, numbers, most, words in SEATS
        for number in numbers.split()
    ],
)
def test_so_many_play_at_most(book, variant, most):
    settings = settings_of(book, variant)
    too_large = House().order(OpenTable(replace(settings, seats=most + 1)))
    assert isinstance(too_large, Refusal)
    assert (too_large.code, too_large.facts["field"]) == (TableCode.BAD_SETTING, "seats")
    players = [f"p{number}" for number in range(most)]
    house = table_of(replace(settings, seats=most), *players)
    starts(house)
    assert len(house.hand.seats) == most
    plays_out(house)
    assert sum(house.stacks().values()) == most * 10_000


def started(house: House) -> HandStarted:
    """The beginning of the hand that runs."""
    for record, _ in reversed(house.log):
        for event in record.events:
            if isinstance(event, HandStarted):
                return event
    raise AssertionError("no hand was started")


def posted(house: House) -> list[tuple[int, Post, int]]:
    """The forced bets of the last hand, in order."""
    begun = started(house)
    (record,) = [record for record, _ in house.log if begun in record.events]
    return [(e.seat, e.post, e.amount) for e in record.events if isinstance(e, Posted)]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "a button shows who the dealer is, and moves clockwise with each hand",
        (
            "lt",
            "4.2 5.2 6.2 7.2 8.2 12.2 13.3 16.2",
            "Ženkliukas pereina kas dalinimą pas kitą žaideją pagal laikrodžio",
        ),
        ("et", "4.2 5.2 6.2", "Jagamise järjekord liigub mängijalt mängijale edasi päripäeva"),
        ("et", "10.2 11.3", "The deal moves clockwise between the players"),
        ("et", "13.2", "Diileri koht liigub mängijate vahel edasi päripäeva"),
        ("ro", "4.2", "Acesta se misca intre jucatori in sensul acelor de ceasornic"),
        ("ro", "5.2 6.2", "Impartirea cartilor are loc in sens trigonometric incepand din stanga"),
        ("ro", "7.2 8.2", "Impartirea are loc in sensul acelor de ceasornic"),
        ("ro", "12.2", "in sensul acelor de ceasornic intre jucatori, la fel si butonul de dealer"),
        ("ro", "13.3", "Butonul de dealer se va roti conform acelor de ceasornic intre jucatori"),
    ),
)
def test_the_button_moves_clockwise(book, variant):
    house = table_of(settings_of(book, variant), "a", "b", "c")
    buttons, first_dealt = [], []
    for _ in range(4):
        starts(house)
        buttons.append(started(house).button)
        first_dealt.append(started(house).seats[0].seat)
        plays_out(house)
    assert [seat % 3 + 1 for seat in buttons[:-1]] == buttons[1:]
    assert first_dealt == [seat % 3 + 1 for seat in buttons]  # cards go from its left


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "cards go clockwise from the first active player after the dealer's box",
        ("lt", "9.2 14.2", "pradedant nuo pirmo žaidejo, sedinčio prie dalintojo dežes"),
        ("lt", "15.2", "pradedant nuo pirmo aktyvaus žaidejo sedinčio už dalintojo"),
        ("et", "7.3", "Kaarte jagatakse päripäeva, alustades esimesest aktiivsest mängijast"),
        ("et", "12.2", "alustades peale diileri boksi esimesest aktiivsest mängijast"),
        ("ro", "9.2 14.2", "in sensul acelor de ceasornic cu primul jucator activ dupa dealer"),
        ("ro", "15.2", "incepand cu primul jucator activ de dupa butonul dealer-ului"),
    ),
)
def test_cards_go_from_the_dealers_box(book, variant):
    house = table_of(settings_of(book, variant), "a", "b", "c", "d")
    for away, order in (((), [1, 2, 3, 4]), (("a",), [2, 3, 4]), (("c",), [2, 4])):
        for player in away:
            house.ask(player, SitOut())
        starts(house)
        assert started(house).button == 0
        assert [seat.seat for seat in started(house).seats] == order
        (first,) = [e for e in house.log[-1][0].events if isinstance(e, StreetDealt)]
        assert [to.seat for to in first.to] == order
        plays_out(house)


BLIND_GAMES = (
    ("lt", "4.3 5.3 6.3 7.3 8.3 12.3 13.4 16.3"),
    ("et", "4.3 5.3 6.3"),
    ("et", "10.3 11.4"),
    ("et", "13.3"),
    ("ro", "4.3"),
    ("ro", "5.3 6.3"),
    ("ro", "7.3 8.3"),
    ("ro", "12.3"),
    ("ro", "13.4"),
)


def blind_games(gloss: str, *words: str) -> list[Any]:
    """Cases for every game with blinds; the words of each group of its paragraphs, in order."""
    said = zip(BLIND_GAMES, words, strict=True)
    return by_game(gloss, *((book, numbers, text) for (book, numbers), text in said))


@pytest.mark.parametrize(
    ("book", "variant"),
    blind_games(
        "before the cards the player left of the dealer posts the small blind, the next the big",
        'sedintis kaireje dalintojo, atlieka mažąji "nematomą" statymą',
        "Jagajast vasakul asuv mängija asetab väikese blaindi",
        "The player to the left of the dealer posts the small blind",
        "Diilerist vasakul olev mängija maksab väikese blindi",
        "Jucatorul din stanga dealer-ului plateste blind-ul mic",
        "Jucatorul din stanga dealer-ului pune small-blind",
        "Jucatorul din stanga dealer-ului posteaza small-blind",
        "Jucatorul din stanga dealer-ului pune blind-ul mic si urmatorul",
        "Jucatorul din stanga dealer-ului pune blind-ul mic, si urmatorul",
    ),
)
def test_the_blinds_are_posted_left_of_the_dealer(book, variant):
    house = table_of(settings_of(book, variant), "a", "b", "c", "d")
    starts(house)
    button = started(house).button
    small, big = button % 4 + 1, (button + 1) % 4 + 1
    assert posted(house) == [(small, Post.SMALL_BLIND, 250), (big, Post.BIG_BLIND, 500)]
    events = house.log[-1][0].events
    assert isinstance(events[-1], StreetDealt)  # the cards come after both


@pytest.mark.parametrize(
    ("book", "variant"),
    blind_games(
        "the blinds are live: who posted one pays the difference to the bet",
        'Abu "nematomi" statymai yra laikomi kaip paprasti statymai',
        'Blainde loetakse "live" panusteks',
        'The blinds are considered as "live" bets',
        "Blinde loetakse “live” panusteks",
        'Blind-urile sunt considerate ca fiind pariuri "live"',
        'Blind-urile sunt considerate pariuri "live"',
        'Blind-urile sunt considerate pariuri "live"',
        'Blind-urile sunt considerate ca fiind pariuri "live"',
        'Blind-urile sunt considerate ca fiind pariuri "live"',
    ),
)
def test_the_blinds_are_live(book, variant):
    dealt = sit(book, variant)
    dealt.does(3, RAISE, 1_500)
    dealt.does(1, CALL)
    dealt.does(2, CALL)
    assert [100_000 - seat.stack for seat in dealt.hand.seats.values()] == [1_500] * 3


@pytest.mark.parametrize(
    ("book", "variant"),
    blind_games(
        "who posted a blind may fold, call, check or raise in turn like the others",
        "nusimesti kortas, išlyginti, palikti ar pakelti statymą",
        "võimalus kas loobuda, koolida, tšekkida või tõsta panust",
        "have the option to fold, call, check or raise in turn",
        "loobuda oma kaartidest (fold), passida (check) või tõsta panust (raise)",
        "optiunea de a renunta, face call, check sau raise",
        "Jucatorii in blind-uri au optiunea de a da Check, Call sau Fold",
        "Jucatorii din blind-uri au optiunea de fold/call/raise",
        "optiunea de a face fold, call, check sau raise",
        "optiunea de a da fold, call, check sau raise",
    ),
)
def test_the_blinds_may_raise(book, variant):
    dealt = sit(book, variant)
    dealt.does(3, CALL)
    small = dealt.offered
    assert (small.seat, small.fold, small.call, small.raise_least) == (1, True, 500, 1_000)
    dealt.does(1, CALL)
    big = dealt.offered
    assert (big.seat, big.fold, big.check, big.raise_least) == (2, True, True, 1_000)
    dealt.does(2, RAISE, 1_000)
    assert dealt.hand.turn == 3


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "before the cards everybody pays an ante",
        ("lt", "9.3 10.2 11.2 14.3 15.3", "prieš išdalinant kortas visi žaidejai atlieka"),
        ("et", "7.2", "Enne kaartide jagamist peavad Anted olema asetatud"),
        ("et", "8.2 9.2", "Before any cards are dealt the antes must be posted"),
        ("et", "12.3", "Algpanused tuleb teha enne kaartide jagamist"),
        ("ro", "9.3", "Inainte de impartirea cartilor, se posteaza ante"),
        ("ro", "10.2", "Inainte de orice impartire a cartilor se va posta antele"),
        ("ro", "11.2", "inainte sa se imparta cartile se va posta antele"),
        ("ro", "14.3", "Inainte ca orice carte sa fie pusa jos, se va plati antele"),
        ("ro", "15.3", "trebuiesc postate ante-urile de catre fiecare jucator"),
    ),
)
def test_everybody_pays_an_ante(book, variant):
    house = table_of(settings_of(book, variant), "a", "b", "c")
    starts(house)
    assert posted(house) == [(seat, Post.ANTE, 100) for seat in (1, 2, 3)]
    assert isinstance(house.log[-1][0].events[-1], StreetDealt)
    assert house.hand.pot == 300


def test_every_game_of_the_documents_is_offered():
    """RULES 1: "35 pairs of rulebook and variant are offered (13 lt + 10 et + 12 ro)"."""
    assert [len(rules.HOUSE.variants(book)) for book in ("lt", "et", "ro")] == [13, 10, 12]
