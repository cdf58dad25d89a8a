"""Whole random hands end as a plain reckoning of them does.

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
from riverboat.game.hand.events import (
    HandEnded,
    HandMucked,
    HandShown,
    Post,
    Posted,
    PotsMade,
    Stakes,
    StreetDealt,
)
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import Options
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.rules.schema import Forced, Game
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
        count = chance.randint(offered.draw_least, offered.draw_most)
        throw = sorted(chance.sample(range(len(seat.places)), count))
        dealt.does(seat.seat, Action.DRAW, throw=throw)
    else:
        hold_the_limit(dealt, offered)
        action = chance.choice(open_to(offered))
        least, most = offered.raise_least, offered.raise_most
        totals = offered.sizes or (least, most, chance.randint(least, max(least, most)))
        dealt.does(seat.seat, action, chance.choice(totals) if action is Action.RAISE else 0)


def the_round(dealt: Dealt) -> bets.Round:
    """The round of betting that goes on, as it is reckoned plainly."""
    hand, game = dealt.hand, dealt.hand.game
    field = game.rulebook == "standard"
    spread = bets.SPREAD_ET if game.rulebook == "et" else bets.SPREAD
    if game.limit == "sl":
        tiers = (bets.SPREAD_FIELD if field else spread)[game.rounds]
    else:
        tiers = bets.FIXED[game.rounds]
    stakes = hand.stakes
    if game.forced is Forced.BUTTON_BLIND:
        stakes = Stakes(big_blind=stakes.button_blind)
    # A street on which cards are given up and nobody bets begins no round.
    idle = [number for number, street in enumerate(game.streets) if not street.bet]
    events = [e for e in dealt.events if not (isinstance(e, StreetDealt) and e.street in idle)]
    stud, pairs = game.forced is Forced.BRING_IN, game.variant == "stud7" and game.limit == "fl"
    now = bets.round_of(events, game.limit, stakes, tiers, stud, pairs)
    now.between = field
    began = max(at for at, event in enumerate(events) if isinstance(event, StreetDealt))
    put, gone = plain.put_in(events[:began]).whole, plain.folded(events[:began])
    could_bet = [s for s in hand.seats.values() if s.start > put[s.seat] and s.seat not in gone]
    now.capped = not field or len(could_bet) > 2
    return now


def pot_of(dealt: Dealt) -> int:
    """The pot that a limit asks for: before the flop not always what lies there."""
    hand, game = dealt.hand, dealt.hand.game
    put = plain.put_in(dealt.events)
    pot = put.whole.total()
    if hand.round:
        return pot
    posts = [event for event in dealt.events if isinstance(event, Posted)]
    if game.rulebook == "et":
        return pot - sum(post.amount for post in posts if post.post is Post.DEAD_BLIND)
    if game.rulebook == "standard":
        # Missing and short blinds count in full.
        whole = {
            Forced.BLINDS: hand.stakes.small_blind + hand.stakes.big_blind,
            Forced.BUTTON_BLIND: hand.stakes.button_blind,
            Forced.BRING_IN: 0,
        }
        blinds = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.BUTTON_BLIND)
        pot += whole[game.forced] - sum(post.amount for post in posts if post.post in blinds)
    return pot


def hold_the_limit(dealt: Dealt, offered: Options) -> None:
    """What may be raised, as it is reckoned plainly."""
    hand = dealt.hand
    seat, now = hand.seats[offered.seat], the_round(dealt)
    gone = plain.folded(dealt.events)
    everything = seat.bet + seat.stack
    others = [s for s in hand.seats.values() if s.seat not in gone and s.stack and s is not seat]
    expected = None
    if everything > now.price and others and not seat.barred and now.reopened(seat.seat):
        expected = now.totals(everything, pot_of(dealt) + now.price - seat.bet)
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
    # The last seat has the button, or is the last before the dealer's box.
    around = sorted(hand.seats)
    gone = plain.folded(dealt.events)
    live = [seat for seat in hand.seats.values() if seat.seat not in gone]
    return plain.Dealt(
        hand.game.rulebook,
        hand.game.variant,
        {s.seat: [text(dealt.deck[place]) for place in s.places] for s in live},
        {s.seat: [text(card) for card in s.up] for s in live},
        [[text(card) for card in board] for board in hand.boards],
        around,
        len(hand.game.streets) - 1,
    )


def hold_the_showing(dealt: Dealt, saw: plain.Dealt) -> bool:
    """Whether hands were shown in turn; then it is the right turn."""
    made = next(at for at, event in enumerate(dealt.events) if isinstance(event, PotsMade))
    if len(saw.own) < 2 or any(isinstance(event, HandShown) for event in dealt.events[:made]):
        return False
    first = plain.shows_first(saw, dealt.events, dealt.hand.big_blind)
    many = len(saw.around)
    around = [(first - 1 + step) % many + 1 for step in range(many)]
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


# Every rulebook and the field's further games, with all that can be posted, boards and rake.


def stakes_for(game: Game, chance: random.Random) -> Stakes:
    if game.forced is Forced.BUTTON_BLIND:
        return Stakes(ante=10, button_blind=20)
    spread = (50, 100) if game.rulebook == "standard" else (50, 100, 150)
    stakes = Stakes(small_bet=50, big_bet=100, spread=spread if game.limit == "sl" else ())
    if game.forced is Forced.BRING_IN:
        stakes.ante, stakes.bring_in = 10, 20
        return stakes
    stakes.small_blind, stakes.big_blind = 25, 50
    stakes.ante = chance.choice((0, 0, 5))
    stakes.big_blind_ante = chance.choice((0, 0, 0, 50))
    if game.limit in ("nl", "pl", "hpl"):
        stakes.straddles = chance.choice(((), (), (100,), (100, 200)))
        stakes.button_straddle = chance.choice((0, 0, 0, 400))
    return stakes


def with_all_posts(seed: int) -> Dealt:
    """Any game of any rulebook: short stacks, debts, dead blinds, straddles, several boards."""
    chance = random.Random(f"posts {seed}")
    ids = chance.choice(rules.HOUSE.offered())
    game = rules.game(*ids)
    many = chance.randint(2, game.seats_most)
    stacks = {seat: chance.choice((3, 9, 17, *STACKS)) for seat in range(1, many + 1)}
    pack = list(DECKS[game.deck])
    chance.shuffle(pack)
    blinds, debts = (0, 0), {}
    if game.forced is Forced.BLINDS:
        blinds = (1, 2) if many > 2 else (2, 1)
        if many > 3:
            blinds = (chance.choice((1, 1, 1, 0)), 2)
            back = [seat for seat in range(3, many) if chance.random() < 0.2]
            debts = {seat: Debt(chance.choice((0, 50)), chance.choice((0, 25))) for seat in back}
    dealt = Dealt(
        ids,
        stacks,
        stakes_for(game, chance),
        pack,
        button=many if game.has_button else 0,
        blinds=blinds,
        debts=debts,
        runs=chance.choice((1, 1, 2, 3)),
    )
    dealt.hand.raked = chance.random() < 0.5
    while dealt.hand.phase is not Phase.OVER:
        if dealt.hand.turn:
            acts(dealt, chance)
        elif dealt.hand.baton is Baton.DEALER:
            dealt.deals()
        else:
            dealt.ends()
    return dealt


@pytest.mark.parametrize("hands", HANDS)
def test_hands_with_all_that_can_be_posted_end_so_too(hands):
    """RULES 8: "Short all-in antes and blinds make layers"; "odd units one each to the first
    boards"; RULES 6: "a won-back uncalled bet is never raked".
    """
    met: Counter[str] = Counter()
    for seed in range(hands):
        dealt = with_all_posts(seed)
        saw = seen(dealt)
        (ended,) = dealt.happened(HandEnded)
        (made,) = dealt.happened(PotsMade)
        plainly = plain.pots(plain.put_in(dealt.events), sorted(saw.own))
        assert [(pot.amount, list(pot.seats)) for pot in made.pots] == plainly, seed
        fees = [pot.rake for pot in made.pots]
        whole = sum(amount for amount, _ in plainly)
        for (amount, _), fee in zip(plainly, fees, strict=True):
            assert abs(fee * whole - sum(fees) * amount) < whole  # its part, but for a unit
        won = {net.seat: net.amount for net in ended.nets}
        assert won == plain.winnings(saw, dealt.events, fees), (seed, saw)
        met.update((dealt.hand.game.variant, f"{len(dealt.hand.boards)} boards"))
        met["raked"] += ended.rake > 0
    assert len(met) == len({variant for _, variant, _ in rules.HOUSE.offered()}) + 4
