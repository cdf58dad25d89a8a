"""Bugs planted into what operators do: each promise about measures broken, one at a time.

What they do wrong is told by their docstrings; that they are caught is test_planted_measures.py's
business.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import Message

from riverboat.game.commands import Order
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import corrections_pb2
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.backroom import BackRoom
from services.operator.book import Book
from services.operator.office import Office
from services.operator.orders import Answer, Orders
from services.wallet.simulated import SimulatedLedger


class OrdersAgain(Orders):
    """An order is sent anew by whoever carries its measure on, whatever stands in the log."""

    async def carry(self, order_id: str, table: str, by: str, order: Order) -> Answer:
        self._sent.pop(order_id, None)
        return await super().carry(order_id, table, by, order)


class NobodysOrders(Orders):
    """An order bears the house's name, not that of who took the measure."""

    async def carry(self, order_id: str, table: str, by: str, order: Order) -> Answer:
        return await super().carry(order_id, table, "house", order)


class Wordless(Office):
    """Why a measure is taken is not kept."""

    async def take(self, by: str, key: str, why: str, measure: pb.Measure, **named: Any) -> Any:
        return await super().take(by, key, "", measure, **named)


class OwnHand(Book):
    """Whoever proposed a correction may approve it."""

    def take(self, found: Any) -> str:
        taken = super().take(found)
        for correction in self.corrections.values():
            correction.proposed_by = "nobody"
        return taken


class PaysAgain(SimulatedLedger):
    """Whatever the wallet is asked to move, it moves twice, under two keys."""

    def wallet(self, clock: Clock) -> Callable[[str, Message], Awaitable[Message | Fault]]:
        ask = super().wallet(clock)

        async def again(method: str, request: Message) -> Message | Fault:
            if isinstance(request, corrections_pb2.CorrectRequest):
                twice = corrections_pb2.CorrectRequest()
                twice.CopyFrom(request)
                twice.key += "/2"
                await ask(method, twice)
            return await ask(method, request)

        return again


def backroom(
    orders: type[Orders] = Orders, office: type[Office] = Office, book: type[Book] = Book
) -> type[BackRoom]:
    """A back room of which some part is another."""

    class Planted(BackRoom):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            self._orders.__class__ = orders
            self.office.__class__ = office
            self.office.book = book()

    return Planted
