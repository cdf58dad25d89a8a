"""`riverboat audit`: a real log, and the ledger beside it, held to the laws.

Reads only, while the network runs or not. What it checks is riverboat/sim/auditor.py, the same that
watches every simulated run; it repairs nothing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import click

from riverboat.log import log, topics
from riverboat.log.deck_keys import FileKeys
from riverboat.log.log import Log, LogError, Place
from riverboat.log.opening import KAFKA, open_log
from riverboat.log.sealing import SealedDecks
from riverboat.runtime import entropy
from riverboat.runtime.clock import SystemClock
from riverboat.sim.auditor import Auditor
from riverboat.sim.bank import AtTable
from riverboat.sim.laws import LawBroken
from services.wallet import check
from services.wallet.store import Store

EVERY: Final = 100_000  # records between two lines of progress


class Notes:
    """What was met on the way."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()

    def reach(self, fault: str, times: int = 1) -> None:
        self.met[fault] += times

    def tell(self, *words: object) -> None:
        click.echo(" ".join(str(word) for word in words), err=True)


def ledger_of(path: Path | None) -> tuple[dict[str, AtTable], list[str]]:
    """Where the ledger stands with every table, and what is wrong in it by itself."""
    if path is None:
        return {}, []
    store = Store(path, read_only=True)
    try:
        stands = {table: AtTable(*found) for table, found in check.positions(store).items()}
        return stands, check.faults(store)
    finally:
        store.close()


async def records(network: Log, place: Place) -> AsyncIterator[log.Record]:
    """All that stands at the place now, in order."""
    start, end = (await network.starts([place]))[place], (await network.ends([place]))[place]
    if start >= end:
        return
    reader = network.reader()
    reader.follow(place, start)
    try:
        offset = start
        while offset < end:
            taken = (await reader.take(wait_ms=5_000)).get(place)
            if not taken:
                raise LogError(f"{place.topic}/{place.partition}: nothing to read at {offset}")
            for record in taken:
                if record.offset < end:
                    yield record
            offset = taken[-1].offset + 1
    finally:
        await reader.close()


async def audit(network: Log, auditor: Auditor, stands: dict[str, AtTable]) -> None:
    """Read the whole log; raises `LawBroken`."""
    told = EVERY
    for partition in range(network.partitions(topics.HAND_LOG)):
        # What was asked comes first, so that every answer is held to its command.
        for topic in (topics.TABLE_COMMANDS, topics.HAND_LOG):
            async for record in records(network, Place(topic, partition)):
                auditor.landed(record)
        if auditor.records >= told:
            told += EVERY
            click.echo(f"{auditor.records} records", err=True)
    auditor.ledger(stands, [])
    missing = [table for table in stands if table not in auditor.tables]
    if missing:
        raise LawBroken("ledger", missing[0], "the ledger knows a table that the log does not")


@click.command("audit")
@click.argument("address", metavar="LOG")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of keys and ledger.")
@click.option("--ledger", type=click.Path(path_type=Path), help="The wallet's database.")
@click.option("--keys", type=click.Path(path_type=Path), help="The keys that open decks.")
def audit_command(address: str, data: Path | None, ledger: Path | None, keys: Path | None) -> None:
    """Check a log (a data folder, or kafka://HOST:PORT) and the ledger beside it."""
    if not address.startswith(KAFKA) and not Path(address).is_dir():
        raise click.ClickException(f"{address}: there is no such folder")
    folder = data if address.startswith(KAFKA) else data or Path(address)
    ledger = _there(ledger, folder, "ledger.sqlite")
    keys = _there(keys, folder, "deck-keys.json")
    try:
        broken, said = asyncio.run(_run(address, ledger, keys))
    except LogError as error:
        raise click.ClickException(str(error)) from None
    for line in said:
        click.echo(line)
    click.echo(f"broken: {broken}" if broken else "clean")
    raise SystemExit(1 if broken else 0)


def _there(given: Path | None, folder: Path | None, name: str) -> Path | None:
    if given is not None:
        if not given.exists():
            raise click.ClickException(f"{given} is not there")
        return given
    found = folder / name if folder is not None else None
    return found if found is not None and found.exists() else None


async def _run(address: str, ledger: Path | None, keys: Path | None) -> tuple[str, list[str]]:
    clock = SystemClock()
    # The ledger first: whatever it has booked by now stands in the log that is read after it.
    stands, faults = ledger_of(ledger)
    decks = None
    if keys is not None:
        decks = SealedDecks(FileKeys(keys, entropy.system), entropy.system, clock.now_ms)
    notes = Notes()
    wanted = {table: found.version for table, found in stands.items()}
    auditor = Auditor(notes, decks, wanted)
    network = await open_log(address, clock=clock.now_ms, read_only=True)
    broken = ""
    try:
        await audit(network, auditor, stands)
        if faults:
            raise LawBroken("ledger", "the ledger", faults[0])
    except LawBroken as error:
        broken = str(error)
    finally:
        await network.close()
    said = [
        f"{len(auditor.tables)} tables, {auditor.records} records, {auditor.events} events",
        f"{auditor.started} hands started, {auditor.ended} ended, {auditor.voided} voided",
        f"{notes.met['stale']} stale records, {notes.met['refused']} commands refused",
        "decks opened and proofs checked" if decks else "decks not opened: no keys given",
        f"ledger compared at {len(stands)} tables" if ledger else "no ledger given",
    ]
    return broken, said


if __name__ == "__main__":
    audit_command()
