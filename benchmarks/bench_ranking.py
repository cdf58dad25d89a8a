"""Hand values a second: ours, PokerKit's and phevaluator's, turn by turn over the same deals.

Measures; proves nothing (tests/game/ranking does). Figures drift with the machine, so every row is
a ratio of medians of one run. Floors and goals are against PokerKit.
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import phevaluator
from pokerkit import Card, Hand, OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand

from riverboat.game.cards import text
from riverboat.game.ranking import ranking, showdown

ROUNDS = 7
PLAYERS = 6  # hands judged over one board
OUR_BOARDS, PEER_BOARDS = 10_000, 40  # some milliseconds of work a turn for either side
SEED = 20

Cards = tuple[int, ...]
Deal = tuple[Cards, list[Cards]]
Work = Callable[[], int]  # values one turn's hands, and says how many


class Row(NamedTuple):
    """One comparison: values a second, and how many times the peer's ours is."""

    name: str
    ours_per_s: float
    peer_per_s: float
    ratio: float
    floor: float | None
    goal: float | None


def deals(boards: int, own: int, seed: int) -> list[Deal]:
    """Boards with six hands each."""
    rng = random.Random(seed)
    dealt = [tuple(rng.sample(range(52), 5 + PLAYERS * own)) for _ in range(boards)]
    return [(d[:5], [d[at : at + own] for at in range(5, len(d), own)]) for d in dealt]


def showdowns(name: str, select: str, dealt: Sequence[Deal]) -> Work:
    """Ours as a showdown uses it: the board once, all hands of it."""

    judge = showdown(name, select)

    def work() -> int:
        for board, hands in dealt:
            judge(board, hands)
        return len(dealt) * PLAYERS

    return work


def single_hands(dealt: Sequence[Deal]) -> Work:
    """Ours with seven cards at a time, nothing known beforehand."""
    value = ranking("standard").value
    sevens = [board + own for board, hands in dealt for own in hands]

    def work() -> int:
        for cards in sevens:
            value(cards)
        return len(sevens)

    return work


def pokerkit(kind: type[Hand], dealt: Sequence[Deal]) -> Work:
    """PokerKit with its own card objects made beforehand."""
    cards = [next(iter(Card.parse(text(card)))) for card in range(52)]
    hands = [
        ([cards[card] for card in own], [cards[card] for card in board])
        for board, players in dealt
        for own in players
    ]

    def work() -> int:
        for own, board in hands:
            kind.from_game_or_none(own, board)
        return len(hands)

    return work


def each(peer: Callable[..., int], dealt: Sequence[Deal]) -> Work:
    """A function of nine or seven ints, the board first."""
    hands = [board + own for board, players in dealt for own in players]

    def work() -> int:
        for cards in hands:
            peer(*cards)
        return len(hands)

    return work


def per_second(work: Work) -> float:
    """Values a second of one turn."""
    began = time.perf_counter()
    hands = work()
    return hands / (time.perf_counter() - began)


def compare(
    name: str, ours: Work, peer: Work, floor: float | None = None, goal: float | None = None
) -> Row:
    """Both sides turn by turn: the medians, and their ratio. The first turn only warms up."""
    ours(), peer()
    turns = [(per_second(ours), per_second(peer)) for _ in range(ROUNDS)]
    mine, theirs = (statistics.median(side) for side in zip(*turns, strict=True))
    return Row(name, mine, theirs, statistics.median(a / b for a, b in turns), floor, goal)


def rows() -> list[Row]:
    """Every comparison."""
    holdem, omaha = deals(OUR_BOARDS, 2, SEED), deals(OUR_BOARDS, 4, SEED)
    few_holdem, few_omaha = holdem[:PEER_BOARDS], omaha[:PEER_BOARDS]
    seven = showdowns("standard", "any_five", holdem)
    nine = showdowns("standard", "two_and_three", omaha)
    low = showdowns("ace_to_five_low8", "two_and_three", omaha)
    phe_seven, phe_omaha = phevaluator.evaluate_7cards, phevaluator.evaluate_omaha_cards
    return [
        compare("seven cards / PokerKit", seven, pokerkit(StandardHighHand, few_holdem), 400, 700),
        compare("Omaha / PokerKit", nine, pokerkit(OmahaHoldemHand, few_omaha), 1_000, 1_500),
        compare("Omaha low / PokerKit", low, pokerkit(OmahaEightOrBetterLowHand, few_omaha)),
        compare(
            "seven cards, one hand / phevaluator", single_hands(holdem), each(phe_seven, holdem)
        ),
        compare("seven cards, showdown / phevaluator", seven, each(phe_seven, holdem)),
        compare("Omaha, showdown / phevaluator", nine, each(phe_omaha, omaha)),
    ]


def table(found: Sequence[Row]) -> str:
    """The rows as a person reads them."""
    head = (
        f"{'hand values a second':<38}{'ours':>12}{'peer':>12}{'ratio':>10}{'floor':>8}{'goal':>8}"
    )
    lines = [
        f"{row.name:<38}{row.ours_per_s:>12,.0f}{row.peer_per_s:>12,.0f}{row.ratio:>9,.2f}x"
        f"{row.floor or '-':>8}{row.goal or '-':>8}"
        for row in found
    ]
    return "\n".join([head, *lines])


if __name__ == "__main__":
    print(table(rows()))
