"""The embedded network, one process, killed while twenty tables play, and started again.

ARCHITECTURE 3, law 8, on a laptop: what was acknowledged is in the file, and every hand goes on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.node.playing import playing
from tests.node.watching import now_ms

pytestmark = [pytest.mark.node, pytest.mark.timeout(180)]

RESTART_MS = 3_000


@pytest.mark.parametrize(
    "kills", [3, pytest.param(50, marks=[pytest.mark.deep, pytest.mark.timeout(1_200)])]
)
async def test_the_one_process_killed_at_any_moment(tmp_path: Path, kills):
    async with playing(tmp_path) as play:
        for _ in range(kills):
            await play.a_while()
            at_ms = now_ms()
            await play.up.kill()
            await play.up.start()
            await play.settled("the one process killed", at_ms, within_ms=RESTART_MS)
