"""Chaos: what befalls a simulated network from outside, each thing with its probability.

It only sets things going; whether they are survived is for others to find.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from riverboat.game.commands import Ordered, VoidHand
from riverboat.game.ids import partition_of
from riverboat.log import topics
from riverboat.log.log import Append, Place

if TYPE_CHECKING:
    from riverboat.sim.network import Network

FAR_OFF_MS: Final = 120_000
OUTAGE_MS: Final = 16_000
LONG_OUTAGE_MS: Final = 100_000  # longer than the grace of the tables


class Chaos:
    """What may happen to one network."""

    def __init__(self, network: Network) -> None:
        self.net = network
        self._backup: object | None = None
        self._outage_ends_ms = 0

    def turn(self) -> None:
        """Let something happen, and come again."""
        if self.net.calm:
            return
        rng, profile = self.net.world.rng, self.net.log.faults
        for fault, act in self._misfortunes().items():
            if self.net.world.chance(getattr(profile, fault)):
                self.net.world.tell("fault", fault)
                act()
        self.net.world.after(rng.uniform(300, 2_500), self.turn)

    def _misfortunes(self) -> Mapping[str, Callable[[], None]]:
        return {
            "kill": self._kill,
            "pause": self._pause,
            "owners_overlap": self._overlap,
            "outage": lambda: self._outage(OUTAGE_MS),
            "long_outage": lambda: self._outage(LONG_OUTAGE_MS),
            "clock_jump": self._clock_jump,
            "clock_far_off": self._clock_far_off,
            "snapshot_late": self._snapshot_late,
            "compaction": lambda: self.net.log.compact(self.net.partitions),
            "ledger_restored": self._ledger_restored,
            "unreadable": self._unreadable,
            "poisoned": self._poison,
        }

    def _kill(self) -> None:
        victim = self.net.world.rng.choice(self.net.everybody())
        if victim.alive:
            self.net.world.reach("kill")
            victim.die()

    def _pause(self) -> None:
        victim = self.net.world.rng.choice(self.net.everybody())
        victim.paused_until_ms = self.net.world.now_ms + self.net.world.rng.choice(
            [500, 3_000, 12_000]
        )
        self.net.world.reach("pause")

    def _overlap(self) -> None:
        key = self.net.world.rng.choice(list(self.net.owners))
        owners = self.net.world.rng.choice([{0}, {1}, {0, 1}])
        self.net.owners[key] = set(owners)
        if len(owners) > 1:
            self.net.world.reach("owners_overlap")

    def _outage(self, lasts_ms: int) -> None:
        """All of one service stand still; never two services at once, so that play goes on."""
        if self.net.world.now_ms < self._outage_ends_ms:
            return
        self._outage_ends_ms = self.net.world.now_ms + 2 * lasts_ms
        service = self.net.world.rng.choice(
            [manifest.name for manifest in self.net.house.manifests]
        )
        self.net.world.reach("outage" if lasts_ms < LONG_OUTAGE_MS else "long_outage")
        for process in self.net.processes:
            if process.plan.manifests[0].name == service:
                process.paused_until_ms = self.net.world.now_ms + lasts_ms

    def _clock_jump(self) -> None:
        victim = self.net.world.rng.choice(self.net.processes)
        skew = self.net.log.faults.skew_ms
        victim.skew_ms = self.net.world.rng.randint(-skew, skew)
        self.net.world.reach("clock_jump")

    def _clock_far_off(self) -> None:
        victim = self.net.world.rng.choice(self.net.processes)
        victim.skew_ms = self.net.world.rng.choice([-FAR_OFF_MS, FAR_OFF_MS])
        self.net.world.reach("clock_far_off")
        life = victim.life
        self.net.world.after(
            10_000, lambda: setattr(victim, "skew_ms", 0) if victim.life == life else None
        )

    def _snapshot_late(self) -> None:
        """An old snapshot lands once more, after newer ones."""
        place = Place(topics.TABLES, self.net.world.rng.randrange(self.net.partitions))
        records = self.net.log.records(place)
        if records:
            old = self.net.world.rng.choice(records)
            self.net.world.reach("snapshot_late")
            self.net.log.land(Append(old.topic, old.partition, old.key, old.value), "old snapshot")

    def _ledger_restored(self) -> None:
        if self._backup is not None:
            self.net.world.reach("ledger_restored")
            self.net.ledger.restore(self._backup)
            self.net.auditor.bounds.barred.clear()  # it may not know of it any more
            self._backup = None
        else:
            self._backup = self.net.ledger.backup()

    def _unreadable(self) -> None:
        topic = self.net.world.rng.choice(
            [topics.HAND_LOG, topics.TABLE_COMMANDS, topics.TABLE_ORDERS]
        )
        name = self.net.world.rng.choice(list(self.net.tables))
        self.net.world.reach("unreadable")
        partition = partition_of(name)
        self.net.log.land(Append(topic, partition, name, b"\xff no envelope"), "unreadable")

    def _poison(self) -> None:
        """One reader cannot fold what is being played; after a while an operator calls it off."""
        playing = [table for table in self.net.auditor.tables.values() if table.deal is not None]
        if not playing:
            return
        table = self.net.world.rng.choice(playing)
        assert table.deal is not None
        hand = table.deal.hand
        self.net.world.rng.choice(self.net.processes).poison = table.id, hand
        self.net.world.after(14_000, lambda: self._call_off(table.id, hand))

    def _call_off(self, name: str, hand: str) -> None:
        """Orders are resent until the state shows their answer."""
        deal = self.net.auditor.tables[name].deal
        if deal is not None and deal.hand == hand:
            self.net.world.reach("called_off")
            self.net.order_now(
                Ordered(name, f"void-{hand}", "operator", VoidHand(hand, "operator"))
            )
            self.net.world.after(5_000, lambda: self._call_off(name, hand))
