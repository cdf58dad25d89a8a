"""The desk: takes players' commands to the log and tells each asker its outcome.

A command is written again until the table's state shows it answered, always under its number, so
it has one outcome however often it lands. Whoever asks again gets it from the table's memory, also
after a restart of this process. The desk decides nothing and never tells an outcome that is not
safe in the log.
"""

from __future__ import annotations

import asyncio
import time
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from riverboat.game.authority import BETTING, DEALER
from riverboat.game.commands import Act, Action, Asked, Command, HoldSeat, JoinList, SitDown
from riverboat.game.ids import partition_of
from riverboat.game.record import Record
from riverboat.game.refusals import HandCode, Refusal, TableCode
from riverboat.game.table.events import CommandRefused
from riverboat.game.table.state import Table
from riverboat.log.log import Append
from riverboat.log.topics import TABLE_COMMANDS
from riverboat.runtime import errors
from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import BadInput, Fault
from riverboat.runtime.limits import Limit
from riverboat.wire.record import encode_asked
from services.session.views import last_number

# Written again after this long unanswered, then after twice as long each time, up to the most. A
# decider answers within milliseconds; what is still open after seconds was lost, or waits for a
# decider that is down and finds the first copy when it is back.
AGAIN_MS: Final = 2_000
AGAIN_MS_MOST: Final = 30_000
# Then nobody waits for the answer any more, and what the table makes of the command is its own.
GIVE_UP_MS: Final = 600_000
# Commands of one player to one decider of one table that wait for the one before them.
WAITING_MOST: Final = 8
# Words that one player may try at one private table: who knows it needs no more, and four digits
# take days to find.
WORDS_PER_SECOND: Final = 1 / 30
WORDS_AT_ONCE: Final = 5

# Two sessions, or two devices, that number a command of one player at one moment must not pick the
# same number: each skips ahead by up to this many.
SKIP: Final = 1 << 16
# So many skips are drawn at once: each draw gives the interpreter away, and whoever gets it may
# keep it for milliseconds.
SKIPS: Final = 512


class Done(NamedTuple):
    """The command had effect."""

    version: int  # of the table, by the record that answered
    number: int


Outcome = Done | Fault
Tell = Callable[[Outcome], None]
Send = Callable[[Sequence[Append], Sequence[Asked]], "asyncio.Future[None]"]


@dataclass(slots=True, eq=False)
class Pending:
    """One command on its way, and who waits for its outcome."""

    table: str
    player: str
    command: Command
    number: int  # 0 until it is numbered
    own: bool  # numbered here, so it may be numbered anew
    tells: list[Tell]
    began_ms: int
    began: float  # by the process's own counter, for the time to the watchers
    again_ms: int = 0
    wait_ms: int = AGAIN_MS
    asked: Asked | None = None  # once it is numbered
    value: bytes = b""


@dataclass(slots=True)
class Lane:
    """One player's commands to one decider of one table: one on its way at a time.

    Two at once could land in the wrong order, and the lower number would then be passed over.
    """

    current: Pending | None = None
    waiting: deque[Pending] = field(default_factory=deque)


def decider_of(command: Command) -> str:
    """Which service answers this command."""
    if isinstance(command, Act) and command.action is not Action.DRAW:
        return BETTING
    return DEALER


