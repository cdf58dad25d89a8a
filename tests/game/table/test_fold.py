"""The fold of a table: whole hands through the three deciders, and what stops a reader."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import (
    Action,
    Funded,
    Leave,
    LoseLine,
    RegainLine,
    SitDown,
    SitOut,
    TopUp,
    VoidHand,
)
from riverboat.game.hand.events import (
    Folded,
    HandEnded,
    HandStarted,
    HandVoided,
    StreetDealt,
    UncalledReturned,
)
from riverboat.game.hand.state import Baton
from riverboat.game.record import Answered, Record, UnknownEvent
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.digest import digest
from riverboat.game.table.events import (
    CommandRefused,
    LineBack,
    PlayerLeft,
    PlayerSeated,
    SatOut,
    SeatReserved,
    TableClosing,
    TableOpened,
)
from riverboat.game.table.fold import (
    ANSWERS_MOST,
    ORDERS_MOST,
    BadRecord,
    Fit,
    apply,
    evolve,
    fit,
)
from riverboat.game.table.state import Answer, Table
from riverboat.wire.record import decode_record, encode_record
from tests.game.table.house import House, chips, folded
from tests.game.table.tables import NOW_MS, SETTINGS, sitting, table


def record(state: Table, *events: Any, service: str = "dealer", **rest: Any) -> Record:
    made = Record(state.id, state.version + 1, state.head, f"{service}/1/9", "", None, 1, events)
    return replace(made, **rest)


def test_a_hand_from_the_first_seat_to_the_last_chip():
    house = House.opened(ann=1000, bob=1000, cas=1000)
    house.run()
    assert house.playing()
    house.play_out()
    assert not house.playing()
    assert sum(house.stacks().values()) + house.table.raked == 3000
    assert sorted(house.stacks().values())[0] == 990
    assert house.table.hands == 1
    assert digest(folded(house)) == digest(house.table)


def test_the_envelope_moves_version_head_time_and_memory():
    state = table()
    before = state.version
    answers = Answered("table-commands", 5, "ann", 2)
    apply(state, record(state, CommandRefused(110, ()), answers=answers), NOW_MS + 5)
    assert (state.version, state.head, state.time_ms) == (before + 1, "dealer/1/9", NOW_MS + 5)
    assert state.offsets == {"dealer table-commands": 5}
    assert state.answers == {"dealer ann": Answer(2, before + 1, 110)}
    # Time never goes back, and another topic, or another decider, has a memory of its own.
    answers = Answered("table-orders", 1)
    apply(state, record(state, TableClosing("late"), answers=answers), NOW_MS)
    assert state.time_ms == NOW_MS + 5
    assert state.offsets == {"dealer table-commands": 5, "dealer table-orders": 1}


def test_an_answer_that_had_effect_is_remembered_as_such():
    state = table(sitting(1, player="ann"))
    answers = Answered("table-commands", 5, "ann", 7)
    apply(state, record(state, SatOut("ann", "asked"), answers=answers), NOW_MS)
    assert state.answers["dealer ann"] == Answer(7, state.version, 0)


def test_orders_that_had_effect_are_remembered_by_their_ids():
    state = table()
    for number in range(ORDERS_MOST + 2):
        answers = Answered("table-orders", number, order=f"o{number}")
        apply(state, record(state, TableClosing("late"), answers=answers), NOW_MS)
    assert state.orders == [f"dealer o{number}" for number in range(2, ORDERS_MOST + 2)]
    # One that was refused may be given again.
    answers = Answered("table-orders", 99, order="refused")
    apply(state, record(state, CommandRefused(110, ()), answers=answers), NOW_MS)
    assert "dealer refused" not in state.orders


def test_a_void_out_of_turn_does_not_move_the_memory_of_offsets():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    assert house.table.deal is not None
    before = dict(house.table.offsets)
    answers = Answered("table-orders", 99, out_of_turn=True)
    house.append("dealer", [HandVoided(house.table.deal.hand, "operator")], answers)
    assert house.table.offsets == before


def test_records_stale_next_and_missing():
    state = table()
    assert fit(state, record(state, version=7)) is Fit.STALE
    assert fit(state, record(state)) is Fit.NEXT
    assert fit(state, record(state, parent="dealer/1/8")) is Fit.GAP
    assert fit(state, record(state, version=9)) is Fit.GAP


@pytest.mark.parametrize(
    ("service", "event"),
    [
        ("betting", TableClosing("x")),
        ("showdown", Folded(1)),
        ("dealer", HandEnded("1.0-1", (), 0)),
        ("wallet", CommandRefused(1, ())),
    ],
)
def test_a_record_whose_writer_has_no_say_changes_nothing(service, event):
    state = table()
    before = digest(state)
    with pytest.raises(BadRecord, match=type(event).__name__):
        apply(state, record(state, event, service=service), NOW_MS)
    with pytest.raises(BadRecord, match="nothing"):
        apply(state, record(state), NOW_MS)
    assert digest(state) == before


@pytest.mark.parametrize(
    ("service", "event"),
    [("dealer", StreetDealt(1, (), (), b"")), ("showdown", HandEnded("1.0-1", (), 0))],
)
def test_only_who_holds_the_baton_takes_the_hands_next_step(service, event):
    """ARCHITECTURE 2: "which service may write which event in which phase"."""
    house = House.opened(ann=1000, bob=1000)
    house.run()
    assert house.hand.baton is Baton.BETTING
    with pytest.raises(BadRecord, match="now"):
        house.append(service, [event])
    house.append("dealer", [LineBack("ann", "another")])  # the table's own events it may write
    assert house.table.sittings[1].line == "another"


def test_old_answers_of_players_who_are_gone_are_forgotten_and_no_others():
    state = table(sitting(1, player="ann"))
    state.answers = {f"dealer p{n}": Answer(1, n, 0) for n in range(1, ANSWERS_MOST)}
    state.answers["dealer ann"] = Answer(4, 0, 0)
    answers = Answered("table-commands", 5, "new", 1)
    apply(state, record(state, CommandRefused(110, ()), answers=answers), NOW_MS)
    assert len(state.answers) == ANSWERS_MOST // 2 + 1
    assert "dealer ann" in state.answers
    assert "dealer new" in state.answers
    assert "dealer p64" not in state.answers
    assert "dealer p65" in state.answers


def stopped_house() -> tuple[House, Table]:
    """A hand on its way, and a reader that met an event of it which it does not know."""
    house = House.opened(ann=1000, bob=1000, cas=1000)
    house.run()
    reader = folded(house)
    house.act(Action.CALL)
    last, time_ms = house.log[-1]
    events = (UnknownEvent("holds nothing that is known"), *last.events)
    apply(reader, replace(last, events=events), time_ms)
    assert reader.stopped
    assert reader.stopped_at == reader.version
    assert reader.hand is None
    return house, reader


def catch_up(reader: Table, house: House) -> None:
    for each, time_ms in house.log[reader.version :]:
        apply(reader, each, time_ms)


def test_a_stopped_reader_is_freed_by_the_hands_end_and_agrees_again():
    """ARCHITECTURE 2: "`HandVoided` and `HandEnded` fold from `HandStarted` and table events
    alone".
    """
    house, reader = stopped_house()
    house.ask("cas", SitOut())
    house.seat("dan", 500)
    house.wait(22_000)  # somebody's time runs out: his turn is judged, the table remembers it
    house.run()
    catch_up(reader, house)
    assert reader.stopped
    assert reader.sittings[4].player == "dan"
    house.play_out()
    catch_up(reader, house)
    assert not reader.stopped
    assert digest(reader) == digest(house.table)


def test_a_stopped_reader_is_freed_by_a_void():
    house, reader = stopped_house()
    assert house.table.deal is not None
    house.order(VoidHand(house.table.deal.hand, "operator"))
    catch_up(reader, house)
    assert not reader.stopped
    assert digest(reader) == digest(house.table)
    assert house.stacks() == {"ann": 1000, "bob": 1000, "cas": 1000}


@pytest.mark.parametrize("changes", [False, True])
def test_a_reader_stopped_between_hands_goes_on_where_a_hands_start_proves_its_state(changes):
    """ARCHITECTURE 2: readers "compare state hashes at each hand's start"."""
    house = House.opened(ann=1000, bob=1000, cas=1000)
    house.run()
    house.play_out()
    reader = folded(house)
    house.seat("dan", 500)
    for at, (last, time_ms) in enumerate(house.log[reader.version :]):
        # What is new beside the rest, or in the place of all that it says.
        unknown = (UnknownEvent("field 99"), *(() if changes else last.events))
        apply(reader, replace(last, events=unknown) if at == 0 else last, time_ms)
    assert reader.lost
    house.wait(10_000)
    house.run()
    catch_up(reader, house)
    assert house.playing()
    assert bool(reader.stopped) == reader.lost == changes
    assert (reader.hand is None) == changes
    assert (digest(reader) == digest(house.table)) == (not changes)
    house.play_out()
    catch_up(reader, house)
    assert bool(reader.stopped) == changes, "its end frees no table that was changed unseen"


def test_a_hand_event_that_cannot_be_folded_stops_the_hand_here():
    house = House.opened(ann=1000, bob=1000)
    house.run()
    state = house.table
    apply(state, record(state, Folded(6), service="betting"), NOW_MS)
    assert "Folded" in state.stopped
    assert not state.lost
    assert state.hand is None
    assert state.deal is not None


def test_a_table_event_that_cannot_be_folded_stops_the_table_for_good():
    state = table(sitting(1), sitting(2))
    apply(state, record(state, PlayerSeated("never reserved")), NOW_MS)
    assert "PlayerSeated" in state.stopped
    assert state.lost
    assert state.version == 8  # it goes on folding envelopes


def test_a_reader_with_another_state_stops_as_the_hand_starts():
    """ARCHITECTURE 2: "compare state hashes at each hand's start"."""
    house = House.opened(ann=1000, bob=1000)
    other = folded(house)
    other.sittings[1].line = "another"
    house.run()
    started, time_ms = next(row for row in house.log if type(row[0].events[0]) is HandStarted)
    apply(other, started, time_ms)
    assert "the state here is" in other.stopped
    assert other.lost
    house.play_out()
    catch_up(other, house)
    assert other.stopped


@pytest.mark.plain
def test_a_digest_of_another_layout_is_not_compared():
    """One recorded log of every release is folded by today's code."""
    house = House.opened(ann=1000, bob=1000)
    reader = folded(house)
    house.run()
    started, time_ms = house.log[-1]
    first = started.events[0]
    assert isinstance(first, HandStarted)
    for old in (b"", b"\x00" + first.state_hash[1:]):
        state = copy.deepcopy(reader)
        events = (replace(first, state_hash=old), *started.events[1:])
        apply(state, replace(started, events=events), time_ms)
        assert not state.stopped


