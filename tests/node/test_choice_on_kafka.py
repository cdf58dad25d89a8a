"""Dealer's choice on Kafka: players choose, the dealer is killed while they do, play goes on.

What was chosen is read from the log: it is what the next hand deals.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.kafka.cluster import Cluster
from riverboat.game.hand.events import HandStarted, HandVoided
from riverboat.game.table.events import GameChosen, GameOffered
from riverboat.log import topics
from riverboat.log.log import Place
from riverboat.log.opening import open_log
from riverboat.wire.record import decode_record
from tests.node.playing import Company
from tests.node.watching import Watcher, now_ms
from tests.services.network import Up, finished, kill_child

pytestmark = [pytest.mark.kafka, pytest.mark.node, pytest.mark.timeout(150)]

TABLES = 2
MIX = ("--variant", "dealers_choice", "--limit", "mixed", "--seats", "3")
KILLS = 2
CHOOSES_S = 30.0


class Choosers(Company):
    """Bots at tables where they choose what is dealt."""

    def __init__(self, data: Path) -> None:
        super().__init__(data, TABLES, 20)
        self._arguments += MIX


async def more(watcher: Watcher, kind: str, count: int) -> None:
    """Wait for so many further events of this kind."""
    wanted = watcher.count(kind) + count
    await watcher.until(f"{count} {kind}", lambda: watcher.count(kind) >= wanted, CHOOSES_S)


async def told(address: str) -> dict[str, list[object]]:
    """All that stands at each table, of the records that count."""
    network = await open_log(address, clock=now_ms, read_only=True)
    reader = network.reader()
    places = [Place(topics.HAND_LOG, n) for n in range(network.partitions(topics.HAND_LOG))]
    ends = await network.ends(places)
    reached = {place: 0 for place in places if ends[place]}
    for place in reached:
        reader.follow(place, 0)
    heads: dict[str, str] = {}
    found: dict[str, list[object]] = {}
    while any(reached[place] < ends[place] for place in reached):
        for place, records in (await reader.take(wait_ms=50)).items():
            for one in records:
                reached[place] = one.offset + 1
                record = decode_record(one.value or b"")
                if record.parent == heads.get(record.table, ""):
                    heads[record.table] = record.id
                    found.setdefault(record.table, []).extend(record.events)
    await reader.close()
    await network.close()
    return found


def held_to_their_choices(events: list[object]) -> int:
    """Every choice is made by whom it was offered to, and dealt; how many were asked for."""
    asked = 0
    offered: GameOffered | None = None
    chosen: GameChosen | None = None
    for event in events:
        match event:
            case GameOffered():
                offered = event
            case GameChosen():
                assert offered is not None
                assert (event.seat, event.player) == (offered.seat, offered.player)
                assert event.game_at in [game.game_at for game in offered.games]
                asked += event.why == "asked"
                offered, chosen = None, event
            case HandStarted() if chosen is not None:
                assert offered is None, "no hand starts while its game is open"
                assert event.game_at == chosen.game_at
                chosen = None
    return asked


async def test_games_are_chosen_and_dealt_though_the_dealer_is_killed(
    one_broker: Cluster, tmp_path: Path
) -> None:
    """RULES 8: "the next game of the mix is chosen by a player, as the mix says"."""
    log = f"kafka://{one_broker.bootstrap}"
    bots = Choosers(tmp_path)
    async with Up(tmp_path, log=log) as up, bots:
        watcher = await Watcher.open(log)
        for kill in range(KILLS + 1):
            await more(watcher, "GameOffered", 1)
            if kill < KILLS:
                kill_child(up.pid, "dealer")
            await more(watcher, "GameChosen", 2 * TABLES)
        await watcher.close()
        figures = await bots.stop()
        assert figures["voided"] == 0
        assert await up.stop() == 0

    tables = await told(log)
    assert len(tables) >= TABLES
    assert sum(map(held_to_their_choices, tables.values())) >= 2 * TABLES * (KILLS + 1)
    events = [event for table in tables.values() for event in table]
    assert not any(isinstance(event, HandVoided) for event in events)
    assert len({e.variant for e in events if isinstance(e, HandStarted)}) > 2
    status, lines = await finished("audit", log, "--data", str(tmp_path))
    assert (status, lines[-1]) == (0, "clean"), lines
