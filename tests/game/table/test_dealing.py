"""What the dealer owes unasked, and what its clocks bring."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import (
    Act,
    Action,
    Asked,
    CloseTable,
    Funded,
    Leave,
    LoseLine,
    SitDown,
    SitIn,
)
from riverboat.game.hand.events import (
    ClockExtended,
    Drew,
    HandStarted,
    HandVoided,
    Post,
    Posted,
    Stakes,
    StreetDealt,
    TimedOut,
)
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.table import dealing
from riverboat.game.table.digest import digest
from riverboat.game.table.events import (
    BlindsMissed,
    ButtonRule,
    BuyInReturned,
    PlayerLeft,
    SatOut,
    SeatFreed,
)
from riverboat.game.table.given import Alarm
from riverboat.game.table.state import Reservation, Table
from services import dealer
from tests.game.table.house import House
from tests.game.table.tables import NOW_MS, SETTINGS, given, sitting, table

DRAW = replace(SETTINGS, variant="triple_draw27", limit="fl", buy_in_least=1, buy_in_most=5000)


def owed(state: Table) -> list[Any]:
    """What the dealer owes now."""
    return list(dealing.duty(state, given()) or ())


def played(*sittings, **rest):
    """Between hands, the last of which had button 1, small blind 2, big blind 3."""
    return table(*sittings, **{"button": 1, "small_blind": 2, "big_blind": 3, **rest})


def test_a_hand_starts_with_its_blinds_and_its_first_street_in_one_record():
    """ARCHITECTURE 4: "`HandStarted` carries it sealed"."""
    state = played(sitting(1), sitting(2), sitting(3), hands=4)
    before = digest(state)
    started, small, big, street = owed(state)
    assert isinstance(started, HandStarted)
    assert (started.hand, started.number, started.state_hash) == ("1.0-5", 5, before)
    assert (started.button, started.small_blind, started.big_blind) == (2, 3, 1)
    assert [dealt.seat for dealt in started.seats] == [3, 1, 2]
    assert small == Posted(3, Post.SMALL_BLIND, 5, 5)
    assert big == Posted(1, Post.BIG_BLIND, 10, 10)
    assert isinstance(street, StreetDealt)
    assert [(to.seat, to.down) for to in street.to] == [(3, (0, 3)), (1, (1, 4)), (2, (2, 5))]
    assert len(set(started.sealed)) == 52


@pytest.mark.parametrize(
    ("changes", "is_raked"),
    [({}, True), ({"currency": "PLAY"}, False), ({"raked": False}, False)],
)
def test_play_money_is_not_raked(changes, is_raked):
    """RULES 6: "None in play-money games"."""
    state = played(sitting(1), sitting(2), settings=replace(SETTINGS, **changes))
    assert owed(state)[0].raked == is_raked


def test_who_was_passed_by_the_blinds_and_who_posts_stand_with_the_hands_start():
    back = sitting(4, owes_big=True, owes_small=True, post=True)
    state = played(sitting(1, away=True), sitting(2), sitting(3), back, sitting(5), sitting(6))
    state.button, state.small_blind, state.big_blind = 5, 6, 6
    started, missed, *posts, _ = owed(state)
    assert isinstance(started, HandStarted)
    assert missed == BlindsMissed(big=(1,), small=())
    assert [(post.seat, post.post, post.amount) for post in posts] == [
        (6, Post.SMALL_BLIND, 5),
        (2, Post.BIG_BLIND, 10),
        (4, Post.EXTRA_BLIND, 10),
        (4, Post.DEAD_BLIND, 5),
    ]


@pytest.mark.parametrize(
    "state",
    [
        played(sitting(1), sitting(2), sitting(3), hand_over_ms=NOW_MS - 1_999),
        played(sitting(1), sitting(2, away=True)),
        played(sitting(1)),
        played(sitting(1), sitting(2), settings=None),
        played(sitting(1), sitting(2), closed=True),
        played(sitting(1), sitting(2), stopped="unknown event"),
    ],
    ids=["too soon", "one is away", "alone", "never opened", "closed", "stopped"],
)
def test_no_hand_starts(state):
    assert dealing.duty(state, given()) in (None, [])


def test_no_hand_starts_where_the_house_may_not():
    """ARCHITECTURE 6: "below 1 GB of free disk no hand starts"."""
    state = played(sitting(1), sitting(2))
    assert dealing.duty(state, given()._replace(may_start=False)) is None
    assert dealing.duty(state, given()) is not None


def test_between_hands_players_go_and_are_found_away():
    state = played(
        sitting(1, leaving=True, stack=700, behind=50),
        sitting(2, stack=0),
        sitting(3, timed_out=True),
        sitting(4, timed_out=True, line_lost=True),
        sitting(5, timed_out=True, away=True),
        sitting(6),
    )
    assert dealing.duty(state, given()) == [
        PlayerLeft("p1", "r1", 1, 750, "asked"),
        PlayerLeft("p2", "r2", 2, 0, "broke"),
        SatOut("p3", "timed_out"),
        SatOut("p4", "line_lost"),
    ]


def test_a_broke_player_keeps_his_seat_while_his_money_is_on_its_way():
    held = Reservation("r", "p1", 1, 500, "r1", NOW_MS + 1, "")
    state = played(sitting(1, stack=0), sitting(2), reservations={"r": held})
    assert not dealing.duty(state, given())
    state.reservations.clear()
    assert dealing.duty(state, given()) == [PlayerLeft("p1", "r1", 1, 0, "broke")]


def test_a_closing_table_cashes_everybody_out_and_closes():
    house = House.opened(ann=1000, bob=700)
    house.run()
    house.order(CloseTable("maintenance"))
    assert house.playing()  # the hand is played to its end
    house.play_out()
    house.run()
    assert house.table.sittings == {}
    assert house.table.closed
    assert house.table.cashed_out + house.table.raked == 1700


def test_a_table_does_not_close_while_money_is_on_its_way():
    house = House.opened(ann=1000)
    house.ask("bob", SitDown(0, 500, True, ""))
    (held,) = house.table.reservations
    house.order(CloseTable("maintenance"))
    house.run()
    assert house.table.sittings == {}
    assert not house.table.closed
    assert house.order(Funded(held)) == (BuyInReturned(held),)
    house.run()
    assert house.table.closed


def test_a_seat_is_freed_past_its_deadline_and_late_money_goes_back():
    """ARCHITECTURE 5: "Past its deadline the seat is freed but the reservation stays; a late
    `Funded` becomes `BuyInReturned`."
    """
    house = House.opened()
    house.ask("ann", SitDown(2, 500, True, ""))
    (held,) = house.table.reservations
    alarm = dealing.alarm(house.table)
    assert alarm == Alarm(NOW_MS + SETTINGS.reserve_ms, ("seat", held), True)
    assert house.wait(SETTINGS.reserve_ms - 1) == []
    assert house.wait(1) == [SeatFreed(held)]
    assert dealing.alarm(house.table) is None
    assert not isinstance(house.ask("bob", SitDown(2, 500, True, "")), Refusal)
    assert house.order(Funded(held)) == (BuyInReturned(held),)


def test_the_next_hand_is_an_alarm_that_takes_nothing_from_anybody():
    state = played(sitting(1), sitting(2), hands=3, hand_over_ms=NOW_MS)
    alarm = dealing.alarm(state)
    assert alarm == Alarm(NOW_MS + 2_000, ("hand", 4), False)
    assert dealing.ring(state, alarm, given(NOW_MS + 1_999)) is None
    started = dealing.ring(state, alarm, given(NOW_MS + 2_000))
    assert started is not None
    assert isinstance(started[0], HandStarted)


def test_past_the_grace_the_hand_is_voided_and_everybody_cashed_out():
    """RULES 7: "the hand is voided and the table cashed out as above, always. Voided hands pay no
    rake."
    """
    house = House.opened(ann=1000, bob=800, cas=600)
    house.run()
    house.act(Action.RAISE, 600)
    house.table.sittings[2].behind = 40
    house.table.bought_in += 40
    alarm = dealing.alarm(house.table)
    deadline_ms = house.hand.deadline_ms
    ann, bob, cas = [house.table.sittings[seat].id for seat in (1, 2, 3)]
    assert alarm is not None
    assert (alarm.at_ms, alarm.key[0]) == (deadline_ms + SETTINGS.grace_ms, "void")
    assert house.wait(deadline_ms + SETTINGS.grace_ms - house.now_ms) == [
        HandVoided("1.0-1", "outage"),
        PlayerLeft("ann", ann, 1, 1000, "voided"),
        PlayerLeft("bob", bob, 2, 840, "voided"),
        PlayerLeft("cas", cas, 3, 600, "voided"),
    ]
    assert house.table.cashed_out == house.table.bought_in
    assert house.table.raked == 0


def test_a_street_that_nobody_deals_is_a_reason_to_void_as_well():
    house = House.opened(ann=1000, bob=1000)
    house.owe(dealer.MANIFEST)
    for action in (Action.CALL, Action.CHECK):
        hand = house.hand
        player = hand.seats[hand.turn].player
        house.ask(player, Act(hand.id, hand.turn_number, hand.price, action, 0, ()))
    hand = house.hand
    assert dealing.overdue(house.table) == hand.since_ms
    alarm = dealing.alarm(house.table)
    assert alarm is not None
    assert alarm.at_ms == hand.since_ms + SETTINGS.grace_ms


def test_since_when_the_dealer_is_overdue():
    assert dealing.overdue(played(sitting(1))) is None
    due = played(sitting(1), sitting(2), hand_over_ms=NOW_MS)
    assert dealing.overdue(due) == NOW_MS + SETTINGS.pause_ms
    assert dealing.overdue(played(sitting(1, leaving=True))) == NOW_MS
    assert dealing.overdue(played(sitting(1, leaving=True), closed=True)) is None


def drawing() -> House:
    """Heads-up, before the first draw of a game with three."""
    house = House.opened(DRAW, ann=1000, bob=1000)
    house.run()
    house.act(Action.CALL)
    house.act(Action.CHECK)
    assert house.hand.phase is Phase.DRAW
    return house


def test_discards_are_the_dealers_to_answer():
    house = drawing()
    hand = house.hand
    first = hand.turn
    places = list(hand.seats[first].places)
    command = Act(hand.id, hand.turn_number, hand.price, Action.DRAW, 0, (0, 3))
    drew = [Drew(first, (0, 3), (10, 11))]
    assert house.ask(hand.seats[first].player, command) == drew
    assert hand.seats[first].places == (10, places[1], places[2], 11, places[4])
    assert house.ask("eve", command) == Refusal(HandCode.NOT_IN_HAND)
    asked = Asked("1.0", "ann", 1, command)
    assert dealing.draw(table(), asked, command, given()) == Refusal(HandCode.NO_HAND)


class NoKeys:
    """Decks of a process that has lost the day's key."""

    def new(self, table: str, hand: str, version: int, cards: Any) -> Any:
        raise LookupError(hand)

    def open(self, table: str, hand: Any) -> Any:
        raise LookupError(hand.id)


