"""Each game's deal and order of betting: which cards come, how many rounds there are, who opens."""

from __future__ import annotations

import pytest

from riverboat.game import rules
from riverboat.game.commands import Action
from riverboat.game.hand.events import RoundClosed, StreetDealt
from riverboat.game.hand.sight import private, public
from riverboat.game.hand.state import Phase
from tests.documents.playing import own_cards, plays, sit, to_round, to_the_end
from tests.documents.quoting import by_game
from tests.game.table.tables import OpenOrder

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE

# Each street: cards face down and face up to everybody, cards in the middle.
BOARD = [(0, 0, 3), (0, 0, 1), (0, 0, 1)]
OPEN_CARDS = [(1, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0)]
SEVEN = [(2, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0)]
DEALT = {
    "holdem": [(2, 0, 0), *BOARD],
    "omaha": [(4, 0, 0), *BOARD],
    "omaha5": [(5, 0, 0), *BOARD],
    "omaha_hilo": [(4, 0, 0), *BOARD],
    "omaha5_hilo": [(5, 0, 0), *BOARD],
    "soko": OPEN_CARDS,
    "stud7": SEVEN,
    "stud7_hilo": SEVEN,
    "draw5": [(5, 0, 0), (0, 0, 0)],
    "triple_draw27": [(5, 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)],
    "americana": OPEN_CARDS,
    "telesina": [*OPEN_CARDS, (0, 0, 1)],
    "draw32": [(5, 0, 0), (0, 0, 0)],
}


# Games of four rounds of betting are not named.
ROUNDS = {**dict.fromkeys(("stud7", "stud7_hilo", "telesina"), 5), "draw5": 2, "draw32": 2}


