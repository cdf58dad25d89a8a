"""`riverboat audit`: a real log, and the ledger beside it, held to the laws.

Reads only, while the network runs or not. What it checks is riverboat/sim/auditor.py, the same that
watches every simulated run; it repairs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Final, NamedTuple

import click
from sqlalchemy.exc import SQLAlchemyError

from riverboat.log import log, topics
from riverboat.log.deck_keys import BadKeyFile, FileKeys
from riverboat.log.log import Log, LogError, Place, Reader
from riverboat.log.opening import KAFKA
from riverboat.log.sealing import SealedDecks
from riverboat.runtime import entropy
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.config import Config, without_password
from riverboat.sim.auditor import Auditor
from riverboat.sim.bank import AtTable
from riverboat.sim.laws import LEDGER, ONE_STATE, LawBroken
from services.cli import places
from services.cli.network_log import open_network, records
from services.cli.options import config_option, settings
from services.cli.own_rules import rules_option
from services.cli.running import run, set_up_logs
from services.wallet import check
from services.wallet.engines import LedgerAway, first_line, is_url
from services.wallet.store import Store, WrongLedger

EMBEDDED: Final = "embedded"
EVERY: Final = 100_000  # records between two lines of progress
# Dead letters older than this may be deleted; see log/topics.py. A day less, to be sure.
LETTERS_MS: Final = 27 * topics.DAY_MS


class Notes:
    """What was met on the way."""

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()

    def reach(self, fault: str, times: int = 1) -> None:
        self.met[fault] += times

    def tell(self, *words: object) -> None:
        click.echo(" ".join(str(word) for word in words), err=True)


class Ledger(NamedTuple):
    """What the ledger says of itself."""

    stands: dict[str, AtTable]  # where it stands with every table
    faults: Sequence[str]
    flagged: int
    flags: Sequence[str]  # postings that a person should look at


def ledger_of(where: str | Path | None, password: str | None = None) -> Ledger:
    """The ledger by itself; an empty one where there is none. Raises `Unchecked`."""
    if where is None:
        return Ledger({}, [], 0, [])
    try:
        store = Store(where, password=password, read_only=True)
        try:
            return Ledger(
                {table: AtTable(*found) for table, found in check.positions(store).items()},
                check.faults(store) + check.stopped(store),
                check.flagged(store),
                check.flags(store),
            )
        finally:
            store.close()
    except WrongLedger as error:
        raise Unchecked(f"the ledger cannot be checked: {error}") from None
    except LedgerAway as error:
        raise Unchecked(f"the ledger cannot be reached: {error}") from None
    except SQLAlchemyError as error:
        raise Unchecked(f"the ledger cannot be read: {first_line(error)}") from None
    except (KeyError, ValueError) as error:
        name = without_password(str(where))
        # It holds money of a table or of an account that it knows nothing of.
        raise Unchecked(f"the ledger cannot be checked: {error!r} in {name}") from None


class Unchecked(Exception):
    """What could not be read at all; the message names it."""


async def audit(network: Log, auditor: Auditor, stands: dict[str, AtTable]) -> None:
    """Hold the whole log and the ledger to the laws; raises `LawBroken`."""
    reader = network.reader()
    try:
        await read_all(network, auditor, reader)
    finally:
        await reader.close()
    for name, booked in stands.items():
        table = auditor.tables.get(name)
        if table is None:
            raise LawBroken(LEDGER, name, "the ledger knows a table that the log does not")
        if booked.version > table.version:
            what = f"the log ends at v{table.version}"
            raise LawBroken(LEDGER, f"{name} v{booked.version}", f"is booked, and {what}")
    auditor.ledger(stands)


async def read_all(network: Log, auditor: Auditor, reader: Reader) -> None:
    """Show the auditor the whole log; raises `LawBroken`."""
    told = EVERY
    holes = []
    for partition in range(network.partitions(topics.HAND_LOG)):
        # What was asked comes first, so that every answer is held to its command.
        for topic in (topics.TABLE_ORDERS, topics.TABLE_COMMANDS, topics.HAND_LOG):
            expected = -1
            async for record in records(network, Place(topic, partition), reader):
                if record.offset != expected >= 0:
                    holes.append(f"{topic}/{partition}/{expected}")
                expected = record.offset + 1
                land(auditor, record)
        if auditor.records >= told:
            told += EVERY
            click.echo(f"{auditor.records} records", err=True)
    if holes:
        raise LawBroken(ONE_STATE, holes[0], "nothing stands here, and something did")
    await read_measures(network, auditor, reader)
    await put_aside(network, auditor, reader)


async def read_measures(network: Log, auditor: Auditor, reader: Reader) -> None:
    """What operators did: read last, for a measure stands before its order; raises `LawBroken`."""
    for partition in range(network.partitions(topics.OPERATOR_LOG)):
        async for record in records(network, Place(topics.OPERATOR_LOG, partition), reader):
            land(auditor, record)
    auditor.measures.check_orders()


def land(auditor: Auditor, record: log.Record) -> None:
    """One record more; raises `LawBroken`, whatever it holds."""
    try:
        auditor.landed(record)
    except LawBroken:
        raise
    except Exception as error:
        # A forged record may hold anything, and what it does to a check is what is wrong with it.
        table = auditor.tables.get(record.key)
        where = f"{record.key} v{table.version + 1 if table else 1}"
        what = f"{name_of(record)} cannot be checked: {type(error).__name__}: {error}"
        raise LawBroken(ONE_STATE, where, what) from error


def name_of(record: log.Record) -> str:
    """Where the record stands, as dead letters are called."""
    return f"{record.topic}/{record.partition}/{record.offset}"


async def put_aside(network: Log, auditor: Auditor, reader: Reader) -> None:
    """Whatever could not be read was put aside by who decides; raises `LawBroken`."""
    if not auditor.unreadable:
        return
    kept = set()
    for partition in range(network.partitions(topics.DEAD_LETTERS)):
        async for letter in records(network, Place(topics.DEAD_LETTERS, partition), reader):
            kept.add(letter.key)
    oldest_ms = await network.time_ms() - LETTERS_MS
    for record, why in auditor.unreadable:
        if name_of(record) not in kept and record.time_ms > oldest_ms:
            table = auditor.tables.get(record.key)
            where = f"{record.key} v{table.version + 1 if table else 1}"
            what = f"{name_of(record)} cannot be read and was not put aside: {why}"
            raise LawBroken(ONE_STATE, where, what)


@click.command("audit")
@click.argument("address", metavar="LOG")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of keys and ledger.")
@click.option("--ledger", metavar="URL", help="The wallet's database: PostgreSQL, or a file.")
@click.option("--keys", type=click.Path(path_type=Path), help="The keys that open decks.")
@config_option
@rules_option
def audit_command(
    address: str,
    data: Path | None,
    ledger: str | None,
    keys: Path | None,
    file: Path | None,
    folder: Path | None,
) -> None:
    """Check a log (a data folder, or kafka://HOST:PORT) and the ledger beside it."""
    on_kafka = address.startswith(KAFKA)
    if not on_kafka and not Path(address).is_dir():
        raise click.ClickException(f"{address}: there is no such folder")
    beside = data if on_kafka else data or Path(address)
    config = settings(
        file,
        log=address if on_kafka else EMBEDDED,
        data=data if on_kafka else address,
        ledger_url=ledger if is_url(ledger or "") else None,
        rulebooks=folder,  # hands of an operator's own games are folded by his tables
    )
    set_up_logs(config)
    books = config.ledger_url or _there(Path(ledger) if ledger else None, beside, places.LEDGER)
    keys = _there(keys, beside, places.DECK_KEYS)
    said: list[str] = []
    try:
        run(_run(config, books, keys, said))
        broken = ""
    except (LawBroken, Unchecked) as found:
        broken = str(found)
    except BadKeyFile as error:
        broken = f"the decks cannot be opened: {error}"
    except LogError as error:
        broken = f"the log cannot be read: {error}"
    except DatabaseError as error:
        broken = f"the log cannot be read: {address}: {error}"
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


async def _run(
    config: Config, ledger: str | Path | None, keys: Path | None, said: list[str]
) -> None:
    """Check it all; raises what is broken. `said` is what there is to tell in any case."""
    clock = SystemClock()
    # The ledger first: whatever it has booked by now stands in the log that is read after it.
    books = ledger_of(ledger, places.ledger_password(config))
    decks = None
    if keys is not None:
        decks = SealedDecks(FileKeys(keys, entropy.system), entropy.system, clock.now_ms)
    notes = Notes()
    wanted = {table: found.version for table, found in books.stands.items()}
    auditor = Auditor(notes, decks, wanted)
    network = await open_network(config, read_only=True)
    try:
        await audit(network, auditor, books.stands)
        if books.faults:
            raise LawBroken(LEDGER, "the ledger", books.faults[0])
    finally:
        await network.close()
        done = auditor.measures
        said += [
            f"{len(auditor.tables)} tables, {auditor.records} records, {auditor.events} events",
            f"{auditor.started} hands started, {auditor.ended} ended, {auditor.voided} voided",
            f"{notes.met['stale']} stale records, {notes.met['refused']} commands refused",
            f"{len(done.taken)} measures of operators, {len(done.open)} without an end yet",
            *unread(auditor),
            "decks opened and proofs checked" if decks else "decks not opened: no keys given",
            *unopened(auditor),
            f"ledger compared at {len(books.stands)} tables" if ledger else "no ledger given",
            *(f"{books.flagged} postings are flagged; the newest:" for _ in books.flags[:1]),
            *books.flags,
            *(f"ledger: {fault}" for fault in books.faults),
        ]


def unread(auditor: Auditor) -> list[str]:
    """The records that hold nothing that can be read, in words."""
    return [
        f"{name_of(record)} cannot be read: {why}"
        for record, why in auditor.unreadable[: check.MOST_TOLD]
    ]


def unopened(auditor: Auditor) -> list[str]:
    """The decks that could not be opened, in words."""
    return [
        f"cards of {hands} hands not checked, from {first} on: {why}"
        for why, (hands, first) in auditor.cards.unopened.items()
    ]
