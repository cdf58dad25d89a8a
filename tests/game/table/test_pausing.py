"""A table that waits: by an operator's order, or because a gateway was lost with its players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from riverboat.game.commands import (
    Action,
    CloseTable,
    LoseLine,
    PauseTable,
    RegainLine,
    ResumeTable,
    SitOut,
)
from riverboat.game.hand.events import HandVoided
from riverboat.game.hand.state import Baton
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import (
    LineLost,
    PlayerLeft,
    SatOut,
    TablePaused,
    TableResumed,
)
from services import betting, dealer
from tests.game.table.choosing import own_mixes, settings
from tests.game.table.house import House, folded
from tests.game.table.tables import NOW_MS, SETTINGS, given

GATEWAY_MS = 30_000
WAITING = replace(SETTINGS, gateway_ms=GATEWAY_MS)


def bad(name, reason):
    return Refusal(TableCode.BAD_SETTING, field=name, reason=reason)


def lose_session(house, session):
    """What the dealer makes of it that this session has fallen silent."""
    events = dealer.MANIFEST.duty(
        house.table, given(house.now_ms)._replace(silent=frozenset({session}))
    )
    if events:
        house.append("dealer", events)
    return events


def at_sessions(options=WAITING, **sessions):
    """A table whose players hang on these sessions."""
    house = House.opened(options)
    for player, session in sessions.items():
        house.seat(player, 1000)
        house.ask(player, RegainLine(f"{session}.{player}"))
    return house


# --- By order.


def test_no_hand_begins_while_a_table_waits():
    house = House.opened(ann=1000, bob=1000)
    assert house.order(PauseTable("repair", 0)) == (TablePaused("repair", 0),)
    house.run()
    assert not house.playing()
    assert dealer.MANIFEST.alarm(house.table) is None
    assert dealer.MANIFEST.overdue(house.table) is None
    assert house.order(ResumeTable()) == (TableResumed("asked"),)
    house.run()
    assert house.playing()
    assert folded(house) == house.table


def test_no_clock_runs_out_in_a_hand_that_waits_and_the_hand_is_not_called_off():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    turn = house.hand.turn_number
    house.now_ms += 5_000
    house.order(PauseTable("repair", 0))
    assert house.wait(10 * SETTINGS.grace_ms) == []
    assert betting.MANIFEST.overdue(house.table) is None
    house.order(ResumeTable())
    assert house.hand.turn_number == turn
    assert house.hand.deadline_ms == house.now_ms + SETTINGS.turn_ms  # all his time anew
    assert house.wait(SETTINGS.turn_ms - 1) == []
    assert house.wait(1)


def test_a_player_may_act_while_the_table_waits():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    house.order(PauseTable("repair", 0))
    assert not isinstance(house.act(Action.CALL), Refusal)


def test_a_step_of_the_house_is_owed_anew_when_the_table_goes_on():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    house.act(Action.CALL)
    house.hand.baton, house.hand.turn = Baton.DEALER, 0  # as if the dealer were away
    house.order(PauseTable("repair", 0))
    house.now_ms += 10 * SETTINGS.grace_ms
    house.order(ResumeTable())
    alarm = dealer.MANIFEST.alarm(house.table)
    assert alarm is not None and alarm.at_ms == house.now_ms + SETTINGS.grace_ms


def test_a_table_goes_on_by_itself_when_its_time_is_up():
    house = House.opened(ann=1000, bob=1000)
    assert house.order(PauseTable("repair", 60_000)) == (TablePaused("repair", NOW_MS + 60_000),)
    assert house.wait(59_999) == []
    assert house.wait(1) == [TableResumed("over")]
    assert (house.table.paused, house.table.paused_until_ms, house.table.paused_at_ms) == ("", 0, 0)


def test_a_table_waits_once_and_goes_on_once():
    house = House.opened(ann=1000, bob=1000)
    assert house.order(ResumeTable()) == Refusal(TableCode.NOT_PAUSED)
    house.order(PauseTable("repair", 0))
    assert house.order(PauseTable("repair", 0)) == Refusal(TableCode.ALREADY_PAUSED)
    house.order(ResumeTable())
    assert house.order(ResumeTable()) == Refusal(TableCode.NOT_PAUSED)


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (
            PauseTable("", 0),
            bad("reason", "must be from 1 to 80 characters that can be printed"),
        ),
        (PauseTable("gateway", 0), bad("reason", "must not be gateway")),
        (PauseTable("x", -1), bad("for_ms", "must be from 0 to 86400000")),
        (PauseTable("x", 86_400_001), bad("for_ms", "must be from 0 to 86400000")),
    ],
)
def test_how_a_table_may_not_be_paused(order, refusal):
    assert House.opened().order(order) == refusal


def test_a_table_that_is_not_there_does_not_wait():
    assert House().order(PauseTable("x", 0)) == Refusal(TableCode.NO_TABLE)
    assert House().order(ResumeTable()) == Refusal(TableCode.NO_TABLE)
    house = House.opened()
    house.order(CloseTable("x"))
    house.run()
    assert house.order(PauseTable("x", 0)) == Refusal(TableCode.TABLE_CLOSED)


def test_who_leaves_or_closes_needs_not_wait():
    house = House.opened(ann=1000, bob=1000)
    house.order(PauseTable("repair", 0))
    house.order(CloseTable("night"))
    house.run()
    assert house.table.closed


def test_who_is_away_while_the_table_waits_is_not_away_for_longer():
    house = House.opened(replace(SETTINGS, away_ms=60_000), ann=1000, bob=1000)
    house.ask("bob", SitOut())
    house.now_ms += 20_000
    house.order(PauseTable("repair", 0))
    assert house.wait(600_000) == []
    house.order(ResumeTable())
    assert house.wait(39_999) == []
    (left,) = house.wait(1)
    assert isinstance(left, PlayerLeft)


def test_who_has_the_choice_of_the_next_game_has_his_time_anew():
    with own_mixes():
        house = House.opened(settings("plaque"), ann=10_000, bob=10_000, cas=10_000)
        house.run()
        before = house.table.choice
        assert before is not None
        house.order(PauseTable("repair", 0))
        assert house.wait(600_000) == []
        house.order(ResumeTable())
        assert house.table.choice is not None
        assert house.table.choice.deadline_ms == before.deadline_ms + 600_000


# --- By a gateway.


def test_a_table_waits_where_a_gateway_is_lost_with_several_players():
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    house.run()
    house.act(Action.CALL)
    lost = [LineLost("ann", "s1.ann", True), LineLost("bob", "s1.bob", True)]
    paused = TablePaused("gateway", house.now_ms + GATEWAY_MS)
    assert lose_session(house, "s1") == [*lost, paused]
    assert house.wait(GATEWAY_MS - 1) == []


def test_it_goes_on_when_enough_are_back():
    house = at_sessions(ann="s1", bob="s1", cas="s1", dan="s2")
    house.run()
    lose_session(house, "s1")
    house.ask("ann", RegainLine("s2.ann"))
    assert house.owe(dealer.MANIFEST) is None
    assert dealer.MANIFEST.overdue(house.table) is not None
    turn = house.hand.seats[house.hand.turn].player
    for player in ("bob", "cas"):
        if player == turn or turn not in ("bob", "cas"):
            house.ask(player, RegainLine(f"s2.{player}"))
            break
    assert dealer.MANIFEST.overdue(house.table) == house.table.time_ms
    assert house.owe(dealer.MANIFEST) == [TableResumed("back")]
    assert house.hand.deadline_ms == house.now_ms + SETTINGS.turn_ms


def test_it_waits_no_longer_than_it_may_and_then_never_again_for_the_same_lines():
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    house.run()
    lose_session(house, "s1")
    assert house.wait(GATEWAY_MS) == [TableResumed("over")]
    assert lose_session(house, "s1") is None
    assert not house.table.paused


def test_one_lost_line_never_makes_a_table_wait():
    """RULES 7: "A gateway lost with many players is told apart from one lost line"."""
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    house.run()
    house.ask("ann", LoseLine("s1.ann", gateway=False))
    house.ask("bob", LoseLine("s1.bob", gateway=False))
    house.run()
    assert not house.table.paused


def test_a_gateway_that_ends_in_order_is_waited_for_though_it_tells_of_its_lines_one_by_one():
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    lost = LineLost("ann", "s1.ann", True)
    assert house.ask("ann", LoseLine("s1.ann", gateway=True)) == (lost,)
    assert house.ask("bob", LoseLine("s1.bob", gateway=True)) == (
        LineLost("bob", "s1.bob", True),
        TablePaused("gateway", house.now_ms + GATEWAY_MS),
    )
    assert folded(house) == house.table


def test_lines_that_were_lost_at_another_gateway_do_not_count_with_this_one():
    house = at_sessions(ann="s1", bob="s2", cas="s3")
    house.ask("ann", LoseLine("s1.ann", gateway=True))
    house.ask("bob", LoseLine("s2.bob", gateway=True))
    assert not house.table.paused


@pytest.mark.parametrize(("past", "waits"), [(-1, True), (0, False)])
def test_an_outage_past_the_grace_calls_the_hand_off_and_no_gateway_is_waited_for(past, waits):
    """RULES 7, server failure."""
    house = at_sessions(ann="s1", bob="s1", cas="s1")
    house.run()
    house.now_ms = house.hand.deadline_ms + SETTINGS.grace_ms + past
    lose_session(house, "s1")
    assert bool(house.table.paused) == waits
    if not waits:
        rung = house.wait(0)
        voided, *gone = rung
        assert isinstance(voided, HandVoided)
        paid = {(left.player, left.amount, left.why) for left in gone}
        assert paid == {(player, 1000, "voided") for player in ("ann", "bob", "cas")}
        assert not house.stacks()


def test_a_gateway_that_is_lost_with_one_player_is_waited_for_on_his_turn_alone():
    house = at_sessions(ann="s1", bob="s2", cas="s3")
    house.run()
    turn = house.hand.turn
    others = [s for s in house.table.sittings.values() if s.seat != turn]
    for sitting in others:
        lose_session(house, sitting.line.partition(".")[0])
        assert not house.table.paused
    lose_session(house, house.table.sittings[turn].line.partition(".")[0])
    assert house.table.paused == "gateway"


def test_nobody_waits_for_who_is_away_or_where_the_options_say_nothing_of_it():
    house = at_sessions(ann="s1", bob="s1", cas="s2", dan="s2")
    house.ask("ann", SitOut())
    lose_session(house, "s1")
    assert not house.table.paused
    plain = at_sessions(SETTINGS, ann="s1", bob="s1", cas="s2")
    lose_session(plain, "s1")
    assert not plain.table.paused


def test_an_operator_may_let_a_table_wait_longer_than_for_its_gateway():
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    lose_session(house, "s1")
    assert house.order(PauseTable("repair", 0)) == (
        TableResumed("paused"),
        TablePaused("repair", 0),
    )
    house.ask("ann", RegainLine("s2.ann"))
    assert house.owe(dealer.MANIFEST) is None
    assert folded(house) == house.table


def test_who_was_lost_and_does_not_come_back_is_away_when_his_time_is_up():
    house = at_sessions(ann="s1", bob="s1", cas="s2")
    house.run()
    lose_session(house, "s1")
    house.wait(GATEWAY_MS)
    seen = []
    for _ in range(8):
        seen += house.wait(SETTINGS.turn_ms)
        house.run()
    away = {
        event.player: event.why
        for record, _ in house.log
        for event in record.events
        if isinstance(event, SatOut)
    }
    assert away.get("ann") == "line_lost" or away.get("bob") == "line_lost"
