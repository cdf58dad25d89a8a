"""Sitting out, each way: what is asked of who is away, and when he is removed. [RULES 4]"""

from __future__ import annotations

from dataclasses import replace

from riverboat.game.commands import Action, Leave, SitDown, SitIn, SitOut
from riverboat.game.hand.events import Checked, Folded, Post, Posted, Stakes, TimedOut
from riverboat.game.refusals import Refusal, TableCode
from riverboat.game.table.events import PlayerLeft, SatIn, SatOut, SitOutNoted
from services import betting
from tests.game.table.house import House, folded
from tests.game.table.tables import SETTINGS

STUD = replace(
    SETTINGS,
    variant="stud7",
    limit="fl",
    stakes=Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20),
)


def three(settings=SETTINGS):
    house = House.opened(settings, ann=1000, bob=1000, cas=1000)
    house.run()
    return house


def seen(house, kind):
    return [event for record, _ in house.log for event in record.events if isinstance(event, kind)]


def next_hand(house):
    """The hand is played to its end, and the next one begins if it can."""
    if house.playing():
        house.play_out()
    house.wait(2_000)
    house.run()


# --- Now.


def test_nobody_waits_for_who_sits_out_now():
    house = three()
    turn = house.hand.seats[house.hand.turn].player
    assert house.ask(turn, SitOut(now=True)) == (SatOut(turn, "asked", now=True),)
    assert house.owe(betting.MANIFEST)[0] == Folded(house.log[-1][0].events[0].seat)
    assert not seen(house, TimedOut)
    assert folded(house) == house.table


def test_who_sits_out_now_checks_where_that_is_free():
    house = three()
    house.act(Action.CALL)
    house.act(Action.CALL)
    big = house.hand.seats[house.hand.turn].player
    house.ask(big, SitOut(now=True))
    events = house.owe(betting.MANIFEST)
    assert isinstance(events[0], Checked)
    house.run()
    house.act(Action.CHECK)
    house.run()
    assert seen(house, Checked)[-1].seat != seen(house, Checked)[-2].seat


def test_who_sits_out_in_the_next_hand_plays_this_one_until_he_says_otherwise():
    house = three()
    turn = house.hand.seats[house.hand.turn].player
    house.ask(turn, SitOut())
    assert house.owe(betting.MANIFEST) is None
    assert house.ask(turn, SitOut()) == Refusal(TableCode.ALREADY_AWAY)
    assert house.ask(turn, SitOut(now=True)) == (SatOut(turn, "asked", now=True),)
    assert house.ask(turn, SitOut(now=True)) == Refusal(TableCode.ALREADY_AWAY)
    assert house.owe(betting.MANIFEST)


def test_who_comes_back_plays_on():
    house = three()
    big = house.hand.seats[house.hand.big_blind].player
    house.ask(big, SitOut(now=True))
    assert house.ask(big, SitIn(True)) == (SatIn(big, True),)
    house.act(Action.CALL)
    house.act(Action.CALL)
    assert house.hand.seats[house.hand.turn].player == big
    assert house.owe(betting.MANIFEST) is None


def test_who_is_in_no_hand_sits_out_as_ever():
    house = House.opened(ann=1000, bob=1000)
    assert house.ask("ann", SitOut(now=True)) == (SatOut("ann", "asked"),)


# --- At the big blind.


def test_who_sits_out_at_the_big_blind_does_so_when_it_would_be_his():
    house = three()
    table = house.table
    first_big = house.hand.big_blind
    following = {1: 2, 2: 3, 3: 1}
    after, third = following[first_big], following[following[first_big]]
    player = table.sittings[third].player
    assert house.ask(player, SitOut(at_big_blind=True)) == (SitOutNoted(player),)
    assert house.ask(player, SitOut(at_big_blind=True)) == Refusal(TableCode.ALREADY_AWAY)
    next_hand(house)
    assert (house.hand.big_blind, sorted(house.hand.seats)) == (after, [1, 2, 3])
    next_hand(house)
    assert SatOut(player, "big_blind") in seen(house, SatOut)
    # The next player's blind comes a hand earlier, and nobody pays twice for one hand.
    assert (house.hand.big_blind, sorted(house.hand.seats)) == (
        first_big,
        sorted([first_big, after]),
    )
    posted = [e for e in house.log[-1][0].events if isinstance(e, Posted)]
    assert [e.post for e in posted] == [Post.SMALL_BLIND, Post.BIG_BLIND]
    assert table.sittings[third].owes_big
    assert folded(house) == table


