"""Our games as PokerKit is told to play them, each by its own table of data.

Used by what measures beside PokerKit and by what plays along with it. Plays nothing itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pokerkit
from pokerkit import Automation, BettingStructure, Deck, Opening, Street

from riverboat.game.hand.events import Stakes
from riverboat.game.rules.schema import Forced, Game, Opener

STRUCTURES: Final = {
    "fl": BettingStructure.FIXED_LIMIT,
    "nl": BettingStructure.NO_LIMIT,
    "pl": BettingStructure.POT_LIMIT,
}
RANKINGS: Final = {
    ("standard", "two_and_three"): pokerkit.OmahaHoldemHand,
    ("ace_to_five_low8", "two_and_three"): pokerkit.OmahaEightOrBetterLowHand,
    ("standard", ""): pokerkit.StandardHighHand,
    ("short_deck", ""): pokerkit.ShortDeckHoldemHand,
    ("ace_to_five_low8", ""): pokerkit.EightOrBetterLowHand,
    ("ace_to_five_low", ""): pokerkit.RegularLowHand,
    ("low27", ""): pokerkit.StandardLowHand,
    ("badugi", ""): pokerkit.BadugiHand,
}
PACKS: Final = {"52": Deck.STANDARD, "6-A": Deck.SHORT_DECK_HOLDEM}
OPENINGS: Final = {
    Opener.BRING_IN_LOWEST: Opening.LOW_CARD,
    Opener.BRING_IN_HIGHEST: Opening.HIGH_CARD,
}


def plays(game: Game) -> bool:
    """It has no 32 cards, no suits that break ties, no spread or half pot, no cards given up; and
    where somebody brings in, no limit but the fixed one.
    """
    return (
        game.limit in STRUCTURES
        and (game.limit == "fl" or game.forced is not Forced.BRING_IN)
        and game.deck in PACKS
        and all(street.refill for street in game.streets)
        and all(_ranking(game, name) for name in (game.high, game.low) if name)
    )


def state_of(
    game: Game, stakes: Stakes, stacks: Sequence[int], automatic: tuple[Automation, ...]
) -> tuple[Any, ...]:
    """What a PokerKit `State` of the game is made of, the stacks in dealing order."""
    blinds: Any = 0
    if game.forced is Forced.BLINDS:
        blinds = (stakes.small_blind, stakes.big_blind)
    elif game.forced is Forced.BUTTON_BLIND:
        blinds = {-1: stakes.button_blind}
    return (
        automatic,
        PACKS[game.deck],
        tuple(_ranking(game, name) for name in (game.high, game.low) if name),
        tuple(_street(game, stakes, at) for at in range(len(game.streets))),
        STRUCTURES[game.limit],
        True,
        stakes.ante,
        blinds,
        stakes.bring_in,
        tuple(stacks),
        len(stacks),
    )


def _ranking(game: Game, name: str) -> Any:
    by_two = game.select if game.select == "two_and_three" else ""
    return RANKINGS.get((name, by_two))


def _street(game: Game, stakes: Stakes, at: int) -> Street:
    street = game.streets[at]
    least = stakes.big_blind or stakes.button_blind or stakes.small_bet
    opening = Opening.POSITION
    if game.forced is Forced.BRING_IN:
        later = Opening.HIGH_HAND if game.high else Opening.LOW_HAND
        opening = later if at else OPENINGS[game.first_opener]
    most = None
    if game.limit == "fl":
        least = 2 * least if game.tiers[at] else least
        most = game.bets_most - (at == 0 and game.has_button)  # it counts no blind as a bet
    cards = (False,) * street.down + (True,) * street.up
    return Street(False, cards, street.board, street.draw >= 0, opening, least, most)
