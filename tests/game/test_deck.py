"""The shuffle is exact: shown by counting every case, not by sampling."""

from __future__ import annotations

import itertools
import struct
from collections import Counter

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.deck import shuffle


class Tape:
    """Gives the bytes of these 16-bit values, one after the other, then of zeros."""

    def __init__(self, *values: int) -> None:
        self._left = list(values)
        self.asked: list[int] = []

    def __call__(self, count: int) -> bytes:
        self.asked.append(count)
        now, self._left = self._left[: count // 2], self._left[count // 2 :]
        return struct.pack(f"<{count // 2}H", *now, *[0] * (count // 2 - len(now)))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_every_order_comes_from_exactly_one_run_of_choices(size):
    """ARCHITECTURE 4: "Fisher-Yates ... without bias"."""
    choices = itertools.product(*(range(left) for left in range(size, 1, -1)))
    orders = Counter(shuffle(range(size), Tape(*chosen)) for chosen in choices)
    assert set(orders) == set(itertools.permutations(range(size)))
    assert set(orders.values()) == {1}


@pytest.mark.parametrize("left", [2, 3, 7, 36, 52])
def test_every_card_left_is_chosen_by_equally_many_draws(left):
    chosen: Counter[int] = Counter()
    redrawn = 0
    for value in range(1 << 16):
        # Where the first value is not used, the second one chooses the last card.
        order = shuffle(range(left), Tape(value, *[left - 1] * 8))
        limit = (1 << 16) // left * left
        if value < limit:
            chosen[order[-1]] += 1
        else:
            redrawn += 1
            assert order[-1] == left - 1
    assert redrawn == (1 << 16) % left
    assert set(chosen.values()) == {(1 << 16) // left}
    assert len(chosen) == left


def test_a_deck_is_fixed_by_one_request_for_bytes():
    tape = Tape(*range(100))
    order = shuffle(DECKS["52"], tape)
    assert sorted(order) == list(DECKS["52"])
    assert len(tape.asked) == 1


def test_values_that_would_favour_a_card_are_drawn_again():
    tape = Tape(*[65_535] * 200)
    order = shuffle(range(52), tape)
    assert sorted(order) == list(range(52))
    assert len(tape.asked) > 1, "65,535 is above the last multiple of 52"


@pytest.mark.parametrize("deck", [(), (7,)])
def test_a_deck_without_choices_asks_for_nothing(deck):
    tape = Tape()
    assert shuffle(deck, tape) == deck
    assert tape.asked == []
