"""The simulated network: every process of it, its players, and what befalls them.

Two phases. In the first anything may fail; in the second nothing does, the players leave, and
everything that was begun must end. [ARCHITECTURE 9]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from riverboat.game.authority import BETTING, SHOWDOWN
from riverboat.game.commands import Act, OpenTable, Ordered
from riverboat.game.ids import partition_of, table_id
from riverboat.game.table.events import Settings
from riverboat.game.table.state import Table
from riverboat.log import topics
from riverboat.log.log import Append, Place, Record
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.service import Manifest
from riverboat.sim import faults
from riverboat.sim.auditor import Auditor
from riverboat.sim.bank import Wallet
from riverboat.sim.cashiers import Cashiers
from riverboat.sim.chaos import Chaos
from riverboat.sim.house import House, Order
from riverboat.sim.laws import EVERY_HAND_ENDS, LEDGER, MONEY, ONE_OUTCOME, ONE_STATE, LawBroken
from riverboat.sim.life import Operator, person
from riverboat.sim.operating import OFFICE, MakeRoom, OperatorProcess, People
from riverboat.sim.options import is_lively
from riverboat.sim.plan import Mortal, Plan
from riverboat.sim.process import Process
from riverboat.sim.simlog import SimLog, nothing
from riverboat.sim.views import ONLOOKER, Told, Views
from riverboat.sim.workload import Player
from riverboat.sim.world import EPOCH_MS, World
from riverboat.wire.record import encode_ordered

PARTITIONS: Final = 2
WALLET: Final = "wallet"
LONG_MS: Final = 30 * 24 * 3_600_000  # no run lasts longer
CALM_MS: Final = 400_000  # what was begun must end within this, once nothing fails any more
CHECK_MS: Final = 5_000
PLAY_MS: Final = 150  # how often a player looks at his table
LEVER_MS: Final = 1_000  # how often the operator looks at each table
LINES_MS: Final = 1_000  # players whose line has ended look for another
GIVEN_ONE_OF: Final = 40  # of so many players one is given money, now and then
FIRST_MOST: Final = 5_000  # offsets below the first record that is kept of a topic kept for days


class Network:
    """One run."""

    partitions = PARTITIONS
    instances = 2  # of each service

    def __init__(self, house: House, order: Order) -> None:
        self.house = house
        self.order = order
        self.world = World(order.seed)
        entropy = Seeded(order.seed)
        self.decks = house.decks(entropy.child("decks"), lambda: self.world.now_ms)
        self.auditor = self._auditor()
        self.log = self._log()
        self.ledger = house.ledger()
        self.owners: dict[tuple[str, int], set[int]] = {}
        self.tables: dict[str, Settings] = {}
        self.processes: list[Process] = []
        self.sessions: list[Process] = []
        self.wallets: list[Wallet] = []
        self.offices: list[OperatorProcess] = []
        self.players: list[Player] = []
        self.calm = False
        self.dead = ""  # the service that never comes back
        self.entropy = entropy
        self.deposits = 0
        self._heard = (0, self.world.now_ms)  # hands begun and over, then
        self._books_at = 0  # records that must stand before the whole ledger is read again
        self._build()

    def _auditor(self) -> Auditor:
        takes = {manifest.name: manifest.takes for manifest in self.house.manifests}
        self.views = Views(self.world, self.decks)
        return Auditor(self.world, self.decks, takes=takes, views=self.views)

    def _log(self) -> SimLog:
        return SimLog(self.world, self.order.faults, self._landed)

    def _landed(self, record: Record) -> None:
        self.auditor.landed(record)

    def _decided(self, record: str, state: bytes) -> None:
        self.auditor.decided(record, state)

    def _committed(self, service: str, offsets: Mapping[Place, int]) -> None:
        self.auditor.outcomes.committed(service, offsets)

    def _told(self, told: Told) -> None:
        if not self.auditor.tail_lost:  # some were told what is lost
            self.views.told(told)

    def _missing(self, process: str, table: str) -> None:
        """A table's history has a hole for this reader: it stops, it does not fork."""
        if not self.auditor.tail_lost:
            raise LawBroken(ONE_STATE, table, f"history is missing for {process}")
        self.world.reach("stopped_not_forked")

    def _build(self) -> None:
        order = self.order
        for topic in (topics.TABLE_COMMANDS, topics.TABLE_ORDERS):
            for partition in range(PARTITIONS):
                first = self.world.rng.randrange(FIRST_MOST)
                self.log.begin(Place(topic, partition), first)
        for number, settings in enumerate(order.tables, 1):
            name = table_id(number, number % PARTITIONS)
            self.tables[name] = settings
            for place in range(settings.seats + order.players_more):
                called = person(self.world, number, place, settings)
                player = self.house.player(self.world, self.log, called, name, order.habits)
                self.players.append(player)
                # Some can buy in many times, some not even once until they are given more.
                buy_ins = self.world.rng.choice([0, 1, 40, 40, 40, 40])
                self._deposit(player.name, buy_ins * max(settings.buy_in_least, 1) + 1)
        for service in (*(manifest.name for manifest in self.house.manifests), WALLET, OFFICE):
            for partition in range(PARTITIONS):
                self.owners[service, partition] = {0}
        self._staff()

    def _staff(self) -> None:
        """Every process of the network."""
        operated = any(map(is_lively, self.tables.values()))
        operated = operated and self.world.chance(self.order.operated)
        for manifest in self.house.manifests:
            for instance in range(self.instances):
                self.processes.append(self._process(manifest, instance))
        for instance in range(self.instances):
            self.sessions.append(self._session(instance))
            self.wallets.append(self._wallet(instance))
            if self.house.room is not None and operated:
                self.offices.append(self._office(instance, self.house.room))

    def _process(self, manifest: Manifest, instance: int) -> Process:
        name = f"{manifest.name}{instance}"
        plan = Plan(
            name,
            (manifest,),
            instance,
            PARTITIONS,
            self.entropy.child(name),
            self.decks,
            step=self.house.step,
            snapshots=self.house.snapshots,
            owns=partial(self._owned, instance),
            decided=self._decided,
            committed=self._committed,
            missing=self._missing,
        )
        return self.house.process(self.world, self.log, plan)

    def _owned(self, instance: int, service: str) -> set[int]:
        return {p for p in range(PARTITIONS) if instance in self.owners[service, p]}

    def _wallet(self, instance: int) -> Wallet:
        name, owns = f"wallet{instance}", partial(self._owned, instance, WALLET)
        return self.house.wallet(self.world, self.log, self.ledger, name, PARTITIONS, owns)

    def _session(self, instance: int) -> Process:
        name = f"session{instance}"
        plan = Plan(
            name, (), instance, PARTITIONS, self.entropy.child(name), self.decks,
            step=self.house.step, missing=self._missing, audience=self.house.audience,
            told=self._told,
        )  # fmt: skip
        return self.house.process(self.world, self.log, plan)

    def _office(self, instance: int, make: MakeRoom) -> OperatorProcess:
        name = f"{OFFICE}{instance}"
        entropy = self.entropy.child(name)
        plan = Plan(name, (), instance, PARTITIONS, entropy, self.decks, missing=self._missing)
        owned = partial(self._owned, instance, OFFICE)
        return OperatorProcess(self.world, self.log, plan, self.ledger, owned, make)

    def _deposit(self, player: str, amount: int) -> None:
        self.deposits += 1
        self.ledger.deposit(player, amount, f"d{self.deposits}", self.world.now_ms)

    def everybody(self) -> list[Mortal]:
        """Every process that can die."""
        return [*self.processes, *self.sessions, *self.wallets, *self.offices]

    # The run.

    def run(self) -> None:
        """Both phases; raises `LawBroken`."""
        world = self.world
        self.begin()
        world.run(self._enough, EPOCH_MS + LONG_MS)
        self._calm_down()
        world.run(lambda: self._quiet() and self._settled(), world.now_ms + CALM_MS)
        self._final()

    def begin(self) -> None:
        """Start every process, and everything that happens again and again."""
        for process in (*self.processes, *self.sessions, *self.offices):
            process.start()
        for wallet in self.wallets:
            wallet.start()
        self._open_tables()
        self._each(LINES_MS, self._lines)
        self._each(PLAY_MS, self._play)
        self._each(4_000, self._rebuy)
        self._each(CHECK_MS, self._check_ledger)
        self._each(CHECK_MS, self._listen)
        self.operator, self.people = Operator(self), People(self, self.offices)
        if self.offices:
            self._each(LEVER_MS, self.people.turn)
            self._each(LEVER_MS, Cashiers(self).turn)
        if any(map(is_lively, self.tables.values())):
            self._each(LEVER_MS, self.operator.turn)
        self.world.after(2_000, Chaos(self).turn)

    def _enough(self) -> bool:
        ended = self.auditor.ended
        self.order.progress(ended)
        return ended >= self.order.hands

    def _each(self, every_ms: int, act: Callable[[], None]) -> None:
        def again() -> None:
            act()
            self.world.after(every_ms, again)

        self.world.after(every_ms, again)

    def _open_tables(self) -> None:
        """Orders are resent until the state shows their answer."""
        missing = [
            name
            for name in self.tables
            if name not in self.auditor.tables or self.auditor.tables[name].settings is None
        ]
        for name in missing:
            order = Ordered(name, f"open-{name}", "operator", OpenTable(self.tables[name]))
            self.order_now(order)
        if missing:
            self.world.after(3_000, self._open_tables)

    def order_now(self, order: Ordered) -> None:
        """Hand an order of the house to the log."""
        append = Append(
            topics.TABLE_ORDERS, partition_of(order.table), order.table, encode_ordered(order)
        )
        self.log.append([append], nothing, nothing)

    def _lines(self) -> None:
        alive = [process for process in self.sessions if process.alive]
        for player in self.players:
            session = player.session
            if session is None or not session.alive or self.world.chance(0.02):
                if session is not None:
                    session.leave(player.name)
                player.session = session = self.world.rng.choice(alive) if alive else None
            if session is not None:
                self._look(session, player.name, player.table)
        for session in alive:
            for name in self.tables:
                self._look(session, ONLOOKER + session.plan.name, name)

    def _look(self, session: Process, viewer: str, table: str) -> None:
        session.look(viewer, table, self.views.seen(viewer, table))

    def _play(self) -> None:
        for player in self.players:
            player.tick()

    def _rebuy(self) -> None:
        if not self.calm:
            given = 1 + len(self.players) // GIVEN_ONE_OF
            for player in self.world.rng.sample(self.players, given):
                self._deposit(player.name, 5 * max(self.tables[player.table].buy_in_least, 1))

    def _check_ledger(self) -> None:
        if self.auditor.tail_lost:
            return  # a person must look at both, and the wallets have stopped
        for wallet in self.wallets:
            if wallet.halted:
                raise LawBroken(LEDGER, wallet.name, wallet.halted)
        self.auditor.ledger(self.ledger.at_tables())
        # All of a ledger is read less often the longer it is: what is wrong in it stays in it.
        if self.auditor.records >= self._books_at:
            self._books_at = self.auditor.records * 9 // 8
            self._check_books()

    def _check_books(self) -> None:
        for fault in self.ledger.faults():
            raise LawBroken(LEDGER, "the ledger", fault)
        if self.ledger.flagged() and not self.world.reached["ledger_restored"]:
            what = "a posting is flagged in a ledger that was never restored"
            raise LawBroken(MONEY, "the ledger", what)

    def _listen(self) -> None:
        hands, since_ms = self._heard
        if self.auditor.hands != hands:
            self._heard = self.auditor.hands, self.world.now_ms
        elif self.world.now_ms - since_ms > self.order.patience_ms and not self.calm:
            raise LawBroken(EVERY_HAND_ENDS, "the network", "play stands still")

    def lose_tail(self, place: Place, count: int) -> None:
        """A broker loses the last records of the hand log: from now on readers may only stop."""
        self.world.reach("tail_lost")
        self.log.lose_tail(place, count)
        self.auditor = self._auditor()
        self.auditor.tail_lost = True
        for partition in range(PARTITIONS):
            for record in self.log.records(Place(topics.HAND_LOG, partition)):
                self.auditor.landed(record)

    def check_no_fork(self) -> None:
        """Whatever a process holds now is what the log says, or it has stopped."""
        for process in (*self.processes, *self.sessions):
            for entry in process.step.tables.entries.values() if process.step else ():
                truth = self.auditor.tables.get(entry.table.id)
                if truth is not None and entry.table.version <= truth.version:
                    self.auditor.agrees(process.name, entry.table)

    # The calm after it.

    def _calm_down(self) -> None:
        self.world.tell("calm")
        self.calm = True
        self.log.faults = replace(faults.NONE)
        for key in self.owners:
            self.owners[key] = {self.world.rng.randrange(self.instances)}
        if self.world.chance(self.order.faults.dead_for_good):
            self.world.reach("dead_for_good")
            self.dead = self.world.rng.choice([BETTING, SHOWDOWN])
        for mortal in self.everybody():
            if mortal in self.processes and not self._lives(mortal):
                mortal.end()
            else:
                mortal.restart()
        for player in self.players:
            player.closing = True
        self.operator.calm_down()

    def _lives(self, process: Mortal) -> bool:
        return not (self.dead and process.name.startswith(self.dead))

    def _quiet(self) -> bool:
        return all(
            table.deal is None
            and not (table.sittings or table.reservations or table.holds or table.waiters)
            and (table.closed or not (table.paused or table.coming or table.draining))
            for table in self.auditor.tables.values()
        )

    def _settled(self) -> bool:
        ends = {
            place: self.log.end(place)
            for place in (Place(topics.HAND_LOG, p) for p in range(PARTITIONS))
        }
        read = all(
            process.step is not None and process.step.positions.get(place, 0) >= end
            for process in (*self.processes, *self.sessions)
            if self._lives(process)
            for place, end in ends.items()
        )
        booked = all(self.ledger.offset(place.partition) >= end for place, end in ends.items())
        learnt = not any(map(self._waits, self.players))
        return read and booked and learnt and not (self.ledger.owed() or self.people.waits)

    def _waits(self, player: Player) -> bool:
        """Whether he still must learn what came of his command."""
        asked = player.outstanding
        is_lost = self.dead == BETTING and asked is not None and isinstance(asked.command, Act)
        return asked is not None and not is_lost

    def _final(self) -> None:
        self._check_ledger()
        self._check_books()
        self.auditor.settled(self.dead)
        if not self.world.reached["ledger_restored"]:  # it then lacks what no hand log tells of
            self.auditor.measures.booked_as(self.ledger.corrections())
        if self.ledger.owed():
            raise LawBroken(MONEY, "the ledger", "answers that no table has ever shown")
        for process in filter(self._lives, (*self.processes, *self.sessions)):
            if process.step is None:
                raise LawBroken(EVERY_HAND_ENDS, process.name, "it is not alive after the calm")
            entries = process.step.tables.entries
            for name, truth in self.auditor.tables.items():
                if name in entries or not truth.closed:
                    table = entries[name].table if name in entries else Table(name)
                    self.auditor.stands(process.name, table)
        for player in self.players:
            if self._waits(player) and player.outstanding is not None:
                what = f"{player.name} never learnt of {player.outstanding.number}"
                raise LawBroken(ONE_OUTCOME, player.table, what)
