"""Actions a second of the rules core: ours and PokerKit's State, turn by turn over the same hands.

Six-handed no limit hold'em, one policy on both sides (15 % raises), the same cards. Ours makes
every event, folds it, shuffles by the system's entropy, and asks `options` at every decision.
Measures; the first turn also holds both sides to the same stacks at the end of every hand.
"""

import cProfile
import os
import pstats
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from pokerkit import Automation, Card, NoLimitTexasHoldem, State

from riverboat.game.cards import DECKS, text
from riverboat.game.commands import Act, Action
from riverboat.game.deck import shuffle
from riverboat.game.hand.bet import act
from riverboat.game.hand.deal import deal, first_street
from riverboat.game.hand.events import DealtIn, HandStarted, Stakes
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.forced import forced_posts
from riverboat.game.hand.judge import judge
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Hand, Phase, Seat
from riverboat.game.rules import game

ROUNDS = 7
SEATS = 6
STACK, SMALL, BIG = 20_000, 50, 100
OUR_HANDS, PEER_HANDS = 4_000, 40  # some hundred milliseconds a turn for either side
RAISES, FOLDS = 0.15, 0.0  # of all decisions; folds of those that face a bet
FLOOR, GOAL, STRETCH = 60, 100, 200
SEED = 20

GAME = game("standard", "holdem", "nl")
STAKES = Stakes(small_blind=SMALL, big_blind=BIG)
PLAYERS = tuple(DealtIn(seat, f"p{seat}", f"s{seat}", STACK) for seat in range(1, SEATS + 1))
SEATED = tuple(dealt.seat for dealt in PLAYERS)

Entropy = Callable[[int], bytes]
Result = tuple[int, tuple[int, ...]]  # decisions, and the stacks at the end


def no_proof(places: Sequence[int]) -> bytes:
    """The goal is the core without the commitment."""
    return b""


def started(number: int) -> HandStarted:
    """One hand, seat 1 on the small blind."""
    return HandStarted(
        hand=f"1.0-{number}",
        number=number,
        rulebook="standard",
        rules_version=1,
        rules_digest=GAME.digest,
        variant="holdem",
        limit="nl",
        stakes=STAKES,
        button=SEATS,
        seats=PLAYERS,
        runs=1,
        turn_ms=20_000,
        raked=False,
        sealed=b"",
        key="",
        root=b"",
        state_hash=b"",
        small_blind=1,
        big_blind=2,
    )


def decide(hand: Hand, seat: Seat, roll: float) -> Act:
    """The policy: now and then the least raise, now and then a fold, else check or call.

    Either side is asked for a raise only where the policy wants one.
    """
    if roll < RAISES:
        offered = options(hand)
        assert offered is not None
        if offered.raise_least:
            return Act(hand.id, hand.turn_number, hand.price, Action.RAISE, offered.raise_least, ())
    if hand.price <= seat.bet:
        action = Action.CHECK
    else:
        action = Action.FOLD if roll > 1 - FOLDS else Action.CALL
    return Act(hand.id, hand.turn_number, hand.price, action, 0, ())


def ours(number: int, chance: Callable[[], float], entropy: Entropy) -> Result:
    """One hand from shuffle to pay-out, every event made and folded."""
    deck = shuffle(DECKS["52"], entropy)
    event = started(number)
    hand = start(event, 0)
    now = actions = 0
    for post in forced_posts(GAME, STAKES, PLAYERS, SEATS, 1, 2, {}):
        evolve(hand, post, now)
    evolve(hand, first_street(GAME, SEATED, deck, no_proof), now)
    while hand.phase is not Phase.OVER:
        if hand.turn:
            actions += 1
            seat = hand.seats[hand.turn]
            happened = act(hand, seat.player, decide(hand, seat, chance()))
            assert isinstance(happened, list)
        elif hand.phase is Phase.DEAL:
            happened = deal(hand, deck, no_proof)
        else:
            live = [seat for seat in hand.seats.values() if not seat.folded]
            hole = {seat.seat: [deck[place] for place in seat.places] for seat in live}
            happened = judge(hand, hole)
        now += 1
        for each in happened:
            evolve(hand, each, now)
    return actions, tuple(seat.stack for seat in hand.seats.values())


