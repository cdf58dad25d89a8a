"""Bots choose only what is offered, and the same dice choose the same."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from riverboat.bots.policy import STYLES, Choice, choose
from riverboat.game.commands import Action
from riverboat.game.hand.options import Options

amounts = st.integers(1, 10**9)


@st.composite
def offers(draw: st.DrawFn) -> Options:
    """What the rules may offer somebody on turn."""
    kind = draw(st.sampled_from(["check", "call", "bring_in", "draw", "all_in_split"]))
    offered = Options(seat=1, turn=draw(st.integers(1, 99)), price=draw(amounts))
    if kind == "draw":
        offered.draw_most = draw(st.integers(0, 5))
        return offered
    if kind == "all_in_split":
        offered.split = offered.refuse_split = True
        return offered
    offered.fold = True
    if kind == "check":
        offered.check = True
    else:
        setattr(offered, kind, draw(amounts))
    if draw(st.booleans()):
        sizes = sorted(draw(st.sets(amounts, min_size=1, max_size=4)))
        offered.raise_least, offered.raise_most = sizes[0], sizes[-1]
        if draw(st.booleans()):
            offered.sizes = tuple(sizes)
    return offered


def is_offered(offered: Options, choice: Choice) -> bool:
    """Whether the rules offer exactly this."""
    match choice.action:
        case Action.FOLD:
            return offered.fold
        case Action.CHECK:
            return offered.check
        case Action.CALL:
            return offered.call > 0
        case Action.RAISE:
            inside = offered.raise_least <= choice.total <= offered.raise_most
            return inside and (not offered.sizes or choice.total in offered.sizes)
        case Action.BRING_IN:
            return choice.total == offered.bring_in > 0
        case Action.DRAW:
            places = range(offered.draw_most)
            return len(set(choice.throw)) == len(choice.throw) and set(choice.throw) <= set(places)
        case Action.SPLIT | Action.REFUSE_SPLIT:
            return offered.split
    raise AssertionError(choice)


@given(offers(), st.sampled_from(STYLES), st.integers())
def test_every_choice_was_offered(offered, style, seed):
    assert is_offered(offered, choose(offered, style, random.Random(seed)))


@given(offers(), st.sampled_from(STYLES), st.integers())
def test_the_same_dice_choose_the_same(offered, style, seed):
    first = choose(offered, style, random.Random(seed))
    assert choose(offered, style, random.Random(seed)) == first


def test_styles_differ_in_how_often_they_give_up():
    """A rock folds more often than a caller before the same bet."""
    offered = Options(seat=1, turn=1, price=30, fold=True, call=30)
    folds = {
        style.name: sum(
            choose(offered, style, random.Random(seed)).action is Action.FOLD
            for seed in range(1_000)
        )
        for style in STYLES
    }
    assert folds["rock"] > folds["regular"] > folds["caller"]


def test_a_bot_never_folds_where_it_may_check():
    offered = Options(seat=1, turn=1, price=0, fold=True, check=True)
    for style in STYLES:
        for seed in range(200):
            assert choose(offered, style, random.Random(seed)).action is Action.CHECK
