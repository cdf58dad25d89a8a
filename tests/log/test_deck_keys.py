"""The file of deck keys, looked at as seldom as its clock allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from riverboat.log.deck_keys import LOOK_AGAIN_MS, FileKeys, KeyGone, day_of
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.entropy import Seeded

NOW_MS = 1_800_000_000_000
DAY_MS = 24 * 60 * 60 * 1_000


def test_a_key_that_another_process_destroyed_is_gone_within_a_second(tmp_path: Path) -> None:
    """ARCHITECTURE 4: destroying a day's key is the retention policy for unseen cards."""
    clock = ManualClock(NOW_MS)
    path = tmp_path / "keys.json"
    mine = FileKeys(path, Seeded(1), clock.now_ms)
    day, key = mine.today(NOW_MS)
    FileKeys(path, Seeded(2)).destroy(day)
    assert mine.key(day) == key  # not looked at again yet
    clock.advance(LOOK_AGAIN_MS)
    with pytest.raises(KeyGone):
        mine.key(day)


def test_a_key_that_another_process_made_is_found_at_once(tmp_path: Path) -> None:
    clock = ManualClock(NOW_MS)
    path = tmp_path / "keys.json"
    mine = FileKeys(path, Seeded(1), clock.now_ms)
    mine.today(NOW_MS)
    _, key = FileKeys(path, Seeded(2)).today(NOW_MS + DAY_MS)
    assert mine.key(day_of(NOW_MS + DAY_MS)) == key
