"""Bugs planted back into the product: each rule of the protocol left out, one at a time.

Every one is a subclass or a wrapper around the real thing; nothing of the product knows of it.
What they do wrong is told by their docstrings; that they are caught is test_planted.py's business.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from riverboat.game.commands import Act, Asked
from riverboat.game.record import Answered
from riverboat.game.table.events import ReservationFailed, SeatFreed, SeatReserved
from riverboat.game.table.fold import apply
from riverboat.game.table.given import Alarm, Given
from riverboat.game.table.state import Table
from riverboat.log.log import Append, Place, Record
from riverboat.log.snapshots import encode_mark
from riverboat.runtime.entry import Decider, Entry, Waiting
from riverboat.runtime.inbox import Inbox
from riverboat.runtime.recovery import Snapshots, Start, begin
from riverboat.runtime.service import Decision, Message
from riverboat.runtime.step import Step
from riverboat.runtime.tables import Tables
from riverboat.sim.house import House
from riverboat.sim.process import Process
from riverboat.sim.workload import Player


def with_tables(step: Step, kind: type[Tables]) -> None:
    """Give the step other tables, before it has read anything."""
    old = step.tables
    step.tables = kind(old.counts, old._followers, *old._shape)


def with_inbox(step: Step, kind: type[Inbox]) -> None:
    """Give the step another inbox, before it has read anything."""
    step._inbox = kind(step.deciders, step.counts, step.beats)


def forget(step: Step, entry: Entry, answers: Answered | None) -> None:
    """Wait for this message no longer, as if it had its outcome."""
    if answers is None:
        return
    for slot in step._inbox._slots:
        queue = entry.queues[slot.at]
        if slot.short == answers.topic and queue and queue[0].offset == answers.offset:
            queue.popleft()
            place = Place(slot.topic, entry.partition)
            slot.decider.pending[place].pop(answers.offset, None)


# --- The log's order.


class Pipelining(Step):
    """one_undecided: decides on its own record before it was read back."""

    def _hand_over(self, decider: Decider, entry: Entry, *rest: Any) -> None:
        super()._hand_over(decider, entry, *rest)
        undecided = entry.undecided
        assert undecided is not None
        entry.undecided = None
        apply(entry.table, undecided.record, undecided.at_ms)


class _Parentless(Tables):
    def take(self, entry: Entry, record: Any, found: Record) -> None:
        if record.version == entry.table.version + 1:
            record = replace(record, parent=entry.table.head)
        super().take(entry, record, found)


class Parentless(Pipelining):
    """parent: applies whatever has the next version, and two of one writer at a time."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_tables(self, _Parentless)


class _Gapless(Tables):
    def take(self, entry: Entry, record: Any, found: Record) -> None:
        super().take(entry, record, found)
        if entry.held:
            entry.held = False
            entry.backlog.clear()
            del self.missing[entry.table.id]


class Gapless(Step):
    """gap: passes over what follows something that it has not seen."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_tables(self, _Gapless)


class _GivingUp(Tables):
    give_up: Callable[[Entry, Answered | None], None]

    def settle(self, entry: Entry) -> None:
        undecided = entry.undecided
        super().settle(entry)
        lost = undecided is not None and entry.undecided is None
        if lost and undecided is not None and entry.table.head != undecided.record.id:
            self.give_up(entry, undecided.record.answers)


class GivingUp(Step):
    """redecide: the loser does not decide again."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_tables(self, _GivingUp)
        assert isinstance(self.tables, _GivingUp)
        self.tables.give_up = partial(forget, self)


class SameName(Step):
    """new_inc: the producer that replaces a failed one bears its name."""

    def lost(self, incarnation: str) -> None:
        super().lost(self.deciders[0].incarnation if self.deciders else incarnation)


class Believing(Process):
    """readback: takes an acknowledgement for the outcome."""

    def _acknowledged(self, step: Step, append: Append) -> None:
        entry = step.tables.entries.get(append.key)
        if self.step is not step or entry is None or entry.undecided is None:
            return
        if entry.undecided.value is append.value:
            answers = entry.undecided.record.answers
            entry.undecided = None
            forget(step, entry, answers)


# --- Commands.


class _Forgetful(Inbox):
    def _is_answered(self, slot: Any, table: Table, waiting: Waiting) -> bool:
        return super()._is_answered(slot, replace(table, offsets={}, orders=[]), waiting)


class _Undeduped(Inbox):
    def _is_answered(self, slot: Any, table: Table, waiting: Waiting) -> bool:
        return super()._is_answered(slot, replace(table, answers={}), waiting)


class _OneOffset(Inbox):
    def _is_answered(self, slot: Any, table: Table, waiting: Waiting) -> bool:
        mine = [at for key, at in table.offsets.items() if key.startswith(slot.answers)]
        return waiting.offset <= max(mine, default=-1) or super()._is_answered(slot, table, waiting)


class Forgetful(Step):
    """cmd_hw: does not remember which offsets, or which orders, were answered."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_inbox(self, _Forgetful)


class Undeduped(Step):
    """dedupe: answers a copy of a command like a new one."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_inbox(self, _Undeduped)