def test_a_draw_that_is_refused_opens_no_deck():
    """Whose turn it is needs no key: nobody may make the house open decks out of turn."""
    house = drawing()
    hand = house.hand
    keyless = given()._replace(decks=NoKeys())
    waits = next(seat for seat in hand.seats if seat != hand.turn)
    command = Act(hand.id, hand.turn_number, hand.price, Action.DRAW, 0, (0,))
    early = Asked("1.0", hand.seats[waits].player, 1, command)
    refused = dealing.draw(house.table, early, command, keyless)
    assert refused == Refusal(HandCode.NOT_YOUR_TURN, turn_seat=hand.turn)
    due = Asked("1.0", hand.seats[hand.turn].player, 1, command)
    with pytest.raises(LookupError):
        dealing.draw(house.table, due, command, keyless)


def test_who_does_not_answer_a_draw_stands_pat():
    """RULES 5: "Whoever does not answer in time stands pat"."""
    house = drawing()
    hand = house.hand
    first, number = hand.turn, hand.turn_number
    alarm = dealing.alarm(house.table)
    assert alarm == Alarm(hand.deadline_ms, ("draw", hand.id, number), True)
    assert house.wait(hand.deadline_ms - house.now_ms) == [
        TimedOut(first, number, True),
        Drew(first, (), ()),
    ]


