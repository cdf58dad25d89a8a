"""The inbox: messages that wait for a decider, answered once each, in the order of their offsets.

What the state shows answered is dropped, also when it is read again after a restart; a copy of an
order or of a player's command, and a number that a later one has overtaken, is dropped too.
[ARCHITECTURE 2]
Decides nothing, and forgets nothing that is not answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from riverboat.game.commands import Asked, Ordered
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Place
from riverboat.log.topics import TABLE_COMMANDS, TABLE_ORDERS
from riverboat.runtime.away import Away
from riverboat.runtime.beats import Beats
from riverboat.runtime.counts import Counts
from riverboat.runtime.entry import Decider, Entry, Waiting
from riverboat.runtime.messages import DECODERS, FULL_NAMES
from riverboat.runtime.service import Message
from riverboat.runtime.tables import Tables
from riverboat.wire.beats import decode_beat, decode_word
from riverboat.wire.record import UnknownKind, Unreadable

# "its commands wait, past an hour parked with it so that offsets move on" [ARCHITECTURE 2, stopped]
PARKED_MS: Final = 3_600_000


@dataclass(slots=True, eq=False)
class _Slot:
    """One topic of one decider, and its place among a table's queues."""

    at: int
    decider: Decider
    topic: str
    short: str
    offsets: str  # the key of its memory in `Table.offsets`
    answers: str  # how its keys in `Table.answers` begin


class Inbox:
    """One queue a table, decider and topic."""

    def __init__(self, deciders: Sequence[Decider], counts: Counts, beats: Beats) -> None:
        # In the order in which a decider answers its topics.
        pairs = [(decider, short) for decider in deciders for short in decider.manifest.topics]
        self._slots = [
            _Slot(at, one, FULL_NAMES[short], short, f"{one.name} {short}", f"{one.name} ")
            for at, (one, short) in enumerate(pairs)
        ]
        self._of_decider = [
            [slot for slot in self._slots if slot.decider is decider] for decider in deciders
        ]
        self._of_topic = {
            topic: [slot for slot in self._slots if slot.topic == topic]
            for topic in FULL_NAMES.values()
        }
        self._counts = counts
        self._beats = beats
        self.away = Away()
        self._newest_ms: dict[Place, int] = {}  # append time of the last message read
        # What messages that are about to be read say, by their bytes.
        self._known: dict[bytes | None, Message] = {}

    @property
    def queues(self) -> int:
        """How many queues a table has."""
        return len(self._slots)

    @property
    def topics(self) -> list[str]:
        """The topics that must be followed."""
        return list(dict.fromkeys(slot.topic for slot in self._slots))

    def know(self, records: Sequence[log.Record], said: Sequence[Message]) -> None:
        """What these records say, which are read next: they need not be decoded again."""
        self._known = {found.value: message for found, message in zip(records, said, strict=True)}

    def take(self, place: Place, found: log.Record, tables: Tables) -> None:
        """Put a record of an input where its decider finds it."""
        if found.value is None:
            return
        self._newest_ms[place] = found.time_ms
        try:
            message = self._known.pop(found.value, None) or DECODERS[place.topic](found.value)
            if message.table in tables.gone:
                self._counts.ignored += 1
                return
            entry = tables.entry(message.table, place.partition)
        except UnknownKind:
            self._take_unknown(place, found)
            return
        except Unreadable as error:
            tables.unreadable.append((found, str(error)))
            return
        if isinstance(message, Asked):
            self._beats.said(place.partition, message.command, found.time_ms)
        for slot in self._of_topic[place.topic]:
            decider, queue = slot.decider, entry.queues[slot.at]
            if decider.manifest.takes(message):
                # What a table that stands still is asked again and again waits for it once.
                if queue and any(one.message == message for one in queue):
                    self._counts.copies += 1
                    continue
                queue.append(Waiting(found.offset, message, found.time_ms))
                pending = decider.pending.setdefault(place, {})
                pending[found.offset] = (entry, found.time_ms)
                tables.touched[message.table] = entry

    def _take_unknown(self, place: Place, found: log.Record) -> None:
        """A beat, a word; or what only a newer version answers, whose sender says it again."""
        data = found.value or b""
        instance = decode_beat(data) if place.topic == TABLE_COMMANDS else ""
        away = decode_word(data) if place.topic == TABLE_ORDERS else None
        if instance:
            self._beats.beat(place.partition, instance, found.time_ms)
        elif away is not None:
            self.away.told(place.partition, away, found.time_ms)
        else:
            self._counts.ignored += 1

    def next(self, decider: Decider, entry: Entry) -> tuple[str, Waiting] | None:
        """The first message that the decider has not answered, and its topic's short name."""
        queues = entry.queues
        for slot in self._of_decider[decider.index]:
            queue = queues[slot.at]
            while queue:
                waiting = queue[0]
                if not self._is_answered(slot, entry.table, waiting):
                    return slot.short, waiting
                self._drop(slot, entry)
        return None

    def drop(self, decider: Decider, entry: Entry, short: str) -> None:
        """The first message of this topic concerns nothing here."""
        self._counts.ignored += 1
        for slot in self._of_decider[decider.index]:
            if slot.short == short:
                self._drop(slot, entry)

    def out_of_turn(self, decider: Decider, entry: Entry) -> Iterator[tuple[str, Waiting]]:
        """Messages not answered that may be taken before others."""
        for slot in self._of_decider[decider.index]:
            for waiting in entry.queues[slot.at]:
                if decider.manifest.out_of_turn(waiting.message) and not self._is_answered(
                    slot, entry.table, waiting
                ):
                    yield slot.short, waiting

    def commits(self, decider: Decider, positions: Mapping[Place, int]) -> dict[Place, int]:
        """The offsets behind which every message of the decider has its outcome read back."""
        found: dict[Place, int] = {}
        for slot in self._of_decider[decider.index]:
            for partition in decider.owned:
                place = Place(slot.topic, partition)
                if place in positions:
                    pending = decider.pending.get(place, {})
                    self._park(place, pending)
                    found[place] = next(iter(pending), positions[place])
        return found

    def _park(self, place: Place, pending: dict[int, tuple[Entry, int]]) -> None:
        """Let the commit pass over what has waited long at stopped tables.

        It goes on waiting here, for a void. A start does not read it again: by then the players
        who asked have been told so, and what the house orders is sent until the table shows it.
        """
        newest_ms = self._newest_ms.get(place, 0)
        while pending:
            offset, (entry, time_ms) = next(iter(pending.items()))
            if not entry.stands_still or time_ms + PARKED_MS > newest_ms:
                return
            del pending[offset]

    def _is_answered(self, slot: _Slot, table: Table, waiting: Waiting) -> bool:
        if waiting.offset <= table.offsets.get(slot.offsets, -1):
            return True
        message = waiting.message
        if isinstance(message, Ordered):
            if slot.answers + message.id in table.orders:
                self._counts.copies += 1
                return True
            return False
        last = table.answers.get(slot.answers + message.player)
        if last is not None and message.number <= last.number:
            self._counts.copies += 1
            return True
        return False

    def _drop(self, slot: _Slot, entry: Entry) -> None:
        offset = entry.queues[slot.at].popleft().offset
        slot.decider.pending[Place(slot.topic, entry.partition)].pop(offset, None)
