"""Pots: who can win which chips, from what each seat put in.

A pot is reckoned from a hand's whole contributions, never from the order of its bets, so chips
are neither made nor lost. Nothing here knows a card, and nothing here pays anybody.
"""

from __future__ import annotations

from collections.abc import Iterable

from riverboat.game.hand.events import Pot
from riverboat.game.hand.state import Hand, Seat


def pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots as they stand, main pot first, before rake; uncalled chips have gone back.

    Layers that the same seats contest are one pot. Chips above what any live seat put in, which
    only a seat that folded unasked can leave, fall to the pot below. [RULES 5, all-in]
    """
    layers = [*_ante_layers(hand), *_live_layers(hand)]
    made: list[Pot] = []
    for amount, contestants in layers:
        if made and (not contestants or contestants == made[-1].seats):
            made[-1].amount += amount
        elif amount:
            made.append(Pot(amount, 0, contestants))
    dead = sum(seat.dead for seat in hand.seats.values())
    if not made:
        # All folded to a lone big blind, which went back: nothing is left, or dead money alone.
        made.append(Pot(0, 0, tuple([seat.seat for seat in _in_play(hand)])))
    # Dead blinds and the big blind's ante belong to the main pot. [RULES 8]
    made[0].amount += dead
    whole = sum(seat.put + seat.dead for seat in hand.seats.values())
    assert sum(pot.amount for pot in made) == whole, "pots hold every chip put in, and no other"
    assert all(pot.seats for pot in made), "every pot has somebody who can win it"
    return tuple(made) if whole else ()


def _live(seat: Seat) -> int:
    return seat.put - seat.posted_ante


def _in_play(hand: Hand) -> list[Seat]:
    return [seat for seat in hand.seats.values() if not seat.folded]


def _ante_layers(hand: Hand) -> Iterable[tuple[int, tuple[int, ...]]]:
    """A layer up to each ante that is all that a seat in play put in, and the rest of the antes.

    Whoever put in more than an ante has paid his whole, or owed none, and contests all of them.
    """
    antes = [seat.posted_ante for seat in hand.seats.values()]
    caps = {seat.seat: seat.posted_ante for seat in _in_play(hand) if not _live(seat)}
    below = 0
    for level in sorted({*caps.values(), max(antes)}):
        amount = sum(min(ante, level) - min(ante, below) for ante in antes)
        yield amount, tuple(s.seat for s in _in_play(hand) if caps.get(s.seat, level) >= level)
        below = level


def _live_layers(hand: Hand) -> Iterable[tuple[int, tuple[int, ...]]]:
    """A layer up to each total of live chips that a seat in play put in, and what is above."""
    bets = [_live(seat) for seat in hand.seats.values()]
    below = 0
    for level in sorted({*map(_live, _in_play(hand)), max(bets)}):
        amount = sum(min(bet, level) - min(bet, below) for bet in bets)
        if amount:
            yield amount, tuple(s.seat for s in _in_play(hand) if _live(s) >= level)
        below = level
