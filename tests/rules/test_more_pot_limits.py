"""Further rule cases: how much pot limit and half pot limit allow over straddles, antes, blinds.

Each quotes the sentence that decides it. The sums stand in the comments.
"""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.commands import Action
from riverboat.game.hand.events import Stakes
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.state import NOBODY
from tests.game.hand.dealt import Dealt, a_hand, flop

CALL, CHECK, FOLD, RAISE = Action.CALL, Action.CHECK, Action.FOLD, Action.RAISE
DEEP = 50_000
DOCUMENTS = ("lt", "et", "ro")


def sizes(dealt: Dealt) -> tuple[int, int]:
    return dealt.offered.raise_least, dealt.offered.raise_most


def five_at(rulebook: str, limit: str, small: int = 1, **more: Any) -> Dealt:
    """Five at 5/10, the button on seat 5; `small` is the small blind's place, maybe nobody's."""
    stakes = {"small_blind": 5, "big_blind": 10, **more.pop("stakes", {})}
    stacks = dict.fromkeys(range(1, 6), DEEP) | more.pop("stacks", {})
    return Dealt(
        (rulebook, "omaha", limit),
        stacks,
        Stakes(**stakes),
        DECKS["52"],
        button=5,
        blinds=(small, 2),
        **more,
    )


@pytest.mark.parametrize("rulebook", ["standard", *DOCUMENTS])
@pytest.mark.parametrize(
    ("limit", "stakes", "expected"),
    [
        ("pl", {}, (20, 35)),  # 15 and a call of 10
        ("hpl", {}, (20, 22)),  # half of 25
        ("pl", {"straddles": (20,)}, (40, 75)),  # 35 and a call of 20
        ("hpl", {"straddles": (20,)}, (40, 47)),  # half of 55 is 27
        ("pl", {"straddles": (20, 40)}, (80, 155)),  # 75 and a call of 40
        ("pl", {"ante": 2}, (20, 45)),  # five antes: 25 and a call of 10
        ("hpl", {"ante": 2}, (20, 27)),
        ("pl", {"big_blind_ante": 10}, (20, 45)),
    ],
)
def test_the_pot_counts_what_lies_in_the_middle(rulebook, limit, stakes, expected):
    """RULES 3: "counts every chip in the middle, dead blinds, antes and this round's bets
    included"; nobody is short here, so all rulebooks say the same.
    """
    assert sizes(five_at(rulebook, limit, stakes=stakes)) == expected


def test_a_button_straddle_is_part_of_the_pot():
    """RULES 8: "straddles (button too)"; the small blind acts first: 35, and 15 more to call."""
    dealt = five_at("standard", "pl", stakes={"button_straddle": 20})
    assert (dealt.hand.turn, sizes(dealt)) == (1, (40, 20 + 35 + 15))


@pytest.mark.parametrize(
    ("rulebook", "limit", "most"),
    [
        ("standard", "pl", 35),
        ("standard", "hpl", 22),
        *[(book, "pl", 30) for book in DOCUMENTS],
        *[(book, "hpl", 20) for book in DOCUMENTS],
    ],
)
def test_a_small_blind_that_nobody_posts(rulebook, limit, most):
    """RULES 8: "Pot limit before the flop counts missing and short blinds in full (TDA 54-B); in
    lt, et, ro the chips really there."
    """
    assert sizes(five_at(rulebook, limit, small=NOBODY)) == (20, most)


@pytest.mark.parametrize(("rulebook", "most"), [("standard", 35), ("lt", 33), ("ro", 33)])
def test_a_short_small_blind(rulebook, most):
    """RULES 8: "counts missing and short blinds in full": 3 of 5 posted."""
    assert sizes(five_at(rulebook, "pl", stacks={1: 3})) == (20, most)


def test_short_blinds_count_in_full_before_the_flop_alone():
    """RULES 8: "Pot limit before the flop counts": on the flop the chips that are there."""
    dealt = flop(five_at("standard", "pl", stacks={1: 3, 2: 7}))
    assert dealt.hand.pot == 3 + 7 + 30
    assert sizes(dealt) == (10, 40)


