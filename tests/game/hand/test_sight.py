"""Sight: what everybody may see of an event, and whose cards go to whom.

Every kind of event is tried, with every field filled in at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riverboat.game.hand import events as hands
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.sight import SIGHT, UNSEEN, own_cards, private, public
from riverboat.game.hand.state import Hand, Phase, Seat
from riverboat.game.rules import game
from riverboat.game.table import events as tables
from tests.game.hand.test_hand_property import DEEP, a_deal, play_one_decision

KINDS = get_args(tables.Event)
# What no stream may carry: the sealed deck and the name of its key, a digest of the whole state
# (which holds both), which of his cards a player threw, ids of lines, and a refusal of the ledger.
SECRETS = {
    hands.HandStarted: {"sealed", "key", "state_hash"},
    hands.Reshuffled: {"sealed", "key"},
    hands.Drew: {"thrown"},
    tables.SeatReserved: {"connection"},
    tables.ReservationFailed: {"reason"},
    tables.LineLost: {"connection"},
    tables.LineBack: {"connection"},
    tables.PlayerSeated: {"protections"},
    tables.SeatHeld: {"connection"},
    tables.ListJoined: {"player", "connection"},  # how many wait, and not who
    tables.ListLeft: {"player"},
    tables.SatOut: {"now"},
}
# Of a table's options: who is invited, who is kept apart, the word that lets a player sit.
PRIVATE_OPTIONS = {"invited": (), "apart": (), "code_digest": b""}
WITH_OPTIONS = {tables.TableOpened, tables.OptionsNoted, tables.OptionsChanged}
WITH_REASONS = {tables.LeaveNoted, tables.PlayerLeft}


@dataclass
class Deck:
    """A deck in the open."""

    order: Sequence[int]

    def prove(self, places: Sequence[int]) -> bytes:
        return bytes(places)


def hand_of(*seats: Seat) -> Hand:
    return Hand(
        id="1.0-1",
        number=1,
        game=game("standard", "holdem", "nl"),
        stakes=Stakes(small_blind=5, big_blind=10),
        button=1,
        seats={seat.seat: seat for seat in seats},
        runs=1,
        turn_ms=20_000,
        raked=False,
    )


def holding(number: int, player: str, *places: int) -> Seat:
    return Seat(number, player, f"sitting of {player}", 100, 100, places=places)


def test_every_kind_of_event_is_seen_or_expressly_unseen() -> None:
    assert set(SIGHT) | UNSEEN == set(KINDS)
    assert not set(SIGHT) & UNSEEN


@given(st.data())
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_is_secret_never_shows_and_what_is_not_always_does(
    kind: type, data: st.DataObject
) -> None:
    """Law 5: "no viewer's stream ever holds another player's private card"."""
    event = data.draw(st.from_type(kind))
    seen = public(event)
    if kind in UNSEEN:
        assert seen is None
        return
    if kind is tables.LeaveNoted and not event.why:
        assert seen is None, "he only wants to"
        return
    secrets = SECRETS.get(kind, set())
    if kind in WITH_OPTIONS:
        assert getattr(seen, "settings") == replace(event.settings, **PRIVATE_OPTIONS)  # noqa: B009
        return
    apart = {"why"} if kind in WITH_REASONS else set()
    for field in fields(kind):
        if field.name not in secrets | apart:
            assert getattr(seen, field.name) == getattr(event, field.name)
    # Whatever the secrets are, the stream is the same.
    for name in secrets - {"thrown"}:
        other = replace(event, **{name: type(getattr(event, name))()})
        assert public(other) == seen


def test_why_a_player_was_removed_is_between_the_house_and_him() -> None:
    removed = tables.PlayerLeft("ann", "s", 1, 500, "excluded")
    assert public(removed) == replace(removed, why="removed")
    for why in ("asked", "broke", "voided", "closed", "away"):
        gone = tables.PlayerLeft("ann", "s", 1, 500, why)
        assert public(gone) == gone
    assert public(tables.LeaveNoted("ann", "frozen")) == tables.LeaveNoted("ann", "removed")


def test_what_a_player_wants_to_do_is_his_own() -> None:
    assert public(tables.LeaveNoted("ann")) is None
    assert public(tables.SitOutNoted("ann")) is None
    assert public(tables.SatOut("ann", "asked", now=True)) == tables.SatOut("ann", "asked")


def test_of_a_draw_all_see_how_many_and_nobody_which() -> None:
    shown = public(hands.Drew(seat=3, thrown=(1, 4), places=(20, 21)))
    assert shown == public(hands.Drew(seat=3, thrown=(0, 2), places=(20, 21)))
    assert shown == hands.Drew(seat=3, thrown=(0, 1), places=(20, 21))
    assert public(hands.Drew(3, (), ())) == hands.Drew(3, (), ())


def test_a_street_gives_each_player_his_own_cards_and_no_other() -> None:
    deck = Deck([50, 49, 48, 47, 46])
    hand = hand_of(holding(1, "ann", 0, 2), holding(2, "bob", 1, 3))
    deal = hands.StreetDealt(
        street=0,
        to=(hands.DealtTo(1, (0, 2), (), ()), hands.DealtTo(2, (1, 3), (), ())),
        board=(),
        proofs=b"",
    )
    assert private(hand, deal, "ann", deck) == (50, 48)
    assert private(hand, deal, "bob", deck) == (49, 47)
    assert private(hand, deal, "eve", deck) == ()
    assert own_cards(hand, 2, deck) == (49, 47)


def test_a_shared_street_and_a_draw_of_another_give_nothing() -> None:
    deck = Deck([50, 49, 48, 47, 46])
    hand = hand_of(holding(1, "ann", 0, 4), holding(2, "bob", 1, 3))
    flop = hands.StreetDealt(1, (), (hands.BoardCards(0, (46,), (4,)),), b"")
    assert private(hand, flop, "ann", deck) == ()
    draw = hands.Drew(seat=1, thrown=(1,), places=(4,))
    assert private(hand, draw, "ann", deck) == (50, 46)
    assert private(hand, draw, "bob", deck) == ()


@given(st.data(), st.sampled_from(KINDS))
def test_a_stranger_gets_no_card_of_any_event(data: st.DataObject, kind: type) -> None:
    """A seat that was left and taken again does not give its new owner the old one's cards."""
    event = data.draw(st.from_type(kind))
    seats = {getattr(event, "seat", 1)}
    if isinstance(event, hands.StreetDealt):
        seats |= {to.seat for to in event.to}
    hand = hand_of(*(holding(number, "owner", 0, 1) for number in seats))
    assert private(hand, event, "newcomer", Deck(range(52))) == ()