def test_a_draws_clock_that_an_outage_took_is_extended():
    house = drawing()
    hand = house.hand
    unused_ms = hand.deadline_ms - house.now_ms
    number = hand.turn_number
    house.now_ms = hand.deadline_ms
    assert house.wait(3_001) == [ClockExtended(hand.id, number, unused_ms)]
    assert hand.deadline_ms == house.now_ms + unused_ms


def test_nobody_waits_for_the_draw_of_a_player_who_has_left():
    house = drawing()
    hand = house.hand
    first = hand.turn
    house.ask(hand.seats[first].player, LoseLine("", True))
    house.ask(hand.seats[first].player, Leave())
    assert dealing.duty(house.table, given(house.now_ms)) == [Drew(first, (), ())]


def test_a_player_comes_back_and_owes_what_he_missed():
    """RULES 4: "Missed blinds" and "Waiting for the big blind clears every debt"."""
    house = House.opened(ann=1000, bob=1000, cas=1000, dan=1000)
    house.run()
    away = "dan"
    house.table.sittings[4].away = True
    for _ in range(5):
        house.play_out()
        house.wait(SETTINGS.pause_ms)
        house.run()
    there = house.table.sittings[4]
    assert (there.owes_big, there.owes_small) == (True, True)
    house.ask(away, SitIn(False))
    for _ in range(5):
        house.play_out()
        house.wait(SETTINGS.pause_ms)
        house.run()
    assert (there.owes_big, there.owes_small) == (False, False)
    assert house.table.deal is not None
    assert 4 in house.table.deal.seats


