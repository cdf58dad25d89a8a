"""Rule cases: disputes and bug reports as data, and how one is played through the engine.

`cases.json` holds them as they were collected, with their conventions. Here they become hands, by
the same decisions that the services take. Checks nothing: what is expected is the checks' business.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from riverboat.game.cards import DECKS, cards
from riverboat.game.commands import Action
from riverboat.game.hand.events import PotAwarded, Stakes, UncalledReturned
from riverboat.game.hand.forced import Debt
from riverboat.game.hand.options import Options
from riverboat.game.hand.state import NOBODY, Phase
from riverboat.game.refusals import Refusal
from tests.game.hand.dealt import Dealt, dealt_places

Case = dict[str, Any]
Legal = dict[str, Any]
Proof = Callable[[Case], set[str]]  # proves a case, and tells which of its fields
Check = Callable[[Case, Any], None]  # of one field: the case, and what it expects there

CASES: Final[dict[str, Case]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))["cases"]
}

# Whose rules come with later work.
TOURNAMENTS: Final = "172 173 175 178 179 180 181 182"
NOT_YET: Final = frozenset(f"BC-{number}" for number in TOURNAMENTS.split())
DUE: Final = {name: case for name, case in CASES.items() if name not in NOT_YET}

LIMITS: Final = {
    "no-limit": "nl",
    "pot-limit": "pl",
    "fixed-limit": "fl",
    "no-limit / pot-limit": "pl",
    "any": "nl",
}
VARIANTS: Final = {
    "holdem": "holdem",
    "any": "holdem",
    "omaha (4 cards)": "omaha",
    "omaha hi/lo 8 or better": "omaha_hilo",
}
SIMPLE: Final = {"fold": Action.FOLD, "check": Action.CHECK, "call": Action.CALL}


class Played:
    """A case, played as far as its actions go."""

    def __init__(self, case: Case, rulebook: str = "standard") -> None:
        setup = case["setup"]
        self.case = case
        # A seat of a hand is numbered from 1; some cases count from 0.
        self.base = int(0 in setup["seats"])
        button = self.seat(setup["button"])
        dealt_in = [self.seat(seat) for seat in setup.get("in_hand", setup["seats"])]
        order = sorted(dealt_in, key=lambda seat: (seat <= button, seat))
        holes = {
            self.seat(seat): cards(own)
            for seat, own in setup.get("cards", {}).get("hole", {}).items()
        }
        self.size = 4 if case["variant"].startswith("omaha") else 2
        self.dealt = Dealt(
            (rulebook, VARIANTS[case["variant"]], LIMITS[case["limit"]]),
            {seat: setup["stacks"][str(seat - self.base)] for seat in order},
            _stakes(setup),
            self._deck(order, holes),
            button=button,
            blinds=self._blinds(order),
            debts={
                self.seat(seat): Debt(post["live"], post["dead"])
                for seat, post in setup.get("posts", {}).items()
            },
        )
        for action in case["actions"]:
            self.acts(action)

    def seat(self, number: int | str) -> int:
        """The seat as the hand numbers it."""
        return int(number) + self.base

    def _blinds(self, order: list[int]) -> tuple[int, int]:
        small, big = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
        return (NOBODY if "small_blind" in self.case["setup"] else small, big)

    def _deck(self, order: list[int], holes: dict[int, tuple[int, ...]]) -> list[int]:
        """Holes as given or any others, then the board of the actions, then that of the setting."""
        streets = [action["deal"] for action in self.case["actions"] if "deal" in action]
        streets += self.case["setup"].get("cards", {}).get("board", [])[len(streets) :]
        board = cards("".join(streets))
        known = {*board, *(card for hole in holes.values() for card in hole)}
        rest = [card for card in DECKS["52"] if card not in known]
        every = {seat: holes.get(seat) or [rest.pop() for _ in range(self.size)] for seat in order}
        own = dealt_places(order, every, "52")[: self.size * len(order)]
        return [*own, *board, *(card for card in rest if card not in own)]

    def acts(self, action: Case) -> None:
        """Do what the case says next."""
        if "deal" in action:
            self.dealt.deals()
            return
        seat, kind = self.seat(action["seat"]), action["act"]
        if kind in SIMPLE:
            self.dealt.does(seat, SIMPLE[kind])
        elif kind == "all_in" and action["amount"] <= self.dealt.hand.price:
            self.dealt.does(seat, Action.CALL)
        else:
            assert kind in ("bet", "raise_to", "all_in")
            self.dealt.does(seat, Action.RAISE, action["amount"])

    def calls(self, seat: int | str) -> None:
        """The seat of that number in the case calls."""
        self.dealt.does(self.seat(seat), Action.CALL)

    def to_the_flop(self) -> None:
        """Deal the flop, where it is owed."""
        if self.dealt.hand.street == 0:
            self.dealt.deals()

    def to_the_end(self) -> None:
        """Whatever is left without a decision: streets, the showdown."""
        if self.dealt.hand.phase is not Phase.OVER:
            self.dealt.to_the_end()

    def refuses_raise(self, seat: int, total: int) -> Refusal:
        """Why the seat may not bet or raise to `total`."""
        outcome = self.dealt.tries(self.dealt.the_act(Action.RAISE, total), self.seat(seat))
        assert isinstance(outcome, Refusal)
        return outcome

    # What is there to be seen, in the case's own numbers.

    def next_to_act(self) -> int | None:
        turn = self.dealt.hand.turn
        return None if turn == NOBODY else turn - self.base

    def call_amount(self) -> int:
        offered = self.dealt.offered
        return max(0, offered.call - self.dealt.hand.seats[offered.seat].bet)

    def legal(self) -> Legal:
        """What the seat on turn may do, as the cases say it."""
        offered = self.dealt.offered
        return {
            "actor": offered.seat - self.base,
            "call": self.call_amount(),
            "min_raise_to": offered.raise_least or None,
            "max_raise_to": offered.raise_most or None,
            "may_raise": offered.raise_least > 0,
        }

    def pots(self) -> list[list[Any]]:
        return [
            [pot.amount, sorted(seat - self.base for seat in pot.seats)]
            for pot in self.dealt.hand.pots
        ]

    def paid(self) -> dict[str, int]:
        """What each seat won from the pots, zeros left out."""
        won: Counter[str] = Counter()
        for event in self.dealt.events:
            if isinstance(event, PotAwarded):
                for share in event.shares:
                    won[str(share.seat - self.base)] += share.amount
        return {seat: amount for seat, amount in won.items() if amount}

    def returned(self) -> dict[str, int]:
        return {
            str(event.seat - self.base): event.amount
            for event in self.dealt.events
            if isinstance(event, UncalledReturned)
        }


def names(offered: Options) -> list[str]:
    """What may be done at all, in the order of the buttons."""
    flags = {
        "fold": offered.fold,
        "check": offered.check,
        "call": offered.call > 0,
        "raise": offered.raise_least > 0,
    }
    return [name for name, on in flags.items() if on]


def _stakes(setup: Case) -> Stakes:
    blinds = setup["blinds"]
    if "sb" in blinds:
        stakes = Stakes(small_blind=blinds["sb"], big_blind=blinds["bb"])
    else:
        # Nobody posts the small blind; it is half the big one.
        big = max(blinds.values())
        stakes = Stakes(small_blind=big // 2, big_blind=big)
    ante = setup.get("ante", 0)
    if isinstance(ante, dict):
        stakes.big_blind_ante = ante["amount"]
    else:
        stakes.ante = ante
    if "bets" in setup:
        stakes.small_bet, stakes.big_bet = setup["bets"]["small"], setup["bets"]["big"]
    return stakes
