"""Further rule cases: who brings it in and must, completions, open pairs, decks that run short.

Each quotes the sentence that decides it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.commands import Action, Leave
from riverboat.game.hand.events import (
    BroughtIn,
    Folded,
    Stakes,
    StreetDealt,
    TimedOut,
)
from riverboat.game.hand.state import Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.documents.playing import passes, plays, showing_order, sit, to_round, to_the_end
from tests.game.hand.dealt import Dealt
from tests.game.table.house import House
from tests.game.table.tables import SETTINGS

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN = Action.BRING_IN
THREE = {1: "2d3dKs", 2: "4c5dTh", 3: "6h7h3c"}  # the three of clubs is the lowest card up
BETS: Any = {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30}


def seven(variant: str = "stud7", limit: str = "fl", **more: Any) -> Dealt:
    """Three at stud: an ante of 2, a bring-in of 5, bets of 15 and 30."""
    return sit("lt", variant, limit, **{"holes": THREE, **BETS, **more})


# The bring-in.


def test_who_owes_the_bring_in_may_not_fold_it():
    """`et`, 7-card stud: "The player showing the lowest card in fixed limit and the highest card in
    pot limit after the deal must make a forced bet (bring-in)".
    """
    dealt = seven()
    offered = dealt.offered
    assert (offered.seat, offered.bring_in, offered.fold, offered.check) == (3, 5, False, False)
    assert dealt.tries(dealt.the_act(FOLD)) == Refusal(HandCode.NOT_OFFERED)
    plays(dealt, (3, BRING_IN))
    assert dealt.offered.fold


def test_a_clock_that_runs_out_brings_in_what_is_forced():
    """`lt`, Soko: "Žaidejas po išdalinimo turintis žemiausią kortą turi atlikti priverstini
    statymą" ("has to make the forced bet"): it goes in, and he is still in the hand.
    """
    dealt = sit("lt", "soko", "nl", holes={1: "KcQc", 2: "Jc2c", 3: "9c9d"})
    dealt.times_out()
    assert dealt.events[-2:] == [TimedOut(2, 1, True), BroughtIn(2, 200, 200)]
    plays(dealt, (3, RAISE, 900), (1, FOLD))
    dealt.times_out()
    assert Folded(2) in dealt.events


def test_who_has_left_brings_in_first_and_folds_when_asked_again():
    """RULES 4, antes and bring-in: "put in for who lets his time run out or has left"."""
    stakes = Stakes(ante=2, bring_in=5, small_bet=15, big_bet=30)
    settings = replace(SETTINGS, variant="stud7", limit="fl", stakes=stakes)
    house = House.opened(settings, ann=1_000, bob=1_000, cid=1_000)
    house.run()
    owing = house.hand.turn
    house.ask(house.hand.seats[owing].player, Leave())
    house.run()
    said: list[Any] = [e for record, _ in house.log for e in record.events]
    assert BroughtIn(owing, 5, 5) in said
    assert house.hand.turn != owing
    house.act(RAISE, 15)
    house.act(CALL)
    said = [e for record, _ in house.log for e in record.events]
    assert Folded(owing) in said


def test_behind_a_low_card_that_is_all_in_each_may_fold_until_one_opens():
    """BC-098: "seat 1, who may fold, open for 5 or for 15"; then it is seat 2's to do the same."""
    dealt = seven(stacks={1: 1_000, 2: 1_000, 3: 2}, holes={**THREE, 4: "8c8dQd"})
    assert dealt.hand.turn == 4
    assert dealt.offered.fold
    plays(dealt, (4, FOLD))
    assert (dealt.hand.turn, dealt.hand.phase, dealt.offered.fold) == (1, Phase.BRING_IN, True)
    plays(dealt, (1, BRING_IN))
    assert (dealt.hand.turn, dealt.offered.call) == (2, 5)


