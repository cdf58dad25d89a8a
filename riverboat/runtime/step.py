"""The step: folds and decides for many tables at once, without any I/O. [ARCHITECTURE 2, 6]

Records, commands and the time go in; appends go out. The asyncio shell, the simulator and the
benchmarks all drive this one step. It holds no clock, no log and no task, and knows of a service
only its manifest.

How it keeps the order the lock:

- A table's decider decides only on state that was read back, so a table has at most one undecided
  record here, settled only by reading it, or one that beat it.
- A record is applied only if its version is the next and its parent is the last one applied.
- A command is dropped when the state shows it answered; otherwise it ends in exactly one record.
- An alarm that takes something from a player rings only once the inputs were read to an end that
  was fetched after the deadline.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from riverboat.game.commands import Ordered
from riverboat.game.record import RULES_VERSION, Answered, Record
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import CommandRefused, Event, TableOpened
from riverboat.game.table.given import Alarm, Decks, Entropy, Given
from riverboat.game.table.seats import lines_of
from riverboat.log import log, topics
from riverboat.log.log import Append, Place
from riverboat.runtime.ahead import Ahead
from riverboat.runtime.beats import Beats
from riverboat.runtime.counts import Counts
from riverboat.runtime.entry import NEVER, Decider, Entry, Undecided, Waiting
from riverboat.runtime.fences import Fences
from riverboat.runtime.inbox import Inbox
from riverboat.runtime.messages import answered, events_of
from riverboat.runtime.service import Decision, Manifest, Message
from riverboat.runtime.tables import Follower, Tables
from riverboat.runtime.wakes import Wakes
from riverboat.wire.record import encode_record

# Clocks that disagree by more than this are unready, so no act in time is later than this behind
# its deadline on any reader's clock. [ARCHITECTURE 4, time]
MARGIN_MS: Final = 1_000
# A standby speaks where the owed step is overdue by this times its rank. [ARCHITECTURE 4, owners]
STANDBY_MS: Final = 500


class Step:
    """The tables of one process. See the module."""

    def __init__(
        self,
        deciders: Sequence[tuple[Manifest, int]],
        incarnation: str,
        entropy: Entropy,
        decks: Decks,
        *,
        followers: Iterable[Follower] = (),
        margin_ms: int = MARGIN_MS,
    ) -> None:
        """`deciders` are manifests and their rank among the standbys (0: none before it)."""
        self.deciders = [
            Decider(index, manifest, incarnation, rank)
            for index, (manifest, rank) in enumerate(deciders)
        ]
        self.counts = Counts()
        self.fences = Fences()
        self.beats = Beats(self.fences.read_after, margin_ms)
        self._inbox = Inbox(self.deciders, self.counts, self.beats)
        self.tables = Tables(self.counts, followers, self._inbox.queues, len(self.deciders))
        self.positions: dict[Place, int] = {}
        self._ahead = Ahead()
        self._due: deque[Entry] = deque()  # tables to look at, in the order in which they were read
        self._entropy = entropy
        self._decks = decks
        self._margin_ms = margin_ms
        self._wakes = Wakes()
        self._may_start = True

    @property
    def may_start(self) -> bool:
        """Whether hands may start; what is being played goes on in any case."""
        return self._may_start

    @may_start.setter
    def may_start(self, may: bool) -> None:
        if may and not self._may_start:
            # A table that waits for a hand has no clock that would remind of it.
            self.tables.touched.update(self.tables.entries)
        self._may_start = may

    # Ownership and places.

    def inputs(self, partition: int) -> list[Place]:
        """All places that this process must follow for a partition."""
        return [Place(name, partition) for name in (topics.HAND_LOG, *self._inbox.topics)]

    def own(self, service: str, partitions: Iterable[int]) -> None:
        """From now on this process owns these partitions for the service, and no others."""
        decider = self._decider(service)
        before, decider.owned = decider.owned, set(partitions)
        gained = decider.owned - before
        for name, entry in self.tables.entries.items():
            if entry.partition in gained:
                self.tables.touched[name] = entry

    def follow(self, place: Place, offset: int) -> None:
        """The next record that `read` takes from `place`; told before any is read."""
        self.positions[place] = offset

    def forget(self, partition: int) -> None:
        """Drop all of a partition, before it is read again from elsewhere."""
        self.tables.forget(partition)
        self.fences.forget(partition)
        self.beats.forget(partition)
        for place in [place for place in self.positions if place.partition == partition]:
            del self.positions[place]
            self._ahead.forget(place)
        for decider in self.deciders:
            for place in [place for place in decider.pending if place.partition == partition]:
                del decider.pending[place]

    # Reading.

    def read(self, records: Sequence[log.Record]) -> None:
        """Take records of one place, in order; those read before are passed over."""
        if not records:
            return
        place = Place(records[0].topic, records[0].partition)
        position = self.positions.get(place, 0)
        if records[-1].offset < position:
            return  # all of it: the sole writer has read what it wrote before it was durable
        if records[0].offset < position:
            records = [record for record in records if record.offset >= position]
        if place.topic == topics.HAND_LOG:
            for record in records:
                self.tables.read(record)
        else:
            for record in records:
                self._inbox.take(place, record, self.tables)
        self.positions[place] = records[-1].offset + 1
        self._check_fence(place.partition)
        self.read(self._ahead.due(place, records[-1].offset + 1))

    def read_placed(self, records: Sequence[log.Record], said: Sequence[Message] = ()) -> None:
        """Take records of several places, as placed; `said` is what they say, if that is known."""
        if said:
            self._inbox.know(records, said)
        positions, read_hand_log = self.positions, self.tables.read
        read = set()
        for record in records:
            place = Place(record.topic, record.partition)
            position = positions.get(place)
            if position is None or record.offset < position:
                continue  # nobody follows it here, or it has been read
            if record.offset > position:
                self._ahead.keep(place, record)
                continue
            if place.topic == topics.HAND_LOG:
                read_hand_log(record)
            else:
                self._inbox.take(place, record, self.tables)
            positions[place] = record.offset + 1
            read.add(place.partition)
        for partition in read:
            self._check_fence(partition)

    def _dead_letters(self) -> list[Append]:
        """Envelopes that could not be read; only one decider puts them aside, for all."""
        unreadable, self.tables.unreadable = self.tables.unreadable, []
        keepers = [d for d in self.deciders if d.manifest.writes_dead_letters]
        letters = []
        for found, why in unreadable:
            self.counts.unreadable += 1
            name = f"{found.topic}/{found.partition}/{found.offset}"
            self.tables.failures.append((name, why))
            if any(found.partition in keeper.owned for keeper in keepers):
                letters.append(Append(topics.DEAD_LETTERS, found.partition, name, found.value))
        return letters

    def fence(self, partition: int, at_ms: int, ends: Mapping[Place, int]) -> None:
        """`ends` of the partition's inputs, whose fetching began at `at_ms` by this clock."""
        self.fences.set(partition, at_ms, ends)
        self._check_fence(partition)

    def _check_fence(self, partition: int) -> None:
        self.tables.touched.update(self.fences.check(partition, self.positions))

    # Deciding.

    def decide(self, now_ms: int, most: int = NEVER) -> list[Append]:
        """What this process wants appended now, at most one record a table.

        These are `most` records at most, beside dead letters.

        The caller appends it all. If the log says at once where it stands, the caller passes that
        to `read_placed`. It asks again until nothing more comes.
        """
        out = self._dead_letters() if self.tables.unreadable else []
        given = Given(now_ms, -1, self._entropy, self._decks, self.may_start)
        for partition, instance in self.beats.look(now_ms):
            self._touch_lines(partition, instance)
        due, tables = self._due, self.tables
        while len(out) < most:
            if not due:
                # Neither what was read nor whose time has come keeps the other waiting.
                due.extend(tables.touched.values())
                tables.touched = {}
                while (woken := self._wakes.take(now_ms)) is not None:
                    due.append(woken)
                if not due:
                    break
            entry = due.popleft()
            if tables.entries.get(entry.table.id) is entry:  # not let go since, nor begun anew
                self._work(entry, given, out)
        return out

    def next_ms(self) -> int | None:
        """When `decide` has something to do again, if nothing is read before."""
        at_ms = min(self._wakes.next_ms(), self.beats.next_ms())
        return None if at_ms == NEVER else at_ms

    def _touch_lines(self, partition: int, instance: str) -> None:
        """Whoever plays over this session, which has fallen silent, loses his line."""
        for name, entry in self.tables.entries.items():
            if entry.partition == partition and lines_of(entry.table, {instance}):
                self.tables.touched[name] = entry

    def _work(self, entry: Entry, given: Given, out: list[Append]) -> None:
        if entry.held or entry.undecided is not None:
            return
        now_ms, partition = given.now_ms, entry.partition
        for decider in self.deciders:
            if partition not in decider.owned and not self._stands_in(decider, entry, now_ms):
                self._inbox.next(decider, entry)  # forgets what the owner has answered
                continue
            try:
                decided = self._decide(decider, entry, given)
            except Exception as error:
                # One table's fault must not stop the house; the table waits for a void.
                self.counts.failed += 1
                entry.failed = f"{decider.name} failed: {type(error).__name__}: {error}"
                self.tables.failures.append((entry.table.id, entry.failed))
                return
            if decided is not None:
                self._hand_over(decider, entry, *decided, now_ms, out)
                return

    def _stands_in(self, decider: Decider, entry: Entry, now_ms: int) -> bool:
        """Whether a decider that does not own the table speaks: its owner's step is overdue."""
        since = decider.manifest.overdue(entry.table)
        if since is None or entry.partition in self.fences.behind:
            return False
        at_ms = since + self._margin_ms + STANDBY_MS * (decider.rank + 1)
        if now_ms < at_ms:
            self._wakes.add(entry, decider, at_ms)
            return False
        self.counts.stood_in += 1
        return True

    def _decide(
        self, decider: Decider, entry: Entry, given: Given
    ) -> tuple[Sequence[Event], Answered | None] | None:
        table, manifest, now_ms = entry.table, decider.manifest, given.now_ms
        if table.stopped:
            return self._out_of_turn(decider, entry, now_ms)
        # Where deciding failed, only a void and the clocks go on: one of these calls the hand off.
        ask = self._out_of_turn if entry.failed else self._answer
        found = ask(decider, entry, now_ms)
        if found is not None:
            return found
        silent = self.beats.silent(entry.partition)
        if silent:
            given = given._replace(silent=silent)
        events = None if entry.failed else manifest.duty(table, given)
        if events:
            return events, None
        alarm = manifest.alarm(table)
        if alarm is None or not self._rings(decider, entry, alarm, now_ms):
            return None
        events = manifest.ring(table, alarm, given)
        return (events, None) if events else None

    def _answer(
        self, decider: Decider, entry: Entry, now_ms: int
    ) -> tuple[Sequence[Event], Answered | None] | None:
        """The first message that wants an answer, each topic in the order of its offsets."""
        while (found := self._inbox.next(decider, entry)) is not None:
            short, waiting = found
            decision = self._decision(decider, entry, waiting, now_ms)
            if decision is not None:
                events = events_of(decision)
                if entry.table.version or isinstance(events[0], TableOpened):
                    return events, answered(short, waiting)
                # A table that nobody has opened, or that closed before this process read: no
                # record can follow what is not known. It is closed to whoever asks, if all is read
                # that stood when he asked.
                asked = Alarm(waiting.time_ms, (), True)
                if not self._rings(decider, entry, asked, now_ms):
                    return None
            self._inbox.drop(decider, entry, short)
        return None

    def _decision(self, decider: Decider, entry: Entry, waiting: Waiting, now_ms: int) -> Decision:
        """What comes of the message; where deciding on it fails, it must not block its table."""
        away, message = self._inbox.away.holds(entry.partition, now_ms), waiting.message
        given = Given(now_ms, waiting.offset, self._entropy, self._decks, ledger_away=away)
        try:
            return decider.manifest.answer(entry.table, message, given)
        except Exception as error:
            if entry.partition not in decider.owned:
                raise  # its owner may fare better
            what = type(message.order if isinstance(message, Ordered) else message.command)
            self.counts.failed += 1
            why = f"{decider.name} failed on {what.__name__}: {type(error).__name__}: {error}"
            self.tables.failures.append((entry.table.id, why))
            # A player learns that it had no effect; the house says its orders again.
            return None if isinstance(message, Ordered) else Refusal(TableCode.INTERNAL)

    def _out_of_turn(
        self, decider: Decider, entry: Entry, now_ms: int
    ) -> tuple[Sequence[Event], Answered | None] | None:
        """At a stopped table only an order that is taken out of turn, a void, is answered."""
        for short, waiting in self._inbox.out_of_turn(decider, entry):
            given = Given(now_ms, waiting.offset, self._entropy, self._decks)
            decision = decider.manifest.answer(entry.table, waiting.message, given)
            if decision is not None and not isinstance(decision, Refusal):
                return decision, answered(short, waiting, out_of_turn=True)
        return None

    def _rings(self, decider: Decider, entry: Entry, alarm: Alarm, now_ms: int) -> bool:
        """Whether the deadline is over, surely, for this decider."""
        if not alarm.settled:
            if now_ms < alarm.at_ms:
                self._wakes.add(entry, decider, alarm.at_ms)
                return False
            return True
        due_ms = alarm.at_ms + self._margin_ms
        if now_ms < due_ms:
            self._wakes.add(entry, decider, due_ms)
            return False
        return self.fences.settled(entry, due_ms)

    def _hand_over(
        self,
        decider: Decider,
        entry: Entry,
        events: Sequence[Event],
        answers: Answered | None,
        now_ms: int,
        out: list[Append],
    ) -> None:
        table = entry.table
        for event in events:
            assert type(event) in decider.manifest.writes, f"{decider.name} may not write {event}"
        deal = table.deal
        record = Record(
            table.id,
            table.version + 1,
            table.head,
            decider.next_id(),
            deal.hand if deal is not None else getattr(events[0], "hand", ""),
            answers,
            RULES_VERSION,
            tuple(events),
        )
        value = encode_record(record)
        entry.undecided = Undecided(record, value, now_ms)
        self.tables.own_records[value] = record
        self.counts.decided += 1
        if isinstance(events[0], CommandRefused):
            self.counts.refuse(events[0].code)
        out.append(Append(topics.HAND_LOG, entry.partition, table.id, value))

    # Failing writers, committed offsets.

    def lost(self, incarnation: str) -> None:
        """The producer failed for good: whatever it had in hand may be absent, or land late.

        Everything undecided is given up and decided again under a new name, `incarnation`; what
        the old producer still lands is settled by version and parent like any rival's record.
        """
        for decider in self.deciders:
            decider.incarnation = incarnation
            decider.counter = 0
        self.tables.own_records.clear()
        for name, entry in self.tables.entries.items():
            if entry.undecided is not None:
                entry.undecided = None
                self.tables.touched[name] = entry

    def commits(self, service: str) -> dict[Place, int]:
        """The offsets behind which every message has its outcome read back."""
        return self._inbox.commits(self._decider(service), self.positions)

    def _decider(self, service: str) -> Decider:
        return next(decider for decider in self.deciders if decider.name == service)
