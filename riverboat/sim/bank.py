"""The simulated wallet process, and the face of the ledger that it drives.

The ledger is the real one: only its process can die here, between any two of its effects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from riverboat.game.commands import Ordered
from riverboat.game.ids import partition_of
from riverboat.log import log, topics
from riverboat.log.log import Append, OffsetOutOfRange, Place
from riverboat.sim.cashiers import Call, Said
from riverboat.sim.plan import Crash
from riverboat.sim.simlog import SimLog, nothing
from riverboat.sim.world import World
from riverboat.wire.record import encode_ordered

RESEND_MS = 1_500
TICK_MS = (400, 1_800)
BATCH_MOST = 200  # records of one partition in a transaction


class AtTable(NamedTuple):
    """What the ledger has at one table, at the version that it has booked."""

    version: int
    record: str
    sittings: Mapping[str, int]
    in_transit: Mapping[str, int] = MappingProxyType({})  # by reservation


class Batch(NamedTuple):
    """What a wallet has read of one partition, from `start` on."""

    partition: int
    start: int
    records: Sequence[log.Record]


class BooksHalted(Exception):
    """The ledger books a partition no further: its history is missing."""


Due = Callable[[Sequence[Ordered]], Sequence[Ordered]]


class Ledger(Protocol):
    """The ledger, as the simulation needs it."""

    def offset(self, partition: int) -> int:
        """Where to read on."""

    def book(self, batches: Sequence[Batch]) -> Sequence[Ordered]:
        """Book these batches in one transaction; what must be told to tables now."""

    def owed(self) -> Sequence[Ordered]:
        """Every answer that its table has not shown yet."""

    def reminders(self) -> Due:
        """Who says, of all that is owed at each look, what a process tells again now."""

    def deposit(self, player: str, amount: int, key: str, now_ms: int = 0) -> None:
        """Give the player money, where he may have it."""

    def faults(self) -> list[str]:
        """What is wrong in the ledger by itself."""

    def flagged(self) -> int:
        """How many postings somebody should look at."""

    def at_tables(self) -> dict[str, AtTable]:
        """Where it stands with every table."""

    def call(self, call: Call, now_ms: int) -> Said:
        """Ask something of the counter, by its key."""

    def corrections(self) -> Mapping[str, int]:
        """The postings of corrections and refunds, by id, and how often each is there."""

    def backup(self) -> object:
        """A copy, as of now."""

    def restore(self, backup: object) -> None:
        """Be that copy again."""


class Wallet:
    """One wallet process through all its lives."""

    def __init__(
        self,
        world: World,
        log: SimLog,
        ledger: Ledger,
        name: str,
        partitions: int,
        owns: Callable[[], set[int]],
    ) -> None:
        self.world = world
        self.log = log
        self.ledger = ledger
        self.alive = False
        self.life = 0
        self.paused_until_ms = 0
        self.halted = ""  # why it has ended for good
        self._name = name
        self._partitions = partitions
        self._owns = owns
        self._resend_ms = 0
        self._due = ledger.reminders()
        self._offsets: dict[int, int] = {}

    @property
    def name(self) -> str:
        """Unique through all lives."""
        return f"{self._name}.{self.life}"

    def start(self) -> None:
        """Begin a new life, from what the ledger says."""
        self.life += 1
        self.alive = True
        self._offsets = {p: self.ledger.offset(p) for p in range(self._partitions)}
        self._due = self.ledger.reminders()
        self._loop(self.life)

    def die(self) -> None:
        """End this life; another begins later."""
        self.alive = False
        life = self.life
        self.world.tell("died", self.name)
        self.world.after(
            self.world.rng.uniform(200, 8_000), lambda: self.start() if self.life == life else None
        )

    def end(self) -> None:
        """End for good."""
        self.life += 1
        self.alive = False

    def restart(self) -> None:
        """Die and begin again at once."""
        self.paused_until_ms = 0
        self.start()

    def _loop(self, life: int) -> None:
        if not self.alive or self.life != life:
            return
        world = self.world
        try:
            if world.now_ms >= self.paused_until_ms:
                self._tick()
        except Crash:
            self.die()
            return
        except (BooksHalted, OffsetOutOfRange) as missing:
            self.halted = str(missing)
            self.end()
            world.tell("halted", self.name, self.halted)
            return
        world.after(world.rng.uniform(*TICK_MS), lambda: self._loop(life))

    def _effect(self) -> None:
        # It has few effects, and each of them matters.
        if self.world.chance(4 * self.log.faults.crash_between):
            self.world.reach("wallet_crash")
            raise Crash

    def _tick(self) -> None:
        owned = self._owns()
        batches = self._read(owned)
        if batches:
            self._effect()
            orders = self.ledger.book(batches)
            self._effect()
            for batch in batches:
                self._offsets[batch.partition] = self.ledger.offset(batch.partition)
            self._send(orders)
        if self.world.now_ms >= self._resend_ms:
            self._resend_ms = self.world.now_ms + RESEND_MS
            owed = [o for o in self.ledger.owed() if partition_of(o.table) in owned]
            due = self._due(owed)
            if due:
                self.world.reach("outbox_resent")
            self._send(due)

    def _read(self, partitions: set[int]) -> list[Batch]:
        found = []
        for partition in sorted(partitions):
            place = Place(topics.HAND_LOG, partition)
            start = self._offsets[partition]
            records = self.log.visible(self.name, place, start, BATCH_MOST)
            if records:
                found.append(Batch(partition, start, records))
        return found

    def _send(self, orders: Sequence[Ordered]) -> None:
        if orders:
            self._effect()
            self.log.append([_append(order) for order in orders], nothing, nothing)
            self._effect()


def _append(order: Ordered) -> Append:
    return Append(
        topics.TABLE_ORDERS, partition_of(order.table), order.table, encode_ordered(order)
    )
