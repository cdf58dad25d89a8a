"""Hands booked a second: a transaction for all that waits against one for every hand.

Six seats a hand, so seven entries; thirty records a hand, of which one moves money, as they stand
in the hand log: they are parsed, applied and booked, durably. Measures; proves nothing
(tests/services/wallet does). Sizes take turns, so the ratio holds where the figures drift.
"""

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

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
from services.wallet.book import Batch, Booker
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

    def hands(self, count: int) -> list[Placed]:
        """The next hands, the tables taking turns."""
        placed = []
        for _ in range(count):
            table = self._tables[self._hands % TABLES]
            self._hands += 1
            placed += [self._record(table, Called(seat=1, total=2)) for _ in range(RECORDS - 1)]
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
        record = Record(table, version + 1, head, f"bench/1/{self.end}", "", None, 1, (event,))
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


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        print(table(rows(Path(folder))))
