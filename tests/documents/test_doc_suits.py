"""The rankings in which suits break ties: Telesina's and the 32-card draw's."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.commands import Action
from tests.documents.playing import beats, sit, to_the_end, winners
from tests.documents.quoting import by_game, says, variant_of

CALL, RAISE, BRING_IN = Action.CALL, Action.RAISE, Action.BRING_IN

# Comparisons: the better hand, the worse, and the Vela where there is one.
Pairs = list[tuple[str, str, str]]


def in_draw32(*pairs: str) -> Pairs:
    return [(pair.split()[0], pair.split()[1], "") for pair in pairs]


def with_vela(*pairs: str) -> Pairs:
    return [(better, worse, vela) for better, worse, vela in map(str.split, pairs)]


ROYALS = in_draw32("AhKhQhJhTh AdKdQdJdTd", "AdKdQdJdTd AcKcQcJcTc", "AcKcQcJcTc AsKsQsJsTs")
STRAIGHT_FLUSHES = in_draw32("QsJsTs9s8s JhTh9h8h7h", "KdQdJdTd9d KsQsJsTs9s")
LOWEST_STRAIGHT_FLUSH = in_draw32("JsTs9s8s7s AhTh9h8h7h", "ThAh7h8h9h TdAd7d8d9d")
QUADS = in_draw32("9c9d9h9s7h 8c8d8h8sAc", "8c8d8h8sTc 7c7d7h7sAc")
FLUSHES = in_draw32("AsQsJs9s8s KhQhJh9h8h", "AsQsTs8s7s AhQh9h8h7h", "AsKsQsJs9s AhKhQhJh8h")
FLUSH_SUITS = in_draw32("AhQhJh9h8h AdQdJd9d8d", "AcQcJc9c8c AsQsJs9s8s")
FULL_HOUSES = in_draw32("8c8d8h7c7d 7h7sAcAdKs", "8c8d8h7c7d JcJdAhAsKs", "9c9d9h7c7d 8c8d8hAcAd")
STRAIGHTS = in_draw32("JsTc9d8h7s AhTs9c8d7h", "KsQcJdTh9c QhJhTc9d8s")
STRAIGHT_SUITS = in_draw32(
    "KhQcJdTs9c KdQhJhTh9d", "KcQsJsTd9s KsQdJcTh9h", "ThAs7c8s9d TdAh7h8h9h"
)
THREES = in_draw32("8c8d8h9c7d JcJdAhAsKs", "9c9d9hJc7d 8c8d8hAcKd")
TWO_PAIRS = in_draw32("KcKd7c7dAs QhQdJhJdAh", "KcKd8c8d9s KhKs7h7dAh", "KcKd8c8dAs KhKs8h8sQh")
TWO_PAIR_SUITS = in_draw32("KcKs8c8sAh KhKd8h8dAd", "KcKs8c8s9d KhKd8h8d9c")
PAIRS = in_draw32("KcKd7c8dTs QhQdJhAdKs", "KcKdAc8d7s KhKsQhJd9s", "KcKdAcQd7s KhKsAhJdTs")
PAIR_SUITS = in_draw32("KcKsAhQs9c KhKdAdQh9h", "KcKdQcJs9s KhKsQsJh9h")
HIGHS = in_draw32("AsKsJcTd8c AhQhJdTh8d", "AsQsJcTd8c AhQhJd9h8d")
HIGH_SUITS = in_draw32("AhKsJcTd8c AdKhJhTh8h", "AcKsJsTd8s AsKhJhTh8h")

HIGHER = "laimi tas, kurio viršutine korta yra aukštesne"
RANK_OF_THREE = "triju vienodu kortu skaitine verte bus aukštesne"

# Book, paragraph, words, gloss, comparisons.
ROWS: list[tuple[str, str, str, str, Pairs]] = [
    ("lt", "16.10", "aukščiausia spalva laimi", "royal flushes: the highest suit", ROYALS),
    ("et", "13.11", "Võidab tugevama mastiga kuninglik mastirida", "royal: by suit", ROYALS),
    ("lt", "16.11", HIGHER, "the higher top, then the suit", STRAIGHT_FLUSHES),
    ("et", "13.12", "Võidab kõrgeima kaartiga mastirida", "the higher top", STRAIGHT_FLUSHES),
    (
        *("lt", "16.11", "A-7-8-9-10 yra žemiausia imanoma Spalvota eile", "the lowest one"),
        LOWEST_STRAIGHT_FLUSH,
    ),
    ("et", "13.12", "A-7-8-9-10 on madalaim mastirida", "the lowest one", LOWEST_STRAIGHT_FLUSH),
    ("lt", "16.12", "kurio keturiu vienodu kortu skaitine verte didesne", "higher four", QUADS),
    ("et", "13.13", "Võidab kõrgeim nelik", "the higher four", QUADS),
    ("lt", "16.13", "sprendžia antra, trečia, ketvirta arba penkta kortos", "by ranks", FLUSHES),
    ("et", "13.14", "võidab kõrgeima kaartiga käsi", "by ranks from the top", FLUSHES),
    ("lt", "16.13", "laimi tas, kurio spalva yra aukštesnes vertes", "then by suit", FLUSH_SUITS),
    ("et", "13.14", "võidab tugevaim mast", "then by suit", FLUSH_SUITS),
    ("lt", "16.14", "kurio trys vienodos kortos yra aukštesnes", "by the three", FULL_HOUSES),
    ("et", "13.15", "käsi, millel on kolm tugevaimat kaarti", "by the three", FULL_HOUSES),
    ("lt", "16.15", HIGHER, "the higher top", STRAIGHTS),
    ("et", "13.16", "võidab kõrgeima kaartiga rida", "the higher top", STRAIGHTS),
    (
        *("lt", "16.15", "kurio aukščiausios eiles kortos spalvine verte yra didesne"),
        *("then the top card's suit; the top of A-7-8-9-10 is the ten", STRAIGHT_SUITS),
    ),
    ("et", "13.16", "võidab tugevaima mastiga kõrgeim kaart", "then its suit", STRAIGHT_SUITS),
    ("lt", "16.16", RANK_OF_THREE, "the higher three", THREES),
    ("et", "13.17", "võidab kõrgeim kolmik", "the higher three", THREES),
    ("lt", "16.17", "kurio aukštesnes poros skaitine verte yra didesne", "upper pair", TWO_PAIRS),
    ("et", "13.18", "võidab kõrgeim paar", "upper pair, lower pair, kicker", TWO_PAIRS),
    (
        *("lt", "16.17", "kurio papildoma korta bus aukštesnes spalvines vertes"),
        *("then the kicker's suit", TWO_PAIR_SUITS),
    ),
    ("et", "13.18", "võidab kõrgeima mastiga kõrvalkaart", "then its suit", TWO_PAIR_SUITS),
    ("lt", "16.18", "kuris turi aukštesnę iš likusiu kortu („kicker“)", "by kickers", PAIRS),
    ("et", "13.19", "võidab kõrgeima väärtusega kõrvalkaart", "by kickers", PAIRS),
    (
        *("lt", "16.18", "kuris turis aukštesnes spalvos aukščiausią likusią kortą"),
        *("then the suit of the highest kicker", PAIR_SUITS),
    ),
    (
        *("et", "13.19", "võidab tugevaima mastiga kõrgeim kõrvalkaart"),
        *("then the suit of the highest kicker", PAIR_SUITS),
    ),
    ("lt", "16.19", "laimetoją nustatys aukščiausia skaitines vertes korta", "by ranks", HIGHS),
    ("et", "13.20", "võidab kõrgeim kaart", "by ranks from the top", HIGHS),
    (
        *("lt", "16.19", "kurio aukščiausia korta bus aukščiausios spalvines vertes"),
        *("then the suit of the highest", HIGH_SUITS),
    ),
    (
        *("et", "13.20", "on võitja tugevaima mastiga kõrgeim kaart"),
        *("then the suit of the highest", HIGH_SUITS),
    ),
    (
        *("lt", "16.9", "1. Širdys\n2. Bugnai\n3. Kryžiai\n4. Vynai"),
        *("hearts, diamonds, clubs, spades", FLUSH_SUITS + HIGH_SUITS + ROYALS),
    ),
    (
        *("et", "13.10", "1. Ärtud\n2. Ruutud\n3. Ristid\n4. Potid"),
        *("hearts, diamonds, clubs, spades", FLUSH_SUITS + HIGH_SUITS + ROYALS),
    ),
    ("lt", "16.0", "viską sprendžia kortu spalvos", "suits decide", HIGH_SUITS),
    ("et", "13.0", "selgitab võitja välja kaartide mast", "suits decide", HIGH_SUITS),
]

T_STRAIGHT_FLUSHES = with_vela("QsJsTs9s8s JhTh9h8h7h 7c", "KdQdJdTd9d KsQsJsTs9s 7c")
T_QUADS = with_vela("9c9d9h9s7h 8c8d8h8sAc Kd", "9c9d9hAs7h 8c8d8h8sAc 9s")
T_FLUSHES = with_vela(
    "QhTh9h8h7h AdKdQdJd9d 7c",  # the suit alone decides
    "QdTd9d8d7d AcKcQcJc9c 7s",
    "QcTc9c8c7c AsKsQsJs9s 7d",
    "QhTh9h8h7c AdKdQdJd9d 7h",  # with the Vela
)
T_FULL_HOUSES = with_vela("9c9d9h7c7d 8c8d8hAcAd Ks", "9c9d7h7c8s 8c8dAhAcKd 9s")
T_STRAIGHTS = with_vela("JsTc9d8h7s AhTs9c8d7h Kc", "KsQcJdTh9c QhJhTc9d8s 7d")
T_STRAIGHT_SUITS = with_vela(
    "KhQcJdTs9c KdQhJhTh9d 7s",
    "ThAs7c8s9d TdAh7h8h9h Kc",
    "QhJcTd9s8c QdJhTh9h8d Ks",  # the Vela tops both: the next card's suit
)
T_THREES = with_vela("9c9d9hJc7d 8c8d8hAcKd Qs", "9c9dTsJc7d 8c8d8hAcKd 9h")
T_TWO_PAIRS = with_vela(
    "KcKd7c7dTs QhQdJhJdAh 8s", "KcKd8c8d9s KhKs7h7dAh Js", "KcKd8c8dAs KhKs8h8sQh 7d"
)
T_VELA_KICKER = with_vela("KhKc9h9c7h KdKs9d9s8c Ad", "QhQs9s9c7h QdQc9h9d8c Kd")
T_OWN_KICKER = with_vela("KdKs9d9s8c KhKc9h9c7h 7c", "KdKs9d9sQh KhKc9h9cQd 7c")
T_PAIRS = with_vela("KcKdAc9d7s KhKsQhJd9s 8c", "KcKdAcQd7s KhKsAhJd9c 8s")
T_PAIR_SUITS = with_vela(
    "KcKsAhQs9c KhKdAdQh9h 7d",
    "KcKsQh9s8c KhKdQd9h8h As",  # the Vela is the highest kicker of both: the next decides
)
T_HIGHS = with_vela("AhQcJd9s8h AsKcJs9d8d 7d", "AdQcJd9s8h AcKhJs9d8d 7s")
T_HIGHS_RO = with_vela("AhQcJs9s8h AdKcJd9d8s 7c", "QhJc9d8h7s QdJh9s8s7c Ks")

ROWS += [
    ("lt", "15.9", HIGHER, "the higher top, then its suit", T_STRAIGHT_FLUSHES),
    (
        *("ro", "15.9", "mana ce contine cartea cea mai mare castiga"),
        *("the higher top, then its suit", T_STRAIGHT_FLUSHES),
    ),
    ("lt", "15.10", "kurio keturiu vienodu kortu skaitine verte didesne", "higher four", T_QUADS),
    ("ro", "15.10", "cu cea mai mare valoare numerica a Careului", "higher four", T_QUADS),
    ("lt", "15.11", "(mažejančia tvarka: širdys, bugnai, kryžiai ir vynai)", "suit", T_FLUSHES),
    ("ro", "15.11", "(in ordinea Cupe, Romb, Trefle si Pici)", "the suit alone", T_FLUSHES),
    ("lt", "15.12", "kurio trys vienodos kortos yra aukštesnes", "by the three", T_FULL_HOUSES),
    ("ro", "15.12", "cu cel mai mare set de trei carti castiga", "by the three", T_FULL_HOUSES),
    ("lt", "15.13", HIGHER, "the higher top", T_STRAIGHTS),
    ("ro", "15.13", "jucatorul cu cartea cea mai mare carte castiga", "higher top", T_STRAIGHTS),
    (
        *("lt", "15.13", "kurio aukščiausios eiles kortos spalvine verte yra didesne"),
        *("then the top card's suit", T_STRAIGHT_SUITS),
    ),
    (
        *("ro", "15.13", "se va face departajarea dupa suita celei mai mari carti"),
        *("then the top card's suit", T_STRAIGHT_SUITS),
    ),
    ("lt", "15.14", RANK_OF_THREE, "the higher three", T_THREES),
    ("ro", "15.14", "cu cea mai mare valoare numerica a celor trei carti", "by three", T_THREES),
    (
        *("lt", "15.15", "kurio aukštesnes poros skaitine verte yra didesne"),
        *("upper pair, lower pair, kicker", T_TWO_PAIRS),
    ),
    (
        *("ro", "15.15", "jucatorul cu cea mai mare valoare numerica a perechii, castiga"),
        *("upper pair, lower pair, kicker", T_TWO_PAIRS),
    ),
    (
        *("lt", "15.15", "kurio aukštesneje poroje bus aukštesnes spalvines vertes korta"),
        *("the Vela is the kicker of both: the higher suit in the upper pair", T_VELA_KICKER),
    ),
    (
        *("ro", "15.15", "In cazul in care card-ul Vela este cel mai mare kicker"),
        *("the Vela is the kicker of both: the higher suit", T_VELA_KICKER),
    ),
    (
        *("lt", "15.15", "Jeigu ir jos sutampa, laimi tas, kurio likusi korta yra aukštesne"),
        *("a kicker of their own: its rank, then its suit", T_OWN_KICKER),
    ),
    (
        *("ro", "15.15", "atunci cea mai mare a cincea carte va decide cine este castigatorul"),
        *("a kicker of their own: its rank, then its suit", T_OWN_KICKER),
    ),
    ("lt", "15.16", "kuris turi aukščiausios vertės neporinę kortą", "by kickers", T_PAIRS),
    ("ro", "15.16", "jucătorul cu cel mai mare side card (kicker) câștigă", "kickers", T_PAIRS),
    (
        *("lt", "15.16", "laimėjimą lemia aukščiausios neporinės kortos rūšis"),
        *("then the suit of the highest kicker", T_PAIR_SUITS),
    ),
    (
        *("ro", "15.16", "suita celui mai mare kicker decide câștigătorul"),
        *("then the suit of the highest kicker", T_PAIR_SUITS),
    ),
    (
        *("lt", "15.17", "žaidejas turintis širdžiu tuzą ir kryžiu damą, laimetu prieš žaideją"),
        *("the ace of hearts with a queen beats the ace of spades with a king", T_HIGHS),
    ),
    (
        *("ro", "15.17", "un jucator ce are As de Inima Rosie si Dama de Trefla, invinge"),
        *("the ace of hearts with a queen beats the ace of diamonds with a king", T_HIGHS_RO),
    ),
]


def cases() -> list[Any]:
    return [
        pytest.param(
            *(book, variant_of(book, number), pairs),
            marks=says(book, number, words, gloss),
            id=f"{book} {number} {at}",
        )
        for at, (book, number, words, gloss, pairs) in enumerate(ROWS)
    ]


@pytest.mark.parametrize(("book", "variant", "pairs"), cases())
def test_which_of_two_hands_of_a_kind_wins(book, variant, pairs):
    for better, worse, vela in pairs:
        assert beats(book, variant, better, worse, vela), (better, worse, vela)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "between the last two the lowest straight flush, of spades, beats the highest, of hearts",
        ("lt", "15.9", "Tačiau yra viena išimtis: jeigu likę žaisti tik du žaidejai"),
        ("ro", "15.9", "daca au mai ramas numai doi jucatori in pot cu cea mai mare Chinta"),
    ),
)
def test_the_lowest_straight_flush_beats_the_highest_between_two(book, variant):
    highest, lowest, third = "AhKhQhJhTh", "Ts9s8s7sAs", "9cTd9d8h8d"
    assert winners(book, variant, {1: highest, 2: lowest}, "7c") == {2}
    assert winners(book, variant, {1: highest, 2: lowest, 3: third}, "7c") == {1}
    # Only these two: a higher one of spades loses, as does the lowest of another suit.
    assert winners(book, variant, {1: highest, 2: "Js9s8s7sTs"}, "7c") == {1}
    assert winners(book, variant, {1: highest, 2: "Tc9c8c7cAc"}, "7d") == {1}
    assert winners(book, variant, {1: "AdKdQdJdTd", 2: lowest}, "7c") == {1}
    # The third is all-in and in the main pot alone: lt asks who is left in the hand, ro in the pot.
    dealt = sit(book, variant, holes={1: highest, 2: lowest, 3: third}, then="7c", stacks={3: 800})
    opener = {"lt": 2, "ro": 1}[book]
    assert dealt.hand.turn == opener
    dealt.does(opener, BRING_IN)
    while dealt.hand.turn != 3:
        dealt.does(dealt.hand.turn, CALL)
    dealt.does(3, RAISE, 700)
    dealt.does(1, RAISE, 2_000)
    dealt.does(2, CALL)
    main, side = 3 * 800, 2 * 1_300
    assert to_the_end(dealt).won() == {"lt": {1: main + side}, "ro": {1: main, 2: side}}[book]
