"""The client's mirror: after every change it is what a snapshot of that version would show."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from riverboat.game.record import Record
from riverboat.game.table.state import Table
from riverboat.game.table.wishes import away
from riverboat.log import log
from riverboat.wire.v1 import session_pb2 as pb
from services.cli.play.felt import draw
from services.cli.play.mirror import Mirror
from services.session import frames, views
from tests.cli.house import BUY_IN, Network, network
from tests.waiting import until

# What a table may have that changes how a hand goes.
BESIDES = {
    "bomb_every": 3,
    "bomb_ante": 20,
    "cap": 400,
    "bank_ms": 10_000,
    "runs_asked": True,
    "auto_top_up": True,
    "offer_ms": 60_000,
    "hold_ms": 60_000,
}
# Said for the eye alone; a snapshot does not bring it.
EYE_ONLY = {"won", "did"}


def seen(mirror: Mirror) -> dict[str, Any]:
    """All that must agree while a hand is played."""
    places = {
        f"seat {seat}": {key: value for key, value in asdict(place).items() if key not in EYE_ONLY}
        for seat, place in mirror.places.items()
    }
    return {
        "hand": mirror.hand,
        "version": mirror.version,
        "button": mirror.button,
        "boards": mirror.boards,
        "turn": (mirror.turn, mirror.turn_number, mirror.price, mirror.deadline_ms),
        "pot": mirror.pot,
        "pots": mirror.pots,
    } | places


class Twice:
    """Two mirrors of one table: one from changes, one from a snapshot of each version."""

    def __init__(self) -> None:
        self.mirror = Mirror("", "nobody")
        self.away: frozenset[str] = frozenset()
        self.compared = 0
        self.hands: set[str] = set()
        self.wrong: list[str] = []

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        assert found.value is not None
        before, self.away = self.away, away(table)
        made = frames.change(table, record, found.value, before, self.away)
        frame = pb.PlayResponse.FromString(made)
        self.mirror.change(frame.items[0].change)
        fresh = Mirror("", "nobody")
        fresh.snapshot(views.snapshot(table))
        # Between hands the mirror goes on showing how the last one ended.
        look = seen if table.hand is not None else stacks
        one, other = look(self.mirror), look(fresh)
        if table.hand is not None:
            self.hands.add(record.hand)
        self.compared += 1
        for key in one.keys() | other.keys():
            if one.get(key) != other.get(key):
                what = f"{key}: {one.get(key)} by changes, {other.get(key)} by snapshot"
                self.wrong.append(f"{what}, after {record.events}")


def stacks(mirror: Mirror) -> dict[str, Any]:
    """What must agree between hands."""
    return {
        f"seat {seat}": (place.player, place.stack, place.behind, place.away)
        for seat, place in mirror.places.items()
    } | {"choice": mirror.choice}


async def _played(net: Network, **game: Any) -> Twice:
    twice = Twice()
    net.house.follow(twice.saw)
    table = await net.open_table(**game)
    twice.mirror.settings.seats = 6
    async with net.bots(table, 4, hands=25) as crowd:
        await crowd.done.wait()
    return twice


@pytest.mark.parametrize(
    "game",
    [
        {"variant": "holdem", "limit": "nl", "runs": 2},
        {"variant": "dealers_choice", "limit": "mixed"},
        {"variant": "omaha", "limit": "pl"},
        {"variant": "holdem", "limit": "fl"},
        {"variant": "omaha", "limit": "nl", "runs": 2, "besides": BESIDES},
    ],
    ids=lambda game: f"{game['variant']}-{game['limit']}",
)
async def test_changes_lead_to_what_a_snapshot_shows(tmp_path: Path, game: dict[str, Any]) -> None:
    """ARCHITECTURE 7: a snapshot, then versioned deltas; who comes back loses nothing."""
    async with network(tmp_path) as net:
        twice = await _played(net, **game)
    assert not twice.wrong, "\n".join(twice.wrong[:3])
    assert len(twice.hands) >= 25
    assert twice.compared > 200


async def test_a_table_is_drawn_in_any_room(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        async with net.bots(table, 4, think_ms=60_000):
            state = net.house.tables[table]
            await until(lambda: state.hand is not None)
            mirror = Mirror(table, "nobody")
            mirror.snapshot(views.snapshot(state))
    for width, height in ((20, 5), (80, 24), (300, 100)):
        drawn = draw(mirror, mirror.deadline_ms - 5_000, width, height)
        assert isinstance(drawn, Text)
        lines = drawn.plain.splitlines()
        assert max(map(len, lines)) <= max(width, 60)
        said = drawn.plain
        assert "pot 15" in said
        assert " 5 s" in said  # the clock of whoever is on turn
        assert said.count("░░") == 2 * len([p for p in mirror.places.values() if p.dealt])
        assert f"{BUY_IN - 10:,}" in said
