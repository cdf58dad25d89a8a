"""How a player's account stands: open, frozen, closed, excluded, and the limits he set himself.

A fold of deeds: each was said once, by whom and when, and is never taken back, only followed by
another. Reads no clock and stores nothing; what a limit has used up is for the store to count.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

from riverboat.ledger.refusals import LedgerCode

DAY_MS: Final = 86_400_000
# Until when who excludes himself for good is excluded.
FOR_EVER_MS: Final = 2**62
# A limit that is raised or lifted holds for a day yet: nobody undoes in a bad hour what he decided
# in a good one. Most licences ask for a day at least.
RAISE_DELAY_MS: Final = DAY_MS


class What(StrEnum):
    """What was done to an account."""

    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    CLOSE = "close"
    EXCLUDE = "exclude"
    LIMIT = "limit"


class LimitKind(StrEnum):
    """What a limit bounds."""

    DEPOSIT = "deposit"  # money brought in
    LOSS = "loss"  # money lost, and what is at tables and could be
    SESSION = "session"  # time at tables, in milliseconds


class Period(StrEnum):
    """The time that a limit is for: always the last so long, up to now."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


PERIOD_MS: Final = {Period.DAY: DAY_MS, Period.WEEK: 7 * DAY_MS, Period.MONTH: 30 * DAY_MS}


class LimitKey(NamedTuple):
    """Which limit it is; a player has one of each."""

    kind: LimitKind
    period: Period
    currency: str  # empty for time


class Deed(NamedTuple):
    """One thing done to an account, in the order of their doing."""

    what: What
    time_ms: int
    from_ms: int = 0  # of a limit: from when on it holds
    until_ms: int = 0  # of an exclusion: until when
    limit: LimitKey | None = None
    amount: int | None = None  # of a limit; None lifts it


class Coming(NamedTuple):
    """A limit that does not hold yet."""

    from_ms: int
    amount: int | None


class Limit(NamedTuple):
    """A limit as it stands at some moment."""

    amount: int | None  # in force; None: there is none
    coming: Coming | None = None


NO_LIMIT: Final = Limit(None)


@dataclass(slots=True)
class Standing:
    """An account after all that was done to it."""

    frozen: bool = False
    closed: bool = False
    excluded_until_ms: int = 0
    limits: dict[LimitKey, Limit] = field(default_factory=dict)

    def limit(self, key: LimitKey, now_ms: int) -> Limit:
        """The limit as it stands at `now_ms`."""
        found = self.limits.get(key, NO_LIMIT)
        if found.coming is not None and found.coming.from_ms <= now_ms:
            return Limit(found.coming.amount)
        return found

    def bar(self, now_ms: int) -> LedgerCode | None:
        """Why nobody may play, or bring money in, on this account."""
        if self.closed:
            return LedgerCode.ACCOUNT_CLOSED
        if self.excluded_until_ms > now_ms:
            return LedgerCode.EXCLUDED
        if self.frozen:
            return LedgerCode.ACCOUNT_FROZEN
        return None

    def bar_out(self) -> LedgerCode | None:
        """Why nothing is paid out. Who has excluded himself is paid, and so is a closed account.

        It was empty when it was closed. What came later, a refund or chips of a hand set right, is
        its player's all the same, and nobody plays with it.
        """
        return LedgerCode.ACCOUNT_FROZEN if self.frozen else None

    def amounts(self, kind: LimitKind, currency: str, now_ms: int) -> dict[Period, int]:
        """The limits of one kind that are in force."""
        found = {}
        for period in Period:
            amount = self.limit(LimitKey(kind, period, currency), now_ms).amount
            if amount is not None:
                found[period] = amount
        return found


OPEN: Final = Standing()


def standing_of(deeds: Iterable[Deed]) -> Standing:
    """The account after these deeds, in order."""
    found = Standing()
    for deed in deeds:
        match deed.what:
            case What.FREEZE:
                found.frozen = True
            case What.UNFREEZE:
                found.frozen = False
            case What.CLOSE:
                found.closed = True
            case What.EXCLUDE:
                # Nothing shortens it: that is what it is for.
                found.excluded_until_ms = max(found.excluded_until_ms, deed.until_ms)
            case What.LIMIT:
                assert deed.limit is not None, "a deed that sets a limit names it"
                found.limits[deed.limit] = _limited(found, deed)
    return found


def _limited(standing: Standing, deed: Deed) -> Limit:
    assert deed.limit is not None, "a deed that sets a limit names it"
    if deed.from_ms <= deed.time_ms:
        return Limit(deed.amount)
    stood = standing.limit(deed.limit, deed.time_ms)
    return Limit(stood.amount, Coming(deed.from_ms, deed.amount))


def holds_from(standing: Standing, key: LimitKey, amount: int | None, now_ms: int) -> int:
    """From when on a limit holds that is set now: at once if it is lower, else after the delay."""
    stood = standing.limit(key, now_ms).amount
    is_lower = amount is not None and (stood is None or amount <= stood)
    return now_ms if is_lower else now_ms + RAISE_DELAY_MS
