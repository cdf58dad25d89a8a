"""The book: all that the operator-log says, folded. It changes by what the log holds alone.

A measure counts once, by the first record that takes it, and ends once, by the first that ends it;
copies of either are passed over. Nothing here asks whether a thing was allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.message import DecodeError

from riverboat.game.refusals import Refusal
from riverboat.log import log
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator.measures import HOUSE, kind_of
from services.operator.refusals import OperatorCode

# A complaint is answered within a week, where nobody says otherwise.
WEEK_MS: Final = 7 * 24 * 60 * 60 * 1_000


@dataclass(slots=True)
class Entry:
    """One measure, and where the log has it."""

    taken: pb.MeasureTaken
    taken_ms: int
    partition: int
    taken_at: int
    ended: pb.MeasureEnded | None = None
    ended_ms: int = 0
    ended_at: int = -1
    case: bytes = b""  # digest of the case file that it made

    @property
    def kind(self) -> str:
        """Which measure it is."""
        return kind_of(self.taken.measure)


@dataclass(slots=True)
class Player:
    """What the house has done about a player, and found."""

    warnings: int = 0
    warned_ms: int = 0  # when he was last
    frozen: bool = False
    closed: bool = False
    flags: list[tuple[pb.PlayerFlagged, int]] = field(default_factory=list)  # and when


class Book:
    """The fold of the operator-log."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}  # by id, in the order in which they were read
        self.about: dict[str, list[str]] = {}  # ids by subject
        self.open: set[str] = set()  # ids of those that have not ended
        self.players: dict[str, Player] = {}
        self.corrections: dict[str, pb.Correction] = {}
        self.complaints: dict[str, pb.Complaint] = {}
        self.keeps: dict[str, int] = {}  # by template
        self.tables: dict[str, str] = {}  # template of each table opened from one
        self.opened: dict[str, int] = {}  # how often each template was opened
        self.kept: set[str] = set()  # tables that the house opened by itself
        self.unknown = 0  # records that this version cannot read

    def take(self, found: log.Record) -> str:
        """Fold one record; the id of the measure that it took or ended, or nothing."""
        record = pb.OperatorRecord()
        try:
            record.ParseFromString(found.value or b"")
        except DecodeError:
            self.unknown += 1
            return ""
        match record.WhichOneof("event"):
            case "taken":
                return self._taken(record.taken, found)
            case "ended":
                return self._ended(record.ended, found)
            case "flagged":
                self._flagged(record.flagged, found.time_ms)
            case "case_made":
                entry = self.entries.get(record.case_made.id)
                if entry is not None and not entry.case:
                    entry.case = record.case_made.digest
            case _:
                self.unknown += 1
        return ""

    def player(self, name: str) -> Player:
        """What is known of a player; nothing of most."""
        return self.players.get(name) or Player()

    def is_flagged(self, player: str, hand: str, kind: pb.FlagKind.ValueType) -> bool:
        """Whether this was found before."""
        return any((one.hand, one.kind) == (hand, kind) for one, _ in self.player(player).flags)

    def _taken(self, taken: pb.MeasureTaken, found: log.Record) -> str:
        if taken.id in self.entries or not kind_of(taken.measure):
            return ""
        entry = Entry(taken, found.time_ms, found.partition, found.offset)
        self.entries[taken.id] = entry
        self.about.setdefault(taken.subject, []).append(taken.id)
        self.open.add(taken.id)
        if entry.kind == "open":
            template = taken.measure.open.template
            if not template:
                return taken.id
            self.opened[template] = self.opened.get(template, 0) + 1
            self.tables[taken.measure.open.table] = template
            if taken.by == HOUSE:
                self.kept.add(taken.measure.open.table)
        return taken.id

    def _ended(self, ended: pb.MeasureEnded, found: log.Record) -> str:
        entry = self.entries.get(ended.id)
        if entry is None or entry.ended is not None:
            return ""
        entry.ended, entry.ended_ms, entry.ended_at = ended, found.time_ms, found.offset
        self.open.discard(ended.id)
        if not ended.refused:
            effect = EFFECTS.get(entry.kind)
            if effect is not None:
                effect(self, entry)
        return ended.id

    def _flagged(self, flagged: pb.PlayerFlagged, time_ms: int) -> None:
        if not self.is_flagged(flagged.player, flagged.hand, flagged.kind):
            self._player(flagged.player).flags.append((flagged, time_ms))

    def _player(self, name: str) -> Player:
        return self.players.setdefault(name, Player())

    # What a measure makes true once it has ended well.

    def _keep(self, entry: Entry) -> None:
        keep = entry.taken.measure.keep
        self.keeps[keep.template] = keep.tables

    def _warn(self, entry: Entry) -> None:
        player = self._player(entry.taken.measure.warn.player)
        player.warnings += 1
        player.warned_ms = entry.ended_ms

    def _freeze(self, entry: Entry) -> None:
        self._player(entry.taken.measure.freeze.player).frozen = True

    def _thaw(self, entry: Entry) -> None:
        self._player(entry.taken.measure.thaw.player).frozen = False

    def _close_account(self, entry: Entry) -> None:
        self._player(entry.taken.measure.close_account.player).closed = True

    def _propose(self, entry: Entry) -> None:
        taken, proposed = entry.taken, entry.taken.measure.propose
        self.corrections[taken.id] = pb.Correction(
            id=taken.id,
            hand=proposed.hand,
            currency=proposed.currency,
            legs=proposed.legs,
            why=taken.why,
            proposed_by=taken.by,
            proposed_ms=entry.taken_ms,
            state=pb.CORRECTION_STATE_PROPOSED,
        )

    def _approve(self, entry: Entry) -> None:
        found = self.corrections[entry.taken.measure.approve.correction]
        assert entry.ended is not None, "an effect is of what has ended"
        found.state = pb.CORRECTION_STATE_BOOKED
        found.posting = entry.ended.posting
        found.decided_by, found.decided_ms = entry.taken.by, entry.ended_ms

    def _reject(self, entry: Entry) -> None:
        found = self.corrections[entry.taken.measure.reject.correction]
        found.state = pb.CORRECTION_STATE_REJECTED
        found.decided_by, found.decided_ms = entry.taken.by, entry.ended_ms

    def _complain(self, entry: Entry) -> None:
        taken, complained = entry.taken, entry.taken.measure.complain
        self.complaints[taken.id] = pb.Complaint(
            id=taken.id,
            player=complained.player,
            hand=complained.hand,
            text=complained.text,
            state=pb.COMPLAINT_STATE_OPEN,
            deadline_ms=complained.deadline_ms or entry.taken_ms + WEEK_MS,
            since_ms=entry.taken_ms,
            by=taken.by,
        )

    def _handle(self, entry: Entry) -> None:
        handled = entry.taken.measure.handle
        found = self.complaints[handled.complaint]
        found.state, found.by = handled.state, entry.taken.by
        found.answer = handled.answer or found.answer
        found.deadline_ms = handled.deadline_ms or found.deadline_ms


