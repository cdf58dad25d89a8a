"""The step: how the log's order settles who decided what. Driven by hand, record by record."""

from __future__ import annotations

import pytest

from riverboat.game.commands import (
    Act,
    Action,
    OpenTable,
    Ordered,
    SitOut,
    VoidHand,
)
from riverboat.game.hand.events import Folded, HandStarted, TimedOut
from riverboat.game.record import Record
from riverboat.game.refusals import HandCode
from riverboat.game.table.events import CommandRefused, PlayerSeated, TableOpened
from riverboat.log import topics
from riverboat.log.log import Append, Place
from riverboat.runtime.inbox import PARKED_MS
from riverboat.runtime.step import MARGIN_MS, STANDBY_MS
from riverboat.wire.record import decode_asked, decode_record, encode_ordered, encode_record
from services import betting, showdown
from tests.runtime.rig import SETTINGS, TABLE, Rig, playing, table_of


def test_a_hand_is_played_to_its_end_and_the_next_one_starts() -> None:
    rig, step = playing()
    assert table_of(step).hands == 1
    rig.land(rig.act(step, Action.FOLD))  # two are dealt in: it is over
    rig.play(step)
    assert table_of(step).hands == 2
    assert sum(sitting.stack for sitting in table_of(step).sittings.values()) == 3_000


def test_of_two_copies_of_a_service_the_first_in_the_log_wins_and_the_other_agrees() -> None:
    rig, step = playing()
    one, other = (rig.step(betting.MANIFEST, name=name) for name in ("one", "other"))
    rig.land(rig.act(step, Action.FOLD))
    for copy in (one, other):
        rig.show(copy)
    first, second = one.decide(rig.now_ms), other.decide(rig.now_ms)
    assert len(first) == len(second) == 1
    rig.land(second[0])
    rig.land(first[0])
    for copy in (one, other):
        rig.show(copy)
        assert copy.decide(rig.now_ms) == []
    assert (one.counts.beaten, other.counts.beaten) == (1, 0)
    assert table_of(one) == table_of(other)


def test_nothing_is_decided_while_a_record_is_undecided() -> None:
    rig, step = playing()
    rig.land(rig.act(step, Action.CALL))
    rig.show(step)
    assert len(step.decide(rig.now_ms)) == 1
    rig.land(rig.act(step, Action.CALL))
    rig.show(step, topics.TABLE_COMMANDS)
    assert step.decide(rig.now_ms) == []


def test_a_record_that_lands_twice_changes_nothing() -> None:
    rig, step = playing()
    rig.land(rig.act(step, Action.CALL))
    rig.show(step)
    (append,) = step.decide(rig.now_ms)
    rig.land(append)
    rig.land(append)
    rig.show(step)
    assert step.counts.stale == 1
    version = table_of(step).version
    fresh = rig.step(owns=False)
    rig.show(fresh)
    assert table_of(fresh).version == version


def test_what_a_message_says_need_not_be_read_from_its_bytes_where_it_is_known() -> None:
    rig, step = playing()
    append = rig.act(step, Action.CALL)
    assert append.value is not None
    asked = decode_asked(append.value)
    landed = rig.land(append._replace(value=b"no command"))
    step.read_placed([landed], [asked])
    (decided,) = step.decide(rig.now_ms)
    assert decided.value is not None
    answers = decode_record(decided.value).answers
    assert answers is not None
    assert (answers.player, answers.number) == (asked.player, asked.number)


def test_a_refused_act_is_not_read_again_when_it_has_become_legal() -> None:
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    early = Act(hand.id, hand.turn_number + 1, hand.price, Action.FOLD, 0, ())
    waiting = next(seat.player for seat in hand.seats.values() if seat.seat != hand.turn)
    rig.land(rig.ask(waiting, early))
    (refused,) = rig.play(step)
    assert isinstance(refused.events[0], CommandRefused)
    version = table_of(step).version
    again = rig.step()
    rig.show(again)
    assert again.decide(rig.now_ms) == []
    assert table_of(again).version == version


def test_an_old_turn_is_refused_by_name() -> None:
    rig, step = playing()
    late = rig.act(step, Action.CALL)
    rig.land(rig.act(step, Action.CALL))
    rig.play(step)
    del late
    hand = table_of(step).hand
    assert hand is not None
    player = hand.seats[hand.turn].player
    rig.land(rig.ask(player, Act(hand.id, hand.turn_number - 1, hand.price, Action.CALL, 0, ())))
    (refused,) = rig.play(step)
    assert isinstance(refused.events[0], CommandRefused)
    assert refused.events[0].code == HandCode.TURN_PASSED


def test_a_time_out_waits_for_inputs_read_to_an_end_fetched_after_it() -> None:
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    in_time = rig.act(step, Action.FOLD)
    rig.now_ms = hand.deadline_ms - 1
    rig.land(in_time)  # in time, and not read yet
    rig.now_ms = hand.deadline_ms + MARGIN_MS
    assert step.decide(rig.now_ms) == []
    assert step.fences.wanted() == [0]
    ends = {place: len(rig.places.get(place, [])) for place in step.inputs(0)}
    step.fence(0, rig.now_ms, ends)
    assert step.decide(rig.now_ms) == []  # the act is not read yet
    written = rig.play(step)
    assert isinstance(written[0].events[0], Folded)
    assert written[0].answers is not None


