"""Tables whose log the ledger reads as it grows, record by record, and who plays at them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from riverboat.game.commands import NotFunded
from riverboat.game.hand.events import HandEnded, Net
from riverboat.game.table.events import PlayerLeft, PlayerSeated, SeatReserved, TableOpened
from services.wallet.book import Batch, Booker
from tests.ledger.toy_table import settings
from tests.services.wallet.hand_log import PARTITION, HandLog
from tests.services.wallet.test_wallet_rpc import Desk

HOUR_MS = 3_600_000


class Room:
    """Tables whose log the ledger reads as it grows, and a clock that both go by."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.log = HandLog(0)
        self.booker = Booker(desk.store)
        self.asked = 0

    def tell(self, table: str, *events: object, hand: str = "") -> list[object]:
        """The table says this now; what the wallet answers."""
        self.log.append(table, *events, hand=hand)
        self.log.reads[-1] = self.log.reads[-1]._replace(time_ms=self.desk.clock.now_ms())
        start = len(self.log.reads) - 1
        done = self.booker.book([Batch(PARTITION, start, self.log.reads[start:], start + 1)])
        assert done.stopped == ()
        return [order.order for order in done.orders]

    def open(self, table: str, **options: Any) -> None:
        self.tell(table, TableOpened(replace(settings(), south_ms=HOUR_MS, **options)))

    def reserve(
        self, table: str, amount: int, top_up: str = "", player: str = "ann", most: int = 0
    ) -> str:
        """Ask for a seat; the sitting, or why not."""
        self.asked += 1
        name = f"r{self.asked}"
        asked = SeatReserved(name, player, 1, amount, top_up, 0, "", post=False, most=most)
        (answer,) = self.tell(table, asked)
        return answer.reason if isinstance(answer, NotFunded) else name

    def sit(self, table: str, amount: int, player: str = "ann") -> str:
        sitting = self.reserve(table, amount, player=player)
        assert sitting.startswith("r"), sitting
        self.tell(table, PlayerSeated(sitting))
        return sitting

    def lose(self, table: str, sitting: str, amount: int) -> None:
        self.asked += 1
        nets = (Net(1, "ann", sitting, -amount),)
        self.tell(table, HandEnded(f"{table}-{self.asked}", nets, amount))

    def leave(self, table: str, sitting: str, amount: int) -> None:
        self.tell(table, PlayerLeft("ann", sitting, 1, amount, "asked"))
