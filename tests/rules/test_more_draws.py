"""Further rule cases: draws that come late or run out, and what low and 32-card hands are worth.

Each quotes the sentence that decides it.
"""

from __future__ import annotations

import pytest

from riverboat.game.cards import cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import HandShown, Reshuffled
from riverboat.game.hand.state import Phase
from riverboat.game.ranking import best
from tests.documents.playing import (
    beats,
    passes,
    plays,
    sit,
    to_the_bets,
    to_the_draw,
    to_the_end,
    won,
)

CALL, CHECK, FOLD, RAISE = Action.CALL, Action.CHECK, Action.FOLD, Action.RAISE
DRAW, SPLIT = Action.DRAW, Action.SPLIT


# Draws.


@pytest.mark.parametrize("variant", ["draw5", "draw32", "triple_draw27"])
def test_who_was_late_may_call_a_raise_and_not_raise_it(variant):
    """RULES 5, draws: "stands pat **and may not bet or raise in the next round** (he may check,
    call or fold)", also when others have bet since.
    """
    dealt = to_the_draw(sit("lt", variant, holes=3))
    held = dealt.hand.seats[1].places
    dealt.times_out()
    assert dealt.hand.seats[1].places == held
    to_the_bets(dealt)
    assert (dealt.hand.turn, dealt.offered.check, dealt.offered.raise_least) == (1, True, 0)
    plays(dealt, (1, CHECK), (2, RAISE, 1_000), (3, RAISE, 3_000))
    offered = dealt.offered
    assert (offered.call, offered.fold, offered.no_raise) == (3_000, True, "late_draw")


def test_the_next_draw_in_time_restores_him():
    """`et`, 2-7: "If he acts in time during the next draw he will be able to bet in that round"."""
    dealt = to_the_draw(sit("et", "triple_draw27", holes=2))
    dealt.times_out()
    to_the_bets(dealt)
    assert dealt.offered.no_raise == "late_draw"
    to_the_bets(to_the_draw(dealt))
    assert (dealt.hand.turn, dealt.offered.no_raise) == (1, "")
    late_again = to_the_draw(sit("et", "triple_draw27", holes=2))
    for _ in range(2):
        late_again.times_out()
        to_the_bets(late_again)
        assert late_again.offered.no_raise == "late_draw"
        to_the_draw(late_again)


def test_six_who_throw_all_five_run_out_in_the_first_draw():
    """`ro`: "daca nu sunt carti suficiente pentru a completa extragerile, cele aruncate sau
    decartate vor fi amestecate": 22 are left for 30; nobody gets one of his own.
    """
    dealt = to_the_draw(sit("ro", "draw5", holes=6))
    thrown = {}
    for seat in range(1, 7):
        thrown[seat] = {dealt.deck[place] for place in dealt.hand.seats[seat].places}
        dealt.does(seat, DRAW, throw=range(5))
        held = {dealt.deck[place] for place in dealt.hand.seats[seat].places}
        assert len(held) == 5
        assert held.isdisjoint(thrown[seat])
    places = [place for seat in dealt.hand.seats.values() for place in seat.places]
    assert len({dealt.deck[place] for place in places}) == len(places) == 30
    assert len(dealt.happened(Reshuffled)) == 1


def test_what_was_folded_is_shuffled_in_again():
    """`et`: "the mucked and discarded cards are shuffled and used to complete the draw"."""
    dealt = sit("et", "triple_draw27", holes=6)
    mucked = {dealt.deck[place] for seat in (3, 4) for place in dealt.hand.seats[seat].places}
    plays(dealt, (3, FOLD), (4, FOLD))
    for _ in range(2):
        to_the_draw(dealt)
        while dealt.hand.phase is Phase.DRAW:
            dealt.does(dealt.hand.turn, DRAW, throw=range(5))
    assert mucked <= set(dealt.decks[1])
    assert mucked & {
        dealt.deck[place] for seat in (1, 2, 5, 6) for place in dealt.hand.seats[seat].places
    }


