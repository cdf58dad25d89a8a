"""The step alone: every layer of play but gRPC, in one process, durable.

Six-handed no limit hold'em at many tables; players answer at once, through the real commands, the
real embedded log and all three deciders. Prints microseconds of one core per action.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from riverboat.game.commands import Act, Asked, Funded, OpenTable, Ordered, SitDown
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.options import options
from riverboat.game.hand.state import NOBODY
from riverboat.game.ids import partition_of, table_id
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.log import topics
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.log.sealing import SealedDecks
from riverboat.runtime.entropy import system
from riverboat.runtime.step import Step
from riverboat.runtime.tables import Follower
from riverboat.sim.choice import pick
from riverboat.wire.record import encode_asked, encode_ordered
from services import betting, dealer, showdown
from services.cli.serve import LOOK_FOR_CYCLES

SETTINGS = Settings(
    name="bench",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=1, big_blind=2),
    currency="PLAY",
    seats=6,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=40,
    buy_in_most=1_000_000_000,
    turn_ms=60_000,
    grace_ms=60_000,
    reserve_ms=60_000,
    pause_ms=0,
)

ACTIVE = 1_000  # tables at which somebody acts, at the most
ROUNDS = 25  # of acts at the same tables: more than a hand has


def now_ms() -> int:
    """The machine's time."""
    return time.time_ns() // 1_000_000


class Bench:
    """A network of tables and their players, without a wire."""

    def __init__(
        self,
        network: EmbeddedLog,
        tables: int,
        followers: Sequence[Follower] = (),
        settings: Settings = SETTINGS,
    ) -> None:
        self.log = network
        self.settings = settings
        self.decks = SealedDecks(DerivedKeys(os.urandom(32)), system, now_ms)
        manifests = [(m.MANIFEST, 0) for m in (dealer, betting, showdown)]
        self.step = Step(manifests, "bench", system, self.decks, followers=followers)
        for decider in self.step.deciders:
            self.step.own(decider.name, range(topics.PARTITIONS))
        for partition in range(topics.PARTITIONS):
            for place in self.step.inputs(partition):
                self.step.follow(place, 0)
        self.names = [table_id(n, n % topics.PARTITIONS) for n in range(tables)]
        self.rng = Random(7)
        self.numbers: dict[tuple[str, str], int] = {}
        self.acted: dict[str, tuple[str, int]] = {}
        self.actions = 0

    async def send(self, appends: Sequence[Append]) -> None:
        """Append, and play on until nothing more follows; done when durable."""
        sent = self.log.append(appends)
        assert sent.records is not None
        self.step.read_placed(sent.records)
        while appends := self.step.decide(now_ms()):
            sent = self.log.append(appends)
            assert sent.records is not None
            self.step.read_placed(sent.records)
        await sent.durable

    def ask(self, table: str, player: str, command: object) -> Append:
        """The player's next command."""
        key = table, player
        self.numbers[key] = self.numbers.get(key, 0) + 1
        asked = Asked(table, player, self.numbers[key], command)  # type: ignore[arg-type]
        return Append(topics.TABLE_COMMANDS, partition_of(table), table, encode_asked(asked))

    async def open(self) -> None:
        """Open the tables and seat six at each, or as many as it has seats."""
        orders = [Ordered(t, "o", "operator", OpenTable(self.settings)) for t in self.names]
        await self.send([self.order(order) for order in orders])
        for seat in range(1, self.settings.seats + 1):
            sits = [
                self.ask(t, f"{t}p{seat}", SitDown(seat, 10_000_000, True, "c")) for t in self.names
            ]
            await self.send(sits)
            funded = [
                self.order(Ordered(name, "f", "wallet", Funded(held)))
                for name, entry in self.step.tables.entries.items()
                for held in entry.table.reservations
            ]
            await self.send(funded)

    def order(self, order: Ordered) -> Append:
        """An order of the house, to be appended."""
        value = encode_ordered(order)
        return Append(topics.TABLE_ORDERS, partition_of(order.table), order.table, value)

    async def round(self, names: Sequence[str] = ()) -> None:
        """Every player on turn acts once, at these tables or at all."""
        appends = []
        for name in names or self.names:
            hand = self.step.tables.entries[name].table.hand
            if hand is None or hand.turn == NOBODY:
                continue
            offered = options(hand)
            assert offered is not None
            seat = hand.seats[hand.turn]
            action, total, throw = pick(self.rng, offered, len(seat.places))
            if total:
                total = offered.raise_least  # nobody goes broke while it is measured
            act = Act(hand.id, hand.turn_number, hand.price, action, total, throw)
            appends.append(self.ask(name, seat.player, act))
        self.actions += len(appends)
        await self.send(appends)


async def measure(tables: int, seconds: float) -> tuple[float, float, float]:
    """Actions a second, hands a second, microseconds of CPU per action."""
    with tempfile.TemporaryDirectory() as folder:
        network = await EmbeddedLog.open(Path(folder), clock=now_ms)
        bench = Bench(network, tables)
        await bench.open()
        await bench.round()
        gc.freeze()  # as the server does
        gc.set_threshold(*LOOK_FOR_CYCLES)
        hands = sum(entry.table.hands for entry in bench.step.tables.entries.values())
        bench.actions = turn = 0
        began, cpu = time.perf_counter(), time.process_time()
        while time.perf_counter() - began < seconds:
            # Of many tables some play while the others stand, so that whole hands are measured.
            first = turn // ROUNDS * ACTIVE % tables
            await bench.round(bench.names[first : first + ACTIVE])
            turn += 1
        took, busy = time.perf_counter() - began, time.process_time() - cpu
        played = sum(e.table.hands for e in bench.step.tables.entries.values()) - hands
        assert not bench.step.tables.failures, bench.step.tables.failures[:3]
        await network.close()
    return bench.actions / took, played / took, busy / bench.actions * 1e6


def main() -> None:
    """Print the figures."""
    for tables in (10, 100, 1_000):
        actions, hands, cost = asyncio.run(measure(tables, 4.0))
        print(f"{tables:6d} tables: {actions:9.0f} actions/s {hands:8.0f} hands/s {cost:6.1f} us")


if __name__ == "__main__":
    main()
