"""A hand told from the log: all that happened, in order, and the proof of every card."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

from riverboat.game.hand.events import HandShown, StreetDealt
from riverboat.game.record import Record
from services.cli.main import run
from services.cli.story import Narrator
from tests.cli.house import Network, network
from tests.waiting import until


async def told(net: Network, hand: str) -> int:
    return await asyncio.to_thread(run, ["hand", hand, "--data", str(net.config.data)])


async def test_a_hand_is_told_while_the_network_runs(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table("Natchez")
        async with net.bots(table, 4, hands=12) as crowd:
            await crowd.done.wait()
        stories = []
        for number in range(1, 13):
            assert await told(net, f"{table}-{number}") == 0
            stories.append(capfd.readouterr().out)
        assert await told(net, f"{table}-999") == 1
        assert "there is no such hand" in capfd.readouterr().err
    for number, story in enumerate(stories, 1):
        lines = story.splitlines()
        assert lines[0].startswith(f"Hand {table}-{number} at Natchez: no limit Texas Hold'em 5/10")
        assert any("posts the big blind 10" in line for line in lines)
        assert any(line.startswith("Result  ") for line in lines)
        assert lines[-1].startswith(("Proved: all ", "No card was shown."))
    assert any("Proved: all " in story for story in stories)
    assert any(" wins " in story for story in stories)


async def test_a_hand_that_is_still_played_is_told_as_far_as_it_goes(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        async with net.bots(table, 3, think_ms=60_000):
            await until(lambda: net.house.tables[table].deal is not None)
            # It is folded here before the disk has it, and only from there can it be told.
            async with asyncio.timeout(20):
                while await told(net, f"{table}-1") != 0:
                    assert "there is no such hand" in capfd.readouterr().err
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == "The hand is still being played."
    assert not any("shows" in line for line in lines)


async def test_a_run_out_is_told_street_by_street(tmp_path: Path) -> None:
    """One record deals all that is left; what is told of a street is what lay there then."""
    records: list[tuple[Record, int]] = []
    async with network(tmp_path) as net:
        net.house.follow(lambda _table, record, found: records.append((record, found.time_ms)))
        table = await net.open_table(runs=2)
        async with net.bots(table, 4):
            await until(lambda: any(runs_out(record) for record, _ in records), timeout_s=60)
    hand = next(record.hand for record, _ in records if runs_out(record))
    narrator = Narrator(table, hand)
    for record, time_ms in records:
        if narrator.take(record, time_ms):
            break
    lines = narrator.lines
    boards = {
        name: re.split(r"   pot |  \|  ", line.removeprefix(name).strip())[:-1]
        for line in lines
        if (name := line.partition(" ")[0]) in ("Flop", "Turn", "River")
    }
    counts = {name: {len(board.split()) for board in told} for name, told in boards.items()}
    assert counts == {"Flop": {3}, "Turn": {4}, "River": {5}}
    assert len(boards["River"]) == 2
    shown = [at for at, line in enumerate(lines) if " shows " in line]
    worth = [at for at, line in enumerate(lines) if " has board 1: " in line]
    assert len(shown) == len(worth) >= 2
    assert not any("(" in lines[at] for at in shown), "worth nothing before the board lies there"
    assert max(shown) < next(at for at, line in enumerate(lines) if line.startswith("River"))
    assert min(worth) > next(at for at, line in enumerate(lines) if line.startswith("River"))


async def test_a_card_that_was_not_committed_to_is_told(tmp_path: Path) -> None:
    """ARCHITECTURE 4: every card shown comes with its proof."""
    records: list[tuple[Record, int]] = []
    async with network(tmp_path) as net:
        net.house.follow(lambda _table, record, found: records.append((record, found.time_ms)))
        table = await net.open_table()
        async with net.bots(table, 4):
            await until(lambda: any(map(shows, records)))
    hand = next(record.hand for record, time_ms in records if shows((record, time_ms)))
    honest, forged = Narrator(table, hand), Narrator(table, hand)
    for record, time_ms in records:
        if honest.take(record, time_ms) | forged.take(turned_round(record), time_ms):
            break
    assert honest.lines[-1].startswith("Proved: all ")
    assert forged.lines[-1].startswith("NOT PROVED: ")


def runs_out(record: Record) -> bool:
    kinds = [type(event) for event in record.events]
    return HandShown in kinds and kinds.count(StreetDealt) == 3


def shows(found: tuple[Record, int]) -> bool:
    return any(isinstance(event, HandShown) for event in found[0].events)


def turned_round(record: Record) -> Record:
    """The same record, with each hand shown in another order than it was dealt in."""
    events = tuple(
        replace(event, cards=event.cards[::-1]) if isinstance(event, HandShown) else event
        for event in record.events
    )
    return replace(record, events=events)
