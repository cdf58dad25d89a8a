"""Shows: who turns his hand up at the showdown, in which order, and who may give it up unshown.

Only a hand that wins no part of any pot is given up, unless its player wants it shown. Nothing
here says who wins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from typing import Final

from riverboat.game.hand.contest import Contest, Hole
from riverboat.game.hand.events import HandMucked, HandShown, Pot
from riverboat.game.hand.rounds import best_open_hand, first_dealt, lowest_open_hand
from riverboat.game.hand.state import NOBODY, Hand
from riverboat.game.rules.schema import ShowOpener

# Opens the deck's commitment for the cards at these places.
Prove = Callable[[Sequence[int]], bytes]
Shows = list[HandShown | HandMucked]

SPLIT: Final = 1  # `Seat.split` of a seat that chose or agreed to split


def show_order(hand: Hand) -> list[int]:
    """The seats still in, in the order in which they show. [RULES 5, who shows first]"""
    seats = hand.seats
    first = hand.aggressor
    if first == NOBODY or seats[first].folded:
        first = OPENERS[hand.game.show_opener](hand)
    order = list(seats)
    at = order.index(first)
    return [seat for seat in order[at:] + order[:at] if not seats[seat].folded]


def all_turned_up(hand: Hand) -> bool:
    """Whether no more betting could happen because players are all-in. [RULES 5, field]"""
    return hand.live > 1 and hand.moneyed < 2


def must_show(hand: Hand) -> bool:
    """Whether nobody may give his hand up, beaten or not."""
    return all_turned_up(hand) or (hand.game.all_show_checked_down and hand.aggressor == NOBODY)


def left_of(hand: Hand, button: int) -> list[int]:
    """All seats clockwise from the left of a place that may be empty."""
    seats = sorted(hand.seats)
    at = bisect_right(seats, button)
    return seats[at:] + seats[:at]


def agreed(hand: Hand, pot: Pot) -> bool:
    """Whether everybody eligible for this pot chose to split it. [RULES 5, split option]"""
    return all(hand.seats[seat].split == SPLIT for seat in pot.seats)


def contestants(hand: Hand, pot: Pot) -> int:
    """How many count for a ranking that asks: live in the hand, or eligible for the pot."""
    if hand.game.pot_contestants_rule == "hand":
        return sum(not seat.folded for seat in hand.seats.values())
    return len(pot.seats)


def shows(
    hand: Hand,
    pots: Sequence[Pot],
    hole: Hole,
    runs: Sequence[list[Contest]],
    prove: Prove,
    open_handed: Collection[int] = (),
) -> Shows:
    """Hands shown and mucked in order; who is left alone with every pot he is in does neither."""
    left = show_order(hand)
    contested = [pot for pot in pots if hand.game.split_shows or not agreed(hand, pot)]
    up = [seat for seat in left if hand.seats[seat].shown]
    events: Shows = []
    if not contested:
        return events
    must = must_show(hand) or (hand.game.split_shows and any(agreed(hand, pot) for pot in pots))
    for seat in [seat for seat in left if seat not in up]:
        mine = [pot for pot in contested if seat in pot.seats]
        if all(set(pot.seats).isdisjoint(set(left) - {seat}) for pot in mine):
            continue
        stays = must or seat in open_handed
        if seat in hole and (stays or not _beaten(hand, mine, runs, seat, up)):
            up.append(seat)
            events.append(HandShown(seat, tuple(hole[seat]), prove(hand.seats[seat].places)))
        elif all(len(set(pot.seats) & set(left)) > 1 for pot in mine):
            left.remove(seat)
            events.append(HandMucked(seat))
    return events


def _beaten(
    hand: Hand,
    pots: Sequence[Pot],
    runs: Sequence[list[Contest]],
    seat: int,
    up: Sequence[int],
) -> bool:
    """Whether hands already up leave this one no part of any pot: only such a hand is mucked."""
    for pot in pots:
        rivals = [rival for rival in up if rival in pot.seats]
        count = contestants(hand, pot)
        for contest in (contest for run in runs for contest in run):
            mine = contest.values[seat]
            beats = contest.ranking.beats
            if mine and not any(beats(contest.values[rival], mine, count) for rival in rivals):
                return False
    return True


# Openers: who shows first when nobody bet in the last round.


def _left_of_button(hand: Hand) -> int:
    return left_of(hand, hand.button)[0]


def _left_of_big_blind(hand: Hand) -> int:
    return left_of(hand, hand.big_blind)[0]


OPENERS: Final[dict[ShowOpener, Callable[[Hand], int]]] = {
    ShowOpener.LEFT_OF_BUTTON: _left_of_button,
    ShowOpener.LEFT_OF_BIG_BLIND: _left_of_big_blind,
    ShowOpener.FIRST_DEALT: first_dealt,
    ShowOpener.BEST_OPEN_HAND: best_open_hand,
    ShowOpener.LOWEST_OPEN_HAND: lowest_open_hand,
}
