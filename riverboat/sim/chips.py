"""Chips at a table, counted from outside: what must be there, and whose it is."""

from __future__ import annotations

from riverboat.game.table.state import Table


def at_table(table: Table) -> dict[str, int]:
    """Per sitting, all its chips as the ledger knows them: a hand is booked at its end."""
    return {sitting.id: sitting.stack + sitting.behind for sitting in table.sittings.values()}


def chips_fault(table: Table) -> str:
    """What is wrong with the table's chips, in words; empty when they are all there. [Law 2]

    Bought in less cashed out less raked is what is there, and during a hand what each put in and
    has left is what he started with.
    """
    held = sum(at_table(table).values())
    due = table.bought_in - table.cashed_out - table.raked
    if held != due:
        return f"{held} chips are there, {due} should be"
    for sitting in table.sittings.values():
        if sitting.stack < 0 or sitting.behind < 0:
            return f"seat {sitting.seat} has {sitting.stack} and {sitting.behind} behind"
    hand = table.hand
    if hand is None or hand.awards:
        return ""
    for seat in hand.seats.values():
        left = seat.stack + seat.kept
        if seat.stack < 0 or left + seat.put + seat.dead != seat.start:
            parts = f"{left} left, {seat.put} and {seat.dead} dead in the middle"
            return f"seat {seat.seat} started with {seat.start}: {parts}"
    return ""
