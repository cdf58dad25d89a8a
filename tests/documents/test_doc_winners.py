"""Each game's showdown: what wins, what is split, and who gets what is left over."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Action
from tests.documents.playing import (
    beats,
    own_cards,
    sit,
    to_round,
    to_the_end,
    winners,
    won,
)
from tests.documents.quoting import by_book, by_game
from tests.game.hand.dealt import Dealt

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE


def last_round(dealt: Dealt) -> Dealt:
    return to_round(dealt, dealt.game.rounds - 1)


# What wins.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "one or two of the own cards may be used, or none: the board plays",
        ("lt", "4.6", "Žaidejai gali panaudoti 1 arba 2 savo turimu kortu"),
        ("et", "4.6", "Mängijad võivad kas kasutada 1 või 2 oma kaarti või kõiki laual olevaid"),
        ("ro", "4.6", "Jucatorii sunt lasati sa foloseasca 1 sau 2 din cartile lor"),
    ),
)
def test_any_number_of_the_own_cards_may_be_used(book, variant):
    assert winners(book, variant, {1: "2h3d", 2: "2c3s"}, "AhKdQsJcTd") == {1, 2}  # none
    assert winners(book, variant, {1: "Ts2c", 2: "AdAc"}, "AhKdQsJc3d") == {1}  # one
    assert winners(book, variant, {1: "JsTs", 2: "AdAc"}, "AhKdQs4c3d") == {1}  # two


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "exactly two of the own cards and three of the board",
        ("lt", "5.6 7.6", "Žaidejai turi padanudoti 2 iš 4 gautu kortu"),
        ("lt", "6.6 8.6", "Žaidejai turi padanudoti 2 iš 5 gautu kortu"),
        ("et", "5.6 6.6", "peavad kasutama täpselt 2 kaarti oma käest ja 3 laual olevat kaarti"),
        ("ro", "5.6 6.6", "trebuie sa foloseasca exact 2 carti din cele primite si 3 comunitare"),
        ("ro", "7.6", "trebuie sa foloseasca exact doua carti din cele 4 primite si 3 din cele"),
        ("ro", "8.6", "trebuie sa foloseasca exact doua carti din cele 5 primite si 3 din cele"),
    ),
)
def test_exactly_two_of_the_own_cards_and_three_of_the_board(book, variant):
    fifth = ("Qd", "8s") if len(sit(book, variant).hand.seats[1].places) == 5 else ("", "")
    # Four hearts in the middle make no flush with one; three in the hand make none with two.
    one_heart = "AhAdKcQc" + fifth[0]
    two_hearts = "3h2hJsTs" + fifth[1]
    assert beats(book, variant, two_hearts, one_heart, "Kh9h7h6hKs")
    three_hearts = "AhKhQhJc" + fifth[0]
    a_pair = "9d9cTs6s" + fifth[1]
    assert beats(book, variant, a_pair, three_hearts, "4h3h9s5dTd")


# Three kings against two pair, and the board.
KINGS = {
    "holdem": ("KhKd", "AhQd", "KsAcQs7d8h"),
    "omaha": ("KhKd8c7s", "AhQd9c9d", "KsAcQs7d8h"),
    "omaha5": ("KhKd8c7s2s", "AhQd9c9d2d", "KsAcQs7d8h"),
    **dict.fromkeys(("soko", "draw5", "americana"), ("KhKdKs8c7s", "AhAdQcQsJd")),
    "stud7": ("KhKdKs8c7s9dTc", "AhAdQcQsJd8h7d"),
}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the best five cards win the pot",
        ("lt", "4.6 5.6 6.6", "Penkiu kortu aukščiausia kombinacija laimi puodą"),
        ("lt", "9.7 12.7 14.7", "Aukščiausia 5 kortu kombinacija laimi puodą"),
        ("lt", "10.6", "Penkiu kortu aukščiausia kombinacija laimi puodą"),
        ("et", "4.6 5.6", "Parim viiest kaardist koosnev käsi võidab panga"),
        ("et", "7.6 8.6 10.7", "The best 5 card hand wins the pot"),
        ("et", "12.7", "Parim 5-kaardine käsi võidab panga"),
        ("ro", "4.6", "Cea mai buna mana din cinci carti este castigatoare"),
        ("ro", "5.6 6.6", "Mana cea mai puternica formata din 5 carti este castigatoare"),
        ("ro", "9.7", "Cele mai bune 5 carti determina castigatorul"),
        ("ro", "10.6", "Cele mai bune 5 carti castiga potul"),
        ("ro", "12.7", "Cele mai bune 5 carti vor castiga potul"),
        ("ro", "14.7", "Cea mai buna mana de 5 carti castiga potul"),
    ),
)
def test_the_best_five_cards_win(book, variant):
    assert beats(book, variant, *KINGS[variant])


TIED = {
    "holdem": ("AhKd", "AsKc", "QhJd5s4c3s"),
    "omaha": ("AhKd2c2d", "AsKc2h2s", "QhJd5s8c7s"),
    "omaha5": ("AhKd2c2d6c", "AsKc2h2s6d", "QhJd5s8c7s"),
    "omaha_hilo": ("AhKd9c9d", "AsKc9h9s", "QhJdTs8c8s"),
    "omaha5_hilo": ("AhKd9c9d2c", "AsKc9h9s2d", "QhJdTs8c8s"),
    "soko": ("AhKd7s5c3d", "AsKc7h5d3h", ""),
    "stud7": ("AhKdJs9c7d5h3s", "AsKcJd9h7s5c3h", ""),
    "stud7_hilo": ("AhKdJs9cTd5h3s", "AsKcJd9hTs5c3h", ""),
    "draw5": ("AhKd7s5c3d", "AsKc7h5d3h", ""),
    "triple_draw27": ("2h3d4s5c7d", "2s3c4h5d7h", ""),
    "americana": ("AhKdJs9c7d", "AsKcJd9h7s", ""),
}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "equal hands share the pot equally",
        ("lt", "4.6 5.6 6.6 7.6 8.6 10.6 11.6 13.8", "jie po lygiai pasidalina puodą"),
        ("lt", "9.7 12.7 14.7", "jie pasidalina puodą i lygias dalis"),
        ("et", "4.6 5.6 6.6", "jagavad nad panga"),
        ("et", "7.6 8.6 10.7 11.8", "show the same hand they split the pot"),
        ("et", "9.6", "they split that part of the pot"),
        ("et", "12.7", "siis läheb pank jagamisele"),
        ("ro", "4.6", "atunci se va imparti potul"),
        ("ro", "5.6 6.6", "impart potul egal intre ei"),
        ("ro", "7.6 8.6 11.6 13.8", "ei vor imparti potul"),
        ("ro", "9.7 10.6", "potul va fi impartit"),
        ("ro", "12.7", "atunci potul se va imparti"),
        ("ro", "14.7", "ei impart potul"),
    ),
)
def test_equal_hands_share_equally(book, variant):
    one, other, board = TIED[variant]
    paid = won(book, variant, {1: one, 2: other}, board)
    assert len(paid) == 2
    assert paid[1] == paid[2]


BOX_LT = "arčiausiai dalintojo dežes sed"


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "an odd chip goes to the player nearest the dealer's box",
        ("lt", "9.7 10.6 14.7", BOX_LT),
        ("et", "7.6 8.6", "If there is an odd chip it goes to the player nearest the dealer box"),
        ("et", "12.7", "siis saab selle mängija, kes on diileri boksile kõige lähemal"),
    ),
)
def test_the_odd_chip_goes_nearest_the_dealers_box(book, variant):
    one, other, _ = TIED[variant]
    # A third hand, given up in the last round, leaves an odd pot.
    dealt = sit(book, variant, holes={2: one, 5: other, 7: ""}, ante=1, bring_in=2)
    last_round(dealt)
    while dealt.hand.turn != 7:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.does(7, FOLD)
    assert to_the_end(dealt).won() == {2: 5, 5: 4}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "an odd chip goes to the high hand; of several the one nearest the dealer's box",
        ("lt", "11.6", "papildomas žetonas atitenka arčiau dalintojo dežes sedinčiam žaidejui"),
        ("et", "9.6", "in case the pot is split between several high hands the player nearest"),
    ),
)
def test_the_odd_chips_of_stud_high_low(book, variant):
    holes = {
        1: "2c3d4h6s7cTcTd",  # the low
        2: "AhKdQsJcTh9h9d",  # equal highs
        3: "AsKcQdJhTs9c9s",
    }
    dealt = to_the_end(sit(book, variant, holes=holes, ante=1, bring_in=2))
    assert dealt.won() == {1: 4, 2: 3, 3: 2}  # nine: the high half is five


# High and low.


HALVES = {
    "omaha_hilo": ("KhKd9c9s", "Ac2d6h6s", "KsTc8h5d4c"),
    "omaha5_hilo": ("KhKd9c9s9d", "Ac2d6h6sQs", "KsTc8h5d4c"),
    "stud7_hilo": ("KhKdKs9c9dTsJh", "Ac2d4s5h8cQdQh", ""),
}
# The best low is to a nine: nobody has one.
NO_LOW = {
    "omaha_hilo": ("KhKd9c9s", "Ac2d6h6s", "KsTc9h5d4c"),
    "omaha5_hilo": ("KhKd9c9s9d", "Ac2d6h6sQs", "KsTc9h5d4c"),
    "stud7_hilo": ("KhKdKs9c9dTsJh", "Ac2d4s5h9hQdQh", ""),
}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the best five win the high half, the lowest five the low half, if they qualify",
        ("lt", "7.6 8.6 11.6", "o penkiu kortu žemiausia kombinacija - žemąji puodą"),
        ("et", "6.6", "käsi võidab kõrge käe panga ja madalaim viiest kaardist koosnev madala käe"),
        ("et", "9.6", "The pot is split between the best hand for high and the best hand for low"),
        (
            "ro",
            "7.6 8.6",
            "carti castiga High-pot si cele mai slabe 5 carti castiga Low-pot",
        ),
        (
            "ro",
            "11.6",
            "impartit intre mana cea mai buna la high si cea mai buna la low",
        ),
    ),
)
def test_high_and_low_share_the_pot(book, variant):
    high, low, board = HALVES[variant]
    paid = won(book, variant, {1: high, 2: low}, board)
    assert paid[1] == paid[2] > 0


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "a low is eight or better; without one the high hand takes all",
        ("lt", "7.6 8.6 11.6", "blogiausiu atveju turi buti nuo 8"),
        ("et", "6.6", "juhul kui täidab madala käe ree"),
        ("et", "9.6", "a hand must be, at worst, an 8 for low to be eligible to win the low"),
        ("ro", "7.6 8.6", "un 8 pentru low pentru a fi eligibila sa castige partea Low din pot"),
        ("ro", "11.6", "mana trebuie sa fie cel mai rau un 8 pentru low si pentru a fi eligibil"),
    ),
)
def test_a_low_is_eight_or_better(book, variant):
    high, low, board = NO_LOW[variant]
    assert set(won(book, variant, {1: high, 2: low}, board)) == {1}


@pytest.mark.parametrize(
    "book",
    by_book(
        "in high/low games the ace is the highest card and the lowest",
        lt=("1.1", "žaidimuose jis gali buti ir kaip aukščiausia korta, ir kaip žemiausia"),
        et=("1.1", "High/Low mängudes, kus Äss on nii kõrgeim kui madalaim kaart"),
        ro=("1.1", "si la High/Low, unde Asii au atat cea mai mare valoare cat si cea mai mica"),
    ),
)
def test_the_ace_is_high_and_low_in_high_low_games(book):
    ace, no_ace = "AcAd2s4h8cKdQh", "KhKs3d5h6c7sJd"  # a pair of aces, and 7-6-5-3 with nothing
    assert set(won(book, "stud7_hilo", {1: ace, 2: no_ace})) == {1}
    ace, no_ace = "AcAd2s4h8c7dQh", "KhKs3d5h6c7s2d"  # high with aces; 8-7-4-2-A loses to 7-6-5-3-2
    assert set(won(book, "stud7_hilo", {1: ace, 2: no_ace})) == {1, 2}
    ace, no_ace = "Ac3s4h5c6dKdQh", "KhKs2d3h4c5s6h"  # 6-5-4-3-A beats 6-5-4-3-2
    assert set(won(book, "stud7_hilo", {1: ace, 2: no_ace})) == {1, 2}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "two of the own and three of the board for each half",
        ("lt", "7.6 8.6", "penkiu kortu žemiausia kombinacija - žemąji puodą"),
        ("et", "6.6", "peavad kasutama täpselt 2 kaarti oma käest ja 3 laual olevat kaarti"),
        ("ro", "7.6 8.6", "trebuie sa foloseasca exact doua carti din cele"),
    ),
)
def test_each_half_takes_two_of_the_own_cards(book, variant):
    fifth = ("Jd", "Td") if len(sit(book, variant).hand.seats[1].places) == 5 else ("", "")
    kings, board = "KhKdJcJh" + fifth[0], "2c3d5h8cKs"
    # One low card in the hand and four in the middle are no low.
    assert winners(book, variant, {1: kings, 2: "AhQsQdTh" + fifth[1]}, board) == {1}
    assert winners(book, variant, {1: kings, 2: "Ah7hQsQd" + fifth[1]}, board) == {1, 2}


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the lowest five cards win",
        ("lt", "13.8", "Penkiu kortu žemiausia kombinacija laimi puodą"),
        ("et", "11.8", "The lowest 5 card hand wins the pot"),
        ("ro", "13.8", "Mana cu cele mai mici 5 carti va castiga potul"),
    ),
)
def test_the_lowest_five_cards_win(book, variant):
    assert beats(book, variant, "2h3d4s5c7d", "2c3c4c5d8h")
    assert beats(book, variant, "KhQdJsTc8h", "2h2d3s4c5h")


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "kickers count",
        ("et", "7.6", "there is a showdown to determine the winner (kickers count)"),
        ("et", "8.6 9.6", "The best 5 card hand wins the pot (kickers count)"),
        ("ro", "9.7", "( si kicker-ul conteaza)"),
        ("ro", "10.6", "( si kickerii conteaza )"),
        ("ro", "11.6 14.7", "( si kickerii conteaza)"),
    ),
)
def test_kickers_count(book, variant):
    better, worse = {
        5: ("AhAdKsJc9h", "AsAcKdJh8h"),
        7: ("AhAdKsJc9h7h6s", "AsAcKdJh8s7c6d"),
    }[own_cards(sit(book, variant).game)]
    assert beats(book, variant, better, worse)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "equal hands split the pot, and an odd chip goes nearest the dealer's box",
        ("lt", "15.7", "jie pasidalina puodą i lygias dalis"),
        (
            "ro",
            "15.7",
            "jetonul extra merge catre jucatorul cel mai apropriat de casuta",
        ),
    ),
)
def test_hands_of_telesina_are_never_equal(book, variant):
    """The suits of its later paragraphs break every tie: nothing is left to split."""
    one, other, vela = "AhKdJs9c8d", "AsKcJd9h8s", "7c"
    assert beats(book, variant, one, other, vela)
    assert beats(book, variant, "AhKdJs9c8d", "AdKhJh9h8h", "As") is False
