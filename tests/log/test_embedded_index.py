"""The index of the embedded log, written later than its records: nothing is missed without it."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from riverboat.log import embedded_store, topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.embedded_store import FILE_NAME, Ask, Store
from riverboat.log.log import Append, LogError, Place
from riverboat.log.topics import HAND_LOG
from riverboat.runtime.config import SERVICES
from tests.services.network import ROOT

SMALL = topics.topics_with(4)
PLACE = Place(HAND_LOG, 1)


async def opened(folder: Path, *, read_only: bool = False) -> EmbeddedLog:
    return await EmbeddedLog.open(folder, SMALL, clock=lambda: 1_000_000, read_only=read_only)


def one(text: str, place: Place = PLACE) -> list[Append]:
    return [Append(place.topic, place.partition, "1.1", text.encode())]


def numbers(folder: Path) -> tuple[int, int]:
    """The number of the last record in the file, and of the last in the index."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        (last,) = file.execute("SELECT max(seq) FROM record").fetchone()
        (indexed,) = file.execute("SELECT seq FROM indexed").fetchone()
    return last, indexed


async def everything(log: EmbeddedLog, places: list[Place]) -> dict[Place, list[str]]:
    """All values at these places, from the file."""
    ends = await log.ends(places)
    reader = log.reader()
    got: dict[Place, list[str]] = {place: [] for place in places}
    for place in places:
        reader.follow(place, 0)
    while any(len(got[place]) < ends[place] for place in places):
        for place, records in (await asyncio.wait_for(reader.take(most=700), 10)).items():
            assert records[0].offset == len(got[place])
            got[place] += [(record.value or b"").decode() for record in records]
    await reader.close()
    return got


@pytest.mark.parametrize("count", [40, embedded_store.INDEXED_AT_ONCE + 40])
async def test_records_that_are_not_in_the_index_yet_are_read_all_the_same(tmp_path, count):
    """A process that dies leaves the last records out of it; who looks on meets them there too."""
    places = [Place(HAND_LOG, partition) for partition in range(4)]
    log = await opened(tmp_path)
    wanted: dict[Place, list[str]] = {place: [] for place in places}
    for n in range(count):
        for place in places[: 1 + n % 4]:
            wanted[place].append(f"{place.partition}/{n}")
            sent = log.append(one(wanted[place][-1], place))
        if n % 10 == 9:
            await sent.durable
    await sent.durable
    looking = await opened(tmp_path, read_only=True)
    assert await everything(looking, places) == wanted
    await looking.close()
    await log.close()
    last, indexed = numbers(tmp_path)
    assert indexed < last
    assert bool(indexed) is (count > embedded_store.INDEXED_AT_ONCE)

    log = await opened(tmp_path)
    assert numbers(tmp_path) == (last, last)
    assert await everything(log, places) == wanted
    [record] = log.append(one("next")).records or ()
    assert record.offset == len(wanted[PLACE])
    await log.close()


async def test_a_number_in_the_file_that_is_given_again_is_indexed_again(tmp_path):
    store = Store(tmp_path)
    store.hold(SMALL)
    [place, other] = [standing.id for standing in store.standings()[:2]]
    store.commit([place, 0, 1_000, "1.0", b"old"], {}, {})
    store.index()
    assert store.clear_before(place, 2_000) == 1
    store.commit([other, 0, 3_000, "1.0", b"new"], {}, {})
    assert numbers(tmp_path) == (1, 0)
    [answer] = store.read([Ask(other, PLACE, 0, 1)], 10)
    assert [record.value for record in answer.records] == [b"new"]
    store.index()
    [answer] = store.read([Ask(other, PLACE, 0, 1)], 10)
    assert [record.value for record in answer.records] == [b"new"]
    store.close()


def make_older(folder: Path) -> None:
    """Make a file of today one of the first format."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        file.executescript(
            "CREATE UNIQUE INDEX record_at ON record (place, at);"
            "DROP TABLE placed; DROP TABLE indexed; PRAGMA user_version = 1"
        )


async def test_a_file_of_the_first_format_is_looked_at_as_it_is_and_brought_up_to_date(tmp_path):
    log = await opened(tmp_path)
    await log.append(one("a") + one("b") + one("c", Place(HAND_LOG, 2))).durable
    await log.close()
    make_older(tmp_path)
    places = [PLACE, Place(HAND_LOG, 2)]
    wanted = {PLACE: ["a", "b"], Place(HAND_LOG, 2): ["c"]}
    looking = await opened(tmp_path, read_only=True)
    assert await everything(looking, places) == wanted
    await looking.close()

    log = await opened(tmp_path)
    assert await everything(log, places) == wanted
    await log.append(one("d")).durable
    await log.close()
    assert numbers(tmp_path) == (4, 3)
    log = await opened(tmp_path)
    assert (await everything(log, places))[PLACE] == ["a", "b", "d"]
    await log.close()


async def test_a_file_that_finds_no_room_to_be_brought_up_to_date_stays_as_it_was(tmp_path):
    """Its reason is one line, and whoever goes back to the release before finds all of it."""
    log = await opened(tmp_path)
    count = 5_000
    await log.append([append for n in range(count) for append in one(str(n))]).durable
    await log.close()
    make_older(tmp_path)
    before = schema(tmp_path)
    size = (tmp_path / FILE_NAME).stat().st_size
    # No file of this process grows beyond that: as on a disk that is full.
    upgrading = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size // 4},) * 2);"
        "from services.cli.main import main; main()"
    )
    serve = ["serve", *SERVICES, "--data", str(tmp_path), "--listen", "127.0.0.1:0"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", upgrading, *serve, "--metrics", "none"),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    _, told = await asyncio.wait_for(process.communicate(), 60)
    (line,) = told.decode().splitlines()
    assert line.startswith(
        f"riverboat: {tmp_path / FILE_NAME} cannot be brought from format 1 to 2"
    )
    assert process.returncode == 1
    assert schema(tmp_path) == before
    looking = await opened(tmp_path, read_only=True)
    assert len((await everything(looking, [PLACE]))[PLACE]) == count
    await looking.close()
    log = await opened(tmp_path)
    assert (await everything(log, [PLACE]))[PLACE] == [str(n) for n in range(count)]
    assert numbers(tmp_path) == (count, count)
    await log.close()


def schema(folder: Path) -> list[tuple[object, ...]]:
    """All that the file says of its own form."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as file:
        return [
            *file.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall(),
            *file.execute("PRAGMA user_version").fetchall(),
            *file.execute("PRAGMA integrity_check").fetchall(),
        ]


async def test_a_file_that_is_no_database_is_named(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"a letter to the operator" * 1_000)
    for read_only in (False, True):
        with pytest.raises(LogError, match=rf"{FILE_NAME}: file is not a database"):
            await opened(tmp_path, read_only=read_only)


async def test_a_file_whose_maker_died_before_it_was_a_log_is_none_to_look_at(tmp_path):
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(LogError, match="there is no log in"):
        await opened(tmp_path, read_only=True)
    log = await opened(tmp_path)
    await log.append(one("a")).durable
    assert await everything(log, [PLACE]) == {PLACE: ["a"]}
    await log.close()


async def test_a_file_of_a_later_format_is_left_alone(tmp_path):
    await (await opened(tmp_path)).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as file:
        file.execute("PRAGMA user_version = 3")
    with pytest.raises(LogError, match="has format 3"):
        await opened(tmp_path)