def test_stakes_of_a_game_without_a_button_deal_from_the_box():
    settings = replace(
        SETTINGS,
        variant="soko",
        limit="fl",
        stakes=Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20),
        buy_in_least=100,
        buy_in_most=5000,
    )
    house = House.opened(settings, ann=1000, bob=1000)
    house.run()
    hand = house.hand
    assert (hand.button, list(hand.seats), hand.pot) == (0, [1, 2], 2)
    assert hand.phase is Phase.BRING_IN


@pytest.mark.parametrize(
    "stakes", [SETTINGS.stakes, replace(SETTINGS.stakes, big_blind_ante=10)], ids=["", "ante"]
)
def test_a_lone_big_blind_that_all_fold_to_gets_his_own_chips_and_no_others(stakes):
    """RULES 8: "a dead button and a missing small blind occur": nothing but his own is there."""
    settings = replace(SETTINGS, stakes=stakes, button_rule=ButtonRule.DEAD)
    house = House.opened(settings, ann=1000, bob=1000, cas=1000, dan=1000, eve=1000)
    house.table.sittings[3].away = True
    house.table.button, house.table.small_blind, house.table.big_blind = 1, 2, 3
    house.run()
    hand = house.hand
    assert (hand.small_blind, 3 in hand.seats, hand.turn) == (3, False, 5)
    for _ in range(3):
        house.act(Action.FOLD)
    assert not house.playing()
    assert house.stacks() == dict.fromkeys(("ann", "bob", "cas", "dan", "eve"), 1000)
