"""Limits: how big a bet or raise may be, and what it counts for. [RULES 3]

One function for each raise rule that a limit's table can name. Knows no turn order and moves no
chips; which numbers a rule works with is the table's and the stakes' to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from riverboat.game.hand.events import Stakes
from riverboat.game.hand.state import Hand, Phase, Seat
from riverboat.game.money import halve
from riverboat.game.rules.schema import Completion, Forced, Game, Raise

# The totals to which a seat may bet or raise: the least, the most, and, where not every total
# between is allowed, all that are. A plain tuple: it is made at every decision.
Sizes = tuple[int, int, tuple[int, ...]]

# Looking members up in their enums takes longer than the rest of a rule.
FIXED: Final = Raise.FIXED
BRING_IN: Final = Phase.BRING_IN


def least_bet(game: Game, stakes: Stakes) -> int:
    """The least bet of a round where no bet was made."""
    if game.raise_rule is FIXED:
        return stakes.small_bet or stakes.big_blind
    if game.forced is Forced.BRING_IN:
        return stakes.spread[0] if game.raise_rule is Raise.SPREAD else stakes.bring_in
    return blinds(game, stakes)[-1] or stakes.ante or 1


def blinds(game: Game, stakes: Stakes) -> tuple[int, ...]:
    """The blinds that the game has, of all that its stakes may name."""
    if game.forced is Forced.BLINDS:
        return stakes.small_blind, stakes.big_blind
    return (stakes.button_blind if game.forced is Forced.BUTTON_BLIND else 0,)


def raise_sizes(hand: Hand, seat: Seat) -> Sizes | str:
    """What `seat` may bet or raise to now, or the name of the reason why it may not."""
    everything = seat.bet + seat.stack
    if everything <= hand.price:
        return "stack"
    if hand.moneyed < 2:
        return "nobody_to_answer"
    if seat.barred:
        return "late_draw"
    if seat.faced >= 0 and not _reopened(hand, seat):
        return "not_reopened"
    return SIZES[hand.game.raise_rule](hand, seat, everything)


def count_raise(hand: Hand, total: int) -> None:
    """Note what a bet or raise to `total` counts for; the price is still the old one."""
    if hand.game.raise_rule is FIXED:
        _count_fixed(hand, total)
        return
    size = total - hand.price
    # A short all-in raises the price for others but not the size of the next full raise, and it
    # does not reopen the betting by itself. [RULES 3, field]
    if size > hand.last_raise:
        hand.last_raise = size
    hand.full_price = total
    hand.raises += 1


def count_bring_in(hand: Hand, due: int) -> None:
    """Note the bring-in as the price; in fixed limit completing it counts as the bet, not this."""
    hand.price = due
    if hand.game.raise_rule is not FIXED:
        hand.full_price = due
        hand.last_raise = max(hand.last_raise, due)


def unit(hand: Hand) -> int:
    """Fixed limit's bet in this round, or what it has become after an open pair's double wager."""
    stakes = hand.stakes
    if hand.game.tiers[hand.round] or hand.doubled:
        return _upper(stakes)
    return stakes.small_bet or stakes.big_blind


def _upper(stakes: Stakes) -> int:
    return stakes.big_bet or 2 * (stakes.small_bet or stakes.big_blind)


def _reopened(hand: Hand, seat: Seat) -> bool:
    """Whether what came since `seat` acted is a full raise, in one or several steps."""
    more = hand.price - seat.faced
    game = hand.game
    if game.raise_rule is not FIXED:
        return more >= hand.last_raise
    return more * 2 >= unit(hand) if game.half_bet_reopens else more >= unit(hand)


def _counts(hand: Hand, over: int, bet: int) -> bool:
    """Whether so much over the last full bet counts as a bet or raise."""
    return over >= bet or (hand.game.half_bet_reopens and over * 2 >= bet)


def _count_fixed(hand: Hand, total: int) -> None:
    bet = unit(hand)
    over = total - hand.full_price
    if over == bet and hand.price == hand.full_price:
        # The common case, one whole bet more, is the same for all.
        hand.raises += 1
        hand.full_price = total
        return
    counted_before = _counts(hand, hand.price - hand.full_price, bet)
    hand.doubled = hand.doubled or (hand.open_pair and over > bet)
    match hand.game.completion:
        case Completion.RULES:
            if _counts(hand, over, bet):
                hand.raises += 1
                hand.full_price = total
        case Completion.NEXT_MULTIPLE:
            # A short all-in stands for the multiple that completes it: both are one raise.
            hand.raises += _counts(hand, over, bet) and not counted_before
            if over >= bet:
                hand.full_price = total
        case Completion.FULL_BET:
            hand.raises += _counts(hand, over, bet)
            hand.full_price = total


# The sizes by rule; each is given the seat's total when it puts in all it has.


def _interval(least: int, most: int, everything: int) -> Sizes:
    # Whoever cannot reach the least raise may still put in the whole stack. [RULES 3, all]
    return min(least, everything), min(most, everything), ()


def _least_raise(hand: Hand) -> int:
    least = hand.price + hand.last_raise
    # A larger bet instead of the bring-in is larger than it. [RULES 4]
    return max(least, hand.stakes.bring_in + 1) if hand.phase is BRING_IN else least


def _no_limit(hand: Hand, seat: Seat, everything: int) -> Sizes:
    least = _least_raise(hand) if hand.phase is BRING_IN else hand.price + hand.last_raise
    return least if least < everything else everything, everything, ()


def _pot_after_call(hand: Hand, seat: Seat) -> int:
    pot = hand.pot
    if hand.round == 0:
        if not hand.game.pot_counts_dead_blind:
            pot -= hand.dead_blinds
        if hand.game.pot_counts_full_blinds:
            pot += max(0, hand.short_blinds)
    return pot + hand.price - seat.bet


def _pot(hand: Hand, seat: Seat, everything: int) -> Sizes:
    least = _least_raise(hand)
    most = max(least, hand.price + _pot_after_call(hand, seat))
    return _interval(least, most, everything)


def _half_pot(hand: Hand, seat: Seat, everything: int) -> Sizes:
    least = _least_raise(hand)
    _, half = halve(_pot_after_call(hand, seat))
    return _interval(least, max(least, hand.price + half), everything)


def _capped(hand: Hand) -> bool:
    game = hand.game
    if not game.bets_most or hand.raises < game.bets_most:
        return False
    return game.cap_heads_up or hand.players_at_start > 2


def _fixed(hand: Hand, seat: Seat, everything: int) -> Sizes | str:
    if _capped(hand):
        return "cap"
    bet = unit(hand)
    # After a double wager there is no smaller raise. [RULES 3, field]
    if hand.open_pair and not hand.doubled:
        lower, upper = hand.full_price + bet, hand.full_price + _upper(hand.stakes)
        only = tuple(dict.fromkeys((min(lower, everything), min(upper, everything))))
        return only[0], only[-1], only if len(only) > 1 else ()
    total = min(hand.full_price + bet, everything)
    return total, total, ()


def _spread(hand: Hand, seat: Seat, everything: int) -> Sizes | str:
    game = hand.game
    upper = hand.stakes.spread[game.tiers[hand.round]]
    most = hand.price + upper
    if game.cap_total:
        cap = game.cap_total * upper
        if hand.price >= cap:
            return "cap"
        most = min(most, cap)
    if not hand.price:
        return _interval(_least_raise(hand), most, everything)
    least = hand.price + hand.last_raise
    if game.spread_equal_raises:
        # "Each raise equals the bet or raise before it"; the one that reaches the cap is smaller.
        least = most = min(least, game.cap_total * upper) if game.cap_total else least
    return _interval(min(least, most), most, everything)


SIZES: Final[dict[Raise, Callable[[Hand, Seat, int], Sizes | str]]] = {
    Raise.NO_LIMIT: _no_limit,
    Raise.POT: _pot,
    Raise.HALF_POT: _half_pot,
    Raise.FIXED: _fixed,
    Raise.SPREAD: _spread,
}
