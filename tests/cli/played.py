"""A small network for auditors: the real step, embedded log and ledger, without a wire.

For the tests of this room; holds no test itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from riverboat.game.commands import Act, Asked, OpenTable, Ordered, SitDown
from riverboat.game.hand.options import options
from riverboat.game.hand.state import NOBODY
from riverboat.game.ids import partition_of, table_id
from riverboat.log import topics
from riverboat.log.deck_keys import FileKeys
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append
from riverboat.log.log import Record as Placed
from riverboat.log.sealing import SealedDecks
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.step import Step
from riverboat.sim.choice import pick
from riverboat.wire.record import encode_asked, encode_ordered
from services import betting, dealer, showdown
from services.wallet.book import Batch, Booker
from services.wallet.reads import read
from services.wallet.store import Store
from services.wallet.teller import Teller
from tests.runtime.rig import SETTINGS

PLAYERS = 3
HANDS = 6
TABLES = [table_id(number, number) for number in range(2)]


class Played:
    """A network of two tables, played in one process."""

    def __init__(
        self, network: EmbeddedLog, folder: Path, clock: list[int], store: Store | None = None
    ) -> None:
        self.log = network
        self.clock = clock
        entropy = Seeded(3)
        decks = SealedDecks(FileKeys(folder / "deck-keys.json", entropy), entropy, lambda: clock[0])
        manifests = [(service.MANIFEST, 0) for service in (dealer, betting, showdown)]
        self.step = Step(manifests, "played", entropy, decks)
        for decider in self.step.deciders:
            self.step.own(decider.name, range(len(TABLES)))
        for partition in range(len(TABLES)):
            for place in self.step.inputs(partition):
                self.step.follow(place, 0)
        self.store = store or Store(folder / "ledger.sqlite")
        self.booker = Booker(self.store)
        self.rng = Random(5)
        self.numbers: dict[str, int] = {}

    async def send(self, *appends: Append) -> None:
        """Append it, and play and book on until nothing more follows."""
        waiting: Sequence[Append] = appends
        while waiting:
            self.clock[0] += 10
            sent = self.log.append(waiting)
            assert sent.records is not None
            await sent.durable
            self.step.read_placed(sent.records)
            waiting = [*self.step.decide(self.clock[0]), *self.book(sent.records)]

    def book(self, placed: Sequence[Placed]) -> list[Append]:
        """The wallet reads what stands, a partition at a time, and answers."""
        orders: list[Ordered] = []
        for partition in range(len(TABLES)):
            mine = [r for r in placed if (r.topic, r.partition) == (topics.HAND_LOG, partition)]
            if mine:
                batch = Batch(partition, mine[0].offset, read(mine), mine[-1].offset + 1)
                orders += self.booker.book([batch]).orders
        return [self.order(order) for order in orders]

    def order(self, order: Ordered) -> Append:
        value = encode_ordered(order)
        return Append(topics.TABLE_ORDERS, partition_of(order.table), order.table, value)

    def ask(self, table: str, player: str, command: Any) -> Append:
        self.numbers[player] = self.numbers.get(player, 0) + 1
        asked = Asked(table, player, self.numbers[player], command)
        return Append(topics.TABLE_COMMANDS, partition_of(table), table, encode_asked(asked))

    async def play(self) -> None:
        """Everybody sits down, and some hands are played."""
        for table in TABLES:
            await self.send(self.order(Ordered(table, "o", "operator", OpenTable(SETTINGS))))
            for seat in range(1, PLAYERS + 1):
                player = f"p{seat}@{table}"
                Teller(self.store).deposit("till", player, player, "PLAY", 20_000, "", 1)
                await self.send(self.ask(table, player, SitDown(seat, 9_000, True, "c")))
        while min(entry.table.hands for entry in self.step.tables.entries.values()) < HANDS:
            for table in TABLES:
                hand = self.step.tables.entries[table].table.hand
                assert hand is not None
                assert hand.turn != NOBODY
                offered = options(hand)
                assert offered is not None
                mine = hand.seats[hand.turn]
                action, total, throw = pick(self.rng, offered, len(mine.places))
                total = offered.raise_least if total else 0  # nobody goes broke
                act = Act(hand.id, hand.turn_number, hand.price, action, total, throw)
                await self.send(self.ask(table, mine.player, act))
