"""The dealer's calls: an operator's orders, written to the log, answered once their table shows it.

Nothing is decided here: the order travels like any other, and the same pure decision that will
answer it tells at once whether it makes sense. What is not yet durable is told to nobody.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, NamedTuple

from riverboat.game.commands import CloseTable, OpenTable, Order, Ordered, VoidHand
from riverboat.game.ids import partition_of, table_id, table_of
from riverboat.game.record import Record
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.decide import ORDERS
from riverboat.game.table.events import Settings
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.log import Append, Place
from riverboat.runtime.calls import Call
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput
from riverboat.runtime.step import Step
from riverboat.wire.record import CODEC, encode_ordered
from riverboat.wire.v1 import dealer_pb2 as pb

# An order that its table does not show after this long may be lost: it is sent again.
AGAIN_S: Final = 1.0
REASON: Final = "operator"
# Two dealers that open a table at the same place of the log must not give it one name.
NUMBER_BITS: Final = 48

Submit = Callable[[Sequence[Append]], Awaitable[None]]
Shows = Callable[[Table], bool]


class _Waiter(NamedTuple):
    shows: Shows
    seen: asyncio.Future[int]  # the version at which the table showed it


class DealerRpc:
    """Handlers of DealerService; follows the tables of a step, and is an edge of its node."""

    def __init__(self, step: Step, submit: Submit, partitions: int, entropy: Entropy) -> None:
        self._step = step
        self._submit = submit
        self._partitions = partitions
        self._entropy = entropy
        self._waiting: dict[str, list[_Waiter]] = {}
        self._shown: list[tuple[asyncio.Future[int], int]] = []

    async def open_table(
        self, request: pb.OpenTableRequest, call: Call
    ) -> pb.OpenTableResponse | Refusal | BadInput:
        """A new table stands."""
        try:
            settings: Settings = CODEC.decoder(Settings)(request.settings)
        except ValueError:
            return BadInput("settings.button_rule", "must be one of its names")
        table = self._new_id()
        seen = await self._order(table, OpenTable(settings), call, lambda t: t.settings is not None)
        if isinstance(seen, Refusal):
            if seen.code is TableCode.BAD_SETTING:
                return BadInput(f"settings.{seen.facts['field']}", str(seen.facts["reason"]))
            return seen
        return pb.OpenTableResponse(table=table, version=seen)

    async def close_table(
        self, request: pb.CloseTableRequest, call: Call
    ) -> pb.CloseTableResponse | Refusal | BadInput:
        """The table closes."""
        if not self._is_table(request.table):
            return BadInput("table", "must be a table's id")
        order = CloseTable(request.reason or REASON)
        seen = await self._order(request.table, order, call, lambda t: t.closing or t.closed)
        return seen if isinstance(seen, Refusal) else pb.CloseTableResponse(version=seen)

    async def void_hand(
        self, request: pb.VoidHandRequest, call: Call
    ) -> pb.VoidHandResponse | Refusal | BadInput:
        """The hand is over, and nobody won or lost."""
        hand, table = request.hand, table_of(request.hand)
        if not self._is_table(table):
            return BadInput("hand", "must be a hand's id")
        order = VoidHand(hand, request.reason or REASON)
        refusal = _refusal(self._state(table), order)
        if refusal is not None:
            return refusal
        seen = await self._order(
            table, order, call, lambda t: t.deal is None or t.deal.hand != hand
        )
        return seen if isinstance(seen, Refusal) else pb.VoidHandResponse(version=seen)

    async def _order(self, table: str, order: Order, call: Call, shows: Shows) -> int | Refusal:
        """Send the order until the table shows it, or would refuse it; the version that shows it.

        The caller's deadline ends it: whether it had effect is not known then.
        """
        partition = partition_of(table)
        ordered = Ordered(table, f"operator:{call.id}", call.caller.id, order)
        append = Append(topics.TABLE_ORDERS, partition, table, encode_ordered(ordered))
        waiter = _Waiter(shows, asyncio.get_running_loop().create_future())
        self._waiting.setdefault(table, []).append(waiter)
        try:
            while True:
                state = self._state(table)
                version, shown = state.version, shows(state)
                refusal = _refusal(state, order)
                if not shown and refusal is not None:
                    return refusal
                # Once this is durable, so is all that the state was folded from.
                await self._submit([append])
                if shown:
                    return version
                done, _ = await asyncio.wait([waiter.seen], timeout=AGAIN_S)
                if done:
                    return waiter.seen.result()
        finally:
            self._waiting[table].remove(waiter)
            if not self._waiting[table]:
                del self._waiting[table]

    def saw(self, table: Table, _record: Record, _found: log.Record) -> None:
        """Follow the tables: a record was folded."""
        for waiter in self._waiting.get(table.id, ()):
            if waiter.shows(table):
                self._shown.append((waiter.seen, table.version))

    def cut(self) -> Callable[[], None]:
        """See `Edge`: what was shown up to now is told once it is durable."""
        shown, self._shown = self._shown, []

        def release() -> None:
            for seen, version in shown:
                if not seen.done():
                    seen.set_result(version)

        return release

    def _state(self, table: str) -> Table:
        entry = self._step.tables.entries.get(table)
        return entry.table if entry is not None else Table(table)

    def _is_table(self, name: str) -> bool:
        try:
            return partition_of(name) < self._partitions
        except ValueError:
            return False

    def _new_id(self) -> str:
        """An id that no table ever had, in the partition with the fewest tables.

        Every table adds to its partition's log, so the place that this process has read to grows
        with each: no later table finds it the same.
        """
        loads = Counter(
            entry.partition
            for entry in self._step.tables.entries.values()
            if entry.table.settings is not None and not entry.table.closed
        )
        loads.update(partition_of(name) for name in self._waiting)
        partition = min(range(self._partitions), key=lambda each: (loads[each], each))
        read_to = self._step.positions.get(Place(topics.HAND_LOG, partition), 0)
        chance = int.from_bytes(self._entropy(NUMBER_BITS // 8), "big")
        return table_id(read_to << NUMBER_BITS | chance, partition)


def _refusal(table: Table, order: Order) -> Refusal | None:
    """Why the table would not take the order as it stands."""
    decision = ORDERS[type(order)](table, order, table.time_ms)
    return decision if isinstance(decision, Refusal) else None
