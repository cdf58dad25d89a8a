"""Hand values a second in every game: ours, PokerKit's and phevaluator's, over the same deals.

Turn by turn in one process, in CPU time; a row is the median of the turns' ratios. Six hands are
judged over a board, by the function that a showdown calls; rows of boards are made beforehand, as
they are after some thousand hands. Some hands of each game are held to the same order on both
sides; what else there is to prove is proved in tests/game/ranking.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import comb
from typing import Final, NamedTuple

import phevaluator
from pokerkit import (
    BadugiHand,
    Card,
    EightOrBetterLowHand,
    Hand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    RegularLowHand,
    ShortDeckHoldemHand,
    StandardHighHand,
    StandardLowHand,
)

from benchmarks.shapes import Shape, shapes
from riverboat.game.cards import DECKS, text
from riverboat.game.ranking import RANKINGS, SELECTIONS, values

ROUNDS: Final = 7
PLAYERS: Final = 6  # hands judged over one board, where the deck has as many
BOARDS: Final = 2_000
TURN_S: Final = 0.04  # of work, for either side
FIVES: Final = 5_000  # that PokerKit looks up in that time
SAME: Final = 40  # boards whose hands are compared on both sides
SEED: Final = 20
OMAHA: Final = "two_and_three"

# The peer by our ranking, and by whether two own cards and three of the board play.
PEERS: Final[dict[tuple[str, bool], type[Hand]]] = {
    ("standard", False): StandardHighHand,
    ("standard", True): OmahaHoldemHand,
    ("ace_to_five_low8", False): EightOrBetterLowHand,
    ("ace_to_five_low8", True): OmahaEightOrBetterLowHand,
    ("ace_to_five_low", False): RegularLowHand,
    ("low27", False): StandardLowHand,
    ("short_deck", False): ShortDeckHoldemHand,
    ("badugi", False): BadugiHand,
}

Cards = tuple[int, ...]
Deal = tuple[Cards, list[Cards]]
Work = Callable[[], int]  # values one turn's hands, and says how many


class Row(NamedTuple):
    """One comparison: hands a second, and how many times the peer's ours is."""

    games: str
    peer: str
    ours_per_s: float
    peer_per_s: float  # 0: there is no peer
    ratio: float
    floor: int
    goal: int
    conditions: str


