"""What a simulation is given: the house, by whoever composes it, and the order.

Values only: the real services come in here, and the tests' own kinds of any part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from riverboat.game.table.events import Settings
from riverboat.game.table.given import Decks
from riverboat.runtime.clock import Clock
from riverboat.runtime.recovery import Snapshots
from riverboat.runtime.service import Manifest
from riverboat.runtime.step import Step
from riverboat.sim import faults
from riverboat.sim.bank import Ledger, Wallet
from riverboat.sim.operating import MakeRoom
from riverboat.sim.process import Process
from riverboat.sim.sole import SoleProcess
from riverboat.sim.views import Audience
from riverboat.sim.workload import Habits, Player

# Nothing that befalls a network may keep it from play for longer, while there are players.
PATIENCE_MS: Final = 600_000

# Their service costs as much as half of the rest: the seed says which runs have it.
OPERATED: Final = 0.25

DeckMaker = Callable[[Callable[[int], bytes], Callable[[], int]], Decks]


@dataclass(frozen=True, slots=True)
class House:
    """What the composition hands in: the services, the ledger, the deck service."""

    manifests: Sequence[Manifest]
    ledger: Callable[[], Ledger]
    decks: DeckMaker
    audience: Callable[[Decks, Clock], Audience]
    step: type[Step] = Step
    snapshots: type[Snapshots] = Snapshots
    wallet: type[Wallet] = Wallet
    process: type[Process] = Process
    sole: type[SoleProcess] = SoleProcess
    player: type[Player] = Player
    room: MakeRoom | None = None  # the operator's service; None: nobody operates


@dataclass(frozen=True, slots=True)
class Order:
    """What to simulate."""

    seed: int
    hands: int
    tables: Sequence[Settings]
    faults: faults.Faults
    embedded: bool = False  # one process on the embedded log
    habits: Habits = field(default_factory=Habits)
    operated: float = OPERATED  # how probable it is that operators are at work
    players_more: int = 1  # players a table beyond its chairs
    patience_ms: int = PATIENCE_MS
    progress: Callable[[int], None] = lambda _ended: None
