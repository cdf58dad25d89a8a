"""The watch: what befell each player, gathered from the hand log, and lost lines that look wrong.

What comes live is gathered beside the fold; what was before this process is read once, in the
background. It keeps the last hundred of everything, flags, and does nothing about it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from riverboat.game.hand.events import (
    HandEnded,
    HandStarted,
    HandVoided,
    PlayerProtected,
    TimedOut,
)
from riverboat.game.record import Record
from riverboat.game.table.events import (
    BuyInReturned,
    LineBack,
    LineLost,
    PlayerLeft,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    ToppedUp,
)
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.log import Log, Place
from riverboat.wire.record import Unreadable, decode_record
from riverboat.wire.v1 import operator_pb2 as pb
from services.operator import history

KEPT: Final = 100
# "the connection came back within seconds after the hand" [RULES 7, disconnect protection]
SOON_MS: Final = 10_000
# Once may be chance; management warns the first time, and closes the account the second.
PROTECTIONS_LEAST: Final = 2

Found = Callable[[pb.PlayerFlagged], None]


class Note(NamedTuple):
    """One thing that befell one player."""

    what: str
    player: str
    time_ms: int
    table: str
    hand: str = ""
    sitting: str = ""
    amount: int = 0
    facing: bool = False
    gateway: bool = False
    why: str = ""


@dataclass(slots=True)
class Person:
    """What is kept of one player."""

    sittings: deque[pb.SittingLine] = field(default_factory=lambda: deque(maxlen=KEPT))
    hands: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT))
    hands_count: int = 0
    incidents: deque[pb.IncidentLine] = field(default_factory=lambda: deque(maxlen=KEPT))
    protections: int = 0
    lines_lost: int = 0  # by the player's own fault
    lines_facing: int = 0  # of those, when he faced a bet
    over: tuple[str, int] = ("", 0)  # the last hand that he was protected in, and its end


class Watch:
    """Follows the tables of a process."""

    def __init__(self, network: Log, found: Found) -> None:
        self.whole = False  # whether all that was before this process is in it
        self._log = network
        self._found = found
        self._index = Index(found)
        self._later: list[tuple[int, int, list[Note]]] = []  # live, while the past is read
        self._reading: asyncio.Task[None] | None = None

    def person(self, name: str) -> Person:
        """What is known of a player."""
        return self._index.people.get(name) or Person()

    async def read_past(self, patient_s: float) -> None:
        """Read what was before this process, once, whoever asks; wait for it so long at most."""
        if self._reading is None or (self._reading.done() and not self.whole):
            self._reading = asyncio.get_running_loop().create_task(self._read_past())
        with suppress(TimeoutError):
            async with asyncio.timeout(patient_s):
                await asyncio.shield(self._reading)

    def stop(self) -> None:
        """Read no further."""
        if self._reading is not None:
            self._reading.cancel()

    async def _read_past(self) -> None:
        """Everything from the first record on; what comes meanwhile is put behind it."""
        self._later.clear()
        places = [
            Place(topics.HAND_LOG, partition)
            for partition in range(self._log.partitions(topics.HAND_LOG))
        ]
        ends = {place.partition: end for place, end in (await self._log.ends(places)).items()}
        index = Index(self._found)
        for partition, end in ends.items():
            tables: dict[str, Table] = {}
            async for found in history.records(self._log, Place(topics.HAND_LOG, partition)):
                if found.offset >= end:
                    break
                with suppress(Unreadable, BadRecord):  # nobody has folded it either
                    record = decode_record(found.value or b"")
                    table = tables.setdefault(record.table, Table(record.table))
                    if fit(table, record) is Fit.NEXT:
                        apply(table, record, found.time_ms)
                        for note in notes(table, record, found.time_ms):
                            index.gather(note)
        for partition, offset, later in self._later:
            if offset >= ends[partition]:
                for note in later:
                    index.gather(note)
        self._later.clear()
        self._index = index
        self.whole = True

    def saw(self, table: Table, record: Record, found: log.Record) -> None:
        """Follow the tables: a record was folded."""
        later = notes(table, record, found.time_ms)
        for note in later:
            self._index.gather(note)
        if later and self._reading is not None and not self.whole:
            self._later.append((found.partition, found.offset, later))


class Index:
    """What was gathered, by player."""

    def __init__(self, found: Found) -> None:
        self.people: dict[str, Person] = {}
        self._found = found
        self._reserved: dict[str, tuple[str, int]] = {}  # whose each is, and what it brings
        self._protected: dict[str, set[str]] = {}  # by hand that runs

    def gather(self, note: Note) -> None:
        """Take in the next thing that befell somebody."""
        _GATHER[note.what](self, note)

    def _person(self, name: str) -> Person:
        person = self.people.get(name)
        if person is None:
            person = self.people[name] = Person()
        return person

    def _note_reserved(self, note: Note) -> None:
        self._reserved[note.sitting] = (note.player, note.amount)

    def _note_returned(self, note: Note) -> None:
        self._reserved.pop(note.sitting, None)

    def _note_seated(self, note: Note) -> None:
        _, amount = self._reserved.pop(note.sitting, ("", 0))
        self._person(note.player).sittings.append(
            pb.SittingLine(
                sitting=note.sitting, table=note.table, from_ms=note.time_ms, bought_in=amount
            )
        )

    def _note_topped_up(self, note: Note) -> None:
        # Reserved before this process began: it is found when the past is read.
        player, amount = self._reserved.pop(note.sitting, ("", 0))
        sitting = self._sitting(player, note.table) if player else None
        if sitting is not None:
            sitting.bought_in += amount

    def _note_left(self, note: Note) -> None:
        sitting = self._sitting(note.player, note.table)
        if sitting is not None:
            sitting.to_ms, sitting.cashed_out, sitting.why = note.time_ms, note.amount, note.why

    def _note_dealt(self, note: Note) -> None:
        person = self._person(note.player)
        person.hands.append(note.hand)
        person.hands_count += 1
        sitting = self._sitting(note.player, note.table)
        if sitting is not None:
            sitting.hands += 1

    def _sitting(self, player: str, table: str) -> pb.SittingLine | None:
        """The player's sitting at this table that has not ended."""
        mine = self._person(player).sittings
        return next((one for one in reversed(mine) if one.table == table and not one.to_ms), None)

    def _note_incident(self, note: Note) -> None:
        person = self._person(note.player)
        person.incidents.append(
            pb.IncidentLine(
                what=note.what,
                time_ms=note.time_ms,
                table=note.table,
                hand=note.hand,
                facing=note.facing,
                gateway=note.gateway,
            )
        )
        if note.what == "line_lost" and not note.gateway:
            person.lines_lost += 1
            person.lines_facing += note.facing
        elif note.what == "protected":
            person.protections += 1
            self._protected.setdefault(note.hand, set()).add(note.player)
            if person.protections >= PROTECTIONS_LEAST and (
                person.lines_lost == person.lines_facing > 0
            ):
                self._found(
                    pb.PlayerFlagged(
                        player=note.player,
                        hand=note.hand,
                        kind=pb.FLAG_KIND_ONLY_FACING,
                        protections=person.protections,
                    )
                )
        elif note.what == "line_back":
            hand, over_ms = person.over
            person.over = ("", 0)
            if hand and 0 <= note.time_ms - over_ms <= SOON_MS:
                self._found(
                    pb.PlayerFlagged(
                        player=note.player,
                        hand=hand,
                        kind=pb.FLAG_KIND_BACK_SOON,
                        after_ms=note.time_ms - over_ms,
                    )
                )

    def _note_hand_over(self, note: Note) -> None:
        for player in self._protected.pop(note.hand, ()):
            self._person(player).over = (note.hand, note.time_ms)