class Desk:
    """All commands on their way from this process."""

    def __init__(
        self, find: Callable[[str], Table | None], send: Send, clock: Clock, entropy: Entropy
    ) -> None:
        self._find = find
        self._send = send
        self._clock = clock
        self._entropy = entropy
        self._lanes: dict[tuple[str, str, str], Lane] = {}
        self._numbers: dict[tuple[str, str], int] = {}  # the last given, per table and player
        self._skips: array[int] = array("H")
        self._words = Limit(clock, per_second=WORDS_PER_SECOND, burst=WORDS_AT_ONCE)
        self._outgoing: list[Pending] = []
        self._flushing = False

    @property
    def open(self) -> int:
        """How many commands wait for their outcome."""
        return sum(1 + len(lane.waiting) for lane in self._lanes.values())

    def ask(self, table: str, player: str, command: Command, number: int, tell: Tell) -> None:
        """Take the command to the log, and `tell` its outcome once it is there.

        `number` is the player's own, or 0. Told at once where the answer is known already.
        """
        state = self._find(table)
        if state is None or state.settings is None:
            tell(no_table(table))
            return
        service = decider_of(command)
        key = (table, player, service)
        lane = self._lanes.get(key)
        if number:
            known = _known(state, service, player, number)
            if known is not None:
                tell(known)
                return
            if lane is not None and _join(lane, number, tell):
                return
        if state.closed:
            # For ever: nobody answers there any more, and soon nobody knows the table.
            tell(_closed())
            return
        wait_ms = self._tries_word(state, player, command)
        if wait_ms:
            tell(errors.exhausted("TOO_MANY_WORDS", "too many words were tried here", wait_ms))
            return
        if lane is None:
            lane = self._lanes[key] = Lane()
        pending = Pending(
            table,
            player,
            command,
            number,
            number == 0,
            [tell],
            self._clock.now_ms(),
            time.perf_counter(),
        )
        if lane.current is None:
            lane.current = pending
            self._write(pending)
        elif len(lane.waiting) < WAITING_MOST:
            lane.waiting.append(pending)
        else:
            tell(errors.exhausted("TOO_MANY_WAITING", "too many asks wait for an answer", 1_000))

    def _tries_word(self, state: Table, player: str, command: Command) -> int:
        """How long to wait before another word is tried at this table; 0: it may be."""
        if not isinstance(command, SitDown | HoldSeat | JoinList) or not command.code_digest:
            return 0
        if state.settings is None or not state.settings.code_digest:
            return 0
        # The right word counts too: else who may try no more would learn it by being let in.
        return self._words.wait_ms(f"{state.id} {player}")

    def heard(self, table: Table, record: Record) -> Pending | None:
        """Look at a record that answers a command; the command, if it is one of this process.

        Its outcome is told by `settle`, once the record is safe.
        """
        answers = record.answers
        assert answers is not None, "asked only of records that answer"
        lane = self._lanes.get((table.id, answers.player, record.service))
        if lane is None or lane.current is None:
            return None
        pending = lane.current
        if pending.number == answers.number:
            return pending
        if answers.number > pending.number > 0:
            self._overtaken(lane, pending, answers.number)
        return None

    def settle(self, pending: Pending, record: Record) -> None:
        """Tell the outcome: `record` answers it and is safe in the log."""
        lane = self._lanes.get((pending.table, pending.player, record.service))
        if lane is None or lane.current is not pending:
            return  # told already, by a copy
        self._over(lane, pending, _outcome(record, pending.number))

    def tick(self) -> None:
        """Write again what is overdue; call it a few times a second."""
        now_ms = self._clock.now_ms()
        for lane in list(self._lanes.values()):
            pending = lane.current
            if pending is None or now_ms < pending.again_ms:
                continue
            known = self._answered(pending)
            if known is None and now_ms - pending.began_ms >= GIVE_UP_MS:
                known = errors.too_late()
            if known is not None:
                self._over(lane, pending, known)
            else:
                pending.wait_ms = min(2 * pending.wait_ms, AGAIN_MS_MOST)
                self._write(pending)

    def _answered(self, pending: Pending) -> Outcome | None:
        """The outcome, if the table's state shows one."""
        state = self._find(pending.table)
        if state is None:
            return None
        known = None
        if pending.number:
            service = decider_of(pending.command)
            known = _known(state, service, pending.player, pending.number)
        if known is None and state.closed:
            # What had an effect had it before the table closed, and would be known.
            return _closed()
        return known

    def _write(self, pending: Pending) -> None:
        if not pending.number:
            pending.number = self._next_number(pending.table, pending.player)
            pending.asked = None
        if pending.asked is None:
            pending.asked = Asked(pending.table, pending.player, pending.number, pending.command)
            pending.value = encode_asked(pending.asked)
        pending.again_ms = self._clock.now_ms() + pending.wait_ms
        self._outgoing.append(pending)
        if not self._flushing:
            # Once a turn of the loop, whoever asks: the log takes many as cheaply as one.
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        outgoing, self._outgoing = self._outgoing, []
        batch = [
            Append(TABLE_COMMANDS, partition_of(one.table), one.table, one.value)
            for one in outgoing
        ]
        said = [one.asked for one in outgoing if one.asked is not None]
        sent = self._send(batch, said)
        sent.add_done_callback(lambda done: self._landed(outgoing, done))

    def _landed(self, outgoing: Sequence[Pending], done: asyncio.Future[None]) -> None:
        if done.cancelled() or done.exception() is not None:
            # Absent, whole or under way: the next tick writes the same again.
            for pending in outgoing:
                pending.again_ms = min(pending.again_ms, self._clock.now_ms())

    def _next_number(self, table: str, player: str) -> int:
        state = self._find(table)
        assert state is not None, "only tables that are known are asked"
        last = max(last_number(state, player), self._numbers.get((table, player), 0))
        number = last + 1 + self._skip()
        self._numbers[table, player] = number
        return number

    def _skip(self) -> int:
        if not self._skips:
            self._skips = array("H", self._entropy(2 * SKIPS))
        return self._skips.pop() % SKIP

    def _overtaken(self, lane: Lane, pending: Pending, number: int) -> None:
        """A greater number was answered first: this one never will be, and had no effect."""
        numbered = (pending.table, pending.player)
        self._numbers[numbered] = max(self._numbers.get(numbered, 0), number)
        if pending.own:
            pending.number = 0
            self._write(pending)
            return
        self._over(lane, pending, _overtaken(number))

    def _over(self, lane: Lane, over: Pending, outcome: Outcome) -> None:
        """The current command is over: take the one that waits, or drop the lane."""
        told = [(over, outcome)]
        lane.current = None
        while lane.current is None and lane.waiting:
            pending = lane.waiting.popleft()
            known = self._answered(pending)
            if known is None:
                lane.current = pending
                self._write(pending)
            else:
                told.append((pending, known))
        if lane.current is None:
            self._drop(over)
        for pending, outcome in told:
            for tell in pending.tells:
                tell(outcome)

    def _drop(self, over: Pending) -> None:
        del self._lanes[over.table, over.player, decider_of(over.command)]
        if not any((over.table, over.player, one) in self._lanes for one in (DEALER, BETTING)):
            # The state remembers the last number from here on.
            self._numbers.pop((over.table, over.player), None)


