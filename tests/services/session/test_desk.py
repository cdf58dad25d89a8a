"""The desk: a command has one outcome however often it lands, and its sender learns it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from google.rpc import code_pb2

from riverboat.game.commands import (
    Act,
    Action,
    CloseTable,
    Funded,
    Leave,
    OpenTable,
    Ordered,
    SitDown,
    SitOut,
    TopUp,
)
from riverboat.game.hand.events import Stakes
from riverboat.game.record import Answered, Record
from riverboat.game.table.decide import answer
from riverboat.game.table.events import ButtonRule, Settings, TableClosed, TableClosing
from riverboat.game.table.fold import apply
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.runtime.clock import ManualClock
from riverboat.runtime.entropy import Seeded
from riverboat.runtime.errors import Fault
from riverboat.runtime.messages import events_of
from riverboat.wire.record import decode_asked
from services.session.desk import (
    AGAIN_MS,
    AGAIN_MS_MOST,
    GIVE_UP_MS,
    SKIP,
    WAITING_MOST,
    Desk,
    Done,
)

TABLE = "1.0"
SETTINGS = Settings(
    name="Danube",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(small_blind=5, big_blind=10),
    currency="PLAY",
    seats=6,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=100,
    buy_in_most=2_000,
    turn_ms=60_000,
    grace_ms=60_000,
    reserve_ms=60_000,
    pause_ms=0,
)


class World:
    """A desk, the log that it writes to, and the dealer that answers when it is told to."""

    def __init__(self):
        self.clock = ManualClock(1_800_000_000_000)
        self.table = Table(TABLE)
        self.written: list[Any] = []  # what landed and is not answered yet
        self.fails = False
        self.batches = 0
        self.desk = self.new_desk()
        self._records = 0
        self._offset = 0
        self.order(OpenTable(SETTINGS))

    def new_desk(self, seed=1):
        """A desk that knows nothing but the tables: this one, or that of a process anew."""
        return Desk({TABLE: self.table}.get, self.send, self.clock, Seeded(seed))

    def send(self, batch, said):
        assert [decode_asked(one.value) for one in batch] == said
        self.batches += 1
        done = asyncio.get_running_loop().create_future()
        if self.fails:
            done.set_exception(OSError("the broker is gone"))
        else:
            self.written += batch
            done.set_result(None)
        return done

    def given(self):
        decks: Any = None  # nothing here deals
        return Given(self.clock.now_ms(), self._offset, Seeded(1), decks)

    def order(self, order):
        self._append(answer(self.table, Ordered(TABLE, "o", "test", order), self.given()), None)

    def answer(self, *desks, at=0):
        """The dealer answers what landed at this place; the desks hear of it."""
        asked = decode_asked(self.written.pop(at).value)
        known = self.table.answers.get(f"dealer {asked.player}")
        self._offset += 1
        if known is not None and asked.number <= known.number:
            return None  # a copy, or overtaken: passed over
        decided = answer(self.table, asked, self.given())
        answers = Answered("table-commands", self._offset, asked.player, asked.number)
        return self._append(decided, answers, desks or (self.desk,))

    def _append(self, decided, answers, desks=()):
        assert decided is not None
        self._records += 1
        record = Record(
            TABLE,
            self.table.version + 1,
            self.table.head,
            f"dealer/x/{self._records}",
            "",
            answers,
            1,
            tuple(events_of(decided)),
        )
        apply(self.table, record, self.clock.now_ms())
        for desk in desks:
            pending = desk.heard(self.table, record)
            if pending is not None:
                desk.settle(pending, record)
        return record

    def asks(self, command, player="p1", number=0, desk=None):
        """Ask; the list in which the outcome will stand."""
        told: list[Any] = []
        (desk or self.desk).ask(TABLE, player, command, number, told.append)
        return told


@pytest.fixture
async def world():
    return World()


async def test_what_waits_at_a_table_that_has_closed_is_told_so(world):
    """The dealer may have let go of the table: nobody else tells it."""
    told = world.asks(SitOut())
    await asyncio.sleep(0)
    world._append([TableClosing("asked"), TableClosed()], None)
    assert told == []
    world.clock.advance(AGAIN_MS)
    world.desk.tick()
    [fault] = told
    assert fault.reason == "TABLE_CLOSED"
    assert world.desk.open == 0


async def test_a_closed_table_is_asked_nothing(world):
    world.order(CloseTable("operator"))
    world._append([TableClosed()], None)
    (fault,) = world.asks(SitOut())
    assert fault.code == code_pb2.FAILED_PRECONDITION
    assert fault.reason == "TABLE_CLOSED"
    await asyncio.sleep(0)
    assert not world.written
    assert not world.desk.open


def turn():
    """Let the loop turn, so that what was asked is written."""
    return asyncio.sleep(0)


def sit(seat=1, amount=500):
    return SitDown(seat, amount, True, "")


async def test_a_command_is_written_once_and_told_when_it_is_answered(world):
    told = world.asks(sit())
    await turn()
    assert len(world.written) == 1
    assert told == []
    record = world.answer()
    assert told == [Done(record.version, record.answers.number)]
    assert world.desk.open == 0


async def test_a_refusal_is_told_with_its_facts(world):
    world.asks(sit())
    await turn()
    world.answer()
    told = world.asks(sit(seat=2), player="p2")
    other = world.asks(SitDown(1, 500, True, ""), player="p3")
    await turn()
    world.answer()
    world.answer()
    assert isinstance(told[0], Done)
    assert (other[0].code, other[0].reason) == (code_pb2.FAILED_PRECONDITION, "SEAT_TAKEN")
    assert other[0].facts == {"seat": "1"}


async def test_all_that_is_asked_in_one_turn_of_the_loop_is_one_batch(world):
    for number in range(5):
        world.asks(sit(seat=number + 1), player=f"p{number}")
    await turn()
    assert len(world.written) == 5
    assert world.batches == 1


async def test_a_table_that_was_never_opened_is_refused_without_a_word_in_the_log(world):
    told: list[Any] = []
    for name in ("2.0", "nowhere"):
        world.desk.ask(name, "p1", Leave(), 0, told.append)
    await turn()
    assert [one.reason for one in told] == ["NO_TABLE", "BAD_INPUT"]
    assert world.written == []


async def test_numbers_grow_and_two_desks_seldom_pick_the_same(world):
    numbers = []
    for turns in range(20):
        told = world.asks(SitOut() if turns else sit())
        await turn()
        numbers.append(world.answer().answers.number)
        assert told
    assert numbers == sorted(set(numbers))
    assert numbers[-1] < 20 * (SKIP + 1)
    one, other = world.new_desk(7), world.new_desk(8)
    world.asks(Leave(), desk=one)
    world.asks(Leave(), desk=other)
    await turn()
    picked = [decode_asked(append.value).number for append in world.written]
    assert len(set(picked)) == 2
    assert min(picked) > numbers[-1]


async def test_what_did_not_land_is_written_again_under_its_number(world):
    world.fails = True
    told = world.asks(sit())
    await turn()
    await turn()
    world.fails = False
    world.desk.tick()
    await turn()
    [again] = world.written
    assert decode_asked(again.value).command == sit()
    world.answer()
    assert isinstance(told[0], Done)


async def test_what_is_not_answered_is_written_again_seldom_and_has_one_outcome(world):
    told = world.asks(sit())
    await turn()
    first = world.written[0].value
    waits = []
    for _ in range(4):
        before = world.clock.now_ms()
        landed = len(world.written)
        while len(world.written) == landed:
            world.clock.advance(250)
            world.desk.tick()
            await turn()
        waits.append(world.clock.now_ms() - before)
    assert waits == [AGAIN_MS, 2 * AGAIN_MS, 4 * AGAIN_MS, 8 * AGAIN_MS]
    assert {append.value for append in world.written} == {first}
    answered = [world.answer() for _ in range(5)]
    assert [record is not None for record in answered] == [True, False, False, False, False]
    assert len(told) == 1


async def test_the_outcome_is_learned_from_the_state_if_its_record_was_missed(world):
    told = world.asks(sit())
    await turn()
    record = world.answer(world.new_desk())  # another desk hears it, this one does not
    world.clock.advance(AGAIN_MS)
    world.desk.tick()
    assert told == [Done(record.version, record.answers.number)]


async def test_a_player_who_asks_again_under_his_number_gets_the_same_outcome(world):
    told = world.asks(sit(), number=41)
    again = world.asks(sit(), number=41)
    await turn()
    assert len(world.written) == 1
    record = world.answer()
    assert told == again == [Done(record.version, 41)]
    assert world.asks(sit(), number=41) == told
    assert world.asks(sit(), number=41, desk=world.new_desk(9)) == told  # after a restart, too
    await turn()
    assert world.written == []


async def test_a_refusal_is_remembered_by_its_code(world):
    told = world.asks(Leave(), number=5)
    await turn()
    world.answer()
    again = world.asks(Leave(), number=5, desk=world.new_desk(9))
    assert told[0].reason == again[0].reason == "NOT_SEATED"


async def test_a_number_that_was_passed_is_refused_without_effect(world):
    world.asks(sit(), number=10)
    await turn()
    world.answer()
    told = world.asks(Leave(), number=9)
    assert (told[0].code, told[0].reason) == (code_pb2.ABORTED, "OVERTAKEN")
    assert told[0].facts == {"last_number": "10"}


async def test_a_command_that_another_device_overtook_is_numbered_anew(world):
    """Two sessions ask for one player; the greater number lands first."""
    other = world.new_desk(9)
    told: list[Any] = []
    others: list[Any] = []
    world.desk.ask(TABLE, "p1", sit(), 0, told.append)
    await turn()
    other.ask(TABLE, "p1", sit(seat=3), SKIP + 7, others.append)
    await turn()
    world.answer(world.desk, other, at=1)
    assert isinstance(others[0], Done)
    assert told == []
    await turn()
    assert world.answer(world.desk, other) is None  # the old copy is passed over
    world.answer(world.desk, other)
    assert told[0].reason == "ALREADY_RESERVED"


async def test_a_command_with_the_players_own_number_is_told_that_it_was_overtaken(world):
    other = world.new_desk(9)
    told = world.asks(sit(), number=5)
    await turn()
    world.asks(sit(seat=3), number=6, desk=other)
    await turn()
    world.answer(world.desk, other, at=1)
    assert (told[0].reason, told[0].facts) == ("OVERTAKEN", {"last_number": "6"})
    assert world.desk.open == 0


async def test_commands_to_one_decider_go_one_after_the_other(world):
    """Two at once could land in the wrong order, and the lower would be passed over."""
    first, second = world.asks(sit()), world.asks(Leave())
    await turn()
    assert len(world.written) == 1
    world.answer()
    await turn()
    assert len(world.written) == 1
    world.answer()
    assert isinstance(first[0], Done)
    assert second[0].reason == "NOT_SEATED"  # the seat was only held


async def test_acts_do_not_wait_for_the_dealer(world):
    world.asks(sit())
    act = world.asks(Act("1.0-1", 1, 10, Action.FOLD, 0, ()))
    draw = world.asks(Act("1.0-1", 1, 10, Action.DRAW, 0, ()))
    await turn()
    kinds = [type(decode_asked(append.value).command) for append in world.written]
    assert kinds == [SitDown, Act]
    assert act == draw == []


async def test_too_many_that_wait_are_refused(world):
    told = [world.asks(sit()) for _ in range(WAITING_MOST + 2)]
    await turn()
    refused_ones = [one for one in told if one]
    assert len(refused_ones) == 1
    assert refused_ones[0][0].reason == "TOO_MANY_WAITING"
    assert refused_ones[0][0].retry_after_ms > 0


async def test_nobody_waits_for_ever(world):
    told = world.asks(sit())
    await turn()
    for _ in range((GIVE_UP_MS + AGAIN_MS_MOST) // 10_000):
        world.clock.advance(10_000)
        world.desk.tick()
        await turn()
    assert isinstance(told[0], Fault)
    assert told[0].reason == "TOO_LATE"
    assert world.desk.open == 0


async def test_a_waiting_command_whose_number_was_passed_is_not_written(world):
    world.asks(sit(), number=10)
    told = world.asks(Leave(), number=9)
    await turn()
    world.answer()
    await turn()
    assert told[0].reason == "OVERTAKEN"
    assert world.written == []
    world.order(Funded(next(iter(world.table.reservations))))
    topped = world.asks(TopUp(100), number=11)
    await turn()
    world.answer()
    assert isinstance(topped[0], Done)