def notes(table: Table, record: Record, time_ms: int) -> list[Note]:
    """What the record, which the table has folded, says of players."""
    found: list[Note] = []
    for event in record.events:
        tell = _TELL.get(type(event))
        if tell is not None:
            found += tell(table, record, event, time_ms)
    return found


def _line(table: Table, player: str) -> tuple[str, bool]:
    """The hand that the player is in, and whether it is his turn to answer a bet."""
    hand = table.hand
    if hand is None:
        return "", False
    mine = next((seat for seat in hand.seats.values() if seat.player == player), None)
    if mine is None or mine.folded:
        return "", False
    return hand.id, hand.turn == mine.seat and hand.price > mine.bet


def _lost(table: Table, _record: Record, event: LineLost, time_ms: int) -> list[Note]:
    hand, facing = _line(table, event.player)
    lost = Note("line_lost", event.player, time_ms, table.id, hand)
    return [lost._replace(facing=facing, gateway=event.gateway)]


def _back(table: Table, _record: Record, event: LineBack, time_ms: int) -> list[Note]:
    return [Note("line_back", event.player, time_ms, table.id, _line(table, event.player)[0])]


def _timed_out(table: Table, record: Record, event: TimedOut, time_ms: int) -> list[Note]:
    if table.hand is None or event.seat not in table.hand.seats:
        return []
    player = table.hand.seats[event.seat].player
    return [Note("timed_out", player, time_ms, table.id, record.hand)]


