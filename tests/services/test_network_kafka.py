"""The network as five processes over a real broker: one after the other is killed, play goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.kafka.cluster import Cluster
from services.wallet import check
from services.wallet.store import Store
from tests.services.network import Bots, Up, finished, kill_child

pytestmark = [pytest.mark.kafka, pytest.mark.node]

TABLES = 4
HANDS = 100


async def test_play_goes_on_after_each_service_was_killed(
    tmp_path: Path, own_broker: Cluster
) -> None:
    """ARCHITECTURE 3, law 8: after any single crash play resumes, and every hand ends."""
    log = f"kafka://{own_broker.bootstrap}"
    more = ("--own", "--tables", str(TABLES), "--hands", str(HANDS))
    async with Up(tmp_path, log=log) as up, Bots(tmp_path, *more) as bots:
        await up.hands(10)
        for service in ("betting", "showdown", "wallet", "session", "dealer"):
            kill_child(up.pid, service)
            played = sum("hand ended" in line for line in up.lines)
            await up.hands(played + 8)
        figures = await bots.figures(60)
        assert await up.stop() == 0

    assert figures["hands"] >= HANDS
    assert figures["voided"] == 0  # every outage was shorter than the grace
    last = next(line for line in reversed(up.lines) if "hand ended" in line)
    hand = re.search(r"hand=(\S+)", last)
    assert hand is not None
    status, lines = await finished("hand", hand[1], "--log", log)
    assert (status, lines[0].split(" at ")[0]) == (0, f"Hand {hand[1]}"), lines
    status, lines = await finished("audit", log, "--data", str(tmp_path))
    assert (status, lines[-1]) == (0, "clean"), lines
    store = Store(tmp_path / "ledger.sqlite")
    assert check.faults(store) == []
    assert set(check.imbalance(store).values()) == {0}
