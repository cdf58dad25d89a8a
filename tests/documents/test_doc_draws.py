"""The games with draws: how many cards, how long, what lateness costs, decks that run out."""

from __future__ import annotations

import random

import pytest

from riverboat.game.commands import Action
from riverboat.game.hand.events import (
    Drew,
    Reshuffled,
    TimedOut,
)
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.documents.playing import (
    beats,
    passes,
    sit,
    to_the_bets,
    to_the_draw,
    to_the_end,
)
from tests.documents.quoting import by_game
from tests.game.hand.dealt import Dealt

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
DRAW, SPLIT, REFUSE = Action.DRAW, Action.SPLIT, Action.REFUSE_SPLIT
DRAWS = {"draw5": (5, 1), "triple_draw27": (5, 3), "draw32": (4, 1)}  # most cards, how often


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after the first round everybody may change 0 to 5 cards, in 32-card draw 0 to 4",
        (
            "lt",
            "12.5",
            "statymo rato kiekvienas žaidejas gali pasikeisti nuo 0 iki 5 kortu",
        ),
        ("lt", "13.6", "žaidejas gali pasikeisti nuo 0 iki 5 kortu"),
        (
            "lt",
            "16.5",
            "statymo rato kiekvienas žaidejas gali pasikeisti nuo 0 iki 4 kortu",
        ),
        ("et", "10.5 11.6", "each player is allowed to discard 0-5 cards and will draw new cards"),
        ("et", "13.5", "on igal mängijal lubatud ära visata 0-4 kaarti"),
        ("ro", "12.5", "jucator poate sa decarteze intre 0-5 si carti pentru a extrage unele noi"),
        ("ro", "13.6", "fiecare jucator poate decarta intre 0-5 carti si va extrage altele noi"),
    ),
)
def test_so_many_cards_may_be_changed(book, variant):
    most, times = DRAWS[variant]
    for many in range(6):
        dealt = to_the_draw(sit(book, variant))
        assert dealt.hand.turn == 1  # from the left of the button
        assert dealt.offered.draw_most == most
        before = dealt.hand.seats[1].places
        command = dealt.the_act(DRAW, throw=range(many))
        if many > most:
            assert dealt.tries(command) == Refusal(HandCode.BAD_DISCARD, most=most)
            continue
        dealt.does(1, DRAW, throw=range(many))
        after = dealt.hand.seats[1].places
        assert len(after) == 5
        assert len(set(before) - set(after)) == many
    assert len(to_the_end(sit(book, variant)).happened(Drew)) == 3 * times


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "after each draw there is a round of betting, three times over",
        ("lt", "13.6", "Po kiekvieno kortu keitimo yra naujas statymu ratas"),
        ("et", "11.6", "This is repeated until everyone still in the pot has had the option"),
        ("ro", "13.6", "Dupa fiecare decartare mai este o runda de pariere"),
    ),
)
def test_three_draws_each_with_a_round(book, variant):
    dealt = sit(book, variant)
    for _ in range(3):
        to_the_bets(to_the_draw(dealt))
        assert dealt.hand.phase is Phase.BET
        assert dealt.offered.check
    while dealt.hand.turn:
        passes(dealt)
    assert dealt.hand.phase is Phase.SHOW


THIRTY = by_game(
    "thirty seconds; who is late stands pat and may not bet or raise in the next round",
    ("lt", "12.5 13.6 16.5", "žaidejas kortas gali pasikeisti per 30 sekundžiu"),
    (
        "et",
        "10.5 11.6",
        "Each player have 30 seconds to draw cards, if he fails to act within",
    ),
    ("et", "13.5", "Igal mängijal on kaartide vahetamiseks 30 sekundit"),
    ("ro", "12.5", "Fiecare jucator are 30 de secunde pentru a trage carti"),
    ("ro", "13.6", "Fiecare jucator are 30 de secunde pentru a decarta"),
)


