"""Currencies: the units that amounts are counted in, as a table of data. Converts nothing.

An amount is an int of a currency's minor unit everywhere; only who writes it down for people asks
here how many digits that has.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final


class CurrencyError(Exception):
    """The table of currencies is wrong; the message names the currency and the key."""


@dataclass(frozen=True, slots=True)
class Currency:
    """One currency."""

    code: str
    name: str
    digits: int  # of the minor unit: 2 means cents
    play: bool = False  # no money: never raked, and players refill it
    refills: int = 0  # how often a player may do so ...
    refill_ms: int = 0  # ... within this long

    def text(self, amount: int) -> str:
        """The amount as people write it.

        >>> CURRENCIES["EUR"].text(-1205), CURRENCIES["JPY"].text(7)
        ('-12.05', '7')
        """
        if not self.digits:
            return str(amount)
        digits = f"{abs(amount):0{self.digits + 1}d}"
        sign = "-" if amount < 0 else ""
        return f"{sign}{digits[: -self.digits]}.{digits[-self.digits :]}"


_KEYS: Final[dict[str, type]] = {
    "name": str,
    "digits": int,
    "play": bool,
    "refills": int,
    "refill_ms": int,
}


def read(text: str) -> dict[str, Currency]:
    """The currencies that this TOML tells of; `CurrencyError` names what is wrong."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CurrencyError(str(error)) from None
    return {code: _currency(code, table) for code, table in tables.items()}


def _currency(code: str, table: Any) -> Currency:
    if not (code == "PLAY" or (len(code) == 3 and code.isascii() and code.isupper())):
        raise CurrencyError(f"{code}: a currency is three capital letters, or PLAY")
    if not isinstance(table, dict):
        raise CurrencyError(f"{code}: must be a table")
    for key, value in table.items():
        if key not in _KEYS:
            raise CurrencyError(f"{code}.{key}: there is no such key")
        if type(value) is not _KEYS[key]:
            raise CurrencyError(f"{code}.{key}: must be of type {_KEYS[key].__name__}")
    for key in ("name", "digits"):
        if key not in table:
            raise CurrencyError(f"{code}.{key}: must be set")
    found = Currency(code, **table)
    if not 0 <= found.digits <= 4:
        raise CurrencyError(f"{code}.digits: must be from 0 to 4")
    if found.play != (found.refills > 0 and found.refill_ms > 0):
        raise CurrencyError(f"{code}.refills: play money has refills, within refill_ms; money none")
    return found


# Read once, when the module is loaded: no amount is booked by a table that is wrong.
CURRENCIES: Final = read(
    resources.files("riverboat.ledger").joinpath("currencies.toml").read_text(encoding="utf-8")
)


def is_play(code: str) -> bool:
    """Whether it is no money at all."""
    found = CURRENCIES.get(code)
    return found is not None and found.play
