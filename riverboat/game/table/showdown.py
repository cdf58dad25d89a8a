"""The showdown at a table: opens the cards that come to it, and ends the hand.

Who wins what stands in `riverboat/game/hand/judge.py`. A hand that all but one gave up is ended
without opening a card.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import Baton
from riverboat.game.table.events import Event
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table


def duty(table: Table, given: Given) -> Sequence[Event] | None:
    """The hand's end, once no more chips can go in and no more cards can come."""
    hand = table.hand
    if hand is None or hand.baton is not Baton.SHOWDOWN:
        return None
    live = [seat for seat in hand.seats.values() if not seat.folded]
    if len(live) == 1:
        return judge(hand, {})
    deck = given.decks.open(table.id, hand)
    order = deck.order
    hole = {seat.seat: [order[place] for place in seat.places] for seat in live}
    return judge(hand, hole, deck.prove, open_handed=open_handed(table))


def open_handed(table: Table) -> frozenset[int]:
    """The seats whose players want their beaten hands shown."""
    return frozenset([sitting.seat for sitting in table.sittings.values() if sitting.shows_losing])


def overdue(table: Table) -> int | None:
    """Since when the hand waits to be judged."""
    hand = table.hand
    if hand is None or hand.baton is not Baton.SHOWDOWN:
        return None
    return hand.since_ms