def test_nothing_is_turned_up_before_the_last_draw_though_all_are_all_in():
    """RULES 5, field: "all live hands are turned up, after the last draw and never before"."""
    dealt = sit("lt", "triple_draw27", holes=2, stacks={1: 1_000, 2: 1_000})
    plays(dealt, (2, RAISE, 1_000), (1, CALL))
    for drawn in range(3):
        assert dealt.hand.phase is Phase.DRAW, drawn
        assert not dealt.happened(HandShown)
        plays(dealt, (1, DRAW), (2, DRAW))
    assert len(to_the_end(dealt).happened(HandShown)) == 2


def test_split_is_offered_to_who_was_late_as_well():
    """RULES 5, split option: beside fold and check; a late draw bars bets and raises alone."""
    dealt = to_the_draw(sit("lt", "draw32", holes=2))
    dealt.times_out()
    to_the_bets(dealt)
    assert (dealt.offered.split, dealt.offered.raise_least) == (True, 0)
    plays(dealt, (1, SPLIT), (2, SPLIT))
    dealt.ends()
    assert len(dealt.won()) == 2


def test_a_bet_takes_the_split_from_who_chose_it_first():
    """`lt`: "jam atlikus statymą, kitas žaidejas jau šio pasirinkimo netures" (no such choice)."""
    dealt = to_the_bets(to_the_draw(sit("lt", "draw32", holes=3)))
    plays(dealt, (1, SPLIT), (2, SPLIT), (3, RAISE, 1_000))
    assert (dealt.offered.seat, dealt.offered.split, dealt.offered.call) == (1, False, 1_000)
    passes(dealt)
    assert not dealt.offered.split


# What hands are worth.


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2c3d4h5s7c", "2d3c4s6h7d"),  # seven-five and seven-six
        ("2c3d4h6s7c", "2d3c5s6h7d"),
        ("KcQdJh9s7c", "Ac2d3h4s5c"),  # the ace is high: no straight, but an ace
        ("Ac2d3h4s5c", "2d2c3s4h5d"),  # and better than any pair
        ("2c2d3h4s5c", "3d3c2s4h5d"),
        ("KsKcQh3d2c", "2d3c4s5h6d"),  # a pair of kings and a straight
        ("2c3d4h5s6c", "3c4c5c7c8c"),  # a straight and a flush
    ],
)
def test_deuce_to_seven(better, worse):
    """`et`, 2-7: "The best hand is 2-3-4-5-7. Ace play for high only and straights and flushes
    counts against you."
    """
    assert beats("et", "triple_draw27", better, worse)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As2s3s4s5s", "Ah2d3c4h6d"),  # neither straight nor flush
        ("Ah2d3c4h6d", "Ad2c3h5d6c"),
        ("KcQdJh9s7c", "AcAd2h3s4c"),
        ("AcAd2h3s4c", "2d2c3d4h5d"),
        ("AcAd3h4s5c", "AhAs3d4c6d"),
    ],
)
def test_ace_to_five(better, worse):
    """RULES 8, variants: ace-to-five low: straights and flushes are ignored, pairs are not."""
    assert beats("standard", "triple_draw_a5", better, worse)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("As2h3d4c", "Ah2d3c5s"),
        ("KsQhJdTc", "Ah2d3c3s"),  # four cards beat any three
        ("Ah2d3c3s", "As2c4d4h"),
        ("As2s3h4d", "Ac2c4s5h"),  # of two of a suit the lower stays: 4-3-A and 5-4-A
        ("As5s3h4d", "2h3d4c4s"),  # 4-3-A and 4-3-2
        ("AsKhKdKc", "2s2h2d2c"),  # two cards and one
    ],
)
def test_badugi(better, worse):
    """RULES 8: "badugi (four cards, three draws; best badugi of different ranks and suits)"."""
    assert beats("standard", "badugi", better, worse)


