"""Snapshots, marks and starts, and tables that were closed. Driven by hand, record by record."""

from __future__ import annotations

import itertools
from dataclasses import replace
from itertools import chain

from riverboat.game.commands import ChangeOptions, CloseTable, OpenTable, Ordered, SitOut
from riverboat.log import log, topics
from riverboat.log.log import Append, Place
from riverboat.log.snapshots import decode_mark, encode_snapshot
from riverboat.log.topics import record_bytes
from riverboat.runtime.recovery import AT_ONCE, SNAPSHOT_MS, Snapshots, begin
from riverboat.runtime.step import Step
from riverboat.runtime.tables import CLOSED_KEPT_MS, NAME_KEPT_MS
from riverboat.wire.record import encode_ordered
from tests.runtime.rig import SETTINGS, TABLE, Rig, table_of

OTHER = "2.0"
HAND_LOG = Place(topics.HAND_LOG, 0)
IDS = itertools.count()  # of orders: one of the same id has its effect once


def order(table: str, what: object) -> Append:
    return Append(
        topics.TABLE_ORDERS,
        0,
        table,
        encode_ordered(Ordered(table, f"o{next(IDS)}", "test", what)),  # type: ignore[arg-type]
    )


def closed() -> tuple[Rig, Step, Snapshots]:
    """One table that is closed, and one that is open; both snapshotted before that."""
    rig = Rig()
    step = rig.step()
    snapshots = Snapshots(step)
    snapshots.know(0, {}, rig.now_ms)
    for table in (TABLE, OTHER):
        rig.land(order(table, OpenTable(SETTINGS)))
    rig.play(step)
    snap(rig, snapshots)
    rig.land(order(TABLE, CloseTable("operator")))
    rig.play(step)
    assert table_of(step).closed
    return rig, step, snapshots


def snap(rig: Rig, snapshots: Snapshots) -> None:
    """Land snapshots, and the mark once they stand."""
    appends, taken = snapshots.take(0, rig.now_ms)
    for append in appends:
        rig.land(append)
    for append in snapshots.landed(0, taken):
        rig.land(append)


def goes_on(rig: Rig, step: Step, ms: int) -> None:
    """Time passes, and something happens at the other table."""
    rig.now_ms += ms
    rig.land(order(OTHER, OpenTable(SETTINGS)))  # refused: it is open
    rig.play(step)


def kept(rig: Rig) -> list[log.Record]:
    return rig.places.get(Place(topics.TABLES, 0), [])


def test_many_tables_are_kept_a_few_at_a_time_and_none_twice():
    """Or one turn of the loop would be as long as all of them take."""
    rig = Rig()
    step = rig.step()
    snapshots = Snapshots(step)
    snapshots.know(0, {}, rig.now_ms)
    names = [f"{number:x}.0" for number in range(1, 2 * AT_ONCE + 4)]
    for name in names:
        rig.land(order(name, OpenTable(SETTINGS)))
    rig.play(step)
    rig.now_ms += SNAPSHOT_MS
    kept_now: list[list[str]] = []
    while snapshots.due(rig.now_ms):
        assert snapshots.unfinished(0) == bool(kept_now)
        # Whatever moves again meanwhile waits until it is due again.
        rig.land(order(names[0], OpenTable(SETTINGS)))
        rig.play(step)
        before = len(kept(rig))
        snap(rig, snapshots)
        kept_now.append([one.key for one in kept(rig)[before:] if one.key in names])
    assert [len(each) for each in kept_now] == [AT_ONCE, AT_ONCE, 3]
    assert sorted(chain(*kept_now)) == sorted(names)
    start = begin(kept(rig))
    assert sorted(start.tables) == sorted(names)
    assert start.offset <= rig.places[HAND_LOG][-1].offset, "what moved again is read again"


def test_no_mark_is_written_for_a_partition_that_was_given_up_meanwhile():
    """It would name a few tables, and a start would take the others for ones that are over."""
    rig, _, snapshots = closed()
    _, taken = snapshots.take(0, rig.now_ms)
    assert taken
    snapshots.forget(0)
    assert snapshots.landed(0, taken) == []


