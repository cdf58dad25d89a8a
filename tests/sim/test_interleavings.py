"""The interleavings that have broken networks like this one, each by its name.

Each is run here, or calls the test of the room that proves it.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from riverboat.game.commands import Action, Funded, NotFunded, OpenTable, SitDown, VoidHand
from riverboat.game.hand.events import Folded, HandVoided, StreetDealt
from riverboat.game.record import Record
from riverboat.game.rules import HOUSE
from riverboat.game.table.events import PlayerSeated, ReservationFailed
from riverboat.log import topics
from riverboat.log.log import Append, Place
from riverboat.runtime.recovery import Snapshots, begin
from riverboat.sim.faults import NONE
from riverboat.sim.house import Order
from riverboat.sim.run import simulate
from riverboat.wire.record import decode_record, encode_record
from services import betting, dealer, showdown
from services.cli.simulate import house, tables
from tests.runtime import test_messages, test_recovery, test_step
from tests.runtime.rig import SETTINGS, TABLE, Rig, playing, table_of
from tests.services.wallet import test_wallet_booker
from tests.services.wallet.arms import SqliteArm
from tests.sim import test_versions

IDLE = 200_000  # records that others write while the table stands still


def waiting() -> tuple[Rig, str]:
    """A table with one reservation, and its id."""
    rig = Rig()
    step = rig.step()
    rig.land(rig.order(OpenTable(SETTINGS)))
    rig.land(rig.ask("ann", SitDown(1, 1_000, True, "c")))
    rig.play(step)
    (held,) = table_of(step).reservations
    return rig, held


def history(rig: Rig) -> list[Record]:
    found = rig.places[Place(topics.HAND_LOG, 0)]
    return [decode_record(record.value or b"") for record in found]


def test_funded_read_twice() -> None:
    rig, held = waiting()
    step = rig.step()
    for _ in range(2):
        rig.land(rig.order(Funded(held)))
        rig.play(step)
    events = [event for record in history(rig) for event in record.events]
    assert sum(isinstance(event, PlayerSeated) for event in events) == 1
    assert sum(sitting.stack for sitting in table_of(step).sittings.values()) == 1_000


def test_not_funded_then_a_crash_a_deposit_and_the_order_read_again(tmp_path: Path) -> None:
    """The ledger's first answer stays, and the table's."""
    test_wallet_booker.test_a_reservation_that_was_refused_stays_refused(SqliteArm(tmp_path))
    rig, held = waiting()
    rig.land(rig.order(NotFunded(held, "insufficient_funds")))
    rig.play(rig.step())
    rig.land(rig.order(Funded(held)))
    again = rig.step()  # begins anew, and reads every order again
    rig.play(again)
    events = [event for record in history(rig) for event in record.events]
    assert sum(isinstance(event, ReservationFailed) for event in events) == 1
    assert not any(isinstance(event, PlayerSeated) for event in events)


def test_a_wallet_dead_between_posting_and_answer(tmp_path: Path) -> None:
    test_wallet_booker.test_an_answer_is_owed_until_the_table_shows_it(SqliteArm(tmp_path))


def test_a_refused_act_read_again_when_it_has_become_legal() -> None:
    test_step.test_a_refused_act_is_not_read_again_when_it_has_become_legal()


def test_betting_dead_with_the_baton_while_the_operator_voids() -> None:
    rig, step = playing()
    hand = table_of(step).hand
    assert hand is not None
    rig.land(rig.act(step, Action.FOLD))  # in the log, and betting is dead
    others = rig.step(dealer.MANIFEST, showdown.MANIFEST, name="others")
    rig.land(rig.order(VoidHand(hand.id, "operator")))
    assert isinstance(rig.play(others)[0].events[0], HandVoided)
    stacks = [sitting.stack for sitting in table_of(others).sittings.values()]
    assert sum(stacks) + table_of(others).cashed_out == table_of(others).bought_in
    back = rig.step(betting.MANIFEST, name="back")
    assert not any(isinstance(e, Folded) for record in rig.play(back) for e in record.events)


def test_an_old_snapshot_after_a_newer_one() -> None:
    rig, step = playing()
    snapshots = Snapshots(step)
    snapshots.know(0, {}, rig.now_ms)
    test_recovery.snap(rig, snapshots)
    old = next(one for one in test_recovery.kept(rig) if one.key == TABLE)
    rig.land(rig.act(step, Action.CALL))
    rig.play(step)
    test_recovery.snap(rig, snapshots)
    rig.land(Append(topics.TABLES, 0, TABLE, old.value))
    start = begin(test_recovery.kept(rig))
    assert start.tables[TABLE] == table_of(step)
    test_recovery.test_an_old_snapshot_that_lands_behind_the_tombstone_brings_no_table_back()


def test_two_records_of_one_writer_across_a_rivals() -> None:
    """The second follows what has lost: a reader that took it by its version would fork."""
    rig, _ = playing()
    writer, rival = (rig.step(betting.MANIFEST, name=name) for name in ("writer", "rival"))
    for step in (writer, rival):
        rig.show(step)
    rig.land(rig.act(writer, Action.CALL))
    for step in (writer, rival):
        rig.show(step)
    first, other = (step.decide(rig.now_ms)[0] for step in (writer, rival))
    told = decode_record(first.value or b"")
    following = replace(told, version=told.version + 1, parent=told.id, id="betting/writer/2")
    second = first._replace(value=encode_record(following))
    reader = rig.step(name="reader", owns=False)
    for append in (other, first, second):
        rig.land(append)
    rig.show(reader)
    assert table_of(reader).head == decode_record(other.value or b"").id
    assert reader.counts.stale == 1, "the first has lost"
    assert list(reader.tables.missing) == [TABLE], "the second is never applied, nor passed over"
    assert not reader.tables.refold(TABLE, rig.places[Place(topics.HAND_LOG, 0)])
    # So no writer ever has two.
    test_step.test_nothing_is_decided_while_a_record_is_undecided()
    test_step.test_of_two_copies_of_a_service_the_first_in_the_log_wins_and_the_other_agrees()


def test_a_dealer_dead_before_the_flop() -> None:
    rig, _ = playing()
    rest = rig.step(betting.MANIFEST, showdown.MANIFEST, name="rest")
    for action in (Action.CALL, Action.CALL, Action.CHECK):
        rig.show(rest)
        rig.land(rig.act(rest, action))
        rig.play(rest)
    assert not any(isinstance(e, StreetDealt) and e.board for r in history(rig) for e in r.events)
    successor = rig.step(dealer.MANIFEST, name="successor")
    (dealt,) = rig.play(successor)
    (street,) = dealt.events
    assert isinstance(street, StreetDealt)
    assert len(street.board[0].cards) == 3


def test_a_timer_ahead_of_an_act_that_was_in_time() -> None:
    test_step.test_a_time_out_waits_for_inputs_read_to_an_end_fetched_after_it()


def test_a_clock_two_minutes_off() -> None:
    """The machine's clocks jump so far; play goes on by the log's, and every law holds."""
    order = Order(1, 15, tables(1, 2, HOUSE.offered()), replace(NONE, clock_far_off=0.5))
    result = simulate(house(), order)
    assert result.laws_broken == {}
    assert result.faults["clock_far_off"] > 0


def test_a_table_idle_for_a_year_among_many_records() -> None:
    """A start reads neither the idle table's past nor what others have written since.

    By a real node, on a real log of millions: test_idle_year.py.
    """
    rig, step = playing()
    snapshots = Snapshots(step)
    snapshots.know(0, {}, rig.now_ms)
    test_recovery.snap(rig, snapshots)
    last = rig.places[test_recovery.HAND_LOG][-1]
    step.read(
        [last._replace(offset=offset) for offset in range(last.offset + 1, last.offset + 1 + IDLE)]
    )
    assert step.counts.stale == IDLE
    for append in snapshots.landed(0, []):  # nothing has moved but the reading
        rig.land(append)
    began = time.process_time()
    start = begin(test_recovery.kept(rig))
    assert time.process_time() - began < 1
    assert start.offset == last.offset + 1 + IDLE
    assert start.behind == {}
    assert start.tables[TABLE] == table_of(step)


def test_a_producer_broken_for_good() -> None:
    test_step.test_after_a_failed_producer_everything_undecided_is_decided_again()


def test_new_and_old_version_side_by_side() -> None:
    """In a whole network: test_versions.py."""
    test_versions.test_an_older_build_stops_at_the_hand_and_has_the_next_one_right()
    test_versions.test_an_older_build_passes_over_a_field_that_it_lacks()
    test_step.test_an_unknown_event_stops_its_table_alone_until_a_void()
    test_messages.test_who_stands_in_leaves_what_fails_to_the_owner()
