"""Cards that players show of their own accord, held against what was dealt and committed to."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from riverboat.game.commands import Action, ShowCards
from riverboat.game.record import Record
from riverboat.game.table.events import CardsShown
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.sealing import SealedDecks
from riverboat.sim.cards import Cards
from riverboat.sim.laws import LawBroken
from tests.game.table.house import House
from tests.game.table.tables import NOW_MS


def after_a_hand() -> tuple[House, Cards, CardsShown, Record]:
    """The winner by folds has shown a card; the law has seen everything before."""
    decks = SealedDecks(DerivedKeys(b"k" * 32), os.urandom, lambda: NOW_MS)
    house, cards = House.opened(decks=decks, ann=500, bob=500), Cards(decks)
    house.run()
    hand = house.hand.id
    house.act(Action.FOLD)
    decision = house.ask("bob", ShowCards(hand, (1,)))
    assert isinstance(decision, list)
    (event,) = decision
    return house, cards, event, house.log[-1][0]


def held_to_the_law(house: House, cards: Cards, record: Record, event: CardsShown) -> None:
    cards.after(house.table, replace(record, events=(event,)))


def test_a_card_that_was_dealt_to_him_is_shown_by_the_law():
    house, cards, event, record = after_a_hand()
    held_to_the_law(house, cards, record, event)


def test_another_card_another_players_or_of_another_hand_is_not():
    house, cards, event, record = after_a_hand()
    last = house.table.last
    assert last is not None
    others = {each.seat: each.places for each in last.seats}
    (mine,) = event.cards
    with pytest.raises(LawBroken, match="not dealt"):
        held_to_the_law(house, cards, record, replace(event, cards=((mine + 1) % 52,)))
    with pytest.raises(LawBroken, match="another held"):
        held_to_the_law(house, cards, record, replace(event, places=others[1][:1]))
    with pytest.raises(LawBroken, match="proof"):
        held_to_the_law(house, cards, record, replace(event, proofs=b""))
    with pytest.raises(LawBroken, match="no hand that is over"):
        held_to_the_law(house, cards, record, replace(event, hand="1.0-99"))
    with pytest.raises(LawBroken, match="no hand that is over"):
        held_to_the_law(house, cards, record, replace(event, seat=5))