@pytest.mark.parametrize(
    ("rulebook", "returning", "behind"),
    [("standard", 55, 65), ("lt", 55, 65), ("ro", 55, 65), ("et", 45, 55)],
)
def test_two_who_return_with_live_and_dead_blinds(rulebook, returning, behind):
    """`et`, missed blinds: "läheb otse panka ja mida ei loeta sel hetkel panga osaks" (goes right
    into the pot and does not count at that moment): 5, three times 10, and twice 5 dead.
    """
    dealt = five_at(rulebook, "pl", debts={3: Debt(10, 5), 4: Debt(10, 5)})
    assert dealt.hand.pot == 45
    assert sizes(dealt) == (20, returning)
    dealt.does(3, CHECK)
    dealt.does(4, CHECK)
    assert sizes(dealt) == (20, behind)  # has nothing before it: a call of 10 comes first


def test_a_dead_blind_alone_changes_no_price():
    """RULES 4: "a small blind alone missed is owed dead as well": he calls 10 as everybody does."""
    dealt = five_at("lt", "pl", debts={3: Debt(0, 5)})
    assert (dealt.offered.call, dealt.offered.check) == (10, False)
    assert sizes(dealt) == (20, 10 + 20 + 10)


def test_the_small_blind_calls_less_and_raises_as_far():
    """RULES 3, pl: "the amount to call plus the pot as it stands after that call"."""
    dealt = five_at("lt", "pl")
    for seat in (3, 4, 5):
        dealt.does(seat, FOLD)
    assert sizes(dealt) == (20, 10 + 15 + 5)
    heads_up = a_hand("hpl", (DEEP, DEEP), "lt")
    assert sizes(heads_up) == (20, 20)  # half of 20 is 10


def test_over_a_short_all_in_the_pot_holds_what_was_really_bet():
    """RULES 3, pl: a bet of 40 into 50, 60 all-in: 150, and a call of 60."""
    dealt = flop(five_at("lt", "pl", stacks={2: 70}))
    assert dealt.hand.pot == 50
    dealt.does(1, RAISE, 40)
    dealt.does(2, RAISE, 60)
    assert sizes(dealt) == (100, 60 + 150 + 60)


def test_short_deck_bets_into_antes_and_the_button_blind():
    """RULES 3: "counts every chip in the middle": three antes of 10 and 20 of the button."""
    dealt = Dealt(
        ("standard", "short_deck", "pl"),
        dict.fromkeys((1, 2, 3), DEEP),
        Stakes(ante=10, button_blind=20),
        DECKS["6-A"],
        button=3,
    )
    assert (dealt.hand.turn, dealt.offered.call) == (1, 20)
    assert sizes(dealt) == (40, 20 + 50 + 20)


def test_the_least_bet_of_a_later_round_is_the_big_blind_whatever_was_straddled():
    """RULES 3, nl: "the least bet is the big blind"."""
    for limit in ("nl", "pl", "hpl"):
        dealt = flop(five_at("standard", limit, stakes={"straddles": (20, 40)}))
        assert dealt.offered.raise_least == 10


def test_a_short_button_blind_counts_in_full():
    """RULES 8: "Pot limit before the flop counts missing and short blinds in full": 5 of 20."""
    dealt = Dealt(
        ("standard", "short_deck", "pl"),
        {1: DEEP, 2: DEEP, 3: 15},
        Stakes(ante=10, button_blind=20),
        DECKS["6-A"],
        button=3,
    )
    assert dealt.hand.pot == 35
    assert sizes(dealt) == (40, 20 + 50 + 20)


def test_blinds_that_a_game_has_not_count_nowhere():
    """RULES 3: "Stud least bet [field]: in no, pot and half pot limit the bring-in", whatever else
    the table's stakes name.
    """
    dealt = Dealt(
        ("standard", "stud7", "pl"),
        dict.fromkeys((1, 2, 3), DEEP),
        Stakes(small_blind=50, big_blind=100, ante=10, bring_in=20),
        DECKS["52"],
    )
    dealt.does(dealt.hand.turn, Action.BRING_IN)
    assert sizes(dealt) == (40, 20 + 50 + 20)