def turned_up(event: object) -> set[int]:
    """The cards that an event lays open, by all the fields in which a card may stand."""
    match event:
        case hands.StreetDealt():
            up = {card for to in event.to for card in to.up}
            return up | {card for board in event.board for card in board.cards}
        case hands.HandShown():
            return set(event.cards)
        case _:
            return set()


@settings(max_examples=500 if DEEP else 40, deadline=None)
@given(st.integers(0, 2**64))
def test_in_any_hand_each_sees_his_own_cards_and_what_lies_open(seed: int) -> None:
    """Law 5, in hands of every game: nobody's stream holds a card that is still face down."""
    chance = Random(seed)
    dealt = a_deal(chance)
    open_cards: set[int] = set()
    seen = 0
    while dealt.hand.phase is not Phase.OVER:
        play_one_decision(dealt, chance)
        hand, deck = dealt.hand, dealt.deck
        for event in dealt.events[seen:]:
            open_cards |= turned_up(public(event))
        down = {
            seat.player: {deck[place] for place in seat.places} - set(seat.up)
            for seat in hand.seats.values()
            # Folded cards may be reshuffled, dealt to another and shown by him.
            if not seat.shown and not (seat.folded and hand.stubs)
        }
        for player, hidden in down.items():
            assert open_cards.isdisjoint(hidden), player
            for event in dealt.events[seen:]:
                own = set(private(hand, event, player, Deck(deck)))
                assert own <= hidden | open_cards
        seen = len(dealt.events)
