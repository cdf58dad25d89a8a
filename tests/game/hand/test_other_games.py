"""Games beyond blinds and boards, played to the end through the same functions."""

from __future__ import annotations

from typing import Any

import pytest

from riverboat.game import rules
from riverboat.game.cards import cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import HandMucked, HandShown, Stakes, StreetDealt
from riverboat.game.hand.state import Baton, Phase
from riverboat.game.refusals import HandCode, Refusal
from tests.game.hand.dealt import Dealt, dealt_places

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN, DRAW = Action.BRING_IN, Action.DRAW


def stud(
    game: tuple[str, str, str],
    stacks: dict[int, int],
    holes: dict[int, str],
    vela: str = "",
    **stakes,
) -> Dealt:
    """Seats with these cards, in the order in which they are dealt."""
    deck_name = rules.game(*game).deck
    hands = {seat: cards(hole) for seat, hole in holes.items()}
    deck = dealt_places(tuple(stacks), hands, deck_name)
    many = sum(map(len, hands.values()))
    shared = cards(vela)
    rest = [card for card in deck[many:] if card not in shared]
    return Dealt(game, stacks, Stakes(**stakes), [*deck[:many], *shared, *rest])


def played(dealt: Dealt, *acts: tuple[Any, ...]) -> None:
    """Each act in its turn; the dealer deals as soon as it owes a street."""
    for act in acts:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        dealt.does(*act)


# Sökö.


def test_soko_a_four_flush_beats_a_pair():
    """RULES 2, soko: "two pair, **four-flush, four-straight**, one pair, high card"."""
    dealt = stud(
        ("lt", "soko", "fl"),
        {1: 500, 2: 500},
        {1: "2h9hJhAh3d", 2: "AsAcKdQs7c"},
        ante=1,
        bring_in=2,
        small_bet=5,
        big_bet=10,
    )
    played(
        dealt,
        (1, BRING_IN),  # lt: the lowest up card
        (2, RAISE, 5),
        (1, CALL),
        (2, RAISE, 5),  # ace and king are the best open hand
        (1, CALL),
        (2, RAISE, 10),
        (1, RAISE, 20),
        (2, CALL),
        (2, CHECK),
        (1, RAISE, 10),
        (2, CALL),
    )
    dealt.ends()
    assert dealt.won() == {1: 82}
    assert next(event.seat for event in dealt.happened(HandShown)) == 1
    assert dealt.hand.seats[1].stack == 541


def test_soko_ties_of_the_bring_in_and_the_odd_unit():
    """RULES 4: "where the highest, the higher" suit; RULES 5: "dealt his first card first"."""
    dealt = stud(
        ("ro", "soko", "pl"),
        {1: 500, 2: 500, 3: 500},
        {1: "6c7d8h9sKd", 2: "6d7h8s9cKh", 3: "4c2c"},
        ante=1,
        bring_in=2,
    )
    played(dealt, (2, BRING_IN), (3, FOLD), (1, CALL))
    for _ in range(3):
        # Equal open hands: the one nearest the dealer's box begins.
        played(dealt, (1, CHECK), (2, CHECK))
    dealt.ends()
    assert dealt.won() == {1: 4, 2: 3}


# Deuce to Seven Triple Draw.


def triple_draw(stacks: dict[int, int], holes: dict[int, str], drawn: str) -> Dealt:
    """Heads-up on seat 2's button, or three with seat 3's; `drawn` comes next from the deck."""
    hands = {seat: cards(hole) for seat, hole in holes.items()}
    deck = dealt_places(tuple(stacks), hands, "52")
    many, next_ones = 5 * len(stacks), cards(drawn)
    rest = [card for card in deck[many:] if card not in next_ones]
    return Dealt(
        ("standard", "triple_draw27", "fl"),
        stacks,
        Stakes(small_blind=5, big_blind=10),
        [*deck[:many], *next_ones, *rest],
        button=len(stacks),
        blinds=(1, 2) if len(stacks) > 2 else (2, 1),
    )


def test_triple_draw_the_lowest_hand_wins():
    """RULES 2, triple_draw27: "best is 2-3-4-5-7 of mixed suits"."""
    dealt = triple_draw({1: 500, 2: 500}, {1: "2c3d4h5sKc", 2: "8c6d4c3s2h"}, "KsQs7c")
    played(
        dealt,
        (2, RAISE, 20),
        (1, CALL),
        (1, DRAW, 0, (4,)),
        (2, DRAW, 0, ()),
        (1, CHECK),
        (2, RAISE, 10),
        (1, CALL),
        (1, DRAW, 0, (4,)),
        (2, DRAW, 0, ()),
        (1, CHECK),
        (2, RAISE, 20),
        (1, CALL),
        (1, DRAW, 0, (4,)),
        (2, DRAW, 0, ()),
        (1, RAISE, 20),
        (2, RAISE, 40),
        (1, CALL),
    )
    dealt.ends()
    assert dealt.won() == {1: 180}
    assert dealt.hand.seats[2].stack == 410


