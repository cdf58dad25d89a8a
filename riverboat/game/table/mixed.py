"""Mixed games: which game of its list a table deals next, and what that game costs. [RULES 8]

A table of one game is a list of one. Deals nothing: the dealer writes what comes of it.
"""

from __future__ import annotations

from typing import NamedTuple

from riverboat.game.hand.events import Stakes
from riverboat.game.money import floor_by_steps
from riverboat.game.rules import MIXED, game, mix
from riverboat.game.rules.mixes import Mix, MixedGame
from riverboat.game.rules.schema import Forced, Game
from riverboat.game.table.events import Settings
from riverboat.game.table.given import Entropy
from riverboat.game.table.state import NO_GAME, Table


class Turn(NamedTuple):
    """One game's turn at a table."""

    at: int  # index in the list
    game: Game
    stakes: Stakes


def mix_of(settings: Settings) -> Mix | None:
    """The mix that these settings name; None where they name one game."""
    return mix(settings.rulebook, settings.variant) if settings.limit == MIXED else None


def turns(settings: Settings) -> list[Turn]:
    """Every game that a table of these settings deals, in order."""
    mixed = mix_of(settings)
    if mixed is None:
        return [_alone(settings)]
    return [_turn(settings, at, each) for at, each in enumerate(mixed.games)]


def has_blinds(settings: Settings) -> bool:
    """Whether a big blind goes around such a table, in one of its games at least."""
    if settings.bomb_every == 1:
        return False
    return any(turn.game.forced is Forced.BLINDS for turn in turns(settings))


def next_turn(table: Table, settings: Settings, entropy: Entropy) -> Turn:
    """The game of the table's next hand."""
    mixed = mix_of(settings)
    if mixed is None:
        return _alone(settings)
    at, many = table.game_at, len(mixed.games)
    if table.chosen != NO_GAME:
        at = table.chosen
    elif not table.game_left:
        if mixed.drawn:
            at = int.from_bytes(entropy(8), "big")
        elif table.hands:
            at += 1
    # An operator may have made the list shorter since.
    at %= many
    return _turn(settings, at, mixed.games[at])


def left_after(table: Table, settings: Settings, players: int) -> int:
    """How many hands the next hand's game still gets after it, with so many players in it."""
    mixed = mix_of(settings)
    if mixed is None:
        return 0
    return (table.game_left or mixed.hands(players)) - 1


def _alone(settings: Settings) -> Turn:
    played = game(settings.rulebook, settings.variant, settings.limit)
    return Turn(0, played, settings.stakes)


def _turn(settings: Settings, at: int, each: MixedGame) -> Turn:
    played = game(settings.rulebook, each.variant, each.limit)
    return Turn(at, played, _stakes(settings.stakes, played, each))


def _stakes(stakes: Stakes, played: Game, each: MixedGame) -> Stakes:
    """Of what the table names, what this game takes."""
    lower, upper = stakes.small_bet or stakes.big_blind, stakes.big_bet
    match played.forced:
        case Forced.BRING_IN:
            return Stakes(
                ante=stakes.ante,
                bring_in=stakes.bring_in,
                small_bet=lower,
                big_bet=upper,
                spread=stakes.spread,
            )
        case Forced.BUTTON_BLIND:
            blind = stakes.button_blind or stakes.big_blind
            return Stakes(ante=stakes.ante, button_blind=blind)
        case Forced.BLINDS:
            parts = each.blinds_divided_by
            big_blind = floor_by_steps(stakes.big_blind, parts, 1)
            return Stakes(
                small_blind=floor_by_steps(stakes.small_blind, parts, 1),
                big_blind=big_blind or min(stakes.big_blind, 1),
                ante=stakes.ante if each.ante else 0,
                small_bet=lower,
                big_bet=upper,
                spread=stakes.spread,
                straddles=stakes.straddles,
                button_straddle=stakes.button_straddle,
            )
