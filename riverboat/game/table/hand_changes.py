"""What the events of a hand change at its table: from its start, its end and table events alone.

So that a hand can be ended or voided by a reader who cannot fold it. Asserts before it changes
anything, as `changes.py` does; knows of no card but those that are shown when all is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import (
    HandEnded,
    HandStarted,
    HandVoided,
    PlayerProtected,
    TimedOut,
)
from riverboat.game.table.events import CardsShown
from riverboat.game.table.showing import last_of, turn_up
from riverboat.game.table.state import NO_GAME, Deal, Sitting, Table

Change = Callable[[Table, Any, int], None]


def _hand_started(table: Table, event: HandStarted, _time_ms: int) -> None:
    assert table.deal is None, "one hand at a time"
    assert table.choice is None, "no hand starts while its game is open"
    cap = table.settings.cap if table.settings is not None else 0
    for dealt in event.seats:
        sitting = table.sittings[dealt.seat]
        whole = sitting.stack + sitting.behind
        assert sitting.id == dealt.sitting, "who is dealt in sits there"
        assert dealt.stack == (min(whole, cap) if cap else whole), "a hand starts with all chips"
    for sitting in table.sittings.values():
        sitting.stack += sitting.behind
        sitting.behind = 0
        sitting.timed_out = False
        if sitting.away:
            sitting.away_hands += 1
    table.last = None
    table.hands = event.number
    table.deal = Deal(
        event.hand,
        tuple([dealt.seat for dealt in event.seats]),
        event.button,
        event.small_blind,
        event.big_blind,
        event.game_at,
        event.game_left,
    )


def _timed_out(table: Table, event: TimedOut, _time_ms: int) -> None:
    table.sittings[event.seat].timed_out = True


def _protected(table: Table, event: PlayerProtected, _time_ms: int) -> None:
    sitting, deal = table.sittings[event.seat], table.deal
    assert sitting.protections, "a protection is granted before it is used"
    assert deal is not None, "a protection is used in a hand"
    assert event.seat not in deal.protected, "it is used once a hand"
    sitting.protections -= 1
    deal.protected += (event.seat,)


def _cards_shown(table: Table, event: CardsShown, _time_ms: int) -> None:
    last = table.last
    if last is None:
        return  # a reader that stopped the hand knows nothing of what was held in it
    assert last.id == event.hand, "what is shown was just played"
    turn_up(last, event.seat, event.places)


def _hand_ended(table: Table, event: HandEnded, time_ms: int) -> None:
    deal = table.deal
    assert deal is not None, "what ends was being played"
    assert deal.hand == event.hand, "what ends was being played"
    assert sum([net.amount for net in event.nets]) == -event.rake, "a hand makes no money"
    assert sorted([net.seat for net in event.nets]) == sorted(deal.seats), "all dealt in are paid"
    for net in event.nets:
        sitting = table.sittings[net.seat]
        assert sitting.id == net.sitting, "the net is that of the sitting that played"
        assert sitting.stack + net.amount >= 0, "nobody loses more than he has"
    for net in event.nets:
        sitting = table.sittings[net.seat]
        sitting.stack += net.amount
        _bank(table, sitting, net.bank_ms)
        if deal.big_blind:
            # What he owed, he posted, or he had the big blind, which clears it all.
            sitting.fresh = sitting.owes_big = sitting.owes_small = False
        elif not sitting.owes_big:
            sitting.fresh = False
    table.raked += event.rake
    # Between games that have them, button and blinds stay where they were.
    if deal.button:
        table.button = deal.button
    if deal.big_blind:
        table.small_blind = deal.small_blind
        table.big_blind = deal.big_blind
    table.game_at = deal.game_at
    table.game_left = deal.game_left
    table.chosen = NO_GAME
    table.last = last_of(table.hand) if table.hand is not None else None
    _over(table, time_ms)


def _bank(table: Table, sitting: Sitting, left_ms: int) -> None:
    """What the hand left of his time bank, and what is added to it after so many hands of his."""
    settings = table.settings
    sitting.bank_ms = left_ms
    if settings is None or not settings.bank_refill_hands:
        return
    sitting.bank_hands += 1
    if sitting.bank_hands >= settings.bank_refill_hands:
        sitting.bank_hands = 0
        sitting.bank_ms = max(left_ms, min(left_ms + settings.bank_refill_ms, settings.bank_ms))


def _hand_voided(table: Table, event: HandVoided, time_ms: int) -> None:
    deal = table.deal
    assert deal is not None, "what is voided was being played"
    assert deal.hand == event.hand, "what is voided was being played"
    # Stacks and banks still are what they were at the start, and so is the button: the hand never
    # was. What was used in it to play on, was not. [RULES 7, server failure]
    for seat in deal.protected:
        table.sittings[seat].protections += 1
    _over(table, time_ms)


def _over(table: Table, time_ms: int) -> None:
    table.deal = table.hand = None
    table.hand_over_ms = time_ms
    if not table.lost:
        table.stopped = ""
        table.stopped_at = 0


HAND_CHANGES: Final[dict[type, Change]] = {
    HandStarted: _hand_started,
    TimedOut: _timed_out,
    PlayerProtected: _protected,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
    CardsShown: _cards_shown,
}
