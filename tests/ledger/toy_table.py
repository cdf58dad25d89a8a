"""A table of chance: a lawful stream of events about money, with the chips that it ought to have.

It deals no cards: hands end with nets that sum to minus the rake, or are voided.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from riverboat.game.hand.events import HandEnded, HandVoided, Net, Stakes
from riverboat.game.ids import hand_id, reservation_id
from riverboat.game.table.events import (
    ButtonRule,
    BuyInReturned,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SeatFreed,
    SeatReserved,
    Settings,
    TableOpened,
    ToppedUp,
)

PLAYERS = ("ann", "bob", "cem", "dot", "eve")


def settings(currency: str = "EUR", rulebook: str = "standard") -> Settings:
    return Settings(
        name="River",
        rulebook=rulebook,
        variant="holdem",
        limit="nl",
        stakes=Stakes(small_blind=1, big_blind=2),
        currency=currency,
        seats=6,
        raked=True,
        button_rule=ButtonRule.DEAD,
        runs=1,
        buy_in_least=1,
        buy_in_most=0,
        turn_ms=15_000,
        grace_ms=60_000,
        reserve_ms=4_000,
        pause_ms=1_000,
    )


@dataclass
class ToyTable:
    """One table; `answers` of the wallet come in by reservation: "" for funded, else why not."""

    id: str
    chance: random.Random
    currency: str = "EUR"
    opened: bool = False
    hands: int = 0
    asked: int = 0
    stacks: dict[str, int] = field(default_factory=dict)  # by sitting
    seated: dict[str, str] = field(default_factory=dict)  # player -> sitting
    open: dict[str, SeatReserved] = field(default_factory=dict)
    freed: set[str] = field(default_factory=set)
    answers: dict[str, str] = field(default_factory=dict)
    raked: int = 0

    def step(self) -> list[object]:
        """What happens next; maybe nothing."""
        if not self.opened:
            self.opened = True
            return [TableOpened(settings(self.currency))]
        answered = [held for held in self.open if held in self.answers]
        if answered and self.chance.random() < 0.7:
            return [self._resolve(self.open.pop(self.chance.choice(answered)))]
        roll = self.chance.random()
        if roll < 0.3:
            return self._reserve()
        if roll < 0.4:
            return self._free()
        if roll < 0.5:
            return self._leave()
        return self._play()

    def finish(self) -> Iterator[object]:
        """Resolve what is open and cash everybody out, one event at a time."""
        while self.open:
            yield self._resolve(self.open.popitem()[1])
        while self.seated:
            yield self._out(next(iter(self.seated)))

    def _reserve(self) -> list[object]:
        player = self.chance.choice(PLAYERS)
        if any(held.player == player for held in self.open.values()):
            return []
        self.asked += 1
        reservation = reservation_id(self.id, player, self.asked, self.asked * 10)
        top_up = self.seated.get(player, "")
        amount = self.chance.choice((10, 40, 200))
        self.open[reservation] = SeatReserved(
            reservation, player, 1, amount, top_up, 0, "", post=False
        )
        return [self.open[reservation]]

    def _free(self) -> list[object]:
        held = [name for name in self.open if name not in self.freed]
        if not held:
            return []
        self.freed.add(held[0])
        return [SeatFreed(held[0])]

    def _resolve(self, held: SeatReserved) -> object:
        name = held.reservation
        if self.answers[name]:
            return ReservationFailed(name, self.answers[name])
        if held.top_up:
            if self.seated.get(held.player) != held.top_up:
                return BuyInReturned(name)
            self.stacks[held.top_up] += held.amount
            return ToppedUp(name)
        if name in self.freed or held.player in self.seated:
            return BuyInReturned(name)
        self.seated[held.player] = name
        self.stacks[name] = held.amount
        return PlayerSeated(name)

    def _leave(self) -> list[object]:
        if not self.seated:
            return []
        return [self._out(self.chance.choice(list(self.seated)))]

    def _out(self, player: str) -> PlayerLeft:
        sitting = self.seated.pop(player)
        return PlayerLeft(player, sitting, 1, self.stacks.pop(sitting), "asked")

    def _play(self) -> list[object]:
        players = list(self.seated)
        if len(players) < 2:
            return []
        self.hands += 1
        hand = hand_id(self.id, self.hands)
        if self.chance.random() < 0.2:
            return [HandVoided(hand, "outage")]
        winner = self.chance.choice(players)
        paid = {
            player: self.chance.randint(0, self.stacks[self.seated[player]])
            for player in players
            if player != winner
        }
        pot = sum(paid.values())
        rake = min(3, pot)
        self.raked += rake
        nets = [Net(1, player, self.seated[player], -amount) for player, amount in paid.items()]
        nets.append(Net(1, winner, self.seated[winner], pot - rake))
        for net in nets:
            self.stacks[net.sitting] += net.amount
        return [HandEnded(hand, tuple(nets), rake)]