def test_triple_draw_with_an_all_in_player_who_draws_on():
    """BC-112: "Seat 3 is all-in before the first draw. It takes part in all three draws"."""
    dealt = triple_draw(
        {1: 500, 2: 500, 3: 10},
        {1: "2c3d4h5s9c", 2: "8c6d4c3s2h", 3: "7d5d4s3hKd"},
        "KsQs2d",
    )
    played(dealt, (3, CALL), (1, CALL), (2, CHECK))
    for draw in range(3):
        played(dealt, (1, DRAW), (2, DRAW), (3, DRAW, 0, (4,)))
        if draw < 2:
            played(dealt, (1, CHECK), (2, CHECK))
    played(dealt, (1, RAISE, 20), (2, CALL))
    dealt.ends()
    assert [pot.amount for pot in dealt.hand.pots] == [30, 40]
    assert dealt.won() == {3: 30, 2: 40}


# Telesina. House cases 3 and 4.


@pytest.mark.parametrize(
    ("rulebook", "opener", "won"),
    [("ro", 1, {1: 3000, 2: 4000}), ("lt", 2, {1: 7000})],
)
def test_telesina_the_lowest_straight_flush_beats_the_highest(rulebook, opener, won):
    """House case 3: "ro: A wins 3000, B 4000. lt: A wins 7000."."""
    dealt = stud(
        (rulebook, "telesina", "nl"),
        {1: 3000, 2: 3000, 3: 1000},
        {1: "AhKhQhJhTh", 2: "7s8s9sTsAs", 3: "9c9d9h8h8d"},
        vela="7c",
        ante=10,
        bring_in=20,
    )
    # lt: the lowest up card, B's eight; ro: the highest, A's king.
    acts = {
        1: ((1, BRING_IN), (2, CALL), (3, RAISE, 990), (1, CALL), (2, CALL)),
        2: ((2, BRING_IN), (3, RAISE, 990), (1, CALL), (2, CALL)),
    }
    played(dealt, *acts[opener])
    # C's pair of nines would open, but he is all-in: the next behind him does.
    played(dealt, (1, RAISE, 2000), (2, CALL))
    dealt.to_the_end()
    assert [pot.amount for pot in dealt.hand.pots] == [3000, 4000]
    assert dealt.hand.boards == [list(cards("7c"))]
    assert dealt.won() == won


@pytest.mark.parametrize(("vela", "winner"), [("Ad", 1), ("7c", 2)])
def test_telesina_the_vela_as_kicker(vela, winner):
    """House case 4: "Vela `Ad`: ... A wins (Kh). Vela `7c`: B wins (kicker 8)."."""
    dealt = stud(
        ("lt", "telesina", "fl"),
        {1: 500, 2: 500},
        {1: "7hKhKc9h9c", 2: "8cKdKs9d9s"},
        vela=vela,
        ante=1,
        bring_in=2,
        small_bet=5,
        big_bet=10,
    )
    played(dealt, (2, BRING_IN), (1, RAISE, 5), (2, CALL))  # the king of spades is lowest of suits
    bets = []
    while dealt.hand.phase is Phase.DEAL:
        dealt.deals()
        opener = dealt.hand.turn
        bets.append(dealt.offered.raise_least)
        dealt.does(opener, RAISE, dealt.offered.raise_least)
        dealt.does(3 - opener, CALL)
    assert bets == [5, 10, 10, 10]
    dealt.ends()
    assert dealt.won() == {winner: 82}
    assert len(dealt.happened(HandShown)) + len(dealt.happened(HandMucked)) == 2


# Stud: the bring-in, the completion, and the open pair.


def seven(limit: str = "fl", variant: str = "stud7", **more) -> Dealt:
    """BC-095: seats 1, 2, 3; ante 2, bring-in 5, bets 15 and 30."""
    stakes = {"ante": 2, "bring_in": 5, "small_bet": 15, "big_bet": 30}
    return stud(
        ("lt", variant, limit),
        more.pop("stacks", {1: 1000, 2: 1000, 3: 1000}),
        more.pop("holes", {1: "2d3dKs", 2: "4c5dTh", 3: "6h7h3c"}),
        **{**stakes, **more},
    )


def test_a_completion_counts_as_the_bet():
    """BC-095: "Bring-in 5, completion to 15, then three raises 30, 45, 60"."""
    dealt = seven()
    played(dealt, (3, BRING_IN))
    assert dealt.offered.call == 5
    played(dealt, (1, RAISE, 15), (2, RAISE, 30), (3, RAISE, 45), (1, RAISE, 60))
    assert (dealt.offered.call, dealt.offered.no_raise) == (60, "cap")


