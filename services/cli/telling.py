"""What a process tells of play: counts for the metrics, a line a hand, a line an event at DEBUG.

It follows the tables like any other follower. It changes nothing and keeps nothing of a table.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from riverboat.game.hand import events as hand
from riverboat.game.record import Record
from riverboat.game.refusals import HandCode, TableCode
from riverboat.game.table.events import Event
from riverboat.game.table.given import Alarm, Given
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime.clock import LogClock
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.service import Manifest
from riverboat.runtime.step import Step

logger = logging.getLogger(__name__)

ACTIONS: Final = frozenset({hand.Folded, hand.Checked, hand.Called, hand.RaisedTo, hand.BroughtIn})
_REASONS: Final = {int(code): code.name for codes in (HandCode, TableCode) for code in codes}


class Telling:
    """Counts and lines of one process; silent until it has caught up, for what was is told."""

    def __init__(self, metrics: Metrics, *, lines: bool) -> None:
        """With `lines` a line is written for each hand: of several processes, by one."""
        self.live = False
        self._metrics = metrics
        self._lines = lines

    def timed(self, manifest: Manifest) -> Manifest:
        """The same decider, and how late its alarms ring is measured."""
        ring, late = manifest.ring, self._metrics.alarm_late

        def timed_ring(table: Table, alarm: Alarm, given: Given) -> Sequence[Event] | None:
            late.took(max(0, given.now_ms - alarm.at_ms) / 1_000)
            return ring(table, alarm, given)

        return replace(manifest, ring=timed_ring)

    def saw(self, table: Table, record: Record, _found: log.Record) -> None:
        """Follow the tables: a record was folded."""
        if not self.live:
            return
        metrics = self._metrics
        for event in record.events:
            kind = type(event)
            if kind in ACTIONS:
                metrics.actions.value += 1
            elif kind is hand.HandStarted:
                metrics.hands_started.value += 1
            elif isinstance(event, hand.HandEnded):
                metrics.hands_ended.value += 1
                self._hand_over(table, event)
            elif isinstance(event, hand.HandVoided):
                metrics.hands_voided.value += 1
                self._hand_voided(table, event)
        if logger.isEnabledFor(logging.DEBUG):
            for event in record.events:
                logger.debug(
                    "event",
                    extra=facts(table=table.id, version=table.version, event=type(event).__name__),
                )

    def _hand_over(self, table: Table, event: hand.HandEnded) -> None:
        if not self._lines or table.settings is None:
            return
        settings = table.settings
        named = facts(
            table=table.id,
            hand=event.hand,
            version=table.version,
            variant=settings.variant,
            limit=settings.limit,
            seats=len(event.nets),
            rake=event.rake,
        )
        logger.info("hand ended", extra=named)

    def _hand_voided(self, table: Table, event: hand.HandVoided) -> None:
        if self._lines:
            named = facts(table=table.id, hand=event.hand, reason=event.reason)
            logger.warning("hand voided", extra=named)

    def refresh(self, step: Step, clock: LogClock, ready: bool, ahead_ms: int = 0) -> None:
        """Bring the metrics up to what the step has counted.

        `ahead_ms` is how far the log's own time is ahead of the machine's, where it is kept here.
        """
        metrics, counts = self._metrics, step.counts
        metrics.folded.value = counts.applied
        metrics.stale.value = counts.stale
        metrics.missing.value = counts.missing
        metrics.unreadable.value = counts.unreadable
        metrics.unauthorised.value = counts.unauthorised
        metrics.beaten.value = counts.beaten
        metrics.copies.value = counts.copies
        metrics.failed.value = counts.failed
        metrics.stood_in.value = counts.stood_in
        metrics.ignored.value = counts.ignored
        for code, count in counts.refused.items():
            metrics.refusals.by[_REASONS.get(code, str(code))] = count
        owned = set().union(*(decider.owned for decider in step.deciders))
        entries = step.tables.entries.values()
        metrics.tables_owned.value = sum(
            entry.partition in owned and not entry.table.closed for entry in entries
        )
        metrics.tables_stopped.value = sum(
            bool(entry.table.stopped or entry.failed or entry.held) for entry in entries
        )
        metrics.clock_off.value = max(clock.disagreement_ms, ahead_ms) / 1_000
        metrics.ready.value = float(ready)
