"""A wallet that cannot book says so, and whoever asks for money meanwhile is refused at once."""

from __future__ import annotations

from riverboat.game.commands import Funded, OpenTable, SitDown, TopUp
from riverboat.game.refusals import TableCode
from riverboat.game.table.events import CommandRefused, PlayerSeated, SeatReserved, ToppedUp
from riverboat.log import topics
from riverboat.log.log import Append, Place
from riverboat.runtime.away import HOLDS_MS
from riverboat.runtime.step import Step
from riverboat.wire.beats import decode_word, encode_beat, encode_word
from services import dealer
from tests.runtime.rig import SETTINGS, TABLE, Rig, table_of

REFUSED = CommandRefused(int(TableCode.LEDGER_AWAY), ())


def word(*, away: bool) -> Append:
    return Append(topics.TABLE_ORDERS, 0, "one", encode_word("one", away=away))


def opened() -> tuple[Rig, Step]:
    rig = Rig()
    step = rig.step(dealer.MANIFEST)
    rig.land(rig.order(OpenTable(SETTINGS)))
    rig.play(step)
    return rig, step


def sits(rig: Rig, step: Step, player: str) -> object:
    """What comes first of his asking for a seat."""
    rig.land(rig.ask(player, SitDown(0, 1_000, False, f"s.{player}")))
    return rig.play(step)[0].events[0]


def test_who_asks_for_money_is_refused_until_the_wallet_is_back() -> None:
    """Issue of the ledger: "new buy-ins get a clear error"."""
    rig, step = opened()
    assert isinstance(sits(rig, step, "ann"), SeatReserved)
    rig.land(rig.order(Funded(next(iter(table_of(step).reservations)))))
    rig.play(step)
    rig.land(word(away=True))
    assert sits(rig, step, "bob") == REFUSED
    rig.land(rig.ask("ann", TopUp(500)))
    assert rig.play(step)[0].events == (REFUSED,)
    assert table_of(step).reservations == {}
    rig.land(word(away=False))
    assert isinstance(sits(rig, step, "bob"), SeatReserved)
    rig.land(rig.ask("ann", TopUp(500)))
    assert isinstance(rig.play(step)[0].events[0], SeatReserved)


def test_what_was_asked_before_is_answered_once_when_it_is_back() -> None:
    rig, step = opened()
    assert isinstance(sits(rig, step, "ann"), SeatReserved)
    (held,) = table_of(step).reservations
    rig.land(word(away=True))
    assert rig.play(step) == []
    rig.now_ms += HOLDS_MS - 1
    assert list(table_of(step).reservations) == [held]
    rig.land(word(away=False))
    for _ in range(2):
        rig.land(rig.order(Funded(held)))
    events = [event for record in rig.play(step) for event in record.events]
    assert events == [PlayerSeated(held)]
    assert not any(isinstance(event, ToppedUp) for event in events)


def test_a_word_that_is_not_told_again_holds_nobody_off_for_ever() -> None:
    rig, step = opened()
    rig.land(word(away=True))
    rig.now_ms += HOLDS_MS - 1
    assert sits(rig, step, "ann") == REFUSED
    rig.land(word(away=True))
    rig.now_ms += HOLDS_MS - 1
    assert sits(rig, step, "ann") == REFUSED
    rig.now_ms += 1
    assert isinstance(sits(rig, step, "ann"), SeatReserved)


def test_what_else_is_wrong_is_told_first() -> None:
    rig, step = opened()
    rig.land(word(away=True))
    rig.land(rig.ask("ann", SitDown(9, 1_000, False, "s.ann")))
    (refused,) = rig.play(step)[0].events
    assert isinstance(refused, CommandRefused)
    assert refused.code == TableCode.NO_SUCH_SEAT


def test_words_hold_no_commit_are_no_dead_letters_and_open_no_table() -> None:
    rig, step = opened()
    rig.land(word(away=True))
    rig.land(word(away=False))
    assert rig.play(step) == []
    orders = Place(topics.TABLE_ORDERS, 0)
    assert step.commits("dealer")[orders] == len(rig.places[orders])
    assert step.counts.unreadable == step.counts.ignored == 0
    assert set(step.tables.entries) == {TABLE}


def test_a_word_is_taken_from_the_house_alone() -> None:
    """Among the commands of players, which the edge writes, it says nothing."""
    rig, step = opened()
    rig.land(word(away=True)._replace(topic=topics.TABLE_COMMANDS))
    assert isinstance(sits(rig, step, "ann"), SeatReserved)


def test_a_beat_is_no_word() -> None:
    assert decode_word(encode_beat("s1")) is None
    assert decode_word(b"\xff") is None
    assert [decode_word(encode_word("one", away=away)) for away in (True, False)] == [True, False]
