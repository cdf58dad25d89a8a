"""The embedded network, one process, killed while twenty tables play, and its supervisor too.

ARCHITECTURE 3, law 8, on a laptop: what was acknowledged is in the file, and every hand goes on.
"""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.node.playing import Play, playing
from tests.node.watching import now_ms

pytestmark = [
    pytest.mark.node,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.timeout(180),
]

RESTART_MS = 3_000
# Nobody starts a supervisor again but a person; this is the time that two processes need.
AGAIN_MS = 6_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def on_file(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Play]:
    async with playing(tmp_path_factory.mktemp("network")) as play:
        yield play


@pytest.mark.parametrize(
    "kills", [3, pytest.param(50, marks=[pytest.mark.deep, pytest.mark.timeout(1_800)])]
)
async def test_the_one_process_is_killed_at_any_moment(on_file: Play, kills):
    for number in range(kills):
        await on_file.a_while()
        at_ms = await on_file.signal("dealer", signal.SIGKILL)
        await on_file.settled(f"the one process killed, {number + 1}", at_ms, within_ms=RESTART_MS)


async def test_the_supervisor_is_killed_and_all_ends_with_it(on_file: Play):
    await on_file.a_while()
    at_ms = now_ms()
    await on_file.up.kill()
    await on_file.up.start()
    await on_file.settled("the supervisor killed", at_ms, within_ms=AGAIN_MS)