def deals(shape: Shape, boards: int) -> list[Deal]:
    """Boards with six hands each, or as many as the deck has."""
    rng = random.Random(SEED)
    deck, board, own = DECKS[shape.deck], shape.board, shape.own
    players = min(PLAYERS, (len(deck) - board) // own)
    dealt = [tuple(rng.sample(deck, board + players * own)) for _ in range(boards)]
    return [(d[:board], [d[at : at + own] for at in range(board, len(d), own)]) for d in dealt]


def ours(shape: Shape, dealt: Sequence[Deal]) -> Work:
    """What a showdown asks of each board: once the high, and once the low where there is one."""
    select, rankings = shape.select, shape.rankings

    def work() -> int:
        for board, hands in dealt:
            for name in rankings:
                values(name, select, board, hands)
        return len(dealt) * len(dealt[0][1])

    return work


def single_hands(shape: Shape, dealt: Sequence[Deal]) -> Work:
    """Ours with one hand at a time, nothing known beforehand."""
    name, select = shape.rankings[0], shape.select
    singles = [(board, (own,)) for board, hands in dealt for own in hands]

    def work() -> int:
        for board, hand in singles:
            values(name, select, board, hand)
        return len(singles)

    return work


CARDS: Final = [next(iter(Card.parse(text(card)))) for card in range(52)]


def pokerkit(kinds: Sequence[type[Hand]], dealt: Sequence[Deal]) -> Work:
    """PokerKit with its own card objects made beforehand."""
    hands = [
        ([CARDS[card] for card in own], [CARDS[card] for card in board])
        for board, players in dealt
        for own in players
    ]

    def work() -> int:
        for own, board in hands:
            for kind in kinds:
                kind.from_game_or_none(own, board)
        return len(hands)

    return work


def phe(peer: Callable[..., int], dealt: Sequence[Deal]) -> Work:
    """A function of nine or seven ints, the board first."""
    hands = [board + own for board, players in dealt for own in players]

    def work() -> int:
        for cards in hands:
            peer(*cards)
        return len(hands)

    return work


def agree(shape: Shape, kinds: Sequence[type[Hand]], dealt: Sequence[Deal]) -> None:
    """Both sides put the hands over each board in the same order."""
    for board, hands in dealt:
        for name, kind in zip(shape.rankings, kinds, strict=True):
            mine = values(name, shape.select, board, hands)
            shared = [CARDS[card] for card in board]
            peer = [kind.from_game_or_none([CARDS[c] for c in own], shared) for own in hands]
            for value, theirs in zip(mine, peer, strict=True):
                assert (value > 0) == (theirs is not None), "both see who takes part"
                for other, another in zip(mine, peer, strict=True):
                    if theirs is not None and another is not None:
                        assert (value > other) == (theirs > another), "both see who wins"


def timed(work: Work, passes: int) -> float:
    """Hands a second of CPU time in so many passes."""
    began = time.process_time()
    hands = sum(work() for _ in range(passes))
    return hands / (time.process_time() - began)


def passes(work: Work) -> int:
    """How many fill a turn, once all is warm."""
    work()
    began = time.process_time()
    work()
    return max(1, round(TURN_S / max(time.process_time() - began, 1e-6)))


def compare(mine: Work, peer: Work) -> tuple[float, float, float]:
    """Both sides turn by turn: the medians, and the median of the ratios."""
    one, other = passes(mine), passes(peer)
    turns = [(timed(mine, one), timed(peer, other)) for _ in range(ROUNDS)]
    rates = [statistics.median(side) for side in zip(*turns, strict=True)]
    return rates[0], rates[1], statistics.median(a / b for a, b in turns)


def lookups(shape: Shape) -> int:
    """The fives of one hand."""
    if shape.select == OMAHA:
        return comb(shape.own, 2) * comb(shape.board, 3)
    return comb(shape.own + shape.board, 5) or 10  # of four cards and fewer in badugi


def by_game() -> Iterator[Row]:
    """Every game that any rulebook has, beside PokerKit where it ranks such hands."""
    for shape, games in shapes().items():
        omaha = shape.select == OMAHA
        kinds = [PEERS.get((name, omaha)) for name in shape.rankings]
        dealt = deals(shape, BOARDS)
        work, names = ours(shape, dealt), ", ".join(games)
        together = f"{len(dealt[0][1])} hands {'a board' if shape.board else 'at once'}"
        known = [kind for kind in kinds if kind is not None]
        if len(known) < len(kinds):
            rate = statistics.median(timed(work, 1) for _ in range(ROUNDS))
            yield Row(names, "", rate, 0, 0, 0, 0, f"{together}; no peer ranks such hands")
            continue
        agree(shape, known, dealt[: SAME // 4 if omaha else SAME])
        few = dealt[: max(2, FIVES // lookups(shape) // PLAYERS)]
        floor, goal = (1_000, 1_500) if omaha else (400, 700)
        if lookups(shape) == 1:
            together += "; PokerKit looks up one five: 400 x would be 10 ns, less than a call"
        found = compare(work, pokerkit(known, few))
        yield Row(names, "PokerKit", *found, floor, goal, together)


def by_phevaluator() -> Iterator[Row]:
    """Beside the evaluator in C, which takes one hand at a time."""
    holdem = Shape(("standard",), "any_five", "52", 2, 5)
    stud = Shape(("standard",), "any_five", "52", 7, 0)
    omaha = Shape(("standard",), OMAHA, "52", 4, 5)
    seven, nine = phevaluator.evaluate_7cards, phevaluator.evaluate_omaha_cards
    for what, shape, peer in (
        ("seven cards", holdem, seven),
        ("seven own cards", stud, seven),
        ("Omaha", omaha, nine),
    ):
        dealt = deals(shape, BOARDS)
        found = compare(ours(shape, dealt), phe(peer, dealt))
        yield Row(what, "phevaluator", *found, 0, 0, "six hands a board, one at a time there")
    dealt = deals(holdem, BOARDS)
    alone = compare(single_hands(holdem, dealt), phe(seven, dealt))
    yield Row("seven cards, alone", "phevaluator", *alone, 0, 0, "one hand at a time on both sides")


def first_uses() -> dict[str, float]:
    """Seconds that each ranking takes to build its tables, in every way that a game uses it."""
    found: dict[str, float] = {}
    for shape in shapes():
        for name in shape.rankings:
            found.setdefault(name, 0.0)
    for name in found:
        fresh = RANKINGS[name]()
        for shape in shapes():
            if name in shape.rankings:
                ((board, hands),) = deals(shape, 1)
                judge = SELECTIONS[shape.select](fresh)
                began = time.process_time()
                judge(board, hands)
                found[name] += time.process_time() - began
    return found


def main() -> None:
    """Print the figures."""
    for row in chain(by_game(), by_phevaluator()):
        print(
            f"{row.games:<36}{row.peer:<12}{1e6 / row.ours_per_s:>9.3f} us{row.ratio:>10,.2f} x"
            f"   ({row.floor or '-'} / {row.goal or '-'})",
            flush=True,
        )
    print(", ".join(f"{name} {took * 1e3:.0f} ms" for name, took in first_uses().items()))


if __name__ == "__main__":
    main()
