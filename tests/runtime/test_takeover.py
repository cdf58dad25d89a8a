"""Taking partitions up: where reading goes on. On a real embedded log."""

from __future__ import annotations

import asyncio
from pathlib import Path

from riverboat.game.commands import Asked, Leave
from riverboat.log import topics
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, Place
from riverboat.log.sealing import SealedDecks
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.step import Step
from riverboat.runtime.takeover import begin_partitions
from riverboat.wire.record import encode_asked
from services import betting, dealer

NOW_MS = 1_700_000_000_000
COMMANDS = Place(topics.TABLE_COMMANDS, 0)


def new_step() -> Step:
    entropy = Seeded(1)
    decks = SealedDecks(DerivedKeys(bytes(32)), entropy, lambda: NOW_MS)
    return Step([(dealer.MANIFEST, 0), (betting.MANIFEST, 0)], "a", entropy, decks)


async def begun(folder: Path, committed: dict[str, int]) -> int:
    """Where the commands go on, of ten, when these deciders have committed."""
    network = await EmbeddedLog.open(folder, topics.topics_with(1), clock=lambda: NOW_MS)
    try:
        asked = encode_asked(Asked("1.0", "p", 1, Leave()))
        await network.append([Append(*COMMANDS, "1.0", asked)] * 10).durable
        memberships = {
            name: await network.join(name, "m", [topics.TABLE_COMMANDS])
            for name in ("dealer", "betting")
        }
        for name, offset in committed.items():
            await memberships[name].commit({COMMANDS: offset})
        step = new_step()
        await begin_partitions(network, step, [0], memberships)
        return step.positions[COMMANDS]
    finally:
        await network.close()


def test_commands_go_on_from_the_lowest_offset_that_a_decider_has_committed(
    tmp_path: Path,
) -> None:
    assert asyncio.run(begun(tmp_path, {"dealer": 4, "betting": 7})) == 4


def test_a_decider_that_has_committed_nothing_has_answered_nothing(tmp_path: Path) -> None:
    """A process that died between its first two commits must not pass over commands."""
    assert asyncio.run(begun(tmp_path, {"betting": 7})) == 0
    assert asyncio.run(begun(tmp_path / "new", {})) == 0
