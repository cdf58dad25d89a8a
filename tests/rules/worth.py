"""Rule cases of what hands are worth: halves of pots, lowball, 32 cards, suits.

Each proves every field of one case, by the values of the hands that it names or by their showdown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Final

from riverboat.game.cards import cards
from riverboat.game.hand.events import Half, HandEvent
from riverboat.game.hand.judge import judge
from riverboat.game.hand.pots import pots
from riverboat.game.ranking import best, ranking, values
from riverboat.game.rules import game
from tests.game.hand.judged import awards, paid
from tests.game.hand.judged import hand as given_hand
from tests.rules.runner import Case, Played, Proof

# Odd units.


def shared_out(case: Case, variant: str, puts: Mapping[int, int], dead: int) -> list[HandEvent]:
    """The showdown of a pot given by what each put in, and `dead` money more."""
    hand = given_hand(puts, "", of=game("standard", variant, "fl"))
    first = hand.seats[min(puts)]
    first.dead, first.start = dead, first.start + dead
    own = {int(seat): cards(held) for seat, held in case["setup"]["cards"]["hole"].items()}
    return judge(hand, own)


def odd_unit_by_position(case: Case) -> set[str]:
    """BC-105: "seat 1 gets 51 by position (suits do not decide odd units here)"."""
    setup, expected = case["setup"], case["expected"]
    values_of = [
        best("standard", "any_five", cards(h), ()) for h in setup["cards"]["hole"].values()
    ]
    assert (values_of[0] == values_of[1]) is expected["tie"]
    events = shared_out(case, "stud7", {1: 50, 2: 50}, setup["pot"] - 100)
    assert paid(events) == {1: 51, 2: 50}
    # As the ruleset that looks at all cards pays it, though for another reason.
    assert {"1": 51, "2": 50} in [rule["payouts"] for rule in expected["by_ruleset"].values()]
    return set(expected)


def odd_units_of_halves(case: Case) -> set[str]:
    """BC-106: 101 is 51 high and 50 low; two straights share the 51 by position."""
    expected = case["expected"]
    events = shared_out(case, "stud7_hilo", {1: 33, 2: 33, 3: 33}, case["setup"]["pot"] - 99)
    halves = {half: sum(shares.values()) for _, _, half, shares in awards(events)}
    assert halves == {Half.HIGH: expected["high_half"], Half.LOW: expected["low_half"]}
    assert {str(seat): amount for seat, amount in paid(events).items()} == expected["payouts"]
    return set(expected)


# High and low.


def _halves(played: Played) -> tuple[dict[Half, int], dict[int, int]]:
    """The amount of each half, and who got what of the low one."""
    played.to_the_end()
    won = awards(played.dealt.events)
    amounts = {half: sum(shares.values()) for _, _, half, shares in won}
    low = next((shares for _, _, half, shares in won if half is Half.LOW), {})
    return amounts, low


def halves_of_a_hand(case: Case) -> set[str]:
    """BC-116, BC-117, BC-121: the halves of one pot, played from the blinds on."""
    expected = case["expected"]
    played = Played(case)
    amounts, low = _halves(played)
    if expected["low"] is None if "low" in expected else False:
        assert list(amounts) == [Half.WHOLE]
    else:
        assert amounts == {Half.HIGH: expected["high"], Half.LOW: expected["low"]}
        assert {str(seat): amount for seat, amount in low.items()} == expected["low_split"]
        assert played.pots() == expected["pots"]
    assert played.paid() == expected["payouts"]
    stacks = {str(seat.seat): seat.stack for seat in played.dealt.hand.seats.values()}
    assert stacks == expected["final_stacks"]
    return set(expected)


def low_in_letters(value: int) -> str | None:
    """ "8-7-3-2-A" """
    meaning = ranking("ace_to_five_low8").meaning(value)
    return meaning and "-".join("23456789TJQKA"[rank] for rank in meaning.ranks)


def counterfeited_low(case: Case) -> set[str]:
    """BC-119: "Exactly two hole cards and three board cards"."""
    hands, boards = case["setup"]["hands"], case["setup"]["boards"]
    for name, expected in case["expected"].items():
        board = cards(boards[name])
        own = [cards(held) for held in hands.values()]
        found = values("ace_to_five_low8", "two_and_three", board, own)
        assert dict(zip(hands, map(low_in_letters, found), strict=True)) == expected["low"]
        winners = ranking("ace_to_five_low8").winners(found, len(found))
        assert [int([*hands][place]) for place in winners] == expected["low_winner"]
    return set(case["expected"])


def each_pot_is_halved(case: Case) -> set[str]:
    """BC-120: main 101 and side 51, each halved on its own."""
    setup, expected = case["setup"], case["expected"]
    hand = given_hand(
        {1: 25, 2: 50, 3: 50, 4: 26},
        "2d Ac 8h Kd Jc",
        of=game("standard", "omaha_hilo", "pl"),
        button=setup["button"],
        folded=(4,),
        all_in=(1, 2),
    )
    hand.seats[1].dead, hand.seats[1].start = 1, 26
    own = {1: cards("KsKhQsQd"), 2: cards("6c4sJdTc"), 3: cards("7s5hTsTd")}
    lows = values("ace_to_five_low8", "two_and_three", hand.boards[0], own.values())
    said = dict(zip(("1", "2", "3"), map(low_in_letters, lows), strict=True))
    assert {seat: low for seat, low in said.items() if low} == setup["low_qualifiers"]
    highs = values("standard", "two_and_three", hand.boards[0], own.values())
    assert highs == sorted(highs, reverse=True)
    events = judge(hand, own)
    assert [[pot.amount, list(pot.seats)] for pot in pots(hand)] == setup["pots"]
    of_pot = {
        name: {
            half.name.lower(): sum(shares.values())
            for pot, _, half, shares in awards(events)
            if pot == at
        }
        for at, name in enumerate(("main", "side"))
    }
    assert of_pot == {name: expected[name] for name in ("main", "side")}
    won = {str(seat): paid(events).get(seat, 0) for seat in (1, 2, 3)}
    assert won == expected["payouts"]
    return set(expected)


# Hand values.

RANKED: Final = {
    "BC-111": ("low27",),
    "BC-149": ("flush_over_full_house", "telesina", "draw32"),
    "BC-150": ("flush_over_full_house", "telesina", "draw32"),
    "BC-153": ("soko",),
    "BC-154": ("soko",),
    "BC-197": ("flush_over_full_house", "telesina", "draw32"),
}


def order_of_hands(case: Case) -> set[str]:
    """The hands of a case from the best to the worst, in every game that it speaks of."""
    hands = case["setup"]["hands"]
    checked = {"order_best_to_worst"}
    for name in RANKED[case["id"]]:
        worth = {int(seat): ranking(name).value(cards(held)) for seat, held in hands.items()}
        order = sorted(worth, key=lambda seat: -worth[seat])
        assert order == case["expected"]["order_best_to_worst"]
        assert all(len(list(same)) == 1 for _, same in groupby(order, key=worth.__getitem__))
        for field in case["expected"]:
            if described := re.match(r"hand_(\d)", field):
                said = ranking(name).describe(worth[int(described[1])])
                words = re.split(r", |-high", case["expected"][field])
                assert all(word in said for word in words), (said, words)
                checked.add(field)
    return checked


def telesina_by_suits(case: Case) -> set[str]:
    """BC-151: "hearts > diamonds > clubs > spades", as the documents have it."""
    own = [cards(held) for held in case["setup"]["hands"].values()]
    by_suits = next(
        rule for name, rule in case["expected"]["by_ruleset"].items() if "hearts" in name
    )
    worth = [ranking("telesina").value(held) for held in own]
    winners = [place + 1 for place in ranking("telesina").winners(worth, 2)]
    assert winners == by_suits["winners"]
    return {"by_ruleset"}


def two_of_five_hole_cards(case: Case) -> set[str]:
    """BC-199: "A royal flush in the hole is only two cards"."""
    setup, expected = case["setup"], case["expected"]
    played = game("standard", "omaha5", "pl")
    board = cards(setup["board"])
    own = {seat: cards(held) for seat, held in setup["hands"].items()}
    worth = dict(zip(own, values(played.high, played.select, board, own.values()), strict=True))
    assert [int(s) for s in own if worth[s] == max(worth.values())] == expected["winners"]
    for seat, letters in expected["best"].items():
        meaning = ranking(played.high).meaning(worth[seat])
        assert meaning is not None
        seen = sorted({"23456789TJQKA".index(letter) for letter in letters})
        assert sorted(meaning.ranks) == seen
    return set(expected)


PROOFS: Final[dict[str, Proof]] = {
    "BC-105": odd_unit_by_position,
    "BC-106": odd_units_of_halves,
    "BC-116": halves_of_a_hand,
    "BC-117": halves_of_a_hand,
    "BC-119": counterfeited_low,
    "BC-120": each_pot_is_halved,
    "BC-121": halves_of_a_hand,
    "BC-151": telesina_by_suits,
    "BC-199": two_of_five_hole_cards,
    **dict.fromkeys(RANKED, order_of_hands),
}