AUTOMATIONS = tuple(
    set(Automation) - {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
)
CARDS = [next(iter(Card.parse(text(card)))) for card in range(52)]


def pokerkit(chance: Callable[[], float], entropy: Entropy) -> Result:
    """The same hand by PokerKit, its own card objects made beforehand."""
    deck = [CARDS[card] for card in shuffle(DECKS["52"], entropy)]
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, 0, (SMALL, BIG), BIG, (STACK,) * SEATS, SEATS
    )
    for seat in range(SEATS):
        state.deal_hole((deck[seat], deck[SEATS + seat]))
    place = 2 * SEATS
    actions = 0
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")
        if state.can_deal_board():
            size = 3 if place == 2 * SEATS else 1
            state.deal_board(tuple(deck[place : place + size]))
            place += size
        elif state.actor_index is not None:
            actions += 1
            decide_pokerkit(state, chance())
    return actions, tuple(state.stacks)


def decide_pokerkit(state: State, roll: float) -> None:
    """The same policy in PokerKit's words."""
    if roll < RAISES and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to()
    elif state.checking_or_calling_amount and roll > 1 - FOLDS:
        state.fold()
    else:
        state.check_or_call()


def by_us(number: int, chance: random.Random) -> Result:
    """One hand of the timed kind."""
    return ours(number, chance.random, os.urandom)


def by_pokerkit(number: int, chance: random.Random) -> Result:
    """One hand of the timed kind."""
    return pokerkit(chance.random, os.urandom)


def play(hands: int, engine: Callable[[int, random.Random], Result]) -> int:
    """So many hands by one chance: how many decisions they took."""
    chance = random.Random(SEED)
    return sum(engine(number, chance)[0] for number in range(hands))


def agree(hands: int) -> int:
    """Hold both sides to the same decisions and stacks over the same cards; how many hands."""
    for number in range(hands):
        sides = []
        for engine in (lambda c, e: ours(number, c, e), pokerkit):  # noqa: B023 (used at once)
            cards, chance = random.Random(number), random.Random(-number)
            sides.append(engine(chance.random, cards.randbytes))
        assert sides[0] == sides[1], f"hand {number}: ours {sides[0]}, PokerKit {sides[1]}"
    return hands


def per_second(hands: int, engine: Callable[[int, random.Random], Result]) -> float:
    """Actions a second of this process's time, so that a busy machine counts for neither side."""
    began = time.process_time()
    actions = play(hands, engine)
    return actions / (time.process_time() - began)


def table() -> str:
    """Both sides turn by turn: medians, and the median of the ratios."""
    same = agree(200)
    play(200, by_us)
    turns = [
        (per_second(OUR_HANDS, by_us), per_second(PEER_HANDS, by_pokerkit)) for _ in range(ROUNDS)
    ]
    mine, theirs = (statistics.median(side) for side in zip(*turns, strict=True))
    ratio = statistics.median(a / b for a, b in turns)
    each = play(OUR_HANDS, by_us) / OUR_HANDS
    head = f"{'actions a second':<38}{'ours':>12}{'peer':>12}{'ratio':>10}{'floor':>8}{'goal':>8}"
    row = f"{'rules core / PokerKit State':<38}{mine:>12,.0f}{theirs:>12,.0f}{ratio:>9,.1f}x"
    note = f"{each:.1f} decisions a hand; {same} hands went the same way on both sides"
    return f"{head}\n{row}{FLOOR:>8}{GOAL:>8}\n  {note}"


def profile() -> None:
    """Where our time goes."""
    with cProfile.Profile() as profiler:
        play(3_000, by_us)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(28)


if __name__ == "__main__":
    if "profile" in sys.argv:
        profile()
    else:
        print(table())
