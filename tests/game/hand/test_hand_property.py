"""Random hands of every game: what is offered is accepted, what is not refused, all hands end."""

from __future__ import annotations

import os
import random
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game import rules
from riverboat.game.cards import DECKS
from riverboat.game.commands import Act, Action
from riverboat.game.hand.events import HandEnded, PotsMade, Stakes
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import Options, options
from riverboat.game.hand.state import NOBODY, Baton, Phase
from riverboat.game.refusals import Refusal
from riverboat.game.rules.schema import Forced
from tests.game.hand.dealt import Dealt

DEEP = bool(os.environ.get("RIVERBOAT_DEEP"))
GAMES = rules.HOUSE.offered()
# Longer than any hand: the most decisions are six players' raises of one chip.
STEPS_MOST = 2_000


def is_offered(offered: Options, command: Act, own: int) -> bool:
    """Whether the options hold the act: a second, plain reading of them; `own` cards are held."""
    match command.action:
        case Action.FOLD:
            return offered.fold
        case Action.CHECK:
            return offered.check
        case Action.CALL:
            return offered.call > 0
        case Action.RAISE:
            if offered.sizes:
                return command.total in offered.sizes
            return 0 < offered.raise_least <= command.total <= offered.raise_most
        case Action.BRING_IN:
            return offered.bring_in > 0
        case Action.SPLIT:
            return offered.split
        case Action.REFUSE_SPLIT:
            return offered.refuse_split
        case Action.DRAW:
            fits = offered.draw_least <= len(command.throw) <= offered.draw_most
            return fits and list(command.throw) == sorted(set(command.throw) & set(range(own)))


def stakes_of(chance: random.Random, ids: tuple[str, str, str]) -> Stakes:
    game = rules.game(*ids)
    spread = (10, 30) if len(set(game.tiers)) < 2 else (10, 20, 30)
    if game.forced is Forced.BUTTON_BLIND:
        return Stakes(ante=chance.choice((2, 10)), button_blind=10, small_bet=10, spread=spread)
    if not game.has_button:
        return Stakes(ante=2, bring_in=chance.choice((4, 3)), small_bet=10, spread=spread)
    return Stakes(
        small_blind=chance.choice((5, 4)),
        big_blind=10,
        ante=chance.choice((0, 0, 3)),
        big_blind_ante=chance.choice((0, 0, 10)),
        straddles=chance.choice(((), (), (20,), (20, 40))),
        button_straddle=chance.choice((0, 0, 0, 20)),
        spread=spread,
    )


def a_deal(chance: random.Random, ids: tuple[str, str, str] | None = None) -> Dealt:
    """Any game, any number of players, short stacks and deep ones, debts and dead buttons."""
    ids = ids or chance.choice(GAMES)
    game = rules.game(*ids)
    many = chance.randint(2, game.seats_most)
    seats = list(range(1, many + 1))
    stacks = {seat: chance.choice((1, 2, 6, 9, 14, 33, 77, 150, 1_000)) for seat in seats}
    deck = list(DECKS[game.deck])
    chance.shuffle(deck)
    button, blinds = 0, (0, 0)
    debts = {}
    if game.forced is Forced.BUTTON_BLIND:
        button = many
    elif game.has_button:
        button, blinds = (many, (1, 2)) if many > 2 else (2, (2, 1))
        if many > 3 and chance.random() < 0.2:
            blinds = (chance.choice((0, many + 1)), 1)
        if many > 3 and chance.random() < 0.3:
            debts = {3: Debt(10, chance.choice((0, 5)))}
    runs = chance.choice((1, 1, 2, 3))
    dealt = Dealt(ids, stacks, stakes_of(chance, ids), deck, button, blinds, debts, runs)
    dealt.stir = lambda cards: chance.sample(cards, len(cards))
    return dealt


def every_act(dealt: Dealt, chance: random.Random) -> list[Act]:
    """Each action, with totals at and beside every edge."""
    offered = dealt.offered
    seat = dealt.hand.seats[offered.seat]
    edges = {0, -1, offered.price, seat.bet, seat.bet + seat.stack, offered.raise_least}
    edges |= {offered.raise_most, *offered.sizes, chance.randint(0, 200)}
    totals = sorted({edge + beside for edge in edges for beside in (-1, 0, 1)})
    acts = [dealt.the_act(action) for action in Action if action is not Action.RAISE]
    acts += [dealt.the_act(Action.RAISE, total) for total in totals]
    throws = [(0,), (0, 1, 2, 3), (0, 1, 2, 3, 4), (1, 0), (2, 2), (5,), (-1,)]
    return acts + [dealt.the_act(Action.DRAW, throw=throw) for throw in throws]


