"""One process on the embedded log: it reads and decides on what is not durable yet.

What was appended and not committed when the process dies is lost, in the order of appending: a
prefix of it may have reached the disk. Nothing may be told before. [ARCHITECTURE 6, the log]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from riverboat.log import topics
from riverboat.log.log import Append, Place, Record
from riverboat.runtime.step import Step
from riverboat.sim.faults import Faults
from riverboat.sim.process import Process
from riverboat.sim.simlog import Done, Landed, SimLog
from riverboat.sim.views import Told
from riverboat.sim.world import World

COMMIT_MS: Final = (1, 300)  # how long a disk may take
SOLE: Final = "sole0"  # the name of the process


class _Kept(NamedTuple):
    """Something that becomes durable in its turn."""

    act: Done
    tells: bool  # whether it only tells the process that lives, and touches no disk


class SoleLog(SimLog):
    """What is appended is there at once for the process that appends, and later for the others."""

    def __init__(self, world: World, faults: Faults, landed: Landed) -> None:
        super().__init__(world, faults, landed)
        self._durable: dict[Place, int] = {}
        self._waiting: deque[_Kept] = deque()
        self._kept = 0  # how many things have become durable, or were lost

    @property
    def settled(self) -> bool:
        """Whether all that was appended is durable."""
        return not self._waiting

    def land(self, append: Append, how: str = "") -> Record:
        record = self._place(append, how)
        self._wait(partial(self._keep, record))
        return record

    def append(self, batch: Sequence[Append], done: Done, failed: Done) -> None:
        self.write(batch)
        self.when_durable(done)

    def write(self, batch: Sequence[Append]) -> list[Record]:
        """Append it, and say where it stands."""
        return [self.land(append) for append in batch]

    def when_durable(self, act: Done) -> None:
        """Do this once all that was appended so far is durable, if this process lives to see it."""
        self._wait(act, tells=True)

    def commit(self, group: str, offsets: dict[Place, int]) -> None:
        self._wait(partial(super().commit, group, offsets))

    def _wait(self, act: Done, *, tells: bool = False) -> None:
        self._waiting.append(_Kept(act, tells))
        upto = self._kept + len(self._waiting)
        self.world.after(self.world.rng.uniform(*COMMIT_MS), partial(self._reach, upto))

    def _reach(self, upto: int) -> None:
        while self._kept < upto:
            self._kept += 1
            self._waiting.popleft().act()

    def _keep(self, record: Record) -> None:
        self._durable[Place(record.topic, record.partition)] = record.offset + 1
        self._landed(record)

    def die(self) -> None:
        """The process is dead: some of what waited is durable after all, the rest never was."""
        waiting, self._waiting = list(self._waiting), deque()
        self._kept += len(waiting)
        reached = self.world.rng.randint(0, len(waiting))
        for kept in waiting[:reached]:
            if not kept.tells:
                kept.act()
        for place, records in self._records.items():
            end = self._durable.get(place, self._first.get(place, 0))
            while records and records[-1].offset >= end:
                records.pop()
                self.world.reach("suffix_lost")
            self.ends[place] = end
        self.moves += 1

    def end(self, place: Place) -> int:
        return self._durable.get(place, self._first.get(place, 0))

    def visible(self, reader: str, place: Place, offset: int, most: int = 200) -> list[Record]:
        found = super().visible(reader, place, offset, most)
        if reader.startswith(SOLE):
            return found
        end = self.end(place)
        return [record for record in found if record.offset < end]

    def compact(self, partitions: int) -> None:
        waiting = {}
        for partition in range(partitions):
            place = Place(topics.TABLES, partition)
            records = self._records.get(place, [])
            end = self.end(place)
            waiting[place] = [record for record in records if record.offset >= end]
            self._records[place] = [record for record in records if record.offset < end]
        super().compact(partitions)
        for place, records in waiting.items():
            self._records[place] = [*self._records[place], *records]


class SoleProcess(Process):
    """All services in one process, which decides on what it has appended and not committed."""

    log: SoleLog
    fell: Done

    def die(self) -> None:
        """All of it is gone: what it had in memory, and who looked through it."""
        super().die()
        self.log.die()
        self.fell()

    def restart(self) -> None:
        self.log.die()
        super().restart()

    def decide(self) -> None:
        step = self.step
        assert step is not None
        while appends := step.decide(self.clock(), self.world.wave()):
            if self._disk_is_full(step):
                return
            for append in appends:
                self._note(step, append)
            self.effect()
            step.read_placed(self.log.write(appends))
            self.effect()
        self._want_fences(step)

    def _tell(self) -> None:
        if self._audience is not None:
            self.log.when_durable(partial(self._release, self._audience.cut()))

    def _release(self, cut: Callable[[], Sequence[Told]]) -> None:
        for told in cut():
            self.plan.told(told)

    def _commit(self, step: Step) -> None:
        for decider in step.deciders:
            self.effect()
            offsets = step.commits(decider.name)
            self.log.commit(decider.name, offsets)
            self.log.when_durable(partial(self.plan.committed, decider.name, offsets))