def test_what_went_over_the_wire_folds_to_the_same_state():
    house = House.opened(ann=1000, bob=1000, cas=300)
    house.run()
    house.act(Action.RAISE, 30)
    house.ask("dan", SitDown(0, 500, True, "line"))
    state = Table("1.0")
    for each, time_ms in house.log:
        apply(state, decode_record(encode_record(each)), time_ms)
    assert state.hand is not None
    assert digest(state) == digest(house.table)


def test_blinds_that_put_everybody_all_in_leave_the_dealer_to_give_back_and_to_deal():
    house = House.opened(replace(SETTINGS, buy_in_least=1), ann=3, bob=1000)
    house.run(drawn=1)
    events = [event for each, _ in house.log for event in each.events]
    assert UncalledReturned(2, 2) in events
    assert not house.playing()
    assert sum(house.stacks().values()) == 1003 - house.table.raked


@pytest.mark.parametrize(
    ("event", "truth"),
    [
        (TableOpened(SETTINGS), "opens once"),
        (PlayerLeft("p1", "r1", 1, 999, "asked"), "takes all he has"),
        (PlayerLeft("p1", "r2", 1, 1000, "asked"), "sat there"),
        (SeatReserved("r", "ann", 2, 0, "", 0, "", False), "moves forward"),
        (SatOut("nobody", "asked"), "who sit here"),
        (HandVoided("1.0-1", "x"), "being played"),
        (HandEnded("1.0-1", (), 0), "being played"),
    ],
)
def test_events_say_what_must_have_been_true(event, truth):
    with pytest.raises(AssertionError, match=truth):
        evolve(table(sitting(1)), event, NOW_MS)


