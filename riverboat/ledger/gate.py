"""The gate before a table: why a player who has the money is not let in with it.

A store loads what the askers of a batch have done before; the batch itself is followed here, so
that it does not matter where batches end. Reads no clock and decides about no balance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from riverboat.ledger.refusals import LedgerCode
from riverboat.ledger.standing import OPEN, LimitKind, Period, Standing

_NOTHING: Mapping[Period, int] = MappingProxyType({})


class Asked(NamedTuple):
    """What a player asks for at a table, as far as it matters here."""

    player: str
    currency: str
    amount: int
    game: str  # empty where the ledger does not know it
    south_ms: int  # who left this game with more may not come back with less, for this long
    is_top_up: bool
    most: int = 0  # the table's greatest buy-in; 0: it has none
    has: int = 0  # what stands on his account


class Went(NamedTuple):
    """A player left a game with some money."""

    time_ms: int
    amount: int


@dataclass(slots=True)
class Gate:
    """The askers of a batch, and what they did before."""

    standings: dict[str, Standing] = field(default_factory=dict)
    # What each could lose at most in each period, if all at his tables were lost: what he has lost,
    # what he has there, and what is on its way. A hand moves money between the first two, so it
    # changes by coming and going alone. By player and currency.
    at_risk: dict[tuple[str, str], dict[Period, int]] = field(default_factory=dict)
    played_ms: dict[str, Mapping[Period, int]] = field(default_factory=dict)
    # Since he last asked for a seat in a game and got it, by player and game.
    went: dict[tuple[str, str], list[Went]] = field(default_factory=dict)
    # What those who left have besides their accounts: at tables, on its way there or out. By player
    # and currency; and whose the sittings are that they have.
    elsewhere: dict[tuple[str, str], int] = field(default_factory=dict)
    sits: dict[str, tuple[str, str]] = field(default_factory=dict)
    # Disconnect protections: those used in the last day by each player, and those that his sittings
    # hold and have not used, by sitting.
    used: dict[str, int] = field(default_factory=dict)
    holds: dict[str, dict[str, int]] = field(default_factory=dict)

    def bar(self, asked: Asked, now_ms: int) -> LedgerCode | None:
        """Why this is not funded, whatever stands on the account; the first reason of several."""
        standing = self.standings.get(asked.player, OPEN)
        barred = standing.bar(now_ms)
        if barred is not None:
            return barred
        risk = self.at_risk.get((asked.player, asked.currency), _NOTHING)
        for period, most in standing.amounts(LimitKind.LOSS, asked.currency, now_ms).items():
            if risk.get(period, 0) + asked.amount > most:
                return LedgerCode.LOSS_LIMIT
        played = self.played_ms.get(asked.player, _NOTHING)
        for period, most in standing.amounts(LimitKind.SESSION, "", now_ms).items():
            if played.get(period, 0) >= most:
                return LedgerCode.SESSION_LIMIT
        return None if asked.is_top_up else self._buy_in_bar(asked, now_ms)

    def _buy_in_bar(self, asked: Asked, now_ms: int) -> LedgerCode | None:
        least = self.least(asked, now_ms)
        if 0 <= asked.amount < least:
            return LedgerCode.GOING_SOUTH
        if asked.most and asked.amount > max(asked.most, least):
            return LedgerCode.ABOVE_MOST_BUY_IN
        return None

    def least(self, asked: Asked, now_ms: int) -> int:
        """What a player must come back with, be it more than the table's greatest buy-in.

        The most that he left this game with just now, and no more than he has. What is at other
        tables or waits to be paid out is his too: nobody comes back with less by putting it there.
        """
        if not asked.game or not asked.south_ms:
            return 0  # by the table's options, whatever two brokers' clocks say of when he left
        left = self.went.get((asked.player, asked.game), ())
        most = max((one.amount for one in left if one.time_ms > now_ms - asked.south_ms), default=0)
        return min(most, asked.has + self.elsewhere.get((asked.player, asked.currency), 0))

    def protections(self, player: str, most: int) -> int:
        """How many a new sitting may hold, of the `most` that a person has in a day. [RULES 7]

        What another sitting of his holds may be used there: no two hold the same one.
        """
        held = sum(self.holds.get(player, {}).values())
        return max(most - self.used.get(player, 0) - held, 0)

    def granted(self, player: str, sitting: str, count: int) -> None:
        """The sitting holds so many."""
        if count:
            self.holds.setdefault(player, {})[sitting] = count

    def protected(self, player: str, sitting: str) -> None:
        """The player used one."""
        self.used[player] = self.used.get(player, 0) + 1
        holds = self.holds.get(player, {})
        if holds.get(sitting):
            holds[sitting] -= 1

    def unprotected(self, player: str, sitting: str) -> None:
        """The player used none: the hand that he had used one in was called off."""
        if self.used.get(player):
            self.used[player] -= 1
        holds = self.holds.get(player, {})
        if sitting in holds:
            holds[sitting] += 1

    def released(self, player: str, sitting: str) -> None:
        """The sitting is over, or never began: what it held, another may."""
        self.holds.get(player, {}).pop(sitting, None)

    def moved(self, player: str, currency: str, amount: int) -> None:
        """So much went from the player's account to a table; below zero: came back."""
        if (player, currency) in self.elsewhere:
            self.elsewhere[player, currency] += amount
        risk = self.at_risk.get((player, currency))
        if risk is not None:
            for period in risk:
                risk[period] += amount

    def sat(self, player: str, currency: str, sitting: str) -> None:
        """The sitting is the player's, and what it wins or loses."""
        if (player, currency) in self.elsewhere:
            self.sits[sitting] = player, currency

    def won(self, sitting: str, amount: int) -> None:
        """A hand brought the sitting so much; below zero: cost it."""
        whose = self.sits.get(sitting)
        if whose is not None:
            self.elsewhere[whose] += amount

    def came(self, player: str, game: str, asked_ms: int) -> None:
        """The player sat down, with no less than he must: what he left with before is done.

        Before he asked, that is: what he left with later, his seat was not measured by.
        """
        went = self.went.get((player, game))
        if went:
            self.went[player, game] = [one for one in went if one.time_ms > asked_ms]

    def left(self, player: str, game: str, amount: int, now_ms: int) -> None:
        """The player left a game with so much."""
        self.went.setdefault((player, game), []).append(Went(now_ms, amount))