def test_a_bring_in_that_all_call_gives_its_owner_no_option():
    """RULES 4: he "must open with the bring-in", and has opened."""
    dealt = plays(seven(), (3, BRING_IN), (1, CALL), (2, CALL))
    assert (dealt.hand.round, dealt.hand.pot) == (1, 6 + 15)


@pytest.mark.parametrize(
    ("total", "then", "raises"), [(7, 15, 0), (8, 23, 1), (14, 29, 1), (15, 30, 1)]
)
def test_an_all_in_over_the_bring_in(total, then, raises):
    """RULES 4: "the first raise over a bring-in completes it to the lower limit and counts as the
    bet"; RULES 3, fl: an all-in of half a bet counts as one, and less is completed.
    """
    dealt = plays(seven(stacks={1: total + 2}), (3, BRING_IN), (1, RAISE, total))
    assert dealt.hand.raises == raises
    assert (dealt.offered.raise_least, dealt.offered.raise_most) == (then, then)


def test_in_pot_limit_the_antes_are_the_pot_that_is_opened_into():
    """`lt`, pot limit: "Minimalus statymas yra lygus didžiajam nematomam statymui arba įsinešamai
    sumai": three antes of 2 and a bring-in of 5, then a call and a pot-sized raise.
    """
    dealt = seven(limit="pl")
    assert dealt.hand.turn == 1  # the king: the highest card in pot limit
    assert (dealt.offered.raise_least, dealt.offered.raise_most) == (6, 6)
    plays(dealt, (1, BRING_IN))
    assert (dealt.offered.raise_least, dealt.offered.raise_most) == (10, 5 + 16)


def test_the_ace_is_low_in_razz_and_the_highest_suit_breaks_the_tie():
    """RULES 8: "razz (ace-to-five low, highest up card brings in, lowest board acts first)"."""
    holes = {1: "2c3cAs4h", 2: "4c5cKh5h", 3: "6c7cKd6h"}
    dealt = sit("standard", "razz", "fl", holes=holes, **BETS)
    assert dealt.hand.turn == 2
    plays(dealt, (2, BRING_IN), (3, CALL), (1, CALL))
    assert dealt.hand.turn == 1


# Later rounds.


def test_equal_pairs_are_opened_by_the_better_kicker_and_then_by_position():
    """RULES 4, later stud rounds: "the player showing the highest hand (by the game's own ranking
    of the open cards; ties: nearest to the dealer's box)".
    """
    by_kicker = sit("et", "soko", "fl", holes={1: "2c9c9dTc", 2: "2d9h9sJc", 3: "3c4c5h7d"})
    assert to_round(by_kicker, 2).hand.turn == 2
    tied = sit("et", "soko", "fl", holes={1: "2c4c5h7d", 2: "2d9c9dTc", 3: "3c9h9sTh"})
    assert to_round(tied, 2).hand.turn == 2


def test_four_open_cards_of_a_suit_are_more_than_a_pair_in_soko():
    """`lt`, Soko: "4 vienos spalvos kortos (4-Flush) ir 4 iš eiles einančios kortos (4-Straight)
    laimi prieš vieną porą": so they open the round too.
    """
    holes = {1: "2cAcAd7h5s", 2: "3cTd3d5d8d", 3: "4cKhQhJs9c"}
    dealt = to_round(sit("lt", "soko", "fl", holes=holes), 3)
    assert dealt.hand.turn == 2


# The open pair on fourth street.

