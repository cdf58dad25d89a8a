"""The registry: rankings and selections by the names that tables of rules use.

A new ranking is a row here; no other module chooses one. Decides no pot and names no winner.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

from riverboat.game.cards import RANKS
from riverboat.game.ranking.badugi import Badugi
from riverboat.game.ranking.classes import FLUSH_OVER_FULL_HOUSE_ORDER, Scheme
from riverboat.game.ranking.face import Cards, Ranking
from riverboat.game.ranking.fast import FastRanking
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
    "ace_to_five_low": lambda: FastRanking(_ACE_TO_FIVE),
    "ace_to_five_low8": lambda: FastRanking(
        Scheme(low=True, ace_low=True, straights=False, qualifier=_EIGHT_AS_LOW)
    ),
    "badugi": Badugi,
}

Select = Callable[[Ranking, Cards, Iterable[Cards]], list[int]]
SELECTIONS: Final[dict[str, Select]] = {
    "any_five": lambda ranking, board, hands: ranking.any_five(board, hands),
    "two_and_three": lambda ranking, board, hands: ranking.two_and_three(board, hands),
    "own_and_vela": lambda ranking, board, hands: ranking.any_five(board, hands),
    "own": lambda ranking, _, hands: list(map(ranking.value, hands)),
}


@cache
def ranking(name: str) -> Ranking:
    """The ranking of that name, one for all who ask, so that its tables are built once."""
    if name not in RANKINGS:
        raise ValueError(f"no ranking is called {name!r}; there are {', '.join(RANKINGS)}")
    return RANKINGS[name]()


def selection(name: str) -> Select:
    """The selection of that name."""
    if name not in SELECTIONS:
        raise ValueError(f"no selection is called {name!r}; there are {', '.join(SELECTIONS)}")
    return SELECTIONS[name]


def values(high_or_low: str, select: str, board: Cards, hands: Iterable[Cards]) -> list[int]:
    """The values of the players' own cards over one board, in their order; 0 takes no part.

    All hands of a showdown at once: the board's part of the work is done once.
    """
    return selection(select)(ranking(high_or_low), board, hands)


def judge(high_or_low: str, select: str, board: Cards) -> Callable[[Cards], int]:
    """The same for those who ask hand by hand."""
    by_name, chosen = ranking(high_or_low), selection(select)
    return lambda own: chosen(by_name, board, (own,))[0]


def best(high_or_low: str, select: str, own: Cards, board: Cards) -> int:
    """The value of one player's best hand.

    >>> from riverboat.game.cards import cards
    >>> kings = best("standard", "any_five", cards("KhKd"), cards("Kc2s2d7h9c"))
    >>> ranking("standard").describe(kings)
    'full house, kings full of twos'
    """
    return values(high_or_low, select, board, (own,))[0]
