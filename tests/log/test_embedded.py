"""The embedded log's own promises: what the contract suite, blind to which log it holds, omits."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
import threading
from pathlib import Path

import pytest

from riverboat.log import embedded_reader, topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.embedded_store import FILE_NAME, TOMBSTONE_MS
from riverboat.log.embedded_writer import CLEAR_EVERY_MS
from riverboat.log.log import (
    Append,
    AppendFailed,
    DiskNearlyFull,
    LogError,
    LogInUse,
    OffsetOutOfRange,
    Place,
    Record,
    Sent,
    WrongTopic,
)
from riverboat.log.topics import DAY_MS, HAND_LOG, TABLE_COMMANDS, TABLES

SMALL = topics.topics_with(4)
PLACE = Place(HAND_LOG, 1)


class Clock:
    """Milliseconds that stand still until a test moves them."""

    def __init__(self, now_ms: int = 1_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


async def opened(folder: Path, **settings) -> EmbeddedLog:
    settings.setdefault("clock", Clock())
    settings.setdefault("topics", SMALL)
    return await EmbeddedLog.open(folder, **settings)


def one(text: str, place: Place = PLACE, key: str = "1.1") -> list[Append]:
    return [Append(place.topic, place.partition, key, text.encode())]


def stands(sent: Sent) -> list[Record]:
    assert sent.records is not None, "the sole writer knows at once where a batch stands"
    return list(sent.records)


async def test_an_append_says_at_once_where_it_stands(tmp_path):
    clock = Clock()
    log = await opened(tmp_path, clock=clock)
    first = log.append(one("a") + one("b") + one("c", Place(HAND_LOG, 2)))
    assert [(r.partition, r.offset) for r in stands(first)] == [(1, 0), (1, 1), (2, 0)]
    assert {r.time_ms for r in stands(first)} == {clock.now_ms}
    assert not first.durable.done()
    await first.durable
    await log.close()


async def test_append_times_never_run_back(tmp_path):
    clock = Clock(5_000)
    log = await opened(tmp_path, clock=clock)
    await log.append(one("a")).durable
    clock.now_ms = 4_000
    sent = log.append(one("b"))
    assert stands(sent)[0].time_ms == 5_000
    assert stands(log.append(one("x", Place(HAND_LOG, 2))))[0].time_ms == 5_000, (
        "the log has one time"
    )
    await log.close()

    again = await opened(tmp_path, clock=clock)
    assert stands(again.append(one("c")))[0].time_ms == 5_000
    await again.close()


async def test_a_clock_that_was_set_back_stops_no_time(tmp_path):
    """Players' clocks run by the log's time: it goes on by a clock that nobody sets."""
    clock, steady = Clock(500_000), Clock(0)
    log = await opened(tmp_path, clock=clock, steady=steady)
    await log.append(one("a")).durable
    clock.now_ms -= 120_000
    steady.now_ms += 100
    sent = log.append(one("b"))
    assert stands(sent)[0].time_ms == await log.time_ms() == 500_100
    assert log.time.ahead_ms == 120_100
    await log.close()

    steady.now_ms = 17  # of another process, or another start of the machine
    again = await opened(tmp_path, clock=clock, steady=steady)
    assert await again.time_ms() == 500_100
    steady.now_ms += 100
    assert stands(again.append(one("c")))[0].time_ms == 500_200
    clock.now_ms = 600_000
    assert stands(again.append(one("d")))[0].time_ms == 600_000
    await again.close()


async def test_appends_of_one_turn_of_the_loop_become_durable_together(tmp_path):
    log = await opened(tmp_path)
    sent = [log.append(one(str(n))) for n in range(300)]
    assert len({id(s.durable) for s in sent}) == 1
    await sent[0].durable
    assert await log.ends([PLACE]) == {PLACE: 300}
    await log.close()


async def test_whoever_stops_waiting_takes_nothing_from_the_others(tmp_path):
    log = await opened(tmp_path)
    first, second = log.append(one("a")), log.append(one("b"))

    async def wait() -> None:
        await first.durable

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    waiting.cancel()
    await second.durable
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await log.close()


async def test_readers_see_durable_records_only(tmp_path):
    log = await opened(tmp_path)
    reader = log.reader()
    reader.follow(PLACE, 0)
    sent = log.append(one("a"))
    assert await reader.take(wait_ms=0) == {}
    await sent.durable
    assert await reader.take(wait_ms=0) == {PLACE: stands(sent)}
    await log.close()


@pytest.mark.parametrize("most", [1, 7, 4096])
async def test_a_reader_far_behind_is_served_from_the_file(tmp_path, most):
    log = await opened(tmp_path)
    count = embedded_reader.TAIL_RECORDS_MAX * 3
    sent = log.append([a for n in range(count) for a in one(f"v{n}")])
    await sent.durable
    reader = log.reader()
    reader.follow(PLACE, 0)
    got: list[Record] = []
    while len(got) < count:
        taken = (await reader.take(most=most))[PLACE]
        assert 0 < len(taken) <= most
        got += taken
        if most == 1 and len(got) > 20:
            break
    assert got == stands(sent)[: len(got)]
    await log.close()


@pytest.mark.parametrize("most", [1, 50, 1_000, 100_000])
async def test_a_reader_far_behind_at_many_places_skips_nothing(tmp_path, most):
    """Some places are then beyond what one answer may hold: they wait, they are not passed over."""
    log = await opened(tmp_path)
    places = [Place(HAND_LOG, partition) for partition in range(4)]
    count = embedded_reader.TAIL_RECORDS_MAX + 100
    for place in places:
        await log.append([a for n in range(count) for a in one(str(n), place)]).durable
    reader = log.reader()
    for place in places:
        reader.follow(place, 0)
    got: dict[Place, list[int]] = {place: [] for place in places}
    while sum(map(len, got.values())) < (4 * count if most > 1 else 30):
        taken = await asyncio.wait_for(reader.take(most=most), 10)
        assert 0 < sum(map(len, taken.values())) <= most
        for place, records in taken.items():
            got[place] += [record.offset for record in records]
    for offsets in got.values():
        assert offsets == list(range(len(offsets)))
    assert most == 1 or await reader.take(wait_ms=0) == {}
    await log.close()


async def test_what_was_fetched_ahead_is_dropped_when_it_is_not_what_comes_next(tmp_path):
    """A reader begins to fetch what follows before it is asked; meanwhile it may be moved."""
    log = await opened(tmp_path)
    other = Place(HAND_LOG, 2)
    count = embedded_reader.TAIL_RECORDS_MAX + 100
    for place in (PLACE, other):
        await log.append([each for n in range(count) for each in one(str(n), place)]).durable
    reader = log.reader()
    reader.follow(PLACE, 0)
    assert [r.offset for r in (await reader.take(most=4))[PLACE]] == [0, 1, 2, 3]
    reader.follow(PLACE, 40)
    assert [r.offset for r in (await reader.take(most=4))[PLACE]] == [40, 41, 42, 43]
    assert [r.offset for r in (await reader.take(most=2))[PLACE]] == [44, 45]
    reader.leave(PLACE)
    reader.follow(other, 7)
    assert {p: [r.offset for r in rs] for p, rs in (await reader.take(most=2)).items()} == {
        other: [7, 8]
    }
    # A place that has come since waits for the look after this one.
    reader.follow(PLACE, 0)
    assert list(await reader.take(most=2)) == [other]
    assert PLACE in await reader.take(most=2)
    await reader.close()
    await log.close()


async def test_tombstones_and_empty_values_are_two_things(tmp_path):
    log = await opened(tmp_path)
    log.append([Append(*PLACE, "k", None), Append(*PLACE, "k", b""), Append(*PLACE, 'k"\n', b"\0")])
    await log.close()
    log = await opened(tmp_path)
    reader = log.reader()
    reader.follow(PLACE, 0)
    got = (await reader.take())[PLACE]
    assert [(r.key, r.value) for r in got] == [("k", None), ("k", b""), ('k"\n', b"\0")]
    await log.close()


async def test_only_one_may_have_it_open(tmp_path):
    log = await opened(tmp_path)
    with pytest.raises(LogInUse, match="another process"):
        await opened(tmp_path)
    await log.close()
    await (await opened(tmp_path)).close()


async def test_another_may_look_while_it_is_in_use(tmp_path):
    log = await opened(tmp_path)
    await log.append(one("a")).durable
    looking = await opened(tmp_path, read_only=True)
    reader = looking.reader()
    reader.follow(PLACE, 0)
    assert [r.value for r in (await reader.take())[PLACE]] == [b"a"]
    await log.append(one("b")).durable
    assert await looking.ends([PLACE]) == {PLACE: 2}
    assert [r.value for r in (await reader.take())[PLACE]] == [b"b"]
    with pytest.raises(AppendFailed, match="reading only"):
        looking.append(one("c"))
    await looking.close()
    await log.close()


async def test_looking_makes_no_log(tmp_path):
    with pytest.raises(LogError, match="no log"):
        await opened(tmp_path, read_only=True)
    assert list(tmp_path.iterdir()) == []


async def test_a_commit_that_fails_ends_everything_after_it(tmp_path):
    """A failed commit ends the process: nothing that was handed over later may land."""
    reasons: list[str] = []
    log = await opened(tmp_path, fatal=reasons.append)
    await log.append(one("safe")).durable

    def break_file() -> None:
        other = sqlite3.connect(tmp_path / FILE_NAME, timeout=10)
        other.execute(
            "CREATE TRIGGER full BEFORE INSERT ON record WHEN NEW.key = 'bad'"
            " BEGIN SELECT RAISE(ABORT, 'the disk is gone'); END"
        )
        other.close()

    await asyncio.to_thread(break_file)
    bad = log.append(one("good") + one("x", key="bad"))
    await asyncio.wait([bad.durable])
    with pytest.raises(AppendFailed, match="the disk is gone"):
        await bad.durable
    assert len(reasons) == 1
    with pytest.raises(AppendFailed):
        log.append(one("later"))
    await log.close()

    again = await opened(tmp_path)
    assert await again.ends([PLACE]) == {PLACE: 1}
    await again.close()


async def test_a_nearly_full_disk_is_said_before_anything_is_appended(tmp_path):
    log = await opened(tmp_path, low_bytes=1 << 62, floor_bytes=0)
    assert log.disk_low
    await log.append(one("a")).durable
    await log.close()
    log = await opened(tmp_path, low_bytes=0, floor_bytes=1 << 62)
    assert not log.disk_low
    with pytest.raises(DiskNearlyFull, match="bytes are free"):
        log.append(one("b"))
    assert await log.ends([PLACE]) == {PLACE: 1}
    await log.close()


async def test_another_number_of_partitions_is_refused(tmp_path):
    await (await opened(tmp_path)).close()
    with pytest.raises(WrongTopic, match=r"hand-log|table-commands"):
        await opened(tmp_path, topics=topics.topics_with(8))


async def test_superseded_snapshots_go_and_the_newest_stay(tmp_path):
    place = Place(TABLES, 0)
    log = await opened(tmp_path)
    for n in range(5):
        log.append([Append(*place, "1.0", b"%d" % n), Append(*place, "2.0", b"%d" % n)])
    await log.append([Append(*place, "2.0", None)]).durable
    await log.close()

    log = await opened(tmp_path)
    assert await log.ends([place]) == {place: 11}
    reader = log.reader()
    reader.follow(place, 0)
    got = (await reader.take())[place]
    assert [(r.offset, r.key, r.value) for r in got] == [(8, "1.0", b"4"), (10, "2.0", None)]
    await log.append([Append(*place, "1.0", b"5")]).durable
    assert [r.value for r in (await reader.take())[place]] == [b"5"]
    await log.close()


async def test_a_key_is_forgotten_with_its_tombstone(tmp_path):
    """Or a log that runs for years would know the name of every table there ever was."""
    place, clock = Place(TABLES, 0), Clock()
    log = await opened(tmp_path, clock=clock)
    newest = log._parts[place].newest
    assert newest is not None
    log.append([Append(*place, key, b"x") for key in ("1.0", "2.0", "3.0")])
    await log.append([Append(*place, key, None) for key in ("1.0", "2.0")]).durable
    clock.now_ms += TOMBSTONE_MS + CLEAR_EVERY_MS
    # One comes back at the moment when its tombstone goes, and none of the others lives.
    await log.append([Append(*place, "2.0", b"y")]).durable
    async with asyncio.timeout(10):
        while "1.0" in newest:  # noqa: ASYNC110  the writer tells nobody but the log
            await asyncio.sleep(0.01)
    assert newest == {"2.0": 5, "3.0": 2}
    await log.append([Append(*place, "1.0", b"z")]).durable
    await log.close()

    log = await opened(tmp_path, clock=clock)
    reader = log.reader()
    reader.follow(place, 0)
    got = (await reader.take())[place]
    assert [(r.offset, r.key) for r in got] == [(2, "3.0"), (5, "2.0"), (6, "1.0")]
    await log.close()


async def test_old_commands_are_cleared_and_offsets_go_on(tmp_path):
    place, clock = Place(TABLE_COMMANDS, 0), Clock()
    log = await opened(tmp_path, clock=clock)
    log.append([a for n in range(5_000) for a in one(str(n), place)])
    log.append(one("kept for ever"))
    await log.close()

    clock.now_ms += 8 * DAY_MS
    log = await opened(tmp_path, clock=clock)
    await log.append(one("young", place)).durable
    await log.close()

    log = await opened(tmp_path, clock=clock)
    assert await log.starts([place, PLACE]) == {place: 5_000, PLACE: 0}
    assert await log.ends([place, PLACE]) == {place: 5_001, PLACE: 1}
    reader = log.reader()
    reader.follow(place, 4_999)
    with pytest.raises(OffsetOutOfRange, match="4999"):
        await reader.take()
    reader.follow(place, 5_000)
    assert [r.value for r in (await reader.take())[place]] == [b"young"]
    clock.now_ms += 8 * DAY_MS
    await log.append(one("x")).durable
    await log.close()

    log = await opened(tmp_path, clock=clock)
    assert await log.starts([place]) == await log.ends([place]) == {place: 5_001}
    await log.close()


async def test_topics_owned_together_have_the_same_partitions(tmp_path):
    odd = [dataclasses.replace(t, partitions=3) if t.name == TABLES else t for t in SMALL]
    log = await opened(tmp_path, topics=odd)
    with pytest.raises(WrongTopic, match="differ in partitions"):
        await log.join("dealer", "a", [HAND_LOG, TABLES])
    await log.close()


async def test_closing_ends_its_thread(tmp_path):
    log = await opened(tmp_path)
    assert "riverboat-log" in {thread.name for thread in threading.enumerate()}
    sent = log.append(one("a"))
    await log.close()
    assert sent.durable.done() and sent.durable.exception() is None
    assert "riverboat-log" not in {
        thread.name for thread in threading.enumerate() if thread.is_alive()
    }
    with pytest.raises(AppendFailed, match="closed"):
        log.append(one("b"))
