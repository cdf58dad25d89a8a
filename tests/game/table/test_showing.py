"""Showing: beaten hands that their players want seen, and cards shown once the hand is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from riverboat.game.commands import Action, Leave, ShowCards, VoidHand
from riverboat.game.hand.events import HandMucked, HandShown, Reshuffled, Stakes
from riverboat.game.hand.sight import public
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.digest import digest
from riverboat.game.table.events import CardsShown, Preferences, PreferencesSet
from riverboat.game.table.fold import apply
from riverboat.game.table.showing import held_by
from riverboat.game.table.state import SEEN, Table
from tests.game.table.house import House, folded
from tests.game.table.tables import SETTINGS

NOTHING = Refusal(TableCode.NOTHING_TO_SHOW)
STUD = {"variant": "stud7", "limit": "fl", "stakes": Stakes(ante=1, bring_in=2, small_bet=10)}


def won_by_folds(**other: Any) -> tuple[House, str, list[int]]:
    """Three were dealt in, two folded; the hand's id, and the deck as it lay."""
    house = House.opened(replace(SETTINGS, **other), ann=500, bob=500, cas=500)
    house.run()
    hand, order = house.hand.id, list(house.hand.sealed)
    if house.hand.phase is Phase.BRING_IN:
        house.act(Action.BRING_IN)
    while house.playing():
        house.act(FOLD)
    return house, hand, order


FOLD, CHECK, CALL = Action.FOLD, Action.CHECK, Action.CALL


def cards_of(house: House, seat: int, order: list[int]) -> list[int]:
    """The seat's own cards in the hand that is over."""
    last = house.table.last
    assert last is not None
    return [order[place] for place in held_by(last, seat) if place != SEEN]


def shown(decision: object) -> CardsShown:
    assert isinstance(decision, list), decision
    (event,) = decision
    assert isinstance(event, CardsShown)
    return event


@pytest.mark.parametrize("at", [(0,), (1,), (0, 1)])
def test_the_winner_of_a_hand_that_all_others_folded_may_show_one_card_or_all(at):
    house, hand, order = won_by_folds()
    own = cards_of(house, 3, order)
    event = shown(house.ask("cas", ShowCards(hand, at)))
    assert event.cards == tuple(own[each] for each in at)
    assert (event.hand, event.seat) == (hand, 3)
    assert event.proofs == bytes(event.cards)
    assert public(event) == event  # everybody sees it
    assert folded(house) == house.table


def test_who_has_folded_may_show_too():
    house, hand, order = won_by_folds()
    own = cards_of(house, 1, order)
    assert shown(house.ask("ann", ShowCards(hand, (0, 1)))).cards == tuple(own)
    assert shown(house.ask("bob", ShowCards(hand, (0,)))).seat == 2


def test_a_card_is_shown_once():
    house, hand, _ = won_by_folds()
    shown(house.ask("cas", ShowCards(hand, (1,))))
    assert house.ask("cas", ShowCards(hand, (1,))) == NOTHING
    assert house.ask("cas", ShowCards(hand, (0, 1))) == NOTHING
    shown(house.ask("cas", ShowCards(hand, (0,))))
    assert house.ask("cas", ShowCards(hand, (0,))) == NOTHING


@pytest.mark.parametrize("at", [(), (2,), (-1,), (0, 0)])
def test_only_cards_that_he_held_can_be_shown(at):
    house, hand, _ = won_by_folds()
    assert house.ask("cas", ShowCards(hand, at)) == NOTHING


def test_only_the_last_hand_and_only_until_the_next():
    house, hand, _ = won_by_folds()
    assert house.ask("cas", ShowCards("1.0-99", (0,))) == NOTHING
    assert house.ask("dan", ShowCards(hand, (0,))) == Refusal(TableCode.NOT_SEATED)
    house.now_ms += SETTINGS.pause_ms
    house.run()
    assert house.playing()
    assert house.table.last is None
    assert house.ask("cas", ShowCards(hand, (0,))) == NOTHING
    assert house.ask("cas", ShowCards(house.hand.id, (0,))) == NOTHING


def test_who_has_left_or_came_later_has_nothing_to_show():
    house, hand, _ = won_by_folds()
    house.ask("ann", Leave())
    assert house.ask("ann", ShowCards(hand, (0,))) == Refusal(TableCode.NOT_SEATED)
    house.seat("ann", 500)
    house.seat("dan", 500)
    assert house.ask("ann", ShowCards(hand, (0,))) == NOTHING
    assert house.ask("dan", ShowCards(hand, (0,))) == NOTHING


