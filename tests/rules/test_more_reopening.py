"""Further rule cases: short all-ins in every limit, who may raise again, and the cap.

Each quotes the sentence that decides it.
"""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.commands import Action
from riverboat.game.hand.events import Stakes, UncalledReturned
from tests.documents.playing import sit
from tests.game.hand.dealt import Dealt, a_hand, flop

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
DEEP = 5_000


def act(dealt: Dealt, *acts: tuple[int, Action] | tuple[int, Action, int]) -> Dealt:
    """Each seat in its turn does this."""
    for each in acts:
        dealt.does(*each)
    return dealt


def may_raise(dealt: Dealt) -> tuple[int, int] | str:
    """The least and the most of a raise, or why there is none."""
    offered = dealt.offered
    return offered.no_raise or (offered.raise_least, offered.raise_most)


# No limit.


def test_two_short_all_ins_reopen_for_the_raiser_and_not_for_who_called_the_first():
    """RULES 3: "several short all-ins that together reach a full raise over what a player last
    faced do": a raise of 20, then 12 and 13 more.
    """
    dealt = a_hand(stacks=(DEEP, DEEP, DEEP, 42, DEEP, 55))
    act(dealt, (3, RAISE, 30), (4, RAISE, 42), (5, CALL), (6, RAISE, 55), (1, FOLD), (2, FOLD))
    assert may_raise(dealt) == (75, DEEP)
    act(dealt, (3, CALL))
    assert dealt.hand.turn == 5
    assert may_raise(dealt) == "not_reopened"


def test_a_full_raise_over_a_short_all_in_reopens_for_everybody():
    """RULES 3: "A raise is at least the size of the bet or raise before it in that round"."""
    dealt = flop(a_hand(stacks=(DEEP, 160, DEEP)))
    act(dealt, (1, RAISE, 100), (2, RAISE, 150))
    assert may_raise(dealt) == (250, DEEP - 10)
    act(dealt, (3, RAISE, 250))
    assert may_raise(dealt) == (350, DEEP - 10)


def test_who_checked_may_raise_once_a_short_bet_was_completed():
    """RULES 3: "does not reopen the betting to players who have acted since the last full raise":
    6 does not, 16 does.
    """
    short = flop(a_hand(stacks=(DEEP, 16, DEEP)))
    act(short, (1, CHECK), (2, RAISE, 6), (3, CALL))
    assert may_raise(short) == "not_reopened"
    completed = flop(a_hand(stacks=(DEEP, 16, DEEP)))
    act(completed, (1, CHECK), (2, RAISE, 6), (3, RAISE, 16))
    assert may_raise(completed) == (26, DEEP - 10)


@pytest.mark.parametrize(("second", "expected"), [(9, "not_reopened"), (11, (21, DEEP - 10))])
def test_who_checked_faces_two_short_bets(second, expected):
    """RULES 3: "together reach a full raise over what a player last faced": 9 of 10 does not."""
    dealt = flop(a_hand(stacks=(DEEP, 16, 10 + second, DEEP)))
    act(dealt, (1, CHECK), (2, RAISE, 6), (3, RAISE, second), (4, CALL))
    assert may_raise(dealt) == expected


def test_the_big_blind_has_its_option_over_a_short_all_in_and_a_limper_has_not():
    """RULES 4: "the big blind has the option to raise"."""
    dealt = a_hand(stacks=(DEEP, DEEP, DEEP, 15))
    act(dealt, (3, CALL), (4, RAISE, 15), (1, FOLD))
    assert (dealt.hand.turn, may_raise(dealt)) == (2, (25, DEEP))
    act(dealt, (2, CALL))
    assert (dealt.hand.turn, may_raise(dealt)) == (3, "not_reopened")


def test_a_short_call_is_no_raise_and_reopens_nothing():
    """RULES 3: an all-in for less than the price leaves the price as it is."""
    dealt = a_hand(stacks=(DEEP, DEEP, DEEP, 18))
    act(dealt, (3, RAISE, 30), (4, CALL), (1, FOLD))
    assert dealt.offered.call == 30
    act(dealt, (2, CALL))
    assert dealt.hand.turn == 0


def test_a_raise_beyond_what_anybody_left_can_call_stands_and_comes_back():
    """RULES 8: "An all-in raise beyond what anyone left can call is accepted; the excess comes
    back."
    """
    dealt = a_hand(stacks=(80, 60, DEEP))
    act(dealt, (3, RAISE, DEEP), (1, CALL), (2, CALL))
    dealt.deals()
    assert dealt.happened(UncalledReturned) == [UncalledReturned(3, DEEP - 80)]


