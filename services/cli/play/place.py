"""A chair at a table, as a client sees it: who sits there, and his part in the hand. A value."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Place:
    """One chair that is taken or held, and its part in the hand."""

    seat: int
    player: str
    held: bool = False  # money is on its way
    kept: bool = False  # kept for one who has not bought in yet
    stack: int = 0
    behind: int = 0
    away: bool = False
    leaving: bool = False
    line_lost: bool = False
    away_now: bool = False  # nobody waits for him in the running hand either
    at_big_blind: bool = False  # sits out when the big blind would be his
    dealt: bool = False  # in the hand, folded or not
    folded: bool = False
    bet: int = 0
    count: int = 0  # cards in hand
    up: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)
    mucked: bool = False
    aside: int = 0  # chips that do not play: he is protected for what he has put in
    over: int = 0  # chips above the table's cap: they stay out of the hand
    won: int = 0  # in this hand
    did: str = ""  # the last thing, in a word