PAIR = {1: "2c3cKsKd", 2: "4h5h7h9c", 3: "6c7c4d3s"}
FIVES: Any = {"ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}


def on_fourth(**more: Any) -> Dealt:
    return to_round(seven(**{"holes": PAIR, **FIVES, **more}), 1)


def test_a_pair_that_was_folded_doubles_nothing():
    """RULES 3: "A live player's open pair as the round begins"."""
    holes = {**PAIR, 4: "8c9dJcJd"}
    of_two = seven(holes={**holes, 1: "2c3cKsQd"}, **FIVES)
    plays(of_two, (3, BRING_IN), (4, FOLD), (1, CALL), (2, CALL))
    assert of_two.offered.sizes == ()
    assert (of_two.offered.raise_least, of_two.offered.raise_most) == (5, 5)


def test_an_all_in_over_a_double_wager_is_measured_by_it():
    """RULES 3: "after a double wager no smaller raise"; half of it is 5, so 3 more is no raise."""
    for more, may in ((3, False), (5, True)):
        dealt = on_fourth(stacks={2: 3 + 10 + more})
        plays(dealt, (1, RAISE, 10), (2, RAISE, 10 + more), (3, CALL))
        assert dealt.hand.turn == 1
        assert (dealt.offered.raise_least > 0) is may
        assert dealt.hand.raises == 1 + may
    completed = on_fourth(stacks={2: 3 + 13})
    plays(completed, (1, RAISE, 10), (2, RAISE, 13))
    assert (completed.offered.raise_least, completed.offered.raise_most) == (20, 20)


def test_an_all_in_over_a_single_bet_leaves_both_sizes():
    """RULES 3: "lets any player bet or raise double (the upper limit)": 8 counts, then 13 or 18."""
    dealt = plays(on_fourth(stacks={2: 3 + 8}), (1, RAISE, 5), (2, RAISE, 8))
    assert dealt.offered.sizes == (13, 18)


def test_the_pair_counts_on_fourth_street_alone():
    """`et`: "If any player shows a pair on 4th street": not for the rounds after it."""
    fifth = to_round(seven(holes={**PAIR, 1: "2c3cKsKd"}, **FIVES), 2)
    assert (fifth.offered.raise_least, fifth.offered.raise_most) == (10, 10)
    assert fifth.offered.sizes == ()
    no_limit = to_round(seven(limit="nl", holes=PAIR, **FIVES), 1)
    assert no_limit.offered.sizes == ()


# Too few cards.


@pytest.mark.parametrize(("folds", "own"), [(3, False), (4, True)])
def test_those_who_fold_before_the_seventh_leave_cards_for_the_others(folds, own):
    """House case 6: "Five to eight still in: one community card, no betting. Four or fewer: own
    cards, betting."
    """
    dealt = to_round(sit("ro", "stud7", "fl", holes=8), 3)
    for _ in range(folds):
        dealt.does(dealt.hand.turn, FOLD)
    while dealt.hand.turn:
        passes(dealt)
    dealt.deals()
    last = dealt.happened(StreetDealt)[-1]
    assert (len(last.to), len(last.board)) == ((4, 0) if own else (0, 1))
    assert (dealt.hand.turn > 0) is own


def test_a_bet_on_sixth_street_is_none_on_a_seventh_that_all_share():
    """`et`: "If there was betting on seventh street the player who made the last bet or raise must
    show his hand first. If there was no betting the player showing the highest hand on the board
    shows his hand first." Nobody can bet over the shared card, so the best board shows first.
    """
    holes = {**dict.fromkeys(range(1, 9), ""), 5: "2c3dAhAsAdAc", 2: "KcKdQhJs8c7d"}
    dealt = to_round(sit("et", "stud7", "fl", holes=holes), 3)
    assert dealt.hand.turn == 5
    dealt.does(5, CHECK)
    while dealt.hand.turn != 2:
        dealt.does(dealt.hand.turn, CHECK)
    dealt.does(2, RAISE, 1_000)
    assert showing_order(to_the_end(dealt))[0] == 5


def test_a_shared_seventh_ends_the_betting_with_side_pots_too():
    """RULES 5, stud: "no betting is allowed in that round"."""
    dealt = sit("lt", "stud7_hilo", "fl", holes=8, stacks={4: 900})
    to_round(dealt, 3)
    assert dealt.hand.seats[4].stack == 600
    dealt.does(dealt.hand.turn, RAISE, 1_000)
    to_the_end(dealt)
    assert [len(pot.seats) for pot in dealt.hand.pots] == [8, 7]