def test_badugis_of_equal_ranks_split():
    """RULES 5: "**Ties** split equally": suits order nothing."""
    assert won("standard", "badugi", {1: "As2h3d4c", 2: "Ah2s3c4d"}) == {1: 500, 2: 500}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("9c8c7c6cAd", "KdQhJsTd2c"),  # a four-flush and a four-straight
        ("9c8c7c2c2d", "AdKdQdJs9h"),  # a pair in it changes nothing
        ("AcAdAhKsKc", "KdQhJsTd9c"),
        ("Ac2d3h4s9c", "AdAsKhQc9d"),  # A-2-3-4 is a run of four, and beats aces
        ("2d3h4s5c9c", "Ac2c3d4h9d"),  # of runs the one to the five
        ("Ac2d3h4sKc", "Ad2c3s4hQd"),  # then the fifth card
        ("2c2d9h8s5c", "KdAs2h3sQc"),  # around the ace there is no run
        ("AcKcQcJc2d", "KhQhJh9h2s"),  # four suited, from the top
        ("AcKcQcJc3d", "AhKhQhJh2s"),  # then the fifth
        ("7c7d2h2s3c", "AcKcQcJc2d"),  # two pair and a four-flush
    ],
)
def test_soko(better, worse):
    """RULES 2, soko: "A hand that is both is a four-flush. A hand with a pair that also holds a
    four-straight or four-flush is the better category."
    """
    assert beats("et", "soko", better, worse)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7c9cTcJcKc", "AsAhAdKsKh"),  # a flush and a full house
        ("7c8d9hTsJc", "Ah7h8h9dTc"),  # A-7-8-9-10 is the lowest straight
        ("Ah7h8h9dTc", "AsAdAcKsQh"),  # and a straight all the same
        ("7d8d9dTdJd", "Ac7c8c9cTc"),
        ("AcKdQhJs9c", "AdKcQsJh8d"),
    ],
)
def test_thirty_two_cards(better, worse):
    """`et`, Americana: "Ä-7-8-9-10 madalaima rea ... mast on tugevam kui maja" (the lowest
    straight; a flush is stronger than a full house).
    """
    for variant in ("americana", "draw32"):
        assert beats("et", variant, better, worse)


def test_suits_split_nothing_in_americana_and_everything_in_the_draw():
    """`et`, 32-card draw: "kunagi ei esine kahte võrdse tugevusega kätt" (no two equal)."""
    hands = {1: "AcKdQhJs9c", 2: "AdKcQsJh9d"}
    assert won("et", "americana", hands) == {1: 300, 2: 300}
    assert list(won("et", "draw32", hands)) == [2]  # the ace of diamonds
    pair = {1: "AcAdKcQh9h", 2: "AhAsKdQs9s"}
    assert list(won("et", "draw32", pair)) == [2]  # the king of diamonds, not the ace of hearts


@pytest.mark.parametrize(
    ("better", "worse", "board"),
    [
        ("Ah7h", "KcKd", "Kh9h6h9cQd"),  # a flush and a full house
        ("7c8d", "AcKd", "6h9sAdKcTd"),  # six to ten and aces up
        ("TcJd", "Ac7d", "6h8s9cQdAh"),  # to the queen, and A-6-7-8-9
        ("Ac7d", "AhAs", "6h8s9cQdKh"),  # the ace below the six is a straight
    ],
)
def test_short_deck(better, worse, board):
    """RULES 8: "a flush beats a full house; A-6-7-8-9 is the lowest straight"."""

    def worth(own: str) -> int:
        return best("short_deck", "any_five", cards(own), cards(board))

    assert worth(better) > worth(worse)


def test_one_hand_may_be_the_best_and_the_lowest():
    """RULES 2: "straights and flushes ignored" for the low: a suited wheel takes both halves."""
    hands = {1: "As2s3s4s5sKdQc", 2: "AhAdAc9h9d9cKh", 3: "2h3d4c6h7dKcQd"}
    assert list(won("lt", "stud7_hilo", hands)) == [1]
    nine = {1: "As2h3d4c9sKdQc", 2: "KhKsAd9h9dJcTh"}
    assert list(won("lt", "stud7_hilo", nine)) == [2]  # no eight, no low