def _protected(table: Table, record: Record, event: PlayerProtected, time_ms: int) -> list[Note]:
    return [Note("protected", event.player, time_ms, table.id, record.hand, facing=True)]


def _started(table: Table, record: Record, event: HandStarted, time_ms: int) -> list[Note]:
    return [Note("dealt", dealt.player, time_ms, table.id, event.hand) for dealt in event.seats]


def _over(table: Table, record: Record, _event: Any, time_ms: int) -> list[Note]:
    return [Note("hand_over", "", time_ms, table.id, record.hand)]


def _reserved(table: Table, _record: Record, event: SeatReserved, time_ms: int) -> list[Note]:
    note = Note("reserved", event.player, time_ms, table.id, sitting=event.reservation)
    return [note._replace(amount=event.amount)]


def _seated(table: Table, _record: Record, event: PlayerSeated, time_ms: int) -> list[Note]:
    sat = [one for one in table.sittings.values() if one.id == event.reservation]
    return [Note("seated", one.player, time_ms, table.id, sitting=one.id) for one in sat]


def _topped_up(table: Table, record: Record, event: ToppedUp, time_ms: int) -> list[Note]:
    return [Note("topped_up", "", time_ms, table.id, sitting=event.reservation)]


def _returned(
    table: Table, _record: Record, event: BuyInReturned | ReservationFailed, time_ms: int
) -> list[Note]:
    return [Note("returned", "", time_ms, table.id, sitting=event.reservation)]


def _left(table: Table, _record: Record, event: PlayerLeft, time_ms: int) -> list[Note]:
    note = Note("left", event.player, time_ms, table.id, sitting=event.sitting)
    return [note._replace(amount=event.amount, why=event.why)]


_TELL: Final[dict[type, Callable[[Table, Record, Any, int], list[Note]]]] = {
    LineLost: _lost,
    LineBack: _back,
    TimedOut: _timed_out,
    PlayerProtected: _protected,
    HandStarted: _started,
    HandEnded: _over,
    HandVoided: _over,
    SeatReserved: _reserved,
    PlayerSeated: _seated,
    ToppedUp: _topped_up,
    BuyInReturned: _returned,
    ReservationFailed: _returned,
    PlayerLeft: _left,
}

_GATHER: Final[dict[str, Callable[[Index, Note], None]]] = {
    "reserved": Index._note_reserved,
    "seated": Index._note_seated,
    "topped_up": Index._note_topped_up,
    "returned": Index._note_returned,
    "left": Index._note_left,
    "dealt": Index._note_dealt,
    "hand_over": Index._note_hand_over,
    **dict.fromkeys(("line_lost", "line_back", "timed_out", "protected"), Index._note_incident),
}
