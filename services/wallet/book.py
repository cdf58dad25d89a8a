"""The booker: takes the records of the hand log, in order, and books what they say.

It talks to the ledger's database and to nobody else: records and time come in, orders that are owed
to tables go out, so that whoever drives it may be cut off between any two effects. It never starts
from a snapshot, never skips a record, and never waits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.record import Record
from riverboat.game.table.state import ROOT
from riverboat.ledger import accounts
from riverboat.ledger.accounts import Account
from riverboat.ledger.follow import TableBooks, Touched, follow, moves_money, reservation_named
from riverboat.ledger.postings import Flag, LawBroken
from services.wallet.store import Stopped, Store
from services.wallet.writing import Head, Source, Writing


class Read(NamedTuple):
    """One record of the hand log, and where it stood."""

    offset: int
    time_ms: int  # append time, by the log's clock
    record: Record


class LedgerStopped(Exception):
    """History is missing: this partition is booked no further until a person has looked."""


class Booked(NamedTuple):
    """What came of a batch."""

    next_offset: int  # where to read on; behind the batch unless another wallet was there first
    overtaken: bool = False  # the ledger stood elsewhere, and nothing of the batch was booked
    applied: int = 0
    stale: int = 0  # records that had lost against another, or stand twice
    waiting: int = 0  # records of tables that are stopped
    postings: int = 0
    flagged: int = 0  # postings that somebody should look at
    orders: tuple[Ordered, ...] = ()  # answers to be told now
    stopped: tuple[Stopped, ...] = ()  # tables that this batch stopped: somebody must look


class Booker:
    """Books for one network, partition by partition."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def offsets(self, partitions: Iterable[int]) -> dict[int, int]:
        """Where to read on in each partition."""
        return self._store.offsets(partitions)

    def owed(self, partitions: Collection[int]) -> tuple[Ordered, ...]:
        """Every answer that its table has not shown yet: to be sent until it does."""
        return tuple(_order(*row) for row in self._store.owed(partitions))

    def stopped(self, partitions: Collection[int]) -> list[Stopped]:
        """The tables to be tried again, by `book_stopped`, when this process starts."""
        return self._store.stopped(partitions)

    def book(self, partition: int, start: int, reads: Sequence[Read], end: int) -> Booked:
        """Book what stands in `partition` from offset `start` up to, not including, `end`.

        `reads` are all of it that could be read, in order. One transaction, whole or not at all. A
        table whose record cannot be booked is stopped there, and the others go on. Where history is
        missing, what stands before is booked, and the next call raises `LedgerStopped`.
        """
        stops: dict[str, _CannotBook] = {}
        while True:
            try:
                return self._book(partition, start, reads, end, stops)
            except _CannotBook as stop:
                stops[stop.table] = stop
            except _Gap as gap:
                if gap.place == 0:
                    raise LedgerStopped(str(gap)) from None
                reads, end = reads[: gap.place], reads[gap.place].offset

    def _book(
        self,
        partition: int,
        start: int,
        reads: Sequence[Read],
        end: int,
        stops: Mapping[str, _CannotBook],
    ) -> Booked:
        with self._store.writing() as writing:
            stands = writing.offset(partition)
            if stands != start:
                # Another wallet has booked this already, or the ledger was restored from an older
                # backup: either way it goes on from where the ledger stands.
                return Booked(stands, overtaken=True)
            waiting = dict.fromkeys(writing.stops({read.record.table for read in reads}), 0)
            waiting |= {table: stop.place for table, stop in stops.items()}
            batch = _Batch(writing, reads, waiting)
            batch.follow_all()
            batch.write(partition)
            stopped = tuple(
                Stopped(table, partition, reads[stop.place].offset, str(stop))
                for table, stop in stops.items()
            )
            for stop in stopped:
                writing.stop(*stop)
            writing.move(partition, end)
        return batch.booked(end, stopped)

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
                reads, end = reads[: met.place], reads[met.place].offset
            except _Gap as gap:
                raise LedgerStopped(str(gap)) from None

    def _book_stopped(
        self, stop: Stopped, reads: Sequence[Read], end: int, again: _CannotBook | None
    ) -> Booked:
        with self._store.writing() as writing:
            stands = writing.offset(stop.partition)
            if writing.stops([stop.table]).get(stop.table) != stop.next_offset:
                return Booked(stands, overtaken=True)
            batch = _Batch(writing, reads, {})
            batch.follow_all()
            batch.write(stop.partition)
            stopped: tuple[Stopped, ...] = ()
            if again is not None:
                stopped = (Stopped(stop.table, stop.partition, end, str(again)),)
                writing.stop(*stopped[0])
            elif end < stands:
                writing.stop(stop.table, stop.partition, end, stop.why)
            else:
                writing.free(stop.table)
        return batch.booked(end, stopped)