def _join(lane: Lane, number: int, tell: Tell) -> bool:
    """Wait for the outcome of the same command with those who asked before."""
    for pending in (lane.current, *lane.waiting):
        if pending is not None and pending.number == number:
            pending.tells.append(tell)
            return True
    return False


def no_table(table: str) -> Fault:
    """Why a table that was never opened cannot be asked: is it the name, or only not there?"""
    try:
        partition_of(table)
    except ValueError:
        return errors.bad_input(BadInput("table", "must be the id of a table"))
    return errors.refused(Refusal(TableCode.NO_TABLE))


def _closed() -> Fault:
    return errors.refused(Refusal(TableCode.TABLE_CLOSED))


def _known(state: Table, service: str, player: str, number: int) -> Outcome | None:
    """The outcome that the table's state remembers; of refusals it keeps the code alone."""
    known = state.answers.get(f"{service} {player}")
    if known is None or known.number < number:
        return None
    if known.number > number:
        return _overtaken(known.number)
    return _refused(known.code, {}) if known.code else Done(known.version, number)


def _overtaken(number: int) -> Fault:
    return Fault(
        errors.ABORTED,
        "OVERTAKEN",
        "a command with a greater number was answered; ask again with a greater one",
        {"last_number": str(number)},
    )


def _outcome(record: Record, number: int) -> Outcome:
    first = record.events[0] if record.events else None
    if not isinstance(first, CommandRefused):
        return Done(record.version, number)
    return _refused(first.code, {fact.name: fact.word or fact.number for fact in first.facts})


def _refused(code: int, facts: dict[str, int | str]) -> Fault:
    for codes in (HandCode, TableCode):
        if code in codes.__members__.values():
            return errors.refused(Refusal(codes(code), **facts))
    # A decider of a later version knows more reasons than this one.
    return Fault(errors.FAILED_PRECONDITION, f"REFUSED_{code}", "refused", {})
