"""The wallet's process: reads the hand log, lets the booker book it, tells tables their answers.

Transactions run in a thread of their own; one is under way at a time, and takes all that waits.
Nothing is told before it is committed, and what was told is told again until its table shows it.
While the database is away all of it waits, and goes on by itself: the log keeps what happens, and
tables are told to ask for no more money meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from riverboat.game.commands import Ordered
from riverboat.game.ids import partition_of
from riverboat.log import topics
from riverboat.log.log import Append, Log, LogError, Membership, Place, Record
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from riverboat.runtime.tasks import Tasks
from riverboat.wire.record import encode_ordered
from services.wallet.book import Batch, Booked, Booker, LedgerStopped
from services.wallet.check import imbalance
from services.wallet.engines import LedgerAway
from services.wallet.lateness import Lateness
from services.wallet.reads import read
from services.wallet.reminders import Reminders
from services.wallet.store import Stopped, Store

logger = logging.getLogger(__name__)

GROUP: Final = "wallet"
# A table answers within milliseconds where nothing is wrong; an order that was lost costs a player
# this much waiting. Each time that it is told in vain it waits twice as long, up to the most.
RESEND_MS: Final = 1_000
RESEND_MS_MOST: Final = 30_000
# Between two transactions under load: each costs as much by itself as booking several hands, and
# nobody who plays waits for it. What comes when nothing came before is booked at once.
PACE_MS: Final = 250
# Summing all accounts reads all of them: often enough for an alert, seldom enough to cost nothing.
SUM_MS: Final = 60_000
EMPTY_MS: Final = 1_000
# Between two tries to reach a database that is away: it comes back within seconds of a restart.
AWAY_MS: Final = 500
AWAY_MS_MOST: Final = 4_000
# A database that hangs breaks no line: one that has not answered for so long is as good as away.
SILENT_S: Final = 5.0
# Between two looks at which partitions are late.
LATE_LOOK_S: Final = 0.5
# As many records as one transaction takes; a larger one would keep callers of the teller waiting.
BATCH: Final = 2_000

Send = Callable[[Sequence[Append]], "asyncio.Future[None]"]
_T = TypeVar("_T")


class Loop:
    """One wallet process's part in the network."""

    def __init__(
        self,
        network: Log,
        store: Store,
        send: Send,
        metrics: Metrics,
        *,
        member: str,
        fatal: Callable[[BaseException], None],
        resend_ms: int = RESEND_MS,
        membership: Membership | None = None,
        lateness: Lateness | None = None,
    ) -> None:
        """`send` hands orders to the log; `member` is this process's static name.

        Where it waited for its database, it brings its membership, and whom it told that it waits.
        """
        self._resend_ms = resend_ms
        self._reminders = Reminders(max(RESEND_MS_MOST // resend_ms, 1))
        self._log = network
        self._store = store
        self._booker = Booker(store)
        self._send_appends = send
        self._metrics = metrics
        self._member = member
        self._reader = network.reader()
        self._thread = ThreadPoolExecutor(1, "riverboat-ledger")
        self._membership = membership
        self._lateness = lateness or Lateness(member)
        self._positions: dict[int, int] = {}  # of the partitions followed
        self._ends: dict[int, int] = {}  # to be reached before this process has caught up
        self._behind: dict[int, int] = {}  # to be reached before it books again, after an outage
        self._tasks = Tasks(fatal)
        self.caught_up = asyncio.Event()
        self.away = False  # the database cannot be reached
        self.stopped: set[int] = set()  # partitions whose history is missing

    async def start(self) -> None:
        """Join the group, take partitions up and go on until `stop`."""
        if self._membership is None:
            self._membership = await join(self._log, self._member)
        owned = self._membership.owned
        self._tasks.spawn(self._tell_late(self._membership))
        await self._share(owned)
        watch = self._watch(self._membership, owned)
        for duty in (self._read(), watch, self._remind(), self._sum()):
            self._tasks.spawn(duty)

    async def stop(self) -> None:
        """Finish the transaction under way and give the partitions up."""
        await self._tasks.cancel()
        if self._membership is not None:
            await self._membership.leave()
        await self._reader.close()
        self._thread.shutdown(wait=True)

    async def _in_thread(self, work: Callable[..., _T], *arguments: Any) -> _T:
        """What `work` gives, as soon as the database is there.

        What was cut off may have been committed or not: a booking compares offsets, the rest reads.
        """
        pause_ms = AWAY_MS
        loop = asyncio.get_running_loop()
        while True:
            silent = loop.call_later(SILENT_S, self._tell_away, f"silent for {SILENT_S:.0f} s")
            try:
                done = await loop.run_in_executor(self._thread, work, *arguments)
            except LedgerAway as why:
                self._tell_away(str(why))
                silent.cancel()
                await asyncio.sleep(pause_ms / 1_000)
                pause_ms = min(2 * pause_ms, AWAY_MS_MOST)
            else:
                self._tell_away("")
                return done
            finally:
                silent.cancel()

    def _tell_away(self, why: str) -> None:
        if self.away != bool(why):
            self.away = bool(why)
            if why:
                logger.error("the ledger's database is away", extra=facts(reason=why))
            else:
                logger.warning("the ledger's database is back")

    async def _tell_late(self, membership: Membership) -> None:
        """Tell the tables of partitions that cannot be booked now; and when they can again."""
        was_away = False
        while True:
            if was_away and not self.away:
                # What came meanwhile is booked before what is asked from now on.
                was_away = not await self._look_ahead(membership.owned)
            was_away |= self.away
            late = membership.owned if was_away else self._late(membership.owned)
            self._lateness.tell(self._send_appends, membership.owned, late)
            await asyncio.sleep(LATE_LOOK_S)

    async def _look_ahead(self, owned: frozenset[int]) -> bool:
        """See how far there is to book; false where the log cannot be asked now."""
        try:
            ends = await self._log.ends([Place(topics.HAND_LOG, each) for each in sorted(owned)])
        except LogError:
            return False
        self._behind = {place.partition: end for place, end in ends.items()}
        return True

    def _late(self, owned: frozenset[int]) -> set[int]:
        at = self._positions
        for partition, end in list(self._behind.items()):
            if at.get(partition, end) >= end:
                del self._behind[partition]
        return {
            each for each in owned if each not in at or each in self._ends or each in self._behind
        }

    # Partitions.

    async def _watch(self, membership: Membership, owned: frozenset[int]) -> None:
        while True:
            owned = await membership.changed(owned)
            await self._share(owned)

    async def _share(self, owned: frozenset[int]) -> None:
        """Follow these partitions and no others. No harm is done where another wallet does too."""
        for partition in self._positions.keys() - owned:
            del self._positions[partition]
            self._ends.pop(partition, None)
            self._reader.leave(Place(topics.HAND_LOG, partition))
        fresh = sorted(owned - self._positions.keys() - self.stopped)
        if fresh:
            await self._take_up(fresh)
        self._check_caught_up()

    async def _take_up(self, fresh: Sequence[int]) -> None:
        """Go on where the ledger stands in each of these, asked of it and of the log at once.

        Beside a busy network every question waits for its turn: one a partition would take seconds.
        """
        offsets, stopped = await self._in_thread(self._stands, fresh)
        ends = await self._log.ends([Place(topics.HAND_LOG, partition) for partition in fresh])
        for place, end in ends.items():
            self._ends[place.partition] = end
        self._positions.update(offsets)
        for stop in stopped:
            await self._read_on(stop, offsets[stop.partition])
        for partition in fresh:
            if partition in self._positions:  # history may be missing there
                self._reader.follow(Place(topics.HAND_LOG, partition), offsets[partition])
        # A predecessor may have died between its commit and its answer.
        self._send(await self._in_thread(self._booker.owed, fresh))

    def _stands(self, partitions: Sequence[int]) -> tuple[dict[int, int], list[Stopped]]:
        return self._booker.offsets(partitions), self._booker.stopped(partitions)

    async def _read_on(self, stop: Stopped, end: int) -> None:
        """Try a stopped table again: this may be the version that knows what the last did not."""
        place = Place(topics.HAND_LOG, stop.partition)
        reader = self._log.reader()
        reader.follow(place, stop.next_offset)
        try:
            while stop.next_offset < end:
                taken = (await reader.take(most=BATCH))[place]
                mine = [record for record in taken if record.offset < end]
                upto = min(taken[-1].offset + 1, end)
                reads = [one for one in read(mine) if one.record.table == stop.table]
                booked = await self._in_thread(self._booker.book_stopped, stop, reads, upto)
                self._account(booked)
                if booked.stopped or booked.overtaken:
                    return
                stop = stop._replace(next_offset=upto)
        except LedgerStopped as why:
            self._stop(stop.partition, str(why))
        finally:
            await reader.close()

    def _check_caught_up(self) -> None:
        for partition, end in list(self._ends.items()):
            if self._positions.get(partition, 0) >= end:
                del self._ends[partition]
        if not self._ends and not self.stopped:
            self.caught_up.set()

    # Booking.

    async def _read(self) -> None:
        while True:
            taken = await self._reader.take(most=BATCH)
            found = [
                (place.partition, self._positions[place.partition], records)
                for place, records in taken.items()
                if place.partition in self._positions
            ]
            # One transaction for all that waits: with as many as partitions, each would cost as
            # much as this one.
            booked = await self._in_thread(self._book, found)
            self._account(booked)
            self._send(booked.orders)
            for partition, _, records in found:
                self._move(partition, booked, records[-1].offset + 1)
            self._check_caught_up()
            if sum(map(len, taken.values())) < BATCH:
                await asyncio.sleep(PACE_MS / 1_000)

    def _book(self, found: Sequence[tuple[int, int, Sequence[Record]]]) -> Booked:
        return self._booker.book(
            [
                Batch(partition, start, read(records), records[-1].offset + 1)
                for partition, start, records in found
            ]
        )

    def _move(self, partition: int, booked: Booked, end: int) -> None:
        if partition not in self._positions:
            return
        if partition in booked.halted:
            self._stop(partition, booked.halted[partition])
            return
        self._positions[partition] = booked.next_offsets[partition]
        if booked.next_offsets[partition] != end:
            place = Place(topics.HAND_LOG, partition)
            self._reader.follow(place, booked.next_offsets[partition])

    def _stop(self, partition: int, why: str) -> None:
        self.stopped.add(partition)
        self.caught_up.clear()
        self._positions.pop(partition, None)
        self._reader.leave(Place(topics.HAND_LOG, partition))
        self._metrics.missing.value += 1
        logger.error("the ledger books no further", extra=facts(partition=partition, reason=why))

    def _account(self, booked: Booked) -> None:
        self._metrics.postings.value += booked.postings
        if booked.flagged:
            logger.warning("the log overruled the ledger", extra=facts(count=booked.flagged))
        for stop in booked.stopped:
            logger.error(
                "the ledger stopped a table",
                extra=facts(table=stop.table, offset=stop.next_offset, reason=stop.why),
            )

    # Telling.

    def _send(self, orders: Sequence[Ordered]) -> None:
        if orders:
            self._send_appends([_append(order) for order in orders]).add_done_callback(_sent)

    async def _remind(self) -> None:
        """Tell again what was owed a whole interval ago and still is, ever more seldom."""
        while True:
            await asyncio.sleep(self._resend_ms / 1_000)
            owed = await self._in_thread(self._booker.owed, list(self._positions))
            self._send(self._reminders.due(owed))

    async def _sum(self) -> None:
        while True:
            found = await self._in_thread(imbalance, self._store)
            self._metrics.imbalance.by.update(found)
            for currency, amount in found.items():
                if amount:
                    logger.error(
                        "the ledger is out of balance",
                        extra=facts(currency=currency, amount=amount),
                    )
            # Where there is no money yet, the first to come is looked at soon.
            await asyncio.sleep((SUM_MS if found else EMPTY_MS) / 1_000)


async def join(network: Log, member: str) -> Membership:
    """Take a share of the partitions that are booked."""
    return await network.join(GROUP, member, [topics.HAND_LOG])


def _append(order: Ordered) -> Append:
    return Append(
        topics.TABLE_ORDERS, partition_of(order.table), order.table, encode_ordered(order)
    )


def _sent(durable: asyncio.Future[None]) -> None:
    # Nothing is lost: the order is owed until its table shows it.
    if not durable.cancelled() and durable.exception() is not None:
        logger.warning("orders may not have been sent", extra=facts(kind="append failed"))
