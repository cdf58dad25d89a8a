"""The back room: the operator's service as one whole, between its calls, the log and the tables.

It brings office, orders, bank and watch together and gives them what only a running process has.
It decides nothing about a table or about money.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from riverboat.game.record import Record
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Append, Log, LogError
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.tasks import Tasks
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import keeping
from services.operator.bank import Bank, Wallet
from services.operator.cases import Cases
from services.operator.effects import Effects
from services.operator.measures import HOUSE, PLAYER, TABLE, TEMPLATE, kind_of
from services.operator.office import NotNow, Office
from services.operator.orders import Orders
from services.operator.rpc import Decks, OperatorRpc
from services.operator.templates import Template
from services.operator.watch import Watch

# How often it is looked at whether chairs are missing.
KEEP_S: Final = 1.0
# A measure of the house itself is waited for so long before the next is looked at.
PATIENT_S: Final = 5.0
# How often the wallet is asked who may play no longer.
REMOVE_S: Final = 2.0
WHY: Final = "as many as are to be kept open"


class BackRoom:
    """One process's operator."""

    def __init__(
        self,
        network: Log,
        submit: Callable[[Sequence[Append]], Awaitable[None]],
        tables: Callable[[], Mapping[str, Table]],
        find: Callable[[str], Table | None],
        decks: Decks,
        wallet: Wallet,
        *,
        templates: Mapping[str, Template],
        clock: Clock,
        entropy: Entropy,
        member: str,
        fatal: Callable[[BaseException], None],
        alone: bool = False,
    ) -> None:
        """With `alone` no play waits for this process: the past is read at once, for flags."""
        self._find = find
        self._alone = alone
        self._templates = templates
        self._clock = clock
        self._bank = Bank(wallet)
        self._orders = Orders(network, find, submit)
        self._watch = Watch(network, self._found)
        self._tasks = Tasks(fatal)
        self._ordered = asyncio.Event()
        effects = Effects(lambda: self.office.book, self._orders, templates, self._bank)
        self.office = Office(network, submit, effects.carry, member=member, fatal=fatal)
        cases = Cases(network, lambda: self.office.book, self._bank.trail)
        self.rpc = OperatorRpc(
            self.office,
            self._watch,
            templates,
            network,
            tables,
            decks,
            clock,
            entropy,
            cases.make,
        )

    @property
    def caught_up(self) -> bool:
        """Whether it knows all that operators have done."""
        return self.office.caught_up.is_set() and self._ordered.is_set()

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        """Follow the tables: a record was folded."""
        self._orders.saw(table, record, found)
        self._watch.saw(table, record, found)

    async def start(self, tables_ready: asyncio.Event) -> None:
        """Read the logs on, and act once the tables are known."""
        self._tasks.spawn(self._orders.follow(self._ordered))
        await self.office.start(self._ordered, tables_ready)
        self._tasks.spawn(self._keep(tables_ready))
        self._tasks.spawn(self._remove(tables_ready))
        if self._alone:
            self._tasks.spawn(self._look_back(self.office.caught_up, tables_ready))

    async def stop(self) -> None:
        """Leave what is under way to whoever comes next."""
        self._watch.stop()
        await self._tasks.cancel()
        await self.office.stop()

    async def _keep(self, tables_ready: asyncio.Event) -> None:
        await tables_ready.wait()
        while True:
            await asyncio.sleep(KEEP_S)
            book, now_ms = self.office.book, self._clock.now_ms()
            for one in list(keeping.due(book, self._templates, self._find, now_ms)):
                if self.office.owns(f"{TEMPLATE}:{one.template}"):
                    if kind_of(one.measure) == "open":
                        one.measure.open.table = self.rpc.new_table()
                    await self._do(one.key, WHY, one.measure)

    async def _look_back(self, *ready: asyncio.Event) -> None:
        """Find what was to be flagged while no process was here."""
        for event in ready:
            await event.wait()
        while not self._watch.whole:
            with suppress(LogError):
                await self._watch.read_past(patient_s=PATIENT_S)
            await asyncio.sleep(KEEP_S)

    async def _remove(self, tables_ready: asyncio.Event) -> None:
        """Let those go whom the wallet lets play no longer, each sitting once."""
        await tables_ready.wait()
        while True:
            await asyncio.sleep(REMOVE_S)
            with suppress(NotNow):
                for one in await self._bank.removals():
                    if self.office.owns(f"{TABLE}:{one.table}"):
                        part = pb.Measure.Remove(table=one.table, player=one.player)
                        key = f"gone:{sha256(one.sitting.encode()).hexdigest()[:24]}"
                        await self._do(key, one.reason, pb.Measure(remove=part))

    async def _do(self, key: str, why: str, measure: pb.Measure) -> None:
        """Take a measure for the house: under its key it counts once, however often it is due."""
        with suppress(LogError, TimeoutError):
            async with asyncio.timeout(PATIENT_S):
                await self.office.take(HOUSE, key, why, measure)

    def _found(self, flagged: pb.PlayerFlagged) -> None:
        """A flag is kept once, by whoever keeps the player's record."""
        subject = f"{PLAYER}:{flagged.player}"
        known = self.office.book.is_flagged(flagged.player, flagged.hand, flagged.kind)
        if self.office.owns(subject) and not known:
            self._tasks.spawn(self._flag(subject, flagged))

    async def _flag(self, subject: str, flagged: pb.PlayerFlagged) -> None:
        with suppress(LogError):  # it is found again when the past is read
            await self.office.note(subject, pb.OperatorRecord(flagged=flagged))
