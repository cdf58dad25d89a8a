"""New and old version side by side: a build that lacks an event, and one that lacks a field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.unknown_fields import UnknownFieldSet

from riverboat.game.commands import Action
from riverboat.game.hand.events import HandEnded
from riverboat.game.rules import HOUSE
from riverboat.game.table.digest import digest
from riverboat.log import log, topics
from riverboat.sim.faults import MANY
from riverboat.sim.house import Order
from riverboat.sim.older import with_newer_field, without
from riverboat.sim.process import Process
from riverboat.sim.run import simulate
from riverboat.wire.record import decode_record
from riverboat.wire.v1 import record_pb2
from services import betting
from services.cli.simulate import house, tables
from tests.runtime.rig import Rig, playing, table_of
from tests.runtime.test_recovery import HAND_LOG

Read = Callable[[bytes], bytes]


def lacking(kind: str) -> Any:
    """`Record` as a build has it whose `Event` lacks this field."""
    pool = descriptor_pool.DescriptorPool()

    def add(name: str) -> None:
        known = descriptor_pool.Default().FindFileByName(name)
        for other in known.dependencies:
            add(other.name)
        file = descriptor_pb2.FileDescriptorProto.FromString(known.serialized_pb)
        for message in file.message_type:
            if message.name == "Event":
                kept = [field for field in message.field if field.name != kind]
                assert len(kept) == len(message.field) - 1
                del message.field[:]
                message.field.extend(kept)
        pool.Add(file)

    add(record_pb2.DESCRIPTOR.name)
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName(record_pb2.Record.DESCRIPTOR.full_name)
    )


def played() -> tuple[Rig, list[bytes]]:
    """A hand from its start to its end, with a check in it, and the records of its table."""
    rig, step = playing()
    while not any(
        isinstance(event, HandEnded)
        for found in rig.places[HAND_LOG]
        for event in decode_record(found.value or b"").events
    ):
        hand = table_of(step).hand
        assert hand is not None
        owed = hand.price - hand.seats[hand.turn].bet
        rig.land(rig.act(step, Action.CALL if owed else Action.CHECK))
        rig.play(step)
    return rig, [found.value or b"" for found in rig.places[HAND_LOG]]


def test_what_an_older_build_reads_is_what_its_descriptor_leaves_of_it() -> None:
    older = lacking("checked")
    _, records = played()
    seen = 0
    for value in records:
        shown = record_pb2.Record.FromString(without(value, "checked"))
        for event, other in zip(older.FromString(value).events, shown.events, strict=True):
            assert event.WhichOneof("event") == other.WhichOneof("event")
            assert len(UnknownFieldSet(event)) == len(UnknownFieldSet(other))
            seen += event.WhichOneof("event") is None
        assert older.FromString(value).SerializeToString() == value, "it passes on what it is told"
    assert seen > 0


def test_an_older_build_stops_at_the_hand_and_has_the_next_one_right() -> None:
    rig, records = played()
    new, old = (rig.step(betting.MANIFEST, name=name, owns=False) for name in ("new", "old"))
    stopped = []
    for offset, value in enumerate(records):
        found = rig.places[HAND_LOG][offset]
        new.read([found])
        old.read([found._replace(value=without(value, "checked"))])
        stopped.append(bool(table_of(old).stopped))
        assert not table_of(new).stopped
    assert True in stopped
    assert not stopped[-1], "the hand's end frees it"
    assert digest(table_of(old)) == digest(table_of(new))


def test_an_older_build_passes_over_a_field_that_it_lacks() -> None:
    rig, records = played()
    step = rig.step(betting.MANIFEST, name="old", owns=False)
    assert all(with_newer_field(value) != value for value in records)
    for found in rig.places[HAND_LOG]:
        step.read([found._replace(value=with_newer_field(found.value or b""))])
    plain = rig.step(betting.MANIFEST, name="new", owns=False)
    rig.show(plain, topics.HAND_LOG)
    assert digest(table_of(step)) == digest(table_of(plain))


class Mixed(Process):
    """Of two instances of a service, the second is of another version."""

    def _as_read(self, records: Sequence[log.Record]) -> Sequence[log.Record]:
        found = super()._as_read(records)
        if self.plan.rank == 0 or found[0].topic != topics.HAND_LOG:
            return found
        return [self._other(one) for one in found]

    def _other(self, found: log.Record) -> log.Record:
        try:
            decode_record(found.value or b"")
        except ValueError:
            return found
        return found._replace(value=self.reads(found.value or b""))

    reads: Read = staticmethod(with_newer_field)


class Older(Mixed):
    reads: Read = staticmethod(partial(without, kind="raised_to"))


@pytest.mark.parametrize("kind", [Mixed, Older])
def test_a_network_of_two_versions_keeps_its_laws(kind: type[Process]) -> None:
    faults = replace(MANY, long_outage=0.0)
    for seed in (1, 2):
        order = Order(seed, 20, tables(seed, 3, HOUSE.offered()), faults)
        result = simulate(replace(house(), process=kind), order)
        assert result.laws_broken == {}, f"seed {seed}"