def test_a_closed_table_is_let_go_when_nobody_waits_for_it_any_more():
    rig, step, _ = closed()
    goes_on(rig, step, CLOSED_KEPT_MS - 1)
    assert TABLE in step.tables.entries
    goes_on(rig, step, 1)
    assert list(step.tables.entries) == [OTHER]
    goes_on(rig, step, NAME_KEPT_MS)
    assert not step.tables.gone


def test_a_table_that_was_let_go_is_no_new_table():
    """ARCHITECTURE 1: "Table ids and versions are never reused"."""
    rig, step, _ = closed()
    goes_on(rig, step, CLOSED_KEPT_MS)
    rig.land(rig.ask("p1", SitOut()))
    rig.land(order(TABLE, OpenTable(SETTINGS)))
    again = rig.places[HAND_LOG][0]
    rig.land(Append(topics.HAND_LOG, 0, again.key, again.value))
    assert rig.play(step) == []
    assert TABLE not in step.tables.entries
    assert step.tables.missing == {}
    for place, offset in step.commits("dealer").items():
        assert offset == len(rig.places[place])


def test_a_table_let_go_gets_a_tombstone_and_is_named_no_more():
    """ARCHITECTURE 4, recovery: "closed ones get a tombstone"."""
    rig, step, snapshots = closed()
    snap(rig, snapshots)
    goes_on(rig, step, CLOSED_KEPT_MS)
    snap(rig, snapshots)
    assert [one.key for one in kept(rig) if one.value is None] == [TABLE]
    mark = decode_mark(kept(rig)[-1].value or b"")
    assert list(mark.versions) == [OTHER]
    start = begin(kept(rig))
    assert list(start.tables) == [OTHER]
    assert not start.behind


def test_there_is_no_tombstone_while_a_start_would_read_the_tables_last_records():
    rig, step, snapshots = closed()
    goes_on(rig, step, CLOSED_KEPT_MS)
    assert TABLE not in step.tables.entries
    step.tables.entries[OTHER].dirty = 0  # the other table holds the mark back
    step.tables.entries[OTHER].held = True
    snap(rig, snapshots)
    assert all(one.value is not None for one in kept(rig))
    assert TABLE in begin(kept(rig)).tables


def test_an_old_snapshot_that_lands_behind_the_tombstone_brings_no_table_back():
    """ARCHITECTURE 4, recovery: "an older one, landed late"."""
    rig, step, snapshots = closed()
    old = next(one for one in kept(rig) if one.key == TABLE)
    snap(rig, snapshots)
    goes_on(rig, step, CLOSED_KEPT_MS)
    snap(rig, snapshots)
    rig.land(Append(topics.TABLES, 0, TABLE, old.value))
    assert list(begin(kept(rig)).tables) == [OTHER]


def test_a_table_whose_history_is_missing_holds_the_mark():
    """ARCHITECTURE 4, recovery: the mark is "the lowest offset that some table still needs"."""
    rig, step, snapshots = closed()
    goes_on(rig, step, 1)
    snap(rig, snapshots)
    start = begin(kept(rig))
    reader = rig.step()
    for name, table in start.tables.items():
        reader.tables.restore(table, 0, start.heads[name])
    again = Snapshots(reader)
    again.know(0, start.versions, rig.now_ms)
    reader.follow(HAND_LOG, len(rig.places[HAND_LOG]) + 1)
    goes_on(rig, step, 1)  # this the reader does not see
    goes_on(rig, step, 1)
    reader.read(rig.places[HAND_LOG])
    assert list(reader.tables.missing) == [OTHER]
    last = rig.places[HAND_LOG][-1].offset
    assert decode_mark(again.mark(0)).offset == last < reader.positions[HAND_LOG]


def restored(rig: Rig) -> Step:
    """A process that starts now, by what stands in the log."""
    start = begin(kept(rig))
    reader = rig.step(name="b", owns=False)
    for name, table in start.tables.items():
        reader.tables.restore(table, 0, start.heads[name])
    for name, offset in start.behind.items():
        reader.tables.catch_up(name, 0, rig.places[HAND_LOG][offset : start.offset])
    reader.follow(HAND_LOG, start.offset)
    reader.read(rig.places[HAND_LOG][start.offset :])
    return reader


