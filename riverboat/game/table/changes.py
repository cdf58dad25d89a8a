"""What each event changes at a table, one function an event.

Each asserts what must have been true for the event to be possible, before it changes anything, so
that an event which cannot be folded leaves the table as it was. Nothing here knows of records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from riverboat.game.hand.mishaps import renew_clock, stop_clock
from riverboat.game.table.events import (
    BlindsMissed,
    BuyInReturned,
    CommandRefused,
    GameChosen,
    GameOffered,
    LeaveNoted,
    LineBack,
    LineLost,
    ListJoined,
    ListLeft,
    OptionsChanged,
    OptionsNoted,
    PlayerLeft,
    PlayerSeated,
    PreferencesSet,
    ReservationFailed,
    SatIn,
    SatOut,
    SeatFreed,
    SeatHeld,
    SeatReleased,
    SeatReserved,
    SitOutNoted,
    TableClosed,
    TableClosing,
    TableDraining,
    TableOpened,
    TablePaused,
    TableResumed,
    ToppedUp,
)
from riverboat.game.table.hand_changes import HAND_CHANGES
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.showing import forget
from riverboat.game.table.state import NO_GAME, Hold, Reservation, Sitting, Table, Waiter

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


def _draining(table: Table, _event: TableDraining, _time_ms: int) -> None:
    table.draining = True


def _options_noted(table: Table, event: OptionsNoted, _time_ms: int) -> None:
    table.coming = event.settings


def _options_changed(table: Table, event: OptionsChanged, _time_ms: int) -> None:
    assert table.deal is None, "options change between hands"
    before, after = table.settings, event.settings
    table.settings = after
    table.coming = None
    for sitting in table.sittings.values():
        if sitting.protections > after.protections:
            sitting.protections = after.protections
    if before is not None and (before.variant, before.limit) != (after.variant, after.limit):
        # Another list of games, or one game alone: what was chosen or begun of the old is over.
        table.choice = None
        table.chosen = NO_GAME
        table.game_at = table.game_left = 0


def _paused(table: Table, event: TablePaused, time_ms: int) -> None:
    assert not table.paused, "a table pauses once"
    if table.hand is not None:
        stop_clock(table.hand, time_ms)
    table.paused = event.reason
    table.paused_until_ms = event.until_ms
    table.paused_at_ms = time_ms


def _resumed(table: Table, _event: TableResumed, time_ms: int) -> None:
    assert table.paused, "only a table that waits goes on"
    if table.hand is not None:
        renew_clock(table.hand, time_ms)
        table.hand.since_ms = time_ms  # a step that is owed is owed anew
    waited_ms = time_ms - table.paused_at_ms
    choice = table.choice
    if choice is not None:
        table.choice = replace(choice, deadline_ms=choice.deadline_ms + waited_ms)
    for sitting in table.sittings.values():
        # Who sat out while the table waited is away from now on.
        if sitting.away:
            sitting.away_since_ms = min(sitting.away_since_ms + waited_ms, time_ms)
    table.paused = ""
    table.paused_until_ms = table.paused_at_ms = 0


# --- Chairs that are kept, and who waits for one.


def _held(table: Table, event: SeatHeld, _time_ms: int) -> None:
    assert event.player not in table.holds, "one chair is kept for a player"
    table.holds[event.player] = Hold(
        event.player, event.seat, event.deadline_ms, event.connection, event.offered
    )


def _released(table: Table, event: SeatReleased, _time_ms: int) -> None:
    del table.holds[event.player]


def _list_joined(table: Table, event: ListJoined, _time_ms: int) -> None:
    assert all(each.player != event.player for each in table.waiters), "a player waits once"
    table.waiters.append(Waiter(event.player, event.connection))


def _list_left(table: Table, event: ListLeft, _time_ms: int) -> None:
    at = [each.player for each in table.waiters].index(event.player)
    del table.waiters[at]


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
    if not event.top_up:
        table.holds.pop(event.player, None)


def _freed(table: Table, event: SeatFreed, _time_ms: int) -> None:
    table.reservations[event.reservation].freed = True


def _seated(table: Table, event: PlayerSeated, _time_ms: int) -> None:
    held = table.reservations[event.reservation]
    assert held.seat not in table.sittings, "a chair holds one player"
    assert sitting_of(table, held.player) is None, "a player sits once"
    assert table.settings is not None, "players sit at tables that were opened"
    del table.reservations[held.id]
    table.sittings[held.seat] = Sitting(
        held.seat,
        held.player,
        held.id,
        held.amount,
        post=held.post,
        line=held.connection,
        line_lost=held.line_lost,
        bank_ms=table.settings.bank_ms,
        protections=event.protections,
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
    held = table.reservations.pop(event.reservation)
    sitting = table.sittings.get(held.seat)
    if sitting is not None and sitting.id == held.top_up:
        # Whose money does not suffice is not asked for it again and again: he may wish it anew.
        sitting.top_up_below = sitting.top_up_to = 0


def _left(table: Table, event: PlayerLeft, _time_ms: int) -> None:
    sitting = table.sittings[event.seat]
    assert (sitting.id, sitting.player) == (event.sitting, event.player), "who leaves sat there"
    assert sitting.stack + sitting.behind == event.amount, "who leaves takes all he has"
    assert table.deal is None or event.seat not in table.deal.seats, "nobody leaves in a hand"
    del table.sittings[event.seat]
    if table.last is not None:
        forget(table.last, event.seat)
    table.cashed_out += event.amount


# --- Coming, going, lines.


def _sitting(table: Table, player: str) -> Sitting:
    sitting = sitting_of(table, player)
    assert sitting is not None, "events speak of players who sit here"
    return sitting


def _sat_out(table: Table, event: SatOut, time_ms: int) -> None:
    sitting = _sitting(table, event.player)
    if not sitting.away:
        sitting.away_since_ms = time_ms
        sitting.away_hands = 0
    sitting.away = True
    sitting.timed_out = False
    sitting.now = event.now
    sitting.at_big_blind = False


def _sat_in(table: Table, event: SatIn, _time_ms: int) -> None:
    sitting = _sitting(table, event.player)
    sitting.away = sitting.now = sitting.at_big_blind = False
    sitting.away_since_ms = sitting.away_hands = 0
    sitting.post = event.post


def _sit_out_noted(table: Table, event: SitOutNoted, _time_ms: int) -> None:
    _sitting(table, event.player).at_big_blind = True


def _preferences_set(table: Table, event: PreferencesSet, _time_ms: int) -> None:
    sitting, wanted = _sitting(table, event.player), event.preferences
    sitting.top_up_below = wanted.top_up_below
    sitting.top_up_to = wanted.top_up_to
    sitting.shows_losing = wanted.shows_losing
    sitting.straddles = wanted.straddles
    sitting.runs_most = wanted.runs_most


def _blinds_missed(table: Table, event: BlindsMissed, _time_ms: int) -> None:
    for seat in event.big:
        table.sittings[seat].owes_big = True
    for seat in event.small:
        table.sittings[seat].owes_small = True


def _leave_noted(table: Table, event: LeaveNoted, _time_ms: int) -> None:
    sitting = _sitting(table, event.player)
    if sitting.leaving:
        sitting.now = True  # he had given his hand up before he was removed
    sitting.leaving = True
    sitting.leaving_why = event.why


def _lines(table: Table, player: str) -> list[Sitting | Reservation | Hold | Waiter]:
    """What the player has here that hangs on his line: his sitting, or what he waits for."""
    sitting = sitting_of(table, player)
    if sitting is not None:
        return [sitting]
    found: list[Sitting | Reservation | Hold | Waiter] = [
        held for held in table.reservations.values() if held.player == player
    ]
    if player in table.holds:
        found.append(table.holds[player])
    return found + [waiter for waiter in table.waiters if waiter.player == player]


def _line_lost(table: Table, event: LineLost, _time_ms: int) -> None:
    for holder in _lines(table, event.player):
        if isinstance(holder, Sitting | Reservation):
            holder.line_lost = True


def _line_back(table: Table, event: LineBack, _time_ms: int) -> None:
    for holder in _lines(table, event.player):
        if isinstance(holder, Sitting | Reservation):
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
    SitOutNoted: _sit_out_noted,
    OptionsNoted: _options_noted,
    OptionsChanged: _options_changed,
    TablePaused: _paused,
    TableResumed: _resumed,
    TableDraining: _draining,
    SeatHeld: _held,
    SeatReleased: _released,
    ListJoined: _list_joined,
    ListLeft: _list_left,
    PreferencesSet: _preferences_set,
    CommandRefused: _refused,
    **HAND_CHANGES,
}
