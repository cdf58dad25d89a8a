"""What a simulated process is, the same at each of its lives. Values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from riverboat.game.table.given import Decks, Entropy
from riverboat.log.log import Place
from riverboat.runtime.clock import Clock
from riverboat.runtime.recovery import Snapshots
from riverboat.runtime.service import Manifest
from riverboat.runtime.step import Step
from riverboat.sim.views import Audience, Told


class Crash(Exception):
    """The process is dead."""


@dataclass(slots=True)
class Plan:
    """What a process is: the same at each of its lives."""

    name: str
    manifests: Sequence[Manifest]
    rank: int
    partitions: int
    entropy: Entropy
    decks: Decks
    step: type[Step] = Step
    snapshots: type[Snapshots] = Snapshots
    owns: Callable[[str], set[int]] = field(default=lambda _service: set())
    decided: Callable[[str, bytes], None] = field(default=lambda _id, _digest: None)
    missing: Callable[[str, str], None] = field(default=lambda _name, _table: None)
    committed: Callable[[str, Mapping[Place, int]], None] = field(default=lambda _name, _at: None)
    audience: Callable[[Decks, Clock], Audience] | None = None  # of a session: its edge
    told: Callable[[Told], None] = field(default=lambda _told: None)


class Mortal(Protocol):
    """A process that can be killed, stopped for a while, and started again."""

    alive: bool
    life: int
    paused_until_ms: int

    @property
    def name(self) -> str:
        """Unique through all lives."""

    def die(self) -> None:
        """End this life; another begins later."""

    def end(self) -> None:
        """End for good."""

    def restart(self) -> None:
        """Die and begin again at once."""
