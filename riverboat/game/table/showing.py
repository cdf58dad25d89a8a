"""Showing: what players may still show of the last hand, though nobody has to see it.

From a hand's end to the next one's start, to everybody who was dealt in and still sits there. The
order of the showdown and what it turns up are not asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from sys import intern

from riverboat.game.cards import DECKS
from riverboat.game.commands import Asked, ShowCards
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import CardsShown
from riverboat.game.table.given import Given
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.state import SEEN, Held, Last, Table


def show_cards(
    table: Table, asked: Asked, command: ShowCards, given: Given
) -> Sequence[CardsShown] | Refusal:
    """The player turns up what he likes of his own cards, each once and with its proof."""
    last, sitting = table.last, sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if last is None or last.id != command.hand:
        return Refusal(TableCode.NOTHING_TO_SHOW)
    own = held_by(last, sitting.seat)
    at = sorted(set(command.at))
    wrong = [each for each in at if not 0 <= each < len(own) or own[each] == SEEN]
    if wrong or not at or len(at) < len(command.at):
        return Refusal(TableCode.NOTHING_TO_SHOW)
    deck = given.decks.open(table.id, last)
    places = tuple([own[each] for each in at])
    cards = tuple([deck.order[place] for place in places])
    return [CardsShown(last.id, sitting.seat, cards, places, deck.prove(places))]


def held_by(last: Last, seat: int) -> tuple[int, ...]:
    """The places of the seat's own cards, SEEN for those that were turned up."""
    return next((places for number, places in last.held if number == seat), ())


def last_of(hand: Hand) -> Last | None:
    """What is kept of a hand that ends; nothing where everybody saw everything."""
    held = _kept((number, _closed(seat)) for number, seat in hand.seats.items())
    if not held:
        return None
    size = len(DECKS[hand.game.deck])
    stubs = tuple(hand.stubs)
    return Last(hand.id, hand.sealed, intern(hand.key), hand.root, size, stubs, held)


def turn_up(last: Last, seat: int, shown: Sequence[int]) -> None:
    """The cards of the seat at these places are seen from now on."""
    assert set(shown) <= {*held_by(last, seat)} - {SEEN}, "a card is shown once, by who held it"
    last.held = _kept(
        (number, tuple([SEEN if number == seat and each in shown else each for each in places]))
        for number, places in last.held
    )


def forget(last: Last, seat: int) -> None:
    """Whoever had the seat has left: nobody else held his cards."""
    last.held = _kept(each for each in last.held if each[0] != seat)


def _closed(seat: Seat) -> tuple[int, ...]:
    if seat.shown:
        return ()
    if not seat.is_up:
        return seat.places
    up = seat.is_up
    places = enumerate(seat.places)
    return tuple([SEEN if at < len(up) and up[at] else place for at, place in places])


def _kept(held: Iterable[Held]) -> tuple[Held, ...]:
    return _shared(tuple([each for each in held if any(place != SEEN for place in each[1])]))


@lru_cache(maxsize=4096)
def _shared(held: tuple[Held, ...]) -> tuple[Held, ...]:
    """One for all tables where the same seats hold the same places, as at most tables at rest."""
    return held
