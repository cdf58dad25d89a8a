"""Betting: turns a player's act into events, or says why not.

Owns every event between a deal and the next. Does not deal and does not judge hands. Each decision
is computed without folding: one answer gives the act and, where it was the round's last, what
nobody matched and the round's end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from riverboat.game.commands import Act, Action
from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Checked,
    Folded,
    HandEvent,
    PlayerProtected,
    RaisedTo,
    RoundClosed,
    SplitChosen,
    SplitRefused,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.limits import raise_sizes
from riverboat.game.hand.rounds import closes, owes_bring_in
from riverboat.game.hand.state import NOBODY, Hand, Phase, Seat
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.rules.schema import Raise

Outcome = list[HandEvent] | Refusal

BET: Final = Phase.BET
BRING_IN: Final = Phase.BRING_IN

PROTECTED: Final = frozenset({Raise.FIXED, Raise.SPREAD})

# One for each seat, or round: events are never changed once made, and looking one up takes a third
# of the time of making it.
_folded: Final = cache(Folded)
_checked: Final = cache(Checked)
_round_closed: Final = cache(RoundClosed)


def act(hand: Hand, player: str, command: Act) -> Outcome:
    """What the player's act makes true; a draw is the dealer's to answer."""
    seat = hand.seats.get(hand.turn)
    # What `cannot_act` asks one by one, in one go.
    if (
        seat is None
        or seat.player != player
        or command.turn != hand.turn_number
        or command.price != hand.price
        or command.hand != hand.id
    ):
        refusal = cannot_act(hand, player, command)
        assert refusal is not None, "an act is refused for a reason"
        return refusal
    return ACTS[command.action](hand, seat, command)


def cannot_act(hand: Hand, player: str, command: Act) -> Refusal | None:
    """Why not, unless the act names this hand, this turn, this price, and the turn is his."""
    seat = hand.seats.get(hand.turn)
    if command.hand != hand.id:
        return Refusal(HandCode.ANOTHER_HAND, hand=hand.id)
    if seat is None or seat.player != player or command.turn != hand.turn_number:
        if all(each.player != player for each in hand.seats.values()):
            return Refusal(HandCode.NOT_IN_HAND)
        if seat is None or command.turn != hand.turn_number:
            return Refusal(HandCode.TURN_PASSED, turn=hand.turn_number)
        return Refusal(HandCode.NOT_YOUR_TURN, turn_seat=hand.turn)
    if command.price != hand.price:
        return Refusal(HandCode.PRICE_CHANGED, price=hand.price)
    return None


def time_out(hand: Hand, connected: bool) -> list[HandEvent]:
    """The clock of the seat on turn ran out: it checks where that is free, else folds."""
    return [TimedOut(hand.turn, hand.turn_number, connected), *give_way(hand)]


def protect(hand: Hand) -> list[HandEvent]:
    """The clock ran out of a player who lost his line: he plays on as all-in for what he has put
    in, where the rules have that; else what any time-out brings. [RULES 7, disconnect protection]

    Whose sitting has a protection left, at a table for real money, is for the caller to say.
    """
    assert hand.turn != NOBODY, "a clock runs on a turn"
    seat = hand.seats[hand.turn]
    if not may_protect(hand, seat):
        return time_out(hand, connected=False)
    late = TimedOut(seat.seat, hand.turn_number, False)
    event = PlayerProtected(seat.seat, hand.turn_number, seat.player, seat.sitting)
    if closes(hand, seat, False, seat.bet, leaves_rest=True):
        return [late, event, *closing(hand)]
    return [late, event]


def may_protect(hand: Hand, seat: Seat) -> bool:
    """Whether the seat on turn can play on for what it has put in.

    "Only in fixed and spread limit"; with no money in the pot it is folded; "a free check is a
    check and spends nothing". A bring-in that is due is put in for it, as a blind is.
    """
    if hand.game.raise_rule not in PROTECTED or not seat.put + seat.dead:
        return False
    if hand.phase is BET:
        return hand.price > seat.bet
    return hand.phase is BRING_IN and not owes_bring_in(hand, seat)


def give_way(hand: Hand) -> list[HandEvent]:
    """The seat on turn checks where that is free, else folds, and nobody waits for its clock.

    A bring-in that is due is put in for it, as blinds are.
    """
    assert hand.turn != NOBODY and hand.phase is not Phase.DRAW, "betting's clocks are bets'"
    seat = hand.seats[hand.turn]
    if hand.phase is Phase.SPLIT:
        return _answer_split(hand, seat, SplitRefused(seat.seat))
    if hand.phase is Phase.BET and hand.price <= seat.bet:
        return _stays(hand, seat, _checked(seat.seat), seat.bet)
    return _gives_up(hand, seat)


def leave(hand: Hand) -> list[HandEvent]:
    """The player on turn has left: he folds, free check or not, and nobody waits for his clock.

    A bring-in that is due comes first: he folds when the turn is his again.
    """
    assert hand.turn != NOBODY and hand.phase is not Phase.DRAW, "it is his turn to bet"
    seat = hand.seats[hand.turn]
    if hand.phase is Phase.SPLIT:
        return _answer_split(hand, seat, SplitRefused(seat.seat))
    return _gives_up(hand, seat)


def closing(
    hand: Hand, seat: Seat | None = None, folds: bool = False, total: int = 0
) -> list[HandEvent]:
    """What nobody matched goes back and the round ends, once `seat` has folded or put in `total`.

    A bet no one can call is given back before pots and rake. [RULES 5]
    """
    end = _round_closed(hand.round)
    is_met = seat is not None and not folds and total == hand.price
    if is_met and (not total or hand.aggressor != NOBODY):
        # All checked, or the last raise was called whole.
        return [end]
    most = met = 0
    owner = None
    for other in hand.seats.values():
        bet = total if other is seat and not folds else other.bet
        if bet > most:
            most, met, owner = bet, most, other
        elif bet > met:
            met = bet
    if owner is None or owner.folded or (folds and owner is seat) or most == met:
        return [end]
    amount = most - met
    if not met and hand.round == 0 and owner.posted_ante:
        # Nobody met the bet at all: an ante above every other's was not met either.
        antes = [other.posted_ante for other in hand.seats.values() if other is not owner]
        amount += max(0, owner.posted_ante - max(antes))
    return [UncalledReturned(owner.seat, amount), end]


def _stays(hand: Hand, seat: Seat, event: HandEvent, total: int) -> list[HandEvent]:
    if closes(hand, seat, False, total):
        return [event, *closing(hand, seat, total=total)]
    return [event]


def _folds(hand: Hand, seat: Seat) -> list[HandEvent]:
    event = _folded(seat.seat)
    if hand.waiting > 1 and hand.moneyed > 2:
        return [event]
    if closes(hand, seat, True, 0):
        return [event, *closing(hand, seat, folds=True)]
    return [event]


def _gives_up(hand: Hand, seat: Seat) -> list[HandEvent]:
    if owes_bring_in(hand, seat):
        return _brings_in(hand, seat)
    return _folds(hand, seat)


def _brings_in(hand: Hand, seat: Seat) -> list[HandEvent]:
    total = min(hand.stakes.bring_in, seat.bet + seat.stack)
    return _stays(hand, seat, BroughtIn(seat.seat, total, hand.stakes.bring_in), total)


def _answer_split(hand: Hand, seat: Seat, event: HandEvent) -> list[HandEvent]:
    if hand.waiting == 1 and (hand.phase is Phase.SPLIT or not _all_in(hand)):
        return [event, *closing(hand)]
    return [event]


def _all_in(hand: Hand) -> bool:
    return any(seat.all_in for seat in hand.seats.values())


# One function an action; the act is for this hand, turn and price, and the turn is the seat's.


def _fold(hand: Hand, seat: Seat, command: Act) -> Outcome:
    if hand.phase is not BET and (hand.phase is not BRING_IN or owes_bring_in(hand, seat)):
        return Refusal(HandCode.NOT_OFFERED)
    return _folds(hand, seat)


def _check(hand: Hand, seat: Seat, command: Act) -> Outcome:
    if hand.phase is not BET:
        return Refusal(HandCode.NOT_OFFERED)
    if hand.price > seat.bet:
        return Refusal(HandCode.CANNOT_CHECK, price=hand.price)
    event = _checked(seat.seat)
    # The round goes on whatever else is true: another owes an answer, and two have chips.
    if hand.waiting > 1 and hand.moneyed > 1:
        return [event]
    return _stays(hand, seat, event, seat.bet)


def _call(hand: Hand, seat: Seat, command: Act) -> Outcome:
    if hand.phase is not BET:
        return Refusal(HandCode.NOT_OFFERED)
    if hand.price <= seat.bet:
        return Refusal(HandCode.NOTHING_TO_CALL)
    total = hand.price
    if total - seat.bet > seat.stack:
        total = seat.bet + seat.stack
    event = Called(seat.seat, total)
    # Even if this seat has put in its last, two others have chips.
    if hand.waiting > 1 and hand.moneyed > 2:
        return [event]
    return _stays(hand, seat, event, total)


def _raise(hand: Hand, seat: Seat, command: Act) -> Outcome:
    """`total` is the seat's whole bet for the round, as a player says it: "raise to 60"."""
    if hand.phase is not BET and hand.phase is not BRING_IN:
        return Refusal(HandCode.NOT_OFFERED)
    total = command.total
    everything = seat.bet + seat.stack
    if hand.phase is BRING_IN and everything <= hand.stakes.bring_in:
        return Refusal(HandCode.CANNOT_RAISE, reason="stack")
    sizes = raise_sizes(hand, seat)
    if isinstance(sizes, str):
        return Refusal(HandCode.CANNOT_RAISE, reason=sizes)
    least, most, only = sizes
    if total > everything:
        return Refusal(HandCode.MORE_THAN_STACK, most=everything)
    if total < least:
        return Refusal(HandCode.BELOW_LEAST_RAISE, least=least)
    if total > most:
        return Refusal(HandCode.ABOVE_MOST_RAISE, most=most)
    if only and total not in only:
        return Refusal(HandCode.NOT_A_SIZE, least=least, most=most)

    # From here on the raise stands; somebody with chips has to answer it.
    return [RaisedTo(seat.seat, total)]


