"""Pausing: a table waits, by an operator's order or because a gateway was lost with its players.

While it waits no hand begins, and in a running one no clock of anybody runs out; a player may act
all the same. Then everybody has his time anew. One lost line never makes a table wait: that is the
player's own affair. [RULES 7]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from riverboat.game.commands import PauseTable, ResumeTable
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import DAY_MS, bad, bad_word
from riverboat.game.table.events import Event, LineLost, ListLeft, TablePaused, TableResumed
from riverboat.game.table.given import Alarm, Decision, Given
from riverboat.game.table.seats import lines_of
from riverboat.game.table.state import Sitting, Table

GATEWAY = "gateway"  # the reason that is the table's own
MANY = 2  # so many lines that are lost at once are no player's doing


def pause_table(table: Table, order: PauseTable, now_ms: int = 0) -> Decision:
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


def resume_table(table: Table, _order: ResumeTable) -> Decision:
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
    if settings.gateway_ms and not table.paused and not table.closing:
        gone = {player for player, _ in lost}
        if _is_gateways(table, [each for each in _there(table) if each.player in gone]):
            events.append(TablePaused(GATEWAY, given.now_ms + settings.gateway_ms))
    return events


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