EFFECTS: Final[dict[str, Callable[[Book, Entry], None]]] = {
    "keep": Book._keep,
    "warn": Book._warn,
    "freeze": Book._freeze,
    "thaw": Book._thaw,
    "close_account": Book._close_account,
    "propose": Book._propose,
    "approve": Book._approve,
    "reject": Book._reject,
    "complain": Book._complain,
    "handle": Book._handle,
}


def refusal_of(book: Book, taken: pb.MeasureTaken) -> Refusal | None:
    """Why the book does not allow this measure, as it stands now."""
    check = CHECKS.get(kind_of(taken.measure))
    return None if check is None else check(book, taken)


def _check_propose(_book: Book, taken: pb.MeasureTaken) -> Refusal | None:
    legs = taken.measure.propose.legs
    total = sum(leg.amount for leg in legs)
    named = {leg.player for leg in legs}
    if total or len(named) < len(legs) or not all(leg.amount for leg in legs):
        return Refusal(OperatorCode.NOT_BALANCED, sum=total)
    return None


def _check_decided(book: Book, name: str) -> Refusal | None:
    found = book.corrections.get(name)
    if found is None:
        return Refusal(OperatorCode.NO_CORRECTION)
    if found.state != pb.CORRECTION_STATE_PROPOSED:
        state = pb.CorrectionState.Name(found.state).removeprefix("CORRECTION_STATE_").lower()
        return Refusal(OperatorCode.ALREADY_DECIDED, state=state)
    return None


def _check_approve(book: Book, taken: pb.MeasureTaken) -> Refusal | None:
    name = taken.measure.approve.correction
    refusal = _check_decided(book, name)
    if refusal is None and book.corrections[name].proposed_by == taken.by:
        return Refusal(OperatorCode.OWN_CORRECTION)
    return refusal


def _check_handle(book: Book, taken: pb.MeasureTaken) -> Refusal | None:
    found = book.complaints.get(taken.measure.handle.complaint)
    if found is None:
        return Refusal(OperatorCode.NO_COMPLAINT)
    if found.state == pb.COMPLAINT_STATE_CLOSED:
        return Refusal(OperatorCode.COMPLAINT_CLOSED)
    return None


CHECKS: Final[dict[str, Callable[[Book, pb.MeasureTaken], Refusal | None]]] = {
    "propose": _check_propose,
    "approve": _check_approve,
    "reject": lambda book, taken: _check_decided(book, taken.measure.reject.correction),
    "handle": _check_handle,
}