def dealt_streets(book: str, variant: str) -> list[tuple[int, int, int]]:
    """What a hand deals on each street: to everybody alike."""
    dealt = to_the_end(sit(book, variant))
    streets = []
    for event in dealt.happened(StreetDealt):
        each = {(len(to.down), len(to.up)) for to in event.to} or {(0, 0)}
        ((down, up),) = each
        streets.append((down, up, sum(len(board.cards) for board in event.board)))
    return streets


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "so many first cards to everybody, face down and face up",
        ("lt", "4.4", "Kiekvienas žaidejas gauna po 2 kortas"),
        ("lt", "5.4 7.4", "Kiekvienas žaidejas gauna po 4 kortas"),
        ("lt", "6.4 8.4 12.4 13.5 16.4", "Kiekvienas žaidejas gauna po 5 kortas"),
        ("lt", "9.4", "gauna po 2 kortas, vieną tik jam matomą (face down) ir vieną"),
        ("lt", "10.3 11.3", "gauna po 3 kortas, dvi matomas tik jam pačiam"),
        ("lt", "14.4", "gauna po 2 kortas, vieną tik jam matomą, o kitą jo kortą mato visi"),
        ("lt", "15.4", "gauna po 2 kortas: vieną tik jam matomą, o kitą matomą visiems"),
        ("et", "4.4", "Iga mängija saab 2 kinnist"),
        ("et", "5.4 6.4", "Iga mängija saab 4 kinnist"),
        ("et", "7.3", "Iga mängija saab kaks kaarti, ühe kinnise ja ühe lahtise"),
        ("et", "8.3 9.3", "Each player receives 3 cards, two dealt face down and one face up"),
        ("et", "10.4 11.5", "Each player receives 5 cards dealt face down"),
        ("et", "12.4", "Iga mängija saab 2 kaarti, üks neist pime, teine avatud"),
        ("et", "13.4", "Iga mängija saab 5 kaarti, mis jagatakse pilt allpool"),
        ("ro", "4.4", "primeste 2 carti cu fata in jos"),
        ("ro", "5.4", "primeste patru carti cu fata in jos"),
        ("ro", "6.4 8.4 12.4", "primeste 5 carti cu fata in jos"),
        ("ro", "7.4", "primeste 4 carti cu fata in jos"),
        ("ro", "9.4 14.4", "primeste 2 carti, una cu fata in sus si una cu fata in jos"),
        ("ro", "10.3", "primeste 3 carti, doua cu fata in sus si una cu fata in jos"),
        ("ro", "11.3", "primeste 3 carti, doua cu fata in jos si una cu fata in sus"),
        ("ro", "13.5", "primeste cinci carti cu fata in jos"),
        ("ro", "15.4", "primeste doua carti, una cu fata in jos si cealalta cu fata in sus"),
    ),
)
def test_the_first_cards(book, variant):
    dealt = sit(book, variant)
    (first,) = dealt.happened(StreetDealt)
    for to in first.to:
        assert (len(to.down), len(to.up)) == DEALT[variant][0][:2]
    # Nobody sees what lies face down: the event names places in the sealed deck.
    assert all(seat.shown == () for seat in dealt.hand.seats.values())


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "cards face down are seen by the player who got them and by nobody else",
        ("lt", "4.4", 'Šios 2 kortos yra vadinamos "hole cards"'),
        ("lt", "5.4 7.4", "Šios 4 kortos yra matomos tik jas gavusiam žaidejui"),
        ("lt", "6.4 8.4", "Šios 5 kortos yra matomos tik jas gavusiam žaidejui"),
        ("lt", "9.4", "Korta, kuri yra matoma tik ją gavusiam žaidejui, vad."),
        ("lt", "10.3 11.3", "paskutine korta, kurią mato tik ją gavęs žaidejas"),
        ("lt", "14.4", "Tik žaidejui matoma korta vad."),
        ("lt", "15.4", "(matoma tik ją gavusiam žaidejui)"),
        ("et", "7.3", "Esimene jagatud kaart on teie kinnine kaart ja seda näete ainult teie"),
        ("et", "8.3 9.3", '"hole cards" and cannot be seen by the other players'),
        ("et", "12.4", "mis ei ole teistele mängijatele nähtav"),
        ("ro", "4.4", 'Aceste 2 carti sunt numite "hole cards"'),
        ("ro", "5.4", 'Aceste 4 carti sunt denumite "hole cards"'),
        ("ro", "6.4", 'Aceste 5 carti sunt denumite "hole cards"'),
        ("ro", "9.4 14.4", "nu poate fi vazuta de alti jucatori"),
        ("ro", "10.3", "nu pt fi vazute de alti jucatori"),
        ("ro", "11.3", "nu pot fi vazute de alti jucatori"),
        ("ro", "15.4", "nu poate fi vazuta de ceilalti jucatori"),
    ),
)
def test_cards_face_down_are_seen_by_their_owner_alone(book, variant):
    dealt = to_round(sit(book, variant), ROUNDS.get(variant, 4) - 1)
    deck = OpenOrder(dealt.deck)
    streets = [public(event) for event in dealt.happened(StreetDealt)]
    seen = {card for street in streets for card in open_cards(street)}
    for seat in dealt.hand.seats.values():
        own = {dealt.deck[place] for place in seat.places}
        assert own & seen == set(seat.up)
        assert len(own - seen) == sum(down for down, _, _ in DEALT[variant])
        # He is told all of his own, and nobody else any of them.
        (first,) = [event for event in dealt.happened(StreetDealt) if event.street == 0]
        assert set(private(dealt.hand, first, seat.player, deck)) == own
        assert private(dealt.hand, first, "somebody else", deck) == ()


