"""The dealer's answers: what a table makes of a player's command or an order of the house.

Each tells events, or why not, or nothing at all: an answer to a reservation that is not there is
counted and ignored. Deals no cards, and never looks at who may win.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.commands import (
    Asked,
    ChangeOptions,
    ChooseGame,
    CloseTable,
    DrainTable,
    Funded,
    HoldSeat,
    JoinList,
    Leave,
    LeaveList,
    LoseLine,
    NotFunded,
    OpenTable,
    Ordered,
    PauseTable,
    RegainLine,
    ReleaseSeat,
    RemovePlayer,
    ResumeTable,
    SetPreferences,
    ShowCards,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.ids import instance_of
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table import choice, levers, pausing, waiting
from riverboat.game.table.debts import owes
from riverboat.game.table.entry import is_invited, is_kept_apart, sit_down
from riverboat.game.table.events import (
    BuyInReturned,
    LeaveNoted,
    LineBack,
    LineLost,
    ListLeft,
    PlayerSeated,
    ReservationFailed,
    SatIn,
    SatOut,
    SitOutNoted,
    ToppedUp,
)
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.leaving import cash_out
from riverboat.game.table.mixed import has_blinds
from riverboat.game.table.preferences import set_preferences
from riverboat.game.table.seats import in_hand, reservation_of, sitting_of
from riverboat.game.table.showing import show_cards
from riverboat.game.table.state import Table
from riverboat.game.table.topping import top_up


def answer(table: Table, message: Asked | Ordered, given: Given) -> Decision:
    """What comes of `message`, of any kind that the dealer takes."""
    if isinstance(message, Ordered):
        return ORDERS[type(message.order)](table, message.order, given.now_ms)
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    return COMMANDS[type(message.command)](table, message, message.command, given)


# --- Players.


def leave(table: Table, asked: Asked, _command: Leave, _given: Given) -> Decision:
    """He goes with all his chips: now, or when the hand that he is in is over."""
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    if in_hand(table, sitting.seat):
        return (LeaveNoted(asked.player),)
    return (cash_out(sitting, "asked"),)


def sit_out(table: Table, asked: Asked, command: SitOut, _given: Given) -> Decision:
    """He is dealt no further hand; one that he is in goes on, without him where he says so."""
    assert table.settings is not None, "asked only of a table that was opened"
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    now = command.now and in_hand(table, sitting.seat) and not sitting.now
    if now:
        return (SatOut(asked.player, "asked", now=True),)
    if sitting.away:
        return Refusal(TableCode.ALREADY_AWAY)
    # Where no game has a big blind, none will come to him.
    if command.at_big_blind and not command.now and has_blinds(table.settings):
        if sitting.at_big_blind:
            return Refusal(TableCode.ALREADY_AWAY)
        return (SitOutNoted(asked.player),)
    return (SatOut(asked.player, "asked"),)


def sit_in(table: Table, asked: Asked, command: SitIn, _given: Given) -> Decision:
    """He is dealt in again, as his debts allow; who waits already may choose to post after all."""
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    changes_his_mind = owes(sitting) and sitting.post != command.post
    if not sitting.away and not sitting.at_big_blind and not changes_his_mind:
        return Refusal(TableCode.NOT_AWAY)
    return (SatIn(asked.player, command.post),)


def choose_game(table: Table, asked: Asked, command: ChooseGame, _given: Given) -> Decision:
    """The game that he may choose comes next. [RULES 8, dealer's choice]"""
    return choice.choose(table, asked, command)


def lose_line(table: Table, asked: Asked, command: LoseLine, given: Given) -> Decision:
    """His line is gone, unless a newer one stands; who only waits for a chair waits no longer."""
    line = _line(table, asked.player)
    if line is None:
        return Refusal(TableCode.NOT_SEATED)
    if line and line != command.connection:
        return Refusal(TableCode.STALE_LINE)
    if any(waiter.player == asked.player for waiter in table.waiters):
        return (ListLeft(asked.player, "line_lost"),)
    lost = LineLost(asked.player, command.connection, command.gateway)
    if not command.gateway:
        return (lost,)
    # A gateway that ends in order, or is back at once, tells of its lines one by one.
    assert table.settings is not None, "lines stand at tables that were opened"
    gone = pausing.lost_at(table, instance_of(command.connection)) | {asked.player}
    return (lost, *pausing.waits_for(table, table.settings, gone, given.now_ms))


def regain_line(table: Table, asked: Asked, command: RegainLine, _given: Given) -> Decision:
    """His line stands; it replaces an older one."""
    if _line(table, asked.player) is None:
        return Refusal(TableCode.NOT_SEATED)
    return (LineBack(asked.player, command.connection),)


def _line(table: Table, player: str) -> str | None:
    sitting = sitting_of(table, player)
    if sitting is not None:
        return sitting.line
    waits = reservation_of(table, player) or table.holds.get(player)
    if waits is not None:
        return waits.connection
    return next((each.connection for each in table.waiters if each.player == player), None)


# --- The wallet.


def funded(table: Table, order: Funded, _now_ms: int) -> Decision:
    """The money is there: it is seated, or goes back where its seat is gone."""
    held = table.reservations.get(order.reservation)
    if held is None:
        return None
    if held.top_up:
        sitting = table.sittings.get(held.seat)
        if sitting is None or sitting.id != held.top_up:
            return (BuyInReturned(held.id),)
        return (ToppedUp(held.id),)
    assert table.settings is not None, "reservations stand at tables that were opened"
    # The options may be others than when he asked for the seat.
    barred = not is_invited(table.settings, held.player) or is_kept_apart(
        table, table.settings, held.player
    )
    if held.freed or table.closing or barred:
        return (BuyInReturned(held.id),)
    return (PlayerSeated(held.id, order.protections),)


def not_funded(table: Table, order: NotFunded, _now_ms: int) -> Decision:
    """There is no money: the seat is free again."""
    if order.reservation not in table.reservations:
        return None
    return (ReservationFailed(order.reservation, order.reason),)


COMMANDS: Final[dict[type, Callable[[Table, Asked, Any, Given], Decision]]] = {
    SitDown: sit_down,
    TopUp: top_up,
    Leave: leave,
    SitOut: sit_out,
    SitIn: sit_in,
    ChooseGame: choose_game,
    ShowCards: show_cards,
    HoldSeat: waiting.hold_seat,
    ReleaseSeat: waiting.release_seat,
    JoinList: waiting.join_list,
    LeaveList: waiting.leave_list,
    SetPreferences: set_preferences,
    LoseLine: lose_line,
    RegainLine: regain_line,
}

ORDERS: Final[dict[type, Callable[[Table, Any, int], Decision]]] = {
    Funded: funded,
    NotFunded: not_funded,
    OpenTable: levers.open_table,
    ChangeOptions: levers.change_options,
    DrainTable: levers.drain_table,
    CloseTable: levers.close_table,
    VoidHand: levers.void_hand,
    RemovePlayer: levers.remove_player,
    PauseTable: pausing.pause_table,
    ResumeTable: pausing.resume_table,
}
