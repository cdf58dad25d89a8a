"""Rake: what the house takes from each pot, by the rows of the rulebook.

Reckons from the whole of the pots after uncalled bets went back, before halves and odd units.
Never asks who wins, and never names a rulebook: the rows are data. [RULES 6]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from riverboat.game.hand.events import Pot, Stakes
from riverboat.game.money import floor_by_steps, share_in_proportion
from riverboat.game.rules.schema import Game, RakeDue, RakeRow


def triggered(game: Game, street: int) -> bool:
    """Whether what makes a pot due for rake has happened, `street` being the last one dealt."""
    return street >= _due_from(game)


@cache
def _due_from(game: Game) -> int:
    """The street after which pots are due for rake; one more than there are: never.

    A draw counts as made once its phase has begun, though all stand pat. [RULES 5, draws]
    """
    if game.rake_due is RakeDue.ALWAYS:
        return -1
    board = own = 0
    for number, street in enumerate(game.streets):
        board += street.board
        own += street.down + street.up
        match game.rake_due:
            case RakeDue.FLOP:
                is_due = board >= 3
            case RakeDue.THIRD_CARD:
                is_due = own >= 3
            case RakeDue.FOURTH_CARD:
                is_due = own >= 4
            case RakeDue.DRAW:
                is_due = street.draw >= 0
            case _:
                is_due = False
        if is_due:
            return number
    return len(game.streets)


def stake(stakes: Stakes) -> int:
    """The amount by which a schedule's row is chosen. [RULES 6, reading]"""
    blind = stakes.big_blind or stakes.button_blind
    return blind or stakes.small_bet or next(iter(stakes.spread), 0)


def rake(
    game: Game, pots: Sequence[Pot], dealt: int, is_due: bool, big_blind: int
) -> tuple[int, ...]:
    """What the house takes from each of the pots, where so many players were dealt cards.

    The whole is spread over the pots in proportion, largest remainder first. [RULES 6, field]
    """
    row = _row(game, big_blind) if is_due else None
    if row is None:
        return (0,) * len(pots)
    return spread(_whole(row, sum([pot.amount for pot in pots]), dealt), pots)


def spread(whole: int, pots: Sequence[Pot]) -> tuple[int, ...]:
    """The rake `whole` as it leaves each pot: in proportion, the main pot first on ties."""
    if len(pots) == 1:
        return (whole,)
    return share_in_proportion(whole, [pot.amount for pot in pots])


@lru_cache(maxsize=1024)  # far more than the stakes that a house spreads
def _row(game: Game, big_blind: int) -> RakeRow | None:
    """The row that serves these stakes; "unlisted stakes take the next lower row, those under the
    lowest the lowest". [RULES 6, reading]
    """
    rows = [row for row in game.rake if not row.limits or game.limit in row.limits]
    if not rows:
        return None
    rows.sort(key=lambda row: row.big_blind_from)
    reached = [row for row in rows if row.big_blind_from <= big_blind]
    return reached[-1] if reached else rows[0]


def _whole(row: RakeRow, pot: int, dealt: int) -> int:
    if pot < row.small_below:
        fee = floor_by_steps(pot, row.small_step, row.small_fee)
    else:
        fee = floor_by_steps(pot, row.step, row.fee)
    assert dealt >= 2, "nobody plays alone"
    cap = row.caps[min(dealt - 2, len(row.caps) - 1)] if row.caps else fee
    return min(fee, cap)
