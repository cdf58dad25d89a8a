"""Cards and decks: every card's letters lead back to it, and what is no card is named."""

import doctest

import pytest

from riverboat.game import cards as module
from riverboat.game.cards import DECKS, card, cards, rank, suit, text, texts


@pytest.mark.plain
def test_the_examples_in_the_docstrings_hold() -> None:
    outcome = doctest.testmod(module)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_every_card_is_rank_times_four_plus_suit_and_reads_back() -> None:
    for number in range(52):
        assert number == rank(number) * 4 + suit(number)
        assert text(number) == "23456789TJQKA"[rank(number)] + "cdhs"[suit(number)]
        assert card(text(number)) == number


def test_many_cards_read_back_with_and_without_blanks() -> None:
    assert texts(cards("AhKd2c")) == "AhKd2c"
    assert cards(" Ah  Kd\n2c ") == cards("AhKd2c")
    assert cards("") == ()
    assert texts([]) == ""


@pytest.mark.parametrize("letters", ["", "A", "Ax", "1h", "10h", "ah", "AH", "Ah ", "AhKd", "??"])
def test_what_is_no_card_is_named(letters: str) -> None:
    with pytest.raises(ValueError, match="not a card") as caught:
        card(letters)
    assert repr(letters) in str(caught.value)


@pytest.mark.parametrize(("letters", "named"), [("AhK", "AhK"), ("AhXd", "Xd"), ("Ah10d", "Ah10d")])
def test_what_are_no_cards_is_named(letters: str, named: str) -> None:
    with pytest.raises(ValueError, match="not cards") as caught:
        cards(letters)
    assert repr(named) in str(caught.value)


@pytest.mark.parametrize("number", [-1, 52])
def test_a_number_out_of_the_pack_has_no_letters(number: int) -> None:
    with pytest.raises(ValueError, match=f"not a card: {number}"):
        text(number)


@pytest.mark.parametrize(
    ("name", "size", "lowest"), [("52", 52, 0), ("7-A", 32, 5), ("6-A", 36, 4)]
)
def test_a_deck_holds_every_suit_from_its_lowest_rank_to_the_ace(
    name: str, size: int, lowest: int
) -> None:
    deck = DECKS[name]
    assert len(deck) == len(set(deck)) == size
    assert {(rank(c), suit(c)) for c in deck} == {
        (r, s) for r in range(lowest, 13) for s in range(4)
    }