@pytest.mark.parametrize(("book", "variant"), THIRTY)
def test_a_draw_takes_thirty_seconds(book, variant):
    dealt = to_the_draw(sit(book, variant))
    for seat in (1, 2, 3):
        assert dealt.hand.turn == seat
        assert dealt.hand.deadline_ms == dealt.now_ms + 30_000
        dealt.does(seat, DRAW)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "who is late changes no card, and may not bet or raise in the next round",
        ("lt", "12.5 16.5", "ir jis negales atlikti statymo antrame statymu rate"),
        ("lt", "13.6", "ir jis negales atlikti statymo kitame statymu rate"),
        ("et", "10.5", "he will stand pat (draw 0 cards) and not be able to bet or raise the pot"),
        ("et", "11.6", "not be able to bet or raise the pot in the next betting round"),
        ("et", "13.5", "ning ta ei saa peale vahetust potti panustada ega tõsta"),
        (
            "ro",
            "12.5",
            "daca va trece de caest timp nu va primi niciuna si nu va putea paria",
        ),
        ("ro", "13.6", "el va pierde runda si nu va mai putea paria sau plusa potul in urmatoarea"),
    ),
)
def test_who_draws_late_stands_pat_and_may_not_bet(book, variant):
    dealt = to_the_draw(sit(book, variant))
    dealt.times_out()
    (late,) = dealt.happened(TimedOut)
    assert (late.seat, dealt.events[-1]) == (1, Drew(1, (), ()))
    to_the_bets(dealt)
    if dealt.hand.turn != 1:  # et's 32-card draw begins behind the big blind
        while dealt.hand.turn != 1:
            dealt.does(dealt.hand.turn, CHECK)
    assert (dealt.offered.no_raise, dealt.offered.check) == ("late_draw", True)
    assert dealt.tries(dealt.the_act(RAISE, 1_000)) == Refusal(
        HandCode.CANNOT_RAISE, reason="late_draw"
    )
    dealt.does(1, CHECK)
    assert dealt.offered.raise_least > 0  # the others may
    dealt.does(2, RAISE, 1_000)
    while dealt.hand.turn != 1:
        dealt.does(dealt.hand.turn, CALL)
    assert (dealt.offered.call, dealt.offered.raise_least) == (1_000, 0)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "who acts in time in the next draw may bet again",
        ("lt", "13.6", "toliau jis vel gales atlikti statymus kaip iprasta"),
        (
            "et",
            "11.6",
            "If he acts in time during the next draw he will be able to bet in that",
        ),
    ),
)
def test_a_draw_in_time_gives_the_right_back(book, variant):
    dealt = to_the_draw(sit(book, variant))
    dealt.times_out()
    to_the_bets(dealt)
    assert dealt.offered.no_raise == "late_draw"
    to_the_bets(to_the_draw(dealt))
    assert dealt.hand.turn == 1
    assert dealt.offered.raise_least > 0


# The deck runs out.


