"""The wallet for the simulator: the real ledger, in memory, without a process around it.

The simulator cuts its drivers off between any two calls, puts older backups back, and asks what the
ledger holds. Nothing of the ledger itself is simulated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import sqlalchemy as sa
from google.protobuf.message import Message

from riverboat.game.commands import Ordered
from riverboat.game.refusals import Refusal
from riverboat.ledger.refusals import LedgerCode
from riverboat.runtime.auth import Caller
from riverboat.runtime.calls import Call, handler_name
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import BadInput, Fault, fault_of
from riverboat.sim import bank, cashiers
from riverboat.sim.bank import AtTable, BooksHalted
from riverboat.wire.v1.access_pb2 import Role
from services.wallet import check, schema
from services.wallet.book import Batch, Booker, LedgerStopped
from services.wallet.correcting import CorrectionRpc
from services.wallet.reads import read
from services.wallet.reminders import Reminders
from services.wallet.rpc_conduct import ConductRpc
from services.wallet.simulated_counter import called
from services.wallet.store import Store
from services.wallet.teller import Teller

SERVICE: Final = frozenset({Role.ROLE_SERVICE, Role.ROLE_OPERATOR})
_MAY_BE: Final = frozenset(
    {LedgerCode.ACCOUNT_FROZEN, LedgerCode.EXCLUDED, LedgerCode.DEPOSIT_LIMIT}
)
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

    def deposit(self, player: str, amount: int, key: str, now_ms: int = 0) -> None:
        booked = self._teller.deposit("sim", key, player, self._currency, amount, "", now_ms)
        # Who is frozen, or has bounded himself, is given nothing.
        assert not isinstance(booked, Refusal) or booked.code in _MAY_BE, booked

    def faults(self) -> list[str]:
        stopped = self._booker.stopped(self._partitions)
        return check.faults(self._store) + [f"stopped: {stop.why}" for stop in stopped]

    def at_tables(self) -> dict[str, AtTable]:
        return {
            table: AtTable(*position) for table, position in check.positions(self._store).items()
        }

    def flagged(self) -> int:
        return check.flagged(self._store)

    def call(self, call: cashiers.Call, now_ms: int) -> cashiers.Said:
        return called(self._store, self._currency, call, now_ms)

    def corrections(self) -> dict[str, int]:
        posted = schema.postings.c.id
        rows = sa.select(posted, sa.func.count()).where(posted.like("correct:%")).group_by(posted)
        with self._store.connection(write=False) as connection:
            return {posting: count for posting, count in connection.execute(rows)}  # noqa: C416

    def wallet(self, clock: Clock) -> Callable[[str, Message], Awaitable[Message | Fault]]:
        """Its calls, as another service makes them."""
        caller = Caller("operator", SERVICE, 1 << 62)

        async def ask(method: str, request: Message) -> Message | Fault:
            # Whatever store there is now: a backup may have been put back.
            for rpc in (ConductRpc(self._store, clock), CorrectionRpc(self._store, clock)):
                handler = getattr(rpc, handler_name(method), None)
                if handler is not None:
                    outcome = await handler(request, Call(caller, "operator"))
                    if isinstance(outcome, Refusal | BadInput | Fault):
                        return fault_of(outcome)
                    answer: Message = outcome
                    return answer
            raise AssertionError(f"the operator's service does not call {method}")

        return ask

    def backup(self) -> object:
        return self._store.copy()

    def restore(self, backup: object) -> None:
        assert isinstance(backup, Store), "what is put back was a backup"
        # A copy of it: the same backup may be put back twice.
        self._serve(backup.copy())
