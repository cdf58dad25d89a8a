"""Beats: a session that falls silent loses its lines, and nobody loses his for any other reason."""

from __future__ import annotations

from riverboat.game.commands import Funded, OpenTable, RegainLine, SitDown, TopUp
from riverboat.game.table.events import LineBack, LineLost, PlayerSeated
from riverboat.log import topics
from riverboat.log.log import Append, Place
from riverboat.runtime.beats import SILENT_MS
from riverboat.runtime.step import MARGIN_MS, Step
from riverboat.wire.beats import encode_beat
from services import dealer
from tests.runtime.rig import SETTINGS, TABLE, Rig, table_of

DEAD_MS = SILENT_MS + MARGIN_MS


def beat(instance: str) -> Append:
    return Append(topics.TABLE_COMMANDS, 0, instance, encode_beat(instance))


def seated() -> tuple[Rig, Step]:
    """ann sits over s1, bob over s2, cat over what is no session's; s1 and s2 have beaten."""
    rig = Rig()
    step = rig.step(dealer.MANIFEST)
    rig.land(rig.order(OpenTable(SETTINGS)))
    for seat, (player, line) in enumerate([("ann", "s1.a"), ("bob", "s2.b"), ("cat", "c")], 1):
        rig.land(rig.ask(player, SitDown(seat, 1_000, False, line)))
        rig.play(step)
        rig.land(rig.order(Funded(next(iter(table_of(step).reservations)))))
        rig.play(step)
    rig.land(beat("s1"))
    rig.land(beat("s2"))
    rig.play(step)
    return rig, step


def judge(rig: Rig, step: Step) -> list[object]:
    """What is written, to what comes when the inputs were read to their ends of now."""
    written = rig.play(step)
    ends = {place: len(rig.places.get(place, [])) for place in step.inputs(0)}
    step.fence(0, rig.now_ms, ends)
    written += rig.play(step)
    return [event for record in written for event in record.events]


def lost(player: str, line: str) -> LineLost:
    return LineLost(player, line, gateway=True)


def test_who_plays_over_a_session_that_is_silent_loses_his_line_by_the_gateways_fault() -> None:
    """ARCHITECTURE 7: "the dealer gives up his lines, as the gateway's fault"."""
    rig, step = seated()
    rig.now_ms += SILENT_MS
    rig.land(beat("s2"))
    rig.play(step)
    rig.now_ms += MARGIN_MS
    assert step.next_ms() == rig.now_ms
    assert judge(rig, step) == [lost("ann", "s1.a")]
    assert judge(rig, step) == []  # said once
    assert [one.line_lost for one in table_of(step).sittings.values()] == [True, False, False]


def test_nobody_is_silent_before_all_was_read_that_he_may_have_said_in_time() -> None:
    rig, step = seated()
    rig.now_ms += SILENT_MS - 1
    late = [beat("s1"), beat("s2")]
    for one in late:
        rig.land(one)  # in time, and not read yet
    rig.now_ms += MARGIN_MS + 1
    assert step.decide(rig.now_ms) == []
    assert step.fences.wanted() == [0]
    ends = {place: len(rig.places.get(place, [])) for place in step.inputs(0)}
    step.fence(0, rig.now_ms, ends)
    assert step.decide(rig.now_ms) == []
    assert rig.play(step) == []
    assert not any(one.line_lost for one in table_of(step).sittings.values())


def test_a_fence_from_before_settles_no_silence() -> None:
    rig, step = seated()
    assert judge(rig, step) == []
    rig.now_ms += DEAD_MS
    assert rig.play(step) == []
    assert step.fences.wanted() == [0]


def test_a_session_that_beats_again_is_not_silent_and_its_players_get_new_lines() -> None:
    rig, step = seated()
    rig.now_ms += DEAD_MS
    assert judge(rig, step) == [lost("ann", "s1.a"), lost("bob", "s2.b")]
    rig.land(beat("s1"))
    rig.land(rig.ask("ann", RegainLine("s1.d")))
    rig.land(rig.ask("bob", RegainLine("s1.e")))
    assert judge(rig, step) == [LineBack("ann", "s1.d"), LineBack("bob", "s1.e")]


def test_who_says_that_a_line_stands_there_lives_though_his_beats_were_lost() -> None:
    """Or his line would be given and taken without end."""
    rig, step = seated()
    rig.now_ms += DEAD_MS
    judge(rig, step)
    rig.land(rig.ask("ann", RegainLine("s1.d")))
    assert judge(rig, step) == [LineBack("ann", "s1.d")]


def test_a_seat_asked_for_over_a_session_that_died_since_has_no_line() -> None:
    rig, step = seated()
    rig.land(rig.ask("ann", TopUp(500)))
    rig.play(step)
    rig.now_ms += DEAD_MS
    # Once for who sits and has more money on its way.
    assert judge(rig, step) == [lost("ann", "s1.a"), lost("bob", "s2.b")]
    rig.land(rig.order(Funded(next(iter(table_of(step).reservations)))))
    assert LineLost not in [type(event) for event in judge(rig, step)]


def test_a_reservations_line_is_lost_as_a_sittings_is() -> None:
    rig = Rig()
    step = rig.step(dealer.MANIFEST)
    rig.land(rig.order(OpenTable(SETTINGS)))
    rig.land(beat("s1"))
    rig.land(rig.ask("ann", SitDown(1, 1_000, False, "s1.a")))
    rig.play(step)
    rig.now_ms += DEAD_MS
    assert judge(rig, step) == [lost("ann", "s1.a")]
    rig.land(rig.order(Funded(next(iter(table_of(step).reservations)))))
    assert [type(event) for event in judge(rig, step)] == [PlayerSeated]
    assert table_of(step).sittings[1].line_lost


def test_beats_hold_no_commit_and_are_no_dead_letters() -> None:
    rig, step = seated()
    rig.land(beat("s1"))
    rig.play(step)
    commands = Place(topics.TABLE_COMMANDS, 0)
    assert step.commits("dealer")[commands] == len(rig.places[commands])
    assert step.counts.unreadable == step.counts.ignored == 0
    assert set(step.tables.entries) == {TABLE}


def test_of_a_partition_that_is_let_go_of_nobody_is_silent() -> None:
    rig, step = seated()
    step.forget(0)
    rig.now_ms += DEAD_MS
    assert step.decide(rig.now_ms) == []
    assert step.fences.wanted() == []


def test_what_only_a_newer_version_knows_is_passed_over_and_counted() -> None:
    """A rollout back must not write a dead letter a beat."""
    rig, step = seated()
    newer = b"\xa2\x06\x02hi"  # field 100, of no version yet
    rig.land(Append(topics.TABLE_COMMANDS, 0, TABLE, newer))
    rig.land(Append(topics.TABLE_ORDERS, 0, TABLE, newer))
    assert rig.play(step) == []
    assert (step.counts.unreadable, step.counts.ignored) == (0, 2)