def test_coming_back_before_the_big_blind_clears_it():
    house = three()
    house.ask("ann", SitOut(at_big_blind=True))
    assert house.ask("ann", SitIn(False)) == (SatIn("ann", False),)
    for _ in range(4):
        next_hand(house)
    assert not seen(house, SatOut)
    assert house.ask("ann", SitIn(False)) == Refusal(TableCode.NOT_AWAY)


def test_where_there_is_no_big_blind_nobody_waits_for_it():
    house = three(STUD)
    assert house.ask("ann", SitOut(at_big_blind=True)) == (SatOut("ann", "asked"),)


# --- Never dealt in while away, and removed in the end.


def test_who_is_away_is_dealt_into_no_hand():
    house = three()
    house.ask("ann", SitOut())
    for _ in range(6):
        next_hand(house)
        assert house.playing() and 1 not in house.hand.seats


def test_who_is_away_for_too_long_is_removed():
    """RULES 4: "leaves the table after a set time"."""
    house = three(replace(SETTINGS, away_ms=60_000, turn_ms=600_000))
    began = house.now_ms
    house.ask("ann", SitOut())
    next_hand(house)
    assert 1 not in house.hand.seats
    house.now_ms = began + 59_999
    assert house.wait(0) == []
    (left,) = house.wait(1)  # a hand of others does not hold him
    assert isinstance(left, PlayerLeft) and (left.player, left.why) == ("ann", "away")
    assert house.playing()


def test_nobody_is_removed_from_a_hand_that_he_is_in():
    house = three(replace(SETTINGS, away_ms=60_000, turn_ms=600_000))
    house.ask("ann", SitOut())
    assert house.wait(120_000) == []
    house.play_out()
    house.wait(0)
    assert seen(house, PlayerLeft)[0].why == "away"


def test_who_sat_out_once_more_is_not_away_from_then():
    house = three(replace(SETTINGS, away_ms=60_000, turn_ms=600_000))
    began = house.now_ms
    house.ask("ann", SitOut())
    house.now_ms += 30_000
    house.ask("ann", SitOut(now=True))
    assert house.table.sittings[1].away_since_ms == began


def test_who_is_away_for_too_many_rounds_is_removed():
    """A round is as many hands as the table has chairs."""
    house = three(replace(SETTINGS, away_rounds=2, seats=3))
    house.ask("ann", SitOut())
    house.play_out()
    for hands in range(1, 7):
        house.wait(2_000)
        house.run()
        assert house.table.sittings[1].away_hands == hands
        house.play_out()
    assert seen(house, PlayerLeft) == [
        PlayerLeft("ann", "1.0:ann:1@0", 1, house.table.cashed_out, "away")
    ]


def test_who_comes_back_is_not_away_any_more():
    house = three(replace(SETTINGS, away_rounds=1, seats=3, away_ms=60_000))
    house.ask("ann", SitOut())
    next_hand(house)
    next_hand(house)
    house.ask("ann", SitIn(True))
    sitting = house.table.sittings[1]
    assert (sitting.away_hands, sitting.away_since_ms) == (0, 0)
    for _ in range(4):
        next_hand(house)
    assert not seen(house, PlayerLeft)


def test_what_cannot_be_asked_by_who_leaves_or_is_not_there():
    house = three()
    house.ask("ann", Leave())
    assert house.ask("ann", SitOut(now=True)) == Refusal(TableCode.LEAVING)
    assert house.ask("dan", SitOut(now=True)) == Refusal(TableCode.NOT_SEATED)
    assert not isinstance(house.ask("dan", SitDown(0, 500, True, "")), Refusal)
