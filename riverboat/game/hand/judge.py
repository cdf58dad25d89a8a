"""The showdown: who shows, who wins which pot, and how the hand ends.

One decision, computed whole from the state and the opened cards; nothing here deals, bets or
folds an event. A hand that was not opened to it is given up unshown, so a hand can be judged
again from what was public.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from riverboat.game.hand import pots as potting
from riverboat.game.hand import rake as raking
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
from riverboat.game.hand.state import NOBODY, Hand, Seat
from riverboat.game.money import halve, split_evenly
from riverboat.game.ranking import registry
from riverboat.game.ranking.face import Ranking
from riverboat.game.rules.schema import OddUnit, ShowOpener

# Opens the deck's commitment for the cards at these places.
Prove = Callable[[Sequence[int]], bytes]
Hole = Mapping[int, Sequence[int]]

SPLIT = 1  # `Seat.split` of a seat that chose or agreed to split


def judge(
    hand: Hand, hole: Hole, prove: Prove = lambda places: b"", rake: int | None = None
) -> list[HandEvent]:
    """Every event from the last bet to the hand's end.

    `hole` has the own cards of the seats still in, as they were dealt; a seat that is missing
    there, and whose hand is not up already, mucks. `rake` is the whole rake where the schedule
    has no say: a replay takes it as it was recorded.
    """
    pots = _raked(hand, potting.pots(hand), rake)
    live = [seat for seat in hand.seats.values() if not seat.folded]
    if len(live) == 1:
        # Everybody else folded: no card is shown, or looked at.
        (winner,) = live
        won = [
            PotAwarded(at, 0, Half.WHOLE, (Share(winner.seat, pot.amount - pot.rake),))
            for at, pot in enumerate(pots)
        ]
        return [PotsMade(pots), *won, _ended(hand, pots, won)]
    opened = {seat.seat: seat.shown or hole.get(seat.seat) for seat in live}
    hole = {seat: own for seat, own in opened.items() if own}
    runs = [_contests(hand, hole, board) for board in hand.boards]
    shows = _shows(hand, pots, hole, runs, prove)
    mucked = {event.seat for event in shows if isinstance(event, HandMucked)}
    awards = list(_awards(hand, pots, hole, runs, mucked))
    return [PotsMade(pots), *shows, *awards, _ended(hand, pots, awards)]


def show_order(hand: Hand) -> list[int]:
    """The seats still in, in the order in which they show. [RULES 5, who shows first]"""
    order = _from(hand, _show_opener(hand))
    if hand.aggressor != NOBODY and not hand.seats[hand.aggressor].folded:
        order = _from(hand, hand.aggressor)
    return [seat for seat in order if not hand.seats[seat].folded]


def all_turned_up(hand: Hand) -> bool:
    """Whether no more betting could happen because players are all-in. [RULES 5, field]"""
    seats = [seat for seat in hand.seats.values() if not seat.folded]
    return len(seats) > 1 and sum(seat.stack > 0 for seat in seats) < 2


def _raked(hand: Hand, pots: Sequence[Pot], whole: int | None) -> tuple[Pot, ...]:
    if whole is None:
        is_due = hand.raked and raking.triggered(hand.game, hand.street)
        stake = raking.stake(hand.stakes)
        fees = raking.rake(hand.game, pots, len(hand.seats), is_due, stake)
    else:
        fees = raking.spread(whole, pots)
    return tuple([Pot(pot.amount, fee, pot.seats) for pot, fee in zip(pots, fees, strict=True)])


# Who shows.


def _from(hand: Hand, first: int) -> list[int]:
    """All seats in dealing order, beginning with `first`."""
    seats = list(hand.seats)
    at = seats.index(first)
    return seats[at:] + seats[:at]


def _left_of(hand: Hand, button: int) -> list[int]:
    """All seats clockwise from the left of a place that may be empty."""
    return sorted(hand.seats, key=lambda seat: (seat <= button, seat))


def _show_opener(hand: Hand) -> int:
    live = [seat for seat in hand.seats.values() if not seat.folded]
    match hand.game.show_opener:
        case ShowOpener.LEFT_OF_BUTTON:
            return _left_of(hand, hand.button)[0]
        case ShowOpener.LEFT_OF_BIG_BLIND:
            return _left_of(hand, hand.big_blind)[0]
        case ShowOpener.FIRST_DEALT:
            return next(iter(hand.seats))
        case ShowOpener.BEST_OPEN_HAND:
            return max(live, key=lambda seat: _showing(hand, seat)).seat
        case ShowOpener.LOWEST_OPEN_HAND:
            return min(live, key=lambda seat: _showing(hand, seat)).seat


def _showing(hand: Hand, seat: Seat) -> int:
    return registry.ranking(hand.game.high or hand.game.low).showing(seat.up)


@dataclass(slots=True)
class _Contest:
    """One ranking over one board: what each opened hand is worth there."""

    half: Half
    ranking: Ranking
    values: dict[int, int]


def _contests(hand: Hand, hole: Hole, board: Sequence[int]) -> list[_Contest]:
    """The contests over one board: one in most games, high and low where the pot is halved."""
    game = hand.game
    contests = []
    for half, name in ((Half.HIGH, game.high), (Half.LOW, game.low)):
        if name:
            values = registry.values(name, game.select, board, hole.values())
            worth = dict(zip(hole, values, strict=True))
            contests.append(_Contest(half, registry.ranking(name), worth))
    return contests


def _shows(
    hand: Hand, pots: Sequence[Pot], hole: Hole, runs: list[list[_Contest]], prove: Prove
) -> list[HandShown | HandMucked]:
    """Hands shown and mucked in order; who is left alone with every pot he is in does neither."""
    left = show_order(hand)
    contested = [pot for pot in pots if hand.game.split_shows or not _agreed(hand, pot)]
    up = [seat for seat in left if hand.seats[seat].shown]
    events: list[HandShown | HandMucked] = []
    if not contested:
        return events
    must = (
        all_turned_up(hand)
        or (hand.game.all_show_checked_down and hand.aggressor == NOBODY)
        or (hand.game.split_shows and any(_agreed(hand, pot) for pot in pots))
    )
    for seat in [seat for seat in left if seat not in up]:
        mine = [pot for pot in contested if seat in pot.seats]
        if all(set(pot.seats).isdisjoint(set(left) - {seat}) for pot in mine):
            continue
        if seat in hole and (must or not _beaten(hand, mine, runs, seat, up)):
            up.append(seat)
            cards = tuple(hole[seat])
            events.append(HandShown(seat, cards, prove(hand.seats[seat].places)))
        elif all(len(set(pot.seats) & set(left)) > 1 for pot in mine):
            left.remove(seat)
            events.append(HandMucked(seat))
    return events


def _agreed(hand: Hand, pot: Pot) -> bool:
    """Whether everybody eligible for this pot chose to split it. [RULES 5, split option]"""
    return all(hand.seats[seat].split == SPLIT for seat in pot.seats)


def _beaten(
    hand: Hand, pots: Sequence[Pot], runs: list[list[_Contest]], seat: int, up: Sequence[int]
) -> bool:
    """Whether hands already up leave this one no part of any pot: only such a hand is mucked."""
    for pot in pots:
        rivals = [rival for rival in up if rival in pot.seats]
        count = _contestants(hand, pot)
        for contest in (contest for run in runs for contest in run):
            mine = contest.values[seat]
            beats = contest.ranking.beats
            if mine and not any(beats(contest.values[rival], mine, count) for rival in rivals):
                return False
    return True


def _contestants(hand: Hand, pot: Pot) -> int:
    """How many count for a ranking that asks: live in the hand, or eligible for the pot."""
    if hand.game.pot_contestants_rule == "hand":
        return sum(not seat.folded for seat in hand.seats.values())
    return len(pot.seats)


# Who wins what.


def _odd_order(hand: Hand) -> list[int]:
    """All seats in the order in which they get odd units. [RULES 5, ties]"""
    match hand.game.odd_unit:
        case OddUnit.LEFT_OF_BUTTON:
            return _left_of(hand, hand.button)
        case OddUnit.FIRST_IN_DEALING_ORDER | OddUnit.DEALT_FIRST:
            return list(hand.seats)
        case OddUnit.LAST_SEATS:
            return _left_of(hand, hand.button)[::-1]


def _awards(
    hand: Hand, pots: Sequence[Pot], hole: Hole, runs: list[list[_Contest]], mucked: set[int]
) -> Iterator[PotAwarded]:
    """Rake has left each pot before runs, halves and odd units. [RULES 6, reading]"""
    order = _odd_order(hand)
    for index, pot in enumerate(pots):
        amount = pot.amount - pot.rake
        claimants = [seat for seat in order if seat in pot.seats]
        agreed = _agreed(hand, pot)
        if not agreed:
            claimants = [seat for seat in claimants if seat not in mucked]
            if len(claimants) > 1:
                claimants = [seat for seat in claimants if seat in hole]
        assert claimants, "a pot is never given up by everybody"
        if agreed:
            yield PotAwarded(index, 0, Half.WHOLE, _shared(amount, claimants))
            continue
        count = _contestants(hand, pot)
        # Odd units go one each to the first boards. [RULES 8, odd units]
        parts = split_evenly(amount, len(runs))
        for run, (part, contests) in enumerate(zip(parts, runs, strict=True)):
            for half, whole, winners in _won(part, contests, claimants, count):
                yield PotAwarded(index, run, half, _shared(whole, winners))


def _won(
    amount: int, contests: Sequence[_Contest], claimants: Sequence[int], count: int
) -> list[tuple[Half, int, list[int]]]:
    """The parts of a pot on one board and their winners; without a low the high takes all."""
    if len(claimants) == 1:
        return [(Half.WHOLE, amount, list(claimants))]
    won = []
    for contest in contests:
        values = [contest.values[seat] for seat in claimants]
        winners = [claimants[place] for place in contest.ranking.winners(values, count)]
        if winners:
            won.append((contest.half, winners))
    assert won, "one of the hands that come to a showdown wins"
    if len(won) == 1:
        return [(Half.WHOLE, amount, won[0][1])]
    return [(half, part, winners) for part, (half, winners) in zip(halve(amount), won, strict=True)]


def _shared(amount: int, winners: Sequence[int]) -> tuple[Share, ...]:
    shares = split_evenly(amount, len(winners))
    return tuple([Share(seat, share) for seat, share in zip(winners, shares, strict=True)])


def _ended(hand: Hand, pots: Sequence[Pot], awards: Sequence[PotAwarded]) -> HandEnded:
    won = dict.fromkeys(hand.seats, 0)
    for award in awards:
        for share in award.shares:
            won[share.seat] += share.amount
    nets = [
        Net(seat.seat, seat.player, seat.sitting, seat.stack + won[seat.seat] - seat.start)
        for seat in hand.seats.values()
    ]
    rake = sum([pot.rake for pot in pots])
    assert sum([net.amount for net in nets]) == -rake, "what is lost is won, or is rake"
    return HandEnded(hand.id, tuple(nets), rake)
