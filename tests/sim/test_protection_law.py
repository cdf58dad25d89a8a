"""Disconnect protection as a law: it is kept where it is promised, and used nowhere else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import Action, LoseLine
from riverboat.game.hand.events import Folded, HandEvent, PlayerProtected, TimedOut
from riverboat.sim.laws import LawBroken
from riverboat.sim.promises import Promises
from riverboat.sim.world import World
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS


def facing(action: Action = Action.RAISE, lost: bool = True, **other: Any) -> House:
    """Seat 2, the small blind, is on turn in fixed limit, his line lost and his time up."""
    protections = other.pop("protections", 1)
    house = House.opened(replace(SETTINGS, **{"limit": "fl", **other}))
    for player in ("ann", "bob", "cas"):
        house.seat(player, 500, protections=protections)
    house.run()
    house.act(action, 20 if action is Action.RAISE else 0)
    if lost:
        house.ask("bob", LoseLine("line of bob", False))
    assert house.hand.turn == 2
    house.now_ms = house.hand.deadline_ms
    return house


def held_to_the_law(house: House, *events: HandEvent) -> None:
    record = replace(house.log[-1][0], events=events)
    promises = Promises(World(1))
    promises.before(house.table, record, house.now_ms)


def protection(house: House) -> tuple[HandEvent, HandEvent]:
    seat = house.hand.seats[2]
    turn = house.hand.turn_number
    return TimedOut(2, turn, False), PlayerProtected(2, turn, seat.player, seat.sitting)


def test_what_the_rules_promise_is_by_the_law():
    house = facing()
    held_to_the_law(house, *protection(house))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"limit": "nl"}, "neither fixed nor spread"),
        ({"currency": "PLAY"}, "play money"),
        ({"lost": False}, "his line stands"),
        ({"protections": 0}, "none left"),
    ],
)
def test_elsewhere_nobody_is_protected(other, why):
    house = facing(**other)
    with pytest.raises(LawBroken, match=why):
        held_to_the_law(house, *protection(house))
    held_to_the_law(house, protection(house)[0], Folded(2))


def test_nobody_is_protected_who_may_check_or_has_put_nothing_in_or_has_time_left():
    house = facing(Action.CALL)
    house.hand.price = house.hand.seats[2].bet
    with pytest.raises(LawBroken, match="may check"):
        held_to_the_law(house, *protection(house))
    house = facing()
    house.hand.seats[2].start = house.hand.seats[2].stack
    with pytest.raises(LawBroken, match="put nothing in"):
        held_to_the_law(house, *protection(house))
    house = facing()
    house.now_ms -= 1
    with pytest.raises(LawBroken, match="before its time"):
        held_to_the_law(house, *protection(house))


def test_who_is_promised_protection_is_not_folded():
    house = facing()
    with pytest.raises(LawBroken, match="promised protection"):
        held_to_the_law(house, protection(house)[0], Folded(2))
    held_to_the_law(house, Folded(2))  # he may fold himself
