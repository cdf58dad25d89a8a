"""A whole embedded network inside a test's own event loop, with bots at its tables.

For the tests of this room; holds no test itself.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from riverboat.bots.bot import Bot, style_of
from riverboat.bots.crowd import Crowd
from riverboat.game import rules
from riverboat.game.commands import Order, Ordered
from riverboat.game.ids import partition_of
from riverboat.game.rules import sites
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.runtime.config import SERVICES, Config, load
from riverboat.wire.record import encode_ordered
from riverboat.wire.v1 import wallet_pb2
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.first_tables import open_request, table_settings
from services.cli.house import House, open_house

BUY_IN = 1_000


@contextmanager
def rules_apart() -> Iterator[None]:
    """What is adopted within is in force no longer after it, as if it had been another process."""
    of_rules, of_sites = list(rules._IN_FORCE), list(sites._IN_FORCE)
    try:
        yield
    finally:
        for own in [each for each in rules._IN_FORCE if each not in of_rules]:
            rules.drop(own)
        for read in [each for each in sites._IN_FORCE if each not in of_sites]:
            sites.drop(read)


class Network:
    """A house that runs, and how it is reached."""

    def __init__(self, house: House, config: Config) -> None:
        self.house = house
        self.config = config
        self.where: Mapping[str, str] = dict.fromkeys(SERVICES, f"127.0.0.1:{house.port}")
        self.orders: list[Ordered] = []
        self.operator = reach.bearer(self.token("tests", "operator", "service"))

    def token(self, subject: str, *roles: str) -> str:
        """A signed token."""
        return reach.token(self.config, subject, roles or ("player",))

    async def open_table(
        self,
        name: str = "Test",
        pause_ms: int = 0,
        besides: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> str:
        """Open a table for play money, with what it has besides; its id."""
        wanted = table_settings(name=name, small=5, big=10, pause_ms=pause_ms, **more)
        wanted = replace(wanted, **(besides or {}))
        async with reach.channel(self.where, "dealer") as channel:
            dealer = DealerServiceStub(channel)
            opened = await dealer.OpenTable(open_request(wanted), metadata=self.operator)
            return opened.table

    async def order(self, table: str, order: Order) -> None:
        """Write an order of the house."""
        ordered = Ordered(table, f"order {len(self.orders)}", "tests", order)
        self.orders.append(ordered)
        place = topics.TABLE_ORDERS, partition_of(table)
        await self.house.submit([Append(*place, table, encode_ordered(ordered))], [ordered])

    async def deposit(self, player: str, amount: int) -> None:
        """Bring money to a player's account."""
        async with reach.channel(self.where, "wallet") as channel:
            request = wallet_pb2.DepositRequest(
                player=player, currency="PLAY", amount=amount, key=f"{player} {amount}"
            )
            await WalletServiceStub(channel).Deposit(request, metadata=self.operator)

    @asynccontextmanager
    async def bots(
        self, table: str, count: int, *, hands: int = 0, think_ms: int = 0
    ) -> AsyncIterator[Crowd]:
        """Bots at the table, for as long as this lasts."""
        bots = [
            Bot(
                player := f"bot{number}@{table}",
                self.token(player),
                table,
                BUY_IN,
                style_of(number),
                random.Random(number),
            )
            for number in range(count)
        ]

        async def fund(bot: Bot) -> None:
            await self.deposit(bot.player, 100 * BUY_IN)

        async with reach.channel(self.where, "session") as channel:
            for bot in bots:
                await fund(bot)
            crowd = Crowd(channel, bots, fund, think_ms=(think_ms, think_ms), hands=hands)
            playing = asyncio.create_task(crowd.run())
            try:
                yield crowd
            finally:
                crowd.done.set()
                await playing


@asynccontextmanager
async def network(
    folder: Path, *, stop_ms: int = 500, metrics: str = "none", ready_s: float = 10, **more: Any
) -> AsyncIterator[Network]:
    """A network in this event loop."""
    flags = {"data": folder, "listen": "127.0.0.1:0", "metrics_listen": metrics, "stop_ms": stop_ms}
    config = load(flags={**flags, "partitions": 4, **more})
    house = await open_house(config)
    stop = asyncio.Event()
    running = asyncio.create_task(house.run(stop))
    try:
        await house.start()
        async with asyncio.timeout(ready_s):
            await house.ready.wait()
        yield Network(house, config)
    finally:
        stop.set()
        await house.stop()
        await running  # raises what broke, if something did