def open_cards(street: object) -> set[int]:
    """The cards that stand in what everybody may see of a street."""
    assert isinstance(street, StreetDealt)
    shared = {card for board in street.board for card in board.cards}
    return shared | {card for to in street.to for card in to.up}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "three shared cards, then one, then one",
        ("lt", "4.4 5.4 6.4 7.4 8.4", "Po to ant stalo yra atverčiamos 3 bendros kortos"),
        ("et", "4.4 5.4 6.4", "Peale seda jagatakse lauale kolm ühist kaarti"),
        ("ro", "4.4", "vor fi puse pe masa 3 carti community cu fata in sus"),
        ("ro", "5.4 6.4", "vor fi 3 carti comunitare asezate cu fata in sus"),
        ("ro", "7.4 8.4", "se vor pune pe masa 3 carti comunitare cu fata in sus"),
    ),
)
def test_flop_turn_and_river(book, variant):
    assert dealt_streets(book, variant) == DEALT[variant]
    assert [street.name for street in rules.game(book, variant, "nl").streets][1:] == [
        "flop",
        "turn",
        "river",
    ]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "then one open card at a time; in stud a last one face down; in Telesina the Vela",
        ("lt", "9.4", "Po to bus išdalinamos dar 3 kortos (jas matys ir kiti žaidejai)"),
        ("lt", "10.3 11.3", "Paskui dar yra išdalinamos 3 kortos (jos yra matomos visu žaideju)"),
        ("lt", "14.4", "kiekvienas žaidejas dar gauna po 3 kortas, kurios yra matomos"),
        ("lt", "15.4", "Po penktos išdalintos kortos ir ketvirto statymu rato i viduri"),
        ("et", "7.3", "Seejärel jagatakse mängu käigus kõigile mängijatele veel kolm kaarti"),
        ("et", "8.3 9.3", "3 more cards dealt face up and one card dealt face down"),
        ("et", "12.4", "jagatakse igale mängijale veel 3 avatud kaarti"),
        ("ro", "9.4", "inca trei carti cu fata in sus pentru jucatorii ramasi"),
        ("ro", "10.3", "inca 3 carti cu fata in sus si cate una cu fata in jos"),
        ("ro", "11.3", "doua cu fata in sus si una cu fata in jos"),
        ("ro", "14.4", "Apoi se vor mai da inca trei carti cu fata in sus"),
        ("ro", "15.4", "se plaseaza o carte in mijlocul mesei"),
    ),
)
def test_the_cards_that_follow(book, variant):
    assert dealt_streets(book, variant) == DEALT[variant]


# Rounds of betting.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "so many rounds of betting",
        ("lt", "4.5 5.5 6.5 7.5 8.5 9.6 13.7 14.6", "yra 4 statymu ratai"),
        ("lt", "10.5 11.5 15.6", "yra 5 statymu ratai"),
        ("lt", "12.6 16.6", "yra 2 statymu ratai"),
        ("et", "4.5 5.5 6.5", "on 4 panustamise ringi"),
        ("et", "7.5 11.7", "there are 4 betting rounds"),
        ("et", "8.5 9.5", "there are 5 betting rounds"),
        ("et", "10.6", "there are 2 betting rounds"),
        ("et", "12.6", "Americanas on 4 panuseringi"),
        ("et", "13.6", "on kaks (2) panustamisvooru"),
        ("ro", "4.5", "sunt patru runde de pariere"),
        ("ro", "5.5 6.5", "sunt patru runde de pariuri"),
        ("ro", "7.5 8.5 9.6 13.7 14.6", "sunt 4 runde de pariere"),
        ("ro", "10.5 11.5", "sunt 5 runde de pariere"),
        ("ro", "12.6", "sunt 2 runde de pariere"),
        ("ro", "15.6", "exista 5 runde de pariere"),
    ),
)
def test_so_many_rounds(book, variant):
    dealt = to_the_end(sit(book, variant))
    rounds = [event.round for event in dealt.happened(RoundClosed)]
    assert rounds == list(range(ROUNDS.get(variant, 4)))
    assert len(dealt.happened(StreetDealt)) == len(rounds)  # one after each street


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the player left of the big blind is first to act in the first round",
        (
            "lt",
            "4.5 5.5 6.5 7.5 8.5",
            "sprendimą priima žaidejas, sedintis kaireje didžiojo",
        ),
        ("lt", "12.6 13.7 16.6", "pirmas gali statyti kaireje nuo didžiojo"),
        ("et", "4.5 5.5 6.5", "alustab panustamist suurest blaindist järgmine mängija"),
        ("et", "10.6 11.7", "the player to the left of the big blind is first to act"),
        ("et", "13.6", "tegutseb esimesena suurest blindist vasakul olev mängija"),
        ("ro", "4.5", "jucatorul de la stanga marelui blind este primul care actioneaza"),
        ("ro", "5.5 6.5", "jucatorul din stanga blind-ului mare va actiona primul"),
        ("ro", "7.5 8.5", "primul care actioneaza este cel din stanga big-blindului"),
        ("ro", "12.6", "jucatorul din stanga marelui blind este primul care actioneaza"),
        ("ro", "13.7", "jucatorul din stanga marelui blind va actiona primul"),
    ),
)
def test_the_first_round_opens_left_of_the_big_blind(book, variant):
    # The button is seat 5, the blinds are seats 1 and 2.
    assert sit(book, variant, holes=5).hand.turn == 3
    assert sit(book, variant, holes=2).hand.turn == 2  # heads-up the button, who has the small one


