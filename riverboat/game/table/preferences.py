"""Preferences: what a player may want at a table for good, and whether it can be had there.

Only notes what he wants; what comes of it is decided where it is due.
"""

from __future__ import annotations

from riverboat.game.commands import Asked, SetPreferences
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.besides import AMOUNT_MOST
from riverboat.game.table.events import Preferences, PreferencesSet, Settings
from riverboat.game.table.given import Decision, Given
from riverboat.game.table.seats import sitting_of
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Table


def set_preferences(table: Table, asked: Asked, command: SetPreferences, _given: Given) -> Decision:
    """What he wants from now on, in place of all that he wanted before."""
    assert table.settings is not None, "asked only of a table that was opened"
    sitting = sitting_of(table, asked.player)
    if sitting is None:
        return Refusal(TableCode.NOT_SEATED)
    if sitting.leaving:
        return Refusal(TableCode.LEAVING)
    fault = _fault(table.settings, command.preferences)
    return fault or (PreferencesSet(asked.player, command.preferences),)


def _fault(settings: Settings, wanted: Preferences) -> Refusal | None:
    most = (buy_in_bounds(settings)[1] or AMOUNT_MOST) if settings.auto_top_up else 0
    if not 0 <= wanted.top_up_to <= most:
        return _bad("top_up_to", f"must be from 0 to {most}")
    if not 0 <= wanted.top_up_below <= wanted.top_up_to:
        return _bad("top_up_below", f"must be from 0 to {wanted.top_up_to}")
    if wanted.straddles and not settings.straddles_asked:
        return _bad("straddles", "is not asked here")
    runs = settings.runs if settings.runs_asked else 0
    if not 0 <= wanted.runs_most <= runs:
        return _bad("runs_most", f"must be from 0 to {runs}")
    return None


def _bad(name: str, reason: str) -> Refusal:
    return Refusal(TableCode.BAD_PREFERENCE, field=name, reason=reason)
