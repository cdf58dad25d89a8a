"""House cases that need a whole hand: the SPLIT of draw32 with a side pot, two in Telesina."""

from __future__ import annotations

import pytest

from riverboat.game.cards import cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import Half, HandShown, PotAwarded, Stakes
from riverboat.game.hand.state import Phase
from tests.game.hand.dealt import Dealt, dealt_places

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN, DRAW, SPLIT, REFUSE = Action.BRING_IN, Action.DRAW, Action.SPLIT, Action.REFUSE_SPLIT

# Seat 3's hand wins, seat 1's is the better one of the others.
HOLES = {5: "7c8cTdJhAc", 1: "KsKh7d8d9s", 2: "QsQh7h8h9c", 3: "AsAhTcJcQd", 4: "7s8s9dTsJd"}


def after_the_draw() -> Dealt:
    """House case 5: "Button 4; seat 5 folds a small blind of 50; seats 1 and 2 put in 1605 each,
    seat 3 is all-in for 1000".
    """
    order = (5, 1, 2, 3, 4)
    hands = {seat: cards(hole) for seat, hole in HOLES.items()}
    dealt = Dealt(
        ("lt", "draw32", "nl"),
        {5: 3000, 1: 3000, 2: 3000, 3: 1000, 4: 3000},
        Stakes(small_blind=50, big_blind=100),
        dealt_places(order, hands, "7-A"),
        button=4,
        blinds=(5, 1),
    )
    dealt.does(2, RAISE, 1605)
    dealt.does(3, CALL)
    dealt.does(4, FOLD)
    dealt.does(5, FOLD)
    dealt.does(1, CALL)
    dealt.deals()
    for seat in (1, 2, 3):
        dealt.does(seat, DRAW)
    return dealt


def paid(dealt: Dealt) -> list[tuple[int, Half, dict[int, int]]]:
    return [
        (award.pot, award.half, {share.seat: share.amount for share in award.shares})
        for award in dealt.happened(PotAwarded)
    ]


SIDE = (1, Half.WHOLE, {1: 605, 2: 605})


@pytest.mark.parametrize("answer", [SPLIT, REFUSE, None])
def test_split_with_a_side_pot(answer):
    """House case 5: "Seats 1 and 2 choose SPLIT: 605 each of the side pot without a showdown"."""
    dealt = after_the_draw()
    dealt.does(1, SPLIT)
    dealt.does(2, SPLIT)
    # All-in players are then asked, each for the pots he is in.
    assert (dealt.hand.phase, dealt.hand.turn) == (Phase.SPLIT, 3)
    if answer is None:
        dealt.times_out()  # "no answer is a refusal"
    else:
        dealt.does(3, answer)
    dealt.ends()
    assert [pot.amount for pot in dealt.hand.pots] == [3050, 1210]
    if answer is SPLIT:
        # "seat 1 gets 1017 of the main pot, seat 2 1017, seat 3 1016"
        assert paid(dealt) == [(0, Half.WHOLE, {1: 1017, 2: 1017, 3: 1016}), SIDE]
        assert not dealt.happened(HandShown)
    else:
        # "the 3050 alone goes to the showdown"
        assert paid(dealt) == [(0, Half.WHOLE, {3: 3050}), SIDE]
        assert 3 in [event.seat for event in dealt.happened(HandShown)]


def test_another_choice_sends_both_pots_to_the_showdown():
    """House case 5: "If seat 2 checks instead, seat 1's SPLIT stands as a check"."""
    dealt = after_the_draw()
    dealt.does(1, SPLIT)
    dealt.does(2, CHECK)
    assert dealt.hand.phase is Phase.SHOW
    dealt.ends()
    assert paid(dealt) == [(0, Half.WHOLE, {3: 3050}), (1, Half.WHOLE, {1: 1210})]


@pytest.mark.parametrize("rulebook", ["lt", "ro"])
def test_telesina_the_lowest_wins_everything_once_two_are_left(rulebook):
    """House case 3: "If C folds before: B wins everything in both"."""
    holes = {1: "AhKhQhJhTh", 2: "7s8s9sTsAs", 3: "9c9d9h8h8d"}
    hands = {seat: cards(hole) for seat, hole in holes.items()}
    deck = dealt_places((1, 2, 3), hands, "7-A")
    # Seat 3 folds after two cards: later streets pass it over.
    own = [deck[at] for at in range(6)] + [hands[s][at] for at in (2, 3, 4) for s in (1, 2)]
    deck = [*own, *cards("7c"), *(card for card in deck if card not in {*own, *cards("7c")})]
    dealt = Dealt(
        (rulebook, "telesina", "nl"), dict.fromkeys(holes, 3000), Stakes(ante=10, bring_in=20), deck
    )
    while dealt.hand.phase is not Phase.SHOW:
        turn = dealt.hand.turn
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        elif turn == 3:
            dealt.does(3, FOLD)
        elif dealt.offered.bring_in:
            dealt.does(turn, BRING_IN)
        elif dealt.hand.round == 1 and dealt.offered.raise_least and not dealt.offered.call:
            dealt.does(turn, RAISE, dealt.offered.raise_most)
        else:
            dealt.does(turn, CALL if dealt.offered.call else CHECK)
    dealt.ends()
    assert dealt.won() == {2: dealt.hand.pots[0].amount}
    assert dealt.hand.pots[0].amount > 6000
