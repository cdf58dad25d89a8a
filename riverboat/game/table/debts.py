"""Debts: what players owe who missed the blinds, and what new players owe. [RULES 4, missed blinds]

A debt is paid by posting, or cleared by waiting for the big blind. Looks and tells; what is missed
becomes true by an event.
"""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.hand.events import Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.table.seats import between
from riverboat.game.table.state import Sitting, Table


def owes(sitting: Sitting) -> bool:
    """Whether he must post or wait for the big blind before he is dealt in again."""
    return sitting.fresh or sitting.owes_big or sitting.owes_small


def debt_of(sitting: Sitting, stakes: Stakes) -> Debt:
    """What he posts to come in now: the big blind's amount live, the small blind's dead.

    A new player posts a live big blind wherever he sits. [RULES 4, new player] A small blind
    missed alone is owed dead as well. [RULES 4, field]
    """
    return Debt(
        live=stakes.big_blind if sitting.fresh or sitting.owes_big else 0,
        dead=stakes.small_blind if sitting.owes_small else 0,
    )


def without_blinds(table: Table, dealt: Sequence[int]) -> tuple[int, ...]:
    """Who is dealt in for the first time in a game that has no blinds, where others have them.

    He still owes the big blind with which a new player begins, and stays one until he has posted
    it: whatever passes his chair, he misses nothing. [RULES 4, mixed]
    """
    if not table.big_blind:
        return ()
    return tuple(
        [s.seat for s in map(table.sittings.__getitem__, dealt) if s.fresh and not s.owes_big]
    )


def missed(
    table: Table, dealt: frozenset[int], small: int, big: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats that the big blind, and that the small blind, passes as the next hand begins.

    `dealt`, `small` and `big` are the next hand's. A new player misses nothing: he owes a big blind
    anyway. Who had the last big blind misses the small one at once where he is not there, for it
    was his: under the moving button another pays it in his place.
    """
    if not table.big_blind:
        return (), ()
    absent = [
        sitting
        for seat, sitting in sorted(table.sittings.items())
        if seat not in dealt and not sitting.fresh
    ]
    missed_big = [s.seat for s in absent if between(s.seat, table.big_blind, big)]
    missed_small = [
        s.seat
        for s in absent
        if s.seat in (small, table.big_blind)
        or (table.small_blind and between(s.seat, table.small_blind, small))
    ]
    # What is known already is not said again at every hand.
    return (
        tuple([seat for seat in missed_big if not table.sittings[seat].owes_big]),
        tuple([seat for seat in missed_small if not table.sittings[seat].owes_small]),
    )
