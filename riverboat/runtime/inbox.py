"""The inbox: messages that wait for a decider, answered once each, in the order of their offsets.

What the state shows answered is dropped, also when it is read again after a restart; a copy of a
player's command, and a number that a later one has overtaken, is dropped too. [ARCHITECTURE 2]
Decides nothing, and forgets nothing that is not answered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from riverboat.game.commands import Ordered
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Place
from riverboat.runtime.counts import Counts
from riverboat.runtime.entry import Decider, Entry, Waiting
from riverboat.runtime.messages import DECODERS, FULL_NAMES, SHORT_NAMES
from riverboat.runtime.tables import Tables
from riverboat.wire.record import Unreadable


class Inbox:
    """One queue a table, decider and topic."""

    def __init__(self, deciders: Sequence[Decider], counts: Counts) -> None:
        # In the order in which a decider answers its topics.
        self._slots = [
            (decider, FULL_NAMES[short])
            for decider in deciders
            for short in decider.manifest.topics
        ]
        self._of_decider = {
            decider.name: [i for i, (owner, _) in enumerate(self._slots) if owner is decider]
            for decider in deciders
        }
        self._of_topic = {
            topic: [i for i, (_, name) in enumerate(self._slots) if name == topic]
            for topic in FULL_NAMES.values()
        }
        self._counts = counts

    @property
    def queues(self) -> int:
        """How many queues a table has."""
        return len(self._slots)

    @property
    def topics(self) -> list[str]:
        """The topics that must be followed."""
        return list(dict.fromkeys(topic for _, topic in self._slots))

    def take(self, place: Place, found: log.Record, tables: Tables) -> None:
        """Put a record of an input where its decider finds it."""
        if found.value is None:
            return
        try:
            message = DECODERS[place.topic](found.value)
        except Unreadable as error:
            tables.unreadable.append((found, str(error)))
            return
        entry = tables.entry(message.table, place.partition)
        for slot in self._of_topic[place.topic]:
            decider = self._slots[slot][0]
            if decider.manifest.takes(message):
                entry.queues[slot].append(Waiting(found.offset, message, found.time_ms))
                decider.pending.setdefault(place, {})[found.offset] = None
                tables.touched[message.table] = entry

    def next(self, decider: Decider, entry: Entry) -> tuple[str, Waiting] | None:
        """The first message that the decider has not answered, and its topic's short name."""
        for slot in self._of_decider[decider.name]:
            queue = entry.queues[slot]
            while queue:
                short = SHORT_NAMES[self._slots[slot][1]]
                if not self._is_answered(decider, entry.table, short, queue[0]):
                    return short, queue[0]
                self._drop(decider, entry, slot)
        return None

    def drop(self, decider: Decider, entry: Entry, short: str) -> None:
        """The first message of this topic concerns nothing here."""
        self._counts.ignored += 1
        for slot in self._of_decider[decider.name]:
            if self._slots[slot][1] == FULL_NAMES[short]:
                self._drop(decider, entry, slot)

    def out_of_turn(self, decider: Decider, entry: Entry) -> Iterator[tuple[str, Waiting]]:
        """Messages not answered that may be taken before others."""
        for slot in self._of_decider[decider.name]:
            short = SHORT_NAMES[self._slots[slot][1]]
            for waiting in entry.queues[slot]:
                if decider.manifest.out_of_turn(waiting.message) and not self._is_answered(
                    decider, entry.table, short, waiting
                ):
                    yield short, waiting

    def commits(self, decider: Decider, positions: Mapping[Place, int]) -> dict[Place, int]:
        """The offsets behind which every message of the decider has its outcome read back."""
        found: dict[Place, int] = {}
        for slot in self._of_decider[decider.name]:
            for partition in decider.owned:
                place = Place(self._slots[slot][1], partition)
                if place in positions:
                    pending = decider.pending.get(place)
                    found[place] = next(iter(pending)) if pending else positions[place]
        return found

    def _is_answered(self, decider: Decider, table: Table, short: str, waiting: Waiting) -> bool:
        if waiting.offset <= table.offsets.get(f"{decider.name} {short}", -1):
            return True
        message = waiting.message
        if isinstance(message, Ordered):
            return False
        last = table.answers.get(f"{decider.name} {message.player}")
        if last is not None and message.number <= last.number:
            self._counts.copies += 1
            return True
        return False

    def _drop(self, decider: Decider, entry: Entry, slot: int) -> None:
        offset = entry.queues[slot].popleft().offset
        decider.pending[Place(self._slots[slot][1], entry.partition)].pop(offset, None)
