"""Copies: what lands in the log twice, or is read twice, is answered once."""

from __future__ import annotations

from riverboat.game.commands import Action, Funded, PauseTable, ResumeTable, SitOut
from riverboat.log import topics
from riverboat.log.log import Place
from tests.runtime.rig import TABLE, playing, table_of


def test_a_command_read_again_is_dropped_and_a_copy_too() -> None:
    rig, step = playing()
    append = rig.act(step, Action.CALL)
    rig.land(append)
    rig.play(step)
    version = table_of(step).version
    rig.land(append)  # the same command, at another offset
    assert rig.play(step) == []
    fresh = rig.step()
    rig.show(fresh)  # all commands again, from the first
    assert fresh.decide(rig.now_ms) == []
    assert table_of(fresh).version == version
    assert fresh.counts.copies >= 1


def test_an_order_that_had_its_effect_has_it_once() -> None:
    """However late a copy lands, and whatever has become true meanwhile."""
    rig, step = playing()
    pause = rig.order(PauseTable("for a look", 0))
    rig.land(pause)
    rig.play(step)
    assert table_of(step).paused
    rig.land(rig.order(ResumeTable()))
    rig.play(step)
    assert not table_of(step).paused
    rig.land(pause)
    before = step.counts.copies
    assert rig.play(step) == []
    assert step.counts.copies == before + 1
    assert not table_of(step).paused
    fresh = rig.step()
    rig.show(fresh)  # all orders again, from the first
    assert fresh.decide(rig.now_ms) == []
    assert table_of(fresh).orders == table_of(step).orders
    rig.land(rig.order(PauseTable("for a look", 0)))
    rig.play(step)
    assert table_of(step).paused, "another order, whatever it says"


def test_copies_wait_once() -> None:
    """ARCHITECTURE 2, commands: "A copy or an overtaken number is dropped"."""
    rig, step = playing()
    entry = step.tables.entries[TABLE]
    entry.table.stopped = "as if an event were unknown"
    first = len(rig.places[Place(topics.TABLE_COMMANDS, 0)])
    funded = rig.order(Funded("1.0:p9:1@1"))
    for _ in range(3):
        rig.land(rig.ask("p1", SitOut(), number=99))
        rig.land(funded)
    rig.play(step)
    assert [len(queue) for queue in entry.queues if queue] == [1, 1]
    assert step.commits("dealer")[Place(topics.TABLE_COMMANDS, 0)] == first
