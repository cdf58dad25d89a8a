"""What both logs promise. Nothing here knows which one it runs on."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from riverboat.log.log import Append, OffsetOutOfRange, Place, RecordTooLarge, WrongTopic
from riverboat.log.topics import BATCH_BYTES_MAX, RECORD_BYTES_MAX, RECORD_FRAME_BYTES
from tests.contract.conftest import PARTITIONS, Arm, batch, read, texts

SOON_MS = 10_000  # what a busy machine may take; a promise kept sooner waits for nothing


# Appending.


async def test_appends_to_a_partition_stand_in_the_order_they_were_handed_over(arm: Arm):
    log = await arm.open()
    places = [arm.place(0), arm.place(1), Place(arm.commands, 1)]
    sent = [log.append(batch(places[n % 3], f"{n}")) for n in range(300)]
    await asyncio.gather(*(s.durable for s in sent))
    for n, place in enumerate(places):
        records = await read(log, place, 100)
        assert texts(records) == [str(m) for m in range(n, 300, 3)]
        assert [r.offset for r in records] == list(range(100))


async def test_a_batch_may_bring_records_to_many_partitions(arm: Arm):
    log = await arm.open()
    await log.append([a for p in range(PARTITIONS) for a in batch(arm.place(p), "a", "b")]).durable
    assert await log.ends([arm.place(p) for p in range(PARTITIONS)]) == {
        arm.place(p): 2 for p in range(PARTITIONS)
    }


async def test_where_a_batch_is_said_to_stand_it_stands(arm: Arm):
    log = await arm.open()
    sent = [log.append(batch(arm.place(), f"{n}a", f"{n}b")) for n in range(5)]
    await asyncio.gather(*(s.durable for s in sent))
    records = await read(log, arm.place(), 10)
    told = [record for s in sent for record in s.records or ()]
    assert told in ([], records), "nothing, or exactly what is read back"


async def test_keys_values_and_tombstones_come_back_as_they_went(arm: Arm):
    log = await arm.open()
    place = Place(arm.tables, 2)
    given = [("1.2", b"\x00\xff" * 50), ("1.2", b""), ("2.2", None), ("ą|\n", bytes(range(256)))]
    await log.append([Append(*place, key, value) for key, value in given]).durable
    got = await read(log, place, 4)
    assert [(r.key, r.value) for r in got] == given
    assert {(r.topic, r.partition) for r in got} == {tuple(place)}


async def test_an_append_of_nothing_is_done(arm: Arm):
    log = await arm.open()
    await asyncio.wait_for(log.append([]).durable, SOON_MS / 1000)


async def test_what_was_acknowledged_is_there_after_a_restart(arm: Arm):
    log = await arm.open()
    await log.append(batch(arm.place(), "a", "b")).durable
    await arm.close()
    log = await arm.open()
    assert await log.ends([arm.place()]) == {arm.place(): 2}
    await log.append(batch(arm.place(), "c")).durable
    assert texts(await read(log, arm.place(), 3)) == ["a", "b", "c"]


async def test_closing_waits_for_what_was_handed_over(arm: Arm):
    log = await arm.open()
    sent = [log.append(batch(arm.place(), str(n))) for n in range(100)]
    await arm.close()
    assert all(s.durable.done() and s.durable.exception() is None for s in sent)
    log = await arm.open()
    assert await log.ends([arm.place()]) == {arm.place(): 100}


@pytest.mark.parametrize("key", ["1.1", "ą" * 100])
async def test_the_largest_record_is_taken_and_one_larger_refused(arm: Arm, key):
    log = await arm.open()
    value = b"x" * (RECORD_BYTES_MAX - len(key.encode()))
    await log.append([Append(*arm.place(), key, value)]).durable
    with pytest.raises(RecordTooLarge, match=arm.hands):
        log.append([*batch(arm.place(), "small"), Append(*arm.place(), key, value + b"x")])
    assert await log.ends([arm.place()]) == {arm.place(): 1}, "nothing of its batch was appended"
    (record,) = await read(log, arm.place(), 1)
    assert record.value == value


async def test_the_largest_batch_for_a_partition_is_taken_and_one_larger_refused(arm: Arm):
    log = await arm.open()
    size = RECORD_BYTES_MAX // 2
    value = b"x" * (size - RECORD_FRAME_BYTES - 3)
    largest = [Append(*arm.place(), "1.1", value)] * (BATCH_BYTES_MAX // size)
    await log.append(largest).durable
    with pytest.raises(RecordTooLarge, match="batch"):
        log.append([*largest, *batch(arm.place(), "")])
    both = [*largest, *(a._replace(partition=2) for a in largest)]
    await log.append(both).durable
    assert await log.ends([arm.place(), arm.place(2)]) == {
        arm.place(): 2 * len(largest),
        arm.place(2): len(largest),
    }


async def test_many_small_records_are_one_batch(arm: Arm):
    log = await arm.open()
    count = BATCH_BYTES_MAX // (RECORD_FRAME_BYTES + 4)
    await log.append([Append(*arm.place(), "1.1", b"x")] * count).durable
    with pytest.raises(RecordTooLarge, match="batch"):
        log.append([Append(*arm.place(), "1.1", b"x")] * (count + 1))
    assert await log.ends([arm.place()]) == {arm.place(): count}


@pytest.mark.parametrize("partition", [-1, PARTITIONS])
async def test_a_partition_that_is_not_there_is_refused(arm: Arm, partition):
    log = await arm.open()
    place = arm.place(partition)
    with pytest.raises(WrongTopic, match=f"partition {partition} of {arm.hands}"):
        log.append(batch(place, "a"))
    with pytest.raises(WrongTopic, match=f"partition {partition} of {arm.hands}"):
        log.reader().follow(place, 0)
    for ask in (log.ends, log.starts):
        with pytest.raises(WrongTopic):
            await ask([place])


async def test_a_topic_that_is_not_there_is_refused(arm: Arm):
    log = await arm.open()
    with pytest.raises(WrongTopic, match="elsewhere"):
        log.append([Append("elsewhere", 0, "k", b"")])
    with pytest.raises(WrongTopic, match="elsewhere"):
        await log.join("betting", "b", [arm.hands, "elsewhere"])
    assert log.partitions("elsewhere") == 0
    assert log.partitions(arm.hands) == PARTITIONS


async def test_a_wrong_number_of_partitions_is_refused_at_the_start(arm: Arm):
    await arm.open()
    await arm.close()
    other = tuple(
        dataclasses.replace(t, partitions=8) if t.name == arm.hands else t for t in arm.topics
    )
    with pytest.raises(WrongTopic, match=rf"{arm.hands} has {PARTITIONS} partitions.* needs 8"):
        await arm.open(other)


# Reading.


@pytest.mark.parametrize("offset", [0, 1, 7, 9])
async def test_reading_begins_at_the_offset_asked_for(arm: Arm, offset):
    log = await arm.open()
    await log.append(batch(arm.place(), *map(str, range(10)))).durable
    got = await read(log, arm.place(), 10 - offset, offset)
    assert [(r.offset, (r.value or b"").decode()) for r in got] == [
        (n, str(n)) for n in range(offset, 10)
    ]


@pytest.mark.parametrize("most", [1, 3, 10])
async def test_no_more_is_taken_than_asked_and_nothing_twice(arm: Arm, most):
    log = await arm.open()
    places = [arm.place(0), arm.place(1)]
    for place in places:
        await log.append(batch(place, *map(str, range(10)))).durable
    reader = log.reader()
    for place in places:
        reader.follow(place, 0)
    got: dict[Place, list[str]] = {place: [] for place in places}
    while sum(map(len, got.values())) < 20:
        taken = await reader.take(most=most)
        assert 0 < sum(map(len, taken.values())) <= most
        for place, records in taken.items():
            got[place] += texts(records)
    assert got == {place: [str(n) for n in range(10)] for place in places}
    assert await reader.take(wait_ms=50) == {}


async def test_a_reader_at_the_end_waits_and_is_woken_without_polling(arm: Arm):
    log = await arm.open()
    reader: Any = log.reader()
    reader.follow(arm.place(), 0)
    waiting = asyncio.create_task(reader.take())
    await asyncio.sleep(1.0)
    assert not waiting.done()
    assert reader.looks <= 2, "one look finds nothing; no other before there is something"
    await log.append(batch(arm.place(), "a")).durable
    got = await asyncio.wait_for(waiting, SOON_MS / 1000)
    assert texts(got[arm.place()]) == ["a"]
    assert reader.looks <= 3


async def test_waiting_ends_when_its_time_is_up(arm: Arm):
    log = await arm.open()
    reader = log.reader()
    assert await reader.take(wait_ms=20) == {}, "a reader that follows nothing waits too"
    reader.follow(arm.place(), 0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await reader.take(wait_ms=200) == {}
    assert loop.time() - began >= 0.19


async def test_a_place_followed_during_the_wait_is_read(arm: Arm):
    log = await arm.open()
    await log.append(batch(arm.place(2), "there already")).durable
    reader = log.reader()
    waiting = asyncio.create_task(reader.take())
    await asyncio.sleep(0.05)
    reader.follow(arm.place(2), 0)
    got = await asyncio.wait_for(waiting, SOON_MS / 1000)
    assert texts(got[arm.place(2)]) == ["there already"]


async def test_following_again_moves_and_leaves_the_others_where_they_are(arm: Arm):
    log = await arm.open()
    for place in (arm.place(0), arm.place(1)):
        await log.append(batch(place, "a", "b", "c")).durable
    reader = log.reader()
    reader.follow(arm.place(0), 0)
    reader.follow(arm.place(1), 0)
    seen = 0
    while seen < 6:
        seen += sum(map(len, (await reader.take()).values()))
    reader.follow(arm.place(1), 1)
    assert {p: texts(r) for p, r in (await reader.take()).items()} == {arm.place(1): ["b", "c"]}
    reader.leave(arm.place(1))
    await log.append(batch(arm.place(0), "d") + batch(arm.place(1), "d")).durable
    assert {p: texts(r) for p, r in (await reader.take()).items()} == {arm.place(0): ["d"]}
    assert await reader.take(wait_ms=100) == {}
    reader.leave(arm.place(1))


async def test_whoever_stops_waiting_loses_nothing(arm: Arm):
    log = await arm.open()
    reader = log.reader()
    reader.follow(arm.place(), 0)
    for n in range(20):
        waiting = asyncio.create_task(reader.take())
        sent = log.append(batch(arm.place(), str(n)))
        await asyncio.sleep(0.001 * (n % 4))
        waiting.cancel()
        taken = (await asyncio.gather(waiting, return_exceptions=True))[0]
        await sent.durable
        if isinstance(taken, BaseException):
            assert isinstance(taken, asyncio.CancelledError)
            taken = await asyncio.wait_for(reader.take(), SOON_MS / 1000)
        assert texts(taken[arm.place()]) == [str(n)]


async def test_readers_do_not_disturb_each_other(arm: Arm):
    log = await arm.open()
    await log.append(batch(arm.place(), "a", "b")).durable
    assert texts(await read(log, arm.place(), 2)) == ["a", "b"]
    assert texts(await read(log, arm.place(), 1, 1)) == ["b"]
    assert texts(await read(log, arm.place(), 2)) == ["a", "b"]


async def test_an_offset_beyond_the_end_is_out_of_range(arm: Arm):
    log = await arm.open()
    await log.append(batch(arm.place(), "a", "b")).durable
    reader = log.reader()
    reader.follow(arm.place(), 3)
    with pytest.raises(OffsetOutOfRange, match=rf"{arm.hands}, partition 1: offset 3 "):
        await reader.take(wait_ms=SOON_MS)
    reader.follow(arm.place(), 2)
    assert await reader.take(wait_ms=100) == {}, "the end itself is no error"


async def test_an_empty_partition_starts_and_ends_at_nothing(arm: Arm):
    log = await arm.open()
    places = [arm.place(0), Place(arm.tables, 3)]
    assert await log.starts(places) == await log.ends(places) == dict.fromkeys(places, 0)
    assert await log.ends([]) == {}


# Owning.


async def until_shared(*members) -> None:
    """Wait until these own every partition, each one once."""
    async with asyncio.timeout(SOON_MS / 1000):
        while sorted(p for m in members for p in m.owned) != list(range(PARTITIONS)):
            waits = [asyncio.create_task(m.changed(m.owned)) for m in members]
            _, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in pending:
                wait.cancel()


async def test_partitions_are_shared_handed_over_and_given_back(arm: Arm):
    log = await arm.open()
    both = [arm.hands, arm.tables]
    first = await log.join("betting", "b1", both)
    await until_shared(first)
    second = await log.join("betting", "b2", both)
    await until_shared(first, second)
    assert len(first.owned) == len(second.owned) == PARTITIONS // 2
    await first.leave()
    assert first.owned == frozenset()
    await until_shared(second)


async def test_groups_own_apart_from_each_other(arm: Arm):
    log = await arm.open()
    dealer = await log.join(f"dealer-{arm.hands}", "d", [arm.hands])
    betting = await log.join(f"betting-{arm.hands}", "b", [arm.hands])
    await until_shared(dealer)
    await until_shared(betting)


async def test_a_change_is_told_at_once_and_not_before(arm: Arm):
    log = await arm.open()
    group = f"showdown-{arm.hands}"
    first = await log.join(group, "s1", [arm.hands])
    await until_shared(first)
    telling = asyncio.create_task(first.changed(first.owned))
    await asyncio.sleep(0.2)
    assert not telling.done()
    second = await log.join(group, "s2", [arm.hands])
    owned = await asyncio.wait_for(telling, SOON_MS / 1000)
    assert owned != frozenset(range(PARTITIONS))
    await until_shared(first, second)


async def test_committed_offsets_outlive_the_member_and_the_process(arm: Arm):
    log = await arm.open()
    group = f"wallet-{arm.hands}"
    await log.append(batch(arm.place(), "a", "b", "c")).durable
    member = await log.join(group, "w1", [arm.hands])
    await until_shared(member)
    places = [arm.place(0), arm.place(1)]
    assert await member.committed(places) == {}
    await member.commit({arm.place(1): 2})
    await member.commit({arm.place(1): 3, arm.place(0): 0})
    assert await member.committed(places) == {arm.place(1): 3, arm.place(0): 0}
    await arm.close()

    log = await arm.open()
    member = await log.join(group, "w1", [arm.hands])
    await until_shared(member)
    assert await member.committed([*places, arm.place(2)]) == {arm.place(1): 3, arm.place(0): 0}


async def test_only_an_owner_moves_offsets(arm: Arm):
    log = await arm.open()
    group = f"lobby-{arm.hands}"
    first = await log.join(group, "l1", [arm.hands])
    second = await log.join(group, "l2", [arm.hands])
    await until_shared(first, second)
    mine, theirs = min(first.owned), min(second.owned)
    await first.commit({arm.place(mine): 5, arm.place(theirs): 7})
    assert await second.committed([arm.place(mine), arm.place(theirs)]) == {arm.place(mine): 5}


async def test_whoever_comes_back_under_its_name_finds_its_share(arm: Arm):
    group = f"dealer-{arm.hands}"
    log = await arm.open()
    first = await log.join(group, "d1", [arm.hands])
    second = await log.join(group, "d2", [arm.hands])
    await until_shared(first, second)
    shares = first.owned, second.owned
    await arm.close()
    log = await arm.open()
    first = await log.join(group, "d1", [arm.hands])
    second = await log.join(group, "d2", [arm.hands])
    await until_shared(first, second)
    assert (first.owned, second.owned) == shares
