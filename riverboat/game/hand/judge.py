"""The showdown: who shows, who wins which pot, and how the hand ends.

One decision, computed whole from the state and the opened cards; nothing here deals, bets or
folds an event. A hand that was not opened to it is given up unshown, so a hand can be judged
again from what was public.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from riverboat.game.hand import pots as potting
from riverboat.game.hand import rake as raking
from riverboat.game.hand.contest import Contest, Hole, contests, greatest_wins
from riverboat.game.hand.events import (
    Half,
    HandEnded,
    HandEvent,
    HandMucked,
    HandShown,
    Net,
    Pot,
    PotAwarded,
    PotsMade,
    Share,
)
from riverboat.game.hand.shows import (
    Prove,
    Shows,
    agreed,
    contestants,
    left_of,
    must_show,
    show_order,
    shows,
)
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.money import halve, split_evenly
from riverboat.game.rules.schema import OddUnit

# To look a member up in its enum takes longer than to make the event that it goes into.
WHOLE: Final = Half.WHOLE

# A half of a pot on one board, its chips, and who shares them.
Part = tuple[Half, int, Sequence[int]]


def judge(
    hand: Hand,
    hole: Hole,
    prove: Prove = lambda places: b"",
    rake: int | None = None,
    open_handed: Collection[int] = (),
) -> list[HandEvent]:
    """Every event from the last bet to the hand's end.

    `hole` has the own cards of the seats still in, as they were dealt; a seat that is missing
    there, and whose hand is not up already, mucks. `rake` is the whole rake where the schedule
    has no say: a replay takes it as it was recorded. `open_handed` are the seats that show a hand
    which is beaten when their turn to show comes, where others muck.
    """
    pots = _raked(hand, potting.pots(hand), rake)
    live = [seat for seat in hand.seats.values() if not seat.folded]
    if len(live) == 1:
        # Everybody else folded: no card is shown, or looked at.
        winner = live[0].seat
        won = [
            PotAwarded(at, 0, WHOLE, (Share(winner, pot.amount - pot.rake),))
            for at, pot in enumerate(pots)
        ]
        return [PotsMade(pots), *won, _ended(hand, pots, won)]
    opened: dict[int, Sequence[int]] = {}
    for seat in live:
        own = seat.shown or hole.get(seat.seat)
        if own:
            opened[seat.seat] = own
    runs = [contests(hand.game, opened, board) for board in hand.boards]
    if is_common(hand, pots, live, runs):
        shown, awards = common(hand, pots[0], opened, runs[0], prove, open_handed)
    else:
        shown, awards = general(hand, pots, opened, runs, prove, open_handed)
    return [PotsMade(pots), *shown, *awards, _ended(hand, pots, awards)]


def _raked(hand: Hand, pots: tuple[Pot, ...], whole: int | None) -> tuple[Pot, ...]:
    if whole is None:
        if not hand.raked or not raking.triggered(hand.game, hand.street):
            return pots
        fees = raking.rake(hand.game, pots, len(hand.seats), True, raking.stake(hand.stakes))
    else:
        fees = raking.spread(whole, pots)
    return tuple([Pot(pot.amount, fee, pot.seats) for pot, fee in zip(pots, fees, strict=True)])


# The common showdown: one pot for everybody still in, on one board, where the greater value wins.
# A test holds it to the general one.


def is_common(
    hand: Hand, pots: Sequence[Pot], live: Sequence[Seat], runs: Sequence[list[Contest]]
) -> bool:
    """Whether `common` can judge: nearly every showdown of nearly every game."""
    return (
        len(pots) == 1
        and len(runs) == 1
        and len(pots[0].seats) == len(live)
        and greatest_wins(runs[0])
        and not (hand.game.split_offered and any(seat.split for seat in live))
    )


def common(
    hand: Hand,
    pot: Pot,
    hole: Hole,
    over: Sequence[Contest],
    prove: Prove,
    open_handed: Collection[int] = (),
) -> tuple[Shows, list[PotAwarded]]:
    """Hands shown and mucked in order, and the award to the best of those that are up."""
    shown: Shows = []
    seats, left, must = hand.seats, show_order(hand), must_show(hand)
    hidden = [number for number in left if not seats[number].shown]
    if len(hidden) < len(left):
        for number in left:
            if seats[number].shown:
                _has_part(over, number)
    for number in hidden:
        if len(left) == 1:
            break
        own = hole.get(number)
        if own and (_has_part(over, number) or must or number in open_handed):
            shown.append(HandShown(number, tuple(own), prove(seats[number].places)))
        else:
            left.remove(number)
            shown.append(HandMucked(number))
    amount = pot.amount - pot.rake
    if len(left) == 1:
        # All others gave up: the last one need not show, and takes it all.
        return shown, [PotAwarded(0, 0, WHOLE, (Share(left[0], amount),))]
    won = [(contest.half, _best(hand, contest)) for contest in over if contest.best]
    parts = _parts(amount, won)
    return shown, [PotAwarded(0, 0, half, _shared(part, who)) for half, part, who in parts]


def _has_part(over: Sequence[Contest], seat: int) -> bool:
    """Whether no hand that is up beats this one everywhere; where it is best, it is noted so."""
    has_part = False
    for contest in over:
        value = contest.values[seat]
        if value and value >= contest.best:
            contest.best = value
            has_part = True
    return has_part


def _best(hand: Hand, contest: Contest) -> list[int]:
    """The seats of the best value, in the order in which they get odd units."""
    best = contest.best
    winners = [seat for seat, value in contest.values.items() if value == best]
    if len(winners) == 1:
        return winners
    return [seat for seat in ODD_ORDERS[hand.game.odd_unit](hand) if seat in winners]


# Any showdown: each pot on each board, whatever was agreed.


def general(
    hand: Hand,
    pots: Sequence[Pot],
    hole: Hole,
    runs: Sequence[list[Contest]],
    prove: Prove,
    open_handed: Collection[int] = (),
) -> tuple[Shows, list[PotAwarded]]:
    """The same for any pots, boards, splits and rankings."""
    shown = shows(hand, pots, hole, runs, prove, open_handed)
    mucked = {event.seat for event in shown if isinstance(event, HandMucked)}
    return shown, list(_awards(hand, pots, hole, runs, mucked))


def _awards(
    hand: Hand, pots: Sequence[Pot], hole: Hole, runs: Sequence[list[Contest]], mucked: set[int]
) -> Iterator[PotAwarded]:
    """Rake has left each pot before runs, halves and odd units. [RULES 6, reading]"""
    order = ODD_ORDERS[hand.game.odd_unit](hand)
    for index, pot in enumerate(pots):
        amount = pot.amount - pot.rake
        claimants = [seat for seat in order if seat in pot.seats]
        is_agreed = agreed(hand, pot)
        if not is_agreed:
            claimants = [seat for seat in claimants if seat not in mucked]
            if len(claimants) > 1:
                claimants = [seat for seat in claimants if seat in hole]
        assert claimants, "a pot is never given up by everybody"
        if is_agreed:
            yield PotAwarded(index, 0, WHOLE, _shared(amount, claimants))
            continue
        count = contestants(hand, pot)
        # Odd units go one each to the first boards. [RULES 8, odd units]
        parts = split_evenly(amount, len(runs))
        for run, (part, over) in enumerate(zip(parts, runs, strict=True)):
            for half, whole, winners in _won(part, over, claimants, count):
                yield PotAwarded(index, run, half, _shared(whole, winners))


def _won(amount: int, over: Sequence[Contest], claimants: Sequence[int], count: int) -> list[Part]:
    """The parts of a pot on one board and their winners."""
    if len(claimants) == 1:
        return [(WHOLE, amount, claimants)]
    won = []
    for contest in over:
        values = [contest.values[seat] for seat in claimants]
        winners = [claimants[place] for place in contest.ranking.winners(values, count)]
        if winners:
            won.append((contest.half, winners))
    return _parts(amount, won)


# What is common to both.


def _parts(amount: int, won: Sequence[tuple[Half, Sequence[int]]]) -> list[Part]:
    """What each half's winners share; without a low the high takes all."""
    if len(won) == 1:
        return [(WHOLE, amount, won[0][1])]
    assert won, "one of the hands that come to a showdown wins"
    return [(half, part, winners) for part, (half, winners) in zip(halve(amount), won, strict=True)]


