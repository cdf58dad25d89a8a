"""The auditor: reads every record as it lands and holds the network to its laws. [ARCHITECTURE 3]

It keeps its own fold of the log, and hands each record to those who know one law: outcomes.py,
cards.py, funds.py. It never tells the network anything, and a broken law ends the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Checked,
    Drew,
    Folded,
    HandEnded,
    HandStarted,
    HandVoided,
    RaisedTo,
    SplitChosen,
    SplitRefused,
)
from riverboat.game.ids import partition_of
from riverboat.game.record import Record
from riverboat.game.table.digest import digest
from riverboat.game.table.events import GameChosen
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.sim.bank import AtTable
from riverboat.sim.bounds import Bounds
from riverboat.sim.cards import Cards
from riverboat.sim.chips import chips_fault
from riverboat.sim.funds import Funds
from riverboat.sim.laws import CHIPS, EVERY_HAND_ENDS, ONE_STATE, LawBroken, Witness, at
from riverboat.sim.measures import Measures
from riverboat.sim.outcomes import Outcomes, Takes
from riverboat.sim.promises import Promises
from riverboat.sim.reached import Reached
from riverboat.sim.views import Views
from riverboat.wire.record import UnknownKind, Unreadable, decode_asked, decode_record

ACTIONS: Final = (Folded, Checked, Called, RaisedTo, BroughtIn, Drew, SplitChosen, SplitRefused)


class Auditor:
    """The truth: the fold of all that landed, in the order in which it landed.

    `decks` opens decks; without it only what is public of the cards is checked. `wanted` names the
    version of each table at which the ledger will be asked; without it every version is remembered.
    `takes` says which commands are for which decider; `views` is told what may be seen.
    """

    def __init__(
        self,
        witness: Witness,
        decks: Decks | None,
        wanted: Mapping[str, int] | None = None,
        takes: Mapping[str, Takes] | None = None,
        views: Views | None = None,
    ) -> None:
        self.world = witness
        self.tables: dict[str, Table] = {}
        self.records = 0
        self.events = 0
        self.actions = 0
        self.started = 0
        self.ended = 0
        self.voided = 0
        self.tail_lost = False
        self.unreadable: list[tuple[log.Record, str]] = []  # and why
        self.outcomes = Outcomes(witness, takes or {})
        self.promises = Promises(witness)
        self.measures = Measures(witness)
        self.bounds = Bounds()
        self._reached = Reached(witness)
        self.cards = Cards(decks)
        self._views = views
        self._funds = Funds(witness, wanted)
        self._keeps_all = wanted is None
        self._digests: dict[tuple[str, int], bytes] = {}
        self._decided_on: dict[str, bytes] = {}
        self._ids: dict[str, _Numbers] = {}

    @property
    def hands(self) -> int:
        """Beginnings and ends of hands: as long as it grows, somebody plays."""
        return self.started + self.ended + self.voided

    def decided(self, record: str, state: bytes) -> None:
        """A process says on which state it decided this record."""
        self._decided_on[record] = state

    def landed(self, found: log.Record) -> None:
        """One more record stands."""
        if found.value is None:
            return
        try:
            if found.topic == topics.HAND_LOG:
                record = decode_record(found.value)
                if not _is_home(record.table, found.partition):
                    raise Unreadable(f"{record.table} has no business in this partition")
                self._hand_log(record, found)
            elif found.topic == topics.TABLE_COMMANDS:
                self.outcomes.asked(decode_asked(found.value), found)
            elif found.topic == topics.OPERATOR_LOG:
                self.measures.landed(found)
            elif found.topic == topics.TABLE_ORDERS:
                self.measures.ordered(found)
        except UnknownKind:
            return  # a beat, or what only a newer version asks: nobody puts it aside
        except Unreadable as why:
            self.unreadable.append((found, str(why)))

    def _hand_log(self, record: Record, found: log.Record) -> None:
        table = self.tables.get(record.table)
        if table is None:
            table = self.tables[record.table] = Table(record.table)
        how = fit(table, record)
        if how is Fit.STALE:
            self.world.reach("stale")
            return
        if how is Fit.GAP and self.tail_lost:
            # Whoever wrote it had read what is lost: from here on the table must stand still.
            self.world.reach("sibling")
            return
        if how is Fit.GAP:
            what = (
                f"version {record.version}, {record.id}, follows {record.parent}, which never was"
            )
            raise LawBroken(ONE_STATE, at(table), what)
        before = self._decided_on.pop(record.id, None)
        if before is not None and before != self._digest(table):
            raise LawBroken(ONE_STATE, at(table), f"{record.id} was decided on another state")
        self.outcomes.before(table, record, found.time_ms)
        self.promises.before(table, record, found.time_ms)
        self.bounds.before(table, record, found.time_ms)
        self._reached.before(table, record)
        self.cards.before(table, record)
        try:
            apply(table, record, found.time_ms)
        except BadRecord as error:
            self.world.reach("unauthorised")
            self.world.tell("unauthorised", error)
            return
        if table.stopped:
            raise LawBroken(ONE_STATE, at(table), f"the truth cannot be folded: {table.stopped}")
        self._applied(table, record)
        self.measures.after(record, found.partition)

    def _applied(self, table: Table, record: Record) -> None:
        writer, _, number = record.id.rpartition("/")
        if not self._ids.setdefault(writer, _Numbers()).add(number):
            raise LawBroken(ONE_STATE, at(table), f"two records are called {record.id}")
        self.records += 1
        self.events += len(record.events)
        self.actions += sum(isinstance(event, ACTIONS) for event in record.events)
        self.outcomes.after(table, record)
        self.cards.after(table, record)
        if self._views is not None:
            self._views.after(table, record)
        for event in record.events:
            self._count(table, event)
        fault = chips_fault(table)
        if fault:
            raise LawBroken(CHIPS, at(table), fault)
        self._funds.after(table, record)
        if self._keeps_all:
            self._digests[table.id, table.version] = digest(table)

    def _count(self, table: Table, event: object) -> None:
        if isinstance(event, HandStarted):
            self.started += 1
        elif isinstance(event, HandEnded):
            self.ended += 1
            self.outcomes.hand_over(event.hand)
            if sum(net.amount for net in event.nets) + event.rake:
                raise LawBroken(CHIPS, at(table), f"hand {event.hand} does not sum to zero")
        elif isinstance(event, HandVoided):
            self.voided += 1
            self.outcomes.hand_over(event.hand)
            self.world.reach("voided")
        elif isinstance(event, GameChosen):
            self.world.reach(f"game_{event.why}")

    def _digest(self, table: Table) -> bytes:
        """Of the table as it stands, which was made when it came to stand so."""
        return self._digests.get((table.id, table.version)) or digest(table)

    # Questions asked from outside.

    def ledger(self, at_tables: Mapping[str, AtTable]) -> None:
        """The ledger agrees with the log at the versions that it has booked."""
        self._funds.ledger(at_tables)

    def settled(self, dead: str = "") -> None:
        """After the calm: every hand has ended, no money is on its way, no command forgotten.

        `dead` is the service that never came back: what was asked of it is not answered.
        """
        for table in self.tables.values():
            if table.deal is not None:
                raise LawBroken(EVERY_HAND_ENDS, at(table), f"{table.deal.hand} never ended")
        self._funds.settled(self.tables)
        self.outcomes.settled(self.tables, dead)
        self.promises.settled(self.tables)
        self.measures.settled()

    def agrees(self, process: str, table: Table) -> None:
        """This process has folded the table to a state that was true."""
        if table.version and digest(table) != self._digests.get((table.id, table.version)):
            raise LawBroken(ONE_STATE, at(table), f"{process} has folded another state")

    def stands(self, process: str, table: Table) -> None:
        """This process has folded the table to its end."""
        self.agrees(process, table)
        truth = self.tables.get(table.id)
        if truth is not None and table.version != truth.version:
            what = f"{process} stands at {table.version}, the log at {truth.version}"
            raise LawBroken(EVERY_HAND_ENDS, at(table), what)


def _is_home(table: str, partition: int) -> bool:
    try:
        return partition_of(table) == partition
    except ValueError:
        return False


class _Numbers:
    """Which numbers of one writer stand, a bit each."""

    PAGE: Final = 512

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}

    def add(self, number: str) -> bool:
        """Note it; false when it was there already, or is no number."""
        if not number.isdecimal():
            return False
        page, bit = divmod(int(number), self.PAGE)
        bits = self._pages.get(page, 0)
        self._pages[page] = bits | 1 << bit
        return not bits >> bit & 1
