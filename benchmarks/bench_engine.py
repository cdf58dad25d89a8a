"""Actions a second of the rules core: ours and PokerKit's State, turn by turn over the same hands.

Six-handed, one policy on both sides (15 % raises, half of all draws of one card), the same cards:
no limit hold'em, and a game of every other family. Ours makes every event, folds it, shuffles by
the system's entropy, and asks `options` at every decision. Measures; the first hands of each game
also hold both sides to the same stacks at their end.
"""

import cProfile
import os
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple, NoReturn

from pokerkit import State

from benchmarks.engine_peer import Peer, Result
from riverboat.game.cards import DECKS
from riverboat.game.commands import Act, Action
from riverboat.game.deck import shuffle
from riverboat.game.hand.bet import act
from riverboat.game.hand.deal import deal, draw, first_street
from riverboat.game.hand.events import DealtIn, HandStarted, Stakes
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.forced import forced_posts
from riverboat.game.hand.judge import judge
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Hand, Phase, Seat
from riverboat.game.ranking import values
from riverboat.game.rules import game

ROUNDS = 5
SEATS = 6
STACK = 20_000
RAISES, FOLDS, THROWS = 0.15, 0.0, 0.5  # of all decisions; folds of those that face a bet
STAYS = 1 - FOLDS
FLOOR, GOAL, STRETCH = 60, 100, 200
SEED = 20

PLAYERS = tuple(DealtIn(seat, f"p{seat}", f"s{seat}", STACK) for seat in range(1, SEATS + 1))
SEATED = tuple(dealt.seat for dealt in PLAYERS)

# Looking members up in their enums takes as long as a decision.
FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN, DRAW = Action.BRING_IN, Action.DRAW
BRINGING_IN, DRAWING, DEALING, OVER = Phase.BRING_IN, Phase.DRAW, Phase.DEAL, Phase.OVER

Entropy = Callable[[int], bytes]

# Whatever comes in, six winners of half a pot share it evenly: PokerKit gives several odd units
# to one of them.
BLINDS = Stakes(small_blind=60, big_blind=120)
ANTES = Stakes(ante=60, bring_in=60, small_bet=120)
BUTTON = Stakes(ante=60, button_blind=120)


class Table:
    """One game at one table: what both sides play."""

    def __init__(
        self,
        name: str,
        variant: str,
        limit: str,
        stakes: Stakes,
        ours: int = 1_000,
        peers: int = 12,
    ) -> None:
        self.name = name
        self.game = game("standard", variant, limit)
        self.stakes = stakes
        self.button = SEATS if self.game.has_button else 0
        self.blinds = (1, 2) if stakes.big_blind else (0, 0)
        self.hands = (ours, peers)  # some hundred milliseconds a turn for either side
        self.peer = Peer(self.game, stakes, (STACK,) * SEATS)


HOLDEM = Table("no limit hold'em", "holdem", "nl", Stakes(small_blind=50, big_blind=100), 4_000, 40)
TABLES = (
    HOLDEM,
    Table("pot limit Omaha", "omaha", "pl", BLINDS),
    Table("pot limit Omaha hi/lo", "omaha_hilo", "pl", BLINDS),
    Table("no limit short deck", "short_deck", "nl", BUTTON),
    Table("seven card stud", "stud7", "fl", ANTES),
    Table("seven card stud hi/lo", "stud7_hilo", "fl", ANTES),
    Table("razz", "razz", "fl", ANTES),
    Table("pot limit five card draw", "draw5", "pl", BLINDS),
    Table("no limit 2-7 single draw", "single_draw27", "nl", BLINDS),
    Table("2-7 triple draw", "triple_draw27", "fl", BLINDS),
    Table("badugi", "badugi", "fl", BLINDS),
)


def no_proof(places: Sequence[int]) -> bytes:
    """The goal is the core without the commitment."""
    return b""


def no_stub(cards: Sequence[int]) -> NoReturn:
    """One card thrown by half the seats leaves enough of a pack."""
    raise AssertionError("a deck holds what these hands draw")


def started(table: Table, number: int) -> HandStarted:
    """One hand, seat 1 on the small blind or dealt first."""
    played = table.game
    small, big = table.blinds
    return HandStarted(
        hand=f"1.0-{number}",
        number=number,
        rulebook=played.rulebook,
        rules_version=1,
        rules_digest=played.digest,
        variant=played.variant,
        limit=played.limit,
        stakes=table.stakes,
        button=table.button,
        seats=PLAYERS,
        runs=1,
        turn_ms=20_000,
        raked=False,
        sealed=b"",
        key="",
        root=b"",
        state_hash=b"",
        small_blind=small,
        big_blind=big,
    )


def decide(hand: Hand, seat: Seat, roll: float) -> Act:
    """The policy: now and then the least raise, now and then a fold, else check or call.

    Either side is asked for a raise only where the policy wants one.
    """
    if roll < RAISES:
        offered = options(hand)
        assert offered is not None
        if offered.raise_least:
            return Act(hand.id, hand.turn_number, hand.price, RAISE, offered.raise_least, ())
    if hand.price > seat.bet:
        action = FOLD if roll > STAYS else CALL
    else:
        action = BRING_IN if hand.phase is BRINGING_IN else CHECK
    return Act(hand.id, hand.turn_number, hand.price, action, 0, ())


