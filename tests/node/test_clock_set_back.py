"""The embedded network on a machine whose clock is set back while people play.

ARCHITECTURE 4, time: a fold knows one time, the log's. It goes on whatever people do to clocks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.log import topics
from riverboat.runtime.clock import SystemClock
from services.cli.first_tables import TURN_MS
from tests.node import guests
from tests.node.clocks import faked
from tests.node.playing import RESUME_S, busy
from tests.node.watching import Watcher
from tests.services.network import Up, finished

pytestmark = [pytest.mark.node, pytest.mark.timeout(300)]

AHEAD_S = 120
# Beyond a player's time: who decides is woken, and asks the log.
LATE_MS = 3_000
ANY = frozenset(range(topics.PARTITIONS))


async def test_turns_run_out_while_the_machine_s_clock_is_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    off = tmp_path / "off"
    off.write_text(f"+{AHEAD_S}")
    data, steady_ms = tmp_path / "data", SystemClock().steady_ms
    up = Up(data, more=("--no-spares",))
    with monkeypatch.context() as machine:
        wrong = faked(FAKETIME_TIMESTAMP_FILE=str(off), FAKETIME_CACHE_DURATION="1")
        for name, value in wrong.items():
            machine.setenv(name, value)
        await up.start()
    try:
        watcher = await Watcher.open(str(data))
        off.write_text("+0")  # seen within a second
        await up.until(lambda line: "the machine's clock is behind" in line, RESUME_S)
        await idle_turn(watcher, data, steady_ms)
        await watcher.close()
        await up.kill()
        # Now on a log whose last record lies in the future.
        await up.start()
        watcher = await Watcher.open(str(data))
        await idle_turn(watcher, data, steady_ms)
        await watcher.close()
    finally:
        await up.stop()
    status, lines = await finished("audit", str(data))
    assert (status, lines[-1]) == (0, "clean"), lines


async def idle_turn(watcher: Watcher, data: Path, steady_ms: Callable[[], int]) -> None:
    """Somebody has his turn, for as long as all have, and does nothing with it."""
    # The operator's token is good for a minute, by the clock of the machine that signs it.
    table = await guests.idle_table(data, ANY)
    await watcher.until("a hand", lambda: watcher.has(table, "HandStarted"), RESUME_S)
    began_ms = steady_ms()
    await watcher.until("his time is up", lambda: watcher.has(table, "TimedOut"), RESUME_S)
    assert steady_ms() - began_ms <= TURN_MS + LATE_MS * busy()
    assert watcher.count_at(table, "ClockExtended") == 0, "nobody took it for an outage"
    (started, ended) = (watcher.first(table, kind) for kind in ("HandStarted", "TimedOut"))
    assert ended - started >= TURN_MS