class OneOffset(Step):
    """hw_topic: keeps one offset for all topics."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        with_inbox(self, _OneOffset)


class Hasty(Step):
    """commit_behind: commits what it has read, answered or not."""

    def commits(self, service: str) -> dict[Place, int]:
        owned = self._decider(service).owned
        places = super().commits(service)
        return {place: self.positions[place] for place in places if place.partition in owned}


class PassingOver(Step):
    """stop_hold: passes over the commands of a table that is stopped."""

    def _decide(self, decider: Decider, entry: Entry, *rest: Any) -> Any:
        found = super()._decide(decider, entry, *rest)
        if entry.table.stopped and found is None:
            for slot in self._inbox._slots:
                for waiting in entry.queues[slot.at]:
                    place = Place(slot.topic, entry.partition)
                    slot.decider.pending[place].pop(waiting.offset, None)
                entry.queues[slot.at].clear()
        return found


class VoidMoves(Step):
    """void_hw: a void that was taken out of turn moves the memory of offsets."""

    def _out_of_turn(self, *args: Any) -> tuple[Sequence[Any], Answered | None] | None:
        found = super()._out_of_turn(*args)
        if found is None or found[1] is None:
            return found
        return found[0], replace(found[1], out_of_turn=False)


class LiveOnly(Player):
    """learn: hears an answer only while it happens, never from the table's memory."""

    def _wait(self, table: Table, asked: Asked) -> None:
        answers = {
            key: answer
            for key, answer in table.answers.items()
            if self.session is self._asked_by and answer.version > self._version
        }
        if asked is not self._heard or self.session is not self._asked_by:
            self._heard, self._asked_by, self._version = asked, self.session, table.version
        super()._wait(replace(table, answers=answers), asked)

    _heard: Asked | None = None
    _asked_by: Process | None = None
    _version = 1 << 62


# --- Time.


class Unfenced(Step):
    """alarm_end: an alarm rings without reading its inputs to an end fetched after it."""

    def _rings(self, decider: Decider, entry: Entry, alarm: Alarm, now_ms: int) -> bool:
        rings = super()._rings(decider, entry, alarm, now_ms)
        return rings or (alarm.settled and now_ms >= alarm.at_ms + self._margin_ms)


class Marginless(Step):
    """margin: an alarm does not wait out the disagreement of clocks."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named, margin_ms=0)


class OwnTime(Process):
    """fence_time: ends of the inputs bear the time of the machine's own clock, not the log's."""

    def _ask_time(self, step: Step, then: Callable[[int], None]) -> None:
        then(self._time.machine_ms())


# --- Recovery.


class MarkAtPosition(Snapshots):
    """mark: stands where the log was read to, whether snapshots cover it or not."""

    def mark(self, partition: int) -> bytes:
        return encode_mark(self._position(partition), self._versions.get(partition, {}))

    def _position(self, partition: int) -> int:
        hand_log = self._step.inputs(partition)[0]
        return self._step.positions.get(hand_log, 0)


class Floorless(Snapshots):
    """floor: the mark does not say how new its snapshots must be."""

    def mark(self, partition: int) -> bytes:
        hand_log = self._step.inputs(partition)[0]
        needed = [
            entry.dirty
            for entry in self._step.tables.entries.values()
            if entry.partition == partition and entry.dirty >= 0
        ]
        return encode_mark(min([self._step.positions.get(hand_log, 0), *needed]), {})


class LastSnapshot(Process):
    """snap_max: takes the last snapshot of a table, not the newest."""

    def _begin(self, records: Sequence[Record]) -> Start:
        last = {record.key: record for record in records}
        return begin(sorted(last.values(), key=lambda record: record.offset))


class StoppedToo(Snapshots):
    """stop_nosnap: snapshots a stopped table like any other."""

    def take(self, partition: int, now_ms: int) -> Any:
        for entry in self._step.tables.entries.values():
            if entry.table.stopped and entry.partition == partition:
                # The rest of the product must not see that it was touched.
                entry.table, kept = replace(entry.table, stopped=""), entry.table
                appends, taken = super().take(partition, now_ms)
                entry.table = kept
                return appends, taken
        return super().take(partition, now_ms)


# --- Manifests.


def with_manifest(house: House, name: str, **changed: Any) -> House:
    """The house with one service decided otherwise."""
    manifests = [
        replace(each, **{field: wrap(getattr(each, field)) for field, wrap in changed.items()})
        if each.name == name
        else each
        for each in house.manifests
    ]
    return replace(house, manifests=manifests)


def any_turn(answer: Any) -> Any:
    """act_turn: an act counts for whatever turn it is."""

    def answered(table: Table, message: Message, given: Given) -> Decision:
        hand = table.hand
        if isinstance(message, Asked) and isinstance(message.command, Act) and hand is not None:
            act = replace(message.command, hand=hand.id, turn=hand.turn_number, price=hand.price)
            message = replace(message, command=act)
        found: Decision = answer(table, message, given)
        return found

    return answered


def no_void(alarm: Any) -> Any:
    """void_alarm: nobody calls off a hand that cannot go on."""

    def alarmed(table: Table) -> Alarm | None:
        found: Alarm | None = alarm(table)
        return None if found is not None and found.key[0] == "void" else found

    return alarmed


def forgets_reservation(ring: Any) -> Any:
    """resv_stays: a reservation leaves the state by its deadline."""

    def rings(table: Table, alarm: Alarm, given: Given) -> Any:
        return [
            ReservationFailed(event.reservation, "late") if isinstance(event, SeatFreed) else event
            for event in ring(table, alarm, given) or ()
        ]

    return rings


def by_command(answer: Any) -> Any:
    """rid_unique: a reservation's id is its command's alone."""

    def answered(table: Table, message: Message, given: Given) -> Decision:
        found = answer(table, message, given)
        if not isinstance(found, tuple | list):
            decision: Decision = found
            return decision
        return [
            replace(event, reservation=event.reservation.partition("@")[0])
            if isinstance(event, SeatReserved)
            else event
            for event in found
        ]

    return answered