def test_of_a_hand_that_was_voided_nothing_is_shown():
    house = House.opened(ann=500, bob=500)
    house.run()
    hand = house.hand.id
    house.order(VoidHand(hand, "operator"))
    assert house.ask("ann", ShowCards(hand, (0,))) == NOTHING


def test_what_lies_open_already_is_not_shown_again():
    house, hand, order = won_by_folds(**STUD)
    last = house.table.last
    assert last is not None
    for _, (first, second, third) in last.held:
        assert SEEN not in (first, second)
        assert third == SEEN  # it was dealt face up
    assert house.ask("bob", ShowCards(hand, (2,))) == NOTHING
    own = cards_of(house, 2, order)
    assert shown(house.ask("bob", ShowCards(hand, (0, 1)))).cards == tuple(own[:2])


def test_after_a_showdown_only_who_mucked_or_folded_has_something_to_show():
    house = House.opened(ann=500, bob=500, cas=500)
    house.run()
    house.act(FOLD)
    house.play_out()
    ended = [event for record, _ in house.log for event in record.events]
    up = {event.seat for event in ended if isinstance(event, HandShown)}
    last = house.table.last
    assert last is not None
    assert up
    assert {seat for seat, _ in last.held} == {1, 2, 3} - up
    hand = last.id
    for seat, player in enumerate(("ann", "bob", "cas"), 1):
        outcome = house.ask(player, ShowCards(hand, (0, 1)))
        assert (outcome == NOTHING) == (seat in up)


def test_cards_that_came_from_a_reshuffled_stub_are_shown_too():
    house = House.opened(
        replace(SETTINGS, variant="triple_draw27", limit="fl", seats=6),
        None,
        **dict.fromkeys(("ann", "bob", "cas", "dan", "eve", "fay"), 500),
    )
    house.run()
    while house.hand.round < 3:
        hand = house.hand
        if hand.phase is Phase.DRAW:
            house.act(Action.DRAW, throw=(0, 1, 2, 3, 4))
        else:
            house.act(CHECK if hand.price == hand.seats[hand.turn].bet else CALL)
    assert house.hand.stubs
    first = house.hand.turn
    player = house.hand.seats[first].player
    order = list(b"".join([house.hand.sealed, *(stub.sealed for stub in house.hand.stubs)]))
    assert any(isinstance(each, Reshuffled) for record, _ in house.log for each in record.events)
    places = house.hand.seats[first].places
    hand_id = house.hand.id
    house.act(FOLD)
    house.play_out()
    event = shown(house.ask(player, ShowCards(hand_id, (0, 1, 2, 3, 4))))
    assert event.cards == tuple(order[place] for place in places)
    assert max(places) >= 52
    assert folded(house) == house.table


def test_a_reader_that_stopped_the_hand_goes_on_without_what_was_held_in_it():
    house, hand, _ = won_by_folds()
    shown(house.ask("cas", ShowCards(hand, (0,))))
    house.now_ms += SETTINGS.pause_ms
    house.run()
    again = Table(house.table.id)
    for record, time_ms in house.log:
        apply(again, record, time_ms)
        if again.hand is not None and again.hands == 1:
            again.stopped, again.stopped_at, again.hand = "for a test", again.version, None
    assert not again.stopped
    assert digest(again) == digest(house.table)


def test_what_can_be_shown_outlives_a_snapshot():
    house, hand, order = won_by_folds()
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(house.table), type=Table)
    assert stored.last == house.table.last
    house.table.last = stored.last
    own = cards_of(house, 1, order)
    assert shown(house.ask("ann", ShowCards(hand, (0, 1)))).cards == tuple(own)


# Beaten hands.


def checked_down(*open_handed: str) -> list[HandShown | HandMucked]:
    """What is shown and mucked at a showdown of four, in order."""
    players = ("ann", "bob", "cas", "dan")
    house = House.opened(SETTINGS, None, **dict.fromkeys(players, 500))
    for player in players:
        wanted = Preferences(shows_losing=player in open_handed)
        house.append("dealer", [PreferencesSet(player, wanted)])
    house.run()
    house.play_out()
    return [
        event
        for record, _ in house.log
        for event in record.events
        if isinstance(event, HandShown | HandMucked)
    ]


def test_who_wants_beaten_hands_seen_shows_them_in_turn():
    """The rest are not forced to anything by it."""
    usual = checked_down()
    mucked = [event.seat for event in usual if isinstance(event, HandMucked)]
    assert mucked
    names = dict(enumerate(("ann", "bob", "cas", "dan"), 1))
    for seat in mucked:
        again = checked_down(names[seat])
        assert [event.seat for event in again] == [event.seat for event in usual]
        kinds = {event.seat: type(event) for event in usual}
        assert {e.seat: type(e) for e in again} == {**kinds, seat: HandShown}
