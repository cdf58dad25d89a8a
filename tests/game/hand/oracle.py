"""A second opinion on whole hands: PokerKit plays along, decision by decision.

Holds no test. A game of ours becomes a PokerKit state by its own table of data; what PokerKit is
known to do otherwise stands here as data too, and everything else has to be the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from pokerkit import Automation, State

from benchmarks.pokerkit_games import plays, state_of
from riverboat.game import rules
from riverboat.game.cards import DECKS, text, texts
from riverboat.game.commands import Action
from riverboat.game.hand import limits
from riverboat.game.hand.events import (
    Drew,
    Half,
    HandEvent,
    PotAwarded,
    PotsMade,
    Reshuffled,
    Stakes,
    StreetDealt,
)
from riverboat.game.hand.state import NOBODY, Baton, Phase
from riverboat.game.rules.schema import Completion, Forced
from tests.game.hand.dealt import Dealt

# Every amount is a multiple of it, so that no pot leaves an odd unit to up to four winners of a
# half: PokerKit gives several odd units all to one player.
UNIT: Final = 24

AUTOMATIC: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.CHIPS_PULLING,
)

# What PokerKit does otherwise and a table of ours can say: then ours says it. [RULES 9]
AS_THEY: Final[dict[str, Any]] = {
    "cap_heads_up": True,  # its cap does not ask how many are in
    "half_bet_reopens": False,
    "completion": Completion.FULL_BET,
    "open_pair_street": -1,
    "pot_counts_full_blinds": False,
}


class Kinds(NamedTuple):
    """A game that PokerKit can be told to play."""

    variant: str
    limit: str


def supported() -> list[Kinds]:
    """Every variant and limit of ours that PokerKit can play."""
    return [
        Kinds(variant, limit)
        for rulebook, variant, limit in rules.HOUSE.offered()
        if rulebook == "standard" and plays(rules.game(rulebook, variant, limit))
    ]


def _state(dealt: Dealt) -> State:
    """The same game at PokerKit, with the same stacks in dealing order."""
    stacks = [seat.start for seat in dealt.hand.seats.values()]
    return State(*state_of(dealt.hand.game, dealt.hand.stakes, stacks, AUTOMATIC))


class Apart(AssertionError):
    """The two do not agree; the text says in what."""


class SetAside(Exception):
    """PokerKit is known to go another way from here on."""


class Both:
    """One hand, played by both."""

    def __init__(self, kind: Kinds, seed: int) -> None:
        self.chance = random.Random(f"{kind} {seed}")
        self.dealt = self._dealt(kind)
        self.state = _state(self.dealt)
        self.order = list(self.dealt.hand.seats)
        self.told = 0  # events of ours that PokerKit has been told
        # By round, where somebody went all-in for less than a full bet: was that its first bet?
        self.short: dict[int, bool] = {}
        self.threw: list[int] = []
        self.came: dict[int, list[int]] = {}  # cards of a draw: it deals them once all have thrown

    def _dealt(self, kind: Kinds) -> Dealt:
        chance = self.chance
        game = rules.game("standard", *kind)
        # With more, a deck of draws runs out, and each house shuffles anew in its own way.
        most = 4 if any(street.draw >= 0 for street in game.streets) else game.seats_most
        least = 3 if game.forced is Forced.BUTTON_BLIND else 2
        many = chance.randint(least, min(most, 6))
        ante = chance.choice((0, UNIT)) if game.forced is Forced.BLINDS else UNIT
        # Nobody is short of a forced bet: a short big blind lowers the price there.
        stacks = {
            seat: UNIT * chance.choice((8, 9, 13, 20, 40, 100, 100)) for seat in range(1, many + 1)
        }
        stakes = Stakes(ante=ante, bring_in=2 * UNIT, small_bet=4 * UNIT)
        if game.forced is Forced.BLINDS:
            stakes = Stakes(small_blind=2 * UNIT, big_blind=4 * UNIT, ante=ante)
        elif game.forced is Forced.BUTTON_BLIND:
            stakes = Stakes(ante=ante, button_blind=4 * UNIT)
        deck = chance.sample(DECKS[game.deck], len(DECKS[game.deck]))
        blinds = ((1, 2) if many > 2 else (2, 1)) if stakes.big_blind else (0, 0)
        dealt = Dealt(
            ("standard", *kind), stacks, stakes, deck, many if game.has_button else 0, blinds
        )
        dealt.hand.game = replace(game, **AS_THEY)
        return dealt

    def play(self) -> None:
        """To the end; raises `Apart` where they differ, `SetAside` where that is known."""
        dealt = self.dealt
        while dealt.hand.phase is not Phase.OVER:
            self._tell()
            if dealt.hand.turn != NOBODY:
                self._decide()
            elif dealt.hand.baton is Baton.DEALER:
                dealt.deals()
            else:
                dealt.ends()
        self._tell()
        self._end()

    def _same(self, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            raise Apart(f"{what}: ours {ours}, theirs {theirs}")

    # Cards, as they fall here.

    def _tell(self) -> None:
        for event in self.dealt.events[self.told :]:
            self._event(event)
        self.told = len(self.dealt.events)

    def _event(self, event: HandEvent) -> None:
        state, deck = self.state, self.dealt.deck
        match event:
            case StreetDealt():
                self._show()
                for to in event.to:
                    own = [*(deck[place] for place in to.down), *to.up]
                    state.deal_hole(texts(own), self.order.index(to.seat))
                for board in event.board:
                    state.deal_board(texts(board.cards))
            case Reshuffled():
                raise SetAside("reshuffled")
            case Drew():
                self._drew(event)

    def _show(self) -> None:
        """Before cards that nobody bets on any more, and at the end."""
        while self.state.can_show_or_muck_hole_cards():
            self.state.show_or_muck_hole_cards()

    def _drew(self, event: Drew) -> None:
        own = self.dealt.deck
        self.came[event.seat] = [own[place] for place in event.places]
        self.state.stand_pat_or_discard(texts(self.threw))
        if self.dealt.hand.phase is not Phase.DRAW:
            for seat, cards in self.came.items():
                if cards:
                    self.state.deal_hole(texts(cards), self.order.index(seat))
            self.came = {}

    # Decisions.

    def _decide(self) -> None:
        dealt, state = self.dealt, self.state
        if dealt.hand.phase is Phase.DRAW:
            self._draw()
            return
        self._compare()
        offered, chance = dealt.offered, self.chance
        seat = dealt.hand.seats[offered.seat]
        roll = chance.random()
        if offered.raise_least and roll < 0.3:
            total = self._total()
            if total - dealt.hand.price < self._full_bet():
                first = not state.completion_betting_or_raising_count
                self.short[dealt.hand.round] = self.short.get(dealt.hand.round, False) or first
            dealt.does(seat.seat, Action.RAISE, total)
            state.complete_bet_or_raise_to(total)
        elif offered.bring_in:
            dealt.does(seat.seat, Action.BRING_IN)
            state.post_bring_in()
        elif offered.call and roll > 0.85:
            dealt.does(seat.seat, Action.FOLD)
            state.fold()
        else:
            dealt.does(seat.seat, Action.CALL if offered.call else Action.CHECK)
            state.check_or_call()

    def _full_bet(self) -> int:
        hand = self.dealt.hand
        return limits.unit(hand) if hand.game.limit == "fl" else hand.last_raise

    def _draw(self) -> None:
        seat = self.dealt.hand.seats[self.dealt.hand.turn]
        self._same(
            "drawer", self.order.index(seat.seat), self.state.stand_patter_or_discarder_index
        )
        count = self.chance.randint(0, min(3, len(seat.places)))
        throw = sorted(self.chance.sample(range(len(seat.places)), count))
        self.threw = [self.dealt.deck[seat.places[at]] for at in throw]
        self.dealt.does(seat.seat, Action.DRAW, throw=throw)

    def _total(self) -> int:
        offered = self.dealt.offered
        least, most = offered.raise_least, offered.raise_most
        steps = range(-(-least // UNIT) * UNIT, most + 1, UNIT)
        return self.chance.choice([least, most, *self.chance.sample(steps, min(3, len(steps)))])

    def _compare(self) -> None:
        dealt, state = self.dealt, self.state
        hand, offered = dealt.hand, dealt.offered
        seat = hand.seats[offered.seat]
        self._same("turn", self.order.index(offered.seat), state.actor_index)
        self._same("pot", hand.pot, state.total_pot_amount)
        if offered.bring_in:
            self._same("bring-in", offered.bring_in, state.effective_bring_in_amount)
        else:
            call = max(0, offered.call - seat.bet)
            self._same("call", call, state.checking_or_calling_amount)
        raises = None
        if state.can_complete_bet_or_raise_to():
            raises = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
        ours = (offered.raise_least, offered.raise_most) if offered.raise_least else None
        if ours != raises:
            for known in self._known():
                raise SetAside(known)
        self._same("raise", ours, raises)

    def _known(self) -> Iterator[str]:
        """The differences of RULES 9 that may show in raises as the hand stands."""
        hand = self.dealt.hand
        me = hand.seats[hand.turn]
        others = [s for s in hand.seats.values() if not s.folded and s is not me]
        if all(other.bet + other.stack <= hand.price for other in others):
            yield "all-in beyond what anybody left can call"
        first = self.short.get(hand.round)
        if first:
            yield "a first all-in of a street smaller than a full bet reopens it"
        if first is False and hand.game.limit == "fl":
            yield "an all-in smaller than a full bet counts as one"

    # The end.

    def _end(self) -> None:
        state, hand = self.state, self.dealt.hand
        (made,) = self.dealt.happened(PotsMade)
        if len(hand.seats) - sum(s.folded for s in hand.seats.values()) > 1:
            theirs = [(pot.amount, sorted(pot.player_indices)) for pot in state.pots]
            ours = [(pot.amount, sorted(map(self.order.index, pot.seats))) for pot in made.pots]
            self._same("pots", ours, theirs)
        self._show()
        while state.can_kill_hand():
            state.kill_hand()
        while state.can_push_chips():
            state.push_chips()
        self._same("over", False, state.status)
        stacks = [seat.stack for seat in hand.seats.values()]
        if stacks != state.stacks and self._low_elsewhere():
            raise SetAside("a side pot without a low is halved if a hand outside it has one")
        if stacks != state.stacks and self._odd_units():
            raise SetAside("several odd units go to one winner")
        self._same("stacks", stacks, list(state.stacks))

    def _odd_units(self) -> bool:
        """Whether five winners or more shared a pot that they do not divide evenly."""
        return any(
            len(award.shares) > 4 and len({share.amount for share in award.shares}) > 1
            for award in self.dealt.happened(PotAwarded)
        )

    def _low_elsewhere(self) -> bool:
        """Whether some pots were won by a low and others by a high hand alone."""
        awards = self.dealt.happened(PotAwarded)
        low = {award.pot for award in awards if award.half is Half.LOW}
        return bool(low) and any(award.pot not in low for award in awards)


def story(both: Both) -> str:
    """What happened, for whoever looks for a difference."""
    lines = [str(event) for event in both.dealt.events]
    own = {
        s.seat: [text(both.dealt.deck[p]) for p in s.places] for s in both.dealt.hand.seats.values()
    }
    return "\n".join([*lines, str(own)])
