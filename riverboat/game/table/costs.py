"""Costs: what a game usually costs where only its blinds are named.

A suggestion for whoever opens a table; what a table may cost is the settings' to say.
"""

from __future__ import annotations

from dataclasses import replace

from riverboat.game.hand.events import Stakes
from riverboat.game.money import floor_by_steps
from riverboat.game.rules.schema import Forced, Raise
from riverboat.game.table.events import Settings
from riverboat.game.table.mixed import turns

ANTES_IN_A_BET = 10  # an ante is a tenth of the lower bet at most tables of the field


def with_usual_stakes(settings: Settings, small: int, big: int) -> Settings:
    """The settings with stakes for their game, or for all games of their list.

    `big` is the big blind, the lower bet or the first number of a spread, whatever there is.
    """
    games = [turn.game for turn in turns(settings)]
    kinds = {game.forced for game in games}
    stakes = Stakes()
    if Forced.BLINDS in kinds:
        stakes.small_blind, stakes.big_blind = small, big
    if Forced.BRING_IN in kinds or Forced.BUTTON_BLIND in kinds:
        stakes.ante = max(floor_by_steps(big, ANTES_IN_A_BET, 1), 1)
    if Forced.BRING_IN in kinds:
        # "usually 2 x ante" [RULES 4, antes and bring-in], and always less than a bet.
        stakes.bring_in = max(min(2 * stakes.ante, big - 1), 1)
        stakes.small_bet = big
    if Forced.BUTTON_BLIND in kinds:
        stakes.button_blind = big
    spreads = [max(game.tiers) for game in games if game.raise_rule is Raise.SPREAD]
    if spreads:
        # "1-2-3" [RULES 3, sl]
        stakes.spread = tuple(big * (at + 1) for at in range(max(spreads) + 1))
    return replace(settings, stakes=stakes)
