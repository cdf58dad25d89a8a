"""The rankings that differ from the usual one: Soko's and those of 32 cards, row by row."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game import rules
from riverboat.game.commands import Action
from tests.documents.playing import beats, plays, sit, to_the_end, winners
from tests.documents.quoting import by_book, by_game, says, variant_of

CALL, RAISE, BRING_IN = Action.CALL, Action.RAISE, Action.BRING_IN

# For each row of a table, from the highest: a low hand of its kind, a high hand of the next kind,
# and, where there is a Vela, one that helps neither too much.
Step = tuple[str, str, str]
SOKO: list[Step] = [
    ("AhKhQhJhTh", "KsQsJsTs9s", ""),
    ("5d4d3d2dAd", "KcKdKhKsQc", ""),
    ("2c2d2h2s3c", "AhAdAcKhKd", ""),
    ("2c2d2h3s3c", "AhKhQhJh9h", ""),
    ("7d5d4d3d2d", "AhKsQcJdTh", ""),
    ("5c4d3h2sAc", "AhAdAsKhQd", ""),
    ("2c2d2h4s3c", "AhAdKhKdQs", ""),
    ("3c3d2c2d4h", "AhKhQhJh9s", ""),
    ("6d4d3d2d8c", "AsKhQdJc9c", ""),
    ("4c3d2hAs6c", "AhAdKsQcTd", ""),
    ("2c2d3h4s6c", "AhKdQsTc9h", ""),
]
ROYAL: Step = ("AhKhQhJhTh", "KsQsJsTs9s", "")
OF_32: list[Step] = [
    ("AdTd9d8d7d", "KcKdKhKsQc", "8c"),
    ("7c7d7h7s8c", "AhKhQhJh9h", "9c"),
    ("QdTd9d8d7d", "AcAdAsKcKs", "8c"),
    ("7c7d7h8s8c", "AhKsQcJdTh", "9s"),
    ("AcTd9h8s7d", "AhAdAsKhQd", "8c"),
    ("7c7d7h9s8c", "AhAdKhKdQs", "Js"),
    ("8c8d7c7d9h", "AhAdKsQcTd", "9s"),
    ("7c7d8h9sJc", "AhKdQsJd9h", "8s"),
]


def rows(text: str) -> list[str]:
    return text.strip().splitlines()


SOKO_LT = """
| 1. | Karališkoji eile (Royal Flush) |
| 2. | Vienos spalvos eile (Straight Flush) |
| 3. | Keturios vienodos (Four Of a Kind) |
| 4. | Full House |
| 5. | Spalva (Flush) |
| 6. | Eile (Straight) |
| 7. | Trys vienodos (Three of a Kind) |
| 8. | Dvi poros (Two Pairs) |
| 9. | 4 vienos spalvos (4-Flush) |
| 10. | 4 iš eiles (4-Straight) |
| 11. | Viena pora (One Pair) |
| 12. | Aukštos kortos (High Cards) |
"""
SOKO_ET = """
| 1. | Suur Mastirida |
| 2. | Mastirida |
| 3. | Nelik |
| 4. | Maja |
| 5. | Mast |
| 6. | Rida |
| 7. | Kolmik |
| 8. | Kaks Paari |
| 9. | 4-Kaardi Mast |
| 10. | 4-Kaardi Rida |
| 11. | Paar |
| 12. | Kõrgem kaart |
"""
SOKO_RO = """
| 1. | Royal Flush |
| 2. | Straight Flush |
| 3. | Four of a Kind |
| 4. | Full House - Full |
| 5. | Flush - Culoare |
| 6. | Straight - Chinta |
| 7. | Three of a Kind - Set |
| 8. | Two Pairs - Doua perechi |
| 9. | 4-Flush |
| 10. | 4-Straight |
| 11. | O Pereche |
| 12. | Carti Mari |
"""
AMERICANA_LT = """
1. Royal Flush - Karališka eile
2. Straight Flush - Vienos spalvos eile
3. Four Of a Kind - Keturios vienodos
4. Flush - Spalva
5. Full House
6. Straight - Eile
7. Three of a Kind - Trys vienodos
8. Two Pairs - Dvi poros
9. One Pair - Viena pora
10. High Cards - Aukštos kortos
"""
AMERICANA_ET = """
1. Kuninglik mastirida
2. Mastirida
3. Nelik
4. Mast
5. Maja
6. Rida
7. Kolmik
8. Kaks paari
9. Paar
10. Kõrgem kaart
"""
AMERICANA_RO = """
1. Chinta Roiala
2. Chinta de Culoare
3. Careu
4. Culoare
5. Full
6. Chinta
7. Set
8. Doua perechi
9. O Pereche
10. Carte mare
"""
TELESINA_LT = """
Straight Flush - Vienos spalvos eile
Four Of a Kind - Keturios vienodos
Flush - Spalva
Full House
Straight - Eile
Three of a Kind - Trys vienodos
Two Pairs - Dvi poros
One Pair - Viena pora
High Cards - Aukštos kortos
"""
TELESINA_RO = """
Chinta de Culoare
Careu
Culoare
Full
Chinta
Trei bucati / Set
Doua Perechi
O pereche
Carte Mare
"""
DRAW32_LT = AMERICANA_LT.replace(" - ", " – ").replace("Four Of", "Four of")
DRAW32_ET = AMERICANA_ET.replace("9. Paar", "9. Üks paar").replace("Kõrgem", "Kõrgeim")

TABLES: list[tuple[str, str, str, list[Step]]] = [
    ("lt", "9.7", SOKO_LT, SOKO),
    ("et", "7.6", SOKO_ET, SOKO),
    ("ro", "9.7", SOKO_RO, SOKO),
    ("lt", "14.8", AMERICANA_LT, [ROYAL, *OF_32]),
    ("et", "12.8", AMERICANA_ET, [ROYAL, *OF_32]),
    ("ro", "14.8", AMERICANA_RO, [ROYAL, *OF_32]),
    ("lt", "15.8", TELESINA_LT, OF_32),
    ("ro", "15.8", TELESINA_RO, OF_32),
    ("lt", "16.9", DRAW32_LT, [ROYAL, *OF_32]),
    ("et", "13.9", DRAW32_ET, [ROYAL, *OF_32]),
]


def ladder() -> list[Any]:
    """A case for each step between two rows of a table: it quotes both of them."""
    cases = []
    for book, number, text, steps in TABLES:
        names = rows(text)
        assert len(names) == len(steps) + 1, "a step between each two rows"
        for at, (upper, lower, vela) in enumerate(steps):
            words = "\n".join(names[at : at + 2])
            cases.append(
                pytest.param(
                    *(book, variant_of(book, number), upper, lower, vela),
                    marks=says(book, number, words, "the first of these beats the second"),
                    id=f"{book} {variant_of(book, number)} {at + 1}",
                )
            )
    return cases


@pytest.mark.parametrize(("book", "variant", "upper", "lower", "vela"), ladder())
def test_each_row_beats_the_next(book, variant, upper, lower, vela):
    has_vela = rules.game(book, variant, "nl").streets[-1].board == 1
    assert beats(book, variant, upper, lower, vela if has_vela else "")


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "four of a suit and four in a row beat one pair",
        ("lt", "9.0", "laimi prieš vieną porą!"),
        ("et", "7.0", "4 kardi rida ja 4 kaardi mast, mis mõlemad on paremad ühest paarist!"),
        ("ro", "9.0", "caci 4-Flush si 4-Straight bate O Pereche!"),
    ),
)
def test_four_of_a_suit_and_four_in_a_row_beat_a_pair(book, variant):
    assert beats(book, variant, "6d4d3d2d8c", "AhAcKsQcJd")
    assert beats(book, variant, "4c3d2hAs6c", "AhAdKsQcTd")
    assert beats(book, variant, "5c6d7h8sKc", "AhAdKsQcTd")
    # With a pair beside them they are what they are; and the first of them is better.
    assert beats(book, variant, "5c6d7h8s8c", "AhAdKsQcTd")
    assert beats(book, variant, "6d4d3d2d8c", "AcKdQhJs9s")
    # Among themselves: the four from the top, the run's top, then the fifth card.
    assert beats(book, variant, "Ah5h4h2h3c", "KdQdJdTd8c")
    assert beats(book, variant, "2c3d4h5sKc", "4c3s2hAdQs")
    assert beats(book, variant, "5c6d7h8sKc", "5h6s7c8dQh")
    assert winners(book, variant, {1: "5c6d7h8sKc", 2: "5h6s7c8dKh"}) == {1, 2}


# 32 cards.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "32 cards, from the ace to the seven",
        ("lt", "14.0", 'žaidžiama su "Prancuziška" kalade nuo septinakes iki tuzo'),
        ("lt", "15.0", "kortu kalade su 32 kortomis (nuo tuzo iki septinakes)"),
        ("lt", "16.0", "žaidžiamas su 32 kortu kalade nuo tuzo iki septynakes"),
        ("et", "12.0", "kus on kolmekümmend kaks (32) kaarti, ässast seitsmeni"),
        ("et", "13.0", "mängitakse kolmekümne kahe (32) kaardiga, seitsmest ässani"),
        ("ro", "14.0", "se joaca cu 32 de carti de la As la Sapte"),
        ("ro", "15.0", "de 32 de carti, de la As pana la Sapte"),
    ),
)
def test_a_deck_of_32_cards(book, variant):
    deck = sit(book, variant).deck
    assert len(set(deck)) == len(deck) == 32
    assert min(card >> 2 for card in deck) == 5  # a seven


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "A-7-8-9-10 is the lowest straight",
        (
            "lt",
            "14.0",
            "A-7-8-9-10 skaičiuojasi kaip mažiausia eile, o A-K-Q-J-10 - kaip didžiausia",
        ),
        ("lt", "16.0", "A-7-8-9-10 skaičiuojasi kaip žemiausia eiles kombinacija"),
        ("et", "12.0", "moodustab kombinatsioon Ä-7-8-9-10 madalaima rea"),
        ("et", "13.0", "on A-7-8-9-10 madalaim rida"),
        ("ro", "14.0", "A-7-8-9-10 este cea mai mica chinta"),
    ),
)
def test_the_lowest_straight_of_32_cards(book, variant):
    assert beats(book, variant, "7h8d9sTcJd", "Ah7c8s9dTd")
    assert beats(book, variant, "AhKdQsJcTd", "KhQdJsTc9d")
    assert beats(book, variant, "Ah7c8s9dTd", "AdAsAcKdQh")


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "a flush beats a full house",
        ("lt", "14.0", "jog spalva (flush) yra aukščiau už full house"),
        ("lt", "16.0", "spalvos kombinacija („Flush“) yra aukščiau Full House"),
        ("et", "12.0", "näiteks on mast tugevam kui maja"),
        ("et", "13.0", "erinev see, et mast on tugevam kui maja"),
        ("ro", "14.0", "o culoare bate un full"),
    ),
)
def test_a_flush_beats_a_full_house(book, variant):
    assert beats(book, variant, "QdTd9d8d7d", "AcAdAsKcKs")


@pytest.mark.parametrize(
    "book",
    by_book(
        "Americana's suits break nothing: equal hands split",
        lt=(
            "14.7",
            "Jeigu du arba daugiau žaideju turi vienodas kortu kombinacijas, jie pasidalina",
        ),
        et=("12.7", "Kui kahel või enamal mängijal on samasugune käsi"),
        ro=("14.7", "Daca unul sau mai multi jucatori au aceeasi mana, ei impart potul"),
    ),
)
def test_suits_break_nothing_in_americana(book):
    assert winners(book, "americana", {1: "AhQhJh9h8h", 2: "AsQsJs9s8s"}) == {1, 2}
    assert winners(book, "americana", {1: "AhKdQsJc9d", 2: "AsKcQhJd9s"}) == {1, 2}


def test_the_royal_flush_of_the_tables_is_the_highest_straight_flush():
    """The tables' first row is no kind of its own: two of them split where suits break nothing."""
    assert winners("lt", "americana", {1: "AhKhQhJhTh", 2: "AsKsQsJsTs"}) == {1, 2}
    dealt = sit("lt", "soko", holes={1: "AhKhQhJhTh", 2: "AsKsQsJsTs"})
    plays(dealt, (dealt.hand.turn, BRING_IN))
    assert set(to_the_end(dealt).won()) == {1, 2}
