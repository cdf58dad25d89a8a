"""Which forms of snapshot are read: processes of two releases share one topic of them."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import msgspec
import pytest

from riverboat.game.commands import VoidHand
from riverboat.game.table.state import Sitting, Table
from riverboat.log.snapshots import NoSnapshot, decode_snapshot, encode_snapshot
from tests.game.table.tables import SETTINGS
from tests.game.table.test_betting_at_table import limited
from tests.runtime.rig import table_of
from tests.runtime.test_recovery import closed

# Known since form 5, 3 and 2, and by their defaults absent before.
NEWEST = ("orders",)
NEWER = ("paused", "paused_until_ms", "draining", "coming", "holds", "waiters", "last", *NEWEST)
NEW = (*NEWER, "choice", "chooser", "chosen")


def opened() -> Table:
    _, step, _ = closed()
    table = table_of(step)
    table.orders.clear()  # no release before wrote which they are
    return table


def written(table: Table, form: int, *, without: tuple[str, ...] = ()) -> bytes:
    """The table's snapshot as a release that writes this form would have written it."""
    was = msgspec.msgpack.decode(encode_snapshot(table, 9, 8))
    state = msgspec.msgpack.decode(was["state"])
    for name in without:
        del state[name]
    was["state"] = msgspec.msgpack.encode(state)
    was["check"] = hashlib.blake2b(was["state"], digest_size=16).digest()
    return msgspec.msgpack.encode(was | {"form": form})


@pytest.mark.parametrize(("form", "without"), [(1, NEW), (2, NEWER), (3, NEWEST), (4, NEWEST)])
def test_a_snapshot_of_a_release_before_is_read_as_it_was_meant(form, without):
    table = opened()
    assert decode_snapshot(written(table, form, without=without))[0] == table


def test_a_snapshot_of_a_release_to_come_is_passed_over():
    with pytest.raises(NoSnapshot):
        decode_snapshot(written(opened(), 6))


def test_this_release_is_passed_over_by_the_one_before():
    """It would forget an order, and do it again."""
    assert msgspec.msgpack.decode(encode_snapshot(opened(), 9, 8))["form"] == 5


def test_a_snapshot_that_does_not_say_since_when_somebody_is_away_is_passed_over():
    table = opened()
    table.sittings[1] = Sitting(1, "ann", "1.0:ann:1@0", 500, away=True, away_since_ms=7)
    assert decode_snapshot(written(table, 3))[0] == table
    with pytest.raises(NoSnapshot):
        decode_snapshot(written(table, 2, without=NEWER))


def test_a_snapshot_that_does_not_say_in_which_hand_a_protection_was_used_is_passed_over():
    """Who folds the log knows that the hand was called off, and the two must agree."""
    house = limited()
    settings = house.table.settings
    assert settings is not None
    house.table.settings = replace(settings, protections=2)
    assert decode_snapshot(written(house.table, 3))[0] == house.table
    house.wait(SETTINGS.turn_ms)
    used = written(house.table, 3)
    house.order(VoidHand(house.hand.id, "operator"))
    assert decode_snapshot(written(house.table, 4))[0] == house.table
    house.table.sittings[2].protections = 1  # as a release before left it
    for was in (used, written(house.table, 3)):
        with pytest.raises(NoSnapshot):
            decode_snapshot(was)
