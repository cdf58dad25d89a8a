"""Waves: a step decides on some tables at a time, in the order in which they came."""

from __future__ import annotations

from riverboat.game.commands import OpenTable, Ordered
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.runtime.entry import NEVER
from riverboat.runtime.step import MARGIN_MS
from riverboat.runtime.wakes import Wakes
from riverboat.wire.record import encode_ordered
from tests.runtime.rig import SETTINGS, Rig, playing


def test_at_most_so_many_tables_are_decided_on_at_once_each_in_its_turn() -> None:
    rig = Rig()
    step = rig.step()
    names = [f"{number}.0" for number in range(1, 6)]
    for name in names:
        value = encode_ordered(Ordered(name, "o", "test", OpenTable(SETTINGS)))
        rig.land(Append(topics.TABLE_ORDERS, 0, name, value))
    rig.show(step)
    decided = []
    while appends := step.decide(rig.now_ms, 2):
        assert len(appends) <= 2
        decided += [append.key for append in appends]
        for append in appends:
            rig.land(append)
    assert decided == names
    rig.show(step)
    assert all(step.tables.entries[name].table.settings == SETTINGS for name in names)


def test_clocks_that_run_out_at_once_are_seen_to_in_parts_too() -> None:
    rig, step = playing()
    rig.now_ms += SETTINGS.turn_ms + MARGIN_MS
    rig.show(step)
    assert step.decide(rig.now_ms, 0) == []
    step.fence(0, rig.now_ms, {place: step.positions[place] for place in step.inputs(0)})
    assert len(step.decide(rig.now_ms, 1)) == 1


def test_what_is_read_does_not_keep_a_clock_waiting() -> None:
    rig, step = playing()
    rig.now_ms += SETTINGS.turn_ms + MARGIN_MS
    for number in range(2, 5):
        name = f"{number}.0"
        value = encode_ordered(Ordered(name, "o", "test", OpenTable(SETTINGS)))
        rig.land(Append(topics.TABLE_ORDERS, 0, name, value))
        rig.show(step)
        assert [append.key for append in step.decide(rig.now_ms, 1)] == [name]
    assert list(step.fences.wanted()) == [0], "the clock that ran out is looked at"


def test_a_decider_wakes_once_at_its_earliest_time() -> None:
    _, step = playing()
    (entry,) = step.tables.entries.values()
    decider, wakes = step.deciders[0], Wakes()
    entry.wakes[decider.index] = NEVER
    for at_ms in (30, 20, 25):
        wakes.add(entry, decider, at_ms)
    assert wakes.next_ms() == 20
    assert wakes.take(19) is None
    assert wakes.take(29) is entry
    assert wakes.take(29) is None
    wakes.add(entry, decider, 40)
    assert wakes.take(100) is entry
    assert wakes.take(100) is None
    assert wakes.next_ms() == NEVER
