"""Second opinions: evaluators written by others agree, hand for hand, on random deals."""

import random
from collections.abc import Iterator

import phevaluator
import pytest
from pokerkit import (
    BadugiHand,
    Card,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    StandardHighHand,
    StandardLowHand,
)
from treys import Card as TreysCard
from treys import Evaluator

from riverboat.game.cards import text, texts
from riverboat.game.ranking import ranking, values

# Both evaluators number the classes from the best, 1, to the worst, 7462.
FROM_THE_BEST = 7_463
QUICK, DEEP = 20_000, 1_000_000
HANDS = [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(1_800)])]
# PokerKit ranks some three thousand hands a second.
SLOW_HANDS = [1_000, pytest.param(20_000, marks=[pytest.mark.deep, pytest.mark.timeout(1_800)])]
Showdown = tuple[list[int], list[list[int]]]
TREYS_CARDS = [TreysCard.new(text(card)) for card in range(52)]


def showdowns(hands: int, own: int, seed: int) -> Iterator[Showdown]:
    """Boards with four players each, in all so many hands."""
    rng = random.Random(seed)
    for _ in range(hands // 4):
        dealt = rng.sample(range(52), 5 + 4 * own)
        yield dealt[:5], [dealt[at : at + own] for at in range(5, len(dealt), own)]


@pytest.mark.parametrize("hands", HANDS)
def test_holdem_showdowns_agree_with_phevaluator_and_treys(hands: int) -> None:
    treys = Evaluator()
    compared = 0
    for board, players in showdowns(hands, 2, seed=1):
        ours = values("standard", "any_five", board, players)
        treys_board = [TREYS_CARDS[card] for card in board]
        for own, value in zip(players, ours, strict=True):
            assert value == FROM_THE_BEST - phevaluator.evaluate_cards(*board, *own)
            assert value == FROM_THE_BEST - treys.evaluate(
                treys_board, [TREYS_CARDS[card] for card in own]
            )
            compared += 1
    assert compared == hands


@pytest.mark.parametrize("hands", HANDS)
def test_omaha_showdowns_agree_with_phevaluator(hands: int) -> None:
    compared = 0
    for board, players in showdowns(hands, 4, seed=2):
        ours = values("standard", "two_and_three", board, players)
        for own, value in zip(players, ours, strict=True):
            assert value == FROM_THE_BEST - phevaluator.evaluate_omaha_cards(*board, *own)
            compared += 1
    assert compared == hands


@pytest.mark.parametrize("size", [5, 6, 7])
@pytest.mark.parametrize("hands", HANDS)
def test_hands_of_five_six_and_seven_agree_with_phevaluator(hands: int, size: int) -> None:
    rng = random.Random(size)
    value = ranking("standard").value
    for _ in range(hands):
        own = rng.sample(range(52), size)
        assert value(own) == FROM_THE_BEST - phevaluator.evaluate_cards(*own)


@pytest.mark.parametrize("hands", SLOW_HANDS)
@pytest.mark.parametrize(
    ("name", "select", "peer", "own"),
    [
        ("standard", "any_five", StandardHighHand, 2),
        ("standard", "two_and_three", OmahaHoldemHand, 4),
        ("ace_to_five_low8", "any_five", EightOrBetterLowHand, 2),
        ("ace_to_five_low8", "two_and_three", OmahaEightOrBetterLowHand, 4),
        ("standard", "two_and_three", OmahaHoldemHand, 5),
        ("standard", "two_and_three", OmahaHoldemHand, 6),
        ("ace_to_five_low8", "two_and_three", OmahaEightOrBetterLowHand, 5),
    ],
)
def test_showdowns_agree_with_pokerkit(name, select, peer, own, hands) -> None:
    """Who wins, who ties and who has no low: as PokerKit says."""
    for board, players in showdowns(hands, own, seed=3):
        ours = values(name, select, board, players)
        board_text = texts(board)
        theirs = [peer.from_game_or_none(texts(player), board_text) for player in players]
        assert [value > 0 for value in ours] == [hand is not None for hand in theirs]
        for value, hand in zip(ours, theirs, strict=True):
            for other, another in zip(ours, theirs, strict=True):
                if hand is not None and another is not None:
                    assert (value > other, value == other) == (hand > another, hand == another)


@pytest.mark.parametrize("hands", SLOW_HANDS)
@pytest.mark.parametrize(
    ("name", "peer", "size"),
    [
        ("low27", StandardLowHand, 5),
        ("ace_to_five_low", RegularLowHand, 5),
        ("ace_to_five_low", RegularLowHand, 7),
        ("badugi", BadugiHand, 4),
    ],
)
def test_low_hands_agree_with_pokerkit(name, peer, size, hands) -> None:
    rng = random.Random(4)
    value = ranking(name).value
    for _ in range(hands // 2):
        dealt = rng.sample(range(52), 2 * size)
        # Half of the cards from few ranks and suits, so that pairs, straights, flushes come up.
        if rng.random() < 0.5:
            dealt = rng.sample([card for card in range(52) if card % 4 < 2 or card < 24], 2 * size)
        one, other = dealt[:size], dealt[size:]
        mine = value(one), value(other)
        theirs = peer.from_game(texts(one)), peer.from_game(texts(other))
        assert (mine[0] > mine[1]) == (theirs[0] > theirs[1])
        assert (mine[0] == mine[1]) == (theirs[0] == theirs[1])


def test_pokerkit_reads_our_letters() -> None:
    assert [repr(card) for card in Card.parse(texts(range(52)))] == [text(c) for c in range(52)]
