"""Rounds: who opens, who is next, and when nobody is left to act.

The fold and the decisions ask the same functions, so a round is over for both at the same event.
Moves no chips, and never asks what an action may be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from riverboat.game.cards import SUITS, rank, suit
from riverboat.game.hand.state import NOBODY, Baton, Hand, Phase, Seat
from riverboat.game.ranking import ranking
from riverboat.game.rules.schema import Forced, Game, Opener, Raise

# Looking members up in their enums takes longer than the rest of a turn.
BET: Final = Phase.BET
BRING_IN: Final = Phase.BRING_IN
DRAW: Final = Phase.DRAW
BETTING: Final = Baton.BETTING
BY_BRING_IN: Final = Forced.BRING_IN


def give_turn(hand: Hand, seat: int, time_ms: int) -> None:
    """The clock of `seat` runs from `time_ms`: the turn's own time, then the seat's bank."""
    hand.turn = seat
    hand.turn_number += 1
    hand.deadline_ms = time_ms + hand.turn_ms + hand.seats[seat].bank_ms


def own_time_over_ms(hand: Hand) -> int:
    """When the own time of the turn is over, and the bank of the seat on turn begins to run.

    A draw has its own clock and no bank: whoever is late stands pat. [RULES 5, draws]
    """
    if hand.turn == NOBODY or hand.phase is DRAW:
        return hand.deadline_ms
    return hand.deadline_ms - hand.seats[hand.turn].bank_ms


def spend_bank(hand: Hand, seat: Seat, time_ms: int) -> None:
    """The seat on turn answers: what that took beyond the turn's own time leaves its bank."""
    left = hand.deadline_ms - time_ms
    if left < seat.bank_ms and not hand.stands:
        seat.bank_ms = left if left > 0 else 0


def open_round(hand: Hand, time_ms: int) -> bool:
    """Open the round of betting that the last street begins; false where nobody can bet.

    A single seat with chips has a decision only if a blind is more than it has posted.
    """
    game = hand.game
    first = hand.round == 0
    if hand.street_ms:
        hand.turn_ms = hand.street_ms[min(hand.round, len(hand.street_ms) - 1)]
    if not first:
        hand.price = hand.full_price = hand.raises = 0
        hand.last_raise = hand.least_bet
    waiting = 0
    for seat in hand.seats.values():
        if seat.stack and not seat.folded:
            seat.to_act = True
            seat.faced = -1
            waiting += 1
    hand.waiting = hand.players_at_start = waiting
    hand.open = first or waiting > 1
    # A last round in which nobody can bet has no aggressor either. [RULES 5, who shows first]
    hand.aggressor = NOBODY
    if waiting < 2 and not (waiting and faces_bet(hand, _only_moneyed(hand))):
        _nobody_acts(hand)
        return False
    if game.open_pair_street >= 0:
        hand.doubled = False
        hand.open_pair = game.open_pair_street == hand.street and _pair_shows(hand)
    hand.splitting = game.split_offered and not first
    hand.baton = BETTING
    hand.phase = BRING_IN if first and game.forced is BY_BRING_IN else BET
    if first:
        opener = game.first_opener
    else:
        later = game.later_openers
        opener = later[hand.round - 1] if hand.round <= len(later) else later[-1]
    give_turn(hand, _first_waiting(hand, OPENERS[opener](hand)), time_ms)
    return True


def open_draw(hand: Hand, time_ms: int) -> None:
    """Ask every live seat, all-in or not, for its discards, from the left of the button."""
    for seat in hand.seats.values():
        seat.to_act = not seat.folded
    hand.waiting = hand.live
    hand.phase = DRAW
    hand.baton = Baton.DEALER
    give_turn(hand, _first_waiting(hand, first_dealt(hand)), time_ms)
    hand.deadline_ms = time_ms + hand.game.draw_ms


def next_draw(hand: Hand, seat: Seat, time_ms: int) -> bool:
    """Give the turn to the next seat that draws; false when all have."""
    if not hand.waiting:
        hand.turn = NOBODY
        return False
    seats = hand.seats
    behind = seats[seat.left]
    while not behind.to_act:
        behind = seats[behind.left]
    hand.turn = behind.seat
    hand.turn_number += 1
    hand.deadline_ms = time_ms + hand.game.draw_ms
    return True


def pass_turn(hand: Hand, seat: Seat, time_ms: int) -> None:
    """Give the turn to the next seat behind `seat` that owes an answer, or to nobody."""
    if seat.bank_ms:
        spend_bank(hand, seat, time_ms)
    if hand.waiting and hand.live > 1:
        seats = hand.seats
        behind = seats[seat.left]
        while not behind.to_act:
            behind = seats[behind.left]
        if hand.moneyed > 1 or faces_bet(hand, behind):
            hand.turn = behind.seat
            hand.turn_number += 1
            hand.deadline_ms = time_ms + hand.turn_ms + behind.bank_ms
            return
    hand.turn = NOBODY


def choose_split(hand: Hand, seat: Seat, choice: int, time_ms: int) -> None:
    """Note the seat's answer and ask the next; all-in seats come last. [RULES 5, split]"""
    spend_bank(hand, seat, time_ms)
    seat.split = choice
    seat.to_act = False
    seat.faced = hand.full_price
    hand.waiting -= 1
    if hand.waiting:
        give_turn(hand, _first_waiting(hand, seat.left), time_ms)
    elif hand.phase is BET:
        _ask_all_in(hand, time_ms)
    else:
        hand.turn = NOBODY