def test_a_table_too_large_for_a_snapshot_keeps_no_other_from_his():
    """ARCHITECTURE 4, recovery: "the lowest offset that some table still needs"."""
    rig = Rig()
    step = rig.step()
    for table in (TABLE, OTHER):
        rig.land(order(table, OpenTable(SETTINGS)))
    rig.play(step)
    small = len(encode_snapshot(table_of(step), 0, 0))
    snapshots = Snapshots(step, record_bytes=2 * small)
    snapshots.know(0, {}, rig.now_ms)
    snap(rig, snapshots)
    assert (snapshots.left_out, snapshots.news()) == (0, {})
    first = begin(kept(rig))

    wide = replace(SETTINGS, invited=tuple(f"player-{number:04}" for number in range(small // 5)))
    rig.land(order(TABLE, ChangeOptions(wide)))
    rig.play(step)
    for _ in range(3):
        goes_on(rig, step, 1)
        snap(rig, snapshots)
    assert snapshots.left_out == 1
    ((name, size),) = snapshots.news().items()
    assert name == TABLE
    assert size > 2 * small
    assert snapshots.news() == {}, "told once"

    start = begin(kept(rig))
    assert start.tables[OTHER].version == step.tables.entries[OTHER].table.version
    assert start.tables[TABLE].version == 1, "the last that could be kept"
    assert start.offset == first.offset, "nothing that it needs is passed over"
    assert not start.behind
    again = restored(rig)
    for each in (TABLE, OTHER):
        assert again.tables.entries[each].table == step.tables.entries[each].table

    rig.land(order(TABLE, ChangeOptions(SETTINGS)))
    rig.play(step)
    snap(rig, snapshots)
    assert snapshots.left_out == 0
    assert begin(kept(rig)).offset == len(rig.places[HAND_LOG])
    assert restored(rig).tables.entries[TABLE].table == table_of(step)


def test_a_table_that_was_never_small_enough_is_read_from_its_first_record():
    rig = Rig()
    step = rig.step()
    snapshots = Snapshots(step, record_bytes=1)
    snapshots.know(0, {}, rig.now_ms)
    rig.land(order(TABLE, OpenTable(SETTINGS)))
    rig.play(step)
    snap(rig, snapshots)
    assert (begin(kept(rig)).offset, begin(kept(rig)).tables) == (0, {})
    assert restored(rig).tables.entries[TABLE].table == table_of(step)
    snapshots.forget(0)
    assert snapshots.left_out == 0


def test_a_table_too_large_for_a_snapshot_that_is_let_go_is_told_of_no_more():
    rig, step, _ = closed()
    snapshots = Snapshots(step, record_bytes=1)
    snapshots.know(0, {}, rig.now_ms)
    goes_on(rig, step, 1)
    snap(rig, snapshots)
    assert snapshots.left_out == 2
    goes_on(rig, step, CLOSED_KEPT_MS)
    snap(rig, snapshots)
    assert list(step.tables.entries) == [OTHER]
    assert snapshots.left_out == 1


def test_more_than_one_batch_takes_is_kept_in_several():
    rig = Rig()
    step = rig.step()
    names = [f"{number:x}.0" for number in range(1, 8)]
    for name in names:
        rig.land(order(name, OpenTable(SETTINGS)))
    rig.play(step)
    small = len(encode_snapshot(table_of(step), 0, 0))
    snapshots = Snapshots(step, batch_bytes=3 * small)
    snapshots.know(0, {}, rig.now_ms)
    waves: list[list[str]] = []
    while not waves or snapshots.unfinished(0):
        appends, taken = snapshots.take(0, rig.now_ms)
        assert sum(record_bytes(one.key, one.value) for one in appends) <= 3 * small
        waves.append([one.key for one in appends])
        for append in [*appends, *snapshots.landed(0, taken)]:
            rig.land(append)
    assert [len(wave) for wave in waves] == [2, 2, 2, 1]
    assert sorted(begin(kept(rig)).tables) == sorted(names)
