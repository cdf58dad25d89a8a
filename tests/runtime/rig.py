"""A log in a list, a clock in an int, and steps that read what they are shown. Holds no test."""

from __future__ import annotations

from collections.abc import Sequence

from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    Command,
    Funded,
    OpenTable,
    Ordered,
    SitDown,
)
from riverboat.game.hand.events import Stakes
from riverboat.game.record import Record
from riverboat.game.table.events import ButtonRule, Settings
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.log import Append, Place
from riverboat.log.sealing import SealedDecks
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.step import Step
from riverboat.wire.record import decode_record, encode_asked, encode_ordered
from services import betting, dealer, showdown

TABLE = "1.0"
START_MS = 1_700_000_000_000
KEYS = DerivedKeys(bytes(range(32)))
ALL = (dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST)
SETTINGS = Settings(
    name="test",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=5, big_blind=10),
    currency="PLAY",
    seats=3,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=100,
    buy_in_most=10_000,
    turn_ms=10_000,
    grace_ms=60_000,
    reserve_ms=30_000,
    pause_ms=0,
)


class Rig:
    """A log in a list, a clock in an int, and steps that read what they are shown."""

    def __init__(self) -> None:
        self.now_ms = START_MS
        self.places: dict[Place, list[log.Record]] = {}
        self.numbers: dict[str, int] = {}
        entropy = Seeded(1)
        self.decks = SealedDecks(KEYS, entropy, lambda: self.now_ms)
        self.entropy = entropy
        self.orders = 0

    def step(self, *manifests: object, name: str = "a", rank: int = 0, owns: bool = True) -> Step:
        step = Step(
            [(manifest, rank) for manifest in manifests or ALL],  # type: ignore[misc]
            name,
            self.entropy,
            self.decks,
        )
        if owns:
            for decider in step.deciders:
                step.own(decider.name, [0])
        return step

    def land(self, append: Append) -> log.Record:
        place = Place(append.topic, append.partition)
        records = self.places.setdefault(place, [])
        record = log.Record(*place, len(records), self.now_ms, append.key, append.value)
        records.append(record)
        return record

    def show(self, step: Step, *names: str) -> None:
        """Let the step read all that stands in these topics, or in all of them."""
        for place in step.inputs(0):
            if not names or place.topic in names:
                step.read(self.places.get(place, []))

    def play(self, step: Step) -> list[Record]:
        """Read, decide and land until nothing more comes; the records that the step wrote."""
        written: list[Record] = []
        while True:
            self.show(step)
            appends = step.decide(self.now_ms)
            if not appends:
                return written
            for append in appends:
                written.append(decode_record(self.land(append).value or b""))

    def ask(self, player: str, command: Command, number: int = 0) -> Append:
        if not number:
            number = self.numbers[player] = self.numbers.get(player, 0) + 1
        asked = Asked(TABLE, player, number, command)
        return Append(topics.TABLE_COMMANDS, 0, TABLE, encode_asked(asked))

    def order(self, order: object) -> Append:
        self.orders += 1
        ordered = Ordered(TABLE, f"o{self.orders}", "test", order)  # type: ignore[arg-type]
        return Append(topics.TABLE_ORDERS, 0, TABLE, encode_ordered(ordered))

    def seat(self, step: Step, players: Sequence[str]) -> None:
        self.land(self.order(OpenTable(SETTINGS)))
        self.play(step)
        for seat, player in enumerate(players, 1):
            self.land(self.ask(player, SitDown(seat, 1_000, True, f"c-{player}")))
            self.play(step)
            for held in list(table_of(step).reservations):
                self.land(self.order(Funded(held)))
                self.play(step)

    def act(self, step: Step, action: Action, total: int = 0) -> Append:
        hand = table_of(step).hand
        assert hand is not None
        act = Act(hand.id, hand.turn_number, hand.price, action, total, ())
        return self.ask(hand.seats[hand.turn].player, act)


def table_of(step: Step) -> Table:
    return step.tables.entries[TABLE].table


def playing() -> tuple[Rig, Step]:
    """A hand on its first turn, folded by a step of all services."""
    rig = Rig()
    step = rig.step()
    rig.seat(step, ["p1", "p2", "p3"])
    hand = table_of(step).hand
    assert hand is not None
    assert hand.turn_number == 1
    return rig, step
