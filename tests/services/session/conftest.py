"""A whole table for the session's tests; see room.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.services.session.room import Room


@pytest.fixture
async def room(tmp_path: Path) -> Any:
    """A process with one open table of three seats."""
    made = Room(tmp_path)
    await made.start()
    await made.opened()
    yield made
    await made.stop()
