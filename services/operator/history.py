"""History: the hand log read again, for what a table, a hand or a message was.

Reads only, from the first record that is kept up to the end as it is now. Every look folds the
table by the same fold as every service: nothing here has an opinion of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

from riverboat.game.hand.events import DealtIn, HandEnded, HandStarted, HandVoided
from riverboat.game.ids import partition_of, table_of
from riverboat.game.record import Record
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.state import Table
from riverboat.log import log, topics
from riverboat.log.log import Log, LogError, Place
from riverboat.log.snapshots import decode_snapshot, encode_snapshot
from riverboat.wire.record import Unreadable, decode_record

# A log that is there answers sooner, and after an election of a broker in seconds.
SILENT_MS: Final = 5_000
WAVE: Final = 64  # records between two turns of the loop


async def records(network: Log, place: Place, start: int = 0) -> AsyncIterator[log.Record]:
    """All that stands at the place from `start` on, in order, up to its end as it is now."""
    first, end = (await network.starts([place]))[place], (await network.ends([place]))[place]
    offset = max(first, start)
    if offset >= end:
        return
    reader = network.reader()
    reader.follow(place, offset)
    try:
        while offset < end:
            taken = (await reader.take(wait_ms=SILENT_MS)).get(place)
            if not taken:
                raise LogError(f"{place.topic}/{place.partition}: nothing to read at {offset}")
            for at, found in enumerate(taken):
                if at % WAVE == 0:
                    await asyncio.sleep(0)  # whoever plays in this process must not wait for it
                if found.offset < end:
                    yield found
            offset = taken[-1].offset + 1
    finally:
        await reader.close()


async def of_table(
    network: Log, name: str, before: Callable[[Table, Record, log.Record], bool]
) -> Table:
    """The table folded from its first record, as long as `before` each next record says so."""
    table = Table(name)
    place = Place(topics.HAND_LOG, partition_of(name))
    async for found in records(network, place):
        if found.key != name or found.value is None:
            continue
        with suppress(Unreadable, BadRecord):  # nobody has folded it either
            record = decode_record(found.value)
            if fit(table, record) is Fit.NEXT:
                if not before(table, record, found):
                    break
                apply(table, record, found.time_ms)
    return table


async def table_at(network: Log, name: str, version: int, time_ms: int) -> tuple[Table, int]:
    """The table at a version or a time (0: no bound), and its newest version."""
    newest = 0
    then: Table | None = None

    def look(table: Table, record: Record, found: log.Record) -> bool:
        nonlocal newest, then
        newest = record.version
        is_past = 0 < version < record.version or 0 < time_ms < found.time_ms
        if is_past and then is None:
            then = deepcopy(table)  # the same one goes on to what it is now
        return True

    table = await of_table(network, name, look)
    return (table if then is None else then), newest


@dataclass(slots=True)
class HandHistory:
    """One hand of the log."""

    hand: str
    before: bytes = b""  # a snapshot of the table just before it
    records: list[log.Record] = field(default_factory=list)  # of it, as they were applied
    said: list[Record] = field(default_factory=list)  # what each says
    table: Table | None = None  # as of its last record while it was played
    currency: str = ""
    ended: bool = False
    voided: bool = False
    corrections: list[str] = field(default_factory=list)  # ids, as far as they were booked

    @property
    def over(self) -> bool:
        """Whether it is."""
        return self.ended or self.voided

    @property
    def players(self) -> list[str]:
        """Those who were dealt in."""
        return [dealt.player for dealt in self._dealt]

    @property
    def sittings(self) -> list[str]:
        """Their sittings."""
        return [dealt.sitting for dealt in self._dealt]

    @property
    def _dealt(self) -> Sequence[DealtIn]:
        events = (event for one in self.said for event in one.events)
        start = next((event for event in events if isinstance(event, HandStarted)), None)
        return () if start is None else start.seats


async def hand_of(network: Log, hand: str) -> HandHistory | None:
    """The hand as far as it was played; None where the log has no such hand."""
    found_hand = HandHistory(hand)

    def look(table: Table, record: Record, found: log.Record) -> bool:
        start = next((one for one in record.events if isinstance(one, HandStarted)), None)
        if start is not None and start.hand == hand and not table.stopped:
            found_hand.before = encode_snapshot(table, found.offset, found.offset - 1)
        elif start is not None and found_hand.over:
            return False  # until then its players may show what they held
        if record.hand == hand:
            found_hand.records.append(found)
            found_hand.said.append(record)
            ended = any(isinstance(one, HandEnded) for one in record.events)
            voided = any(isinstance(one, HandVoided) for one in record.events)
            found_hand.ended |= ended
            found_hand.voided |= voided
            if (ended or voided) and not table.stopped:
                # What was held is known until the hand is over, and no longer.
                kept = encode_snapshot(table, found.offset, found.offset - 1)
                found_hand.table, _ = decode_snapshot(kept)
        return True

    table = await of_table(network, table_of(hand), look)
    if not found_hand.records:
        return None
    if found_hand.table is None:
        found_hand.table = table
    if table.settings is not None:
        found_hand.currency = table.settings.currency
    return found_hand
