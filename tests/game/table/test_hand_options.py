"""What a table's options make of its hands: caps, bomb pots, straddles and runs that are asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import pytest

from riverboat.game.commands import Action, SetPreferences, SitOut, VoidHand
from riverboat.game.hand.events import (
    HandShown,
    HandStarted,
    Post,
    Posted,
    PotsMade,
    RunsAgreed,
    Stakes,
    StreetDealt,
    UncalledReturned,
)
from riverboat.game.hand.options import options
from riverboat.game.refusals import TableCode
from riverboat.game.table.events import BlindsMissed, Preferences, PreferencesSet
from riverboat.game.table.settings import fault
from riverboat.sim.chips import chips_fault
from tests.game.table.house import House, chips, folded
from tests.game.table.tables import SETTINGS

Kind = TypeVar("Kind")


def house_of(players: int = 3, stack: int = 500, **other: Any) -> House:
    """A table with these options and so many players, the first hand dealt: the button is 1."""
    names = ("ann", "bob", "cas", "dan", "eve")[:players]
    house = House.opened(replace(SETTINGS, **other), None, **dict.fromkeys(names, stack))
    house.run()
    return house


def happened(house: House, kind: type[Kind]) -> list[Kind]:
    """All events of that kind, in order."""
    return [event for record, _ in house.log for event in record.events if isinstance(event, kind)]


def next_hand(house: House) -> HandStarted:
    """Play the hand out, and begin the next."""
    if house.playing():
        house.play_out()
    house.now_ms += SETTINGS.pause_ms
    house.run()
    return happened(house, HandStarted)[-1]


def prefers(house: House, player: str, **wanted: Any) -> None:
    house.append("dealer", [PreferencesSet(player, Preferences(**wanted))])


# Caps.


def test_who_has_more_than_the_cap_plays_with_the_cap():
    house = House.opened(replace(SETTINGS, cap=300, buy_in_least=1), ann=500, bob=300, cas=120)
    house.run()
    (started,) = happened(house, HandStarted)
    assert {each.player: each.stack for each in started.seats} == {
        "ann": 300,
        "bob": 300,
        "cas": 120,
    }
    assert house.stacks() == {"ann": 500, "bob": 300, "cas": 120}
    assert chips(house.table) == 920
    assert chips_fault(house.table) == ""
    offered = options(house.hand)
    assert offered is not None
    assert offered.raise_most == 300


def test_what_is_above_the_cap_stays_and_is_there_in_the_next_hand():
    house = House.opened(replace(SETTINGS, cap=300, raked=False), ann=500, bob=500)
    house.run()
    house.act(Action.RAISE, 300)
    house.act(Action.CALL)
    assert not house.playing()  # both were all-in for the cap
    stacks = house.stacks()
    assert sum(stacks.values()) == 1_000
    assert min(stacks.values()) >= 200
    started = next_hand(house) if min(stacks.values()) else None
    assert started is not None
    assert {each.player: each.stack for each in started.seats} == {
        player: min(stack, 300) for player, stack in stacks.items()
    }
    assert folded(house) == house.table


def test_a_void_under_a_cap_gives_back_what_was_put_in():
    house = house_of(cap=100)
    house.act(Action.RAISE, 100)
    house.order(VoidHand(house.hand.id, "operator"))
    assert set(house.stacks().values()) == {500}


def test_a_hand_that_starts_with_more_than_the_cap_cannot_be_folded():
    house = house_of(cap=100)
    first = house.log[-1][0]
    started = next(each for each in first.events if isinstance(each, HandStarted))
    again = House.opened(replace(SETTINGS, cap=100), ann=500, bob=500, cas=500)
    whole = tuple(replace(each, stack=500) for each in started.seats)
    again.append("dealer", [replace(started, seats=whole, state_hash=b"")])
    assert "all chips" in again.table.stopped


# Bomb pots.

BOMB: dict[str, Any] = {"bomb_every": 3, "bomb_ante": 20}


def test_every_so_many_hands_is_a_bomb_pot():
    house = house_of(**BOMB)
    started = happened(house, HandStarted) + [next_hand(house) for _ in range(5)]
    assert [each.bomb for each in started] == [False, False, True, False, False, True]


def test_into_a_bomb_pot_all_put_the_same_and_nobody_bets_before_the_second_street():
    house = house_of(**BOMB)
    next_hand(house)
    started = next_hand(house)
    begun = next(record for record, _ in house.log if started in record.events)
    posts = [each for each in begun.events if isinstance(each, Posted)]
    assert [(post.seat, post.post, post.amount) for post in posts] == [
        (each.seat, Post.ANTE, 20) for each in started.seats
    ]
    hand = house.hand
    assert (hand.street, hand.round, hand.pot) == (1, 1, 60)
    assert hand.turn == started.seats[0].seat  # left of the button
    assert len(hand.boards[0]) == 3
    offered = options(hand)
    assert offered is not None
    assert (offered.check, offered.raise_least, offered.price) == (True, 10, 0)


def test_a_bomb_pot_has_the_limits_of_its_later_rounds():
    """Fixed limit: "bets and raises are 5 in the first two rounds, 10 in the later ones"."""
    house = house_of(bomb_every=1, bomb_ante=20, limit="fl")
    for sizes in (10, 20, 20):
        offered = options(house.hand)
        assert offered is not None
        assert (offered.raise_least, offered.raise_most) == (sizes, sizes)
        for _ in range(3):
            house.act(Action.CHECK)
    assert not house.playing()


def test_a_pot_limit_bomb_pot_counts_the_antes():
    house = house_of(bomb_every=1, bomb_ante=20, limit="pl", variant="omaha")
    offered = options(house.hand)
    assert offered is not None
    assert (offered.raise_least, offered.raise_most) == (10, 60)


def test_a_bomb_pot_has_no_straddles_and_no_debts():
    house = house_of(4, bomb_every=2, bomb_ante=20, stakes=Stakes(5, 10, straddles=(20,)))
    house.ask("dan", SitOut())
    house.seat("eve", 500, post=False)
    assert next_hand(house).bomb
    hand = house.hand
    assert set(hand.seats) == {1, 2, 3, 5}  # a new player waits for no blind there
    assert {seat.put for seat in hand.seats.values()} == {20}
    assert hand.live == 4


def test_who_is_new_in_a_bomb_pot_owes_the_big_blind_afterwards():
    house = house_of(3, bomb_every=2, bomb_ante=20)
    house.seat("dan", 500, post=False)
    assert next_hand(house).bomb
    (missed,) = happened(house, BlindsMissed)
    assert missed == BlindsMissed((4,), ())
    blinds = house.table.small_blind, house.table.big_blind
    house.play_out()
    dan = house.table.sittings[4]
    assert dan.fresh and dan.owes_big
    assert (house.table.small_blind, house.table.big_blind) == blinds


def test_blinds_go_around_as_if_no_bomb_pot_had_come_between():
    """RULES 4: "so that nobody skips or pays twice for the big blind"."""
    house = house_of(4, bomb_every=2, bomb_ante=20)
    started = happened(house, HandStarted) + [next_hand(house) for _ in range(8)]
    assert [each.big_blind for each in started if not each.bomb] == [3, 4, 1, 2, 3]
    assert [each.button for each in started] == [1, 2, 2, 3, 3, 4, 4, 1, 1]


def test_where_all_hands_are_bomb_pots_the_button_moves_with_each():
    house = house_of(3, bomb_every=1, bomb_ante=20)
    started = happened(house, HandStarted) + [next_hand(house) for _ in range(3)]
    assert [each.button for each in started] == [1, 2, 3, 1]
    assert folded(house) == house.table


def test_who_is_short_plays_for_what_he_put_into_a_bomb_pot():
    house = House.opened(
        replace(SETTINGS, bomb_every=1, bomb_ante=20, raked=False, buy_in_least=1),
        ann=500,
        bob=8,
        cas=500,
    )
    house.run()
    house.play_out()
    (pots,) = happened(house, PotsMade)
    assert [(pot.amount, sorted(pot.seats)) for pot in pots.pots] == [(24, [1, 2, 3]), (24, [1, 3])]


def test_where_all_are_in_for_a_bomb_pot_it_is_dealt_out():
    house = House.opened(
        replace(SETTINGS, bomb_every=1, bomb_ante=20, raked=False, buy_in_least=1), ann=20, bob=20
    )
    house.run()
    assert not house.playing()
    assert len(happened(house, HandShown)) == 2
    assert sum(house.stacks().values()) == 40


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"bomb_every": 3}, "bomb_ante"),
        ({"bomb_ante": 20}, "bomb_every"),
        ({"bomb_every": -1, "bomb_ante": 20}, "bomb_every"),
        ({"bomb_every": 3, "bomb_ante": -20}, "bomb_ante"),
        ({**BOMB, "variant": "draw5"}, "bomb_every"),
        ({**BOMB, "variant": "stud7", "stakes": Stakes(ante=1, bring_in=2)}, "bomb_every"),
        (
            {**BOMB, "variant": "short_deck", "stakes": Stakes(ante=1, button_blind=2)},
            "bomb_every",
        ),
    ],
)
def test_only_games_with_blinds_and_a_board_have_bomb_pots(other, field):
    refusal = fault(replace(SETTINGS, **other))
    assert refusal is not None
    assert (refusal.code, refusal.facts["field"]) == (TableCode.BAD_SETTING, field)
    assert fault(replace(SETTINGS, **BOMB)) is None


# Straddles.


def straddling(house: House) -> list[tuple[int, int]]:
    """Who straddled the hand that runs, and to what."""
    started = happened(house, HandStarted)[-1]
    (record,) = [record for record, _ in house.log if started in record.events]
    return [
        (event.seat, event.due)
        for event in record.events
        if isinstance(event, Posted) and event.post is Post.STRADDLE
    ]


STRADDLED = Stakes(5, 10, straddles=(20, 40))


@pytest.mark.parametrize(
    ("asked", "willing", "straddled"),
    [
        (False, (), [(4, 20), (5, 40)]),  # where it is not asked, all do
        (True, (), []),
        (True, ("dan",), [(4, 20)]),
        (True, ("dan", "eve"), [(4, 20), (5, 40)]),
        (True, ("eve",), []),  # nobody straddles what was not straddled
        (True, ("ann", "bob", "cas"), []),
    ],
)
def test_who_wants_to_straddle_does(asked, willing, straddled):
    house = House.opened(
        replace(SETTINGS, straddles_asked=asked, stakes=STRADDLED),
        None,
        **dict.fromkeys(("ann", "bob", "cas", "dan", "eve"), 500),
    )
    for player in willing:
        prefers(house, player, straddles=True)
    house.run()
    assert straddling(house) == straddled
    assert house.hand.price == (straddled[-1][1] if straddled else 10)


@pytest.mark.parametrize(("willing", "straddled"), [((), []), (("ann",), [(1, 20)])])
def test_the_button_straddles_if_it_wants_to(willing, straddled):
    house = House.opened(
        replace(SETTINGS, straddles_asked=True, stakes=Stakes(5, 10, button_straddle=20)),
        None,
        **dict.fromkeys(("ann", "bob", "cas", "dan"), 500),
    )
    for player in willing:
        prefers(house, player, straddles=True)
    house.run()
    assert straddling(house) == straddled


# Runs.


@pytest.mark.parametrize(
    ("runs", "wanted", "agreed"),
    [
        (2, (2, 2), 2),
        (3, (3, 3), 3),
        (3, (3, 2), 2),
        (2, (3, 3), 2),
        (3, (3, 0), 1),
        (3, (0, 0), 1),
    ],
)
def test_an_all_in_has_as_many_boards_as_all_in_it_agree_to(runs, wanted, agreed):
    house = House.opened(replace(SETTINGS, runs=runs, runs_asked=True), ann=500, bob=500, cas=500)
    for player, most in zip(("ann", "bob"), wanted, strict=True):
        prefers(house, player, runs_most=most)
    house.run()
    house.act(Action.RAISE, 500)
    house.act(Action.CALL)
    house.act(Action.FOLD)  # who is not in is not asked
    assert not house.playing()
    assert happened(house, RunsAgreed) == [RunsAgreed(agreed)]
    (record,) = [r for r, _ in house.log if any(isinstance(e, RunsAgreed) for e in r.events)]
    kinds = [type(event) for event in record.events]
    assert kinds.index(RunsAgreed) < kinds.index(StreetDealt)
    dealt = [event for event in record.events if isinstance(event, StreetDealt)]
    assert {len(each.board) for each in dealt} == {agreed}
    assert folded(house) == house.table


def test_where_nothing_is_left_to_deal_nobody_is_asked():
    house = House.opened(replace(SETTINGS, runs=2, runs_asked=True), ann=500, bob=500)
    house.run()
    while house.hand.street < 3:
        hand = house.hand
        house.act(Action.CHECK if hand.price == hand.seats[hand.turn].bet else Action.CALL)
    house.act(Action.RAISE, 490)
    house.act(Action.CALL)
    assert not house.playing()
    assert happened(house, RunsAgreed) == []


@pytest.mark.parametrize("runs", [2, 1])
def test_where_it_is_not_asked_the_table_says(runs):
    house = House.opened(replace(SETTINGS, runs=runs), ann=500, bob=500)
    house.run()
    house.act(Action.RAISE, 500)
    house.act(Action.CALL)
    assert happened(house, RunsAgreed) == []
    assert len(happened(house, StreetDealt)[-1].board) == runs


def test_what_of_a_bomb_pots_ante_nobody_can_call_goes_back_before_the_rake():
    options = replace(SETTINGS, bomb_every=1, bomb_ante=200, buy_in_least=1, buy_in_most=5000)
    house = House.opened(options, ann=5000, bob=20)
    house.run()
    assert happened(house, UncalledReturned) == [UncalledReturned(1, 180)]
    (made,) = happened(house, PotsMade)
    assert [pot.amount for pot in made.pots] == [40]
    assert sum(house.stacks().values()) + house.table.raked == 5020


def test_no_more_runs_are_agreed_on_than_the_deck_can_deal():
    names = [f"p{number}" for number in range(9)]
    options = replace(
        SETTINGS, variant="omaha5", seats=9, runs=3, runs_asked=True, buy_in_least=1, pause_ms=0
    )
    house = House.opened(options, None, **dict.fromkeys(names, 10))
    for name in names:
        house.ask(name, SetPreferences(Preferences(runs_most=3)))
    house.run()
    while house.playing() and house.table.hands == 1:
        house.act(Action.CALL)
    assert happened(house, RunsAgreed)[0] == RunsAgreed(1)
    assert [len(dealt.board) for dealt in happened(house, StreetDealt) if dealt.board] == [1, 1, 1]
