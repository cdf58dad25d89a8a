"""Seats: who sits where, who can be dealt in, and the way around the table.

Looks and tells; changes nothing. Seats are numbered from 1, and the way around is clockwise, from
low numbers to high.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from riverboat.game.ids import instance_of
from riverboat.game.table.state import Reservation, Sitting, Table


def sitting_of(table: Table, player: str) -> Sitting | None:
    """Where the player sits."""
    for sitting in table.sittings.values():
        if sitting.player == player:
            return sitting
    return None


def reservation_of(table: Table, player: str) -> Reservation | None:
    """The player's money that is on its way, if any is."""
    for held in table.reservations.values():
        if held.player == player:
            return held
    return None


def is_taken(table: Table, seat: int) -> bool:
    """Whether somebody sits there, or the chair is held: for money on its way, or for a player."""
    if seat in table.sittings or any(
        held.seat == seat and not held.freed and not held.top_up
        for held in table.reservations.values()
    ):
        return True
    return bool(table.holds) and any(hold.seat == seat for hold in table.holds.values())


def chairs(table: Table) -> int:
    """How many chairs the table has, now and when its options have changed."""
    assert table.settings is not None, "chairs stand at a table that was opened"
    many = table.settings.seats
    return many if table.coming is None else min(many, table.coming.seats)


def free_seat(table: Table) -> int | None:
    """The first free chair."""
    for seat in range(1, chairs(table) + 1):
        if not is_taken(table, seat):
            return seat
    return None


def in_hand(table: Table, seat: int) -> bool:
    """Whether the seat was dealt into the hand that is being played."""
    return table.deal is not None and seat in table.deal.seats


def can_play(sitting: Sitting) -> bool:
    """Whether the next hand can be dealt to him: he is there, stays, and has chips."""
    return not sitting.away and not sitting.leaving and sitting.stack + sitting.behind > 0


def gives_up(sitting: Sitting) -> bool:
    """Whether nobody waits for his clock in the hand that he is in: he asked to leave or sit out.

    Who is removed by the house finishes it first.
    """
    return sitting.now or (sitting.leaving and not sitting.leaving_why)


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """The seats in their order around the table, the first behind `after` first.

    >>> clockwise([1, 3, 5], 3)
    [5, 1, 3]
    """
    ordered = sorted(seats)
    return [seat for seat in ordered if seat > after] + [seat for seat in ordered if seat <= after]


def between(seat: int, start: int, end: int) -> bool:
    """Whether `seat` is passed on the way from `start` to `end`, neither of them included.

    From a seat to itself is no way at all.

    >>> between(5, 4, 1), between(1, 4, 1), between(3, 4, 1), between(2, 4, 4)
    (True, False, False, False)
    """
    if start < end:
        return start < seat < end
    return start > end and (seat > start or seat < end)


def lines_of(table: Table, instances: Collection[str]) -> list[tuple[str, str]]:
    """The lines that stand here and end at one of these sessions: players and connections."""
    lines = {waiter.player: (waiter.connection, False) for waiter in table.waiters}
    for held in table.reservations.values():
        if not held.freed:
            lines[held.player] = held.connection, held.line_lost
    # Who sits and has more money on its way hangs on his sitting's line alone.
    for sitting in table.sittings.values():
        lines[sitting.player] = sitting.line, sitting.line_lost
    return [
        (player, line)
        for player, (line, is_lost) in lines.items()
        if not is_lost and instance_of(line) in instances
    ]
