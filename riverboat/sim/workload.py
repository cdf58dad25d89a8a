"""The workload: simulated players, and the sessions through which they ask.

Players come, buy in, act, top up, sit out, leave and lose their lines; each keeps at most one
command outstanding and resends it until the state of its session shows it answered. Nothing here
checks a law, and nothing knows what the answer should be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    ChooseGame,
    Command,
    Leave,
    LoseLine,
    RegainLine,
    SitDown,
    SitIn,
    SitOut,
    TopUp,
)
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Hand
from riverboat.game.ids import connection_id, partition_of
from riverboat.game.table.seats import free_seat, reservation_of, sitting_of
from riverboat.game.table.settings import buy_in_bounds
from riverboat.game.table.state import Sitting, Table
from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.sim import life
from riverboat.sim.choice import pick
from riverboat.sim.options import is_lively
from riverboat.sim.process import Process
from riverboat.sim.simlog import SimLog, nothing
from riverboat.sim.world import World
from riverboat.wire.record import encode_asked

RESEND_MS: Final = 4_000
RESEND_MS_MOST: Final = 32_000
AWAY_MS: Final = (5_000, 40_000)  # how long one may stay away
COME_MS: Final = (2_000, 12_000)  # when one who got no seat tries again
DECIDERS: Final = ("dealer", "betting")  # who may answer a player's command


@dataclass(frozen=True, slots=True)
class Habits:
    """How the players of a run are."""

    think_ms: tuple[int, int] = (50, 1_000)
    slow: float = 0.03  # how often one thinks longer than his time allows
    busy: float = 0.15  # how often, in a pause, one does something beside playing
    tardy: float = 0.3  # how often one who is to choose the next game comes back to it late
    nonsense: float = 0.03  # how often one asks for what is not legal, or acts out of turn
    dawdle: float = 0.3  # how often one who is away stays so for a while, at such a table
    vanish: float = 0.03  # how often, at a table with options, one's line is gone on his turn
    gone_ms: tuple[int, int] = (500, 25_000)  # for how long


class Player:
    """One player at one table, for the whole run."""

    def __init__(self, world: World, log: SimLog, name: str, table: str, habits: Habits) -> None:
        self.world = world
        self.log = log
        self.name = name
        self.table = table
        self.session: Process | None = None
        self.closing = False  # from now on he only wants to leave
        self.outstanding: Asked | None = None
        self._habits = habits
        self._number = 0
        self._resend_ms = 0  # when he asks again, if he has no answer by then
        self._patience_ms = RESEND_MS
        self._next_ms = world.now_ms + world.rng.randint(0, 4_000)
        self._turn: tuple[str, int] | None = None  # the turn he is thinking about
        self._connection = 0
        self._comes_ms = 0  # before, he asks for no seat
        self._gone_ms = 0  # before, he has no line
        self._asked_at = -1  # the version at which his command had no answer yet
        self._looked_at = -1  # the version at which he wanted nothing until `_next_ms`
        self._answers = [f"{decider} {name}" for decider in DECIDERS]

    def tick(self) -> None:
        """Look at the table through the session, and do what one does."""
        session = self.session
        if session is None or session.step is None or self.world.now_ms < session.paused_until_ms:
            return
        entry = session.step.tables.entries.get(self.table)
        if entry is None or entry.table.settings is None:
            return
        table = entry.table
        if self.outstanding is not None:
            if table.version != self._asked_at or self.world.now_ms > self._resend_ms:
                self._asked_at = table.version
                self._wait(table, self.outstanding)
            return
        if table.version == self._looked_at and self.world.now_ms < self._next_ms:
            return
        command = self._wish(table)
        self._looked_at = table.version
        if command is not None:
            self._number += 1
            self.outstanding = Asked(self.table, self.name, self._number, command)
            self._patience_ms, self._asked_at = RESEND_MS, -1
            self._send(self.outstanding)
            if self.world.chance(self.log.faults.command_twice):
                self.world.reach("command_twice")
                self._send(self.outstanding)

    def _wait(self, table: Table, asked: Asked) -> None:
        for key in self._answers:
            answer = table.answers.get(key)
            if answer is not None and answer.number >= asked.number:
                self.outstanding = None
                self._next_ms = self.world.now_ms + self.world.rng.randint(50, 800)
                return
        if self.world.now_ms > self._resend_ms:
            self.world.reach("command_resent")
            self._patience_ms = min(2 * self._patience_ms, RESEND_MS_MOST)
            self._send(asked)

    def _send(self, asked: Asked) -> None:
        self._resend_ms = self.world.now_ms + self._patience_ms
        append = Append(
            topics.TABLE_COMMANDS, partition_of(asked.table), asked.table, encode_asked(asked)
        )
        self.log.append([append], nothing, nothing)

    # What he wants.

    def _wish(self, table: Table) -> Command | None:
        world = self.world
        sitting = sitting_of(table, self.name)
        hand = table.hand
        if world.now_ms < self._gone_ms and not self.closing:
            return None
        if sitting is not None and hand is not None and hand.turn == sitting.seat:
            return self._turn_wish(table, hand, sitting)
        if world.now_ms < self._next_ms:
            return None
        self._next_ms = world.now_ms + world.rng.randint(300, 3_000)
        choice = table.choice
        if choice is not None and choice.player == self.name:
            if world.chance(self._habits.tardy):
                # He comes back to it too late, or just in time.
                self._next_ms = world.now_ms + world.rng.randint(15_000, 30_000)
                return None
            return ChooseGame(choice.hand_number, world.rng.choice(choice.games).game_at)
        settings = table.settings
        assert settings is not None, "who looks at a table that stands sees its options"
        if self.closing:
            if sitting is None:
                return life.goes_home(table, self.name)
            return None if sitting.leaving else Leave()
        if sitting is None:
            return self._come(table)
        if hand is not None and world.chance(self._habits.nonsense):
            return Act(hand.id, hand.turn_number, hand.price, Action.CALL, 0, ())
        if sitting.away:
            if sitting.leaving and not world.chance(self._habits.nonsense):
                return None
            if is_lively(settings) and world.chance(self._habits.dawdle):
                self._next_ms = world.now_ms + world.rng.randint(*AWAY_MS)
                return None
            return SitIn(post=world.chance(0.7))
        if life.has_said_nothing(settings, sitting) and world.chance(self._habits.busy):
            return life.wanting(world, settings)
        if world.chance(self.log.faults.line_cut):
            world.reach("line_cut")
            return LoseLine(sitting.line or self._line(), gateway=False)
        if sitting.line_lost:
            return RegainLine(self._line())
        return self._pastime(table, sitting) if world.chance(self._habits.busy) else None

    def _come(self, table: Table) -> Command | None:
        """Ask for a seat; seldom where there is none, or where one is kept for him."""
        if self.world.now_ms < self._comes_ms:
            return None
        assert table.settings is not None
        if is_lively(table.settings):
            instead = life.on_the_way(self.world, table, self.name, self._line())
            if instead is not None:
                return instead
        if self.name in table.holds:
            waits = False
        else:
            waits = reservation_of(table, self.name) is not None or free_seat(table) is None
        if waits and not self.world.chance(0.02):
            return None
        self._comes_ms = self.world.now_ms + self.world.rng.randint(*COME_MS)
        least, most = buy_in_bounds(table.settings)
        amount = self.world.rng.randint(least, most or 4 * least)
        if self.world.chance(self._habits.nonsense):
            amount = least - 1
        post, line = self.world.chance(0.7), self._line()
        return SitDown(0, amount, post, line, life.word(self.world, table.settings))

    def _line(self) -> str:
        """A new line, which ends at his session."""
        assert self.session is not None, "who asks for something has a session"
        self._connection += 1
        call = f"{self.name}-{self._connection}"
        return connection_id(self.session.plan.name, call)

    def _pastime(self, table: Table, sitting: Sitting) -> Command | None:
        assert table.settings is not None
        rng = self.world.rng
        least, most = buy_in_bounds(table.settings)
        doing = rng.random()
        if doing < 0.2 or not sitting.stack:
            room = (most or 4 * least) - sitting.stack - sitting.behind
            return TopUp(rng.randint(1, room)) if room > 0 else None
        if sitting.leaving or doing < 0.6:
            return None
        if is_lively(table.settings) and self.world.chance(0.5):
            return life.pastime(self.world, table, sitting)
        if doing < 0.75:
            return SitOut()
        if doing < 0.85:
            return Leave()
        return None

    def _turn_wish(self, table: Table, hand: Hand, sitting: Sitting) -> Command | None:
        world, habits = self.world, self._habits
        turn = hand.id, hand.turn_number
        if self._turn != turn:
            self._turn = turn
            assert table.settings is not None
            if is_lively(table.settings) and world.chance(habits.vanish) and sitting.line:
                world.reach("vanished")
                self._gone_ms = world.now_ms + world.rng.randint(*habits.gone_ms)
                return LoseLine(sitting.line, gateway=False)
            low, high = habits.think_ms
            think = world.rng.randint(low, high)
            if world.chance(habits.slow):
                think = world.rng.randint(hand.turn_ms // 2, hand.turn_ms * 3 // 2)
            self._next_ms = world.now_ms + think
        if world.now_ms < self._next_ms:
            return None
        self._next_ms = world.now_ms + hand.turn_ms  # acts once; the clock does the rest
        found = options(hand)
        if found is None:
            return None  # who is protected stands pat, and is not asked
        cards = len(hand.seats[sitting.seat].places)
        action, total, throw = pick(world.rng, found, cards)
        if world.chance(habits.nonsense):
            total += 1_000_000
        return Act(hand.id, hand.turn_number, hand.price, action, total, throw)
