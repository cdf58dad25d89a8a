"""Money: whatever is divided comes back to the unit, and odd units go where the rules say."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.game import money
from riverboat.game.money import floor_by_steps, halve, share_in_proportion, split_evenly

amounts = st.integers(min_value=0, max_value=10**15)


@pytest.mark.plain
def test_the_examples_in_the_docstrings_hold() -> None:
    outcome = doctest.testmod(money)
    assert outcome.attempted > 0
    assert outcome.failed == 0


@given(amounts, st.integers(min_value=1, max_value=23))
def test_an_even_split_keeps_every_unit_and_favours_the_first(amount: int, ways: int) -> None:
    """RULES 5: "Ties split equally"; RULES 3: "several odd units go one each in that order"."""
    shares = split_evenly(amount, ways)
    assert len(shares) == ways
    assert sum(shares) == amount
    assert list(shares) == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] <= 1


@given(amounts)
def test_the_odd_unit_between_the_halves_goes_to_the_high_half(amount: int) -> None:
    """RULES 5: "in hi/lo games the odd unit between the halves goes to the high half"."""
    high, low = halve(amount)
    assert high + low == amount
    assert high - low == amount % 2


@given(amounts, st.lists(amounts, min_size=1, max_size=12).filter(any))
def test_a_share_in_proportion_is_within_a_unit_of_its_due(amount: int, weights: list[int]) -> None:
    shares = share_in_proportion(amount, weights)
    assert sum(shares) == amount
    whole = sum(weights)
    for share, weight in zip(shares, weights, strict=True):
        assert abs(share * whole - amount * weight) < whole


@given(st.lists(amounts, min_size=1, max_size=12).filter(any), st.integers(0, 10**6))
def test_the_largest_remainder_is_rounded_up_first(weights: list[int], amount: int) -> None:
    """RULES 6: "in proportion, largest remainder first, main pot first on ties"."""
    whole = sum(weights)
    shares = share_in_proportion(amount, weights)
    up = [s > amount * w // whole for s, w in zip(shares, weights, strict=True)]
    order = sorted(range(len(weights)), key=lambda at: (-(amount * weights[at] % whole), at))
    assert [up[at] for at in order] == sorted(up, reverse=True)


@pytest.mark.parametrize(
    ("amount", "weights", "shares"),
    [
        (300, (6000, 4000), (180, 120)),
        (1, (50, 50), (1, 0)),  # equal remainders: the main pot first
        (2, (1, 1, 1), (1, 1, 0)),
        (1, (1, 2), (0, 1)),  # the larger remainder, though it comes later
        (0, (0, 0), (0, 0)),
        (7, (0, 3, 0), (0, 7, 0)),  # what weighs nothing gets nothing
    ],
)
def test_rake_is_spread_over_the_pots(
    amount: int, weights: tuple[int, ...], shares: tuple[int, ...]
) -> None:
    assert share_in_proportion(amount, weights) == shares


@pytest.mark.parametrize(
    ("amount", "step", "fee", "taken"),
    [(0, 20, 1, 0), (19, 20, 1, 0), (20, 20, 1, 1), (199, 100, 5, 5), (1000, 1000, 50, 50)],
)
def test_a_fee_is_due_for_every_whole_step(amount: int, step: int, fee: int, taken: int) -> None:
    """RULES 6: "It is taken from the pot [...] `floor(pot / step) * fee`"."""
    assert floor_by_steps(amount, step, fee) == taken


def test_a_debt_cannot_be_split_nor_anything_shared_among_nobody() -> None:
    with pytest.raises(AssertionError):
        split_evenly(-1, 2)
    with pytest.raises(AssertionError):
        split_evenly(1, 0)
    with pytest.raises(AssertionError):
        share_in_proportion(1, (0, 0))
    with pytest.raises(AssertionError):
        share_in_proportion(1, (2, -1))
    with pytest.raises(AssertionError):
        floor_by_steps(10, 0, 1)
