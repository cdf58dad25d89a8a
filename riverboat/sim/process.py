"""A simulated process: the real step in a harness that can die between any two effects.

It does what the asyncio node does, in virtual time: reads what it can see, decides, appends,
commits, snapshots, recovers. It decides nothing itself, and changes nothing of the step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import is_not

from riverboat.game.table.digest import digest
from riverboat.log import log, topics
from riverboat.log.log import Append, OffsetOutOfRange, Place
from riverboat.runtime.clock import LogClock
from riverboat.runtime.entry import NEVER
from riverboat.runtime.recovery import (
    HistoryLost,
    Snapshots,
    Start,
    begin,
    check_head,
    newest_head,
)
from riverboat.runtime.step import Step
from riverboat.sim.older import as_older
from riverboat.sim.plan import Crash, Plan
from riverboat.sim.simlog import SimLog, nothing
from riverboat.sim.views import Audience
from riverboat.sim.world import Machine, World
from riverboat.wire.beats import encode_beat

TICK_MS = (80, 220)
COMMIT_MS = 1_500
SNAPSHOT_MS = (3_000, 8_000)
BEAT_MS = 2_000
ASK_TIME_MS = 10_000  # as the node does


class Process:
    """One process through all its lives."""

    def __init__(self, world: World, log: SimLog, plan: Plan) -> None:
        self.world = world
        self.log = log
        self.plan = plan
        self.life = 0
        self.alive = False
        self.paused_until_ms = 0
        self.skew_ms = 0
        self.step: Step | None = None
        self._snapshots: Snapshots | None = None
        self._audience: Audience | None = None
        self._commit_ms = 0
        self._snapshot_ms = 0
        self._beat_ms = 0
        self._ask_ms = 0
        self._time = LogClock(Machine(lambda: self.world.now_ms + self.skew_ms))
        self.poison: tuple[str, str] | None = None  # a table's hand that this process cannot fold
        self.ended = ""  # why it has ended for good
        self._fencing: set[int] = set()
        self._inputs: Sequence[Place] = ()
        self._read_at = -1  # the log's moves at which all of it had been read
        self._woken = True  # something has happened since the step was asked

    @property
    def name(self) -> str:
        """Unique through all lives and producers."""
        return f"{self.plan.name}.{self.life}"

    def clock(self) -> int:
        """What this process takes for the time: its machine's clock, as the log corrects it."""
        return self._time.now_ms()

    # Life and death.

    def start(self) -> None:
        """Begin a new life: recover, then go on."""
        self.life += 1
        self.alive = True
        skew = self.log.faults.skew_ms
        self.skew_ms = self.world.rng.randint(-skew, skew)
        self._fencing = set()
        self._time = LogClock(Machine(lambda: self.world.now_ms + self.skew_ms))
        self._time.read_back(self.world.now_ms, self._time.machine_ms())
        self._ask_ms = self.world.now_ms + ASK_TIME_MS
        try:
            self._recover()
        except Crash:
            self.die()
            return
        except HistoryLost as lost:
            self._end(str(lost))
            return
        self._loop(self.life)

    def die(self) -> None:
        """End this life; another begins later."""
        self.alive = False
        self.step = None
        self.world.tell("died", self.name)
        rng = self.world.rng
        down_ms = rng.uniform(200, 4_000) if rng.random() < 0.8 else rng.uniform(8_000, 25_000)
        life = self.life
        self.world.after(down_ms, lambda: None if self.life != life else self.start())

    def end(self) -> None:
        """End for good."""
        self.life += 1
        self.alive = False
        self.step = None

    def _end(self, why: str) -> None:
        """End for good: somebody must look at the log."""
        self.end()
        self.ended = why
        self.world.reach("stopped_not_forked")
        self.world.tell("ended", self.name, why)

    def restart(self) -> None:
        """Die and begin again at once."""
        self.alive = False
        self.paused_until_ms = 0
        self.poison = None
        self.start()

    def effect(self) -> None:
        """Between two effects, where a process may die."""
        if self.world.chance(self.log.faults.crash_between):
            self.world.reach("crash_between")
            raise Crash

    def _loop(self, life: int) -> None:
        if not self.alive or self.life != life:
            return
        world = self.world
        try:
            if world.now_ms >= self.paused_until_ms:
                self.tick()
        except Crash:
            self.die()
            return
        except OffsetOutOfRange as lost:
            self._end(str(lost))
            return
        world.after(world.rng.uniform(*TICK_MS), lambda: self._loop(life))

    # What a node does.

    def _recover(self) -> None:
        plan = self.plan
        self._audience = None if plan.audience is None else plan.audience(plan.decks, self._time)
        step = self.step = plan.step(
            [(manifest, plan.rank) for manifest in plan.manifests],
            self.name,
            plan.entropy,
            plan.decks,
            followers=[] if self._audience is None else [self._audience.see],
        )
        self._woken = True
        self._snapshots = plan.snapshots(step)
        self._read_at = -1
        self._inputs = [each for p in range(plan.partitions) for each in step.inputs(p)]
        now_ms = self.world.now_ms
        self._commit_ms = now_ms + 1_000
        self._snapshot_ms = now_ms + int(self.world.rng.uniform(*SNAPSHOT_MS))
        for partition in range(plan.partitions):
            self._take_up(step, partition)

    def _take_up(self, step: Step, partition: int) -> None:
        log = self.log
        start = self._begin(log.records(Place(topics.TABLES, partition)))
        place = Place(topics.HAND_LOG, partition)
        newest = newest_head(start)
        if newest is not None:
            check_head(start, newest[0], log.between(place, newest[1], newest[1] + 1))
        for name, table in start.tables.items():
            step.tables.restore(table, partition, start.heads[name])
        step.follow(place, start.offset)
        if start.behind:
            self.world.reach("snapshot_behind_mark")
            lowest = min(start.behind.values())
            again = log.between(place, lowest, start.offset)
            for name, offset in start.behind.items():
                later = [found for found in again if found.offset >= offset]
                step.tables.catch_up(name, partition, later)
        assert self._snapshots is not None
        self._snapshots.know(partition, start.versions, self.clock())
        for message_place in step.inputs(partition):
            if message_place != place:
                offsets = [log.committed(decider.name, message_place) for decider in step.deciders]
                step.follow(message_place, min(offsets, default=0))

    def _begin(self, records: Sequence[log.Record]) -> Start:
        return begin(records)

    def tick(self) -> None:
        """One turn: read, decide, append, and now and then the rest."""
        step, world = self.step, self.world
        assert step is not None, "a process that lives has a step"
        for decider in step.deciders:
            owned = self.plan.owns(decider.name)
            if owned != decider.owned:
                self._woken = True
                step.own(decider.name, owned)
        if self._read_at != self.log.moves:
            self._read(step)
        for name in list(step.tables.missing):
            self._woken = True
            self._refold(step, name)
        if not self.plan.manifests:
            self._beat()
        if not self._time.agrees:
            # It is unready for who calls it; it decides on, by the time that the log has.
            world.reach("unready_clock")
        if self._woken or (step.next_ms() or NEVER) <= self.clock():
            self._woken = False
            self.decide()
            self._tell()
        if world.now_ms >= self._ask_ms:
            self._ask_ms = world.now_ms + ASK_TIME_MS
            self._ask_time(step, lambda _at_ms: None)
        if world.now_ms >= self._commit_ms:
            self._commit_ms = world.now_ms + COMMIT_MS
            self._commit(step)
        if world.now_ms >= self._snapshot_ms:
            self._snapshot_ms = world.now_ms + int(world.rng.uniform(*SNAPSHOT_MS))
            self._snapshot(step)

    def _read(self, step: Step) -> None:
        at, ends = step.positions, self.log.ends
        behind = [place for place in self._inputs if at.get(place, 0) != ends.get(place, 0)]
        for place in behind:
            found = self.log.visible(self.name, place, at.get(place, 0))
            if found:
                self._woken = True
                self._time.read_back(found[-1].time_ms)
                step.read(self._as_read(found))
        if not behind:
            self._read_at = self.log.moves

    def decide(self) -> None:
        """Ask the step and hand over what it wants appended."""
        step = self.step
        assert step is not None
        appends = step.decide(self.clock(), self.world.wave())
        if appends and self._disk_is_full(step):
            return
        self._woken = bool(appends)  # what was left over comes in the next turn
        for append in appends:
            self._note(step, append)
            self.effect()
            acknowledged = partial(self._acknowledged, step, append)
            self.log.append([append], acknowledged, self._failing())
            self.effect()
        self._want_fences(step)

    def _disk_is_full(self, step: Step) -> bool:
        """Whether the log takes nothing, and says so: all of it is decided again."""
        if not self.world.chance(self.log.faults.disk_full):
            return False
        self.world.reach("disk_full")
        self.life += 1
        self._woken = True
        step.lost(self.name)
        # Soon, and not from within this turn: whatever dies in it must not go on here.
        life = self.life
        self.world.after(0, lambda: self._loop(life))
        return True

    def _want_fences(self, step: Step) -> None:
        for partition in step.fences.wanted():
            if partition not in self._fencing:
                self._fence(step, partition)

    # Who looks, where this is a session.

    def look(self, viewer: str, table: str, seen: int) -> None:
        """The viewer looks at the table here, if it stands here; he knows it up to `seen`."""
        entry = self.step.tables.entries.get(table) if self.step is not None else None
        if self._audience is not None and entry is not None and entry.table.version >= seen:
            self._audience.look(viewer, entry.table, seen)

    def leave(self, viewer: str) -> None:
        """He looks at nothing here any more."""
        if self._audience is not None:
            self._audience.leave(viewer)

    def _tell(self) -> None:
        if self._audience is not None:
            for told in self._audience.cut()():
                self.plan.told(told)

    def _beat(self) -> None:
        """Who decides nothing is a session, and lets it be known that it lives."""
        now_ms, name = self.world.now_ms, self.plan.name
        if now_ms < self._beat_ms:
            return
        self._beat_ms = now_ms + BEAT_MS
        for partition in range(self.plan.partitions):
            beat = Append(topics.TABLE_COMMANDS, partition, name, encode_beat(name))
            self.log.append([beat], nothing, nothing)

    def _acknowledged(self, step: Step, append: Append) -> None:
        """Nothing: only reading a record back, or one that beat it, settles it."""

    def _as_read(self, records: Sequence[log.Record]) -> Sequence[log.Record]:
        if self.poison is None:
            return records
        read = as_older(records, *self.poison)
        self.world.reach("poisoned", sum(map(is_not, read, records)))
        return read

    def _note(self, step: Step, append: Append) -> None:
        """Tell the auditor on which state the record was decided."""
        entry = step.tables.entries.get(append.key)
        if entry is not None and entry.undecided is not None and not entry.table.stopped:
            self.plan.decided(entry.undecided.record.id, digest(entry.table))

    def _failing(self) -> Callable[[], None]:
        """What a writer does that learns of a failure: it is replaced, under a new name."""
        life, step = self.life, self.step

        def failed() -> None:
            if not self.alive or self.life != life or self.step is not step or step is None:
                return
            self.life += 1
            self.world.reach("producer_replaced")
            self._woken = True
            step.lost(self.name)
            self._loop(self.life)

        return failed

    def _fence(self, step: Step, partition: int) -> None:
        """By the log's time, ends fetched after it, and told a little later."""
        self._fencing.add(partition)
        self._ask_time(step, lambda at_ms: self._fetch_ends(step, partition, at_ms))

    def _fetch_ends(self, step: Step, partition: int, at_ms: int) -> None:
        ends = {place: self.log.end(place) for place in step.inputs(partition)}

        def told() -> None:
            if self.step is step:
                self._fencing.discard(partition)
                self._woken = True
                step.fence(partition, at_ms, ends)

        self.world.after(self.world.rng.uniform(1, 30), told)

    def _ask_time(self, step: Step, then: Callable[[int], None]) -> None:
        """The log's time, a little later; the clock learns from it."""
        world, sent_ms = self.world, self._time.machine_ms()

        def told(stamped_ms: int) -> None:
            if self.step is step:
                self._time.read_back(stamped_ms, sent_ms)
                then(stamped_ms)

        def stamped() -> None:
            world.after(world.rng.uniform(1, 15), partial(told, world.now_ms))

        world.after(world.rng.uniform(1, 15), stamped)

    def _refold(self, step: Step, name: str) -> None:
        entry = step.tables.missing[name]
        place = Place(topics.HAND_LOG, entry.partition)
        self.world.reach("refold")
        records = self.log.between(place, 0, step.positions.get(place, 0))
        if not step.tables.refold(name, records):
            self.plan.missing(self.name, name)

    def _commit(self, step: Step) -> None:
        for decider in step.deciders:
            self.effect()
            offsets = step.commits(decider.name)
            self.plan.committed(decider.name, offsets)
            self.log.commit(decider.name, offsets)

    def _snapshot(self, step: Step) -> None:
        snapshots = self._snapshots
        assert snapshots is not None
        for decider in step.deciders:
            if not decider.manifest.writes_dead_letters:
                continue
            for partition in sorted(decider.owned):
                self._snapshot_partition(step, snapshots, partition)

    def _snapshot_partition(self, step: Step, snapshots: Snapshots, partition: int) -> None:
        appends, taken = snapshots.take(partition, self.clock())
        if not appends:
            return
        self.effect()

        def landed() -> None:
            if self.step is step:
                self.log.append(snapshots.landed(partition, taken), nothing, nothing)

        self.log.append(appends, landed, nothing)
