"""What each event changes at a table, one function an event.

Each asserts what must have been true for the event to be possible, before it changes anything, so
that an event which cannot be folded leaves the table as it was. Nothing here knows of records.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import HandEnded, HandStarted, HandVoided, TimedOut
from riverboat.game.table.events import (
    BlindsMissed,
    BuyInReturned,
    CommandRefused,
    GameChosen,
    GameOffered,
    LeaveNoted,
    LineBack,
    LineLost,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SatIn,
    SatOut,
    SeatFreed,
    SeatReserved,
    TableClosed,
    TableClosing,
    TableOpened,
    ToppedUp,
)
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.state import NO_GAME, Deal, Reservation, Sitting, Table

Change = Callable[[Table, Any, int], None]

# --- The table's life.


def _opened(table: Table, event: TableOpened, _time_ms: int) -> None:
    assert table.settings is None, "a table opens once"
    table.settings = event.settings


def _closing(table: Table, _event: TableClosing, _time_ms: int) -> None:
    table.closing = True


def _closed(table: Table, _event: TableClosed, _time_ms: int) -> None:
    assert not table.sittings, "a table closes when everybody has gone"
    assert not table.reservations, "a table closes when no money is on its way"
    table.closed = True


# --- Money on its way.


def _reserved(table: Table, event: SeatReserved, _time_ms: int) -> None:
    assert event.reservation not in table.reservations, "a reservation is made once"
    assert event.amount > 0, "money moves forward"
    table.reservations[event.reservation] = Reservation(
        event.reservation,
        event.player,
        event.seat,
        event.amount,
        event.top_up,
        event.deadline_ms,
        event.connection,
        post=event.post,
    )


def _freed(table: Table, event: SeatFreed, _time_ms: int) -> None:
    table.reservations[event.reservation].freed = True


def _seated(table: Table, event: PlayerSeated, _time_ms: int) -> None:
    held = table.reservations[event.reservation]
    assert held.seat not in table.sittings, "a chair holds one player"
    assert sitting_of(table, held.player) is None, "a player sits once"
    del table.reservations[held.id]
    table.sittings[held.seat] = Sitting(
        held.seat,
        held.player,
        held.id,
        held.amount,
        post=held.post,
        line=held.connection,
        line_lost=held.line_lost,
    )
    table.bought_in += held.amount


def _topped_up(table: Table, event: ToppedUp, _time_ms: int) -> None:
    held = table.reservations[event.reservation]
    sitting = table.sittings[held.seat]
    assert sitting.id == held.top_up, "chips go to the sitting they were asked for"
    del table.reservations[held.id]
    sitting.behind += held.amount
    table.bought_in += held.amount


def _returned(table: Table, event: BuyInReturned, _time_ms: int) -> None:
    del table.reservations[event.reservation]


def _failed(table: Table, event: ReservationFailed, _time_ms: int) -> None:
    del table.reservations[event.reservation]


def _left(table: Table, event: PlayerLeft, _time_ms: int) -> None:
    sitting = table.sittings[event.seat]
    assert (sitting.id, sitting.player) == (event.sitting, event.player), "who leaves sat there"
    assert sitting.stack + sitting.behind == event.amount, "who leaves takes all he has"
    assert table.deal is None or event.seat not in table.deal.seats, "nobody leaves in a hand"
    del table.sittings[event.seat]
    table.cashed_out += event.amount


# --- Coming, going, lines.


def _sitting(table: Table, player: str) -> Sitting:
    sitting = sitting_of(table, player)
    assert sitting is not None, "events speak of players who sit here"
    return sitting


def _sat_out(table: Table, event: SatOut, _time_ms: int) -> None:
    sitting = _sitting(table, event.player)
    sitting.away = True
    sitting.timed_out = False


def _sat_in(table: Table, event: SatIn, _time_ms: int) -> None:
    sitting = _sitting(table, event.player)
    sitting.away = False
    sitting.post = event.post


def _blinds_missed(table: Table, event: BlindsMissed, _time_ms: int) -> None:
    for seat in event.big:
        table.sittings[seat].owes_big = True
    for seat in event.small:
        table.sittings[seat].owes_small = True


def _leave_noted(table: Table, event: LeaveNoted, _time_ms: int) -> None:
    _sitting(table, event.player).leaving = True


def _lines(table: Table, player: str) -> list[Sitting | Reservation]:
    """What the player has here that hangs on his line: his sitting, or the seat he waits for."""
    sitting = sitting_of(table, player)
    if sitting is not None:
        return [sitting]
    return [held for held in table.reservations.values() if held.player == player]


def _line_lost(table: Table, event: LineLost, _time_ms: int) -> None:
    for holder in _lines(table, event.player):
        holder.line_lost = True


def _line_back(table: Table, event: LineBack, _time_ms: int) -> None:
    for holder in _lines(table, event.player):
        holder.line_lost = False
        if isinstance(holder, Sitting):
            holder.line = event.connection
        else:
            holder.connection = event.connection


# --- Which game comes next.


def _game_offered(table: Table, event: GameOffered, _time_ms: int) -> None:
    assert table.deal is None, "games are chosen between hands"
    assert event.games, "there is something to choose from"
    table.choice = event
    # What was chosen before gives way: it could not be dealt.
    table.chosen = NO_GAME
    table.game_left = 0


def _game_chosen(table: Table, event: GameChosen, _time_ms: int) -> None:
    assert table.choice is not None, "a choice is made once, while it is open"
    assert table.choice.player == event.player, "it is made by, or for, who has it"
    table.choice = None
    table.chooser = event.seat
    table.chosen = event.game_at


def _refused(_table: Table, _event: CommandRefused, _time_ms: int) -> None:
    """Nothing: the answer is remembered with the envelope."""


# --- The hand, as the table needs it: from `HandStarted` and table events alone.


def _hand_started(table: Table, event: HandStarted, _time_ms: int) -> None:
    assert table.deal is None, "one hand at a time"
    assert table.choice is None, "no hand starts while its game is open"
    for dealt in event.seats:
        sitting = table.sittings[dealt.seat]
        assert sitting.id == dealt.sitting, "who is dealt in sits there"
        assert sitting.stack + sitting.behind == dealt.stack, "the hand starts with all his chips"
    for sitting in table.sittings.values():
        sitting.stack += sitting.behind
        sitting.behind = 0
        sitting.timed_out = False
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
    _over(table, time_ms)


def _hand_voided(table: Table, event: HandVoided, time_ms: int) -> None:
    assert table.deal is not None, "what is voided was being played"
    assert table.deal.hand == event.hand, "what is voided was being played"
    # Stacks still are what they were at the start, and so is the button: the hand never was.
    _over(table, time_ms)


def _over(table: Table, time_ms: int) -> None:
    table.deal = table.hand = None
    table.hand_over_ms = time_ms
    if not table.lost:
        table.stopped = ""
        table.stopped_at = 0


CHANGES: Final[dict[type, Change]] = {
    TableOpened: _opened,
    TableClosing: _closing,
    TableClosed: _closed,
    SeatReserved: _reserved,
    SeatFreed: _freed,
    PlayerSeated: _seated,
    ToppedUp: _topped_up,
    BuyInReturned: _returned,
    ReservationFailed: _failed,
    SatOut: _sat_out,
    SatIn: _sat_in,
    BlindsMissed: _blinds_missed,
    LeaveNoted: _leave_noted,
    PlayerLeft: _left,
    LineLost: _line_lost,
    LineBack: _line_back,
    GameOffered: _game_offered,
    GameChosen: _game_chosen,
    CommandRefused: _refused,
    HandStarted: _hand_started,
    TimedOut: _timed_out,
    HandEnded: _hand_ended,
    HandVoided: _hand_voided,
}
