"""The manifests of dealer, betting and showdown: who takes what, and who may write what."""

from __future__ import annotations

from typing import get_args

import pytest

from riverboat.game.authority import MAY_WRITE
from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    ChangeOptions,
    Command,
    DrainTable,
    Funded,
    HoldSeat,
    JoinList,
    Leave,
    LeaveList,
    OpenTable,
    Order,
    Ordered,
    PauseTable,
    ReleaseSeat,
    RemovePlayer,
    ResumeTable,
    SetPreferences,
    ShowCards,
    SitDown,
    VoidHand,
)
from riverboat.game.refusals import HandCode, Refusal, TableCode
from riverboat.game.table.decide import COMMANDS, ORDERS
from riverboat.game.table.events import Preferences
from riverboat.game.table.state import Table
from riverboat.runtime.service import Message
from services import betting, dealer, showdown
from tests.game.table.tables import SETTINGS, given, table

MANIFESTS = (dealer.MANIFEST, betting.MANIFEST, showdown.MANIFEST)


def asked(command) -> Asked:
    return Asked("1.0", "ann", 1, command)


def ordered(order) -> Ordered:
    return Ordered("1.0", "o1", "operator", order)


def act(action: Action) -> Asked:
    return asked(Act("1.0-1", 1, 10, action, 0, ()))


@pytest.mark.parametrize(
    ("message", "taker"),
    [
        (asked(SitDown(0, 500, True, "")), "dealer"),
        (asked(Leave()), "dealer"),
        (ordered(Funded("r")), "dealer"),
        (ordered(VoidHand("1.0-1", "x")), "dealer"),
        (ordered(ChangeOptions(SETTINGS)), "dealer"),
        (ordered(PauseTable("x", 0)), "dealer"),
        (ordered(ResumeTable()), "dealer"),
        (ordered(DrainTable("x")), "dealer"),
        (ordered(RemovePlayer("ann", "x")), "dealer"),
        (asked(HoldSeat(0, "", b"")), "dealer"),
        (asked(ReleaseSeat()), "dealer"),
        (asked(JoinList("", b"")), "dealer"),
        (asked(LeaveList()), "dealer"),
        (asked(SetPreferences(Preferences())), "dealer"),
        (asked(ShowCards("1.0-1", (0,))), "dealer"),
        (act(Action.DRAW), "dealer"),
        *[(act(action), "betting") for action in Action if action is not Action.DRAW],
    ],
)
def test_every_message_has_one_taker(message: Message, taker):
    """ARCHITECTURE 2: "A command that reached the log ends in exactly one event"."""
    assert [each.name for each in MANIFESTS if each.takes(message)] == [taker]


def test_every_command_and_every_order_is_answered():
    assert {*COMMANDS, Act} == set(get_args(Command))
    assert ORDERS.keys() == set(get_args(Order))


def test_every_event_has_a_writer_and_nobody_writes_what_he_may_not():
    for event, writers in MAY_WRITE.items():
        assert writers == {each.name for each in MANIFESTS if event in each.writes}


def test_a_void_alone_is_taken_out_of_turn():
    """ARCHITECTURE 2: "a void is the one order taken out of turn"."""
    assert dealer.MANIFEST.out_of_turn(ordered(VoidHand("1.0-1", "x")))
    assert not dealer.MANIFEST.out_of_turn(ordered(OpenTable(SETTINGS)))
    assert not dealer.MANIFEST.out_of_turn(asked(Leave()))
    assert not betting.MANIFEST.out_of_turn(ordered(VoidHand("1.0-1", "x")))


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (asked(Leave()), TableCode.NOT_SEATED),
        (ordered(OpenTable(SETTINGS)), TableCode.ALREADY_OPEN),
        (act(Action.DRAW), HandCode.NO_HAND),
        (act(Action.FOLD), HandCode.NO_HAND),
    ],
)
def test_the_taker_answers(message: Message, code):
    (taker,) = [each for each in MANIFESTS if each.takes(message)]
    assert taker.answer(table(), message, given(offset=1)) == Refusal(code)


def test_at_a_table_that_nobody_opened_nothing_is_owed_and_nothing_rings():
    for each in MANIFESTS:
        assert each.duty(Table("1.0"), given()) is None
        assert each.alarm(Table("1.0")) is None
        assert each.overdue(Table("1.0")) is None


def test_the_houses_word_goes_first():
    assert dealer.MANIFEST.topics == ("table-orders", "table-commands")
    assert [each.name for each in MANIFESTS if each.writes_dead_letters] == ["dealer"]
    assert showdown.MANIFEST.answer(table(), asked(Leave()), given()) is None
