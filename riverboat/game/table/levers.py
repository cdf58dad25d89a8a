"""Levers: an operator's orders to a table, from its opening to its end. [RULES 7, disputes]

Each can be ordered twice without being done twice. Moves no money: whoever is removed takes what is
his.
"""

from __future__ import annotations

from riverboat.game.commands import (
    ChangeOptions,
    CloseTable,
    DrainTable,
    OpenTable,
    RemovePlayer,
    VoidHand,
)
from riverboat.game.hand.events import HandVoided
from riverboat.game.hand.sight import OWN_REASONS
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import bad, bad_word
from riverboat.game.table.entry import is_invited
from riverboat.game.table.events import (
    Event,
    LeaveNoted,
    ListLeft,
    OptionsChanged,
    OptionsNoted,
    SeatFreed,
    SeatReleased,
    Settings,
    TableClosing,
    TableDraining,
    TableOpened,
)
from riverboat.game.table.given import Decision
from riverboat.game.table.leaving import cash_out
from riverboat.game.table.seats import in_hand, reservation_of, sitting_of
from riverboat.game.table.settings import fault
from riverboat.game.table.state import Table
from riverboat.game.table.waiting import nobody_waits

REMOVED = "removed"


def open_table(table: Table, order: OpenTable, _now_ms: int) -> Decision:
    """The table stands, if what it is to be makes sense."""
    if table.settings is not None:
        return Refusal(TableCode.ALREADY_OPEN)
    return fault(order.settings) or (TableOpened(order.settings),)


def change_options(table: Table, order: ChangeOptions, _now_ms: int) -> Decision:
    """Its options are others, from the next hand on; nothing, where they are so already."""
    refusal = _ended(table)
    if refusal is not None:
        return refusal
    assert table.settings is not None, "asked only of a table that was opened"
    if order.settings == (table.coming or table.settings):
        return None
    refusal = fault(order.settings) or _may_not_become(table, table.settings, order.settings)
    if refusal is not None:
        return refusal
    if table.deal is not None:
        return (OptionsNoted(order.settings),)
    return options_changed(table, order.settings)


def options_changed(table: Table, settings: Settings) -> tuple[Event, ...]:
    """The options are these now; who will be offered no chair under them waits for none."""
    gone = [
        waiter.player
        for waiter in table.waiters
        if not settings.offer_ms or not is_invited(settings, waiter.player)
    ]
    return (OptionsChanged(settings), *[ListLeft(player, "closed") for player in gone])


def drain_table(table: Table, order: DrainTable, _now_ms: int) -> Decision:
    """Nobody sits down any more; the table closes when fewer than two are left."""
    refusal = _ended(table)
    if refusal is not None:
        return refusal
    if table.draining:
        return Refusal(TableCode.TABLE_DRAINING)
    return (TableDraining(order.reason), *nobody_waits(table))


def close_table(table: Table, order: CloseTable, _now_ms: int) -> Decision:
    """No new hand and no new player; all are cashed out when the hand is over."""
    return _ended(table) or (TableClosing(order.reason), *nobody_waits(table))


def void_hand(table: Table, order: VoidHand, _now_ms: int) -> Decision:
    """The hand is called off; the players stay. Works where this reader has stopped the hand."""
    if table.deal is None or table.deal.hand != order.hand:
        return Refusal(TableCode.NO_SUCH_HAND, hand=order.hand)
    return (HandVoided(order.hand, order.reason),)


def remove_player(table: Table, order: RemovePlayer, _now_ms: int) -> Decision:
    """The player goes with all that is his, when the hand that he is in is over.

    A chair that is kept for him is free, and a buy-in that is on its way goes back.
    """
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    wrong = bad_word("reason", order.reason)
    if wrong is not None:
        return wrong
    if order.reason in OWN_REASONS:
        return bad("reason", f"{order.reason} is what happens without an order")
    player, sitting = order.player, sitting_of(table, order.player)
    if sitting is not None:
        if not in_hand(table, sitting.seat):
            return (cash_out(sitting, order.reason),)
        if sitting.leaving_why:
            return Refusal(TableCode.LEAVING)
        return (LeaveNoted(player, order.reason),)
    events: list[Event] = []
    held = reservation_of(table, player)
    if held is not None and not held.freed and not held.top_up:
        events.append(SeatFreed(held.id))
    if player in table.holds:
        events.append(SeatReleased(player, REMOVED))
    if any(waiter.player == player for waiter in table.waiters):
        events.append(ListLeft(player, REMOVED))
    return events or Refusal(TableCode.NOT_SEATED)


def _ended(table: Table) -> Refusal | None:
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    if table.closing:
        return Refusal(TableCode.TABLE_CLOSING)
    return None


def _may_not_become(table: Table, before: Settings, after: Settings) -> Refusal | None:
    """What an open table keeps: chips are of its currency, and promises of its rulebook."""
    for name in ("currency", "rulebook"):
        if getattr(before, name) != getattr(after, name):
            return bad(name, "must stay what it is at an open table")
    taken = [*table.sittings, *[hold.seat for hold in table.holds.values()]]
    taken += [held.seat for held in table.reservations.values() if not held.freed]
    if taken and after.seats < max(taken):
        return bad("seats", f"must be at least {max(taken)}")
    return None
