"""Betting: what is refused and in which order, raises over short all-ins, caps, spreads, splits."""

from __future__ import annotations

import pytest

from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import act
from riverboat.game.hand.events import (
    Called,
    Checked,
    Folded,
    RaisedTo,
    RoundClosed,
    SplitChosen,
    SplitRefused,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.game.hand.dealt import Dealt, a_hand, flop

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE


def refusal(dealt: Dealt, action: Action, total: int = 0) -> Refusal:
    outcome = dealt.tries(dealt.the_act(action, total))
    assert isinstance(outcome, Refusal)
    return outcome


@pytest.mark.parametrize(
    ("hand", "turn", "price", "player", "outcome"),
    [
        ("1.0-0", 1, 10, "p3", Refusal(HandCode.ANOTHER_HAND, hand="1.0-1")),
        ("1.0-1", 9, 10, "p9", Refusal(HandCode.NOT_IN_HAND)),
        ("1.0-1", 0, 10, "p3", Refusal(HandCode.TURN_PASSED, turn=1)),
        ("1.0-1", 2, 10, "p3", Refusal(HandCode.TURN_PASSED, turn=1)),
        ("1.0-1", 1, 10, "p1", Refusal(HandCode.NOT_YOUR_TURN, turn_seat=3)),
        ("1.0-1", 1, 20, "p3", Refusal(HandCode.PRICE_CHANGED, price=10)),
        ("1.0-1", 1, 10, "p3", [Folded(3)]),
    ],
)
def test_an_act_names_the_hand_the_turn_and_the_price(hand, turn, price, player, outcome):
    """ARCHITECTURE 2: "An `Act` names hand, turn and price"."""
    dealt = a_hand()
    assert act(dealt.hand, player, Act(hand, turn, price, FOLD, 0, ())) == outcome


@pytest.mark.parametrize(
    ("action", "total", "outcome"),
    [
        (CHECK, 0, Refusal(HandCode.CANNOT_CHECK, price=10)),
        (RAISE, 501, Refusal(HandCode.MORE_THAN_STACK, most=500)),
        (RAISE, 10, Refusal(HandCode.BELOW_LEAST_RAISE, least=20)),  # a call is no raise
        (RAISE, 19, Refusal(HandCode.BELOW_LEAST_RAISE, least=20)),
        (RAISE, 20, [RaisedTo(3, 20)]),
        (RAISE, 500, [RaisedTo(3, 500)]),  # all in is always a legal size
        (Action.BRING_IN, 0, Refusal(HandCode.NOT_OFFERED)),
        (Action.SPLIT, 0, Refusal(HandCode.NOT_OFFERED)),
        (Action.REFUSE_SPLIT, 0, Refusal(HandCode.NOT_OFFERED)),
        (Action.DRAW, 0, Refusal(HandCode.NOT_A_DRAW)),
    ],
)
def test_a_raise_is_at_least_the_raise_before_it(action, total, outcome):
    """RULES 3, all: "at least the size of the bet or raise before it in that round"."""
    dealt = a_hand()
    assert dealt.tries(dealt.the_act(action, total)) == outcome


def test_nothing_to_call_is_no_call():
    assert refusal(flop(a_hand()), CALL) == Refusal(HandCode.NOTHING_TO_CALL)


def test_a_pot_limit_has_a_most():
    """RULES 3, pl: "Up to the pot"."""
    dealt = a_hand("pl")
    assert refusal(dealt, RAISE, 36) == Refusal(HandCode.ABOVE_MOST_RAISE, most=35)


def test_no_turn_takes_no_act():
    """ARCHITECTURE 2: an act "can never act on a changed" turn."""
    dealt = a_hand(stacks=(500, 500))
    dealt.does(2, CALL)
    late = dealt.the_act(CHECK)
    dealt.does(1, CHECK)
    assert dealt.hand.turn == 0
    assert dealt.tries(late, 1) == Refusal(HandCode.TURN_PASSED, turn=2)


def test_whoever_comes_first_of_an_act_and_its_time_out_wins():
    """ARCHITECTURE 1: "A late or doubled alarm names a turn that is over"."""
    dealt = a_hand(stacks=(500, 500))
    command = dealt.the_act(CALL)
    dealt.times_out()
    assert dealt.hand.seats[2].folded
    assert isinstance(dealt.tries(command, 2), Refusal)


def test_an_answer_that_ends_the_round_gives_the_uncalled_back_in_one_decision():
    """RULES 5: "A bet no one can call is given back before the rake is reckoned"."""
    dealt = a_hand()
    dealt.does(3, RAISE, 100)
    dealt.does(1, FOLD)
    assert dealt.tries(dealt.the_act(FOLD)) == [
        Folded(2),
        UncalledReturned(3, 90),
        RoundClosed(0),
    ]


def test_a_blind_posted_short_is_called_whole_and_what_nobody_met_comes_back():
    """RULES 3, field: "A blind posted short by an all-in player counts in full"."""
    dealt = a_hand(stacks=(6, 500))
    assert dealt.tries(dealt.the_act(CALL)) == [
        Called(2, 10),
        UncalledReturned(2, 4),
        RoundClosed(0),
    ]


@pytest.mark.parametrize("limit", ["nl", "pl", "hpl", "fl", "sl"])
def test_a_time_out_checks_or_folds_in_every_limit(limit):
    """RULES 7: "he is folded (checked where checking is free)"."""
    dealt = a_hand(limit, spread=(10, 20, 30), rulebook="lt")
    dealt.times_out(connected=False)
    assert dealt.events[-2:] == [TimedOut(3, 1, False), Folded(3)]
    dealt.does(1, CALL)
    dealt.times_out()
    assert dealt.events[-3:] == [TimedOut(2, 3, True), Checked(2), RoundClosed(0)]
    assert dealt.hand.baton is Baton.DEALER
    assert [seat.timed_out for seat in dealt.hand.seats.values()] == [False, True, True]


def test_an_all_in_has_no_turn_and_a_lone_stack_has_no_bet():
    """RULES 5: "A player out of chips is all-in and stays to the showdown"."""
    dealt = a_hand(stacks=(100, 100, 500))
    dealt.does(3, RAISE, 100)
    dealt.does(1, CALL)
    assert refusal(dealt, RAISE, 100) == Refusal(HandCode.CANNOT_RAISE, reason="stack")
    dealt.does(2, CALL)
    dealt.deals()
    assert dealt.hand.baton is Baton.SHOWDOWN


def test_a_raise_needs_somebody_who_can_answer_it():
    dealt = a_hand(stacks=(100, 40, 500))
    dealt.does(3, CALL)
    dealt.does(1, RAISE, 100)
    dealt.does(2, CALL)
    refused = Refusal(HandCode.CANNOT_RAISE, reason="nobody_to_answer")
    assert refusal(dealt, RAISE, 200) == refused


def test_money_is_whole_units():
    """BC-200: "Amounts are integers of the smallest unit"."""
    dealt = a_hand(stacks=(100_025, 100_025), small_blind=5, big_blind=10)
    dealt.does(2, CALL)
    dealt.does(1, CHECK)
    dealt.deals()
    dealt.does(1, RAISE, 20)
    dealt.does(2, CALL)
    assert [seat.stack for seat in dealt.hand.seats.values()] == [99_995, 99_995]
    assert dealt.hand.pot == 60


# SPLIT in 32-card draw.


def after_the_draw(stacks: tuple[int, ...]) -> Dealt:
    """Seats 1 to the last called the big blind and stood pat."""
    dealt = flop(a_hand("nl", stacks, "lt", "draw32"))
    while dealt.hand.phase is Phase.DRAW:
        dealt.does(dealt.hand.turn, Action.DRAW)
    return dealt


def test_a_split_that_all_choose_needs_no_more():
    """RULES 5, split option: "If all who can act choose it, each pot is divided equally"."""
    dealt = after_the_draw((500, 500, 500))
    for seat in (1, 2, 3):
        assert dealt.offered.split
        dealt.does(seat, Action.SPLIT)
    assert dealt.hand.baton is Baton.SHOWDOWN
    assert [seat.split for seat in dealt.hand.seats.values()] == [1, 1, 1]


def test_the_first_other_choice_takes_the_split_away():
    """RULES 5: "the SPLITs before it stand as checks"."""
    dealt = after_the_draw((500, 500, 500))
    dealt.does(1, Action.SPLIT)
    dealt.does(2, CHECK)
    assert not dealt.offered.split
    assert refusal(dealt, Action.SPLIT) == Refusal(HandCode.NOT_OFFERED)
    dealt.does(3, RAISE, 20)
    assert dealt.hand.turn == 1
    assert [seat.split for seat in dealt.hand.seats.values()] == [0, 0, 0]


def test_all_in_players_are_asked_and_silence_refuses():
    """RULES 5: "one refusal (no answer is a refusal)"."""
    dealt = after_the_draw((500, 500, 10))
    dealt.does(1, Action.SPLIT)
    assert dealt.tries(dealt.the_act(Action.SPLIT)) == [SplitChosen(2)]
    dealt.does(2, Action.SPLIT)
    assert (dealt.hand.phase, dealt.hand.turn) == (Phase.SPLIT, 3)
    offered = options(dealt.hand)
    assert offered is not None
    assert (offered.split, offered.refuse_split, offered.fold) == (True, True, False)
    for action in (FOLD, CHECK, CALL, RAISE):
        assert refusal(dealt, action) == Refusal(HandCode.NOT_OFFERED)
    dealt.times_out()
    assert SplitRefused(3) in dealt.events
    assert [seat.split for seat in dealt.hand.seats.values()] == [1, 1, 2]
    assert dealt.hand.baton is Baton.SHOWDOWN


def test_who_leaves_when_asked_to_split_has_refused():
    dealt = after_the_draw((500, 500, 10))
    dealt.does(1, Action.SPLIT)
    dealt.does(2, Action.SPLIT)
    dealt.leaves(3)
    assert dealt.hand.seats[3].split == 2
