"""The registry: rankings and selections by the names that tables of rules use.

A new ranking is a row here; no other module chooses one. Decides no pot and names no winner.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from riverboat.game.cards import RANKS
from riverboat.game.ranking.badugi import Badugi
from riverboat.game.ranking.classes import FLUSH_OVER_FULL_HOUSE_ORDER, Scheme
from riverboat.game.ranking.face import Cards, Judge, Ranking
from riverboat.game.ranking.fast import FastRanking
from riverboat.game.ranking.lows import LowRanking, QualifiedLow
from riverboat.game.ranking.soko import Soko
from riverboat.game.ranking.suited import Draw32, Telesina
from riverboat.game.ranking.tables import TableRanking

_EIGHT_AS_LOW: Final = 7  # the ace is 0 there

_ACE_TO_FIVE: Final = Scheme(low=True, ace_low=True, straights=False)
_FLUSH_OVER_FULL_HOUSE: Final = Scheme(order=FLUSH_OVER_FULL_HOUSE_ORDER, floor=RANKS.index("7"))

RANKINGS: Final[dict[str, Callable[[], Ranking]]] = {
    "standard": lambda: FastRanking(Scheme()),
    "flush_over_full_house": lambda: FastRanking(_FLUSH_OVER_FULL_HOUSE),
    "short_deck": lambda: FastRanking(
        Scheme(order=FLUSH_OVER_FULL_HOUSE_ORDER, floor=RANKS.index("6"))
    ),
    "draw32": Draw32,
    "telesina": Telesina,
    "soko": Soko,
    "low27": lambda: TableRanking(Scheme(low=True, wheel=False)),
    "ace_to_five_low": lambda: LowRanking(_ACE_TO_FIVE),
    "ace_to_five_low8": lambda: QualifiedLow(
        Scheme(low=True, ace_low=True, straights=False, qualifier=_EIGHT_AS_LOW)
    ),
    "badugi": Badugi,
}

SELECTIONS: Final[dict[str, Callable[[Ranking], Judge]]] = {
    "any_five": lambda ranking: ranking.any_five,
    "two_and_three": lambda ranking: ranking.two_and_three,
    "own_and_vela": lambda ranking: ranking.any_five,
    "own": lambda ranking: ranking.own,
}

# Which hands of `size` cards a selection finds among so many own cards and so many shared ones.
FITS: Final[dict[str, Callable[[int, int, int], bool]]] = {
    # Over a whole board just two own cards are looked up at once.
    "any_five": lambda size, own, board: size <= own + board <= 7 and (board < 5 or own == 2),
    "two_and_three": lambda size, own, board: size == 5 and own >= 2 and board == 5,
    "own_and_vela": lambda size, own, board: size <= own + board <= 7 and board > 0,
    "own": lambda size, own, board: size <= own <= 7,
}


@cache
def ranking(name: str) -> Ranking:
    """The ranking of that name, one for all who ask, so that its tables are built once."""
    if name not in RANKINGS:
        raise ValueError(f"no ranking is called {name!r}; there are {', '.join(RANKINGS)}")
    return RANKINGS[name]()


@cache
def showdown(high_or_low: str, select: str) -> Judge:
    """How a game judges: takes the board and all hands at once, so that the board's part of
    the work is done once.
    """
    if select not in SELECTIONS:
        raise ValueError(f"no selection is called {select!r}; there are {', '.join(SELECTIONS)}")
    return SELECTIONS[select](ranking(high_or_low))


def values(high_or_low: str, select: str, board: Cards, hands: Iterable[Cards]) -> list[int]:
    """The values of the players' own cards over one board, in their order; 0 takes no part."""
    return showdown(high_or_low, select)(board, hands)


def judge(high_or_low: str, select: str, board: Cards) -> Callable[[Cards], int]:
    """The same for those who ask hand by hand."""
    over = showdown(high_or_low, select)
    return lambda own: over(board, (own,))[0]


def best(high_or_low: str, select: str, own: Cards, board: Cards) -> int:
    """The value of one player's best hand.

    >>> from riverboat.game.cards import cards
    >>> kings = best("standard", "any_five", cards("KhKd"), cards("Kc2s2d7h9c"))
    >>> ranking("standard").describe(kings)
    'full house, kings full of twos'
    """
    return values(high_or_low, select, board, (own,))[0]