def test_without_an_act_the_time_out_comes() -> None:
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    rig.now_ms = hand.deadline_ms + MARGIN_MS - 1
    assert step.decide(rig.now_ms) == []
    assert step.fences.wanted() == []
    assert step.next_ms() == hand.deadline_ms + MARGIN_MS
    rig.now_ms += 1
    step.decide(rig.now_ms)
    ends = {place: len(rig.places.get(place, [])) for place in step.inputs(0)}
    step.fence(0, rig.now_ms, ends)
    written = rig.play(step)
    assert isinstance(written[0].events[0], TimedOut)


def test_a_standby_speaks_only_when_the_owner_is_overdue() -> None:
    rig, step = playing()
    rig.land(rig.act(step, Action.FOLD))
    rig.play(step)
    standby = rig.step(showdown.MANIFEST, name="standby", rank=1, owns=False)
    betting_only = rig.step(betting.MANIFEST, name="b")
    rig.land(rig.act(step, Action.FOLD))
    rig.play(betting_only)
    rig.show(standby)
    assert standby.decide(rig.now_ms) == []
    rig.now_ms += MARGIN_MS + 2 * STANDBY_MS
    standby.fences.behind.add(0)
    assert standby.decide(rig.now_ms) == [], "what is overdue may have been done long ago"
    standby.fences.behind.discard(0)
    standby.tables.touch(0)
    assert len(standby.decide(rig.now_ms)) == 1
    assert standby.counts.stood_in == 1


def test_after_a_failed_producer_everything_undecided_is_decided_again() -> None:
    rig, step = playing()
    rig.land(rig.act(step, Action.CALL))
    rig.show(step)
    (first,) = step.decide(rig.now_ms)
    step.lost("a2")
    (second,) = step.decide(rig.now_ms)
    ids = [decode_record(append.value or b"").id for append in (first, second)]
    assert ids[0] != ids[1]
    rig.land(second)
    rig.play(step)
    rig.land(first)  # it was late, not lost
    before = table_of(step).version
    rig.play(step)
    assert table_of(step).version == before


def test_a_gap_is_never_skipped_and_heals_from_the_log() -> None:
    rig, step = playing()
    records = list(rig.places[Place(topics.HAND_LOG, 0)])
    reader = rig.step(owns=False)
    reader.read(records[:3])
    reader.positions[Place(topics.HAND_LOG, 0)] = 4  # one record was not seen
    reader.read(records[4:])
    assert list(reader.tables.missing) == [TABLE]
    assert reader.tables.refold(TABLE, records)
    assert table_of(reader) == table_of(step)


def test_history_with_a_hole_stands_still_and_says_so() -> None:
    rig, _ = playing()
    records = list(rig.places[Place(topics.HAND_LOG, 0)])
    reader = rig.step()
    holed = records[:3] + records[4:]
    reader.read(holed)
    assert not reader.tables.refold(TABLE, holed)
    assert reader.tables.failures
    assert reader.decide(rig.now_ms) == []
    late = rig.land(Append(topics.HAND_LOG, 0, TABLE, records[-1].value))
    reader.read([late])
    assert reader.tables.entries[TABLE].backlog == [], "what is never folded is not kept"


def test_an_unreadable_envelope_is_put_aside_and_play_goes_on() -> None:
    rig, step = playing()
    rig.land(Append(topics.HAND_LOG, 0, TABLE, b"\xff"))
    rig.land(rig.act(step, Action.CALL))
    rig.show(step)
    appends = step.decide(rig.now_ms)
    assert {append.topic for append in appends} == {topics.DEAD_LETTERS, topics.HAND_LOG}
    assert step.counts.unreadable == 1
    # The embedded log says at once where it all stands, what was put aside among it.
    step.read_placed([rig.land(append) for append in appends])
    assert step.decide(rig.now_ms) == []
    assert step.counts.unreadable == 1
    assert table_of(step).version == decode_record(appends[1].value or b"").version


def test_what_is_placed_behind_something_unread_waits_its_turn() -> None:
    """ARCHITECTURE 2, commands: "A command that reached the log ends in exactly one event"."""
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    player = hand.seats[hand.turn].player
    act = rig.land(rig.act(step, Action.CALL))  # stands in the log, and was not read
    beyond = rig.land(rig.ask("somebody else", SitOut()))
    step.read_placed([beyond])  # this process has appended it since
    assert step.decide(rig.now_ms) == []
    step.read([act])  # now both
    rig.play(step)
    assert table_of(step).answers[f"betting {player}"].number == rig.numbers[player]
    assert table_of(step).answers["dealer somebody else"].number == 1