def play_one_decision(dealt: Dealt, chance: random.Random) -> None:
    hand = dealt.hand
    if hand.turn == NOBODY:
        if hand.baton is Baton.DEALER:
            dealt.deals()
        else:
            dealt.ends()
        return
    offered = dealt.offered
    wrong = chance.choice([seat for seat in hand.seats if seat != hand.turn])
    accepted = []
    own = len(hand.seats[hand.turn].places)
    decks = len(dealt.decks)
    for command in every_act(dealt, chance):
        outcome = dealt.tries(command)
        del dealt.decks[decks:]
        held = is_offered(offered, command, own)
        assert isinstance(outcome, list) == held, (command, outcome)
        assert isinstance(dealt.tries(command, wrong), Refusal)
        if isinstance(outcome, list):
            accepted.append(command)
    if chance.random() < 0.03:
        dealt.times_out(chance.random() < 0.5)
        return
    # Folds would end most hands at once.
    staying = [command for command in accepted if command.action is not Action.FOLD]
    chosen = chance.choice(staying if staying and chance.random() < 0.85 else accepted)
    dealt.does(hand.turn, chosen.action, chosen.total, chosen.throw)


@settings(max_examples=5_000 if DEEP else 300, deadline=None)
@given(st.integers(0, 2**64))
def test_any_hand_goes_by_its_options_and_ends(seed):
    """Options: every legal action of the seat on turn, and no other; every hand ends."""
    chance = random.Random(seed)
    dealt = a_deal(chance)
    for _ in range(STEPS_MOST):
        if dealt.hand.phase is Phase.OVER:
            break
        play_one_decision(dealt, chance)
    assert dealt.hand.phase is Phase.OVER
    assert options(dealt.hand) is None
    (ended,) = dealt.happened(HandEnded)
    (made,) = dealt.happened(PotsMade)
    # What all have contributed is what the pots hold: a bet that came back is none of it.
    assert sum(net.contributed for net in ended.nets) == sum(pot.amount for pot in made.pots)
    assert all(net.amount >= -net.contributed for net in ended.nets)


@pytest.mark.parametrize(("rulebook", "variant"), dict.fromkeys(ids[:2] for ids in GAMES))
def test_every_pair_goes_by_its_options_in_every_limit(rulebook, variant):
    """RULES 1: "Each is played in every limit below that makes sense for it"."""
    for ids in GAMES:
        if ids[:2] != (rulebook, variant):
            continue
        for hand in range(200 if DEEP else 1):
            chance = random.Random(f"{ids} {hand}")
            dealt = a_deal(chance, ids)
            for _ in range(STEPS_MOST):
                if dealt.hand.phase is Phase.OVER:
                    break
                play_one_decision(dealt, chance)
            assert dealt.hand.phase is Phase.OVER


@pytest.mark.plain
@settings(max_examples=500 if DEEP else 30, deadline=None)
@given(st.integers(0, 2**64))
def test_folding_the_same_events_gives_the_same_hand(seed):
    """ARCHITECTURE 3, law 1: "any reader folds to the same state"."""
    chance = random.Random(seed)
    dealt = a_deal(chance)
    while dealt.hand.phase is not Phase.OVER:
        play_one_decision(dealt, chance)
    again = start(deepcopy(dealt.started), 1_000)
    for at, event in enumerate(deepcopy(dealt.events)):
        evolve(again, event, 1_001 + at)
    assert again == dealt.hand


@settings(max_examples=500 if DEEP else 30, deadline=None)
@given(st.integers(0, 2**64))
def test_no_card_is_dealt_twice(seed):
    """ARCHITECTURE 3, law 5: "no card is dealt twice"."""
    chance = random.Random(seed)
    dealt = a_deal(chance)
    while dealt.hand.phase is not Phase.OVER:
        play_one_decision(dealt, chance)
        deck = dealt.deck
        held = [
            deck[place]
            for seat in dealt.hand.seats.values()
            for place in seat.places
            if not seat.folded
        ]
        shared = len(dealt.hand.board_places[0]) if len(dealt.hand.boards) == 1 else 0
        held += dealt.hand.boards[0][:shared]
        assert len(held) == len(set(held))
        places = [place for seat in dealt.hand.seats.values() for place in seat.places]
        places += [place for seat in dealt.hand.seats.values() for place in seat.thrown]
        runs = {place for board in dealt.hand.board_places for place in board}
        assert len(places) == len(set(places))
        assert not runs & set(places)
        assert [deck[p] for p in dealt.hand.board_places[0]] == dealt.hand.boards[0]