def test_over_a_straddle_the_least_raise_is_as_large_as_the_straddle():
    """RULES 8: "straddles (button too) raise the price"."""
    dealt = a_hand(stacks=(DEEP,) * 5, straddles=(20,))
    assert may_raise(dealt) == (40, DEEP)
    act(dealt, (4, RAISE, 60))
    assert may_raise(dealt) == (100, DEEP)


@pytest.mark.parametrize("left", [0, 5, 20])
def test_a_blind_of_the_button_that_it_cannot_pay_sets_the_price(left):
    """RULES 3: "A blind posted short by an all-in player counts in full for what others must
    call": in short deck the button pays its ante first, and may have nothing left.
    """
    dealt = Dealt(
        ("standard", "short_deck", "nl"),
        {1: DEEP, 2: DEEP, 3: 10 + left},
        Stakes(ante=10, button_blind=20),
        DECKS["6-A"],
        button=3,
    )
    assert dealt.hand.pot == 30 + left
    assert (dealt.hand.turn, dealt.offered.check, dealt.offered.call) == (1, False, 20)
    assert may_raise(dealt) == (40, DEEP - 10)


# Pot limit, half pot limit, spread limit.


def test_a_short_all_in_in_pot_limit():
    """RULES 3: "[field] NL/PL/HPL" short all-ins are one rule: 15 over a raise of 25."""
    dealt = a_hand("pl", (DEEP, DEEP, DEEP, 50))
    assert may_raise(dealt) == (20, 35)
    act(dealt, (3, RAISE, 35), (4, RAISE, 50), (1, FOLD), (2, CALL))
    assert may_raise(dealt) == "not_reopened"
    full = a_hand("pl", (DEEP, DEEP, DEEP, 60))
    act(full, (3, RAISE, 35), (4, RAISE, 60), (1, FOLD), (2, CALL))
    # 5, 60, 35 and 60 lie there, and 25 more is the call.
    assert may_raise(full) == (85, 60 + 185)


def test_a_short_all_in_in_half_pot_limit():
    """RULES 3, hpl: "half the pot after the call, rounded down": of 25 is 12, of 54 is 27."""
    dealt = a_hand("hpl", (30, DEEP, DEEP))
    assert may_raise(dealt) == (20, 22)
    act(dealt, (3, RAISE, 22))
    assert may_raise(dealt) == (30, 30)  # 34 would be a full raise, 30 is all there is
    act(dealt, (1, RAISE, 30), (2, CALL))
    assert may_raise(dealt) == "not_reopened"


SPREAD: Any = {"small_blind": 50, "big_blind": 100, "spread": (100, 200, 300)}


def on_the_river(stacks: tuple[int, ...]) -> Dealt:
    dealt = a_hand("sl", stacks, "lt", **SPREAD)
    for _ in range(3):
        flop(dealt)
    return dealt


def test_a_short_all_in_in_spread_limit():
    """RULES 3, sl: "Short all-ins as in no limit": 50 over a bet of 200 reopens nothing, and the
    next full raise adds 200.
    """
    dealt = on_the_river((DEEP, 350, DEEP))
    act(dealt, (1, RAISE, 200), (2, RAISE, 250))
    assert may_raise(dealt) == (450, 450)
    act(dealt, (3, CALL))
    assert may_raise(dealt) == "not_reopened"
    opened = on_the_river((DEEP, 350, DEEP))
    act(opened, (1, RAISE, 200), (2, RAISE, 250), (3, RAISE, 450))
    for total in (650, 850, 900):
        assert may_raise(opened) == (total, total)
        act(opened, (opened.hand.turn, RAISE, total))
    assert opened.offered.raise_least == 0


def test_a_spread_bet_of_less_than_the_least_one():
    """RULES 3, sl: "in every round the least bet is the big blind": 60 all-in, then 160."""
    dealt = on_the_river((DEEP, 160, DEEP))
    act(dealt, (1, CHECK), (2, RAISE, 60))
    assert may_raise(dealt) == (160, 160)


def test_a_raise_over_a_bring_in_of_a_spread():
    """RULES 3, stud least bet: "in spread limit the first number": 40, then 140, 240, and 300."""
    dealt = sit("lt", "stud7", "sl")
    assert may_raise(dealt) == (100, 100)  # or a bet of the first number instead of the bring-in
    dealt.does(dealt.hand.turn, Action.BRING_IN)
    for total in (140, 240, 300):
        assert may_raise(dealt) == (total, total)
        act(dealt, (dealt.hand.turn, RAISE, total))
    assert dealt.offered.raise_least == 0


