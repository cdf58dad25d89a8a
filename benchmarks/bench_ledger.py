"""Hands booked a second: a transaction for all that waits against one for every hand.

Six seats a hand, so seven entries; thirty records a hand, of which one moves money, as they stand
in the hand log: they are parsed, applied and booked, durably. Then, on a real PostgreSQL, bookings
(records that are parsed already, into postings with all that the ledger checks and keeps beside
them) against bare inserts of their postings and entries: batched as the driver does it
(`executemany`, pipelined), and as the ledger itself sends them, in arrays that are made by hand.
Measures; proves nothing (tests/services/wallet does). Sides take turns, so ratios hold where the
figures drift.
"""

import gc
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from deploy.postgres.server import Server, missing
from riverboat.game.authority import MAY_WRITE
from riverboat.game.hand.events import Called, HandEnded, Net, Stakes
from riverboat.game.ids import hand_id, table_id
from riverboat.game.record import Event, Record
from riverboat.game.table.events import (
    ButtonRule,
    PlayerSeated,
    SeatReserved,
    Settings,
    TableOpened,
)
from riverboat.log.log import Record as Placed
from riverboat.log.topics import HAND_LOG
from riverboat.wire.record import encode_record
from services.cli.serve import LOOK_FOR_CYCLES
from services.wallet.book import Batch, Booker, Read
from services.wallet.bulk import array
from services.wallet.reads import read
from services.wallet.store import Store

ROUNDS = 5
TABLES = 100
SEATS = 6
RECORDS = 30  # a hand, its end included
HANDS = 200  # booked a turn, by either side
FLOOR_HANDS_PER_S = 2_000
BATCHES = (30, 300, 1_500, 6_000)  # records a transaction; the first is one hand at a time

SETTINGS = Settings(
    name="bench",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=1, big_blind=2),
    currency="EUR",
    seats=SEATS,
    raked=True,
    button_rule=ButtonRule.DEAD,
    runs=1,
    buy_in_least=1,
    buy_in_most=0,
    turn_ms=15_000,
    grace_ms=60_000,
    reserve_ms=4_000,
    pause_ms=1_000,
)


class Row(NamedTuple):
    """One size of batch."""

    records: int
    hands_per_s: float
    entries_per_s: float
    cpu_us_per_hand: float


class Play:
    """The hand log of one partition, in which six players at every table win in turn."""

    def __init__(self) -> None:
        self.end = 0
        self._heads: dict[str, tuple[int, str]] = {}
        self._hands = 0
        self._tables = [table_id(number, 0) for number in range(TABLES)]

    def opening(self) -> list[Placed]:
        """Every table opens and fills."""
        placed = []
        for table in self._tables:
            placed.append(self._record(table, TableOpened(SETTINGS)))
            for seat in range(SEATS):
                sitting = f"{table}:p{seat}"
                asked = SeatReserved(sitting, sitting, seat, 1_000, "", 0, "", post=False)
                placed.append(self._record(table, asked))
                placed.append(self._record(table, PlayerSeated(sitting)))
        return placed

    def hands(self, count: int, records: int = RECORDS) -> list[Placed]:
        """The next hands, of so many records each, the tables taking turns."""
        placed = []
        for _ in range(count):
            table = self._tables[self._hands % TABLES]
            self._hands += 1
            placed += [self._record(table, Called(seat=1, total=2)) for _ in range(records - 1)]
            winner = self._hands // TABLES % SEATS
            nets = tuple(
                Net(seat, f"{table}:p{seat}", f"{table}:p{seat}", 9 if seat == winner else -2)
                for seat in range(SEATS)
            )
            ended = HandEnded(hand_id(table, self._hands), nets, rake=1)
            placed.append(self._record(table, ended))
        return placed

    def _record(self, table: str, event: Event) -> Placed:
        version, head = self._heads.get(table, (0, ""))
        # What its writer may not write, the ledger would pass over.
        writer = min(MAY_WRITE[type(event)])
        record = Record(table, version + 1, head, f"{writer}/1/{self.end}", "", None, 1, (event,))
        self._heads[table] = (record.version, record.id)
        placed = Placed(HAND_LOG, 0, self.end, self.end, table, encode_record(record))
        self.end += 1
        return placed


