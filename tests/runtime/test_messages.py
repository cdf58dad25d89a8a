"""Messages that fail, and messages to tables never seen: one outcome, and no standing still."""

from __future__ import annotations

from dataclasses import replace

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
)
from riverboat.game.hand.events import Folded
from riverboat.game.refusals import TableCode
from riverboat.game.table.events import CommandRefused, PlayerLeft, SeatReserved, TableOpened
from riverboat.game.table.given import Given
from riverboat.game.table.state import Table
from riverboat.log import topics
from riverboat.log.log import Place
from riverboat.runtime.service import Decision, Manifest, Message
from riverboat.runtime.step import MARGIN_MS, STANDBY_MS
from services import betting, dealer
from tests.runtime.rig import SETTINGS, TABLE, Rig, playing, table_of


def brittle(manifest: Manifest, *breaks: type) -> Manifest:
    """The service, with a decision that fails on these commands and orders."""

    def answer(table: Table, message: Message, given: Given) -> Decision:
        asked = message.order if isinstance(message, Ordered) else message.command
        if isinstance(asked, breaks):
            raise ZeroDivisionError(type(asked).__name__)
        return manifest.answer(table, message, given)

    return replace(manifest, answer=answer)


def test_a_command_whose_decision_fails_has_an_outcome_and_blocks_nobody() -> None:
    """ARCHITECTURE 3, law 7: a command has at most one outcome, and its sender learns it."""
    rig = Rig()
    step = rig.step(brittle(dealer.MANIFEST, SitOut))
    rig.seat(step, ["ann"])
    rig.land(rig.ask("ann", SitOut()))
    rig.land(rig.ask("ann", Leave()))  # behind it, between hands
    refused, left = rig.play(step)
    assert refused.events == (CommandRefused(TableCode.INTERNAL, ()),)
    assert isinstance(left.events[0], PlayerLeft)
    assert step.counts.failed == 1
    [(table, why)] = step.tables.failures
    assert (table, why) == (TABLE, "dealer failed on SitOut: ZeroDivisionError: SitOut")
    assert step.commits("dealer")[Place(topics.TABLE_COMMANDS, 0)] == 3


def test_an_order_whose_decision_fails_is_passed_over_as_the_house_says_it_again() -> None:
    rig = Rig()
    step = rig.step(brittle(dealer.MANIFEST, Funded))
    rig.seat(step, ["ann"])
    assert table_of(step).reservations  # what was funded is not lost: it waits
    assert step.counts.failed == 1
    rig.land(rig.ask("bob", SitDown(2, 1_000, True, "")))
    assert [type(record.events[0]) for record in rig.play(step)] == [SeatReserved]


def test_who_stands_in_leaves_what_fails_to_the_owner() -> None:
    """A standby of another version must not refuse what the owner would do."""
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    standby = rig.step(brittle(betting.MANIFEST, Act), owns=False)
    rig.land(rig.act(step, Action.FOLD))
    rig.now_ms = hand.deadline_ms + MARGIN_MS + 2 * STANDBY_MS
    assert rig.play(standby) == []
    assert standby.counts.failed == 1
    assert isinstance(rig.play(step)[0].events[0], Folded)


def test_no_record_but_its_opening_is_written_to_a_table_that_was_never_folded() -> None:
    """It would be version 1 of a table that may stand, closed, before all that is read."""
    rig = Rig()
    step = rig.step()
    rig.land(rig.ask("ann", SitDown(1, 1_000, True, "")))
    rig.land(rig.order(CloseTable("late")))
    rig.land(rig.order(Funded("r")))
    assert rig.play(step) == []
    # Till all is read that may have stood when they asked, they wait:
    commands = Place(topics.TABLE_COMMANDS, 0)
    assert step.commits("dealer")[commands] == 0
    rig.now_ms += MARGIN_MS
    assert rig.play(step) == []
    assert step.fences.wanted() == [0]
    step.fence(0, rig.now_ms, {place: len(rig.places.get(place, [])) for place in step.inputs(0)})
    assert rig.play(step) == []
    assert step.counts.ignored == 3
    assert step.commits("dealer")[commands] == 1
    rig.land(rig.order(OpenTable(SETTINGS)))
    [opened] = rig.play(step)
    assert isinstance(opened.events[0], TableOpened)


def test_a_command_read_before_its_tables_opening_waits_for_it() -> None:
    rig = Rig()
    step = rig.step()
    rig.land(rig.order(OpenTable(SETTINGS)))
    rig.play(step)
    behind = rig.step()
    rig.land(rig.ask("ann", SitDown(1, 1_000, True, "")))
    rig.show(behind, topics.TABLE_COMMANDS)
    assert behind.decide(rig.now_ms) == []
    [reserved] = rig.play(behind)
    assert isinstance(reserved.events[0], SeatReserved)
