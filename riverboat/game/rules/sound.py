"""Soundness: whether the game that some tables make can be dealt, bet and judged to its end.

Looks at one game; what is wrong with it is told as the key and the reason. Reads no table.
"""

from __future__ import annotations

from riverboat.game.cards import DECKS, TEXTS, rank
from riverboat.game.ranking import FITS, ranking
from riverboat.game.rules.schema import Forced, Game, Opener, Raise, ShowOpener

CHAIRS_MOST = 10  # of a table; the wire names no more seats

_BRING_IN = (Opener.BRING_IN_LOWEST, Opener.BRING_IN_HIGHEST)
_OPEN_HAND = (Opener.BEST_OPEN_HAND, Opener.LOWEST_OPEN_HAND)
_OPEN_SHOW = (ShowOpener.BEST_OPEN_HAND, ShowOpener.LOWEST_OPEN_HAND)


def fault(game: Game) -> str:
    """What is wrong, as "key: reason"; empty where nothing is."""
    return _of_cards(game) or _of_openers(game) or _of_money(game)


def _of_cards(game: Game) -> str:
    streets = game.streets
    own = sum(street.down + street.up for street in streets)
    board = sum(street.board for street in streets)
    if game.short_deck_shares:
        # One card for all stands in for each player's last one.
        need = (own - streets[-1].down - streets[-1].up) * game.seats_most + 1
    else:
        need = own * game.seats_most + board
    if need > len(DECKS[game.deck]):
        players = game.seats_most
        return f"seats_most: {players} players need {need} cards, more than the deck"
    if not 2 <= game.seats_most <= CHAIRS_MOST:
        return f"seats_most: a table has from 2 to {CHAIRS_MOST} chairs"
    own = game.own_at_showdown
    least = min(DECKS[game.deck])
    for half, name in (("high", game.high), ("low", game.low)):
        # A card that no table holds is worth whatever stands in its place.
        if name and rank(least) < ranking(name).floor:
            return f"{half}: {name} ranks no {TEXTS[least]} of a deck of {game.deck}"
        if name and not FITS[game.select](ranking(name).size, own, board):
            return (
                f"select: {game.select} has no hand of {half} {name}"
                f" in {own} own cards and {board} shared ones"
            )
    return ""


def _of_openers(game: Game) -> str:
    brings_in = game.forced is Forced.BRING_IN
    if brings_in and not game.bring_in_suits:
        return "bring_in_suits: ties of the bring-in need an order of suits"
    if (game.first_opener in _BRING_IN) is not brings_in:
        return "first_opener: who brings it in opens where there is a bring-in, and nowhere else"
    if brings_in and not game.streets[0].up:
        return "forced: the first street deals no up card to bring it in by"
    shows = any(street.up for street in game.streets)
    if any(opener in _OPEN_HAND for opener in game.later_openers) and not shows:
        return "later_openers: nobody has an open hand where no street deals cards up"
    if any(opener in _BRING_IN for opener in game.later_openers):
        return "later_openers: it is brought in once, in the first round"
    if game.show_opener in _OPEN_SHOW and not shows:
        return "show_opener: nobody has an open hand where no street deals cards up"
    if game.open_pair_street >= 0 and (game.open_pair_street >= len(game.streets) or not shows):
        return "open_pair_street: no street of this number shows a pair"
    return ""


def _of_money(game: Game) -> str:
    if game.raise_rule in (Raise.FIXED, Raise.SPREAD) and not game.tiers:
        return f"tiers: none for a game of {game.rounds} rounds"
    if 0 < game.buy_in_most_big_blinds < game.buy_in_least_big_blinds:
        return "buy_in_most_big_blinds: must not be less than the least"
    for at, row in enumerate(game.rake):
        for other in game.rake[:at]:
            if row.big_blind_from == other.big_blind_from:
                stakes = f"big_blind_from {row.big_blind_from}"
                return f"rake: two rows serve {game.limit} at {stakes}"
    return ""