@pytest.mark.parametrize("stray", ["2.1", "02.0", "2.00", "2", "x.0", "+2.0", "2.٠"])
def test_what_has_no_business_in_its_partition_is_put_aside(stray: str) -> None:
    """ARCHITECTURE 1: "A table's id contains its partition; producers send to it explicitly"."""
    rig, step = playing()
    ordered = Ordered(stray, "o", "test", OpenTable(SETTINGS))
    rig.land(Append(topics.TABLE_ORDERS, 0, stray, encode_ordered(ordered)))
    record = Record(stray, 1, "", "dealer/x/1", "", None, 1, (TableOpened(SETTINGS),))
    rig.land(Append(topics.HAND_LOG, 0, stray, encode_record(record)))
    rig.show(step)
    appends = step.decide(rig.now_ms)
    assert [append.topic for append in appends] == [topics.DEAD_LETTERS] * 2
    assert list(step.tables.entries) == [TABLE]


def test_of_a_partition_taken_up_anew_nothing_old_decides() -> None:
    """ARCHITECTURE 2, writing: "A writer decides only on state that it has read back"."""
    rig, step = playing()
    rig.play(step)
    step.forget(0)
    rig.show(step)
    for name in ("dealer", "betting", "showdown"):
        step.own(name, [0])
    rig.now_ms += SETTINGS.turn_ms // 2
    rig.land(rig.act(step, Action.CALL))
    rig.play(step)
    # The turn that was open when the partition was dropped would be over now.
    rig.now_ms += SETTINGS.turn_ms // 2 + MARGIN_MS
    step.fence(0, rig.now_ms, {place: len(rig.places[place]) for place in step.inputs(0)})
    assert step.decide(rig.now_ms) == []


def test_a_writer_without_authority_changes_nothing() -> None:
    rig, step = playing()
    table = table_of(step)
    forged = Record(
        TABLE, table.version + 1, table.head, "session/x/1", "", None, 1,
        (PlayerSeated("nobody"),),
    )  # fmt: skip
    rig.land(Append(topics.HAND_LOG, 0, TABLE, encode_record(forged)))
    version = table.version
    rig.show(step)
    assert table_of(step).version == version
    assert step.counts.unauthorised == 1


def test_an_unknown_event_stops_its_table_alone_until_a_void() -> None:
    rig, step = playing()
    table = table_of(step)
    assert table.hand is not None
    hand = table.hand.id
    unknown = encode_record(
        Record(TABLE, table.version + 1, table.head, "betting/x/1", hand, None, 1, ())
    ) + bytes([0x42, 0x03, 0xBA, 0x3E, 0x00])  # one more event, of a kind that is not known
    rig.land(Append(topics.HAND_LOG, 0, TABLE, unknown))
    rig.show(step)
    assert table_of(step).stopped
    rig.land(rig.order(VoidHand(hand, "operator")))
    written = rig.play(step)
    assert written[0].answers is not None
    assert written[0].answers.out_of_turn
    assert not table_of(step).stopped
    deal = table_of(step).deal
    assert deal is None or deal.hand != hand


def test_offsets_are_committed_only_behind_outcomes_read_back() -> None:
    rig, step = playing()
    place = Place(topics.TABLE_COMMANDS, 0)
    everything = len(rig.places[place])
    assert step.commits("betting")[place] == everything
    rig.land(rig.act(step, Action.CALL))
    rig.show(step)
    (append,) = step.decide(rig.now_ms)
    assert step.commits("betting")[place] == everything
    rig.land(append)
    rig.play(step)
    assert step.commits("betting")[place] == everything + 1


def test_what_waits_at_a_stopped_table_holds_offsets_for_an_hour():
    """ARCHITECTURE 2, stopped tables: "past an hour parked with it so that offsets move on"."""
    rig, step = playing()
    table = table_of(step)
    assert table.hand is not None
    hand = table.hand.id
    unknown = encode_record(
        Record(TABLE, table.version + 1, table.head, "betting/x/1", hand, None, 1, ())
    ) + bytes([0x42, 0x03, 0xBA, 0x3E, 0x00])  # one more event, of a kind that is not known
    place = Place(topics.TABLE_COMMANDS, 0)
    waiting = len(rig.places[place])
    rig.land(rig.ask("p1", SitOut()))
    rig.land(Append(topics.HAND_LOG, 0, TABLE, unknown))
    rig.play(step)
    assert step.commits("dealer")[place] == waiting
    rig.now_ms += PARKED_MS
    rig.land(rig.ask("p2", SitOut()))
    rig.play(step)
    assert step.commits("dealer")[place] == waiting + 1, "the second has not waited for long"
    rig.land(rig.order(VoidHand(hand, "operator")))
    rig.play(step)
    assert all(table.sittings[seat].away for seat in (1, 2)), "and both are answered in the end"
    assert step.commits("dealer")[place] == len(rig.places[place])


def test_no_hand_starts_while_the_house_holds_back() -> None:
    rig = Rig()
    step = rig.step()
    step.may_start = False
    rig.seat(step, ["p1", "p2"])
    assert table_of(step).hand is None
    step.may_start = True
    assert isinstance(rig.play(step)[0].events[0], HandStarted)
