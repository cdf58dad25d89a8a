"""Forced bets: who posts what, in which order, and what a short stack pays first."""

from __future__ import annotations

import pytest

from riverboat.game import rules
from riverboat.game.hand.events import DealtIn, Post, Stakes
from riverboat.game.hand.forced import Debt, forced_posts

HOLDEM = rules.game("standard", "holdem", "nl")
SOKO = rules.game("lt", "soko", "fl")

ANTE, SMALL, BIG = Post.ANTE, Post.SMALL_BLIND, Post.BIG_BLIND
EXTRA, DEAD, STRADDLE = Post.EXTRA_BLIND, Post.DEAD_BLIND, Post.STRADDLE
WHOLE = Post.BIG_BLIND_ANTE


def posts(stakes, stacks, blinds=(1, 2), debts=None, button=4, game=HOLDEM):
    """Seats from 1 with these stacks: seat, what, how much, of how much."""
    seats = [DealtIn(seat, f"p{seat}", f"s{seat}", stack) for seat, stack in enumerate(stacks, 1)]
    made = forced_posts(game, stakes, seats, button, blinds[0], blinds[1], debts or {})
    return [(post.seat, post.post, post.amount, post.due) for post in made]


FIVE_TEN = Stakes(small_blind=5, big_blind=10)


@pytest.mark.parametrize(
    ("stakes", "stacks", "expected"),
    [
        (FIVE_TEN, (100, 100, 100), [(1, SMALL, 5, 5), (2, BIG, 10, 10)]),
        (FIVE_TEN, (3, 7, 100), [(1, SMALL, 3, 5), (2, BIG, 7, 10)]),
        # "ante 100 first, then 700 of the 800 blind" (BC-194).
        (
            Stakes(small_blind=5, big_blind=10, ante=2),
            (100, 9, 100),
            [(1, ANTE, 2, 2), (2, ANTE, 2, 2), (3, ANTE, 2, 2), (1, SMALL, 5, 5), (2, BIG, 7, 10)],
        ),
        # An ante that takes all leaves a big blind of nothing, which still sets the price.
        (
            Stakes(small_blind=5, big_blind=10, ante=2),
            (2, 1, 100),
            [(1, ANTE, 2, 2), (2, ANTE, 1, 2), (3, ANTE, 2, 2), (2, BIG, 0, 10)],
        ),
        # The blind before the ante that is paid for all.
        (
            Stakes(small_blind=5, big_blind=10, big_blind_ante=10),
            (100, 13, 100),
            [(1, SMALL, 5, 5), (2, BIG, 10, 10), (2, WHOLE, 3, 10)],
        ),
    ],
)
def test_antes_and_blinds(stakes, stacks, expected):
    """RULES 4 and 8: blinds and antes, whole and short."""
    assert posts(stakes, stacks) == expected


def test_nobody_posts_for_an_empty_seat():
    """RULES 8: "a dead button and a missing small blind occur"."""
    assert posts(FIVE_TEN, (100, 100, 100), blinds=(7, 1)) == [(1, BIG, 10, 10)]
    assert posts(FIVE_TEN, (100, 100, 100), blinds=(0, 1)) == [(1, BIG, 10, 10)]


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        (100, [(3, EXTRA, 10, 10), (3, DEAD, 5, 5)]),
        (12, [(3, EXTRA, 10, 10), (3, DEAD, 2, 5)]),
        (9, [(3, EXTRA, 9, 10)]),
    ],
)
def test_a_returning_player_posts_the_live_part_first(stack, expected):
    """BC-018: "the live 10 is taken first, then 2 of the dead 5"."""
    made = posts(FIVE_TEN, (100, 100, stack, 100), debts={3: Debt(10, 5)})
    assert made[2:] == expected


def test_a_small_blind_missed_alone_is_owed_dead():
    """RULES 4, missed blinds: "`ro`: a small blind alone missed is owed dead as well"."""
    assert posts(FIVE_TEN, (100,) * 4, debts={3: Debt(0, 5)})[2:] == [(3, DEAD, 5, 5)]


def test_the_big_blind_owes_nothing_else():
    """RULES 4, missed blinds: "Waiting for the big blind clears every debt, everywhere"."""
    assert posts(FIVE_TEN, (100,) * 4, debts={2: Debt(10, 5)})[1:] == [(2, BIG, 10, 10)]


@pytest.mark.parametrize(
    ("stakes", "stacks", "expected"),
    [
        ({"straddles": (20,)}, (100,) * 4, [(3, 20)]),
        ({"straddles": (20, 40)}, (100,) * 5, [(3, 20), (4, 40)]),
        ({"straddles": (20, 40)}, (100, 100, 19, 100, 100), []),
        ({"straddles": (20, 40)}, (100, 100, 100, 39, 100), [(3, 20)]),
        ({"straddles": (20, 40, 80)}, (100,) * 4, [(3, 20), (4, 40)]),  # never from the blinds
        ({"button_straddle": 20}, (100,) * 4, [(4, 20)]),
        ({"button_straddle": 20}, (100, 100, 100, 19), []),
        ({"straddles": (20,), "button_straddle": 40}, (100,) * 4, [(3, 20), (4, 40)]),
        ({"straddles": (20, 40), "button_straddle": 80}, (100,) * 4, [(3, 20), (4, 40)]),
    ],
)
def test_straddles(stakes, stacks, expected):
    """RULES 8: "straddles (button too) raise the price"."""
    made = posts(Stakes(small_blind=5, big_blind=10, **stakes), stacks)
    assert [(seat, due) for seat, post, _, due in made if post is STRADDLE] == expected


def test_who_owes_a_big_blind_and_straddles_adds_to_it():
    stakes = Stakes(small_blind=5, big_blind=10, straddles=(20,))
    made = posts(stakes, (100,) * 4, debts={3: Debt(10, 0)})
    assert made[2:] == [(3, EXTRA, 10, 10), (3, STRADDLE, 10, 20)]


def test_a_game_with_a_bring_in_posts_antes_alone():
    """RULES 4, antes and bring-in: "everyone antes"."""
    stakes = Stakes(small_blind=5, big_blind=10, ante=2, bring_in=4)
    made = posts(stakes, (100, 1, 100), game=SOKO, blinds=(0, 0), button=0)
    assert made == [(1, ANTE, 2, 2), (2, ANTE, 1, 2), (3, ANTE, 2, 2)]
