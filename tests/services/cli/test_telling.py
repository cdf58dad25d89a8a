"""What a step has counted stands on its process's page of metrics."""

from __future__ import annotations

import pytest

from riverboat.runtime.clock import LogClock, SystemClock
from riverboat.runtime.observe import Metrics
from services.cli.telling import Telling
from tests.runtime.rig import Rig


@pytest.mark.parametrize(
    ("counted", "series"),
    [
        ("stale", "records_stale"),
        ("missing", "records_missing"),
        ("unreadable", "records_unreadable"),
        ("unauthorised", "records_unauthorised"),
        ("beaten", "records_beaten"),
        ("copies", "commands_copied"),
        ("failed", "decisions_failed"),
        ("stood_in", "stood_in"),
        ("ignored", "answers_ignored"),
    ],
)
def test_what_was_counted_is_told_by_its_name(counted: str, series: str) -> None:
    metrics, step = Metrics(), Rig().step()
    setattr(step.counts, counted, 7)
    Telling(metrics, lines=False).refresh(step, LogClock(SystemClock()), True)
    told = {
        sample.name: sample.value
        for family in metrics.registry.collect()
        for sample in family.samples
    }
    assert told[f"riverboat_{series}_total"] == 7
    assert told["riverboat_records_folded_total"] == 0
