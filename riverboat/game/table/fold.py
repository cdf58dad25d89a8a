"""The fold of a table: how each record of its hand log changes what is true.

Every service folds the same log and so agrees on every chip. Nothing here asks whether a thing was
allowed, but for one: whether the record's writer may write it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

from riverboat.game.authority import HOLDER, IN_TURN, MAY_WRITE
from riverboat.game.hand.events import HandEnded, HandStarted, HandVoided
from riverboat.game.hand.fold import FOLDS as HAND_FOLDS
from riverboat.game.hand.fold import start
from riverboat.game.record import Answered, Record, UnknownEvent
from riverboat.game.table.changes import CHANGES
from riverboat.game.table.digest import LAYOUT, digest
from riverboat.game.table.events import CommandRefused, Event
from riverboat.game.table.state import Answer, Table

# How many answers a table remembers before it forgets those of players who are not there. A copy of
# a command lands within minutes, never after dozens of other players have come and gone.
ANSWERS_MOST: Final = 128
# How many orders a table remembers: a copy lands within minutes, and the house says little.
ORDERS_MOST: Final = 32

# What changes the hand and not the table; its start and its end are the table's business.
IN_HAND: Final = {
    kind: fold
    for kind, fold in HAND_FOLDS.items()
    if kind not in (HandStarted, HandEnded, HandVoided)
}


class BadRecord(Exception):
    """The record holds nothing, or what its writer may not write; nothing of it was applied."""


class Fit(IntEnum):
    """How a record stands to a table's state. [ARCHITECTURE 2, applying]"""

    NEXT = 1  # follows the last one applied
    STALE = 2  # lost against another, or stands twice: skip and count
    GAP = 3  # history is missing: never skip


# Asked for every record: to look a member up takes several times as long as to test for it.
NEXT: Final = Fit.NEXT


def fit(table: Table, record: Record) -> Fit:
    """How `record` stands to what was applied so far."""
    ahead = record.version - table.version
    if ahead == 1 and record.parent == table.head:
        return NEXT
    return Fit.STALE if ahead <= 0 else Fit.GAP


def apply(table: Table, record: Record, time_ms: int) -> None:
    """Make what `record` says true of `table`, in place; `time_ms` is when it was appended.

    Raises `BadRecord`, and changes nothing, when its writer had no say. An event that is unknown
    here, or that cannot be folded, stops the table in this reader and is never raised.
    """
    assert fit(table, record) is NEXT, "only the record that follows is applied"
    events = record.events
    if not events:
        raise BadRecord(f"{record.id} says nothing")
    service = record.service
    hand = table.hand
    holder = service if hand is None else HOLDER[hand.baton]
    for event in events:
        kind = type(event)
        writers = MAY_WRITE.get(kind)
        if writers is None:
            continue  # unknown here: who may write it is unknown as well
        if service not in writers or (service != holder and kind in IN_TURN):
            raise BadRecord(f"{record.id} may not write {kind.__name__} now")
    if type(events[0]) is HandStarted:
        _compare(table, events[0])

    table.version = record.version
    table.head = record.id
    if time_ms > table.time_ms:
        table.time_ms = time_ms
    if record.answers is not None:
        _remember(table, record, record.answers, service)
    now = table.time_ms
    for event in events:
        kind = type(event)
        change = CHANGES.get(kind)
        if change is not None:
            try:
                change(table, event, now)
            except Exception as problem:  # whatever it is, it must not take other tables along
                _stop(table, f"{kind.__name__}: {problem!r}", lost=True)
        if not table.stopped:
            try:
                _in_hand(table, event, now)
            except Exception as problem:
                # Between hands it is the table that an unknown event has changed, who knows how.
                _stop(table, f"{kind.__name__}: {problem!r}", lost=table.deal is None)


def evolve(table: Table, event: Event, time_ms: int) -> Table:
    """The table after `event`, changed in place; raises where `apply` would stop the table."""
    change = CHANGES.get(type(event))
    if change is not None:
        change(table, event, time_ms)
    if not table.stopped:
        _in_hand(table, event, time_ms)
    return table


def _in_hand(table: Table, event: Any, time_ms: int) -> None:
    kind = type(event)
    fold = IN_HAND.get(kind)
    if fold is not None:
        hand = table.hand
        assert hand is not None, "what happens in a hand stands between its start and its end"
        fold(hand, event, time_ms)
        hand.since_ms = time_ms
    elif kind is HandStarted:
        table.hand = start(event, time_ms)
    elif kind is UnknownEvent:
        raise LookupError(event.what)


def _compare(table: Table, event: HandStarted) -> None:
    """Stop where the state that the hand was decided on is not the state here.

    Where it is, whatever stopped this reader before changed nothing that it knows: it goes on.
    """
    theirs = event.state_hash
    if theirs[:1] != LAYOUT:
        return  # of another release, or of a replay: nothing here compares with it
    mine = digest(table)
    if mine != theirs:
        why = f"the state here is {mine.hex()}, the hand's {theirs.hex()}"
        _stop(table, why, lost=True)
    elif table.stopped:
        table.stopped = ""
        table.stopped_at = 0
        table.lost = False


def _stop(table: Table, why: str, *, lost: bool = False) -> None:
    if not table.stopped:
        table.stopped = why
        table.stopped_at = table.version
    if lost:
        table.lost = True
    # What was folded by half is nobody's to look at.
    table.hand = None


def _remember(table: Table, record: Record, answers: Answered, service: str) -> None:
    if not answers.out_of_turn:
        key = f"{service} {answers.topic}"
        if answers.offset > table.offsets.get(key, -1):
            table.offsets[key] = answers.offset
    first = record.events[0]
    code = first.code if type(first) is CommandRefused else 0
    if answers.order and not code:
        table.orders.append(f"{service} {answers.order}")
        del table.orders[:-ORDERS_MOST]
    if not answers.player:
        return
    key = f"{service} {answers.player}"
    answer = table.answers.get(key)
    if answer is not None:
        answer.number = answers.number
        answer.version = record.version
        answer.code = code
        return
    if len(table.answers) >= ANSWERS_MOST:
        _forget(table)
    table.answers[key] = Answer(answers.number, record.version, code)


def _forget(table: Table) -> None:
    """Drop the older half of the answers to players who neither sit here nor wait for a seat."""
    here = {sitting.player for sitting in table.sittings.values()}
    here |= {held.player for held in table.reservations.values()}
    here |= {waiter.player for waiter in table.waiters} | table.holds.keys()
    gone = [key for key in table.answers if key.partition(" ")[2] not in here]
    gone.sort(key=lambda key: (table.answers[key].version, key))
    for key in gone[: ANSWERS_MOST // 2]:
        del table.answers[key]
