"""The dealer's answers: what a table makes of a player's command or an order of the house.

Each tells events, or why not, or nothing at all: an answer to a reservation that is not there is
counted and ignored. Deals no cards, and never looks at who may win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from riverboat.game.commands import (
    Asked,
    ChooseGame,
    CloseTable,
    Funded,
    Leave,
    LoseLine,
    NotFunded,
    OpenTable,
    Ordered,
    RegainLine,
    ShowCards,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.hand.events import HandVoided
from riverboat.game.ids import reservation_id
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table import choice
from riverboat.game.table.debts import owes
from riverboat.game.table.events import (
    BuyInReturned,
    Event,
    LeaveNoted,
    LineBack,
    LineLost,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SatIn,
    SatOut,
    SeatReserved,
    TableClosing,
    TableOpened,
    ToppedUp,
)
from riverboat.game.table.given import Given
from riverboat.game.table.seats import (
    free_seat,
    in_hand,
    is_taken,
    reservation_of,
    sitting_of,
)
from riverboat.game.table.settings import AMOUNT_MOST, buy_in_bounds, fault
from riverboat.game.table.showing import show_cards
from riverboat.game.table.state import Sitting, Table

Decision = Sequence[Event] | Refusal | None


def answer(table: Table, message: Asked | Ordered, given: Given) -> Decision:
    """What comes of `message`, of any kind that the dealer takes."""
    if isinstance(message, Ordered):
        return ORDERS[type(message.order)](table, message.order)
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    return COMMANDS[type(message.command)](table, message, message.command, given)


# --- Players.


def sit_down(table: Table, asked: Asked, command: SitDown, given: Given) -> Decision:
    """A seat is held, and the wallet is asked for the money. [ARCHITECTURE 5]"""
    assert table.settings is not None, "asked only of a table that was opened"
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    sitting = sitting_of(table, asked.player)
    if sitting is not None:
        return Refusal(TableCode.ALREADY_SEATED, seat=sitting.seat)
    if reservation_of(table, asked.player) is not None:
        return Refusal(TableCode.ALREADY_RESERVED)
    if not 0 <= command.seat <= table.settings.seats:
        return Refusal(TableCode.NO_SUCH_SEAT, seats=table.settings.seats)
    if command.seat and is_taken(table, command.seat):
        return Refusal(TableCode.SEAT_TAKEN, seat=command.seat)
    seat = command.seat or free_seat(table)
    if seat is None:
        return Refusal(TableCode.TABLE_FULL)
    least, most = buy_in_bounds(table.settings)
    if command.amount < least:
        return Refusal(TableCode.BELOW_LEAST_BUY_IN, least=least)
    if command.amount > (most or AMOUNT_MOST):
        return Refusal(TableCode.ABOVE_MOST_BUY_IN, most=most or AMOUNT_MOST)
    return (
        SeatReserved(
            reservation_id(table.id, asked.player, asked.number, given.offset),
            asked.player,
            seat,
            command.amount,
            "",
            given.now_ms + table.settings.reserve_ms,
            command.connection,
            command.post,
        ),
    )


def top_up(table: Table, asked: Asked, command: TopUp, given: Given) -> Decision:
    """Chips are asked for; they play from the next hand on. [RULES 4, field]"""
    assert table.settings is not None, "asked only of a table that was opened"
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    if reservation_of(table, asked.player) is not None:
        return Refusal(TableCode.ALREADY_RESERVED)
    if command.amount < 1:
        return Refusal(TableCode.BELOW_LEAST_BUY_IN, least=1)
    _, most = buy_in_bounds(table.settings)
    # In a hand he counts for what he had at its start: he may still have it, or more, at its end.
    room = (most or AMOUNT_MOST) - sitting.stack - sitting.behind
    if command.amount > room:
        return Refusal(TableCode.ABOVE_MOST_BUY_IN, most=max(room, 0))
    return (
        SeatReserved(
            reservation_id(table.id, asked.player, asked.number, given.offset),
            asked.player,
            sitting.seat,
            command.amount,
            sitting.id,
            given.now_ms + table.settings.reserve_ms,
            sitting.line,
            False,
        ),
    )


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


def sit_out(table: Table, asked: Asked, _command: SitOut, _given: Given) -> Decision:
    """He is dealt no further hand; one that he is in goes on."""
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    if sitting.away:
        return Refusal(TableCode.ALREADY_AWAY)
    return (SatOut(asked.player, "asked"),)


def sit_in(table: Table, asked: Asked, command: SitIn, _given: Given) -> Decision:
    """He is dealt in again, as his debts allow; who waits already may choose to post after all."""
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    changes_his_mind = owes(sitting) and sitting.post != command.post
    if not sitting.away and not changes_his_mind:
        return Refusal(TableCode.NOT_AWAY)
    return (SatIn(asked.player, command.post),)


def choose_game(table: Table, asked: Asked, command: ChooseGame, _given: Given) -> Decision:
    """The game that he may choose comes next. [RULES 8, dealer's choice]"""
    return choice.choose(table, asked, command)


def lose_line(table: Table, asked: Asked, command: LoseLine, _given: Given) -> Decision:
    """His line is gone, unless a newer one stands."""
    line = _line(table, asked.player)
    if line is None:
        return Refusal(TableCode.NOT_SEATED)
    if line and line != command.connection:
        return Refusal(TableCode.STALE_LINE)
    return (LineLost(asked.player, command.connection, command.gateway),)


def regain_line(table: Table, asked: Asked, command: RegainLine, _given: Given) -> Decision:
    """His line stands; it replaces an older one."""
    if _line(table, asked.player) is None:
        return Refusal(TableCode.NOT_SEATED)
    return (LineBack(asked.player, command.connection),)


def _line(table: Table, player: str) -> str | None:
    sitting = sitting_of(table, player)
    if sitting is not None:
        return sitting.line
    held = reservation_of(table, player)
    return None if held is None else held.connection


# --- The house.


def funded(table: Table, order: Funded) -> Decision:
    """The money is there: it is seated, or goes back where its seat is gone."""
    held = table.reservations.get(order.reservation)
    if held is None:
        return None
    if held.top_up:
        sitting = table.sittings.get(held.seat)
        if sitting is None or sitting.id != held.top_up:
            return (BuyInReturned(held.id),)
        return (ToppedUp(held.id),)
    if held.freed or table.closing:
        return (BuyInReturned(held.id),)
    return (PlayerSeated(held.id, order.protections),)


def not_funded(table: Table, order: NotFunded) -> Decision:
    """There is no money: the seat is free again."""
    if order.reservation not in table.reservations:
        return None
    return (ReservationFailed(order.reservation, order.reason),)


def open_table(table: Table, order: OpenTable) -> Decision:
    """The table stands, if what it is to be makes sense."""
    if table.settings is not None:
        return Refusal(TableCode.ALREADY_OPEN)
    return fault(order.settings) or (TableOpened(order.settings),)


def close_table(table: Table, order: CloseTable) -> Decision:
    """No new hand and no new player; all are cashed out when the hand is over."""
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    return (TableClosing(order.reason),)


def void_hand(table: Table, order: VoidHand) -> Decision:
    """The hand is called off; the players stay. Works where this reader has stopped the hand."""
    if table.deal is None or table.deal.hand != order.hand:
        return Refusal(TableCode.NO_SUCH_HAND, hand=order.hand)
    return (HandVoided(order.hand, order.reason),)


# --- Both need it.


def cash_out(sitting: Sitting, why: str) -> PlayerLeft:
    """The player goes with everything he has here."""
    amount = sitting.stack + sitting.behind
    return PlayerLeft(sitting.player, sitting.id, sitting.seat, amount, why)


COMMANDS: Final[dict[type, Callable[[Table, Asked, Any, Given], Decision]]] = {
    SitDown: sit_down,
    TopUp: top_up,
    Leave: leave,
    SitOut: sit_out,
    SitIn: sit_in,
    ChooseGame: choose_game,
    ShowCards: show_cards,
    LoseLine: lose_line,
    RegainLine: regain_line,
}

ORDERS: Final[dict[type, Callable[[Table, Any], Decision]]] = {
    Funded: funded,
    NotFunded: not_funded,
    OpenTable: open_table,
    CloseTable: close_table,
    VoidHand: void_hand,
}