def test_a_top_up_plays_from_the_next_hand_on():
    """RULES 4, field: "Top-ups between hands only." """
    house = House.opened(ann=500, bob=500)
    house.run()
    house.ask("ann", TopUp(300))
    (held,) = house.table.reservations
    house.order(Funded(held))
    assert house.hand.seats[1].start == 500
    assert house.table.sittings[1].behind == 300
    house.play_out()
    house.wait(SETTINGS.pause_ms)
    house.run()
    assert house.hand.number == 2
    assert house.table.sittings[1].behind == 0
    starts = [seat.start for seat in house.hand.seats.values()]
    assert sum(starts) == 1300 - house.table.raked


def test_lines_are_kept_with_the_sitting_and_with_the_reservation():
    house = House.opened(ann=500)
    seen = []
    for command in (LoseLine("line of ann", False), RegainLine("line 2")):
        house.ask("ann", command)
        seen.append((house.table.sittings[1].line, house.table.sittings[1].line_lost))
    assert seen == [("line of ann", True), ("line 2", False)]
    assert house.ask("ann", LoseLine("line of ann", False)) == Refusal(TableCode.STALE_LINE)
    state = table()
    evolve(state, SeatReserved("r", "bob", 2, 500, "", 0, "line 1", True), NOW_MS)
    evolve(state, LineBack("bob", "line 7"), NOW_MS)
    evolve(state, PlayerSeated("r"), NOW_MS)
    assert state.sittings[2].line == "line 7"
    assert state.sittings[2].post


def test_chips_are_conserved_through_a_voided_hand():
    """RULES 7: "every chip in the pot goes back to the player who put it in"."""
    house = House.opened(ann=1000, bob=800, cas=600)
    house.run()
    house.act(Action.RAISE, 600)
    house.ask("cas", Leave())
    assert chips(house.table) == 2400
    assert house.table.deal is not None
    house.order(VoidHand(house.table.deal.hand, "operator"))
    assert house.stacks() == {"ann": 1000, "bob": 800, "cas": 600}
    assert house.table.button == 0  # the hand never was
    house.run()
    assert "cas" not in house.stacks()
