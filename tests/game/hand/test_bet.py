"""Betting: what is refused and in which order, raises over short all-ins, caps, spreads, splits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from riverboat.game.cards import DECKS
from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import act
from riverboat.game.hand.events import (
    Checked,
    Folded,
    RaisedTo,
    RoundClosed,
    SplitChosen,
    SplitRefused,
    Stakes,
    TimedOut,
    UncalledReturned,
)
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import options
from riverboat.game.hand.state import Baton, Hand, Phase
from riverboat.game.refusals import HandCode, Refusal
from riverboat.game.rules.schema import Completion
from tests.game.hand.dealt import Dealt

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE


def a_hand(
    limit: str = "nl",
    stacks: tuple[int, ...] = (500, 500, 500),
    rulebook: str = "standard",
    variant: str = "holdem",
    **stakes,
) -> Dealt:
    """Seats from 1, the button the last: 5 and 10, or what `stakes` says."""
    many = len(stacks)
    return Dealt(
        (rulebook, variant, limit),
        dict(enumerate(stacks, 1)),
        Stakes(**{"small_blind": 5, "big_blind": 10, **stakes}),
        DECKS["7-A" if variant == "draw32" else "52"],
        button=many,
        blinds=(1, 2) if many > 2 else (2, 1),
    )


def flop(dealt: Dealt) -> Dealt:
    """Everybody limps in, and the flop lies."""
    while dealt.hand.turn:
        offered = dealt.offered
        dealt.does(offered.seat, CALL if offered.call else CHECK)
    dealt.deals()
    return dealt


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


# Fixed limit over short all-ins. Seat 1 bets nothing, seat 2 is short, the bet is 20.


def over_short(bet: int, completion: Completion = Completion.RULES, before: int = 0) -> Dealt:
    """On the flop, seat 2 all-in for `bet` over a bet of `before` by seat 1; bets of 20."""
    dealt = a_hand("fl", (500, bet + 20, 500, 500), small_blind=10, big_blind=20)
    dealt.hand.game = replace(dealt.hand.game, completion=completion)
    flop(dealt)
    if before:
        dealt.does(1, RAISE, before)
    else:
        dealt.does(1, CHECK)
    dealt.does(2, RAISE, bet)
    return dealt


@pytest.mark.parametrize(
    ("completion", "before", "bet", "next_raise", "raises"),
    [
        (Completion.RULES, 0, 9, 20, 0),
        (Completion.RULES, 0, 10, 30, 1),
        (Completion.RULES, 0, 15, 35, 1),
        (Completion.RULES, 20, 29, 40, 1),
        (Completion.RULES, 20, 30, 50, 2),
        (Completion.NEXT_MULTIPLE, 20, 29, 40, 1),
        (Completion.NEXT_MULTIPLE, 20, 34, 40, 2),
        (Completion.FULL_BET, 20, 29, 49, 1),
        (Completion.FULL_BET, 20, 34, 54, 2),
    ],
)
def test_a_short_all_in_in_fixed_limit(completion, before, bet, next_raise, raises):
    """RULES 3, fl: "15 of 20, then 35"; "less does not, and is completed" ... "(6, then 20)"."""
    dealt = over_short(bet, completion, before)
    assert dealt.hand.raises == raises
    offered = dealt.offered
    assert (offered.raise_least, offered.raise_most) == (next_raise, next_raise)


def test_completing_to_the_next_multiple_is_no_further_raise():
    """RULES 8: "several complete to the next full multiple (270 over 200: to 300)"."""
    dealt = over_short(34, Completion.NEXT_MULTIPLE, 20)
    dealt.does(3, RAISE, 40)
    assert dealt.hand.raises == 2
    assert dealt.offered.raise_least == 60


@pytest.mark.parametrize(("bet", "may"), [(29, False), (30, True)])
def test_half_a_bet_over_reopens_the_betting(bet, may):
    """RULES 3, fl: "An all-in of at least half a bet over counts as a raise and reopens"."""
    dealt = over_short(bet, before=20)
    dealt.does(3, CALL)
    dealt.does(4, CALL)
    assert (dealt.offered.raise_least > 0) is may
    assert dealt.offered.no_raise == ("" if may else "not_reopened")


@pytest.mark.parametrize(
    ("rulebook", "many", "capped"),
    [("lt", 2, True), ("standard", 2, False), ("standard", 3, True), ("et", 3, True)],
)
def test_four_bets_a_round(rulebook, many, capped):
    """RULES 3, fl: "At most four bets a round"; RULES 8: "no cap heads-up"."""
    dealt = flop(a_hand("fl", (500,) * many, rulebook))
    for total in (10, 20, 30, 40):
        dealt.does(dealt.hand.turn, RAISE, total)
    assert dealt.offered.no_raise == ("cap" if capped else "")
    assert dealt.offered.raise_least == (0 if capped else 50)


def test_the_later_rounds_of_fixed_limit_bet_the_upper_number():
    """RULES 3, fl: "5 in the first two rounds, 10 in the later ones"."""
    dealt = flop(a_hand("fl"))
    bets = []
    for _ in range(3):
        bets.append(dealt.offered.raise_least)
        for seat in (1, 2, 3):
            dealt.does(seat, CHECK)
        if dealt.hand.baton is Baton.DEALER:
            dealt.deals()
    assert bets == [10, 20, 20]


def sizes(dealt: Dealt) -> tuple[int, int]:
    return dealt.offered.raise_least, dealt.offered.raise_most


def test_spread_limit_raises_equal_the_bet_and_stop_at_three_times_the_limit():
    """House case 2: "200 may be raised only to 400, 600, 800, then 900, then not at all"."""
    stakes: Any = {"small_blind": 50, "big_blind": 100, "spread": (100, 200, 300)}
    for first, then in ((200, (400, 600, 800, 900)), (250, (500, 750, 900))):
        dealt = a_hand("sl", (5_000, 5_000), "lt", **stakes)
        assert sizes(dealt) == (200, 200)  # over the big blind
        dealt.does(2, RAISE, 200)
        assert sizes(dealt) == (300, 300)
        dealt.does(1, RAISE, 300)
        assert dealt.offered.no_raise == "cap"
        dealt.does(2, CALL)
        for _ in range(2):
            dealt.deals()
            dealt.does(1, CHECK)
            dealt.does(2, CHECK)
        dealt.deals()
        assert sizes(dealt) == (100, 300)
        dealt.does(1, RAISE, first)
        for total in then:
            assert sizes(dealt) == (total, total)
            dealt.does(dealt.hand.turn, RAISE, total)
        assert sizes(dealt) == (0, 0)


def test_a_spread_of_the_field_raises_between_the_last_raise_and_the_upper_number():
    """RULES 8: "at least the last bet or raise and at most the spread's upper number"."""
    dealt = flop(a_hand("sl", small_blind=1, big_blind=1, spread=(1, 5)))
    assert sizes(dealt) == (1, 5)
    dealt.does(1, RAISE, 3)
    assert sizes(dealt) == (6, 8)
    dealt.does(2, RAISE, 8)
    assert sizes(dealt) == (13, 13)


@pytest.mark.parametrize(
    ("rulebook", "limit", "returning", "behind"),
    [
        ("lt", "pl", 4_000, 5_000),
        ("lt", "hpl", 2_500, 3_000),
        ("ro", "pl", 4_000, 5_000),
        ("ro", "hpl", 2_500, 3_000),
        ("et", "pl", 3_500, 4_500),
        ("et", "hpl", 2_250, 2_750),
    ],
)
def test_a_dead_blind_in_pot_limit(rulebook, limit, returning, behind):
    """House case 1: "Greatest raise to: lt, ro pot limit 4000, half pot 2500; et 3500 and 2250"."""
    dealt = Dealt(
        (rulebook, "holdem", limit),
        dict.fromkeys((1, 2, 3, 4, 5), 50_000),
        Stakes(small_blind=500, big_blind=1_000),
        DECKS["52"],
        button=5,
        blinds=(1, 2),
        debts={3: Debt(1_000, 500)},
    )
    assert dealt.hand.turn == 3
    assert sizes(dealt) == (2_000, returning)
    dealt.does(3, CHECK)
    assert dealt.hand.turn == 4
    assert sizes(dealt) == (2_000, behind)


def test_a_dead_blind_counts_from_the_second_round_on_in_et():
    """RULES 3: `et` "there it counts from the second round on"."""
    dealt = Dealt(
        ("et", "holdem", "pl"),
        dict.fromkeys((1, 2, 3), 50_000),
        Stakes(small_blind=500, big_blind=1_000),
        DECKS["52"],
        button=3,
        blinds=(1, 2),
        debts={3: Debt(1_000, 500)},
    )
    assert flop(dealt).offered.raise_most == 3_500


def test_half_a_pot_is_rounded_down():
    """RULES 3, hpl: "half the pot after the call, rounded down"; 5 and 10 make 22, not 22.5."""
    dealt = a_hand("hpl", (500, 500), "lt")
    assert dealt.offered.raise_most == 20 == dealt.offered.raise_least  # 10 + 20 // 2
    dealt.does(2, CALL)
    dealt.does(1, CHECK)
    dealt.deals()
    dealt.does(1, RAISE, 10)
    dealt.does(2, CALL)
    three = flop(a_hand("hpl", small_blind=5, big_blind=5))
    assert three.offered.raise_most == 7  # half of 15


def test_a_straddle_raises_the_price_and_moves_the_option():
    """RULES 8: "straddles (button too) raise the price and move the option"."""
    dealt = a_hand(stacks=(500,) * 5, straddles=(20, 40))
    assert (dealt.hand.turn, dealt.hand.price) == (5, 40)
    assert dealt.offered.raise_least == 80
    for seat in (5, 1, 2, 3):
        dealt.does(seat, CALL)
    assert dealt.hand.turn == 4
    assert dealt.offered.check
    assert dealt.offered.raise_least == 80


def test_a_button_straddle_makes_the_small_blind_act_first():
    dealt = a_hand(stacks=(500,) * 4, button_straddle=20)
    assert (dealt.hand.turn, dealt.hand.price) == (1, 20)


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


def test_an_out_of_turn_fold_keeps_the_clock_of_the_seat_on_turn():
    """BC-186: "Recording the intention and folding at once" must not restart a clock."""
    dealt = a_hand()
    before = dealt.hand.turn, dealt.hand.turn_number, dealt.hand.deadline_ms
    dealt.record([Folded(1)])
    assert (dealt.hand.turn, dealt.hand.turn_number, dealt.hand.deadline_ms) == before
    dealt.record([Folded(2)])
    hand: Hand = dealt.hand
    assert hand.turn == 0
    assert hand.live == 1
