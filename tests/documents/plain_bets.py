"""What may be bet or raised, reckoned a second time from a hand's events, as the documents say it.

Who may raise at all, the least and the greatest total, and the totals between where not all are
allowed. Written beside docs/rules/rules.md, section 3; shares nothing with the product but events.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Checked,
    Folded,
    HandEvent,
    Post,
    Posted,
    RaisedTo,
    SplitChosen,
    Stakes,
    StreetDealt,
)

# By the number of rounds, which bet each takes: the lower or the upper; of a spread the first
# number, the second or the third. What is not fixed does not ask.
FIXED = {2: (0, 1), 3: (0, 0, 1), 4: (0, 0, 1, 1), 5: (0, 0, 1, 1, 1)}
SPREAD = {2: (0, 2), 4: (0, 0, 1, 2), 5: (0, 0, 1, 2, 2)}
SPREAD_ET = {**SPREAD, 5: (0, 0, 0, 1, 2)}
# The field's spread has two numbers, the least bet and the greatest bet or raise.
SPREAD_FIELD = dict.fromkeys(range(2, 6), (1, 1, 1, 1, 1))


@dataclass
class Round:
    """One round of betting so far."""

    limit: str
    tier: int  # which of the bets it takes
    stakes: Stakes
    opens: bool = False  # the bring-in is still to come
    pair: bool = False  # an open pair on fourth street
    between: bool = False  # a spread as the field has it: any raise between two numbers
    capped: bool = True  # fixed limit has four bets a round
    price: int = 0
    full: int = 0  # the price as far as it counts
    size: int = 0  # of the last full bet or raise
    bets: int = 0
    double: bool = False
    acted: dict[int, int] = field(default_factory=dict)  # seat: what counted when it acted last

    @property
    def least(self) -> int:
        """The least bet where none was made."""
        stakes = self.stakes
        if self.limit == "sl":
            return stakes.big_blind or stakes.spread[0]
        return stakes.big_blind or stakes.bring_in

    @property
    def unit(self) -> int:
        """Fixed limit's bet."""
        return self.stakes.big_bet if self.tier or self.double else self.stakes.small_bet

    def raised(self, seat: int, total: int) -> None:
        """A bet or raise to `total`."""
        self.opens = False
        if self.limit == "fl":
            over = total - self.full
            if over * 2 >= self.unit:  # half a bet counts as one, less does not
                self.bets += 1
                self.full = total
                self.double |= self.pair and over > self.unit
        else:
            self.size = max(self.size, total - self.price)
            self.full = total
        self.price = total
        self.acted[seat] = self.full

    def brought_in(self, seat: int, due: int) -> None:
        """Completing it is the bet in fixed limit; elsewhere it is a bet itself."""
        self.opens = False
        self.price = due
        if self.limit != "fl":
            self.full, self.size = due, max(self.size, due)
        self.acted[seat] = self.full

    def reopened(self, seat: int) -> bool:
        """Whether what came since the seat acted is a whole raise, or half a bet in fixed limit."""
        if seat not in self.acted:
            return True
        more = self.price - self.acted[seat]
        return more * 2 >= self.unit if self.limit == "fl" else more >= self.size

    def totals(self, everything: int, after_call: int) -> tuple[int, int, set[int]] | None:
        """Least and most, and all there are if few; `after_call` is the pot after a call."""
        least = self.price + self.size
        if self.opens:
            least = max(least, self.stakes.bring_in + 1)
        if self.limit == "nl":
            found = least, everything
        elif self.limit in ("pl", "hpl"):
            more = after_call if self.limit == "pl" else after_call // 2
            found = least, max(least, self.price + more)
        elif self.limit == "sl" and self.between:
            upper = self.stakes.spread[self.tier]
            found = min(least, self.price + upper), self.price + upper
        elif self.limit == "sl":
            upper = self.stakes.spread[self.tier]
            if self.price >= 3 * upper:
                return None
            equal = min(least, 3 * upper)
            found = (equal, equal) if self.price else (least, upper)
        else:
            if self.bets >= 4 and self.capped:
                return None
            sizes = {self.full + self.unit}
            if self.pair and not self.double:
                sizes.add(self.full + self.stakes.big_bet)
            found = min(sizes), max(sizes)
        low, high = (min(total, everything) for total in found)
        few = {low, high} if self.limit == "fl" and low < high else set()
        return low, high, few


def round_of(
    events: Iterable[HandEvent],
    limit: str,
    stakes: Stakes,
    tiers: tuple[int, ...],
    stud: bool,
    pairs: bool,
) -> Round:
    """The round of betting that the events end in; each street of these games begins one.

    `stud`: it is brought in by a card. `pairs`: an open pair on fourth street doubles the bet.
    """
    now, number, due = Round(limit, tiers[0], stakes), -1, 0
    up: dict[int, list[int]] = {}
    for event in events:
        match event:
            case Posted() if event.post not in (Post.ANTE, Post.BIG_BLIND_ANTE, Post.DEAD_BLIND):
                due = max(due, event.due)
            case StreetDealt():
                number += 1
                for to in event.to:
                    up.setdefault(to.seat, []).extend(card >> 2 for card in to.up)
                now = Round(limit, tiers[number], stakes, opens=stud and not number)
                now.size = now.least
                now.pair = pairs and number == 1 and any(a == b for a, b in up.values())
                if not number and not stud:
                    now.price = now.full = due
                    now.size, now.bets = max(due, now.least), 1
            case RaisedTo():
                now.raised(event.seat, event.total)
            case BroughtIn():
                now.brought_in(event.seat, event.due)
            case Called() | Checked() | SplitChosen():
                now.acted[event.seat] = now.full
            case Folded():
                up.pop(event.seat, None)
    return now
