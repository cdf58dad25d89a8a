"""Own: the part of a table that one player alone is shown.

His cards come out of the opened deck here and go into his part and no other. Nothing here sends it.
"""

from __future__ import annotations

import logging

from riverboat.game.hand.sight import own_cards
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log.deck_keys import KeyGone
from riverboat.log.sealing import BadDeck
from riverboat.runtime.logs import facts
from services.session import views
from services.session.preacts import PreActs
from services.session.watched import Watched

logger = logging.getLogger(__name__)


class Own:
    """Makes the parts of single players."""

    def __init__(self, decks: Decks, preacts: PreActs) -> None:
        self._decks = decks
        self._preacts = preacts

    def part(self, table: Table, watched: Watched, player: str, not_funded: str = "") -> bytes:
        """What this player alone may see of the table, as it stands."""
        hand = table.hand
        seat = None if hand is None else views.seat_of(hand, player)
        cards: tuple[int, ...] = ()
        if hand is not None and seat is not None and seat.places:
            cards = self._cards(table, hand, watched, seat)
        intent = self._preacts.intent(table.id, player)
        place = watched.places.get(player, 0)
        seen = views.private(table, player, seat, cards, not_funded, intent, place)
        return seen.SerializeToString()

    def _cards(self, table: Table, hand: Hand, watched: Watched, seat: Seat) -> tuple[int, ...]:
        """The seat's own cards, looked up once for each time that it gets some."""
        # The same places are other cards in the next hand, and maybe another player's.
        held = hand.id, seat.places
        known = watched.cards.get(seat.seat)
        if known is not None and known[0] == held:
            return known[1]
        try:
            cards = own_cards(hand, seat.seat, self._decks.open(table.id, hand))
        except (KeyGone, BadDeck):
            logger.exception("a deck does not open", extra=facts(table=table.id, hand=hand.id))
            return ()
        watched.cards[seat.seat] = held, cards
        return cards