def run_out(book: str, variant: str, chance: random.Random) -> Dealt:
    """Everybody at a full table throws as much as he may, until the hand is over."""
    dealt = sit(book, variant, holes={"draw32": 5}.get(variant, 6))
    chance.shuffle(dealt.decks[0])
    dealt.stir = lambda given: chance.sample(list(given), len(given))
    while dealt.hand.phase is not Phase.SHOW:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        elif dealt.hand.phase is Phase.DRAW:
            dealt.does(dealt.hand.turn, DRAW, throw=range(dealt.offered.draw_most))
        else:
            passes(dealt)
    dealt.ends()
    return dealt


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "if the cards run out those thrown and mucked are shuffled and dealt",
        ("lt", "12.7 13.9 16.7", "yra naudojamos jau kitu žaideju numestos ir išmaišytos kortos"),
        ("et", "10.7", "the mucked and discarded cards are shuffled and used to complete the draw"),
        ("et", "11.9", "the mucked and discarded cards are shuffled and used to complete the draw"),
        ("et", "13.7", "segatakse äravisatud kaartid uuesti ning neid kasutatakse vahetuse lõpule"),
        ("ro", "12.7", "cele aruncate sau decartate vor fi amestecate pentru a se continua"),
        (
            "ro",
            "13.9",
            "cartile aruncate si cele decartate anterior vor fi amestecate si",
        ),
    ),
)
def test_discards_are_shuffled_when_the_deck_runs_out(book, variant):
    dealt = run_out(book, variant, random.Random(7))
    assert dealt.happened(Reshuffled)
    drawn = [dealt.deck[place] for seat in dealt.hand.seats.values() for place in seat.places]
    assert len(set(drawn)) == len(drawn)  # no card is in two hands
    # A hand that was mucked before the draw is shuffled in with what was thrown in it so far.
    dealt = sit(book, variant, holes={"draw32": 5}.get(variant, 6))
    mucked = dealt.hand.turn
    dealt.does(mucked, FOLD)
    gone = {dealt.deck[place] for place in dealt.hand.seats[mucked].places}
    to_the_draw(dealt)
    thrown: set[int] = set()
    while not dealt.happened(Reshuffled):
        seat = dealt.hand.seats[dealt.hand.turn]
        before = set(thrown)
        thrown |= {dealt.deck[place] for place in seat.places[: dealt.offered.draw_most]}
        dealt.does(seat.seat, DRAW, throw=range(dealt.offered.draw_most))
    assert set(dealt.decks[1]) == gone | before


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "nobody gets back a card that he threw, though he may get another's",
        ("lt", "12.7 16.7", "Žaidejas niekada negaus savo jau numestu kortu, bet gali gauti kitu"),
        ("lt", "13.9", "Žaidejas niekada nagaus savo jau numestu kortu, bet gali gauti kitu"),
        ("et", "10.7", "A player will never get back his own discards but may receive another"),
        ("et", "11.9", "A player will never get back the cards he discarded in that draw"),
        ("et", "13.7", "Mängija ei saa kunagi tagasi oma äravisatud kaarte, aga võib saada"),
        ("ro", "12.7 13.9", "Un jucator nu isi va primi inapoi cartile decartate"),
    ),
)
def test_nobody_gets_his_own_discards_back(book, variant):
    others = 0
    for seed in range(20):
        dealt = run_out(book, variant, random.Random(seed))
        thrown: dict[int, set[int]] = {}
        held = {
            seat: list(range(at, 5 * len(dealt.hand.seats), len(dealt.hand.seats)))
            for at, seat in enumerate(dealt.hand.seats)
        }
        for event in dealt.happened(Drew):
            mine = thrown.setdefault(event.seat, set())
            mine |= {dealt.deck[held[event.seat][index]] for index in event.thrown}
            got = {dealt.deck[place] for place in event.places}
            assert not got & mine
            others += len(got & {card for seat in thrown for card in thrown[seat]})
            for index, place in zip(event.thrown, event.places, strict=True):
                held[event.seat][index] = place
    assert others


# Deuce to seven.


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "the best hand is 2-3-4-5-7 of different suits",
        ("lt", "13.1", "Geriausia imanoma kortu kombinacija yra skirtingu spalvu 2-3-4-5-7"),
        ("et", "11.1", "The best hand is 2-3-4-5-7"),
        ("ro", "13.1", "Cea mai buna mana este 2-3-4-5-7"),
    ),
)
def test_the_best_low_is_seven_five(book, variant):
    for worse in ("2c3c4c6d7h", "2c3c5c6d7h", "2c3c4c5d8h", "3c4c5d6h8s"):
        assert beats(book, variant, "2h3d4s5c7d", worse)


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "aces are high only; straights and flushes count against",
        ("lt", "13.1", "Tuzai skaičiuojami tik kaip aukščiausia korta"),
        ("et", "11.1", "Ace play for high only and straights and flushes counts against you"),
        ("ro", "13.1", "Asul este cea mai mare carte si chinta sau culoare nu este benefica"),
    ),
)
def test_aces_straights_and_flushes_count_against(book, variant):
    assert beats(book, variant, "KhQd9s8c7h", "Ah2d3c4s6c")  # the ace is high
    assert beats(book, variant, "AhKd2s2c3h", "2d3c4s5h6c")  # even a pair beats a straight
    assert beats(book, variant, "AhKd2s3c4h", "2h3h4d4c5h")  # and no pair beats a pair
    assert beats(book, variant, "KhKdKs2c3h", "2d3d4d5d7d")  # three of a kind beats a flush


@pytest.mark.parametrize(
    ("book", "variant"),
    by_game(
        "2-3-4-5-A is no straight but ace high",
        ("lt", "13.1", "2-3-4-5-A kortu kombinacija nera laikoma eile"),
        ("et", "11.1", "2-3-4-5-A is not considered a straight but an “Ace high”"),
        ("ro", "13.1", "2-3-4-5-A nu este considerata o chinta ci “Ace high”"),
    ),
)
def test_two_to_five_with_an_ace_is_ace_high(book, variant):
    assert beats(book, variant, "2h3d4s5cAd", "2c2d3s4c6d")  # a pair is worse than no pair
    assert beats(book, variant, "2h3d4s5cAd", "Ah2c3s4c6d")
    assert beats(book, variant, "KhQdJsTc8h", "2d3c4s5hAc")
