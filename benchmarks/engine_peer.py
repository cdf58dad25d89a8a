"""PokerKit's side of the rules core's goal: the same games by its State, over the same cards.

Plays; measures nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pokerkit import Automation, Card, State

from benchmarks.pokerkit_games import state_of
from riverboat.game.cards import DECKS, text
from riverboat.game.deck import shuffle
from riverboat.game.hand.events import Stakes
from riverboat.game.rules.schema import Game

DEALING: Final = {Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING}
AUTOMATIC: Final = tuple(set(Automation) - DEALING)
CARDS: Final = [next(iter(Card.parse(text(card)))) for card in range(52)]

Result = tuple[int, tuple[int, ...]]  # decisions, and the stacks at the end


class Peer:
    """One game as PokerKit is told to play it; what does not change is made beforehand."""

    def __init__(self, game: Game, stakes: Stakes, stacks: Sequence[int]) -> None:
        self.game = game
        self._made = state_of(game, stakes, stacks, AUTOMATIC)

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
