"""Cases from bug reports and rule disputes, as data: who may do what, and what it comes to.

`cases.json` holds for each the setting, the actions and what must be true; every key of it is
checked here, and a key that nothing checks fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from riverboat.game.cards import DECKS, cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import (
    Called,
    Post,
    Posted,
    RoundClosed,
    Stakes,
    StreetDealt,
    UncalledReturned,
)
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import options
from riverboat.game.hand.state import NOBODY, Baton, Phase
from riverboat.game.refusals import Refusal
from tests.game.hand.dealt import Dealt, dealt_places

Case = dict[str, Any]
CASES: Final[list[Case]] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))

LIMITS: Final = {"no-limit": "nl", "pot-limit": "pl", "fixed-limit": "fl"}
VARIANTS: Final = {"holdem": "holdem", "any": "holdem", "omaha (4 cards)": "omaha"}
ACTIONS: Final = {"fold": Action.FOLD, "check": Action.CHECK, "call": Action.CALL}


class Played:
    """A case, played as far as its actions go."""

    def __init__(self, case: Case, rulebook: str = "standard", upto: int | None = None) -> None:
        self.case = case
        setup = case["setup"]
        # A seat of a hand is numbered from 1; some cases count from 0.
        self.base = 1 if 0 in setup["seats"] else 0
        order = self._order([self.seat(seat) for seat in setup["seats"]], setup["button"])
        self.holes = {
            self.seat(seat): cards(hole)
            for seat, hole in setup.get("cards", {}).get("hole", {}).items()
        }
        blinds = self._blinds(order, setup)
        stacks = {seat: setup["stacks"][str(seat - self.base)] for seat in order}
        deck = self._deck(order, upto)
        self.dealt = Dealt(
            (rulebook, VARIANTS[case["variant"]], LIMITS[case["limit"]]),
            stacks,
            self._stakes(setup),
            deck,
            button=self.seat(setup["button"]),
            blinds=blinds,
            debts={
                self.seat(seat): Debt(post["live"], post["dead"])
                for seat, post in setup.get("posts", {}).items()
            },
        )
        for action in case["actions"][:upto]:
            self.acts(action)

    def seat(self, number: int | str) -> int:
        return int(number) + self.base

    def _order(self, seats: list[int], button: int) -> list[int]:
        return sorted(seats, key=lambda seat: (seat <= self.seat(button), seat))

    def _blinds(self, order: list[int], setup: Case) -> tuple[int, int]:
        if "small_blind_seat" in setup:
            return setup["small_blind_seat"], setup["big_blind_seat"]
        return (order[1], order[0]) if len(order) == 2 else (order[0], order[1])

    def _stakes(self, setup: Case) -> Stakes:
        stakes = Stakes(small_blind=setup["blinds"]["sb"], big_blind=setup["blinds"]["bb"])
        ante = setup.get("ante", 0)
        if isinstance(ante, dict):
            stakes.big_blind_ante = ante["amount"]
        else:
            stakes.ante = ante
        if "bets" in setup:
            stakes.small_bet, stakes.big_bet = setup["bets"]["small"], setup["bets"]["big"]
        return stakes

    def _deck(self, order: list[int], upto: int | None) -> list[int]:
        """Holes as given or any others, then the board of the actions, then that of the setting."""
        streets = [action["deal"] for action in self.case["actions"] if "deal" in action]
        streets += self.case["setup"].get("cards", {}).get("board", [])[len(streets) :]
        board = cards("".join(streets))
        size = 4 if "omaha" in self.case["variant"] else 2
        known = {*board, *(card for hole in self.holes.values() for card in hole)}
        rest = [card for card in DECKS["52"] if card not in known]
        holes = {s: self.holes.get(s) or [rest.pop() for _ in range(size)] for s in order}
        deck = dealt_places(order, holes, "52")[: size * len(order)]
        return [*deck, *board, *(card for card in rest if card not in deck)]

    def acts(self, action: Case) -> None:
        if "deal" in action:
            self.dealt.deals()
            return
        seat = self.seat(action["seat"])
        kind = action["act"]
        if kind == "leave":
            self.dealt.leaves(seat)
        elif kind in ACTIONS:
            self.dealt.does(seat, ACTIONS[kind])
        elif kind == "all_in" and action["amount"] <= self.dealt.hand.price:
            self.dealt.does(seat, Action.CALL)
        else:
            assert kind in ("bet", "raise_to", "all_in")
            self.dealt.does(seat, Action.RAISE, action["amount"])

    def legal(self) -> Case:
        """What the seat on turn may do, as the cases say it."""
        if self.dealt.hand.turn == NOBODY and self.dealt.hand.phase is Phase.DEAL:
            self.dealt.deals()
        offered = self.dealt.offered
        seat = self.dealt.hand.seats[offered.seat]
        return {
            "actor": offered.seat - self.base,
            "call": max(0, offered.call - seat.bet),
            "min_raise_to": offered.raise_least or None,
            "max_raise_to": offered.raise_most or None,
            "may_raise": offered.raise_least > 0,
        }

    def to_the_end(self) -> None:
        if self.dealt.hand.phase is not Phase.OVER:
            self.dealt.to_the_end()


def _legal(played: Played, expected: Case) -> None:
    kind = expected.pop("kind", None)
    assert played.legal() == expected
    if kind == "all-in only":
        seat = played.dealt.hand.seats[played.dealt.hand.turn]
        assert expected["min_raise_to"] == seat.bet + seat.stack


def _legal_actions(played: Played, expected: list[str]) -> None:
    offered = played.dealt.offered
    flags = {
        "fold": offered.fold,
        "check": offered.check,
        "call": offered.call > 0,
        "raise": offered.raise_least > 0,
    }
    assert [name for name, on in flags.items() if on] == expected


def _before(played: Played, expected: list[Case]) -> None:
    for row in expected:
        earlier = Played(played.case, upto=row["after"])
        assert earlier.legal() == row["legal"]
        assert earlier.dealt.hand.pot == row.get("pot", earlier.dealt.hand.pot)


def _then(played: Played, expected: list[Case]) -> None:
    for row in expected:
        for action in row["actions"]:
            played.acts(action)
        assert played.legal() == row["legal"]


def _by_rulebook(played: Played, expected: dict[str, Case]) -> None:
    for rulebook, legal in expected.items():
        assert Played(played.case, rulebook).legal() == legal, rulebook


def _refused(played: Played, expected: list[Case]) -> None:
    for row in expected:
        command = played.dealt.the_act(Action.RAISE, row["amount"])
        seat = played.seat(row["seat"]) if "seat" in row else None
        outcome = played.dealt.tries(command, seat)
        assert isinstance(outcome, Refusal)
        assert outcome.code.name == row["code"]


def _pots(played: Played, expected: list[list[Any]]) -> None:
    played.to_the_end()
    got = [
        [pot.amount, sorted(seat - played.base for seat in pot.seats)]
        for pot in played.dealt.hand.pots
    ]
    assert got == expected


def _payouts(played: Played, expected: dict[str, int]) -> None:
    played.to_the_end()
    paid = {str(seat - played.base): won for seat, won in played.dealt.won().items()}
    assert paid == {seat: amount for seat, amount in expected.items() if amount}


def _final_stacks(played: Played, expected: dict[str, int]) -> None:
    played.to_the_end()
    _stacks(played, expected)


def _stacks(played: Played, expected: dict[str, int]) -> None:
    seats = played.dealt.hand.seats
    assert {seat: seats[played.seat(seat)].stack for seat in expected} == expected


def _bets(played: Played, expected: dict[str, int]) -> None:
    seats = played.dealt.hand.seats
    assert {seat: seats[played.seat(seat)].bet for seat in expected} == expected


def _uncalled(played: Played, expected: dict[str, int]) -> None:
    played.to_the_end()
    got = {
        str(event.seat - played.base): event.amount
        for event in played.dealt.events
        if isinstance(event, UncalledReturned)
    }
    assert got == expected


def _next_to_act(played: Played, expected: int | None) -> None:
    turn = played.dealt.hand.turn
    assert turn == (NOBODY if expected is None else played.seat(expected))
    assert (options(played.dealt.hand) is None) == (expected is None)


def _no_more_betting(played: Played, expected: bool) -> None:
    assert expected
    while played.dealt.hand.phase is Phase.DEAL:
        played.dealt.deals()
        assert played.dealt.hand.turn == NOBODY
    assert played.dealt.hand.baton is Baton.SHOWDOWN


def _dealt_without_action(played: Played, expected: list[str]) -> None:
    before = len(played.dealt.events)
    played.dealt.deals()
    dealt = [e for e in played.dealt.events[before:] if isinstance(e, StreetDealt)]
    assert [event.board[0].cards for event in dealt] == [cards(letters) for letters in expected]


def _order_on_flop(played: Played, expected: list[int]) -> None:
    if played.dealt.hand.phase is Phase.DEAL:
        played.dealt.deals()
    order = []
    while played.dealt.hand.turn:
        order.append(played.dealt.hand.turn - played.base)
        played.dealt.does(played.dealt.hand.turn, Action.CHECK)
    assert order == expected


def _dealt_last_card(played: Played, expected: int) -> None:
    first = next(event for event in played.dealt.events if isinstance(event, StreetDealt))
    assert first.to[-1].seat == played.seat(expected)
    assert max(first.to[-1].down) == max(place for to in first.to for place in to.down)


def _posted(played: Played, expected: dict[str, Case]) -> None:
    for seat, amounts in expected.items():
        posts = {
            event.post: event.amount
            for event in played.dealt.events
            if isinstance(event, Posted) and event.seat == played.seat(seat)
        }
        assert posts == {Post.EXTRA_BLIND: amounts["live"], Post.DEAD_BLIND: amounts["dead"]}


def _all_in(played: Played, expected: list[int]) -> None:
    seats = played.dealt.hand.seats.values()
    assert [seat.seat - played.base for seat in seats if seat.all_in] == expected


def _pot_total(played: Played, expected: int) -> None:
    assert played.dealt.hand.pot == expected


def _committed(played: Played, expected: dict[str, int]) -> None:
    """What each put in before anything came back: "call" must not be recorded as less."""
    live = {str(seat): 0 for seat in played.case["setup"]["seats"]}
    for event in played.dealt.events:
        if isinstance(event, RoundClosed):
            break
        if isinstance(event, Posted):
            live[str(event.seat - played.base)] += event.amount
        elif isinstance(event, Called):
            live[str(event.seat - played.base)] = event.total
    assert live == expected


def _times_out_to(played: Played, expected: str) -> None:
    before = len(played.dealt.events)
    played.dealt.times_out()
    names = [type(event).__name__ for event in played.dealt.events[before:]]
    assert names[:2] == ["TimedOut", expected]


CHECKS: Final[dict[str, Callable[[Played, Any], None]]] = {
    # Those that look come before those that play on.
    "before": _before,
    "by_rulebook": _by_rulebook,
    "legal": _legal,
    "legal_actions": _legal_actions,
    "refused": _refused,
    "next_to_act": _next_to_act,
    "posted": _posted,
    "all_in": _all_in,
    "pot_total": _pot_total,
    "committed": _committed,
    "stacks": _stacks,
    "bets": _bets,
    "dealt_last_card": _dealt_last_card,
    "then": _then,
    "times_out_to": _times_out_to,
    "order_on_flop": _order_on_flop,
    "no_more_betting": _no_more_betting,
    "dealt_without_action": _dealt_without_action,
    "uncalled_returned": _uncalled,
    "pots": _pots,
    "payouts": _payouts,
    "final_stacks": _final_stacks,
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_case_goes_as_it_must(case):
    """RULES 9: "the three documents for their rulebooks; this page; the cases"."""
    expected = case["expected"]
    assert expected.keys() <= CHECKS.keys()
    played = Played(case)
    for key, check in CHECKS.items():
        if key in expected:
            check(played, expected[key])
