"""Whole random hands of the house rules end as a plain reckoning of them does.

Every pair of rulebook and game in every limit: what each wins and loses, side pots, halves and odd
units, who shows first, and at each turn who may raise to what.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from riverboat.game import rules
from riverboat.game.cards import DECKS, text
from riverboat.game.commands import Action
from riverboat.game.hand.events import HandEnded, HandMucked, HandShown, PotsMade
from riverboat.game.hand.options import Options
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.rules.schema import Forced
from tests.documents import plain_bets as bets
from tests.documents import plain_hands as plain
from tests.documents.playing import own_cards, sit
from tests.game.hand.dealt import Dealt

QUICK, DEEP = 500, 60_000
HANDS = [QUICK, pytest.param(DEEP, marks=[pytest.mark.deep, pytest.mark.timeout(3_600)])]
STACKS = (60, 130, 300, 701, 1_500, 5_000, 100_000)
# How often each is chosen where it is offered.
OFTEN = {Action.FOLD: 1, Action.CHECK: 3, Action.CALL: 4, Action.RAISE: 2, Action.BRING_IN: 2}


def a_hand_of(book: str, chance: random.Random) -> Dealt:
    """Any game of the book in any of its limits, with as many players as may be."""
    _, variant, limit = chance.choice([ids for ids in rules.HOUSE.offered() if ids[0] == book])
    game = rules.game(book, variant, limit)
    many = chance.randint(2, game.seats_most)
    stacks = {seat: chance.choice(STACKS) for seat in range(1, many + 1)}
    pack = [text(card) for card in DECKS[game.deck]]
    chance.shuffle(pack)
    size = min(own_cards(game), len(pack) // many)
    holes = {seat: "".join(pack[(seat - 1) * size : seat * size]) for seat in stacks}
    return sit(book, variant, limit, holes, "".join(pack[many * size :]), stacks)


def open_to(offered: Options) -> list[Action]:
    """What may be done, each as often as it is to be chosen."""
    found = []
    for action, is_open in (
        (Action.FOLD, offered.fold),
        (Action.CHECK, offered.check),
        (Action.CALL, offered.call),
        (Action.RAISE, offered.raise_least),
        (Action.BRING_IN, offered.bring_in),
    ):
        found += [action] * (OFTEN[action] if is_open else 0)
    return found or [Action.REFUSE_SPLIT]


def acts(dealt: Dealt, chance: random.Random) -> None:
    """The seat on turn does anything that it may, now and then nothing."""
    offered = dealt.offered
    seat = dealt.hand.seats[offered.seat]
    if chance.random() < 0.03:
        dealt.times_out()
    elif offered.draw_most >= 0:
        count = chance.randint(0, offered.draw_most)
        throw = sorted(chance.sample(range(len(seat.places)), count))
        dealt.does(seat.seat, Action.DRAW, throw=throw)
    else:
        hold_the_limit(dealt, offered)
        action = chance.choice(open_to(offered))
        least, most = offered.raise_least, offered.raise_most
        totals = offered.sizes or (least, most, chance.randint(least, max(least, most)))
        dealt.does(seat.seat, action, chance.choice(totals) if action is Action.RAISE else 0)


def hold_the_limit(dealt: Dealt, offered: Options) -> None:
    """What may be raised, as it is reckoned plainly."""
    hand = dealt.hand
    game, seat = hand.game, hand.seats[offered.seat]
    of_round = bets.SPREAD_ET if game.rulebook == "et" else bets.SPREAD
    tiers = (of_round if game.limit == "sl" else bets.FIXED)[game.rounds]
    stud = game.forced is Forced.BRING_IN
    pairs = game.variant == "stud7" and game.limit == "fl"
    now = bets.round_of(dealt.events, game.limit, hand.stakes, tiers, stud, pairs)
    gone = plain.folded(dealt.events)
    pot = sum(plain.put_in(dealt.events, len(hand.seats)).values())
    everything = seat.bet + seat.stack
    others = [s for s in hand.seats.values() if s.seat not in gone and s.stack and s is not seat]
    expected = None
    if everything > now.price and others and not seat.barred and now.reopened(seat.seat):
        expected = now.totals(everything, pot + now.price - seat.bet)
    if now.opens and everything <= hand.stakes.bring_in:
        expected = None
    if expected is None:
        assert offered.raise_least == 0
    else:
        few = set(offered.sizes)
        assert (offered.raise_least, offered.raise_most, few) == expected, now
    assert hand.price == now.price


def played(book: str, seed: int) -> Dealt:
    chance = random.Random(f"{book} {seed}")
    dealt = a_hand_of(book, chance)
    while dealt.hand.phase is not Phase.OVER:
        if dealt.hand.turn:
            acts(dealt, chance)
        elif dealt.hand.baton is Baton.DEALER:
            dealt.deals()
        else:
            dealt.ends()
    return dealt


def seen(dealt: Dealt) -> plain.Dealt:
    hand = dealt.hand
    gone = plain.folded(dealt.events)
    live = [seat for seat in hand.seats.values() if seat.seat not in gone]
    return plain.Dealt(
        hand.game.rulebook,
        hand.game.variant,
        {s.seat: [text(dealt.deck[place]) for place in s.places] for s in live},
        {s.seat: [text(card) for card in s.up] for s in live},
        [text(card) for card in hand.boards[0]],
        len(hand.seats),
        len(hand.game.streets) - 1,
    )


def hold_the_showing(dealt: Dealt, saw: plain.Dealt) -> bool:
    """Whether hands were shown in turn; then it is the right turn."""
    made = next(at for at, event in enumerate(dealt.events) if isinstance(event, PotsMade))
    if len(saw.own) < 2 or any(isinstance(event, HandShown) for event in dealt.events[:made]):
        return False
    first = plain.shows_first(saw, dealt.events, dealt.hand.big_blind)
    around = [(first - 1 + step) % saw.seats + 1 for step in range(saw.seats)]
    order = [seat for seat in around if seat in saw.own]
    shown = [e.seat for e in dealt.events[made:] if isinstance(e, (HandShown, HandMucked))]
    assert shown == [seat for seat in order if seat in shown]
    assert len(shown) >= len(order) - 1  # the last one left need not
    return True


@pytest.mark.parametrize("hands", HANDS)
@pytest.mark.parametrize("book", ["lt", "et", "ro"])
def test_hands_end_as_they_are_reckoned_plainly(book, hands):
    """RULES 5, all-in: "he wins from each other player at most what he put in"."""
    met: Counter[str] = Counter()
    for seed in range(hands):
        dealt = played(book, seed)
        saw = seen(dealt)
        (ended,) = dealt.happened(HandEnded)
        won = {net.seat: net.amount for net in ended.nets}
        assert won == plain.winnings(saw, dealt.events), (book, seed, saw)
        met["shown"] += hold_the_showing(dealt, saw)
        met[f"{min(len(dealt.hand.pots), 4)} pots"] += 1
        met[dealt.hand.game.variant] += 1
    assert len(met) == len(list(rules.HOUSE.variants(book))) + 5
    assert min(met.values()) > hands // 100