def throw(hand: Hand, seat: Seat, roll: float) -> Act:
    """The policy of draws: the last card, or none."""
    thrown = (len(seat.places) - 1,) if roll < THROWS else ()
    return Act(hand.id, hand.turn_number, hand.price, DRAW, 0, thrown)


def ours(table: Table, number: int, chance: Callable[[], float], entropy: Entropy) -> Result:
    """One hand from shuffle to pay-out, every event made and folded."""
    played, stakes = table.game, table.stakes
    deck = shuffle(DECKS[played.deck], entropy)
    hand = start(started(table, number), 0)
    now = actions = 0
    for post in forced_posts(played, stakes, PLAYERS, table.button, *table.blinds, {}):
        evolve(hand, post, now)
    evolve(hand, first_street(played, SEATED, deck, no_proof), now)
    while True:
        if hand.turn:
            actions += 1
            seat = hand.seats[hand.turn]
            if hand.phase is DRAWING:
                command = throw(hand, seat, chance())
                happened = draw(hand, seat.player, command, lambda: deck, no_stub)
            else:
                happened = act(hand, seat.player, decide(hand, seat, chance()))
            assert isinstance(happened, list)
        elif hand.phase is DEALING:
            happened = deal(hand, deck, no_proof)
        elif hand.phase is OVER:
            return actions, tuple([seat.stack for seat in hand.seats.values()])
        else:
            live = [seat for seat in hand.seats.values() if not seat.folded]
            hole = {seat.seat: [deck[place] for place in seat.places] for seat in live}
            happened = judge(hand, hole)
        now += 1
        for each in happened:
            evolve(hand, each, now)


def decide_pokerkit(state: State, roll: float) -> None:
    """The same policy in PokerKit's words."""
    if roll < RAISES and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to()
    elif state.can_post_bring_in():
        state.post_bring_in()
    elif state.checking_or_calling_amount and roll > STAYS:
        state.fold()
    else:
        state.check_or_call()


def pokerkit(table: Table, number: int, chance: Callable[[], float], entropy: Entropy) -> Result:
    """The same hand by PokerKit."""
    return table.peer.play(chance, entropy, decide_pokerkit, THROWS)


Side = Callable[[Table, int, Callable[[], float], Entropy], Result]


def play(table: Table, hands: int, side: Side) -> int:
    """So many hands by one chance: how many decisions they took."""
    chance = random.Random(SEED).random
    return sum([side(table, number, chance, os.urandom)[0] for number in range(hands)])


def agree(table: Table, hands: int) -> int:
    """Hold both sides to the same decisions and stacks over the same cards; how many hands."""
    for number in range(hands):
        sides = []
        for side in (ours, pokerkit):
            cards, chance = random.Random(number), random.Random(-number)
            sides.append(side(table, number, chance.random, cards.randbytes))
        assert sides[0] == sides[1], f"{table.name} {number}: ours {sides[0]}, PokerKit {sides[1]}"
    return hands


def per_second(table: Table, hands: int, side: Side) -> float:
    """Actions a second of this process's time, so that a busy machine counts for neither side."""
    began = time.process_time()
    actions = play(table, hands, side)
    return actions / (time.process_time() - began)


def meet_every_board(table: Table) -> None:
    """Fill the tables of hand values, as a process does in its first minutes of play."""
    played = table.game
    if sum(street.board for street in played.streets) != 5:
        return
    own = DECKS[played.deck][: played.own_at_showdown]
    for ranks in combinations_with_replacement(range(13), 5):
        board = [rank * 4 + place % 4 for place, rank in enumerate(ranks)]
        for name in filter(None, (played.high, played.low)):
            values(name, played.select, board, (own,))


class Row(NamedTuple):
    """One game: medians of both sides' actions a second, and the median of their ratios."""

    name: str
    ours: float
    peer: float
    ratio: float
    same: int  # hands that were held to go alike


def row(table: Table) -> Row:
    """Both sides turn by turn."""
    mine, theirs = table.hands
    same = agree(table, 2 * theirs)
    meet_every_board(table)
    play(table, 200, ours)
    turns = [
        (per_second(table, mine, ours), per_second(table, theirs, pokerkit)) for _ in range(ROUNDS)
    ]
    a, b = (statistics.median(side) for side in zip(*turns, strict=True))
    return Row(table.name, a, b, statistics.median([x / y for x, y in turns]), same)


def rows() -> Iterator[Row]:
    """Every game."""
    return map(row, TABLES)


def report() -> Iterator[str]:
    """All rows as a table, each as it is measured."""
    bounds = f"{'ratio':>10}{'floor':>8}{'goal':>8}"
    yield f"{'actions a second':<28}{'ours':>12}{'PokerKit':>12}{bounds}"
    for each in rows():
        figures = f"{each.ours:>12,.0f}{each.peer:>12,.0f}{each.ratio:>9,.1f}x"
        yield f"{each.name:<28}{figures}{FLOOR:>8}{GOAL:>8}"


def profile(table: Table) -> None:
    """Where our time goes."""
    with cProfile.Profile() as profiler:
        play(table, 3_000, ours)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(28)


if __name__ == "__main__":
    if "profile" in sys.argv:
        profile(HOLDEM)
    else:
        for line in report():
            print(line, flush=True)
