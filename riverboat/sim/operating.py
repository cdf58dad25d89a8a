"""The operator's service, simulated as one more process, and the people who take measures by it.

The service is the real one: it can die between any two of its steps, and two of it may own the same
partition. People ask again with the same key until they are answered, and now and then once more.
What a measure may do is for others to judge; that a retry is answered as before is judged here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from riverboat.game.record import Record
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime.clock import Clock
from riverboat.sim.asynclog import AsyncLog
from riverboat.sim.bank import Ledger
from riverboat.sim.laws import MEASURES, NO_FAILURE, LawBroken
from riverboat.sim.plan import Plan
from riverboat.sim.process import Process
from riverboat.sim.simlog import SimLog
from riverboat.sim.views import Told
from riverboat.sim.virtual import VirtualLoop
from riverboat.sim.world import World
from riverboat.wire.v1 import operator_pb2 as pb

if TYPE_CHECKING:
    from riverboat.sim.network import Network

OFFICE: Final = "operator"
PEOPLE: Final = ("ann", "bob")
TURN_MS: Final = 1_000
OFTEN: Final = 0.2  # how often somebody takes a measure, at each turn
ASK_AGAIN_MS: Final = 8_000
ONCE_MORE: Final = 0.2  # how often one asks again what was answered
FROZEN_MS: Final = 20_000


class Room(Protocol):
    """The operator's service of one life of one process."""

    async def start(self) -> None:
        """Read the logs on, and act."""

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        """A record was folded."""

    async def take(self, by: str, key: str, why: str, measure: pb.Measure) -> tuple[str, bool]:
        """Take a measure: what was answered, and whether that says nothing of the measure."""

    @property
    def open(self) -> int:
        """How many measures have no end yet."""


MakeRoom = Callable[["OperatorProcess", AsyncLog], Room]


class OperatorProcess(Process):
    """One process of the operator's service through all its lives."""

    def __init__(
        self,
        world: World,
        log: SimLog,
        plan: Plan,
        ledger: Ledger,
        owned: Callable[[], set[int]],
        make: MakeRoom,
    ) -> None:
        super().__init__(world, log, plan)
        plan.audience = lambda _decks, _clock: _Ear(self)
        self.room: Room | None = None
        self.loop: VirtualLoop | None = None
        self.ledger = ledger
        self._owned = owned
        self._make = make

    @property
    def time(self) -> Clock:
        """Its clock."""
        return self._time

    def fatal(self, error: BaseException) -> None:
        """A part of the service broke."""
        raise LawBroken(NO_FAILURE, self.name, repr(error))

    def tables(self) -> Mapping[str, Table]:
        """The tables as they stand here."""
        entries = self.step.tables.entries if self.step is not None else {}
        return {name: entry.table for name, entry in entries.items()}

    def _recover(self) -> None:
        self._close()
        loop = VirtualLoop(self.world, lambda: self.paused_until_ms, self._dies)
        face = AsyncLog(self.log, self.name, self.plan.partitions, self._share)
        self.loop, self.room = loop, self._make(self, face)
        super()._recover()
        loop.begin(self.room.start())

    def _share(self) -> frozenset[int]:
        return frozenset(self._owned())

    def _dies(self) -> bool:
        """Between any two steps."""
        if not self.world.chance(self.log.faults.crash_between):
            return False
        self.world.reach("office_crash")
        self.die()
        return True

    def die(self) -> None:
        self._close()
        super().die()

    def end(self) -> None:
        self._close()
        super().end()

    def _close(self) -> None:
        if self.loop is not None:
            self.loop.end()
        self.loop = self.room = None

    def _beat(self) -> None:
        """It is no session."""


class _Ear:
    """Hands what is folded to the service; see `Audience` in riverboat/sim/views.py."""

    def __init__(self, process: OperatorProcess) -> None:
        self._process = process

    def see(self, table: Table, record: Record, found: log.Record) -> None:
        room, loop = self._process.room, self._process.loop
        if room is not None and loop is not None:
            with loop.inside():
                room.saw(table, record, found)

    def look(self, viewer: str, table: Table, seen: int) -> None:
        """Nobody looks at tables through it."""

    def leave(self, viewer: str) -> None:
        """Nor leaves."""

    def cut(self) -> Callable[[], Sequence[Told]]:
        return _nothing_told


def _nothing_told() -> Sequence[Told]:
    return ()


@dataclass(slots=True)
class _Asking:
    """A measure that somebody wants."""

    by: str
    key: str
    measure: pb.Measure
    answer: str = ""
    ask_ms: int = 0  # when it is asked again, if there is no answer by then
    again: bool = False  # it is asked once more, though it was answered


