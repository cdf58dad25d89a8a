"""Disconnect protection, as it is promised to players, and as it may not be used. [RULES 7]

Holds what a time-out brought against the hand and the sitting that it was decided on, in the words
of the house rules and not of the code that obeys them. Decides nothing.
"""

from __future__ import annotations

from riverboat.game.hand.events import Folded, PlayerProtected, TimedOut
from riverboat.game.hand.state import Hand, Phase, Seat
from riverboat.game.record import Record
from riverboat.game.rules.schema import Raise
from riverboat.game.table.besides import PLAY
from riverboat.game.table.state import Table


def protected(table: Table, event: PlayerProtected, record: Record, time_ms: int) -> str:
    """Who plays on for what he has put in was promised that."""
    hand = table.hand
    if hand is None:
        return ""  # this reader has stopped it
    if hand.turn != event.seat:
        return f"seat {event.seat} is protected, and has no turn"
    if time_ms < hand.deadline_ms:
        return f"seat {event.seat} is protected before its time is up"
    why = _why_not(table, hand, hand.seats[event.seat])
    return f"seat {event.seat} is protected, though {why}" if why else ""


def folded(table: Table, event: Folded, record: Record, time_ms: int) -> str:
    """Who lost his line and his time does not lose his hand where he was promised to keep it."""
    hand, late = table.hand, record.events[0]
    if hand is None or not isinstance(late, TimedOut) or late.seat != event.seat:
        return ""
    if _why_not(table, hand, hand.seats[event.seat]):
        return ""
    return f"seat {event.seat} is folded, though its player is promised protection"


def _why_not(table: Table, hand: Hand, seat: Seat) -> str:
    sitting, settings = table.sittings[seat.seat], table.settings
    if hand.game.raise_rule not in (Raise.FIXED, Raise.SPREAD):
        return "the limit is neither fixed nor spread"
    if settings is None or settings.currency == PLAY:
        return "the table is for play money"
    if not sitting.line_lost:
        return "his line stands"
    if not sitting.protections:
        return "he has none left"
    if seat.kept:
        return "he is protected already"
    if seat.stack == seat.start:
        return "he has put nothing in"
    if hand.phase is Phase.BET and seat.bet >= hand.price:
        return "he may check"
    return ""
