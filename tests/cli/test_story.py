"""The story of a hand: what lost lines, agreed runs, bomb pots and shown cards read like."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from riverboat.game.commands import Action, LoseLine, ShowCards
from riverboat.game.hand.events import Stakes
from riverboat.game.table.events import Preferences, PreferencesSet
from riverboat.log.deck_keys import DerivedKeys
from riverboat.log.sealing import SealedDecks
from services.cli.story import Narrator
from tests.game.table.house import House
from tests.game.table.tables import NOW_MS, SETTINGS

FOLD, CALL, RAISE = Action.FOLD, Action.CALL, Action.RAISE


def house_of(**other: Any) -> House:
    """Three players at a table whose decks are committed to, before their first hand."""
    decks = SealedDecks(DerivedKeys(b"k" * 32), os.urandom, lambda: NOW_MS)
    house = House.opened(replace(SETTINGS, raked=False, **other), decks)
    for player in ("ann", "bob", "cas"):
        house.seat(player, 500, protections=1)
    return house


def told(house: House, hand: str) -> tuple[list[str], bool]:
    """The hand's story, and whether the log goes on behind it."""
    narrator = Narrator(house.table.id, hand)
    goes_on = any(narrator.take(record, time_ms) for record, time_ms in house.log)
    return narrator.lines, goes_on


def test_who_is_protected_plays_on():
    stakes = Stakes(small_blind=5, big_blind=10)
    house = house_of(limit="fl", stakes=stakes)
    house.run()
    hand = house.hand.id
    house.act(RAISE, 20)
    house.ask("bob", LoseLine("line of bob", False))
    house.wait(SETTINGS.turn_ms)
    house.run()
    house.act(CALL)
    house.play_out()
    lines, _ = told(house, hand)
    at = lines.index("  bob runs out of time, his line is lost")
    assert lines[at + 1] == "  bob is protected: he plays on, all-in for 0.05"
    assert lines[-1].startswith("Proved: all ")


def test_how_many_boards_there_are_is_told_before_they_are():
    house = house_of(runs=2, runs_asked=True)
    for player in ("ann", "bob"):
        house.append("dealer", [PreferencesSet(player, Preferences(runs_most=3))])
    house.run()
    hand = house.hand.id
    house.act(RAISE, 500)
    house.act(CALL)
    house.act(FOLD)
    lines, _ = told(house, hand)
    flop = next(at for at, line in enumerate(lines) if line.startswith("Flop"))
    assert lines.index("All agree to 2 boards") < flop


def test_a_bomb_pot_is_called_one():
    house = house_of(bomb_every=1, bomb_ante=20)
    house.run()
    lines, _ = told(house, house.hand.id)
    assert lines[0].endswith(", a bomb pot")
    assert [line for line in lines if "posts the ante" in line] == [
        f"  {player} posts the ante 0.20" for player in ("bob", "cas", "ann")
    ]


def test_what_is_shown_behind_the_end_is_told_and_proved():
    house = house_of()
    house.run()
    hand = house.hand.id
    house.act(FOLD)
    house.act(FOLD)
    lines, goes_on = told(house, hand)
    assert (lines[-1], goes_on) == ("No card was shown.", False)
    house.ask("cas", ShowCards(hand, (0,)))
    house.ask("ann", ShowCards(hand, (0, 1)))
    lines, _ = told(house, hand)
    assert [line.split()[0] for line in lines if "nobody had to see" in line] == ["cas", "ann"]
    assert lines[-1] == "Proved: all 3 cards shown are those committed to before the deal."
    house.now_ms += SETTINGS.pause_ms
    house.run()
    assert told(house, hand) == (lines, True)
