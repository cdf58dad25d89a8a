"""The auditor: reads every record as it lands and holds the network to its laws. [ARCHITECTURE 3]

It keeps its own fold of the log, the order of every deck, the outcome of every command, and asks
the ledger. It never tells the network anything, and a broken law ends the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from riverboat.game.commands import Act, Asked
from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Checked,
    Drew,
    Folded,
    HandEnded,
    HandShown,
    HandStarted,
    HandVoided,
    RaisedTo,
    Reshuffled,
    SplitChosen,
    SplitRefused,
    StreetDealt,
    TimedOut,
)
from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import Hand
from riverboat.game.record import Record
from riverboat.game.table.digest import digest
from riverboat.game.table.events import (
    BuyInReturned,
    CommandRefused,
    PlayerSeated,
    ReservationFailed,
    ToppedUp,
)
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.commitment import verify
from riverboat.sim.bank import AtTable
from riverboat.sim.chips import at_table, chips_fault
from riverboat.wire.record import Unreadable, decode_asked, decode_record

ACTIONS = (Folded, Checked, Called, RaisedTo, BroughtIn, Drew, SplitChosen, SplitRefused)


class LawBroken(Exception):
    """A law is broken; `law` names it, `where` the table and its version."""

    def __init__(self, law: str, where: str, what: str) -> None:
        super().__init__(f"{law}: {where}: {what}")
        self.law = law
        self.where = where


class Witness(Protocol):
    """Whoever wants to know what was met on the way."""

    def reach(self, fault: str, times: int = 1) -> None:
        """This was met."""

    def tell(self, *words: object) -> None:
        """This happened."""


class Auditor:
    """The truth: the fold of all that landed, in the order in which it landed.

    `decks` opens decks; without it the laws on cards are not checked. `wanted` names the version of
    each table at which the ledger will be asked; without it every version is remembered.
    """

    def __init__(
        self,
        witness: Witness,
        decks: Decks | None,
        wanted: Mapping[str, int] | None = None,
    ) -> None:
        self.world = witness
        self.tables: dict[str, Table] = {}
        self.records = 0
        self.events = 0
        self.actions = 0
        self.started = 0
        self.ended = 0
        self.voided = 0
        self.digests: dict[tuple[str, int], bytes] = {}
        self.asked: dict[tuple[str, str, int], int] = {}  # (table, player, number): first offset
        self._decks = decks
        self._wanted = wanted
        self._decided_on: dict[str, bytes] = {}
        self._stacks: dict[tuple[str, int], Mapping[str, int]] = {}
        self._heads: dict[tuple[str, int], str] = {}
        self._outcomes: dict[tuple[str, str, str, int], int] = {}
        self._reservations: dict[str, str] = {}
        self._in_time: dict[tuple[str, str, int, str], tuple[int, int]] = {}
        self._dealt: dict[str, set[int]] = {}

    def decided(self, record: str, state: bytes) -> None:
        """A process says on which state it decided this record."""
        self._decided_on[record] = state

    def landed(self, found: log.Record) -> None:
        """One more record stands."""
        if found.value is None:
            return
        if found.topic == topics.HAND_LOG:
            self._hand_log(found)
        elif found.topic == topics.TABLE_COMMANDS:
            try:
                self._command(decode_asked(found.value), found)
            except Unreadable:
                return

    # The log's own laws.

    def _hand_log(self, found: log.Record) -> None:
        assert found.value is not None
        try:
            record = decode_record(found.value)
        except Unreadable:
            return
        table = self.tables.setdefault(record.table, Table(record.table))
        how = fit(table, record)
        if how is Fit.STALE:
            self.world.reach("stale")
            return
        if how is Fit.GAP:
            self.world.reach("sibling")
            raise LawBroken("one state", _at(table), f"{record.id} follows what never was")
        before = self._decided_on.pop(record.id, None)
        if before is not None and before != digest(table):
            raise LawBroken("one state", _at(table), f"{record.id} was decided on another state")
        self._before(table, record)
        try:
            apply(table, record, found.time_ms)
        except BadRecord as error:
            self.world.reach("unauthorised")
            self.world.tell("unauthorised", error)
            return
        if table.stopped:
            raise LawBroken("one state", _at(table), f"the truth cannot be folded: {table.stopped}")
        self.records += 1
        self.events += len(record.events)
        self.actions += sum(isinstance(event, ACTIONS) for event in record.events)
        self._answered(table, record)
        for event in record.events:
            after = _AFTER.get(type(event))
            if after is not None:
                after(self, table, record, event)
        self._chips(table)

    def _chips(self, table: Table) -> None:
        fault = chips_fault(table)
        if fault:
            raise LawBroken("chips", _at(table), fault)
        if self._wanted is not None and self._wanted.get(table.id) != table.version:
            return
        key = table.id, table.version
        self._stacks[key] = at_table(table)
        self._heads[key] = table.head
        self.digests[key] = digest(table)

    def _answered(self, table: Table, record: Record) -> None:
        answers = record.answers
        if answers is None or not answers.player:
            return
        key = record.service, table.id, answers.player, answers.number
        if key in self._outcomes:
            what = f"{key} was answered at version {self._outcomes[key]} already"
            raise LawBroken("one outcome", _at(table), what)
        self._outcomes[key] = table.version
        refused = any(isinstance(event, CommandRefused) for event in record.events)
        if refused:
            self.world.reach("refused")
            if len(record.events) != 1:
                raise LawBroken("one outcome", _at(table), f"{record.id} refuses and acts")
            for key_in_time, (number, _) in list(self._in_time.items()):
                if number == answers.number and key_in_time[3] == answers.player:
                    del self._in_time[key_in_time]

    def _command(self, asked: Asked, found: log.Record) -> None:
        self.asked.setdefault((asked.table, asked.player, asked.number), found.offset)
        if isinstance(asked.command, Act):
            act = asked.command
            key = asked.table, act.hand, act.turn, asked.player
            self._in_time.setdefault(key, (asked.number, found.time_ms))

    # Before a record is applied: what it was decided on.

    def _before(self, table: Table, record: Record) -> None:
        hand = table.hand
        if hand is None:
            return
        for event in record.events:
            if isinstance(event, TimedOut):
                self._time_out(table, hand, event)
        if any(isinstance(event, HandEnded) for event in record.events):
            self._judged(table, hand, record)

    def _time_out(self, table: Table, hand: Hand, event: TimedOut) -> None:
        seat = hand.seats[event.seat]
        number, time_ms = self._in_time.get((table.id, hand.id, event.turn, seat.player), (0, 0))
        last = table.answers.get(f"betting {seat.player}")
        if last is not None and last.number >= number:
            return  # answered, or overtaken by a later command of the same player
        if number and time_ms < hand.deadline_ms:
            what = f"act {number} of {seat.player} was in time and lost to the clock"
            raise LawBroken("in time", _at(table), what)

    def _judged(self, table: Table, hand: Hand, record: Record) -> None:
        """The same showdown, judged again from the deck that was sealed at the start."""
        if self._decks is None:
            return
        deck = self._decks.open(table.id, hand)
        hole = {
            number: tuple(deck.order[place] for place in seat.places)
            for number, seat in hand.seats.items()
            if not seat.folded
        }
        mine = judge(hand, hole, deck.prove)
        if tuple(mine) != record.events:
            what = f"{record.id} judged {record.events}, the cards say {mine}"
            raise LawBroken("chips", _at(table), what)

    # After it.

    def _hand_started(self, table: Table, record: Record, event: HandStarted) -> None:
        del record
        self.started += 1
        self._dealt[event.hand] = set()
        if table.hand is None:
            raise LawBroken("one state", _at(table), "a hand started that is not there")
        if self._decks is None:
            return
        order = self._decks.open(table.id, table.hand).order
        if len(set(order)) != len(order):
            raise LawBroken("cards", _at(table), "the deck holds a card twice")

    def _reshuffled(self, table: Table, record: Record, event: Reshuffled) -> None:
        del record, event
        if table.hand is not None:
            self._dealt[table.hand.id] = set()

    def _street_dealt(self, table: Table, record: Record, event: StreetDealt) -> None:
        hand = table.hand
        if hand is None:
            return
        places = [place for to in event.to for place in (*to.down, *to.up_places)]
        places += [place for board in event.board for place in board.places]
        dealt = self._dealt.setdefault(hand.id, set())
        if len(set(places)) != len(places) or dealt & set(places):
            raise LawBroken("cards", _at(table), f"{record.id} deals a card twice")
        dealt |= set(places)
        shown = {
            place: card for to in event.to for place, card in zip(to.up_places, to.up, strict=True)
        }
        for board in event.board:
            shown |= dict(zip(board.places, board.cards, strict=True))
        self._open(table, hand, shown, event.proofs)

    def _shown(self, table: Table, record: Record, event: HandShown) -> None:
        hand = table.hand
        if hand is None:
            if not any(isinstance(other, HandEnded) for other in record.events):
                raise LawBroken("cards", _at(table), f"{record.id} shows cards without a hand")
            return
        seat = hand.seats[event.seat]
        if seat.folded:
            raise LawBroken("cards", _at(table), f"{record.id} shows a folded hand")
        live = [other for other in hand.seats.values() if not other.folded]
        betting_is_over = len(live) > 1 and sum(other.stack > 0 for other in live) < 2
        ends = any(isinstance(other, HandEnded) for other in record.events)
        if not betting_is_over and not ends:
            raise LawBroken("cards", _at(table), f"{record.id} shows cards before their time")
        shown = dict(zip(seat.places, event.cards, strict=True))
        self._open(table, hand, shown, event.proofs)

    def _open(self, table: Table, hand: Hand, shown: dict[int, int], proofs: bytes) -> None:
        if self._decks is not None:
            order = self._decks.open(table.id, hand).order
            if any(order[place] != card for place, card in shown.items()):
                raise LawBroken("cards", _at(table), "a card is shown that was not dealt")
        if not verify(hand.root, shown, proofs):
            raise LawBroken("cards", _at(table), "a shown card's proof does not hold")

    def _ended(self, table: Table, record: Record, event: HandEnded) -> None:
        del record
        self.ended += 1
        self._dealt.pop(event.hand, None)
        if sum(net.amount for net in event.nets) + event.rake:
            raise LawBroken("chips", _at(table), f"hand {event.hand} does not sum to zero")

    def _hand_voided(self, table: Table, record: Record, event: HandVoided) -> None:
        del table, record
        self.voided += 1
        self._dealt.pop(event.hand, None)
        self.world.reach("voided")

    def _reservation(self, table: Table, record: Record, event: Any) -> None:
        del record
        name = type(event).__name__
        if event.reservation in self._reservations:
            was = self._reservations[event.reservation]
            raise LawBroken("money", _at(table), f"{event.reservation} ended twice: {was}, {name}")
        self._reservations[event.reservation] = name
        self.world.reach(name)

    # Questions asked from outside.

    def ledger(self, at_tables: Mapping[str, AtTable], faults: list[str]) -> None:
        """The ledger agrees with the log, at the versions that it has booked."""
        for fault in faults:
            raise LawBroken("ledger", "the ledger", fault)
        for name, stands in at_tables.items():
            key = name, stands.version
            if self._heads.get(key) not in (None, stands.record):
                raise LawBroken("ledger", f"{name} v{stands.version}", "booked another record")
            want = {who: chips for who, chips in self._stacks.get(key, {}).items() if chips}
            if key in self._stacks and want != stands.sittings:
                what = f"the ledger has {stands.sittings}, the table {want}"
                raise LawBroken("ledger", f"{name} v{stands.version}", what)

    def settled(self) -> None:
        """After the calm: every hand has ended, no money is on its way, no command forgotten."""
        for table in self.tables.values():
            if table.deal is not None:
                raise LawBroken("every hand ends", _at(table), f"{table.deal.hand} never ended")
            if table.reservations:
                raise LawBroken("money", _at(table), f"never answered: {list(table.reservations)}")
        for name, player, number in self.asked:
            answered = any(
                (service, name, player, later) in self._outcomes
                for service in ("dealer", "betting")
                for later in (number,)
            )
            if not answered and not self._overtaken(name, player, number):
                raise LawBroken("one outcome", name, f"command {number} of {player} has none")

    def _overtaken(self, name: str, player: str, number: int) -> bool:
        answers = self.tables[name].answers if name in self.tables else {}
        return any(
            answer.number > number for key, answer in answers.items() if key.endswith(f" {player}")
        )

    def agrees(self, process: str, table: Table) -> None:
        """This process has folded the table to the same state."""
        truth = self.tables.get(table.id)
        if truth is None or table.version == 0:
            return
        if digest(table) != self.digests.get((table.id, table.version)):
            raise LawBroken("one state", _at(table), f"{process} has folded another state")
        if table.version != truth.version:
            what = f"{process} stands at {table.version}, the log at {truth.version}"
            raise LawBroken("every hand ends", _at(table), what)


def _at(table: Table) -> str:
    return f"{table.id} v{table.version}"


_AFTER: dict[type, Callable[[Auditor, Table, Record, Any], None]] = {
    HandStarted: Auditor._hand_started,
    Reshuffled: Auditor._reshuffled,
    StreetDealt: Auditor._street_dealt,
    HandShown: Auditor._shown,
    HandEnded: Auditor._ended,
    HandVoided: Auditor._hand_voided,
    PlayerSeated: Auditor._reservation,
    ToppedUp: Auditor._reservation,
    BuyInReturned: Auditor._reservation,
    ReservationFailed: Auditor._reservation,
}