class People:
    """Who takes measures: each one at a time."""

    def __init__(self, network: Network, processes: Sequence[OperatorProcess]) -> None:
        self.net = network
        self.processes = processes
        self._asking: dict[str, _Asking] = {}
        self._number = 0
        self._hands: list[tuple[str, list[str]]] = []

    @property
    def waits(self) -> bool:
        """Whether somebody has no answer yet, or something no end."""
        rooms = [process.room for process in self.processes if process.room is not None]
        return bool(self._asking) or any(room.open for room in rooms)

    def turn(self) -> None:
        """Now and then a measure; and those without an answer once more."""
        world = self.net.world
        for asking in list(self._asking.values()):
            if world.now_ms >= asking.ask_ms:
                if asking.ask_ms:
                    world.reach("measure_asked_again")
                self._ask(asking)
        for by in PEOPLE:
            if by not in self._asking and not self.net.calm and world.chance(OFTEN):
                measure = self._wanted(by)
                if measure is not None:
                    self._take(by, measure)

    def _take(self, by: str, measure: pb.Measure) -> None:
        self._number += 1
        self.net.world.reach(f"measure_{measure.WhichOneof('measure')}")
        self._asking[by] = _Asking(by, f"k{self._number}", measure)
        self._ask(self._asking[by])

    def _ask(self, asking: _Asking) -> None:
        world = self.net.world
        asking.ask_ms = world.now_ms + ASK_AGAIN_MS
        alive = [one for one in self.processes if one.alive and one.room is not None]
        if not alive:
            return
        process = world.rng.choice(alive)
        assert process.loop is not None and process.room is not None
        taking = process.room.take(asking.by, asking.key, "as the simulation wants", asking.measure)
        process.loop.begin(taking).add_done_callback(partial(self._answered, asking))

    def _answered(self, asking: _Asking, task: asyncio.Task[tuple[str, bool]]) -> None:
        answer, passing = task.result()
        if passing or self._asking.get(asking.by) is not asking:
            return
        refused = " " in answer
        if asking.answer and answer != asking.answer and not refused:
            what = f"{asking.key} of {asking.by} was answered {asking.answer}, then {answer}"
            raise LawBroken(MEASURES, asking.by, what)
        world = self.net.world
        if not refused and not asking.answer and world.chance(ONCE_MORE):
            asking.answer, asking.ask_ms = answer, world.now_ms + 1
            return
        self._asking.pop(asking.by)

    # What they want.

    def _wanted(self, by: str) -> pb.Measure | None:
        net, rng = self.net, self.net.world.rng
        table = rng.choice(list(net.auditor.tables.values())) if net.auditor.tables else None
        if table is None or table.closed or table.settings is None:
            return None
        player = rng.choice(net.players).name
        make = rng.choice(_WANTS)
        return make(self, by, table, player)

    def _pause(self, _by: str, table: Table, _player: str) -> pb.Measure:
        for_ms = self.net.world.rng.randint(1_000, 8_000)
        return pb.Measure(pause=pb.Measure.Pause(table=table.id, for_ms=for_ms))

    def _resume(self, _by: str, table: Table, _player: str) -> pb.Measure | None:
        return pb.Measure(resume=pb.Measure.Resume(table=table.id)) if table.paused else None

    def _remove(self, _by: str, table: Table, _player: str) -> pb.Measure | None:
        if not table.sittings:
            return None
        player = self.net.world.rng.choice(list(table.sittings.values())).player
        return pb.Measure(remove=pb.Measure.Remove(table=table.id, player=player))

    def _void(self, _by: str, table: Table, _player: str) -> pb.Measure | None:
        if table.deal is None or self.net.world.chance(0.7):
            return None
        return pb.Measure(void=pb.Measure.Void(hand=table.deal.hand))

    def _warn(self, _by: str, _table: Table, player: str) -> pb.Measure:
        return pb.Measure(warn=pb.Measure.Warn(player=player, text="play on"))

    def _say(self, _by: str, table: Table, _player: str) -> pb.Measure:
        return pb.Measure(say=pb.Measure.Say(table=table.id, text="good evening"))

    def _freeze(self, by: str, _table: Table, player: str) -> pb.Measure:
        self.net.world.after(FROZEN_MS, partial(self._thaw, by, player))
        return pb.Measure(freeze=pb.Measure.Freeze(player=player))

    def _thaw(self, by: str, player: str) -> None:
        if by in self._asking:
            self.net.world.after(TURN_MS, partial(self._thaw, by, player))
        else:
            self._take(by, pb.Measure(thaw=pb.Measure.Thaw(player=player)))

    def _refund(self, _by: str, table: Table, player: str) -> pb.Measure:
        assert table.settings is not None
        amount, currency = self.net.world.rng.randint(1, 50), table.settings.currency
        return pb.Measure(refund=pb.Measure.Refund(player=player, currency=currency, amount=amount))

    def _correct(self, by: str, _table: Table, _player: str) -> pb.Measure | None:
        """Propose, or approve what is proposed: sometimes one's own, which must be refused."""
        rng, measures = self.net.world.rng, self.net.auditor.measures
        if measures.proposed and rng.random() < 0.7:
            own_id = rng.choice(list(measures.proposed))
            return pb.Measure(approve=pb.Measure.Approve(correction=own_id))
        if not measures.hands:
            return None
        hand, players = rng.choice(measures.hands)
        amount, (loser, winner) = rng.randint(1, 200), rng.sample([*players, ""], 2)
        legs = [
            pb.CorrectionLeg(player=loser, amount=-amount),
            pb.CorrectionLeg(player=winner, amount=amount),
        ]
        return pb.Measure(propose=pb.Measure.Propose(hand=hand, legs=legs))


_WANTS: Final[Sequence[Callable[[People, str, Table, str], pb.Measure | None]]] = (
    People._pause,
    People._resume,
    People._remove,
    People._void,
    People._warn,
    People._say,
    People._freeze,
    People._refund,
    People._correct,
)
