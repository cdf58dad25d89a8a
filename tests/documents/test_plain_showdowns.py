"""The product's showdowns and the plain ones end alike, on random hands of every game."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest

from riverboat.game import rules
from riverboat.game.cards import cards
from riverboat.game.ranking import ranking, values
from tests.documents import plain_rankings as plain
from tests.documents.every_hand import RANKS_OF, SUITS, whole_deck

QUICK, DEEP = 5_000, 200_000  # hands of each game
HANDS = [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(3_600)])]
Own = Sequence[str]
# Own cards and the board, to what they are worth; None takes no part.
Worth = Callable[[Own, Own], plain.Key | None]


class Showdown(NamedTuple):
    """How one game comes to its showdown."""

    name: str  # ranking
    select: str
    deck: str
    own: int
    board: int
    worth: Worth


def any_five(of: Callable[[Own], plain.Key | None]) -> Worth:
    return lambda own, board: plain.best_of(of, [*own, *board])


def two_and_three(of: Callable[[Own], plain.Key | None]) -> Worth:
    return lambda own, board: plain.exactly_two(of, own, board)


LOW8 = "ace_to_five_low8"
GAMES = {
    "holdem": Showdown("standard", "any_five", "52", 2, 5, any_five(plain.high)),
    "six cards": Showdown("standard", "any_five", "52", 6, 0, any_five(plain.high)),
    "stud7": Showdown("standard", "any_five", "52", 7, 0, any_five(plain.high)),
    "stud7, shared": Showdown("standard", "any_five", "52", 6, 1, any_five(plain.high)),
    "stud7 low": Showdown(LOW8, "any_five", "52", 7, 0, any_five(plain.low8)),
    "omaha": Showdown("standard", "two_and_three", "52", 4, 5, two_and_three(plain.high)),
    "omaha5": Showdown("standard", "two_and_three", "52", 5, 5, two_and_three(plain.high)),
    "omaha low": Showdown(
        "ace_to_five_low8", "two_and_three", "52", 4, 5, two_and_three(plain.low8)
    ),
    "omaha5 low": Showdown(
        "ace_to_five_low8", "two_and_three", "52", 5, 5, two_and_three(plain.low8)
    ),
    "soko": Showdown("soko", "own", "52", 5, 0, any_five(plain.soko)),
    "soko of six": Showdown("soko", "any_five", "52", 6, 0, any_five(plain.soko)),
    "soko of seven": Showdown("soko", "any_five", "52", 7, 0, any_five(plain.soko)),
    "triple_draw27": Showdown("low27", "own", "52", 5, 0, any_five(plain.low27)),
    "low27 of seven": Showdown("low27", "any_five", "52", 7, 0, any_five(plain.low27)),
    "razz": Showdown("ace_to_five_low", "any_five", "52", 7, 0, any_five(plain.low_a5)),
    "badugi": Showdown("badugi", "own", "52", 4, 0, lambda own, board: plain.badugi(own)),
    "short_deck": Showdown("short_deck", "any_five", "6-A", 2, 5, any_five(plain.short_deck)),
    "americana": Showdown("flush_over_full_house", "own", "7-A", 5, 0, any_five(plain.americana)),
    "americana of six": Showdown(
        "flush_over_full_house", "any_five", "7-A", 6, 0, any_five(plain.americana)
    ),
    "draw32": Showdown("draw32", "own", "7-A", 5, 0, any_five(plain.draw32)),
    "telesina": Showdown("telesina", "own_and_vela", "7-A", 5, 1, any_five(plain.telesina)),
}
LOWS = ("stud7 low", "omaha low", "omaha5 low")


def deal(chance: random.Random, game: Showdown) -> tuple[list[list[str]], list[str]]:
    """Cards for two to four players and the board, now and then from few ranks or suits."""
    deck = whole_deck(game.deck)
    match chance.randrange(4):
        case 0:
            few = chance.sample(RANKS_OF[game.deck], 7)
            deck = [card for card in deck if card[0] in few]
        case 1:
            few = chance.sample(SUITS, 3)
            deck = [card for card in deck if card[1] in few]
    most = (len(deck) - game.board) // game.own
    many = chance.randint(2, min(4, most))
    drawn = chance.sample(deck, many * game.own + game.board)
    owns = [drawn[at * game.own : (at + 1) * game.own] for at in range(many)]
    return owns, drawn[many * game.own :]


def in_letters(numbers: Sequence[str]) -> tuple[int, ...]:
    return cards("".join(numbers))


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("name", GAMES)
def test_showdowns_end_alike(name, hands):
    game = GAMES[name]
    chance = random.Random(name)
    valued = ties = nothing = 0
    while valued < hands:
        owns, board = deal(chance, game)
        valued += len(owns)
        mine = [game.worth(own, board) for own in owns]
        theirs = values(
            game.name, game.select, in_letters(board), [in_letters(own) for own in owns]
        )
        assert [value == 0 for value in theirs] == [key is None for key in mine], (owns, board)
        order = sorted({key for key in mine if key is not None})
        places = [0 if key is None else order.index(key) + 1 for key in mine]
        rising = sorted({value for value in theirs if value})
        ranked = [rising.index(value) + 1 if value else 0 for value in theirs]
        assert ranked == places, (owns, board)
        winners = ranking(game.name).winners(theirs, 4)
        best = max(places)
        assert list(winners) == [at for at, place in enumerate(places) if place == best > 0]
        ties += len(winners) > 1
        nothing += best == 0
    assert ties == 0 or name not in ("draw32", "telesina")  # there suits leave none
    assert (nothing > 0) == (name in LOWS)


@pytest.mark.parametrize("hands", HANDS)
def test_telesina_between_two(hands):
    """RULES 2, telesina: the one pair of hands that asks how many are left."""
    chance = random.Random("two")
    deck = whole_deck("7-A")
    of = ranking("telesina")
    swapped = 0
    for _ in range(hands // 2):
        # Both straight flushes, whole or short of the Vela, among random cards.
        one, other = ["Ah", "Kh", "Qh", "Jh", "Th"], ["Ts", "9s", "8s", "7s", "As"]
        rest = [card for card in deck if card not in (*one, *other)]
        chance.shuffle(rest)
        vela = rest.pop()
        for hand in (one, other):
            if chance.random() < 0.4:
                hand[chance.randrange(5)] = rest.pop()
        owns = {0: one, 1: other}
        held = [in_letters(own) for own in owns.values()]
        theirs = values("telesina", "own_and_vela", in_letters([vela]), held)
        for left in (2, 3):
            expected = plain.telesina_winners(owns, vela, two_left=left == 2)
            assert set(of.winners(theirs, left)) == expected, (owns, vela)
            swapped += left == 2 and expected == {1}
    assert 0 < swapped < hands // 2


def test_the_selections_are_those_of_the_games():
    """What is compared here is what the tables of the documents' games name."""
    named = {
        (name, game.select)
        for book in ("lt", "et", "ro")
        for variant in rules.HOUSE.variants(book)
        for game in (rules.game(book, variant, "nl"),)
        for name in (game.high, game.low)
        if name
    }
    compared = {(game.name, game.select) for game in GAMES.values()}
    assert named - compared <= {("standard", "own")}  # five own cards: the any_five of five
