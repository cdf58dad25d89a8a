"""Law 5: no card is dealt twice, and none is turned up before the rules do it, nor another one.

With the keys of the decks every showdown is judged again. Opens decks and looks at events; folds
nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from riverboat.game.hand.events import (
    Drew,
    HandEnded,
    HandShown,
    HandStarted,
    HandVoided,
    StreetDealt,
)
from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import Hand
from riverboat.game.record import Record
from riverboat.game.table.events import CardsShown
from riverboat.game.table.given import Decks, OpenDeck
from riverboat.game.table.showdown import open_handed
from riverboat.game.table.showing import held_by
from riverboat.game.table.state import Last, Table
from riverboat.log.deck_keys import KeyGone
from riverboat.log.sealing import BadDeck, proven
from riverboat.sim.laws import CARDS, CHIPS, LawBroken, at


class Cards:
    """What was dealt and shown in the hands that run. Without `decks` no deck is opened."""

    def __init__(self, decks: Decks | None) -> None:
        self._decks = decks
        self._dealt: dict[str, set[int]] = {}
        self._closed: set[str] = set()  # hands that run and whose key is gone
        self.unopened: dict[str, tuple[int, str]] = {}  # why: how many hands, and the first

    def before(self, table: Table, record: Record) -> None:
        """The hand's end, and what is shown behind it, held against the cards."""
        hand = table.hand
        for event in record.events:
            if isinstance(event, CardsShown):
                self._shown_after(table, record, event)
        if hand is None or not _ends(record):
            return
        for event in record.events:
            if isinstance(event, HandShown):
                self._open(table, hand, _cards_of(hand, event), event.proofs)
        deck = self._opened(table, hand)
        if deck is None:
            return
        hole = {
            number: tuple(deck.order[place] for place in seat.places)
            for number, seat in hand.seats.items()
            if not seat.folded
        }
        mine = judge(hand, hole, deck.prove, open_handed=open_handed(table))
        if tuple(mine) != record.events:
            what = f"{record.id} judged {record.events}, the cards say {mine}"
            raise LawBroken(CHIPS, at(table), what)

    def _shown_after(self, table: Table, record: Record, event: CardsShown) -> None:
        """What a player shows of his own accord, once the hand is over."""
        last = table.last
        if last is None or last.id != event.hand:
            raise LawBroken(CARDS, at(table), f"{record.id} shows cards of no hand that is over")
        if not event.places or not set(held_by(last, event.seat)).issuperset(event.places):
            raise LawBroken(CARDS, at(table), f"{record.id} shows cards that he does not hold")
        self._open(table, last, dict(zip(event.places, event.cards, strict=True)), event.proofs)

    def after(self, table: Table, record: Record) -> None:
        """What was dealt and shown, now that it stands."""
        for event in record.events:
            look = _LOOKS.get(type(event))
            if look is not None:
                look(self, table, record, event)

    def _started(self, table: Table, _record: Record, event: HandStarted) -> None:
        self._dealt[event.hand] = set()
        if table.hand is None:
            return
        deck = self._opened(table, table.hand)
        if deck is not None and len(set(deck.order)) != len(deck.order):
            raise LawBroken(CARDS, at(table), "the deck holds a card twice")

    def _street_dealt(self, table: Table, record: Record, event: StreetDealt) -> None:
        hand = table.hand
        if hand is None:
            return
        places = [place for to in event.to for place in (*to.down, *to.up_places)]
        places += [place for board in event.board for place in board.places]
        self._deal(table, hand, record, places)
        shown = {
            place: card for to in event.to for place, card in zip(to.up_places, to.up, strict=True)
        }
        for board in event.board:
            shown |= dict(zip(board.places, board.cards, strict=True))
        self._open(table, hand, shown, event.proofs)

    def _drew(self, table: Table, record: Record, event: Drew) -> None:
        if table.hand is not None:
            self._deal(table, table.hand, record, event.places)

    def _deal(self, table: Table, hand: Hand, record: Record, places: Sequence[int]) -> None:
        dealt = self._dealt.setdefault(hand.id, set())
        if len(set(places)) != len(places) or dealt & set(places):
            raise LawBroken(CARDS, at(table), f"{record.id} deals a card twice")
        dealt |= set(places)

    def _shown(self, table: Table, record: Record, event: HandShown) -> None:
        hand = table.hand
        if _ends(record):
            return  # looked at before
        if hand is None:
            raise LawBroken(CARDS, at(table), f"{record.id} shows cards without a hand")
        seat = hand.seats[event.seat]
        if seat.folded:
            raise LawBroken(CARDS, at(table), f"{record.id} shows a folded hand")
        live = [other for other in hand.seats.values() if not other.folded]
        betting_is_over = len(live) > 1 and sum(other.stack > 0 for other in live) < 2
        if not betting_is_over:
            raise LawBroken(CARDS, at(table), f"{record.id} shows cards before their time")
        self._open(table, hand, _cards_of(hand, event), event.proofs)

    def _open(self, table: Table, hand: Hand | Last, shown: dict[int, int], proofs: bytes) -> None:
        deck = self._opened(table, hand)
        if deck is not None and any(deck.order[place] != card for place, card in shown.items()):
            raise LawBroken(CARDS, at(table), "a card is shown that was not dealt")
        if not proven(hand, shown, proofs):
            raise LawBroken(CARDS, at(table), "a shown card's proof does not hold")

    def _opened(self, table: Table, hand: Hand | Last) -> OpenDeck | None:
        """The hand's deck; nothing where none is to be opened, or where its key is gone.

        That a day's key is destroyed is how cards that nobody saw are forgotten: no law is broken,
        but somebody must be told that these hands were not checked.
        """
        if self._decks is None:
            return None
        try:
            return self._decks.open(table.id, hand)
        except KeyGone as gone:
            hands, first = self.unopened.get(str(gone), (0, at(table)))
            if hand.id not in self._closed:
                self._closed.add(hand.id)
                self.unopened[str(gone)] = hands + 1, first
            return None
        except BadDeck as bad:
            raise LawBroken(CARDS, at(table), str(bad)) from None

    def _over(self, _table: Table, _record: Record, event: HandEnded | HandVoided) -> None:
        self._dealt.pop(event.hand, None)
        self._closed.discard(event.hand)


def _ends(record: Record) -> bool:
    return any(isinstance(event, HandEnded) for event in record.events)


def _cards_of(hand: Hand, event: HandShown) -> dict[int, int]:
    return dict(zip(hand.seats[event.seat].places, event.cards, strict=True))


_LOOKS: dict[type, Any] = {
    HandStarted: Cards._started,
    Drew: Cards._drew,
    StreetDealt: Cards._street_dealt,
    HandShown: Cards._shown,
    HandEnded: Cards._over,
    HandVoided: Cards._over,
}
