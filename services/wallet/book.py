"""The booker: takes the records of the hand log, in order, and books what they say.

It talks to the ledger's database and to nobody else: records and time come in, orders that are owed
to tables go out, so that whoever drives it may be cut off between any two effects. It never starts
from a snapshot, never skips a record, and never waits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.hand.events import HandVoided
from riverboat.game.record import Record
from riverboat.game.table.state import ROOT
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.follow import TableBooks, follow, moves_money, reservation_named
from riverboat.ledger.postings import Flag, LawBroken
from riverboat.ledger.touched import Touched
from services.wallet.store import Owed, Stopped, Store
from services.wallet.writing import Head, Source, Writing


class Read(NamedTuple):
    """One record of the hand log, and where it stood."""

    offset: int
    time_ms: int  # append time, by the log's clock
    record: Record


class Batch(NamedTuple):
    """What stands in one partition from offset `start` up to, not including, `end`."""

    partition: int
    start: int
    reads: Sequence[Read]  # all of it that could be read, in order
    end: int


class LedgerStopped(Exception):
    """History is missing: the partition is booked no further until a person has looked."""


class Booked(NamedTuple):
    """What came of a booking."""

    next_offsets: Mapping[int, int]  # where to read on in each partition
    overtaken: frozenset[int] = frozenset()  # the ledger stood elsewhere: nothing of it was booked
    halted: Mapping[int, str] = MappingProxyType({})  # history is missing there, and why
    applied: int = 0
    stale: int = 0  # records that had lost against another, or stand twice
    waiting: int = 0  # records of tables that are stopped
    postings: int = 0
    flagged: int = 0  # postings that somebody should look at
    orders: tuple[Ordered, ...] = ()  # answers to be told now
    stopped: tuple[Stopped, ...] = ()  # tables that this stopped: somebody must look


class Booker:
    """Books for one network, partition by partition."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """Where to read on in each partition."""
        return self._store.offsets(partitions)

    def owed(self, partitions: Collection[int]) -> tuple[Ordered, ...]:
        """Every answer that its table has not shown yet: to be sent until it does."""
        return tuple(_order(owed) for owed in self._store.owed(partitions))

    def stopped(self, partitions: Collection[int]) -> list[Stopped]:
        """The tables to be tried again, by `book_stopped`, when this process starts."""
        return self._store.stopped(partitions)

    def book(self, batches: Sequence[Batch]) -> Booked:
        """Book these batches, of a partition each, in one transaction: whole or not at all.

        A partition where the ledger does not stand at the batch's start is left out. A table whose
        record cannot be booked is stopped there, and the others go on. Where history is missing,
        what stands before it is booked; the call that meets it first halts the partition.
        """
        stops: dict[str, _CannotBook] = {}
        halted: dict[int, str] = {}
        cut = {batch.partition: batch for batch in batches}
        while cut:
            try:
                return self._book(list(cut.values()), stops, halted)
            except _CannotBook as stop:
                stops[stop.table] = stop
            except _Gap as gap:
                batch = next(each for each in cut.values() if gap.read in each.reads)
                before = batch.reads[: batch.reads.index(gap.read)]
                cut[batch.partition] = batch._replace(reads=before, end=gap.read.offset)
                if not before:
                    del cut[batch.partition]
                    halted[batch.partition] = str(gap)
        return Booked({}, halted=halted)

    def _book(
        self,
        batches: Sequence[Batch],
        stops: Mapping[str, _CannotBook],
        halted: Mapping[int, str],
    ) -> Booked:
        def transaction(writing: Writing) -> Booked:
            stands = writing.offsets(batch.partition for batch in batches)
            # Where it stands elsewhere, another wallet has booked this already, or the ledger was
            # restored from an older backup: either way it goes on from where the ledger stands.
            live = [batch for batch in batches if stands[batch.partition] == batch.start]
            reads = [read for batch in live for read in batch.reads]
            waiting = dict.fromkeys(writing.stops({read.record.table for read in reads}), 0)
            waiting |= {table: stop.read.offset for table, stop in stops.items()}
            work = _Work(writing, reads, waiting)
            work.follow_all()
            work.write()
            stopped = tuple(
                Stopped(stop.table, batch.partition, stop.read.offset, str(stop))
                for stop in stops.values()
                for batch in live
                if stop.read in batch.reads
            )
            for stop in stopped:
                writing.stop(*stop)
            moved = {batch.partition: batch.end for batch in live}
            writing.move(moved)
            return work.booked()._replace(
                next_offsets=stands | moved,
                overtaken=frozenset(stands.keys() - moved.keys()),
                halted=halted,
                stopped=stopped,
            )

        return self._store.transact(transaction)

    def book_stopped(self, stop: Stopped, reads: Sequence[Read], end: int) -> Booked:
        """Read a stopped table on: its records, and no other's, from where it stopped up to `end`.

        Once `end` is where the partition stands, the table is read with the others again. `stopped`
        of what comes back tells where it stopped this time.
        """
        assert all(read.record.table == stop.table for read in reads), "one table is read on"
        again: _CannotBook | None = None
        while True:
            try:
                return self._book_stopped(stop, reads, end, again)
            except _CannotBook as met:
                again = met
                reads, end = reads[: reads.index(met.read)], met.read.offset
            except _Gap as gap:
                raise LedgerStopped(str(gap)) from None

    def _book_stopped(
        self, stop: Stopped, reads: Sequence[Read], end: int, again: _CannotBook | None
    ) -> Booked:
        def transaction(writing: Writing) -> Booked:
            stands = writing.offsets([stop.partition])
            if writing.stops([stop.table]).get(stop.table) != stop.next_offset:
                return Booked(stands, overtaken=frozenset([stop.partition]))
            work = _Work(writing, reads, {})
            work.follow_all()
            work.write()
            stopped: tuple[Stopped, ...] = ()
            if again is not None:
                stopped = (Stopped(stop.table, stop.partition, end, str(again)),)
                writing.stop(*stopped[0])
            elif end < stands[stop.partition]:
                writing.stop(stop.table, stop.partition, end, stop.why)
            else:
                writing.free(stop.table)
            return work.booked()._replace(next_offsets=stands, stopped=stopped)

        return self._store.transact(transaction)


class _Gap(Exception):
    """This record does not follow the last one applied of its table."""

    def __init__(self, read: Read, head: Head) -> None:
        record = read.record
        super().__init__(
            f"history of table {record.table} is missing: version {record.version} ({record.id}) "
            f"follows {record.parent!r}, the ledger has version {head.version} ({head.record!r})"
        )
        self.read = read


class _CannotBook(Exception):
    """This record says what cannot be booked."""

    def __init__(self, read: Read, why: str) -> None:
        record = read.record
        super().__init__(f"{record.table} version {record.version} ({record.id}): {why}")
        self.read = read
        self.table = record.table


UNREAD = Head(0, ROOT)
NEVER = 2**63  # above every offset


class _Work:
    """Records on their way through one transaction."""

    def __init__(self, writing: Writing, reads: Sequence[Read], waiting: Mapping[str, int]) -> None:
        """`waiting` says from which offset on the records of a table are left for later."""
        self._writing = writing
        self._reads = reads
        self._waiting = waiting
        self._books = TableBooks()
        self._known = writing.heads({read.record.table for read in reads}, self._books)
        self._heads: dict[str, tuple[int, str]] = dict(self._known)
        self._sources: list[Source] = []  # of each posting
        self._asked_from: list[Source] = []  # of each answer
        self._stale = self._applied = self._left = 0
        self._load()

    def _load(self) -> None:
        telling = [
            (read.record.table, event)
            for read in self._reads
            for event in read.record.events
            if moves_money(event)
        ]
        called_off = {event.hand for _, event in telling if isinstance(event, HandVoided)}
        self._writing.load_spent(self._books, called_off)
        named = {name for _, event in telling if (name := reservation_named(event)) is not None}
        self._writing.load_reservations(self._books, named)
        touched = Touched(self._books)
        for table, event in telling:
            touched.add(table, event)
        self._writing.load(self._books, touched.accounts, touched.postings)
        if touched.askers:
            # As of the batch's begin: what happens within it, the gate follows itself.
            self._writing.load_gate(self._books, touched, self._reads[0].time_ms)

    def follow_all(self) -> None:
        """Book each record, in order."""
        # Most records move no money: nothing here may cost more than it must.
        heads, waiting = self._heads, self._waiting
        for read in self._reads:
            record = read.record
            if waiting and read.offset >= waiting.get(record.table, NEVER):
                self._left += 1
                continue
            version, head = heads.get(record.table, UNREAD)
            if record.version <= version:
                self._stale += 1
                continue
            if record.version != version + 1 or record.parent != head:
                raise _Gap(read, Head(version, head))
            if record.events:
                self._follow(read)
            heads[record.table] = (record.version, record.id)
            self._applied += 1

    def _follow(self, read: Read) -> None:
        record, books = read.record, self._books
        books.now_ms, books.version, books.hand = read.time_ms, record.version, record.hand
        try:
            for event in record.events:
                follow(books, record.table, event)
        except LawBroken as broken:
            raise _CannotBook(read, str(broken)) from broken
        posted = len(books.fresh) - len(self._sources)
        asked = len(books.asked) - len(self._asked_from)
        if posted or asked:
            source = Source(read.time_ms, record.table, record.version)
            self._sources += [source] * posted
            self._asked_from += [source] * asked

    def write(self) -> None:
        """Write down what is new."""
        players: dict[Account, str] = {}
        for held in self._books.reservations.values():
            players[accounts.in_transit(held.id, held.currency)] = held.player
            players[accounts.at_table(held.sitting, held.currency)] = held.player
        numbers = self._writing.write(self._books, self._sources, players)
        self._writing.write_contributed(self._books, numbers)
        self._writing.write_answers(self._books, self._asked_from)
        self._writing.write_tables(self._books)
        self._writing.write_sittings(self._books)
        moved = {
            table: Head(*head)
            for table, head in self._heads.items()
            if head != self._known.get(table)
        }
        self._writing.move_heads(moved, self._known, self._books.terms)

    def booked(self) -> Booked:
        """What came of it, but for offsets."""
        fresh = self._books.fresh
        return Booked(
            {},
            applied=self._applied,
            stale=self._stale,
            waiting=self._left,
            postings=len(fresh),
            flagged=sum(post.flag is not Flag.NONE for post in fresh),
            orders=tuple(
                _order(Owed(held.table, held.id, held.refused, held.protections))
                for held in self._books.answered.values()
            ),
        )


def _order(owed: Owed) -> Ordered:
    if owed.refused:
        answer: NotFunded | Funded = NotFunded(owed.reservation, owed.refused)
    else:
        answer = Funded(owed.reservation, owed.protections)
    return Ordered(owed.table, f"wallet:{owed.reservation}", "wallet", answer)
