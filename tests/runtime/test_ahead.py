"""What this process appends where it does not read, or ahead of what it has read."""

from __future__ import annotations

from riverboat.game.commands import Asked, SitOut
from riverboat.log.log import Place, Record
from riverboat.log.topics import CLOCK, DEAD_LETTERS, HAND_LOG, TABLE_COMMANDS, TABLES
from riverboat.wire.record import encode_asked
from tests.runtime.rig import START_MS, TABLE, Rig


def placed(place: Place, offset: int) -> Record:
    """A player's command, as the log placed it."""
    asked = encode_asked(Asked(TABLE, "ann", offset + 1, SitOut()))
    return Record(*place, offset, START_MS, TABLE, asked)


def test_what_stands_where_nobody_reads_is_not_kept():
    """Each snapshot and each question of the time is such a one: they would be kept for ever."""
    step = Rig().step()
    followed = Place(TABLE_COMMANDS, 0)
    step.follow(followed, 0)
    for topic in (TABLES, CLOCK, DEAD_LETTERS, HAND_LOG, TABLE_COMMANDS):
        for offset in range(3):
            step.read_placed([placed(Place(topic, 5), offset)])
    assert step._ahead._waiting == {}
    assert step.positions == {followed: 0}


def test_what_is_placed_ahead_waits_for_what_stands_before_it():
    step = Rig().step()
    place = Place(TABLE_COMMANDS, 0)
    step.follow(place, 0)
    step.read_placed([placed(place, 2)])
    assert step.positions[place] == 0
    step.read([placed(place, 0), placed(place, 1)])
    assert step.positions[place] == 3
    assert step._ahead._waiting == {}
