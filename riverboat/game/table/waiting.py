"""Waiting for a chair: chairs that are held for a time, and the list of those who want one.

A free chair is offered to the first of the list, who has a set time to buy in; then it goes to the
next. While somebody waits, nobody else takes a free chair. Reserves no money: that is sitting down.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.commands import Asked, HoldSeat, JoinList, LeaveList, ReleaseSeat
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.entry import chair_for, is_kept_apart, why_barred
from riverboat.game.table.events import (
    Event,
    ListJoined,
    ListLeft,
    SeatHeld,
    SeatReleased,
    Settings,
)
from riverboat.game.table.given import Alarm, Decision, Given
from riverboat.game.table.seats import free_seat
from riverboat.game.table.state import Table, Waiter

# A list is part of the table that every hand carries along; who stands behind these waits for days.
WAITERS_MOST = 100


def hold_seat(table: Table, asked: Asked, command: HoldSeat, given: Given) -> Decision:
    """A chair is kept for the player while he buys in."""
    assert table.settings is not None, "asked only of a table that was opened"
    if not table.settings.hold_ms:
        return Refusal(TableCode.NO_HOLDS)
    barred = why_barred(table, asked.player, command.code_digest) or _held(table, asked.player)
    if barred is not None:
        return barred
    seat = chair_for(table, asked.player, command.seat)
    if isinstance(seat, Refusal):
        return seat
    deadline_ms = given.now_ms + table.settings.hold_ms
    return (SeatHeld(asked.player, seat, deadline_ms, command.connection),)


def release_seat(table: Table, asked: Asked, _command: ReleaseSeat, _given: Given) -> Decision:
    """The chair is free for others."""
    if asked.player not in table.holds:
        return Refusal(TableCode.NOT_HELD)
    return (SeatReleased(asked.player, "asked"),)


def join_list(table: Table, asked: Asked, command: JoinList, _given: Given) -> Decision:
    """He waits behind those who wait already."""
    assert table.settings is not None, "asked only of a table that was opened"
    if not table.settings.offer_ms:
        return Refusal(TableCode.NO_LIST)
    barred = why_barred(table, asked.player, command.code_digest) or _held(table, asked.player)
    if barred is not None:
        return barred
    place = _place(table, asked.player)
    if place:
        return Refusal(TableCode.ALREADY_WAITING, place=place)
    seat = free_seat(table)
    if seat is not None and not table.waiters:
        return Refusal(TableCode.CHAIR_IS_FREE, seat=seat)
    if len(table.waiters) >= WAITERS_MOST:
        return Refusal(TableCode.LIST_FULL, most=WAITERS_MOST)
    return (ListJoined(asked.player, command.connection),)


def leave_list(table: Table, asked: Asked, _command: LeaveList, _given: Given) -> Decision:
    """He does not wait any more."""
    if not _place(table, asked.player):
        return Refusal(TableCode.NOT_WAITING)
    return (ListLeft(asked.player, "asked"),)


def offer(table: Table, settings: Settings, now_ms: int) -> Sequence[Event]:
    """A free chair, held for the first who may have it.

    Whoever may not sit with somebody who is here is passed over, and keeps his place.
    """
    first = due(table, settings)
    seat = free_seat(table)
    if first is None or seat is None:
        return ()
    deadline_ms = now_ms + settings.offer_ms
    held = SeatHeld(first.player, seat, deadline_ms, first.connection, offered=True)
    return (ListLeft(first.player, "offered"), held)


def due(table: Table, settings: Settings) -> Waiter | None:
    """Who is offered a chair now, if one is free and somebody waits."""
    if not table.waiters or table.closing or free_seat(table) is None:
        return None
    for waiter in table.waiters:
        if not is_kept_apart(table, settings, waiter.player):
            return waiter
    return None


def alarms(table: Table) -> list[Alarm]:
    """When the chairs that are held are so no longer."""
    return [
        Alarm(hold.deadline_ms, ("hold", hold.player, hold.deadline_ms), True)
        for hold in table.holds.values()
    ]


def lapsed(table: Table, at_ms: int) -> list[Event]:
    """The chairs whose time is over."""
    return [
        SeatReleased(hold.player, "late")
        for hold in table.holds.values()
        if hold.deadline_ms <= at_ms
    ]


def nobody_waits(table: Table) -> list[Event]:
    """The end of all waiting: nobody will be offered a chair here any more."""
    return [
        *[ListLeft(waiter.player, "closed") for waiter in table.waiters],
        *[SeatReleased(player, "closed") for player in table.holds],
    ]


def _held(table: Table, player: str) -> Refusal | None:
    hold = table.holds.get(player)
    return None if hold is None else Refusal(TableCode.ALREADY_HELD, seat=hold.seat)


def _place(table: Table, player: str) -> int:
    """Which place of the list he has, from 1; 0: none."""
    players = [waiter.player for waiter in table.waiters]
    return players.index(player) + 1 if player in players else 0
