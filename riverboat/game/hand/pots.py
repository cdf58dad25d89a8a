"""Pots: who can win which chips, from what each seat put in.

A pot is reckoned from a hand's whole contributions, never from the order of its bets, so chips
are neither made nor lost. Nothing here knows a card, and nothing here pays anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from riverboat.game.hand.events import Pot
from riverboat.game.hand.state import Hand, Seat

# So many chips, and who can win them.
Layer = tuple[int, tuple[int, ...]]


def pots(hand: Hand) -> tuple[Pot, ...]:
    """The pots as they stand, main pot first, before rake; uncalled chips have gone back.

    Layers that the same seats contest are one pot. Chips above what any live seat put in, which
    only a seat that folded unasked can leave, fall to the pot below. [RULES 5, all-in]
    """
    seats = hand.seats.values()
    whole, in_play = 0, []
    for seat in seats:
        whole += seat.put + seat.dead
        if not seat.folded:
            in_play.append(seat)
    put, ante = in_play[0].put, in_play[0].posted_ante
    for seat in in_play:
        if seat.put != put or seat.posted_ante != ante:
            break
    else:
        # The common hand: all who are left put in as much, and contest everything.
        return (Pot(whole, 0, tuple([seat.seat for seat in in_play])),) if whole else ()
    made: list[Pot] = []
    for amount, contestants in (*_ante_layers(hand, in_play), *_live_layers(hand, in_play)):
        if made and (not contestants or contestants == made[-1].seats):
            made[-1].amount += amount
        elif amount:
            made.append(Pot(amount, 0, contestants))
    # Dead blinds and the big blind's ante belong to the main pot. [RULES 8]
    made[0].amount += sum([seat.dead for seat in seats])
    assert sum([pot.amount for pot in made]) == whole, "pots hold every chip put in, and no other"
    assert all(pot.seats for pot in made), "every pot has somebody who can win it"
    return tuple(made)


def _live(seat: Seat) -> int:
    return seat.put - seat.posted_ante


def _ante_layers(hand: Hand, in_play: Sequence[Seat]) -> Iterable[Layer]:
    """A layer up to each ante that is all that a seat in play put in, and the rest of the antes.

    Whoever put in more than an ante has paid his whole, or owed none, and contests all of them.
    """
    antes = [seat.posted_ante for seat in hand.seats.values()]
    caps = {seat.seat: seat.posted_ante for seat in in_play if not _live(seat)}
    below = 0
    for level in sorted({*caps.values(), max(antes)}):
        amount = sum(min(ante, level) - min(ante, below) for ante in antes)
        yield amount, tuple(s.seat for s in in_play if caps.get(s.seat, level) >= level)
        below = level


def _live_layers(hand: Hand, in_play: Sequence[Seat]) -> Iterable[Layer]:
    """A layer up to each total of live chips that a seat in play put in, and what is above."""
    bets = [_live(seat) for seat in hand.seats.values()]
    below = 0
    for level in sorted({*map(_live, in_play), max(bets)}):
        amount = sum(min(bet, level) - min(bet, below) for bet in bets)
        if amount:
            yield amount, tuple(s.seat for s in in_play if _live(s) >= level)
        below = level