# Fixed limit: bets of 20 and 40.


def fixed(*stacks: int, rulebook: str = "standard") -> Dealt:
    return a_hand("fl", stacks, rulebook, small_blind=10, big_blind=20)


def test_two_all_ins_of_less_than_half_a_bet_count_together():
    """RULES 3, fl: "An all-in of at least half a bet over counts as a raise": 6, then 5 more."""
    dealt = flop(fixed(DEEP, 46, 51, DEEP))
    act(dealt, (1, RAISE, 20), (2, RAISE, 26), (3, RAISE, 31), (4, CALL))
    assert may_raise(dealt) == (51, 51)
    assert dealt.hand.raises == 2


def test_less_than_half_a_bet_is_no_part_of_the_cap():
    """RULES 3, fl: "less does not, and is completed by those who may still raise": 65, then 80."""
    dealt = flop(fixed(DEEP, DEEP, DEEP, 85))
    act(dealt, (1, RAISE, 20), (2, RAISE, 40), (3, RAISE, 60), (4, RAISE, 65))
    assert may_raise(dealt) == (80, 80)
    act(dealt, (1, CALL))
    assert may_raise(dealt) == (80, 80)
    act(dealt, (2, CALL))
    assert may_raise(dealt) == "not_reopened"  # seat 3 made it 60 himself
    capped = flop(fixed(DEEP, DEEP, DEEP, 85))
    act(capped, (1, RAISE, 20), (2, RAISE, 40), (3, RAISE, 60), (4, RAISE, 65), (1, RAISE, 80))
    assert may_raise(capped) == "cap"


def test_half_a_bet_is_one_of_the_four():
    """RULES 3, fl: "At most four bets a round": 20, 40, 55 all-in, 75; then all call."""
    dealt = flop(fixed(DEEP, DEEP, 75, 98))
    act(dealt, (1, RAISE, 20), (2, RAISE, 40), (3, RAISE, 55))
    assert may_raise(dealt) == (75, 75)
    act(dealt, (4, RAISE, 75))
    assert may_raise(dealt) == "cap"
    act(dealt, (1, CALL), (2, CALL))
    assert dealt.hand.turn == 0


@pytest.mark.parametrize(("total", "expected"), [(59, "not_reopened"), (60, (100, 100))])
def test_half_a_bet_is_half_of_the_bet_of_its_round(total, expected):
    """RULES 3, fl: "10 in the later ones" of 5/10: half of the upper bet counts there."""
    dealt = flop(flop(fixed(DEEP, total + 20, DEEP)))
    act(dealt, (1, RAISE, 40), (2, RAISE, total), (3, CALL))
    assert may_raise(dealt) == expected


@pytest.mark.parametrize("rulebook", ["lt", "et", "ro"])
def test_two_players_have_four_bets_in_the_documents(rulebook):
    """`et`: "MAksimaalne panuste arv, mida saa teha ühel panustamise ringil, on 4"; before the
    flop the big blind is the first.
    """
    dealt = fixed(DEEP, DEEP, rulebook=rulebook)
    act(dealt, (2, RAISE, 40), (1, RAISE, 60), (2, RAISE, 80))
    assert may_raise(dealt) == "cap"


def test_the_field_does_not_cap_two_from_the_start():
    """RULES 8: "no cap heads-up"; a fold that leaves two lifts none (BC-085)."""
    dealt = fixed(DEEP, DEEP)
    for total in range(40, 400, 20):
        act(dealt, (dealt.hand.turn, RAISE, total))
    assert may_raise(dealt) == (400, 400)
    three = fixed(DEEP, DEEP, DEEP)
    act(three, (3, RAISE, 40), (1, FOLD), (2, RAISE, 60), (3, RAISE, 80))
    assert may_raise(three) == "cap"


def test_a_short_big_blind_is_a_whole_bet_in_fixed_limit():
    """RULES 3: "A blind posted short by an all-in player counts in full for what others must
    call."
    """
    dealt = fixed(DEEP, 12, DEEP)
    assert (dealt.offered.call, may_raise(dealt)) == (20, (40, 40))
    act(dealt, (3, CALL), (1, CALL))
    assert [seat.bet for seat in dealt.hand.seats.values()] == [0, 0, 0]
    assert dealt.hand.pot == 52
