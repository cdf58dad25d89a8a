"""The button: where it and the blinds stand in the next hand, and who is dealt in. [RULES 4]

Two rules, an option of the table. *Moving*: the big blind goes to the next player, the small blind
is the player before him, the button the player before that, so that nobody skips or pays twice for
the big blind. *Dead*: the big blind moves likewise, the small blind's place is where the big blind
was and the button's where the small blind was, though nobody may sit there. Looks and tells;
changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from riverboat.game.hand.events import Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.rules.schema import Forced, Game
from riverboat.game.table.debts import debt_of, missed, owes, without_blinds
from riverboat.game.table.events import ButtonRule
from riverboat.game.table.seats import between, can_play, clockwise
from riverboat.game.table.state import Table


class Plan(NamedTuple):
    """Who plays the next hand, and from where."""

    button: int  # seat, maybe empty; 0 where the game has none
    small: int  # place of the small blind, maybe empty; 0: none
    big: int  # 0: none
    seats: tuple[int, ...]  # dealt in, in dealing order
    debts: dict[int, Debt]  # by seat: what is posted beside blinds and antes
    missed_big: tuple[int, ...]  # seats that owe the big blind from now on
    missed_small: tuple[int, ...]


class Places(NamedTuple):
    """Where the button and the blinds stand."""

    button: int
    small: int
    big: int


def next_hand(
    table: Table, game: Game, chance: int, stakes: Stakes | None = None, *, bomb: bool = False
) -> Plan | None:
    """The next hand, or nothing where fewer than two can be dealt in.

    `chance` is a number drawn for this hand: it places the first button of all. `stakes` are those
    of this game, where the table deals several.

    A bomb pot is as a game without blinds: all who are there are dealt in and pay its ante,
    whatever they owe; the button moves, and the blinds stay where they were, so that nobody skips
    or pays twice for the big one, and no debt grows or is cleared. [RULES 4, field]
    """
    assert table.settings is not None, "hands are dealt at tables that were opened"
    stakes = stakes or table.settings.stakes
    there = [seat for seat in sorted(table.sittings) if can_play(table.sittings[seat])]
    if len(there) < 2 or table.closing:
        return None
    if not game.has_button:
        return Plan(0, 0, 0, tuple(there), {}, without_blinds(table, there), ())
    if game.forced is not Forced.BLINDS or bomb:
        button = clockwise(there, table.button)[0] if table.button else there[chance % len(there)]
        dealt = tuple(clockwise(there, button))
        return Plan(button, 0, 0, dealt, {}, without_blinds(table, there), ())
    if not table.big_blind:
        places = _first(there, chance)
        return _plan(table, stakes, places, there, posting=[])
    big = clockwise(there, table.big_blind)[0]
    regular = [seat for seat in there if seat == big or not owes(table.sittings[seat])]
    if len(regular) < 2:
        # Nobody is left to wait for: the game starts anew for all who are there. [RULES 4, field]
        regular = there
    places = _next(table, regular, big)
    posting = _posting(table, there, regular, places)
    return _plan(table, stakes, places, [*regular, *posting], posting)


def _first(there: Sequence[int], chance: int) -> Places:
    """The first hand of a table: the button is drawn, and nobody owes anything."""
    around = clockwise(there, there[chance % len(there)])
    button = around[-1]
    if len(around) == 2:
        return Places(button, button, around[0])
    return Places(button, around[0], around[1])


def _next(table: Table, regular: Sequence[int], big: int) -> Places:
    before = [seat for seat in clockwise(regular, big) if seat != big]
    if len(before) == 1:
        # Heads-up the button posts the small blind. [RULES 4, field]
        return Places(before[0], before[0], big)
    moving = Places(before[-2], before[-1], big)
    assert table.settings is not None, "hands are dealt at tables that were opened"
    if table.settings.button_rule is not ButtonRule.DEAD:
        return moving
    dead = Places(table.small_blind, table.big_blind, big)
    # After a change between heads-up and more the old places may not stand in order any more.
    if not between(dead.small, dead.button, big):
        return moving
    return dead


def _posting(
    table: Table, there: Sequence[int], regular: Sequence[int], places: Places
) -> list[int]:
    """Who comes in by posting: behind the big blind and before the button, never on either side.

    Heads-up has no such place: who posts then waits for the big blind, which comes next.
    """
    if places.button == places.small:
        return []
    return [
        seat
        for seat in there
        if seat not in regular
        and table.sittings[seat].post
        and between(seat, places.big, places.button)
    ]


def _plan(
    table: Table, stakes: Stakes, places: Places, dealt: Sequence[int], posting: Sequence[int]
) -> Plan:
    debts = {seat: debt_of(table.sittings[seat], stakes) for seat in posting}
    passed = missed(table, frozenset(dealt), places.small, places.big)
    return Plan(*places, tuple(clockwise(dealt, places.button)), debts, *passed)
