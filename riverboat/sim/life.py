"""Life at a table, simulated: what players want beside playing, and an operator who pulls levers.

Nothing here checks a law, and no table without options sees any of it: its run is the same to the
last number drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from riverboat.game.commands import (
    ChangeOptions,
    Command,
    DrainTable,
    HoldSeat,
    JoinList,
    LeaveList,
    Order,
    Ordered,
    PauseTable,
    ReleaseSeat,
    RemovePlayer,
    ResumeTable,
    SetPreferences,
    ShowCards,
    SitOut,
)
from riverboat.game.table.events import Preferences, Settings
from riverboat.game.table.seats import free_seat
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Sitting, Table
from riverboat.sim.options import is_lively
from riverboat.sim.world import World

if TYPE_CHECKING:
    from riverboat.sim.network import Network

AGAIN_MS: Final = 5_000
WAITS_MS: Final = 20_000  # an operator lets a table wait for up to this
RARELY: Final = 0.02
FORGETS: Final = 0.2  # how often one has forgotten the word of a private table


def player_name(table: int, place: int) -> str:
    """What the players of the table of this number are called, from 1 and from 0."""
    return f"p{table}-{place}"


def person(world: World, table: int, place: int, settings: Settings) -> str:
    """Who comes there; some of those beyond the chairs play at the table before this one, too."""
    if place < settings.seats or table == 1 or world.chance(0.5):
        return player_name(table, place)
    return player_name(table - 1, place - settings.seats)


# --- Players.


def on_the_way(world: World, table: Table, player: str, line: str) -> Command | None:
    """What one wants who has no seat, instead of asking for one."""
    settings = table.settings
    if settings is None or player in table.holds:
        return ReleaseSeat() if player in table.holds and world.chance(0.1) else None
    if any(waiter.player == player for waiter in table.waiters):
        return LeaveList() if world.chance(0.05) else None
    if settings.hold_ms and world.chance(0.3):
        return HoldSeat(0, line, word(world, settings))
    if settings.offer_ms and (free_seat(table) is None or table.waiters) and world.chance(0.5):
        return JoinList(line, word(world, settings))
    return None


def word(world: World, settings: Settings) -> bytes:
    """What he says at the door, where a word is asked for; sometimes he has forgotten it."""
    return b"" if world.chance(FORGETS) else settings.code_digest


def pastime(world: World, table: Table, sitting: Sitting) -> Command | None:
    """What one wants who sits: to sit out in some way, to show cards, or to have it his way."""
    settings, doing = table.settings, world.rng.random()
    assert settings is not None
    if doing < 0.15:
        return SitOut(now=True)
    if doing < 0.3:
        return SitOut(at_big_blind=True)
    if doing < 0.4 and table.last is not None:
        return ShowCards(table.last.id, (0,))
    if doing < 0.8:
        return wanting(world, settings)
    return None


def has_said_nothing(settings: Settings, sitting: Sitting) -> bool:
    """Whether one is asked here what he wants, and has never said it."""
    asked = settings.runs_asked or settings.straddles_asked
    return asked and not (sitting.runs_most or sitting.straddles or sitting.shows_losing)


def wanting(world: World, settings: Settings) -> SetPreferences:
    """What one wants, of all that may be wanted here."""
    rng, to = world.rng, 0
    if settings.auto_top_up:
        least, most = buy_in_bounds(settings)
        to = rng.randint(least, most or 4 * least)
    return SetPreferences(
        Preferences(
            top_up_below=to,
            top_up_to=to,
            shows_losing=rng.random() < 0.3,
            straddles=settings.straddles_asked and rng.random() < 0.8,
            runs_most=rng.randint(2, settings.runs) if settings.runs_asked else 0,
        )
    )


def goes_home(table: Table, player: str) -> Command | None:
    """Who wants to leave and has no seat waits for none."""
    if player in table.holds:
        return ReleaseSeat()
    if any(waiter.player == player for waiter in table.waiters):
        return LeaveList()
    return None


# --- The operator.


class Operator:
    """Who gives a network's tables their orders, and says each again until it shows."""

    def __init__(self, network: Network) -> None:
        self.net = network
        self._orders = 0

    def turn(self) -> None:
        """Now and then, an order to a table."""
        if self.net.calm:
            return
        for name, settings in self.net.tables.items():
            table = self.net.auditor.tables.get(name)
            if table is not None and is_lively(settings) and self.net.world.chance(RARELY):
                self._pull(table, settings)

    def calm_down(self) -> None:
        """No table waits any more, and some will take nobody else."""
        for name, settings in self.net.tables.items():
            if is_lively(settings):
                self._resume(name)
                if self.net.world.chance(0.5):
                    self._drain(name)

    def _pull(self, table: Table, settings: Settings) -> None:
        world = self.net.world
        match world.rng.randrange(4):
            case 0:
                self._order(table.id, PauseTable("repair", world.rng.randint(1, WAITS_MS)))
            case 1:
                self._order(table.id, PauseTable("repair", 0))
                world.after(world.rng.randint(1, WAITS_MS), lambda: self._resume(table.id))
            case 2:
                pause_ms = world.rng.choice([0, 500, 1_000])
                self._order(table.id, ChangeOptions(replace(settings, pause_ms=pause_ms)))
            case 3 if table.sittings:
                sitting = world.rng.choice(list(table.sittings.values()))
                self._order(table.id, RemovePlayer(sitting.player, "excluded"))

    def _resume(self, name: str) -> None:
        table = self.net.auditor.tables.get(name)
        if table is not None and table.paused:
            self._order(name, ResumeTable())
        # An order to wait may still be under way, in the calm too.
        if (table is not None and table.paused) or self.net.calm:
            self.net.world.after(AGAIN_MS, lambda: self._resume(name))

    def _drain(self, name: str) -> None:
        table = self.net.auditor.tables.get(name)
        if table is None or not (table.draining or table.closing):
            self._order(name, DrainTable("night"))
            self.net.world.after(AGAIN_MS, lambda: self._drain(name))

    def _order(self, table: str, order: Order) -> None:
        self._orders += 1
        self.net.world.reach(type(order).__name__)
        self.net.order_now(Ordered(table, f"lever-{self._orders}", "operator", order))