def _shared(amount: int, winners: Sequence[int]) -> tuple[Share, ...]:
    if len(winners) == 1:
        return (Share(winners[0], amount),)
    shares = split_evenly(amount, len(winners))
    return tuple([Share(seat, share) for seat, share in zip(winners, shares, strict=True)])


def _ended(hand: Hand, pots: Sequence[Pot], awards: Sequence[PotAwarded]) -> HandEnded:
    won = dict.fromkeys(hand.seats, 0)
    for award in awards:
        for share in award.shares:
            won[share.seat] += share.amount
    nets, total = [], 0
    for number, seat in hand.seats.items():
        amount = seat.stack + seat.kept + won[number] - seat.start
        total += amount
        put = seat.put + seat.dead
        nets.append(Net(number, seat.player, seat.sitting, amount, seat.bank_ms, put))
    rake = sum([pot.rake for pot in pots])
    assert total == -rake, "what is lost is won, or is rake"
    return HandEnded(hand.id, tuple(nets), rake)


# The orders in which seats get odd units. [RULES 5, ties]


def _left_of_button(hand: Hand) -> list[int]:
    return left_of(hand, hand.button)


def _in_dealing_order(hand: Hand) -> list[int]:
    return list(hand.seats)


def _last_seats(hand: Hand) -> list[int]:
    return left_of(hand, hand.button)[::-1]


ODD_ORDERS: Final[dict[OddUnit, Callable[[Hand], list[int]]]] = {
    OddUnit.LEFT_OF_BUTTON: _left_of_button,
    OddUnit.FIRST_IN_DEALING_ORDER: _in_dealing_order,
    OddUnit.DEALT_FIRST: _in_dealing_order,
    OddUnit.LAST_SEATS: _last_seats,
}
