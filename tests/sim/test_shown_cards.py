"""Cards that players show of their own accord, held against what was dealt and committed to."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from riverboat.game.commands import Action, Asked, ShowCards
from riverboat.game.table.events import CardsShown
from riverboat.game.table.showing import show_cards
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.sealing import SealedDecks
from riverboat.sim.cards import Cards
from riverboat.sim.laws import LawBroken
from tests.game.table.house import House
from tests.game.table.tables import NOW_MS, given


def after_a_hand() -> tuple[House, Cards, CardsShown]:
    """The winner by folds is about to show a card."""
    decks = SealedDecks(DerivedKeys(b"k" * 32), os.urandom, lambda: NOW_MS)
    house, cards = House.opened(decks=decks, ann=500, bob=500), Cards(decks)
    house.run()
    hand = house.hand.id
    house.act(Action.FOLD)
    command = ShowCards(hand, (1,))
    asked = Asked(house.table.id, "bob", 9, command)
    decision = show_cards(house.table, asked, command, given(decks=decks))
    assert isinstance(decision, list)
    (event,) = decision
    return house, cards, event


def held_to_the_law(house: House, cards: Cards, event: CardsShown) -> None:
    record = house.log[-1][0]
    cards.before(house.table, replace(record, events=(event,)))


def test_a_card_that_was_dealt_to_him_is_shown_by_the_law():
    held_to_the_law(*after_a_hand())


def test_another_card_another_players_or_of_another_hand_is_not():
    house, cards, event = after_a_hand()
    last = house.table.last
    assert last is not None
    others = dict(last.held)
    (mine,) = event.cards
    for wrong, why in (
        (replace(event, cards=((mine + 1) % 52,)), "not dealt"),
        (replace(event, places=others[1][:1]), "does not hold"),
        (replace(event, places=(), cards=()), "does not hold"),
        (replace(event, seat=5), "does not hold"),
        (replace(event, proofs=b""), "proof"),
        (replace(event, hand="1.0-99"), "no hand that is over"),
    ):
        with pytest.raises(LawBroken, match=why):
            held_to_the_law(house, cards, wrong)


def test_a_card_is_not_shown_twice():
    house, cards, event = after_a_hand()
    house.append("dealer", [event])
    with pytest.raises(LawBroken, match="does not hold"):
        held_to_the_law(house, cards, event)
