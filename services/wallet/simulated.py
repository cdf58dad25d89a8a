"""The wallet for the simulator: the real ledger, in memory, without a process around it.

The simulator cuts its drivers off between any two calls, puts older backups back, and asks what the
ledger holds. Nothing of the ledger itself is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from riverboat.game.commands import Ordered
from riverboat.game.refusals import Refusal
from riverboat.sim import bank
from riverboat.sim.bank import AtTable, BooksHalted
from services.wallet import check
from services.wallet.book import Batch, Booker, LedgerStopped
from services.wallet.reads import read
from services.wallet.reminders import Reminders
from services.wallet.store import Store
from services.wallet.teller import Teller

LOOKS_MOST: Final = 20  # half a minute, as the wallet process has it


class Halted(LedgerStopped, BooksHalted):
    """What the simulator is told when the booker stops."""


class SimulatedLedger:
    """See `Ledger` in riverboat/sim/bank.py."""

    def __init__(self, partitions: int, currency: str = "EUR") -> None:
        self._partitions = range(partitions)
        self._currency = currency
        self._serve(Store())

    def _serve(self, store: Store) -> None:
        self._store = store
        self._booker = Booker(store)
        self._teller = Teller(store)
        self._offsets = self._booker.offsets(self._partitions)

    def offset(self, partition: int) -> int:
        return self._offsets[partition]

    def book(self, batches: Sequence[bank.Batch]) -> Sequence[Ordered]:
        read_ones = [
            Batch(each.partition, each.start, read(each.records), each.records[-1].offset + 1)
            for each in batches
        ]
        booked = self._booker.book(read_ones)
        self._offsets |= booked.next_offsets
        for why in booked.halted.values():
            raise Halted(why)
        return booked.orders

    def owed(self) -> Sequence[Ordered]:
        return self._booker.owed(self._partitions)

    def reminders(self) -> bank.Due:
        return Reminders(LOOKS_MOST).due

    def deposit(self, player: str, amount: int, key: str) -> None:
        booked = self._teller.deposit("sim", key, player, self._currency, amount, "", 0)
        assert not isinstance(booked, Refusal), f"a deposit of the simulator is booked: {booked}"

    def faults(self) -> list[str]:
        stopped = self._booker.stopped(self._partitions)
        return check.faults(self._store) + [f"stopped: {stop.why}" for stop in stopped]

    def at_tables(self) -> dict[str, AtTable]:
        return {
            table: AtTable(*position) for table, position in check.positions(self._store).items()
        }

    def flagged(self) -> int:
        return check.flagged(self._store)

    def backup(self) -> object:
        return self._store.copy()

    def restore(self, backup: object) -> None:
        assert isinstance(backup, Store), "what is put back was a backup"
        # A copy of it: the same backup may be put back twice.
        self._serve(backup.copy())
