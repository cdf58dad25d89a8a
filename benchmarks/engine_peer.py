"""PokerKit's side of the rules core's goal: the same games by its State, over the same cards.

A game of ours becomes a State by its own table of data. Plays; measures nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import pokerkit
from pokerkit import Automation, BettingStructure, Card, Deck, Opening, State, Street

from riverboat.game.cards import DECKS, text
from riverboat.game.deck import shuffle
from riverboat.game.hand.events import Stakes
from riverboat.game.rules.schema import Forced, Game, Opener

DEALING: Final = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
AUTOMATIC: Final = tuple(set(Automation) - DEALING)
STRUCTURES: Final = {
    "fl": BettingStructure.FIXED_LIMIT,
    "nl": BettingStructure.NO_LIMIT,
    "pl": BettingStructure.POT_LIMIT,
}
RANKINGS: Final = {
    ("standard", "any_five"): pokerkit.StandardHighHand,
    ("standard", "own"): pokerkit.StandardHighHand,
    ("standard", "two_and_three"): pokerkit.OmahaHoldemHand,
    ("ace_to_five_low8", "two_and_three"): pokerkit.OmahaEightOrBetterLowHand,
    ("ace_to_five_low8", "own"): pokerkit.EightOrBetterLowHand,
    ("ace_to_five_low8", "any_five"): pokerkit.EightOrBetterLowHand,
    ("ace_to_five_low", "own"): pokerkit.RegularLowHand,
    ("ace_to_five_low", "any_five"): pokerkit.RegularLowHand,
    ("low27", "own"): pokerkit.StandardLowHand,
    ("badugi", "own"): pokerkit.BadugiHand,
    ("short_deck", "any_five"): pokerkit.ShortDeckHoldemHand,
}
OPENINGS: Final = {
    Opener.BRING_IN_LOWEST: Opening.LOW_CARD,
    Opener.BRING_IN_HIGHEST: Opening.HIGH_CARD,
}
PACKS: Final = {"52": Deck.STANDARD, "6-A": Deck.SHORT_DECK_HOLDEM}
CARDS: Final = [next(iter(Card.parse(text(card)))) for card in range(52)]

Result = tuple[int, tuple[int, ...]]  # decisions, and the stacks at the end


class Peer:
    """One game as PokerKit is told to play it; what does not change is made beforehand."""

    def __init__(self, game: Game, stakes: Stakes, stacks: Sequence[int]) -> None:
        self.game = game
        names = [name for name in (game.high, game.low) if name]
        blinds: Any = (stakes.small_blind, stakes.big_blind)
        if game.forced is not Forced.BLINDS:
            blinds = {-1: stakes.button_blind} if stakes.button_blind else 0
        self._made: tuple[Any, ...] = (
            AUTOMATIC,
            PACKS[game.deck],
            tuple(RANKINGS[name, game.select] for name in names),
            tuple(_street(game, stakes, at) for at in range(len(game.streets))),
            STRUCTURES[game.limit],
            True,
            stakes.ante,
            blinds,
            stakes.bring_in,
            tuple(stacks),
            len(stacks),
        )

    def play(
        self,
        chance: Callable[[], float],
        entropy: Callable[[int], bytes],
        decide: Callable[[State, float], None],
        throws: float,
    ) -> Result:
        """One hand; `throws` is how often a card is thrown."""
        deck = [CARDS[card] for card in shuffle(DECKS[self.game.deck], entropy)]
        state = State(*self._made)
        place = actions = 0
        came: dict[int, Card] = {}
        while state.status:
            if state.can_burn_card():
                state.burn_card("??")
            elif state.can_deal_hole():
                place = _deal(state, deck, place, came)
            elif state.can_deal_board():
                size = self.game.streets[state.street_index or 0].board
                state.deal_board(tuple(deck[place : place + size]))
                place += size
            elif state.actor_index is not None:
                actions += 1
                decide(state, chance())
            else:
                actions += 1
                seat = state.stand_patter_or_discarder_index
                assert seat is not None, "who does not bet draws"
                if chance() < throws:
                    came[seat] = deck[place]
                    place += 1
                    state.stand_pat_or_discard((state.hole_cards[seat][-1],))
                else:
                    state.stand_pat_or_discard()
        return actions, tuple(state.stacks)


def _street(game: Game, stakes: Stakes, at: int) -> Street:
    street = game.streets[at]
    least = stakes.big_blind or stakes.button_blind or stakes.small_bet
    opening = Opening.POSITION
    if game.forced is Forced.BRING_IN:
        later = Opening.HIGH_HAND if game.high else Opening.LOW_HAND
        opening = later if at else OPENINGS[game.first_opener]
    most = None
    if game.limit == "fl":
        least = 2 * least if game.tiers[at] else least
        most = game.bets_most - (at == 0 and game.has_button)  # it counts no blind as a bet
    cards = (False,) * street.down + (True,) * street.up
    return Street(False, cards, street.board, street.draw >= 0, opening, least, most)


def _deal(state: State, deck: Sequence[Card], place: int, came: dict[int, Card]) -> int:
    """The cards of a street or of a draw, where ours gives them; the next place."""
    if came:
        for seat, card in came.items():
            state.deal_hole((card,), seat)
        came.clear()
        return place
    seats = [seat for seat, live in enumerate(state.statuses) if live]
    each = len(state.hole_dealing_statuses[seats[0]])
    many = len(seats)
    for at, seat in enumerate(seats):
        state.deal_hole(tuple(deck[place + at : place + each * many : many]), seat)
    return place + each * many