LATER = by_game(
    "in later rounds the first active player left of the button; et's 32-card draw: big blind",
    ("lt", "4.5 5.5 6.5 7.5 8.5", "pirmas sprendimą priima dalintojui iš kaires sedintis žaidejas"),
    ("lt", "12.6 13.7 16.6", "pirmas gali statyti kaireje nuo dalintojo sedintis žaidejas"),
    ("et", "4.5 5.5 6.5", "on diilerinupust järgmine aktiivne mängija"),
    ("et", "10.6 11.7", "the first active player to the left of the dealer button starts"),
    ("et", "13.6", "alustab panustamisvooruga suure blindi järel olev järgmine aktiivne"),
    ("ro", "4.5", "primul jucator activ de la stanga butonului de dealer incepe actiunea"),
    ("ro", "5.5 6.5 7.5 8.5", "primul jucator activ de dupa dealer"),
    ("ro", "12.6 13.7", "primul jucator activ din stanga dealer-ului va"),
)


@pytest.mark.parametrize(("book", "variant"), LATER)
def test_later_rounds_open_left_of_the_button(book, variant):
    first = 3 if (book, variant) == ("et", "draw32") else 1
    many = 4
    openers = [
        to_round(sit(book, variant, holes=many), number).hand.turn
        for number in range(1, ROUNDS.get(variant, 4))
    ]
    assert set(openers) == {first}
    # Whoever has folded is passed over.
    dealt = sit(book, variant, holes=many)
    plays(dealt, (3, FOLD), (4, CALL), (1, FOLD), (2, CHECK))
    while dealt.hand.phase is Phase.DRAW:
        dealt.does(dealt.hand.turn, Action.DRAW)
    assert dealt.hand.turn == {1: 2, 3: 4}[first]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the player who shows the highest hand is first to act in each later round",
        ("lt", "10.5", "kuris iš atverstu kortu sudaro aukščiausią kortu kombinaciją, pirmas"),
        ("et", "8.5 9.5", "The player showing the highest hand on the board is first to act"),
        ("ro", "10.5", "cea mai mare mana de pe masa va actiona la inceputul fiecarei runde"),
        ("ro", "11.5", "Jucatorul care are mana cea mai mare de pe masa va incepe parierea"),
    ),
)
def test_later_rounds_of_stud_open_with_the_best_open_hand(book, variant):
    holes = {
        1: "2c3cTdTs4h5c6c",  # a pair of tens on fourth street
        2: "2d3d7s8hJhJd6d",  # a higher pair on sixth
        3: "2h3h6hAs7h4s9c",
    }
    openers = [
        to_round(sit(book, variant, holes=holes), number).hand.turn for number in range(1, 5)
    ]
    assert openers == [1, 1, 2, 2]


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "a round after the first cards, and one after each further card",
        ("lt", "9.6", "Po to statymu ratai vyksta po kiekvienos išdalintos kortos"),
        ("lt", "11.5", "Tada statymu ratai vyksta po kiekvienos kitos išdalintos kortos"),
        ("lt", "14.6", "Po to statymu ratai vyksta po kiekvienos išdalintos kortos"),
        ("lt", "15.6", "Paskutinis statymu ratas vyksta ant stalo atvertus 'Vela' kortą"),
        ("et", "7.5", "a 3rd, 4th and 5th card is dealt to each player and another betting round"),
        ("et", "12.6", "kolmas, neljas ja viies kaart, ning algab uus panusering"),
        ("ro", "9.6", "Apoi fiecare jucatori mai primeste inca 3 carti"),
        ("ro", "14.6", "Apoi mai sunt oferite inca trei carti jucatorilor"),
        ("ro", "15.6", "Ultima runda de pariere are loc dupa afisarea cartii Vela"),
    ),
)
def test_a_round_after_each_open_card(book, variant):
    cards_before = []
    for number in range(ROUNDS.get(variant, 4)):
        dealt = to_round(sit(book, variant), number)
        seat = next(iter(dealt.hand.seats.values()))
        cards_before.append(len(seat.places) + len(dealt.hand.boards[0]))
    last = own_cards(dealt.game) + len(dealt.hand.boards[0])
    assert cards_before == list(range(last - len(cards_before) + 1, last + 1))
