"""Law 7: a command has at most one outcome, its sender learns it, and an act in time is not lost.

Remembers what was asked and how it was answered; knows of a table only what the record before it
made true. Judges no cards and no chips.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from riverboat.game.commands import Act, Asked
from riverboat.game.hand.events import ClockExtended, HandVoided, TimedOut
from riverboat.game.hand.state import NOBODY, Hand, Phase
from riverboat.game.record import Record
from riverboat.game.table.events import CommandRefused
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.log import Place
from riverboat.sim.laws import IN_TIME, ONE_OUTCOME, LawBroken, Witness, at

Takes = Callable[[Asked], bool]


class Outcomes:
    """Every command that was asked, and what came of it.

    `takes` says, per decider, which commands are for it: with it, offsets are held to their law.
    """

    def __init__(self, witness: Witness, takes: Mapping[str, Takes]) -> None:
        self._witness = witness
        self._takes = takes
        self._asked: dict[tuple[str, str, int], int] = {}  # (table, player, number): first offset
        self._acts: dict[tuple[str, str, int], Act] = {}
        self._answered: dict[tuple[str, str, str, int], int] = {}
        self._orders: dict[tuple[str, str, int], bool] = {}  # whether it was taken out of turn
        self._last: dict[tuple[str, str, str], int] = {}  # (service, table, player): number
        self._in_time: dict[str, dict[tuple[int, str], list[tuple[int, int]]]] = {}
        self._open: dict[tuple[str, Place], deque[tuple[int, Asked]]] = {}

    def asked(self, asked: Asked, found: log.Record) -> None:
        """A player asked this."""
        key = asked.table, asked.player, asked.number
        self._asked.setdefault(key, found.offset)
        for service, takes in self._takes.items():
            if takes(asked):
                place = Place(found.topic, found.partition)
                waiting = self._open.setdefault((service, place), deque())
                waiting.append((found.offset, asked))
        act = asked.command
        if isinstance(act, Act):
            self._acts[key] = act
            of_turn = self._in_time.setdefault(act.hand, {}).setdefault(
                (act.turn, asked.player), []
            )
            of_turn.append((asked.number, found.time_ms))

    def before(self, table: Table, record: Record, time_ms: int) -> None:
        """What this record says, held against the state that it was decided on."""
        hand = table.hand
        if hand is None:
            return
        answers = record.answers
        if answers is not None and not isinstance(record.events[0], CommandRefused):
            act = self._acts.get((table.id, answers.player, answers.number))
            if act is not None and (act.hand, act.turn) != (hand.id, hand.turn_number):
                what = (
                    f"{record.id} acts on turn {hand.turn_number} of {hand.id}: number"
                    f" {answers.number} of {answers.player} was for turn {act.turn} of {act.hand}"
                )
                raise LawBroken(ONE_OUTCOME, at(table), what)
        for event in record.events:
            if isinstance(event, TimedOut | ClockExtended) or _is_outage(event):
                over_ms = hand.since_ms if hand.turn == NOBODY else hand.deadline_ms
                if time_ms < over_ms:
                    what = f"{type(event).__name__} {over_ms - time_ms} ms before the time was up"
                    raise LawBroken(IN_TIME, at(table), what)
            if isinstance(event, TimedOut):
                self._timed_out(table, hand, event)

    def _timed_out(self, table: Table, hand: Hand, event: TimedOut) -> None:
        player = hand.seats[event.seat].player
        decider = "dealer" if hand.phase is Phase.DRAW else "betting"
        last = table.answers.get(f"{decider} {player}")
        for number, time_ms in self._in_time.get(hand.id, {}).get((event.turn, player), ()):
            # What was answered, or overtaken by a later command of his, is not lost.
            if (last is None or last.number < number) and time_ms < hand.deadline_ms:
                what = f"act {number} of {player} was in time and lost to the clock"
                raise LawBroken(IN_TIME, at(table), what)

    def after(self, table: Table, record: Record) -> None:
        """The record stands."""
        answers = record.answers
        if answers is None:
            return
        refused = any(isinstance(event, CommandRefused) for event in record.events)
        if refused:
            self._witness.reach("refused")
            if len(record.events) != 1:
                raise LawBroken(ONE_OUTCOME, at(table), f"{record.id} refuses and acts")
        if not answers.player:
            order = record.service, table.id, answers.offset
            # A void that was taken out of turn is read again in its turn, and refused then.
            if order in self._orders and not (self._orders[order] and refused):
                what = f"the order at {answers.offset} was answered already"
                raise LawBroken(ONE_OUTCOME, at(table), what)
            self._orders[order] = answers.out_of_turn
            return
        key = record.service, table.id, answers.player, answers.number
        if key in self._answered:
            what = f"{key} was answered at version {self._answered[key]} already"
            raise LawBroken(ONE_OUTCOME, at(table), what)
        self._answered[key] = table.version
        who = key[:3]
        self._last[who] = max(answers.number, self._last.get(who, 0))

    def hand_over(self, hand: str) -> None:
        """Nobody acts in this hand any more."""
        self._in_time.pop(hand, None)

    def committed(self, service: str, offsets: Mapping[Place, int]) -> None:
        """The service will not read again what is below these offsets."""
        for place, offset in offsets.items():
            waiting = self._open.get((service, place))
            while waiting and waiting[0][0] < offset:
                at_offset, asked = waiting.popleft()
                last = self._last.get((service, asked.table, asked.player), 0)
                if last < asked.number:
                    what = f"{service} has passed over command {asked.number} of {asked.player}"
                    where = f"{asked.table}, {place.topic} {at_offset}"
                    raise LawBroken(ONE_OUTCOME, where, what)

    def settled(self, tables: Mapping[str, Table], dead: str) -> None:
        """After the calm: no command is forgotten, but by a service that is `dead`."""
        highest: dict[tuple[str, str], int] = {}
        for (_, table, player), number in self._last.items():
            highest[table, player] = max(number, highest.get((table, player), 0))
        for table, player, number in self._asked:
            answered = any(
                (service, table, player, number) in self._answered
                for service in ("dealer", "betting")
            )
            is_lost = (table, player, number) in self._acts and dead == "betting"
            if not answered and not is_lost and number >= highest.get((table, player), 0):
                where = at(tables[table]) if table in tables else table
                what = f"command {number} of {player} has no outcome"
                raise LawBroken(ONE_OUTCOME, where, what)


def _is_outage(event: object) -> bool:
    """Whether a hand was called off because nobody could go on with it for too long."""
    return isinstance(event, HandVoided) and event.reason == "outage"
