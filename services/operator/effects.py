"""Effects: what each measure does to tables, to accounts, or to nothing but the book.

Each is whole however often it is begun: an order is found again by its id, and the wallet knows
the key of each of its calls. Says what came of it; keeps nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from riverboat.game.commands import (
    ChangeOptions,
    CloseTable,
    DrainTable,
    OpenTable,
    Order,
    PauseTable,
    RemovePlayer,
    ResumeTable,
    VoidHand,
)
from riverboat.game.ids import table_of
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import Settings
from riverboat.game.table.settings import fault
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.bank import Bank, Refused
from services.operator.book import Book, Entry, refusal_of
from services.operator.measures import part_of
from services.operator.office import ended, refused
from services.operator.orders import MARK, Orders
from services.operator.refusals import OperatorCode
from services.operator.templates import Template

# What tables keep as the reason, a short word for ever; the rest stands in the operator-log.
REASON: Final = "operator"

_settings = CODEC.decoder(Settings)


class Effects:
    """Carries measures out."""

    def __init__(
        self,
        book: Callable[[], Book],
        orders: Orders,
        templates: Mapping[str, Template],
        bank: Bank,
    ) -> None:
        self._book = book
        self._orders = orders
        self._templates = templates
        self._bank = bank

    async def carry(self, entry: Entry) -> pb.MeasureEnded:
        """Give the measure its effect, and say what came of it; raises `NotNow`."""
        refusal = refusal_of(self._book(), entry.taken)
        if refusal is not None:
            return refused(entry, refusal)
        effect = _EFFECTS.get(entry.kind)
        return ended(entry) if effect is None else await effect(self, entry)

    async def _order(self, entry: Entry, table: str, order: Order) -> pb.MeasureEnded:
        taken = entry.taken
        answer = await self._orders.carry(f"{MARK}{taken.id}", table, taken.by, order)
        return ended(entry, refused=answer.refused, told=answer.facts, version=answer.version)

    async def _order_of(self, entry: Entry) -> pb.MeasureEnded:
        part = part_of(entry.taken.measure)
        return await self._order(entry, part.table, _ORDERS[entry.kind](part))

    async def _void(self, entry: Entry) -> pb.MeasureEnded:
        hand = entry.taken.measure.void.hand
        return await self._order(entry, table_of(hand), VoidHand(hand, REASON))

    async def _open(self, entry: Entry) -> pb.MeasureEnded:
        opening = entry.taken.measure.open
        if not opening.template:
            return await self._open_with(entry, _settings(opening.settings))
        template = self._templates.get(opening.template)
        if template is None:
            return refused(entry, Refusal(OperatorCode.NO_TEMPLATE, template=opening.template))
        # The number is that of the measure among its like, so that a retry opens the same table.
        book = self._book()
        like = [
            own_id
            for own_id in book.about[entry.taken.subject]
            if book.entries[own_id].kind == "open"
        ]
        return await self._open_with(entry, template.numbered(like.index(entry.taken.id) + 1))

    async def _open_with(self, entry: Entry, settings: Settings) -> pb.MeasureEnded:
        # A table that never was has no log in which it could refuse.
        refusal = fault(settings)
        if refusal is not None:
            return refused(entry, refusal)
        return await self._order(entry, entry.taken.measure.open.table, OpenTable(settings))

    async def _keep(self, entry: Entry) -> pb.MeasureEnded:
        name = entry.taken.measure.keep.template
        if name not in self._templates:
            return refused(entry, Refusal(OperatorCode.NO_TEMPLATE, template=name))
        return ended(entry)

    async def _pay(self, entry: Entry) -> pb.MeasureEnded:
        refund = entry.taken.measure.refund
        legs = [
            pb.CorrectionLeg(player="", amount=-refund.amount),
            pb.CorrectionLeg(player=refund.player, amount=refund.amount),
        ]
        key = entry.taken.id
        return self._booked(entry, await self._bank.correct(key, refund.currency, legs, "refund"))

    async def _approve(self, entry: Entry) -> pb.MeasureEnded:
        # By the correction's own id, so that it is booked once whoever approves it.
        found = self._book().corrections[entry.taken.measure.approve.correction]
        note = f"hand {found.hand}"
        booked = await self._bank.correct(found.id, found.currency, found.legs, note)
        return self._booked(entry, booked)

    async def _account(self, entry: Entry) -> pb.MeasureEnded:
        taken = entry.taken
        player = part_of(taken.measure).player
        refusal = await self._bank.hold(entry.kind, taken.id, player, taken.why)
        return self._booked(entry, refusal or "")

    def _booked(self, entry: Entry, booked: str | Refused) -> pb.MeasureEnded:
        if isinstance(booked, Refused):
            return ended(entry, refused=booked.reason, told=booked.facts)
        return ended(entry, posting=booked)


_ORDERS: Final[dict[str, Callable[[Any], Order]]] = {
    "change": lambda part: ChangeOptions(_settings(part.settings)),
    "pause": lambda part: PauseTable(REASON, part.for_ms),
    "resume": lambda _: ResumeTable(),
    "drain": lambda _: DrainTable(REASON),
    "close": lambda _: CloseTable(REASON),
    "remove": lambda part: RemovePlayer(part.player, REASON),
}

# What is not here has no effect but on the book.
_EFFECTS: Final[dict[str, Callable[[Effects, Entry], Awaitable[pb.MeasureEnded]]]] = {
    **dict.fromkeys(_ORDERS, Effects._order_of),
    "void": Effects._void,
    "open": Effects._open,
    "keep": Effects._keep,
    "refund": Effects._pay,
    "approve": Effects._approve,
    **dict.fromkeys(("freeze", "thaw", "close_account"), Effects._account),
}
