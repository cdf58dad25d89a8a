"""The node: the asyncio shell around one step and one log.

It reads, asks the step, appends, and tells what became durable; it draws partitions, recovers
them, commits offsets, writes snapshots. It takes no decision of its own, and nothing leaves the
process before the log has it. There is one task a duty, never one a record.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from riverboat.log import log, topics
from riverboat.log.log import Append, Log, Membership, Place
from riverboat.runtime.clock import LogClock
from riverboat.runtime.keeping import keep
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.recovery import SNAPSHOT_MS, Snapshots
from riverboat.runtime.service import Message
from riverboat.runtime.step import Step
from riverboat.runtime.takeover import begin_partitions, history
from riverboat.runtime.tasks import Tasks

logger = logging.getLogger(__name__)

COMMIT_MS: Final = 1_000
HOUSEKEEPING_MS: Final = 500
# A write that did not land is tried again after this; the log's own retries come before it.
AGAIN_MS: Final = 250
# Records decided on in one turn of the loop: what came of them is told before others follow.
WAVE: Final = 32
FULL_AGAIN_MS: Final = 1_000
CLOCK_MS: Final = 10_000  # what was learned of a clock holds for some 30 s; see clock.py
AWAITED_S: Final = 60.0  # who has not come back by then went where this process does not read
NOT_KNOWN: Final = 1 << 62  # an end that no reader reaches

Release = Callable[[], None]


class Edge(Protocol):
    """Whoever tells the world what was folded; it may only tell what is durable."""

    def cut(self) -> Release:
        """All that was gathered since the last cut: call it once that is durable."""


class Node:
    """One process's part in the network."""

    def __init__(
        self,
        network: Log,
        step: Step,
        clock: LogClock,
        *,
        member: str,
        incarnation: Callable[[], str],
        edges: Sequence[Edge] = (),
        follows: Iterable[int] = (),
        fatal: Callable[[BaseException], None],
        metrics: Metrics | None = None,
        snapshot_ms: int = SNAPSHOT_MS,
    ) -> None:
        """`follows` are partitions to fold whoever owns them; `member` is the static name."""
        self._log = network
        self._step = step
        self._clock = clock
        self._member = member
        self._incarnation = incarnation
        self._edges = edges
        self._follows = frozenset(follows)
        self._metrics = metrics
        self._fatal = fatal
        self._loop = asyncio.get_running_loop()
        self._reader = network.reader()
        self._snapshots = Snapshots(step, snapshot_ms)
        self._memberships: dict[str, Membership] = {}
        self._following: set[int] = set()
        self._taking_up = asyncio.Lock()
        self._catching: dict[int, dict[Place, int]] = {}  # partition: ends to reach before deciding
        self._ticking = False
        self._timer: asyncio.TimerHandle | None = None
        self._fencing: set[int] = set()
        self._refolding: set[str] = set()
        self._tasks = Tasks(fatal)
        # One record at a time that is on its way and measured, and when it was handed over.
        self._awaited: tuple[bytes | None, float] | None = None
        self._last_durable: asyncio.Future[None] | None = None
        self.caught_up = asyncio.Event()

    # Life.

    async def start(self) -> None:
        """Join the groups, take up partitions and go on until `stop`."""
        await self._ask_time()
        for decider in self._step.deciders:
            inputs = sorted({place.topic for place in self._step.inputs(0)} - {topics.HAND_LOG})
            # A decider that nobody speaks to shares the hand log itself.
            shared = inputs or [topics.HAND_LOG]
            membership = await self._log.join(decider.name, self._member, shared)
            self._memberships[decider.name] = membership
        # Only now: reading goes on from what the groups have committed.
        await self._take_up(self._follows)
        self._tasks.spawn(self._read())
        self._tasks.spawn(self._keep_time())
        for service, membership in self._memberships.items():
            self._tasks.spawn(self._watch(service, membership))
        if self._memberships:
            self._tasks.spawn(self._housekeep())
        self._check_caught_up()

    async def stop(self) -> None:
        """Stop deciding, keep what is durable, give partitions up."""
        await self._tasks.cancel()
        if self._timer is not None:
            self._timer.cancel()
        for service in self._memberships:
            with suppress(log.LogError):
                await self._commit(service)
        for membership in self._memberships.values():
            await membership.leave()
        await self._reader.close()

    # Reading and deciding.

    def submit(
        self, appends: Sequence[Append], said: Sequence[Message] = ()
    ) -> asyncio.Future[None]:
        """Hand messages to the log, which say what is `said`; done when they are durable.

        When the log says at once where they stand, they are decided on in this turn of the loop.
        """
        sent = self._log.append(appends)
        if sent.records is not None:
            self._step.read_placed(sent.records, said)
            self.wake()
        return sent.durable

    def wake(self) -> None:
        """Decide soon: once in this turn of the loop, whoever asks."""
        if not self._ticking:
            self._ticking = True
            self._loop.call_soon(self._tick)

    def _tick(self) -> None:
        self._ticking = False
        try:
            self._decide()
        except log.DiskNearlyFull as error:
            # Nothing of it was appended: decide again once there may be room.
            logger.error("nothing can be appended", extra=facts(reason=str(error)))
            self._step.lost(self._incarnation())
            self._loop.call_later(FULL_AGAIN_MS / 1000, self.wake)
        except BaseException as error:
            self._fatal(error)

    def _decide(self) -> None:
        """Decide on some tables, and let the loop do the rest of its work before the next."""
        step = self._step
        began_s = time.perf_counter()
        appends = step.decide(self._clock.now_ms(), WAVE)
        if appends:
            self._append(appends, began_s)
            self.wake()
        else:
            self._arm()
        self._tell()
        for partition in step.fences.wanted():
            if partition not in self._fencing:
                self._fencing.add(partition)
                self._tasks.spawn(self._fence(partition))
        for name in step.tables.missing.keys() - self._refolding:
            self._refolding.add(name)
            self._tasks.spawn(self._refold(name))
        for name, why in step.tables.failures:
            logger.error("a table failed", extra=facts(table=name, reason=why))
        step.tables.failures.clear()

    def _append(self, appends: Sequence[Append], began_s: float) -> None:
        decided_s = time.perf_counter()
        sent = self._log.append(appends)
        if self._metrics is not None:
            self._metrics.decide.took(decided_s - began_s)
            sent.durable.add_done_callback(partial(self._appended, decided_s))
        if sent.records is None:
            sent.durable.add_done_callback(self._settled)
            if self._awaited is None or decided_s - self._awaited[1] > AWAITED_S:
                self._awaited = appends[-1].value, decided_s
            return
        self._last_durable = sent.durable
        self._step.read_placed(sent.records)
        if self._metrics is not None:
            self._metrics.read_back.took(time.perf_counter() - decided_s, len(appends))

    def _appended(self, began_s: float, durable: asyncio.Future[None]) -> None:
        if self._metrics is not None and not durable.cancelled() and durable.exception() is None:
            self._metrics.append.took(time.perf_counter() - began_s)

    def _tell(self) -> None:
        """Let the edges tell what was folded, once all of it is durable."""
        durable = self._last_durable
        for edge in self._edges:
            release = edge.cut()
            if durable is None or durable.done():
                _when_durable(release, durable)
            else:
                durable.add_done_callback(partial(_when_durable, release))

    def _settled(self, durable: asyncio.Future[None]) -> None:
        if durable.cancelled() or durable.exception() is None:
            return
        why = str(durable.exception())
        logger.error("the writer failed and is replaced", extra=facts(reason=why))
        self._awaited = None
        self._step.lost(self._incarnation())
        self._loop.call_later(AGAIN_MS / 1000, self.wake)

    def _arm(self) -> None:
        at_ms = self._step.next_ms()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at_ms is not None:
            delay_ms = max(at_ms - self._clock.now_ms(), 1)
            self._timer = self._loop.call_later(delay_ms / 1000, self.wake)

    async def _read(self) -> None:
        while True:
            taken = await self._reader.take()
            newest = 0
            for records in taken.values():
                self._step.read(records)
                newest = max(newest, records[-1].time_ms)
                if self._awaited is not None:
                    self._look_for(*self._awaited, records)
            self._clock.read_back(newest)
            if self._catching:
                self._check_caught_up()
            self.wake()

    def _look_for(self, value: bytes | None, sent_s: float, records: Sequence[log.Record]) -> None:
        """Take the time if the record that is awaited has come."""
        if self._metrics is not None and any(record.value == value for record in records):
            self._metrics.read_back.took(time.perf_counter() - sent_s)
            self._awaited = None

    async def _fence(self, partition: int) -> None:
        try:
            # By the log's own time: a clock that is ahead here must not end a player's turn.
            at_ms = await self._ask_time()
            ends = await self._log.ends(self._step.inputs(partition))
            self._step.fence(partition, at_ms, ends)
        except log.LogError as error:
            named = facts(partition=partition, reason=str(error))
            logger.warning("ends of a partition cannot be read", extra=named)
            await asyncio.sleep(AGAIN_MS / 1000)
        finally:
            self._fencing.discard(partition)
        self.wake()

    async def _ask_time(self) -> int:
        """The log's time; the clock learns from it."""
        sent_ms = self._clock.machine_ms()
        stamped_ms = await self._log.time_ms()
        self._clock.read_back(stamped_ms, sent_ms)
        return stamped_ms

    async def _keep_time(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_MS / 1000)
            await self._try(self._ask_time(), "the log's time cannot be asked")

    async def _refold(self, name: str) -> None:
        try:
            place = Place(topics.HAND_LOG, self._step.tables.missing[name].partition)
            records = await history(self._log, place, 0, self._step.positions.get(place, 0))
            if name in self._step.tables.missing:
                self._step.tables.refold(name, records)
        except log.LogError as error:
            named = facts(table=name, reason=str(error))
            logger.warning("a table's history cannot be read", extra=named)
            await asyncio.sleep(AGAIN_MS / 1000)
        finally:
            self._refolding.discard(name)
        self.wake()

    # Owning.

    async def _watch(self, service: str, membership: Membership) -> None:
        """Own what the group gives: gained partitions only once they are read to their ends."""
        owned: frozenset[int] = frozenset()
        while True:
            now = membership.owned
            await self._take_up(now - owned)
            self._own(service, now)
            owned = now
            self._check_caught_up()
            self._give_up()
            await membership.changed(owned)

    def _own(self, service: str, partitions: frozenset[int]) -> None:
        self._step.own(service, partitions - self._catching.keys())
        self.wake()

    def _give_up(self) -> None:
        """Stop following what no service here owns and nobody asked to follow."""
        wanted = self._follows.union(*(each.owned for each in self._memberships.values()))
        for partition in self._following - wanted:
            for place in self._step.inputs(partition):
                self._reader.leave(place)
            self._step.forget(partition)
            self._snapshots.forget(partition)
            self._catching.pop(partition, None)
        self._following &= wanted

    async def _take_up(self, partitions: Iterable[int]) -> None:
        """Begin with the snapshots, then follow the partitions' places.

        One at a time, and nothing is given up meanwhile: what is lost then is let go of after it.
        """
        async with self._taking_up:
            fresh = sorted(set(partitions) - self._following)
            if fresh:
                await self._begin(fresh)

    async def _begin(self, fresh: Sequence[int]) -> None:
        self._following.update(fresh)
        for partition in fresh:
            # Nobody may own it before it is known how far it must be read.
            self._catching[partition] = {Place(topics.HAND_LOG, partition): NOT_KNOWN}
            self._step.fences.behind.add(partition)
        begun = await begin_partitions(self._log, self._step, fresh, self._memberships)
        for partition, (versions, ends) in begun.items():
            self._snapshots.know(partition, versions, self._clock.now_ms())
            self._catching[partition] = ends
            for place in self._step.inputs(partition):
                self._reader.follow(place, self._step.positions[place])

    def _check_caught_up(self) -> None:
        positions = self._step.positions
        for partition, ends in list(self._catching.items()):
            if all(positions.get(place, 0) >= end for place, end in ends.items()):
                del self._catching[partition]
                self._step.fences.behind.discard(partition)
                self._step.tables.touch(partition)
        for service, membership in self._memberships.items():
            self._own(service, membership.owned)
        if not self._catching:
            self.caught_up.set()

    # Housekeeping.

    async def _housekeep(self) -> None:
        committed_ms = 0
        while True:
            await asyncio.sleep(HOUSEKEEPING_MS / 1000)
            self.wake()  # hands may start again, where they might not
            now_ms = self._clock.now_ms()
            if now_ms - committed_ms >= COMMIT_MS or now_ms < committed_ms:
                committed_ms = now_ms
                for service in self._memberships:
                    await self._try(self._commit(service), "offsets cannot be committed")
            for partition in self._snapshots.due(now_ms):
                await self._try(self._snapshot(partition), "a snapshot cannot be written")

    async def _try(self, work: Awaitable[object], what: str) -> None:
        try:
            await work
        except log.LogError as error:
            logger.warning(what, extra=facts(reason=str(error)))

    async def _commit(self, service: str) -> None:
        offsets = self._step.commits(service)
        if offsets:
            await self._memberships[service].commit(offsets)

    async def _snapshot(self, partition: int) -> None:
        keeper = next((d for d in self._step.deciders if d.manifest.writes_dead_letters), None)
        if keeper is None or partition not in keeper.owned:
            return
        await keep(self._log, self._snapshots, partition, self._clock, self._metrics)


def _when_durable(release: Release, durable: asyncio.Future[None] | None) -> None:
    if durable is None or (not durable.cancelled() and durable.exception() is None):
        release()
