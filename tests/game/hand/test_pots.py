"""Pots: who can win which chips, and what nobody matched.

Hands stand here as they are after their last bet: only what went in and who folded matters.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game.hand.bet import closing
from riverboat.game.hand.events import Pot, Stakes, UncalledReturned
from riverboat.game.hand.pots import pots
from riverboat.game.hand.state import Hand, Seat
from riverboat.game.rules import game


def seat(put: int, ante: int = 0, dead: int = 0, folded: bool = False, stack: int = 0) -> Seat:
    """A seat that put in so many live chips, an ante and dead money."""
    start = stack + put + ante + dead
    return Seat(
        seat=0,
        player="",
        sitting="",
        start=start,
        stack=stack,
        put=put + ante,
        posted_ante=ante,
        dead=dead,
        folded=folded,
    )


def hand(*seats: Seat) -> Hand:
    """A hand of these seats, numbered from 1."""
    for number, each in enumerate(seats, 1):
        each.seat = number
        each.player = each.sitting = f"p{number}"
    return Hand(
        id="1.0-1",
        number=1,
        game=game("standard", "holdem", "nl"),
        stakes=Stakes(small_blind=5, big_blind=10),
        button=len(seats),
        seats={each.seat: each for each in seats},
        runs=1,
        turn_ms=20_000,
        raked=False,
    )


def made(*seats: Seat) -> list[tuple[int, tuple[int, ...]]]:
    return [(pot.amount, pot.seats) for pot in pots(hand(*seats))]


def test_a_player_wins_from_each_other_at_most_what_he_put_in() -> None:
    """RULES 5: "Further bets make side pots, as many as needed"."""
    assert made(seat(50), seat(100), seat(200), seat(200)) == [
        (200, (1, 2, 3, 4)),
        (150, (2, 3, 4)),
        (200, (3, 4)),
    ]


def test_equal_totals_are_one_pot_and_no_pot_is_empty() -> None:
    assert made(seat(300), seat(300), seat(300)) == [(900, (1, 2, 3))]


def test_chips_of_those_who_folded_stay_in_the_layers_they_reached() -> None:
    assert made(seat(70, folded=True), seat(50), seat(100), seat(100)) == [
        (200, (2, 3, 4)),
        (120, (3, 4)),
    ]


def test_layers_that_the_same_seats_contest_are_merged() -> None:
    """A folded seat's total makes no pot of its own."""
    assert made(seat(5, folded=True), seat(10, folded=True), seat(40, stack=9), seat(40)) == [
        (95, (3, 4))
    ]


def test_what_folded_seats_left_above_falls_to_the_pot_below() -> None:
    """A seat that folds unasked may have put in more than anybody who is left."""
    assert made(seat(90, folded=True), seat(90, folded=True), seat(50), seat(60, stack=1)) == [
        (200, (3, 4)),
        (90, (4,)),
    ]


def test_dead_money_is_in_the_main_pot_and_caps_nobody() -> None:
    """RULES 8: "a big-blind ante is dead money; dead blinds go into the main pot"."""
    assert made(seat(10, dead=2), seat(40, dead=10), seat(40)) == [(42, (1, 2, 3)), (60, (2, 3))]


def test_an_ante_short_all_in_caps_the_main_pot() -> None:
    """RULES 8: "a per-player ante short all-in caps that player's main pot"."""
    seats = [seat(0, ante=10, folded=True), seat(10, 10, stack=1), seat(10, 10, stack=1)]
    assert made(*seats, seat(0, ante=4)) == [(16, (2, 3, 4)), (38, (2, 3))]


def test_an_ante_put_in_whole_contests_every_ante() -> None:
    assert made(seat(0, ante=10), seat(20, 10), seat(20, 10)) == [(30, (1, 2, 3)), (40, (2, 3))]


def test_who_owed_no_ante_contests_the_antes_of_the_others() -> None:
    """A late post without an ante matches the live bets and so everything."""
    assert made(seat(20, ante=5, stack=1), seat(20, stack=1), seat(20, 5)) == [(70, (1, 2, 3))]


def test_a_short_big_blind_makes_layers_with_antes() -> None:
    """RULES 8: "Short all-in antes and blinds make layers"; case BC-194."""
    antes = [seat(0, ante=100, folded=True) for _ in range(6)]
    others = [seat(400, 100, folded=True), seat(700, 100), seat(800, 100, folded=True)]
    assert made(*others, seat(800, 100, stack=1), *antes) == [(3500, (2, 4)), (200, (4,))]


def test_a_round_of_antes_alone_is_one_pot() -> None:
    assert made(seat(0, ante=5, stack=9), seat(0, ante=5, stack=9)) == [(10, (1, 2))]


@pytest.mark.parametrize(
    ("seats", "back"),
    [
        ([seat(100), seat(98)], (1, 2)),
        ([seat(100, folded=True), seat(160, stack=3)], (2, 60)),  # a folded seat matched 100
        ([seat(60), seat(60)], None),
        ([seat(60), seat(60), seat(20)], None),
        ([seat(6), seat(20)], (2, 14)),  # the blind covers a short one
        ([seat(10, dead=5), seat(10)], None),  # dead money is never a bet
        ([seat(0, ante=1), seat(100, ante=25)], (2, 124)),  # nobody met the ante either
        ([seat(0, ante=1), seat(0, 25, folded=True), seat(9, 25, stack=1)], (3, 9)),
        ([seat(20, ante=5), seat(20)], None),  # owing no ante is not falling short of one
        ([seat(90, folded=True), seat(50)], None),  # who folds leaves what he put in
    ],
)
def test_what_nobody_matched_goes_back(seats: list[Seat], back: tuple[int, int] | None) -> None:
    """RULES 5: "A bet no one can call is given back before the rake is reckoned"."""
    over = hand(*seats)
    over.round = 0
    for each in seats:
        each.bet = each.put - each.posted_ante
    returned = [event for event in closing(over) if isinstance(event, UncalledReturned)]
    assert returned == ([UncalledReturned(*back)] if back else [])


SEATS = st.lists(
    st.builds(
        seat,
        put=st.integers(0, 30),
        ante=st.integers(0, 4),
        dead=st.integers(0, 3),
        folded=st.booleans(),
        stack=st.integers(0, 1),
    ),
    min_size=2,
    max_size=10,
).filter(lambda seats: any(not s.folded and s.put for s in seats))


@given(SEATS)
def test_pots_hold_every_chip_and_are_contested_by_fewer_and_fewer(seats: list[Seat]) -> None:
    """Law 2, chips are conserved; and each pot's seats are some of the seats of the one before."""
    which: tuple[Pot, ...] = pots(hand(*seats))
    assert sum(pot.amount for pot in which) == sum(each.put + each.dead for each in seats)
    assert all(pot.amount > 0 and pot.rake == 0 for pot in which)
    for before, after in pairwise(which):
        assert set(after.seats) < set(before.seats)
    most = max(each.put - each.posted_ante for each in seats if not each.folded)
    top = which[-1].seats
    assert [n for n in top if seats[n - 1].put - seats[n - 1].posted_ante == most]
