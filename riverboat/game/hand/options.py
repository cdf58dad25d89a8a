"""Options: every legal action of the seat on turn, with its least and greatest total.

Betting refuses exactly what is not offered here; clients, bots and tests ask the same function.
Decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from riverboat.game.hand.limits import raise_sizes
from riverboat.game.hand.rounds import owes_bring_in
from riverboat.game.hand.state import NOBODY, Hand, Phase

BRING_IN: Final = Phase.BRING_IN
DRAW: Final = Phase.DRAW
SPLIT: Final = Phase.SPLIT


@dataclass(slots=True)
class Options:
    """What the seat on turn may do. Totals are the seat's live chips in this round."""

    seat: int
    turn: int  # the turn's number in the hand
    price: int  # the total to match, as an act has to name it
    fold: bool = False
    check: bool = False
    call: int = 0  # the seat's total after a call, all it has at most; 0: nothing to call
    raise_least: int = 0  # 0: no bet and no raise
    raise_most: int = 0
    sizes: tuple[int, ...] = ()  # where not every total from least to most is allowed: these alone
    no_raise: str = ""  # why no raise is open
    bring_in: int = 0  # the total of the bring-in, all the seat has at most; 0: it is not due
    draw_most: int = -1  # how many cards may be thrown; -1: no draw
    split: bool = False
    refuse_split: bool = False
    draw_least: int = 0  # how many cards must be thrown


def options(hand: Hand) -> Options | None:
    """The options of the seat on turn; None when no player has a decision."""
    turn, phase, price = hand.turn, hand.phase, hand.price
    if turn == NOBODY:
        return None
    if phase is DRAW:
        if hand.seats[turn].kept:
            return None  # who is protected stands pat [RULES 7]
        street = hand.game.streets[hand.street]
        most, least = street.draw, street.draw_least
        return Options(turn, hand.turn_number, price, draw_most=most, draw_least=least)
    if phase is SPLIT:
        return Options(turn, hand.turn_number, price, split=True, refuse_split=True)
    seat = hand.seats[turn]
    everything = seat.bet + seat.stack
    offered = Options(turn, hand.turn_number, price, True)
    if phase is BRING_IN:
        offered.bring_in = min(hand.stakes.bring_in, everything)
        offered.fold = not owes_bring_in(hand, seat)
        if everything <= hand.stakes.bring_in:
            offered.no_raise = "stack"
            return offered
    elif price > seat.bet:
        offered.call = price if price < everything else everything
    else:
        offered.check = True
        offered.split = hand.splitting
    sizes = raise_sizes(hand, seat)
    if isinstance(sizes, str):
        offered.no_raise = sizes
    else:
        offered.raise_least, offered.raise_most, offered.sizes = sizes
    return offered
