"""What operators do, held to what the house rules promise of it. [ARCHITECTURE 3]

Every measure has who, why and a key, and is taken before it is carried out; its order has an effect
at its table once; a correction is approved by somebody else than who proposed it, and once. All of
it is seen from the logs alone. Carries nothing out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final, NamedTuple

from google.protobuf.message import DecodeError

from riverboat.game.hand.events import HandEnded
from riverboat.game.record import Record
from riverboat.game.table.events import CommandRefused
from riverboat.log import log, topics
from riverboat.sim.laws import MEASURES, LawBroken, Witness
from riverboat.wire.record import UnknownKind, Unreadable, decode_ordered
from riverboat.wire.v1 import operator_pb2 as pb

MARK: Final = "operator/"  # so begins the id of an order that a measure gives
SHORT: Final = "table-orders"
HANDS_MOST: Final = 20  # hands that are over and may be corrected


class _Order(NamedTuple):
    """An order of a measure, where it stands."""

    id: str
    by: str


class Measures:
    """All that operators do, as the logs tell it."""

    def __init__(self, witness: Witness) -> None:
        self.proposed: dict[str, str] = {}  # corrections that nobody has decided about: by whom
        self.hands: deque[tuple[str, list[str]]] = deque(maxlen=HANDS_MOST)
        self.booked: set[str] = set()  # measures that the ledger has a posting for
        self.taken: dict[str, pb.MeasureTaken] = {}
        self.ended: dict[str, pb.MeasureEnded] = {}
        self._witness = witness
        self._approved: dict[str, str] = {}
        self._orders: dict[tuple[int, int], _Order] = {}
        self._had_effect: dict[str, str] = {}  # order: the record that answered it

    @property
    def open(self) -> set[str]:
        """Those that were taken and have no end yet."""
        return self.taken.keys() - self.ended.keys()

    def landed(self, found: log.Record) -> None:
        """One more record of the operator-log."""
        record, where = pb.OperatorRecord(), f"{found.topic}/{found.partition}/{found.offset}"
        try:
            record.ParseFromString(found.value or b"")
        except DecodeError:
            return  # it is passed over by whoever reads it
        match record.WhichOneof("event"):
            case "taken":
                self._taken(record.taken, where)
            case "ended":
                self._ended(record.ended, where)

    def _taken(self, taken: pb.MeasureTaken, where: str) -> None:
        for name in ("id", "by", "key", "why", "subject"):
            if not getattr(taken, name):
                raise LawBroken(MEASURES, where, f"{taken.id} does not say its {name}")
        if taken.id in self.taken:
            self._witness.reach("measure_taken_twice")  # passed over by whoever carries it out
            return
        self.taken[taken.id] = taken

    def _ended(self, ended: pb.MeasureEnded, where: str) -> None:
        taken = self.taken.get(ended.id)
        if taken is None:
            raise LawBroken(MEASURES, where, f"{ended.id} ends, and nobody took it")
        if ended.id in self.ended:
            self._witness.reach("measure_ended_twice")
            if ended.posting != self.ended[ended.id].posting:
                raise LawBroken(MEASURES, where, f"{ended.id} was booked twice")
            return
        self.ended[ended.id] = ended
        self._witness.reach("measure_refused" if ended.refused else "measure_ended")
        if ended.refused:
            return
        measure = taken.measure
        if ended.posting:
            self.booked.add(ended.posting)
        match measure.WhichOneof("measure"):
            case "propose":
                self.proposed[taken.id] = taken.by
            case "reject":
                self.proposed.pop(measure.reject.correction, None)
            case "approve":
                self._approve(taken, measure.approve.correction, where)

    def _approve(self, taken: pb.MeasureTaken, correction: str, where: str) -> None:
        proposal = self.taken.get(correction)
        if proposal is None or correction in self._approved:
            raise LawBroken(MEASURES, where, f"{correction} is approved, and does not wait for it")
        if proposal.by == taken.by:
            what = f"{correction} is proposed and approved by {taken.by} alone"
            raise LawBroken(MEASURES, where, what)
        self._approved[correction] = taken.by
        self.proposed.pop(correction, None)

    def ordered(self, found: log.Record) -> None:
        """One more order to a table."""
        if found.value is None or MARK.encode() not in found.value:
            return
        try:
            order = decode_ordered(found.value)
        except (UnknownKind, Unreadable):
            return  # told of by others
        if order.id.startswith(MARK):
            self._orders[found.partition, found.offset] = _Order(order.id, order.by)

    def check_orders(self) -> None:
        """Whatever was ordered, somebody took; asked once all that was taken is known."""
        for (partition, offset), order in self._orders.items():
            taken = self.taken.get(order.id.removeprefix(MARK))
            where = f"{topics.TABLE_ORDERS}/{partition}/{offset}"
            if taken is None:
                raise LawBroken(MEASURES, where, f"{order.id} orders what nobody took")
            if taken.by != order.by:
                what = f"{order.id} of {taken.by} bears the name of {order.by}"
                raise LawBroken(MEASURES, where, what)

    def after(self, record: Record, partition: int) -> None:
        """A record of a table stands."""
        answers = record.answers
        if answers is not None and not answers.player and answers.topic == SHORT:
            order = self._orders.get((partition, answers.offset))
            refused = isinstance(record.events[0], CommandRefused)
            if order is not None and not refused:
                if order.id in self._had_effect:
                    what = f"{order.id} had its effect by {self._had_effect[order.id]} already"
                    raise LawBroken(MEASURES, record.id, what)
                self._had_effect[order.id] = record.id
        for event in record.events:
            if isinstance(event, HandEnded):
                self.hands.append((event.hand, [net.player for net in event.nets]))

    def settled(self) -> None:
        """After the calm: whatever was taken has ended."""
        self.check_orders()
        for own_id in self.open:
            raise LawBroken(MEASURES, own_id, "it was taken, and never ended")

    def booked_as(self, corrections: Mapping[str, int]) -> None:
        """The ledger has what was decided, once, and nothing else; by posting, how often."""
        for posting in self.booked ^ corrections.keys():
            has = "has it and nobody decided it" if posting in corrections else "never booked it"
            raise LawBroken(MEASURES, posting, f"the ledger {has}")