def stop_splitting(hand: Hand) -> None:
    """The first other choice: the SPLITs before it stand as checks. [RULES 5, split]"""
    hand.splitting = False
    for seat in hand.seats.values():
        seat.split = 0


def _ask_all_in(hand: Hand, time_ms: int) -> None:
    for seat in hand.seats.values():
        seat.to_act = seat.all_in
        hand.waiting += seat.to_act
    if hand.waiting:
        hand.phase = Phase.SPLIT
        give_turn(hand, _first_waiting(hand, first_dealt(hand)), time_ms)
    else:
        hand.turn = NOBODY


def faces_bet(hand: Hand, seat: Seat) -> bool:
    """Whether a live seat has more before it than `seat`: what is short of a blind is no bet."""
    mine = seat.bet
    return any(other.bet > mine and not other.folded for other in hand.seats.values())


def closes(hand: Hand, seat: Seat, folds: bool, total: int, leaves_rest: bool = False) -> bool:
    """Whether nobody is left to act once `seat` has folded, or stays in with `total`.

    For every answer but a raise, which somebody with chips has to answer. `leaves_rest`: what it
    has left plays no more.
    """
    if hand.live - folds < 2:
        return True
    waiting = hand.waiting - seat.to_act
    if not waiting:
        return True
    broke = folds or leaves_rest or total - seat.bet == seat.stack
    if hand.moneyed - (broke and seat.stack > 0) > 1:
        return False
    # One seat with chips owes an answer: only a bet that is more than its own asks for one.
    last = next(s for s in hand.seats.values() if s.to_act and s is not seat)
    if not folds and total > last.bet:
        return False
    return not any(
        other.bet > last.bet and not other.folded
        for other in hand.seats.values()
        if other is not seat
    )


def owes_bring_in(hand: Hand, seat: Seat) -> bool:
    """Whether the seat on turn must open: its card says so. [RULES 4, antes]

    Where that card's owner is all-in for the ante, those behind him may open, or fold.
    """
    return hand.phase is BRING_IN and OPENERS[hand.game.first_opener](hand) == seat.seat


def first_dealt(hand: Hand) -> int:
    """The seat dealt first: left of the button, or nearest the dealer's box."""
    return next(iter(hand.seats))


def _nobody_acts(hand: Hand) -> None:
    for seat in hand.seats.values():
        seat.to_act = False
    hand.waiting = 0
    hand.turn = NOBODY


def _only_moneyed(hand: Hand) -> Seat:
    return next(seat for seat in hand.seats.values() if seat.to_act)


def _first_waiting(hand: Hand, first: int) -> int:
    seats = hand.seats
    seat = seats[first]
    while not seat.to_act:
        seat = seats[seat.left]
    return seat.seat


# Openers: where the search for the first to act begins. [RULES 4]


def _after_blinds(hand: Hand) -> int:
    if hand.last_blind == NOBODY:
        return first_dealt(hand)
    return hand.seats[hand.last_blind].left


def _left_of_big_blind(hand: Hand) -> int:
    big_blind = hand.seats.get(hand.big_blind)
    return big_blind.left if big_blind else first_dealt(hand)


@cache
def _door_cards(game: Game) -> tuple[int, ...]:
    """By card: where it stands as the only card up, by rank and then by the game's suits."""
    lower = 1 if game.bring_in_ace_low else 0  # the ace comes round to below the two
    suits = game.bring_in_suits[::-1]  # they are written high to low
    return tuple(
        (rank(card) + lower) % 13 * 4 + suits.index(SUITS[suit(card)]) for card in range(52)
    )


def _in_play(hand: Hand) -> list[Seat]:
    return [seat for seat in hand.seats.values() if not seat.folded]


def _bring_in_lowest(hand: Hand) -> int:
    stands = _door_cards(hand.game)
    return min(_in_play(hand), key=lambda seat: stands[seat.up[0]]).seat


def _bring_in_highest(hand: Hand) -> int:
    stands = _door_cards(hand.game)
    return max(_in_play(hand), key=lambda seat: stands[seat.up[0]]).seat


def best_open_hand(hand: Hand) -> int:
    """The seat of it; of equal hands the one nearest the dealer's box, the first dealt."""
    seats = _in_play(hand)
    values = _showing(hand.game, seats)
    return seats[values.index(max(values))].seat


def lowest_open_hand(hand: Hand) -> int:
    """The seat of it, by the same order."""
    seats = _in_play(hand)
    values = _showing(hand.game, seats)
    return seats[values.index(min(values))].seat


def _showing(game: Game, seats: Sequence[Seat]) -> list[int]:
    showing = ranking(game.high or game.low).showing
    return [showing(seat.up) for seat in seats]


OPENERS: Final[dict[Opener, Callable[[Hand], int]]] = {
    Opener.AFTER_BLINDS: _after_blinds,
    Opener.LEFT_OF_BUTTON: first_dealt,
    Opener.LEFT_OF_BIG_BLIND: _left_of_big_blind,
    Opener.BRING_IN_LOWEST: _bring_in_lowest,
    Opener.BRING_IN_HIGHEST: _bring_in_highest,
    Opener.BEST_OPEN_HAND: best_open_hand,
    Opener.LOWEST_OPEN_HAND: lowest_open_hand,
}


def _pair_shows(hand: Hand) -> bool:
    """Whether a live player shows a pair. [RULES 3, field]"""
    if hand.game.raise_rule is not Raise.FIXED:
        return False
    for seat in hand.seats.values():
        if not seat.folded:
            ranks = [card >> 2 for card in seat.up]
            if len(set(ranks)) < len(ranks):
                return True
    return False