def _bring_in(hand: Hand, seat: Seat, command: Act) -> Outcome:
    if hand.phase is not Phase.BRING_IN:
        return Refusal(HandCode.NOT_OFFERED)
    return _brings_in(hand, seat)


def _draw(hand: Hand, seat: Seat, command: Act) -> Outcome:
    return Refusal(HandCode.NOT_A_DRAW)


def _split(hand: Hand, seat: Seat, command: Act) -> Outcome:
    offered = hand.phase is Phase.SPLIT or (hand.splitting and hand.price <= seat.bet)
    if not offered:
        return Refusal(HandCode.NOT_OFFERED)
    return _answer_split(hand, seat, SplitChosen(seat.seat))


def _refuse_split(hand: Hand, seat: Seat, command: Act) -> Outcome:
    if hand.phase is not Phase.SPLIT:
        return Refusal(HandCode.NOT_OFFERED)
    return _answer_split(hand, seat, SplitRefused(seat.seat))


ACTS: Final[dict[Action, Callable[[Hand, Seat, Act], Outcome]]] = {
    Action.FOLD: _fold,
    Action.CHECK: _check,
    Action.CALL: _call,
    Action.RAISE: _raise,
    Action.BRING_IN: _bring_in,
    Action.DRAW: _draw,
    Action.SPLIT: _split,
    Action.REFUSE_SPLIT: _refuse_split,
}
