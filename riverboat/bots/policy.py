"""Policy: what a bot does on its turn, picked among what the rules offer.

Pure: the same options, style and dice give the same choice, and every choice is one that was
offered. It looks at no cards: a bot is company and load, not an opponent to fear.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from riverboat.game.commands import Action


class Offered(Protocol):
    """What the rules offer: `Options` of the game, or their message on the wire."""

    @property
    def fold(self) -> bool: ...
    @property
    def check(self) -> bool: ...
    @property
    def call(self) -> int: ...
    @property
    def raise_least(self) -> int: ...
    @property
    def raise_most(self) -> int: ...
    @property
    def sizes(self) -> Sequence[int]: ...
    @property
    def bring_in(self) -> int: ...
    @property
    def draw_most(self) -> int: ...
    @property
    def draw_least(self) -> int: ...
    @property
    def split(self) -> bool: ...
    @property
    def refuse_split(self) -> bool: ...


class Choice(NamedTuple):
    """An action; for a raise its total, for a draw the cards to throw."""

    action: Action
    total: int = 0
    throw: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody plays, as chances from 0 to 1."""

    name: str
    gives_up: float  # folds where there is something to call
    raises: float  # bets or raises where that is open
    big: float  # of these, how many are more than the least
    all_in: float  # of the big ones, how many are all there is


STYLES: Final = (
    Style("rock", gives_up=0.55, raises=0.08, big=0.3, all_in=0.02),
    Style("regular", gives_up=0.35, raises=0.15, big=0.4, all_in=0.04),
    Style("caller", gives_up=0.15, raises=0.05, big=0.2, all_in=0.02),
    Style("gambler", gives_up=0.2, raises=0.35, big=0.6, all_in=0.08),
)

# Six of these end most hands before the flop, as people do: a dozen actions a hand.
TIGHT: Final = Style("tight", gives_up=0.68, raises=0.2, big=0.3, all_in=0.02)


def choose(offered: Offered, style: Style, rng: random.Random) -> Choice:
    """What somebody of this style does now."""
    if offered.draw_most >= 0:
        count = rng.randint(offered.draw_least, offered.draw_most)
        return Choice(Action.DRAW, 0, tuple(sorted(rng.sample(range(offered.draw_most), count))))
    if offered.refuse_split:
        return Choice(Action.SPLIT if rng.random() < 0.5 else Action.REFUSE_SPLIT)
    if offered.raise_least and rng.random() < style.raises:
        return Choice(Action.RAISE, _total(offered, style, rng))
    if offered.bring_in:
        return Choice(Action.BRING_IN, offered.bring_in)
    if offered.check:
        return Choice(Action.CHECK)
    if offered.call and rng.random() >= style.gives_up:
        return Choice(Action.CALL)
    if offered.fold:
        return Choice(Action.FOLD)
    assert offered.call, "whoever is on turn is offered something"
    return Choice(Action.CALL)


def _total(offered: Offered, style: Style, rng: random.Random) -> int:
    """To how much."""
    if offered.sizes:
        return rng.choice(offered.sizes)
    least, most = offered.raise_least, offered.raise_most
    if rng.random() >= style.big:
        return least
    if rng.random() < style.all_in:
        return most
    return rng.randint(least, max(least, min(most, 4 * least)))
