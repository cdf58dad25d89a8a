"""Bugs planted into the life of a table: each promise of its options broken, one at a time.

Most show the dealer a table that is not quite the one that stands. Nothing of the product knows of
it; that they are caught is test_planted_life.py's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from riverboat.game.commands import ChangeOptions, Command, Ordered, SitIn, SitOut
from riverboat.game.hand.events import HandStarted
from riverboat.game.table import topping
from riverboat.game.table.digest import digest
from riverboat.game.table.events import LineLost, OptionsChanged, TablePaused
from riverboat.game.table.given import Given
from riverboat.game.table.pausing import GATEWAY
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.state import Table
from riverboat.runtime.service import Decision, Message
from riverboat.sim.workload import Player


class Absent(Player):
    """One who sits out whenever he can, in a hand too, and seldom comes back."""

    def _wish(self, table: Table) -> Command | None:
        sitting, hand = sitting_of(table, self.name), table.hand
        if sitting is None or self.closing or sitting.leaving:
            return super()._wish(table)
        if sitting.away:
            return SitIn(True) if self.world.chance(0.002) else None
        if hand is not None and hand.turn != sitting.seat and self.world.chance(0.02):
            return SitOut(now=True)
        return super()._wish(table)


See = Callable[[Table], Table]
Wrap = Callable[[Any], Any]


def seeing(see: See) -> Wrap:
    """Whatever is asked of the table is answered for what `see` makes of it."""

    def wrap(function: Any) -> Any:
        def asked(table: Table, *rest: Any) -> Any:
            events = function(see(table), *rest)
            if isinstance(events, list) and events and isinstance(events[0], HandStarted):
                # The record is still decided on the table that stands.
                events = [replace(events[0], state_hash=digest(table)), *events[1:]]
            return events

        return asked

    return wrap


def _sittings(**changes: Any) -> See:
    def see(table: Table) -> Table:
        if table.deal is not None:
            return table
        changed = {seat: replace(each, **changes) for seat, each in table.sittings.items()}
        return replace(table, sittings=changed)

    return see


def _settings(change: Callable[[Any], dict[str, Any]]) -> See:
    def see(table: Table) -> Table:
        settings = table.settings
        if settings is None:
            return table
        return replace(table, settings=replace(settings, **change(settings)))

    return see


def _lapsing(table: Table) -> Table:
    holds = {
        player: replace(hold, deadline_ms=hold.deadline_ms - 2_000)
        for player, hold in table.holds.items()
    }
    return replace(table, holds=holds)


def _resuming(table: Table) -> Table:
    until_ms = table.paused_until_ms
    return replace(table, paused_until_ms=max(until_ms - 3_000, 1)) if until_ms else table


all_there = _sittings(away=False)
no_big_blind_declined = _sittings(at_big_blind=False)
away_for_half = _settings(lambda of: {"away_ms": of.away_ms // 2})
anybody_together = _settings(lambda of: {"apart": ()})


def not_waiting(table: Table) -> Table:
    return replace(table, paused="")


def nobody_listed(table: Table) -> Table:
    return replace(table, waiters=[])


def nothing_held(table: Table) -> Table:
    return replace(table, holds={})


def last_come_first(table: Table) -> Table:
    return replace(table, waiters=table.waiters[::-1])


def not_draining(table: Table) -> Table:
    return replace(table, draining=False)


def nobody_sits_out_now(table: Table) -> Table:
    sittings = {seat: replace(each, now=False) for seat, each in table.sittings.items()}
    return replace(table, sittings=sittings)


holds_lapsing_early = _lapsing
waits_ending_early = _resuming


def filled_up_again(duty: Any) -> Any:
    """A stack is filled up while the chips for it are on their way."""

    def owed(table: Table, given: Given) -> Any:
        settings = table.settings
        if settings is not None and table.deal is None and not (table.closing or table.stopped):
            again = topping.duty(replace(table, reservations={}), settings, given)
            if again:
                return again
        return duty(table, given)

    return owed


def changed_in_a_hand(answer: Any) -> Any:
    """Options change at once, whatever is being played."""

    def answered(table: Table, message: Message, given: Given) -> Decision:
        order = message.order if isinstance(message, Ordered) else None
        if isinstance(order, ChangeOptions) and table.deal is not None:
            return (OptionsChanged(order.settings),)
        found: Decision = answer(table, message, given)
        return found

    return answered


def waiting_for_one_line(answer: Any) -> Any:
    """One lost line makes a table wait."""

    def answered(table: Table, message: Message, given: Given) -> Decision:
        found: Decision = answer(table, message, given)
        if isinstance(found, tuple) and isinstance(found[0], LineLost) and not table.paused:
            return (*found, TablePaused(GATEWAY, given.now_ms + 1_000))
        return found

    return answered