def book(booker: Booker, placed: Sequence[Placed], batch: int) -> None:
    """Parse and book all of it, `batch` records a transaction."""
    for first in range(0, len(placed), batch):
        some = placed[first : first + batch]
        booker.book([Batch(0, some[0].offset, read(some), some[-1].offset + 1)])


def rows(folder: Path) -> list[Row]:
    """Every size of batch, turn by turn on one ledger; the first turn only warms up."""
    play, store = Play(), Store(folder / "ledger.sqlite")
    booker = Booker(store)
    book(booker, play.opening(), 2_000)
    walls: dict[int, list[float]] = {batch: [] for batch in BATCHES}
    cpus: dict[int, list[float]] = {batch: [] for batch in BATCHES}
    for turn in range(ROUNDS + 1):
        for batch in BATCHES:
            placed = play.hands(HANDS)
            wall, cpu = time.perf_counter(), time.process_time()
            book(booker, placed, batch)
            if turn:
                walls[batch].append((time.perf_counter() - wall) / HANDS)
                cpus[batch].append((time.process_time() - cpu) / HANDS)
    store.close()
    found = []
    for batch in BATCHES:
        hands_per_s = 1 / statistics.median(walls[batch])
        cpu_us = statistics.median(cpus[batch]) * 1e6
        found.append(Row(batch, hands_per_s, hands_per_s * (SEATS + 1), cpu_us))
    return found


def table(found: Sequence[Row]) -> str:
    """The rows as a person reads them."""
    head = (
        f"{'ledger, records a transaction':<32}{'hands/s':>10}{'entries/s':>12}"
        f"{'cpu us/hand':>13}{'ratio':>8}{'floor/s':>9}"
    )
    lines = [
        f"{row.records:<32,}{row.hands_per_s:>10,.0f}{row.entries_per_s:>12,.0f}"
        f"{row.cpu_us_per_hand:>13,.0f}{row.hands_per_s / found[0].hands_per_s:>7,.1f}x"
        f"{FLOOR_HANDS_PER_S if row is found[-1] else '-':>9}"
        for row in found
    ]
    return "\n".join([head, *lines])


# Bookings against bare inserts.

BARE_HANDS = 1_500  # a transaction, by either side: what waits when a busy wallet looks again
BARE_ROUNDS = 9
BARE_GOAL = 0.7
# The ledger's own tables as plain ones: their keys, and nothing that checks or refers.
BARE_TABLES = """
CREATE TABLE postings (number bigint PRIMARY KEY, id text NOT NULL UNIQUE, flag text NOT NULL,
  time_ms bigint NOT NULL, table_id text NOT NULL, version bigint NOT NULL, note text NOT NULL);
CREATE TABLE entries (account bigint, number bigint, posting bigint NOT NULL,
  amount bigint NOT NULL, balance bigint NOT NULL, PRIMARY KEY (account, number));
CREATE INDEX ON entries (posting);
CREATE INDEX ON postings (time_ms)
"""
BARE_POSTINGS = "INSERT INTO postings SELECT * FROM unnest(%s::bigint[], %s::text[], %s::text[], \
%s::bigint[], %s::text[], %s::bigint[], %s::text[])"
BARE_ENTRIES = "INSERT INTO entries SELECT * FROM unnest(%s::bigint[], %s::bigint[], \
%s::bigint[], %s::bigint[], %s::bigint[])"


class Against(NamedTuple):
    """Hands a second: booked, and their rows inserted bare, batched and in arrays.

    Ratios are medians of the rounds', each against its neighbours.
    """

    ours: float
    batched: float
    arrays: float
    to_batched: float
    to_arrays: float

    @property
    def text(self) -> str:
        """As a person reads it."""
        return (
            f"{'PostgreSQL, hands booked':<32}{self.ours:>10,.0f}/s\n"
            f"{'  their rows inserted, batched':<32}{self.batched:>10,.0f}/s"
            f"{self.to_batched:>8.2f}x  (goal {BARE_GOAL}x)\n"
            f"{'  their rows inserted, in arrays':<32}{self.arrays:>10,.0f}/s"
            f"{self.to_arrays:>8.2f}x"
        )


