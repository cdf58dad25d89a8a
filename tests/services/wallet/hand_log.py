"""A partition of the hand log with tables of chance in it, and a driver that is cut off at will."""

from __future__ import annotations

import random
from collections.abc import Sequence

from riverboat.game.commands import Funded, NotFunded, Ordered
from riverboat.game.record import Record
from riverboat.ledger import accounts
from services.wallet.book import Batch, Booked, Booker, Read
from services.wallet.check import faults, positions
from services.wallet.store import Store
from services.wallet.teller import Teller
from tests.ledger.toy_table import PLAYERS, ToyTable

PARTITION = 3


class HandLog:
    """What was appended, in order; `tables` are what it folds to."""

    def __init__(self, seed: int, *ids: str) -> None:
        self.chance = random.Random(seed)
        self.tables = {name: ToyTable(name, random.Random(f"{seed}{name}")) for name in ids}
        self.reads: list[Read] = []
        self.heads: dict[str, tuple[int, str]] = {}
        self.stacks: dict[tuple[str, int], dict[str, int]] = {}  # by table and version

    @property
    def end(self) -> int:
        return len(self.reads)

    def append(self, table: str, *events: object, hand: str = "") -> Record:
        """One record that follows the table's last."""
        version, head = self.heads.get(table, (0, ""))
        name = f"dealer/1/{len(self.reads)}"
        record = Record(table, version + 1, head, name, hand, None, 1, events)  # type: ignore[arg-type]
        self.heads[table] = (version + 1, name)
        self.put(record)
        return record

    def put(self, record: Record) -> None:
        """These very envelope and events, whatever they follow."""
        self.reads.append(Read(len(self.reads), 1_000 + len(self.reads), record))

    def play(self, steps: int) -> None:
        """Let the tables go on by chance, now and then with a record that stands twice."""
        for _ in range(steps):
            table = self.chance.choice(list(self.tables.values()))
            self._record(table, table.step())
            if self.reads and self.chance.random() < 0.1:
                self.put(self.chance.choice(self.reads[-20:]).record)

    def finish(self) -> None:
        """Let everybody leave."""
        for table in self.tables.values():
            for event in table.finish():
                self._record(table, [event])

    def _record(self, table: ToyTable, events: Sequence[object]) -> None:
        if events:
            record = self.append(table.id, *events)
            self.stacks[table.id, record.version] = {
                sitting: stack for sitting, stack in table.stacks.items() if stack
            }

    def answer(self, orders: Sequence[Ordered]) -> None:
        """The wallet's orders reach their tables; the first answer to a reservation counts."""
        for ordered in orders:
            answers = self.tables[ordered.table].answers
            match ordered.order:
                case Funded(reservation):
                    answers.setdefault(reservation, "")
                case NotFunded(reservation, reason):
                    answers.setdefault(reservation, reason)


def funded_store(store: Store | None = None, amount: int = 500) -> Store:
    """This ledger, else one in memory, in which every player has `amount`."""
    store = store or Store()
    for player in PLAYERS:
        Teller(store).deposit("till", player, player, "EUR", amount, "", 1)
    return store


def book(booker: Booker, log: HandLog, most: int = 10_000) -> Booked:
    """One batch from where the ledger stands."""
    start = booker.offsets([PARTITION])[PARTITION]
    reads = log.reads[start : start + most]
    return booker.book([Batch(PARTITION, start, reads, start + len(reads))])


def close_down(booker: Booker, log: HandLog) -> None:
    """Book all there is, answer all that is open, let everybody leave, and book that too."""
    book(booker, log)
    log.answer(booker.owed([PARTITION]))
    log.finish()
    book(booker, log)
    assert booker.owed([PARTITION]) == ()


def assert_sound(store: Store, log: HandLog) -> None:
    """The ledger contradicts neither itself nor the log, at the versions that it has booked."""
    assert faults(store) == []
    for table, position in positions(store).items():
        if position.version:
            assert position.at_table == log.stacks[table, position.version]


def balances(store: Store) -> dict[str, int]:
    """Every player's account."""
    return {player: store.balance(accounts.player_account(player, "EUR")) for player in PLAYERS}
