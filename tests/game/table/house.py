"""A house of one table for tests: its log, and the three deciders that write it.

Holds no test. Every record goes through `apply`, as in every reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    Command,
    Funded,
    OpenTable,
    Order,
    Ordered,
    SitDown,
)
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Hand
from riverboat.game.record import Answered, Record
from riverboat.game.refusals import Refusal
from riverboat.game.table.events import Event, Settings
from riverboat.game.table.fold import apply
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.runtime.messages import events_of
from riverboat.runtime.service import Manifest, Message
from services import betting, dealer, showdown
from tests.game.table.tables import NOW_MS, SETTINGS, given

DECIDERS = (dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST)


class House:
    """One table, its log, and its clock."""

    def __init__(self, table_id: str = "1.0", decks: Decks | None = None) -> None:
        self.decks = decks
        self.table = Table(table_id)
        self.log: list[tuple[Record, int]] = []
        self.now_ms = NOW_MS
        self.offsets = {"table-commands": 0, "table-orders": 0}
        self.numbers: dict[str, int] = {}

    @classmethod
    def opened(
        cls, settings: Settings = SETTINGS, decks: Decks | None = None, **stacks: int
    ) -> House:
        """A table that is open, with these players in their order; no hand is dealt yet."""
        house = cls(decks=decks)
        house.order(OpenTable(settings))
        for player, stack in stacks.items():
            house.seat(player, stack)
        return house

    def playing(self) -> bool:
        """Whether a hand is being played."""
        return self.table.deal is not None

    @property
    def hand(self) -> Hand:
        """The hand that is being played."""
        assert self.table.hand is not None, "asked for while a hand is being played"
        return self.table.hand

    def append(
        self, service: str, events: Sequence[object], answers: Answered | None = None
    ) -> Record:
        """Append a record, and apply it."""
        deal = self.table.deal
        hand = deal.hand if deal is not None else getattr(events[0], "hand", "")
        record = Record(
            self.table.id,
            self.table.version + 1,
            self.table.head,
            f"{service}/1/{self.table.version + 1}",
            hand,
            answers,
            1,
            cast("tuple[Event, ...]", tuple(events)),
        )
        self.log.append((record, self.now_ms))
        apply(self.table, record, self.now_ms)
        return record

    def ask(self, player: str, command: Command) -> Sequence[Event] | Refusal | None:
        """What comes of a player's command."""
        number = self.numbers[player] = self.numbers.get(player, 0) + 1
        return self._take("table-commands", Asked(self.table.id, player, number, command))

    def order(self, order: Order) -> Sequence[Event] | Refusal | None:
        """What comes of an order of the house."""
        return self._take("table-orders", Ordered(self.table.id, "o", "operator", order))

    def _take(self, topic: str, message: Message) -> Sequence[Event] | Refusal | None:
        offset = self.offsets[topic]
        self.offsets[topic] += 1
        (decider,) = [each for each in DECIDERS if each.takes(message)]
        decision = decider.answer(self.table, message, given(self.now_ms, offset, decks=self.decks))
        if decision is not None:
            player, number = "", 0
            if isinstance(message, Asked):
                player, number = message.player, message.number
            answers = Answered(topic, offset, player, number)
            self.append(decider.name, events_of(decision), answers)
        return decision

    def seat(
        self, player: str, stack: int, seat: int = 0, post: bool = True, protections: int = 0
    ) -> None:
        """Seat a player whose money comes at once."""
        decision = self.ask(player, SitDown(seat, stack, post, f"line of {player}"))
        assert not isinstance(decision, Refusal), decision
        (held,) = [held for held in self.table.reservations.values() if held.player == player]
        self.order(Funded(held.id, protections))

    def owe(self, decider: Manifest, drawn: int = 0) -> Sequence[Event] | None:
        """What the decider owes now, appended."""
        events = decider.duty(self.table, given(self.now_ms, drawn=drawn, decks=self.decks))
        if events:
            self.append(decider.name, events)
        return events

    def run(self, drawn: int = 0) -> None:
        """Let everybody do what is owed, until only a player or the clock can go on."""
        while any(self.owe(decider, drawn) for decider in DECIDERS):
            pass

    def wait(self, ms: int) -> list[Event]:
        """Let time pass at once, then ring each decider's alarm that is over."""
        self.now_ms += ms
        rung: list[Event] = []
        for decider in DECIDERS:
            alarm = decider.alarm(self.table)
            if alarm is not None and alarm.at_ms <= self.now_ms:
                events = decider.ring(self.table, alarm, given(self.now_ms, decks=self.decks))
                if events:
                    self.append(decider.name, events)
                    rung += events
        return rung

    def act(
        self, action: Action, total: int = 0, throw: tuple[int, ...] = ()
    ) -> Sequence[Event] | Refusal | None:
        """The player on turn does this; what is owed then is done."""
        hand = self.hand
        command = Act(hand.id, hand.turn_number, hand.price, action, total, throw)
        decision = self.ask(hand.seats[hand.turn].player, command)
        self.run()
        return decision

    def play_out(self) -> None:
        """Everybody checks or calls until the hand is over."""
        deal = self.table.deal
        while self.table.deal is not None and self.table.deal is deal:
            offered = options(self.hand)
            assert offered is not None, "somebody has a decision, or the hand is over"
            self.act(Action.CHECK if offered.check else Action.CALL)

    def stacks(self) -> dict[str, int]:
        """What each player has at the table, between hands."""
        return {each.player: each.stack + each.behind for each in self.table.sittings.values()}


def folded(house: House, upto: int | None = None) -> Table:
    """The state that another reader makes of the house's log."""
    table = Table(house.table.id)
    for record, time_ms in house.log[:upto]:
        apply(table, record, time_ms)
    return table


def chips(table: Table) -> int:
    """All chips at the table, wherever they are."""
    whole = 0
    for seat, sitting in table.sittings.items():
        hand = table.hand
        in_hand = hand.seats.get(seat) if hand is not None else None
        whole += sitting.behind + sitting.stack
        if in_hand is not None:
            whole += in_hand.stack + in_hand.kept - in_hand.start
    return whole + (table.hand.pot if table.hand is not None else 0)
