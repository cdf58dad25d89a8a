"""The embedded network, one process, killed while twenty tables play, and its supervisor too.

ARCHITECTURE 3, law 8, on a laptop: what was acknowledged is in the file, and every hand goes on.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.node.playing import playing
from tests.node.watching import now_ms

pytestmark = [pytest.mark.node, pytest.mark.timeout(180)]

RESTART_MS = 3_000
# Nobody starts a supervisor again but a person; this is the time that two processes need.
AGAIN_MS = 6_000


@pytest.mark.parametrize(
    "kills", [3, pytest.param(50, marks=[pytest.mark.deep, pytest.mark.timeout(1_800)])]
)
async def test_the_one_process_is_killed_at_any_moment(tmp_path: Path, kills):
    async with playing(tmp_path) as play:
        for number in range(kills):
            await play.a_while()
            at_ms = await play.signal("dealer", signal.SIGKILL)
            await play.settled(f"the one process killed, {number + 1}", at_ms, within_ms=RESTART_MS)


async def test_the_supervisor_is_killed_and_all_ends_with_it(tmp_path: Path):
    async with playing(tmp_path) as play:
        await play.a_while()
        at_ms = now_ms()
        await play.up.kill()
        await play.up.start()
        await play.settled("the supervisor killed", at_ms, within_ms=AGAIN_MS)
