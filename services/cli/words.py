"""Words: games, amounts and cards as people read them. Looks up nothing but the rules' names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from riverboat.game.cards import text
from riverboat.game.hand.events import Stakes
from riverboat.game.rules import MIXED, RulesError, game, mix
from riverboat.game.table.events import Settings
from riverboat.game.table.settings import buy_in_bounds

PLAY: Final = "PLAY"
# What people sit down with, where the table allows it and names nothing else.
BUY_IN_BLINDS: Final = 100
BUY_IN_BETS: Final = 25  # where there are bets and no blinds
LIMITS: Final = {
    "nl": "no limit",
    "pl": "pot limit",
    "hpl": "half pot limit",
    "fl": "fixed limit",
    "sl": "spread limit",
}
# In the order of a card's two low bits.
SUITS: Final = "♣♦♥♠"


class Named(Protocol):
    """What names a game: a table's settings, as value or as message."""

    rulebook: str
    variant: str
    limit: str


def amount(units: int, currency: str) -> str:
    """An amount as it is said at a table: play money in chips, real money in its main unit.

    >>> amount(1250, "PLAY"), amount(1250, "EUR"), amount(-5, "EUR")
    ('1,250', '12.50', '-0.05')
    """
    if currency == PLAY:
        return f"{units:,}"
    whole, part = divmod(abs(units), 100)
    return f"{'-' if units < 0 else ''}{whole:,}.{part:02}"


def game_name(settings: Named) -> str:
    """The game in words.

    >>> from types import SimpleNamespace
    >>> game_name(SimpleNamespace(rulebook="standard", variant="holdem", limit="nl"))
    "no limit Texas Hold'em"
    """
    limit = LIMITS.get(settings.limit, settings.limit)
    try:
        if settings.limit == MIXED:
            return mix(settings.rulebook, settings.variant).name
        name = game(settings.rulebook, settings.variant, settings.limit).name
    except RulesError:
        name = settings.variant  # an operator's own, which this client was not given
    return f"{limit} {name}"


def price(stakes: Stakes, currency: str) -> str:
    """What a game costs, in short: its blinds, or its bets and what comes before them.

    >>> price(Stakes(small_blind=5, big_blind=10), "PLAY")
    '5/10'
    >>> price(Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20), "PLAY")
    '10/20, ante 1'
    >>> price(Stakes(ante=1, bring_in=2), "PLAY")
    'ante 1, bring-in 2'
    >>> price(Stakes(small_blind=5, big_blind=10, spread=(10, 20, 30)), "PLAY")
    '10/20/30'
    """

    def said(units: int) -> str:
        return amount(units, currency)

    if stakes.spread:
        bets = "/".join(map(said, stakes.spread))
        return f"{bets}, ante {said(stakes.ante)}" if stakes.ante else bets
    if stakes.big_blind:
        return f"{said(stakes.small_blind)}/{said(stakes.big_blind)}"
    if stakes.small_bet:
        upper = stakes.big_bet or 2 * stakes.small_bet
        return f"{said(stakes.small_bet)}/{said(upper)}, ante {said(stakes.ante)}"
    if stakes.button_blind:
        return f"ante {said(stakes.ante)}, button {said(stakes.button_blind)}"
    return f"ante {said(stakes.ante)}, bring-in {said(stakes.bring_in)}"


def buy_ins(settings: Settings) -> tuple[int, int]:
    """The least buy-in and the greatest, as far as this client knows; 0: no bound."""
    try:
        return buy_in_bounds(settings)
    except RulesError:
        # An operator's own game, which this client was not given: the network will tell.
        return max(settings.buy_in_least, 1), settings.buy_in_most


def usual_buy_in(settings: Settings) -> int:
    """What a player sits down with who names no amount: as the table says, or as people do."""
    least, most = buy_ins(settings)
    stakes = settings.stakes
    usual = max(least, BUY_IN_BLINDS * stakes.big_blind, BUY_IN_BETS * stakes.small_bet)
    return settings.buy_in_default or (min(usual, most) if most else usual)


def pictured(cards: Iterable[int]) -> str:
    """Cards with the pictures of their suits.

    >>> pictured([51, 0])
    'A♠ 2♣'
    """
    return " ".join(text(card)[0] + SUITS[card & 3] for card in cards)


def shown_name(player: str) -> str:
    """A player's name as it is shown; what follows the sign tells namesakes apart.

    >>> shown_name("huck@3f.7"), shown_name("ada")
    ('huck', 'ada')
    """
    return player.partition("@")[0]


def units_of(said: str, currency: str) -> int | None:
    """The amount that somebody typed, in the smallest unit; None for what is no amount.

    >>> units_of("1,250", "PLAY"), units_of("12.5", "EUR"), units_of("many", "EUR")
    (1250, 1250, None)
    """
    whole, dot, part = said.replace(",", "").strip().partition(".")
    if not whole.isdecimal() or (dot and not part.isdecimal()) or len(part) > 2:
        return None
    if currency == PLAY:
        return None if dot else int(whole)
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)
