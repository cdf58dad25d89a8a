"""One bot at one table, and what a crowd of them has seen: values only."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from riverboat.bots.policy import STYLES, Style


@dataclass(slots=True, eq=False)
class Bot:
    """One player at one table."""

    player: str
    token: str
    table: str
    buy_in: int
    style: Style
    rng: random.Random
    index: int = -1  # of the player in the stream; -1: not joined
    seated: bool = False
    waiting: bool = False  # for the answer to sitting down, or for the money
    turn: tuple[str, int] = ("", -1)  # the last that was acted on
    cards: int = 0  # how many are held in the hand that is played


@dataclass(slots=True)
class Tally:
    """What a crowd has seen."""

    hands: int = 0
    voided: int = 0
    actions: int = 0
    refused: Counter[str] = field(default_factory=Counter)  # acts, by reason
    began_s: float = 0.0  # when the first hand started
    ended_s: float = 0.0
    waits_s: list[float] = field(default_factory=list)  # from each act to its answer


def style_of(number: int) -> Style:
    """The style of a table's bot of this number: every table has some of each."""
    return STYLES[number % len(STYLES)]
