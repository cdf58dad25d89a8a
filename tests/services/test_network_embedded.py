"""The embedded network as a real process: killed in the middle of play, it loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.wallet import check
from services.wallet.store import Store
from tests.services.network import Bots, Up, finished

pytestmark = pytest.mark.node

TABLES = 4
HANDS = 200


async def test_play_goes_on_after_every_kill(tmp_path: Path) -> None:
    """ARCHITECTURE 3, law 8: after any single crash play resumes, and every hand ends."""
    more = ("--own", "--tables", str(TABLES), "--hands", str(HANDS))
    async with Up(tmp_path) as up, Bots(tmp_path, *more) as bots:
        for played in (30, 50):
            await up.hands(played)
            await up.kill()
            await up.start()
        figures = await bots.figures(60)
        assert await up.stop() == 0

    assert figures["hands"] >= HANDS
    assert figures["voided"] == 0  # every outage was shorter than the grace
    assert figures["reconnects"] == 2
    status, lines = await finished("audit", str(tmp_path))
    assert (status, lines[-1]) == (0, "clean"), lines
    store = Store(tmp_path / "ledger.sqlite")
    assert check.faults(store) == []
    assert set(check.imbalance(store).values()) == {0}, "what came in is on accounts and at tables"


async def test_a_second_network_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    """One file, one network at a time. [ARCHITECTURE 6]"""
    async with Up(tmp_path):
        second = ("up", "--data", str(tmp_path), "--port", "0", "--metrics", "none")
        status, lines = await finished(*second)
        assert status == 75
        assert len(lines) == 1
        assert "is the network running already?" in lines[0]
