"""Rule cases of games beyond hold'em and Omaha: spread and half pot limit, stud, draw.

Each proves every field of one case, by a hand of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from riverboat.game.cards import DECKS, cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import Reshuffled, Stakes, StreetDealt
from riverboat.game.hand.pots import pots
from riverboat.game.hand.state import Phase
from riverboat.game.rules import game
from tests.game.hand.dealt import Dealt, dealt_places
from tests.rules.runner import Case, Proof, names

FOLD, CHECK, CALL, RAISE = Action.FOLD, Action.CHECK, Action.CALL, Action.RAISE
BRING_IN, DRAW = Action.BRING_IN, Action.DRAW
STUD_ACTS: Final = {
    "bring_in": BRING_IN,
    "complete_to": RAISE,
    "raise_to": RAISE,
    "call": CALL,
}


def legal(dealt: Dealt) -> dict[str, Any]:
    """What the seat on turn may do, as the cases say it."""
    offered = dealt.offered
    call = offered.bring_in or offered.call
    return {
        "actor": offered.seat,
        "call": max(0, call - dealt.hand.seats[offered.seat].bet),
        "min_raise_to": offered.raise_least or None,
        "max_raise_to": offered.raise_most or None,
        "may_raise": offered.raise_least > 0,
    }


def blinds_game(variant: str, limit: str, many: int = 3, stack: int = 500, **stakes: Any) -> Dealt:
    """Seats from 1, the button the last."""
    ids = ("standard", variant, limit)
    return Dealt(
        ids,
        dict.fromkeys(range(1, many + 1), stack),
        Stakes(**stakes),
        DECKS[game(*ids).deck],
        button=many,
        blinds=((1, 2) if many > 2 else (2, 1)) if "big_blind" in stakes else (0, 0),
    )


def to_the_flop(dealt: Dealt) -> None:
    while dealt.hand.phase is not Phase.DEAL:
        dealt.does(dealt.hand.turn, CALL if dealt.offered.call else CHECK)
    dealt.deals()


# Betting.


def button_posts_the_only_blind(case: Case) -> set[str]:
    """BC-051: "the other player faces a bet of 2 and acts first"."""
    expected, setup = case["expected"], case["setup"]
    dealt = blinds_game(
        "short_deck", "nl", many=2, stack=400, ante=setup["ante"], button_blind=setup["min_bet"]
    )
    assert legal(dealt) == expected["legal"]
    assert dealt.hand.turn == expected["first_to_act_preflop"]
    to_the_flop(dealt)
    assert dealt.hand.turn == expected["first_to_act_flop"]
    return {"legal", "first_to_act_preflop", "first_to_act_flop", "note"}


def half_a_pot(case: Case) -> set[str]:
    """BC-080: "bet + f x (pot including the bet + own call)", rounded down here."""
    expected = case["expected"]

    def most(limit: str, small: int, big: int, bet: int) -> int:
        """Over a bet on the flop, into the blinds of two players and what a third folded."""
        # In pot limit, where the bet itself may be more than half a pot.
        dealt = blinds_game("holdem", "pl", small_blind=small, big_blind=big)
        dealt.does(3, CALL)
        dealt.does(1, FOLD)
        dealt.does(2, CHECK)
        dealt.deals()
        dealt.does(2, RAISE, bet)
        dealt.hand.game = game("standard", "holdem", limit)
        return dealt.offered.raise_most

    bet = case["setup"]["bet"]
    assert most("hpl", 20, 40, bet) == expected["half_pot_max_raise_to"]
    assert most("pl", 20, 40, bet) == expected["pot_max_raise_to"]
    odd, preflop = expected["other"]
    assert most("hpl", 1, 2, odd["bet"]) == int(odd["half_pot_raise_to"])
    assert most("pl", 1, 2, odd["bet"]) == odd["pot_raise_to"]
    small, big = preflop["preflop_blinds"]
    dealt = blinds_game("holdem", "hpl", small_blind=small, big_blind=big)
    assert dealt.offered.raise_most == int(preflop["half_pot_raise_to"])
    return set(expected)


def three_raises_in_every_game(case: Case) -> set[str]:
    """BC-086: three raises, in games of two rounds too."""
    usual = next(
        rule for name, rule in case["expected"]["by_ruleset"].items() if name.startswith("usual")
    )
    for variant in ("draw5", "single_draw27", "triple_draw27", "badugi"):
        dealt = blinds_game(variant, "fl", small_blind=5, big_blind=10, small_bet=10, big_bet=20)
        raises = 0
        while dealt.offered.raise_least:
            dealt.does(dealt.hand.turn, RAISE, dealt.offered.raise_least)
            raises += 1
        assert raises == usual["raises_after_the_bet"]
        assert dealt.hand.price == usual["highest_first_round_bet"]
    return {"by_ruleset"}


def a_spread_of_two_numbers(case: Case) -> set[str]:
    """BC-092: "at least the last bet or raise and at most the upper spread"."""
    expected = case["expected"]

    def range_over(spread: list[int], bet: int) -> list[int]:
        dealt = blinds_game("holdem", "sl", small_blind=1, big_blind=1, spread=tuple(spread))
        to_the_flop(dealt)
        dealt.does(1, RAISE, bet)
        return [dealt.offered.raise_least, dealt.offered.raise_most]

    setup = case["setup"]
    bet = setup["bet"]
    found = range_over(setup["spread"], bet)
    assert found == [expected["min_raise_to"], expected["max_raise_to"]]
    assert [total - bet for total in found] == expected["raise_by"]
    for other in expected["other"]:
        assert range_over(other["spread"], other["bet"]) == other["raise_to"]
    return set(expected)


# Stud.


def stud(case: Case, variant: str) -> Dealt:
    """The case's hand, as far as its actions go; the dealer's left is dealt first."""
    setup = case["setup"]
    own = {int(seat): cards(held) for seat, held in setup["cards"]["third_street"].items()}
    fourth = [cards(held)[0] for held in setup["cards"].get("fourth", {}).values()]
    deck = dealt_places(tuple(own), own, "52")
    many = 3 * len(own)
    rest = [card for card in deck[many:] if card not in fourth]
    dealt = Dealt(
        ("standard", variant, "fl"),
        {int(seat): stack for seat, stack in setup["stacks"].items()},
        Stakes(
            ante=setup["ante"],
            bring_in=setup["bring_in"],
            small_bet=setup["bets"]["small"],
            big_bet=setup["bets"]["big"],
        ),
        [*deck[:many], *fourth, *rest],
    )
    for action in case["actions"]:
        dealt.does(action["seat"], STUD_ACTS[action["act"]], action.get("amount", 0))
    return dealt


def completion_is_the_bet(case: Case) -> set[str]:
    """BC-095: "Bring-in 5, completion to 15, then three raises 30, 45, 60"."""
    assert legal(stud(case, "stud7")) == case["expected"]["legal"]
    opened = stud({**case, "actions": case["actions"][:1]}, "stud7")
    assert opened.offered.call == case["expected"]["call_after_bring_in"]
    return set(case["expected"])


def raise_after_a_completion(case: Case) -> set[str]:
    """BC-096: "Completion to 4, the raise is to 8"; the highest card brings in."""
    expected = case["expected"]
    dealt = stud(case, "razz")
    assert legal(dealt) == expected["legal"]
    assert dealt.offered.raise_least != expected["wrong_answer"]
    first = stud({**case, "actions": []}, "razz").hand
    ranks = {seat.seat: seat.up[0] >> 2 for seat in first.seats.values()}
    assert expected["bring_in_rule"] == "razz: highest card brings in"
    assert ranks[first.turn] == max(ranks.values())
    return set(expected)


def all_in_for_the_ante(case: Case) -> set[str]:
    """BC-098: the action starts left of the low card that has nothing left."""
    expected = case["expected"]
    dealt = stud(case, "stud7")
    assert dealt.hand.turn == expected["next_to_act"]
    offered = dealt.offered
    found = [*names(offered)[:1], f"bring_in {offered.bring_in}"]
    assert [*found, f"complete_to {offered.raise_least}"] == expected["legal_actions"]
    assert dealt.hand.seats[3].all_in
    dealt.does(1, BRING_IN)
    dealt.does(2, CALL)
    main = pots(dealt.hand)[0]
    assert expected["seat_3"] == f"all-in, plays for {main.amount}"
    assert 3 in main.seats
    return set(expected)


def no_double_bet_in_high_low(case: Case) -> set[str]:
    """BC-100: "The open-pair option exists in stud high only"."""
    setup = case["setup"]
    up = {int(seat): held for seat, held in setup["upcards"].items()}
    third = {"1": f"2d5d{up[1][:2]}", "2": f"8c9d{up[2][:2]}", "3": f"6h7c{up[3][:2]}"}
    given = {
        **case,
        "setup": {
            "stacks": dict.fromkeys(("1", "2", "3"), 500),
            "ante": 1,
            "bring_in": 2,
            "bets": setup["bets"],
            "cards": {"third_street": third, "fourth": {s: up[int(s)][2:] for s in third}},
        },
    }
    sizes = {}
    for variant in ("stud7_hilo", "razz", "stud7"):
        dealt = stud(given, variant)
        dealt.does(dealt.hand.turn, BRING_IN)
        to_the_flop(dealt)
        while dealt.hand.turn != 1:
            dealt.does(dealt.hand.turn, CHECK)
        offered = dealt.offered
        assert offered.check
        sizes[variant] = offered.sizes or (offered.raise_least, offered.raise_most)
    assert case["expected"]["seat_1"] == ["check", f"bet {setup['bets']['small']}"]
    assert sizes == {"stud7_hilo": (5, 5), "razz": (5, 5), "stud7": (5, 10)}
    return {"seat_1"}


def tied_boards_by_position(case: Case) -> set[str]:
    """BC-101: "Suits decide the bring-in only, afterwards position"."""
    assert case["expected"]["choose"] == "position"
    dealt = stud(case, "stud7")
    dealt.deals()
    by_position = next(
        rule for name, rule in case["expected"]["by_ruleset"].items() if "position" in name
    )
    assert dealt.hand.turn == by_position["first_to_act"]
    return set(case["expected"])


def seven_players_need_no_burns(case: Case) -> set[str]:
    """BC-103: "7 x 7 = 49 <= 52"."""
    expected = case["expected"]
    assert expected["choose"] == "individual cards"
    seats = case["setup"]["seats"]
    dealt = Dealt(
        ("standard", "stud7", "fl"),
        dict.fromkeys(seats, 500),
        Stakes(ante=1, bring_in=2, small_bet=5),
        DECKS["52"],
    )
    dealt.does(dealt.hand.turn, BRING_IN)
    for _ in range(4):
        to_the_flop(dealt)
    last = dealt.happened(StreetDealt)[-1]
    assert [to.seat for to in last.to] == seats
    assert not last.board
    assert dealt.hand.next_place == expected["needed_without_burns"]
    assert expected["needed_with_4_burns"] == expected["needed_without_burns"] + 4
    return set(expected)


# Draws.


def drawing(stacks: Mapping[int, int], seed: int = 1) -> Dealt:
    dealt = Dealt(
        ("standard", "triple_draw27", "fl"),
        stacks,
        Stakes(small_blind=5, big_blind=10),
        Random(seed).sample(DECKS["52"], 52),
        button=max(stacks),
        blinds=(1, 2),
    )
    while dealt.hand.phase is not Phase.DEAL:
        dealt.does(dealt.hand.turn, CALL if dealt.offered.call else CHECK)
    dealt.deals()
    return dealt


def own_discards_stay_away(case: Case) -> set[str]:
    """BC-108: "filters, per player, every card that this player has discarded in this hand"."""
    expected = case["expected"]
    assert (expected["seat_3_may_receive_2s"], expected["other_seats_may_receive_2s"]) == (
        False,
        True,
    )
    to_others = reshuffles = 0
    for seed in range(6):
        dealt = drawing(dict.fromkeys(range(1, 7), 500), seed)
        thrown: dict[int, set[int]] = {seat: set() for seat in dealt.hand.seats}
        for draws in range(3):
            for seat in range(1, 7):
                mine = [dealt.deck[place] for place in dealt.hand.seats[seat].places]
                thrown[seat] |= set(mine[:4])
                dealt.does(seat, DRAW, throw=(0, 1, 2, 3))
                now = {dealt.deck[place] for place in dealt.hand.seats[seat].places}
                assert not now & thrown[seat]
                to_others += any(now & thrown[other] for other in thrown if other != seat)
            while draws < 2 and dealt.hand.phase is not Phase.DRAW:
                if dealt.hand.phase is Phase.DEAL:
                    dealt.deals()
                else:
                    dealt.does(dealt.hand.turn, CHECK)
        reshuffles = max(reshuffles, len(dealt.happened(Reshuffled)))
    assert to_others > 0
    assert (reshuffles > 1) is expected["several_reshuffles_per_hand"]
    return set(expected)


def discards_of_the_round(case: Case) -> set[str]:
    """BC-109: the new stub holds what others threw, never what the drawing seat just threw."""
    expected = case["expected"]
    assert expected["new_stub"].startswith("discards of earlier draws and of other players before")
    assert expected["must_not_contain"] == "the three cards just discarded by seat 1"
    dealt = drawing(dict.fromkeys(range(1, 7), 500))
    for seat in range(1, 7):
        dealt.does(seat, DRAW, throw=(0, 1, 2) if seat < 6 else (0, 1, 2, 3, 4))
    stubs = dealt.decks[1:]
    while dealt.hand.phase is not Phase.DRAW:
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
        else:
            dealt.does(dealt.hand.turn, CHECK)
    mine = {dealt.deck[place] for place in dealt.hand.seats[1].places[:3]}
    earlier = {dealt.deck[place] for seat in dealt.hand.seats.values() for place in seat.thrown}
    dealt.does(1, DRAW, throw=(0, 1, 2))
    (stub,) = dealt.decks[1 + len(stubs) :] or [dealt.decks[-1]]
    assert not mine & set(stub)
    assert set(stub) <= earlier
    return set(expected)


def all_in_players_draw(case: Case) -> set[str]:
    """BC-112: "It takes part in all three draws and in no betting round"."""
    expected = case["expected"]
    dealt = drawing({1: 500, 2: 500, 3: 10})
    drew = 0
    for _ in range(3):
        order = []
        while dealt.hand.phase is Phase.DRAW:
            order.append(dealt.hand.turn)
            dealt.does(dealt.hand.turn, DRAW, throw=(0,))
        assert order == expected["drawing_order"]
        drew += 3 in order
        order = []
        while dealt.hand.turn:
            order.append(dealt.hand.turn)
            dealt.does(dealt.hand.turn, CHECK)
        assert order == expected["betting_order_after_draw"]
        if dealt.hand.phase is Phase.DEAL:
            dealt.deals()
    assert drew == expected["draws_for_seat_3"]
    return set(expected)


PROOFS: Final[dict[str, Proof]] = {
    "BC-051": button_posts_the_only_blind,
    "BC-080": half_a_pot,
    "BC-086": three_raises_in_every_game,
    "BC-092": a_spread_of_two_numbers,
    "BC-095": completion_is_the_bet,
    "BC-096": raise_after_a_completion,
    "BC-098": all_in_for_the_ante,
    "BC-100": no_double_bet_in_high_low,
    "BC-101": tied_boards_by_position,
    "BC-103": seven_players_need_no_burns,
    "BC-108": own_discards_stay_away,
    "BC-109": discards_of_the_round,
    "BC-112": all_in_players_draw,
}