class Bare:
    """The rows of hands, as a client without a ledger would insert them."""

    def __init__(self, url: str) -> None:
        self._line = psycopg.connect(url)
        for statement in BARE_TABLES.split(";"):
            self._line.execute(statement)
        self._line.commit()
        self._posting = 0
        self._entries = [0] * (TABLES * SEATS + 1)

    def rows(self, reads: Sequence[Read]) -> tuple[list[list[Any]], list[list[Any]]]:
        """What these hands make, column by column."""
        postings: list[list[Any]] = [[] for _ in range(7)]
        entries: list[list[Any]] = [[] for _ in range(5)]
        for one in reads:
            self._posting += 1
            record = one.record
            (ended,) = record.events
            assert isinstance(ended, HandEnded), "hands alone are inserted"
            row = (self._posting, f"hand:{ended.hand}", "", one.time_ms, record.table)
            for column, value in zip(postings, (*row, record.version, ""), strict=True):
                column.append(value)
            at = int(record.table.partition(".")[0], 36) % TABLES * SEATS
            legs = [(at + net.seat, net.amount) for net in ended.nets]
            for account, amount in (*legs, (TABLES * SEATS, ended.rake)):
                self._entries[account] += 1
                line = (account, self._entries[account], self._posting, amount, 0)
                for column, value in zip(entries, line, strict=True):
                    column.append(value)
        return postings, entries

    def insert_batched(self, rows: tuple[list[list[Any]], list[list[Any]]]) -> None:
        """All of them in one transaction, a statement for each row, sent together."""
        with self._line.cursor() as cursor:
            for table, columns in zip(("postings", "entries"), rows, strict=True):
                values = ", ".join(["%s"] * len(columns))
                into = f"INSERT INTO {table} VALUES ({values})"
                cursor.executemany(into, list(zip(*columns, strict=True)))
        self._line.commit()

    def insert_arrays(self, rows: tuple[list[list[Any]], list[list[Any]]]) -> None:
        """All of them in one transaction of two statements."""
        self._line.execute(BARE_POSTINGS, [array(column) for column in rows[0]])
        self._line.execute(BARE_ENTRIES, [array(column) for column in rows[1]])
        self._line.commit()

    def close(self) -> None:
        """Hang up."""
        self._line.close()


def against_bare(server: Server) -> Against:
    """Both sides in turn, on two databases of one server; the first rounds only warm up."""
    bare = []
    for name in ("batched", "arrays"):
        server.command("createdb", name)
        bare.append(Bare(server.url(name)))
    play, store = Play(), Store(server.url())
    booker = Booker(store)
    book(booker, play.opening(), 2_000)
    sides: tuple[list[float], ...] = ([], [], [])
    gc.freeze()
    gc.set_threshold(*LOOK_FOR_CYCLES)  # as every process of the network has it
    for _ in range(BARE_ROUNDS + 2):
        placed = play.hands(BARE_HANDS, records=1)
        reads = read(placed)
        batch = Batch(0, placed[0].offset, reads, placed[-1].offset + 1)
        rows = [one.rows(reads) for one in bare]
        begin = time.perf_counter()
        booked = booker.book([batch])
        sides[0].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        bare[0].insert_batched(rows[0])
        sides[1].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        bare[1].insert_arrays(rows[1])
        sides[2].append(time.perf_counter() - begin)
        assert booked.postings == BARE_HANDS, "every hand is booked"
    for one in bare:
        one.close()
    store.close()
    ours, batched, arrays = (side[2:] for side in sides)
    return Against(
        *(BARE_HANDS / statistics.median(side) for side in (ours, batched, arrays)),
        *(
            statistics.median(bare_s / ours_s for ours_s, bare_s in zip(ours, side, strict=True))
            for side in (batched, arrays)
        ),
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(table(rows(Path(folder))))
    if lacks := missing():
        print(lacks)
    else:
        with tempfile.TemporaryDirectory(prefix="riverboat-postgres-") as folder:
            server = Server(Path(folder), attached=True)
            server.start()
            try:
                print(against_bare(server).text)
            finally:
                server.stop()
