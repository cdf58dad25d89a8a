"""Leaving: who goes from a table, when, and with how much; and when the table itself closes.

Whoever goes takes all he has here. Nobody is made to leave a hand that he is in.
"""

from __future__ import annotations

from riverboat.game.table.events import (
    Event,
    PlayerLeft,
    SatOut,
    Settings,
    TableClosed,
    TableClosing,
)
from riverboat.game.table.given import Alarm
from riverboat.game.table.seats import in_hand, reservation_of
from riverboat.game.table.state import Sitting, Table
from riverboat.game.table.topping import gap


def cash_out(sitting: Sitting, why: str) -> PlayerLeft:
    """The player goes with everything he has here."""
    amount = sitting.stack + sitting.behind
    return PlayerLeft(sitting.player, sitting.id, sitting.seat, amount, why)


def tidy(table: Table) -> list[Event]:
    """Who goes now that no hand is being played, and who is taken to be away."""
    assert table.settings is not None, "players sit at tables that were opened"
    events: list[Event] = []
    stay = 0
    for seat in sorted(table.sittings):
        sitting = table.sittings[seat]
        why = _why(table, table.settings, sitting)
        if why:
            events.append(cash_out(sitting, why))
            continue
        stay += not (table.draining and sitting.away)
        if sitting.timed_out and not sitting.away:
            why = "line_lost" if sitting.line_lost else "timed_out"
            events.append(SatOut(sitting.player, why))
    if table.closing:
        if not stay and not table.reservations:
            events.append(TableClosed())
    elif table.draining and stay < 2 and not _comes(table):
        events.append(TableClosing("drained"))
    return events


def away_alarms(table: Table, settings: Settings) -> list[Alarm]:
    """When those who are away have been so for too long. [RULES 4, missed blinds]"""
    if not settings.away_ms or table.paused:
        return []
    return [
        Alarm(
            sitting.away_since_ms + settings.away_ms,
            ("away", sitting.id, sitting.away_since_ms),
            True,
        )
        for sitting in table.sittings.values()
        if sitting.away and not in_hand(table, sitting.seat)
    ]


def away_over(table: Table, settings: Settings, at_ms: int) -> list[Event]:
    """They go."""
    return [
        cash_out(sitting, "away")
        for _, sitting in sorted(table.sittings.items())
        if sitting.away
        and not in_hand(table, sitting.seat)
        and sitting.away_since_ms + settings.away_ms <= at_ms
    ]


def _why(table: Table, settings: Settings, sitting: Sitting) -> str:
    """Why he goes between hands; empty: he stays."""
    if table.closing:
        return "closed"
    if sitting.leaving:
        return sitting.leaving_why or "asked"
    has = sitting.stack + sitting.behind
    if not has and not reservation_of(table, sitting.player) and not gap(table, settings, sitting):
        return "broke"
    # A round is as many hands as there are chairs: no way of the button around the table is
    # longer, whoever comes and goes meanwhile.
    rounds = settings.away_rounds
    if rounds and sitting.away and sitting.away_hands >= rounds * settings.seats:
        return "away"
    return ""


def _comes(table: Table) -> bool:
    """Whether somebody is still on his way who was promised a chair."""
    return any(not held.freed and not held.top_up for held in table.reservations.values())
