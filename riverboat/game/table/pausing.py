"""Pausing: a table waits, by an operator's order or because a gateway was lost with its players.

While it waits no hand begins, and in a running one no clock of anybody runs out; a player may act
all the same. Then everybody has his time anew. One lost line never makes a table wait: that is the
player's own affair. [RULES 7]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from riverboat.game.commands import PauseTable, ResumeTable
from riverboat.game.hand.state import NOBODY, Hand
from riverboat.game.ids import instance_of
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import DAY_MS, bad, bad_word
from riverboat.game.table.events import (
    Event,
    LineLost,
    ListLeft,
    Settings,
    TablePaused,
    TableResumed,
)
from riverboat.game.table.given import Alarm, Decision, Given
from riverboat.game.table.seats import lines_of
from riverboat.game.table.state import Sitting, Table

GATEWAY = "gateway"  # the reason that is the table's own
MANY = 2  # so many lines that are lost at once are no player's doing


def pause_table(table: Table, order: PauseTable, now_ms: int) -> Decision:
    """The table waits; in place of what it waits for already, where that is a gateway alone."""
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if table.closed:
        return Refusal(TableCode.TABLE_CLOSED)
    fault = bad_word("reason", order.reason, other_than=GATEWAY)
    if fault is not None:
        return fault
    if not 0 <= order.for_ms <= DAY_MS:
        return bad("for_ms", f"must be from 0 to {DAY_MS}")
    if table.paused and table.paused != GATEWAY:
        return Refusal(TableCode.ALREADY_PAUSED)
    paused = TablePaused(order.reason, now_ms + order.for_ms if order.for_ms else 0)
    return (TableResumed("paused"), paused) if table.paused else (paused,)


def resume_table(table: Table, _order: ResumeTable, _now_ms: int) -> Decision:
    """Play goes on."""
    if table.settings is None:
        return Refusal(TableCode.NO_TABLE)
    if not table.paused:
        return Refusal(TableCode.NOT_PAUSED)
    return (TableResumed("asked"),)


def sessions_lost(table: Table, given: Given) -> Sequence[Event]:
    """The lines that ended at sessions which are dead, and whether the table waits for them."""
    lost = lines_of(table, given.silent)
    if not lost:
        return ()
    waiting = {waiter.player for waiter in table.waiters}
    events: list[Event] = [
        ListLeft(player, "line_lost") if player in waiting else LineLost(player, line, gateway=True)
        for player, line in lost
    ]
    settings = table.settings
    assert settings is not None, "lines stand at tables that were opened"
    gone = {player for player, _ in lost}
    return [*events, *waits_for(table, settings, gone, given.now_ms)]


def waits_for(
    table: Table, settings: Settings, gone: Collection[str], now_ms: int
) -> list[TablePaused]:
    """The table's wait, where a gateway was lost with all these players.

    None where the hand is called off: an outage past the grace is no loss of a gateway. [RULES 7]
    """
    if not settings.gateway_ms or table.paused or table.closing:
        return []
    hand = table.hand
    if hand is not None and now_ms >= called_off_ms(hand, settings):
        return []
    if not _is_gateways(table, [each for each in _there(table) if each.player in gone]):
        return []
    return [TablePaused(GATEWAY, now_ms + settings.gateway_ms)]


def lost_at(table: Table, instance: str) -> set[str]:
    """Whose lines ended at this gateway, and are lost."""
    return {
        sitting.player
        for sitting in table.sittings.values()
        if sitting.line_lost and instance_of(sitting.line) == instance
    }


def called_off_ms(hand: Hand, settings: Settings) -> int:
    """When the hand is called off, if nothing comes of it before. [RULES 7, server failure]"""
    return (hand.deadline_ms if hand.turn != NOBODY else hand.since_ms) + settings.grace_ms


def are_back(table: Table) -> bool:
    """Whether the table waits for a gateway's players, and need not any more."""
    return table.paused == GATEWAY and not _is_gateways(
        table, [each for each in _there(table) if each.line_lost]
    )


def alarms(table: Table) -> list[Alarm]:
    """When a pause is over by itself."""
    if not table.paused or not table.paused_until_ms:
        return []
    return [Alarm(table.paused_until_ms, ("resume", table.paused_until_ms), True)]


def _is_gateways(table: Table, gone: Collection[Sitting]) -> bool:
    """Whether play should wait for these whose lines are lost: several, or who is on turn."""
    turn = table.hand.turn if table.hand is not None else 0
    return len(gone) >= MANY or any(each.seat == turn for each in gone)


def _there(table: Table) -> list[Sitting]:
    """For whom play would wait."""
    return [each for each in table.sittings.values() if not each.away and not each.leaving]
