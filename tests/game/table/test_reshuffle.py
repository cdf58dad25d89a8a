"""A stub that runs out: cards of the reshuffled one are dealt, judged, seen and proven as any."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from riverboat.game.commands import Action
from riverboat.game.hand.events import Drew, HandShown, Reshuffled, Stakes
from riverboat.game.hand.sight import private
from riverboat.game.hand.state import Phase
from riverboat.game.table.digest import digest
from riverboat.log import topics
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.log import Record as LogRecord
from riverboat.log.sealing import SealedDecks, proven
from riverboat.log.snapshots import decode_snapshot, encode_snapshot
from riverboat.sim.auditor import Auditor
from riverboat.wire.record import encode_record
from tests.game.table.house import House, folded
from tests.game.table.tables import NOW_MS, SETTINGS

DRAW32 = replace(
    SETTINGS, rulebook="lt", variant="draw32", limit="nl", seats=5, stakes=Stakes(5, 10)
)


class Nobody:
    """Wants to know nothing of what an auditor meets."""

    def reach(self, fault: str, times: int = 1) -> None:
        """Nothing."""

    def tell(self, *words: object) -> None:
        """Nothing."""


def sealed_decks() -> SealedDecks:
    return SealedDecks(DerivedKeys(b"k" * 32), Random(7).randbytes, lambda: NOW_MS)


def drawing(house: House) -> bool:
    return house.hand.phase is Phase.DRAW


def drawn() -> House:
    """Five players have thrown four cards each, from a stub of seven."""
    decks = sealed_decks()
    stacks = dict.fromkeys(("ann", "bob", "cid", "dan", "eve"), 1000)
    house = House.opened(DRAW32, decks=decks, **stacks)
    house.run()
    while not drawing(house):
        offered = house.hand.price > house.hand.seats[house.hand.turn].bet
        house.act(Action.CALL if offered else Action.CHECK)
    while drawing(house):
        house.act(Action.DRAW, throw=(0, 1, 2, 3))
    return house


def test_cards_of_a_reshuffled_stub_are_dealt_from_it_by_any_process():
    """ARCHITECTURE 4: "`Reshuffled` carries a new sealed order the same way"."""
    house = drawn()
    order = sealed_decks().open("1.0", house.hand).order
    assert len(order) == 32 + sum(stub.size for stub in house.hand.stubs)
    assert [stub.size for stub in house.hand.stubs] == [4, 4, 4, 4]
    held = [order[place] for seat in house.hand.seats.values() for place in seat.places]
    assert len(set(held)) == 25, "no card is dealt twice"


def test_the_owner_alone_sees_a_card_from_a_reshuffled_stub():
    house = drawn()
    deck = sealed_decks().open("1.0", house.hand)
    drew = [e for record, _ in house.log for e in record.events if isinstance(e, Drew)]
    event = drew[-1]
    seat = house.hand.seats[event.seat]
    assert max(event.places) >= 32
    assert private(house.hand, event, seat.player, deck) == tuple(
        deck.order[place] for place in seat.places
    )
    assert private(house.hand, event, "fay", deck) == ()


def test_a_snapshot_and_the_digest_hold_the_reshuffled_stubs():
    house = drawn()
    again, _ = decode_snapshot(encode_snapshot(house.table, 9, 8))
    assert again.hand is not None
    assert again.hand.stubs == house.hand.stubs
    before = digest(house.table)
    assert digest(again) == before
    again.hand.stubs[-1].root = bytes(32)
    assert digest(again) != before


def test_hands_from_a_reshuffled_stub_are_shown_with_their_proofs():
    """ARCHITECTURE 4: "every card shown later comes with its proof"."""
    house = drawn()
    hand = house.hand
    house.play_out()
    shown = [e for record, _ in house.log for e in record.events if isinstance(e, HandShown)]
    assert any(max(hand.seats[event.seat].places) >= 32 for event in shown)
    for event in shown:
        places = hand.seats[event.seat].places
        cards = dict(zip(places, event.cards, strict=True))
        assert proven(hand, cards, event.proofs)
        first, second, *rest = event.cards
        swapped = dict(zip(places, (second, first, *rest), strict=True))
        assert not proven(hand, swapped, event.proofs)


def test_an_auditor_judges_a_hand_from_reshuffled_stubs_again():
    house = drawn()
    house.play_out()
    auditor = Auditor(Nobody(), sealed_decks())
    for offset, (record, time_ms) in enumerate(house.log):
        value = encode_record(record)
        auditor.landed(LogRecord(topics.HAND_LOG, 0, offset, time_ms, record.table, value))
    assert auditor.ended == 1
    assert any(isinstance(e, Reshuffled) for record, _ in house.log for e in record.events)
    assert digest(folded(house)) == digest(house.table)
