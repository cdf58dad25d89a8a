"""Settings: whether a table may be opened with them, and what they leave to the rulebook.

Tells what is wrong with the first field that is; opens nothing.
"""

from __future__ import annotations

from itertools import pairwise

from riverboat.game.hand.events import Stakes
from riverboat.game.hand.rake import stake
from riverboat.game.refusals import Refusal
from riverboat.game.rules import RulesError
from riverboat.game.rules.schema import Forced, Game, Raise
from riverboat.game.table.besides import (
    AMOUNT_MOST,
    DAY_MS,
    PLAY,
    TURN_MS_LEAST,
    bad,
    bad_word,
    options_fault,
)
from riverboat.game.table.choice import is_chosen
from riverboat.game.table.events import Settings
from riverboat.game.table.mixed import turns

RUNS_MOST = 3  # run it three times is the most that any house offers


def buy_in_bounds(settings: Settings) -> tuple[int, int]:
    """The least buy-in and the greatest; 0 where the rulebook names none. [RULES 4, buy-in]"""
    games = [turn.game for turn in turns(settings)]
    unit = stake(settings.stakes) or settings.stakes.bring_in
    # Of several games the one that asks for most says the least; one without bounds frees all.
    least = settings.buy_in_least or max(
        dict(played.buy_in_listed).get(unit, unit * played.buy_in_least_big_blinds)
        for played in games
    )
    bounds = [played.buy_in_most_big_blinds for played in games]
    most = settings.buy_in_most or (unit * max(bounds) if all(bounds) else 0)
    return max(least, 1), most


def fault(settings: Settings) -> Refusal | None:
    """Why no table can be opened with these settings, if that is so."""
    try:
        games = turns(settings)
    except RulesError as wrong:
        return bad("variant", str(wrong))
    # Where players choose, a game that is dealt to fewer is not offered while there are more.
    bound = max if is_chosen(settings) else min
    numbers = (
        ("seats", settings.seats, 2, bound(turn.game.seats_most for turn in games)),
        ("runs", settings.runs, 1, RUNS_MOST),
        ("turn_ms", settings.turn_ms, TURN_MS_LEAST, DAY_MS),
        ("grace_ms", settings.grace_ms, TURN_MS_LEAST, DAY_MS),
        ("reserve_ms", settings.reserve_ms, TURN_MS_LEAST, DAY_MS),
        ("pause_ms", settings.pause_ms, 0, DAY_MS),
    )
    for name, value, least, most in numbers:
        if not least <= value <= most:
            return bad(name, f"must be from {least} to {most}")
    misnamed = bad_word("name", settings.name)
    if misnamed is not None:
        return misnamed
    code = settings.currency
    if code != PLAY and not (
        len(code) == 3 and code.isascii() and code.isalpha() and code.isupper()
    ):
        return bad("currency", "must be an ISO code, or PLAY")
    faults = (_stakes_fault(turn.game, turn.stakes) for turn in games)
    found = next((each for each in faults if each), None) or _buy_in_fault(settings)
    return found or options_fault(settings, games, *buy_in_bounds(settings))


def _stakes_fault(played: Game, stakes: Stakes) -> Refusal | None:
    amounts = {
        "small_blind": stakes.small_blind,
        "big_blind": stakes.big_blind,
        "ante": stakes.ante,
        "big_blind_ante": stakes.big_blind_ante,
        "bring_in": stakes.bring_in,
        "small_bet": stakes.small_bet,
        "big_bet": stakes.big_bet,
        "button_straddle": stakes.button_straddle,
        "button_blind": stakes.button_blind,
    }
    for name, amount in amounts.items():
        if not 0 <= amount <= AMOUNT_MOST:
            return bad(f"stakes.{name}", f"must be from 0 to {AMOUNT_MOST}")
    needed = {
        Forced.BLINDS: ("big_blind",),
        Forced.BRING_IN: ("ante", "bring_in"),
        Forced.BUTTON_BLIND: ("ante", "button_blind"),
    }
    for name in needed[played.forced]:
        if not amounts[name]:
            return bad(f"stakes.{name}", "must not be 0 in this game")
    if stakes.small_blind > stakes.big_blind:
        return bad("stakes.small_blind", "must not be more than the big blind")
    if stakes.big_bet and stakes.big_bet < (stakes.small_bet or stakes.big_blind):
        return bad("stakes.big_bet", "must not be less than the lower bet")
    return _bets_fault(played, stakes) or _straddles_fault(stakes)


def _bets_fault(played: Game, stakes: Stakes) -> Refusal | None:
    has_blinds = played.forced is Forced.BLINDS
    if played.raise_rule is Raise.FIXED and not has_blinds and not stakes.small_bet:
        return bad("stakes.small_bet", "must not be 0 in this game")
    if played.raise_rule is Raise.SPREAD and len(stakes.spread) <= max(played.tiers):
        return bad("stakes.spread", f"must hold {max(played.tiers) + 1} numbers")
    if any(low > high for low, high in _steps((1, *stakes.spread, AMOUNT_MOST))):
        return bad("stakes.spread", f"must be from 1 to {AMOUNT_MOST} and not fall")
    # Whoever may bet instead of bringing in bets more than the bring-in. [RULES 4]
    first = {Raise.FIXED: stakes.small_bet, Raise.SPREAD: next(iter(stakes.spread), 0)}
    if played.forced is Forced.BRING_IN and stakes.bring_in >= first.get(
        played.raise_rule, AMOUNT_MOST + 1
    ):
        return bad("stakes.bring_in", "must be less than the least bet of the first round")
    return None


def _straddles_fault(stakes: Stakes) -> Refusal | None:
    if any(total > AMOUNT_MOST for total in stakes.straddles):
        return bad("stakes.straddles", f"must be at most {AMOUNT_MOST}")
    if any(high < 2 * low for low, high in _steps((stakes.big_blind, *stakes.straddles))):
        return bad("stakes.straddles", "each must be at least twice what it straddles")
    straddled = stakes.straddles[-1] if stakes.straddles else stakes.big_blind
    if stakes.button_straddle and stakes.button_straddle < 2 * straddled:
        return bad("stakes.button_straddle", f"must be at least {2 * straddled}")
    return None


def _buy_in_fault(settings: Settings) -> Refusal | None:
    for name in ("buy_in_least", "buy_in_most"):
        if not 0 <= getattr(settings, name) <= AMOUNT_MOST:
            return bad(name, f"must be from 0 to {AMOUNT_MOST}")
    least, most = buy_in_bounds(settings)
    if least > AMOUNT_MOST:
        return bad("buy_in_least", f"must be from 0 to {AMOUNT_MOST}")
    if most and most < least:
        return bad("buy_in_most", f"must be at least {least}")
    return None


def _steps(amounts: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(pairwise(amounts))