class _Gap(Exception):
    """The record at this place of the batch does not follow the last one applied of its table."""

    def __init__(self, place: int, record: Record, head: Head) -> None:
        super().__init__(
            f"history of table {record.table} is missing: version {record.version} ({record.id}) "
            f"follows {record.parent!r}, the ledger has version {head.version} ({head.record!r})"
        )
        self.place = place


class _CannotBook(Exception):
    """The record at this place of the batch says what cannot be booked."""

    def __init__(self, place: int, record: Record, why: str) -> None:
        super().__init__(f"{record.table} version {record.version} ({record.id}): {why}")
        self.place = place
        self.table = record.table


UNREAD = Head(0, ROOT)


class _Batch:
    """One batch on its way through one transaction."""

    def __init__(self, writing: Writing, reads: Sequence[Read], waiting: Mapping[str, int]) -> None:
        """`waiting` says from which place on the records of a table are left for later."""
        self._writing = writing
        self._reads = reads
        self._waiting = waiting
        self._books = TableBooks()
        self._heads = writing.heads({read.record.table for read in reads}, self._books)
        self._known = frozenset(self._heads)
        self._sources: list[Source] = []  # of each posting
        self._asked_from: list[Source] = []  # of each answer
        self._moved: set[str] = set()
        self._stale = self._applied = self._left = 0
        self._load()

    def _load(self) -> None:
        telling = [
            (read.record.table, event)
            for read in self._reads
            for event in read.record.events
            if moves_money(event)
        ]
        named = {name for _, event in telling if (name := reservation_named(event)) is not None}
        self._writing.load_reservations(self._books, named)
        touched = Touched(self._books)
        for table, event in telling:
            touched.add(table, event)
        self._writing.load(self._books, touched.accounts, touched.postings)

    def follow_all(self) -> None:
        """Book each record, in order."""
        for place, read in enumerate(self._reads):
            record = read.record
            if place >= self._waiting.get(record.table, len(self._reads)):
                self._left += 1
                continue
            head = self._heads.get(record.table, UNREAD)
            if record.version <= head.version:
                self._stale += 1
                continue
            if record.version != head.version + 1 or record.parent != head.record:
                raise _Gap(place, record, head)
            self._follow(place, read)
            self._heads[record.table] = Head(record.version, record.id)
            self._moved.add(record.table)
            self._applied += 1

    def _follow(self, place: int, read: Read) -> None:
        record, books = read.record, self._books
        try:
            for event in record.events:
                follow(books, record.table, event)
        except LawBroken as broken:
            raise _CannotBook(place, record, str(broken)) from broken
        posted = len(books.fresh) - len(self._sources)
        asked = len(books.asked) - len(self._asked_from)
        if posted or asked:
            source = Source(read.time_ms, record.table, record.version)
            self._sources += [source] * posted
            self._asked_from += [source] * asked

    def write(self, partition: int) -> None:
        """Write down what is new."""
        players: dict[Account, str] = {}
        for held in self._books.reservations.values():
            players[accounts.in_transit(held.id, held.currency)] = held.player
            players[accounts.at_table(held.sitting, held.currency)] = held.player
        self._writing.write(self._books, self._sources, players)
        self._writing.write_answers(self._books, self._asked_from, partition)
        moved = {table: self._heads[table] for table in self._moved}
        self._writing.move_heads(moved, self._known, self._books.terms)

    def booked(self, end: int, stopped: tuple[Stopped, ...]) -> Booked:
        """What came of it."""
        fresh = self._books.fresh
        return Booked(
            end,
            applied=self._applied,
            stale=self._stale,
            waiting=self._left,
            postings=len(fresh),
            flagged=sum(post.flag is not Flag.NONE for post in fresh),
            orders=tuple(
                _order(held.table, held.id, held.refused) for held in self._books.answered.values()
            ),
            stopped=stopped,
        )


def _order(table: str, reservation: str, refused: str) -> Ordered:
    answer = NotFunded(reservation, refused) if refused else Funded(reservation)
    return Ordered(table, f"wallet:{reservation}", "wallet", answer)