def test_whoever_called_the_bring_in_may_raise_the_completion():
    dealt = seven()
    played(dealt, (3, BRING_IN), (1, CALL), (2, RAISE, 15), (3, CALL))
    assert dealt.offered.raise_least == 30


def test_the_low_card_is_all_in_for_the_ante():
    """BC-098: "The action starts with the player on the left of seat 3 (seat 1)"."""
    dealt = seven(stacks={1: 1000, 2: 1000, 3: 2})
    offered = dealt.offered
    assert (offered.seat, offered.bring_in, offered.fold) == (1, 5, True)
    assert (offered.raise_least, offered.raise_most) == (15, 15)
    assert not offered.check
    assert offered.call == 0


def test_a_short_bring_in_is_called_in_full():
    dealt = seven(stacks={1: 1000, 2: 1000, 3: 5})
    played(dealt, (3, BRING_IN))
    assert dealt.hand.seats[3].all_in
    assert dealt.offered.call == 5


def test_a_larger_bet_instead_of_the_bring_in_in_no_limit():
    """RULES 4: "or with a larger bet if the limit allows"."""
    dealt = seven("nl")
    assert dealt.hand.turn == 1  # in no limit the highest up card, the king
    assert dealt.offered.raise_least == 6
    played(dealt, (1, RAISE, 6), (2, CALL))
    assert dealt.offered.raise_least == 12


def test_tied_open_hands_begin_nearest_the_dealers_box():
    """BC-101: "Suits decide the bring-in only, afterwards position"."""
    dealt = seven(holes={1: "5d6dTs2c", 2: "4c5hKhQd", 3: "6h7hKsQc"})
    played(dealt, (1, BRING_IN), (2, CALL), (3, CALL))
    dealt.deals()
    assert dealt.hand.turn == 2


OPEN_PAIR = {1: "2c3cKsKd", 2: "4h5h7h9c", 3: "6c7c4d3s"}


def on_fourth(variant: str) -> Dealt:
    dealt = seven(variant=variant, holes=OPEN_PAIR, small_bet=5, big_bet=10, bring_in=2)
    played(dealt, (3, BRING_IN), (1, CALL), (2, CALL))
    dealt.deals()
    assert dealt.hand.turn == 1
    return dealt


def test_an_open_pair_lets_anybody_bet_double():
    """RULES 3: "bet 5 or 10 in 5/10; after a double wager no smaller raise: 5, 15, 25, 35"."""
    dealt = on_fourth("stud7")
    assert dealt.offered.sizes == (5, 10)
    played(dealt, (1, RAISE, 5))
    assert dealt.offered.sizes == (10, 15)
    played(dealt, (2, RAISE, 15))
    for total in (25, 35):
        offered = dealt.offered
        assert (offered.raise_least, offered.raise_most, offered.sizes) == (total, total, ())
        played(dealt, (offered.seat, RAISE, total))
    assert dealt.offered.no_raise == "cap"


def test_between_the_two_sizes_there_is_none():
    dealt = on_fourth("stud7")
    refused = Refusal(HandCode.NOT_A_SIZE, least=5, most=10)
    assert dealt.tries(dealt.the_act(RAISE, 7)) == refused


def test_no_double_bet_in_high_low():
    """BC-100: "The open-pair option exists in stud high only"."""
    offered = on_fourth("stud7_hilo").offered
    assert (offered.raise_least, offered.raise_most, offered.sizes) == (5, 5, ())


def test_the_draw_of_et_begins_its_second_round_left_of_the_big_blind():
    """RULES 4: "`draw32` second round: `lt` left of the button; `et` left of the big blind"."""
    for rulebook, first in (("lt", 1), ("et", 3)):
        dealt = Dealt(
            (rulebook, "draw32", "nl"),
            {1: 500, 2: 500, 3: 500, 4: 500},
            Stakes(small_blind=5, big_blind=10),
            rules_deck(),
            button=4,
            blinds=(1, 2),
        )
        played(dealt, (3, CALL), (4, CALL), (1, CALL), (2, CHECK))
        played(dealt, (1, DRAW), (2, DRAW), (3, DRAW), (4, DRAW))
        assert dealt.hand.turn == first


def rules_deck() -> list[int]:
    return dealt_places((), {}, "7-A")


def test_every_street_of_stud_is_dealt_to_those_still_in():
    dealt = seven()
    played(dealt, (3, BRING_IN), (1, FOLD), (2, CALL))
    dealt.deals()
    fourth = dealt.happened(StreetDealt)[-1]
    assert [to.seat for to in fourth.to] == [2, 3]
    assert dealt.hand.baton is Baton.BETTING
