"""Showing: what players may still show of the last hand, though nobody has to see it.

From a hand's end to the next one's start, to everybody who was dealt in and still sits there. The
order of the showdown and what it turns up are not asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from riverboat.game.cards import DECKS
from riverboat.game.commands import Asked, ShowCards
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import CardsShown
from riverboat.game.table.given import Given
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.state import Last, LastSeat, Table


def show_cards(
    table: Table, asked: Asked, command: ShowCards, given: Given
) -> Sequence[CardsShown] | Refusal:
    """The player turns up what he likes of his own cards, each once and with its proof."""
    last, sitting = table.last, sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if last is None or last.id != command.hand:
        return Refusal(TableCode.NOTHING_TO_SHOW)
    # By his sitting: who has left and come back did not hold these cards.
    held = next((each for each in last.seats if each.sitting == sitting.id), None)
    at = command.at
    if held is None or not at or not set(held.unseen).issuperset(at) or len(set(at)) < len(at):
        return Refusal(TableCode.NOTHING_TO_SHOW)
    deck = given.decks.open(table.id, last)
    places = tuple([held.places[each] for each in sorted(at)])
    cards = tuple([deck.order[place] for place in places])
    return [CardsShown(last.id, held.seat, cards, places, deck.prove(places))]


def last_of(hand: Hand) -> Last | None:
    """What is kept of a hand that ends; nothing where everybody saw everything."""
    held = [
        LastSeat(number, seat.sitting, seat.places, unseen)
        for number, seat in hand.seats.items()
        if (unseen := _unseen(seat))
    ]
    if not held:
        return None
    size = len(DECKS[hand.game.deck])
    return Last(hand.id, hand.sealed, hand.key, hand.root, size, tuple(hand.stubs), tuple(held))


def _unseen(seat: Seat) -> tuple[int, ...]:
    if seat.shown:
        return ()
    every = _indexes(len(seat.places))
    is_up = seat.is_up
    if not is_up:
        return every
    return tuple([at for at in every if at >= len(is_up) or not is_up[at]])


@cache
def _indexes(count: int) -> tuple[int, ...]:
    return tuple(range(count))
