"""The options of simulated tables: drawn from the seed, and valid by the options' own checks.

Draws nothing that a table could not be opened with: what its game does not bear is left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from riverboat.game.hand.events import Stakes
from riverboat.game.hand.rake import stake
from riverboat.game.table.events import Apart, Settings
from riverboat.game.table.settings import buy_in_bounds, fault

HOUR_MS: Final = 3_600_000
# The word of every private table, which all players know and now and then forget.
WORD: Final = hashlib.sha256(b"natchez").digest()
# What a table may have besides its game, as far as more happens at one that has it.
LIVELY: Final = (
    "south_ms",
    "away_ms",
    "away_rounds",
    "hold_ms",
    "offer_ms",
    "auto_top_up",
    "bank_ms",
    "street_ms",
    "runs_asked",
    "straddles_asked",
    "cap",
    "bomb_every",
    "invited",
    "code_digest",
    "apart",
    "protections",
    "gateway_ms",
)


def is_lively(settings: Settings) -> bool:
    """Whether more may happen at the table than play."""
    return any(getattr(settings, name) for name in LIVELY)


def with_options(rng: Random, settings: Settings, players: Sequence[str]) -> Settings:
    """A table at which more may happen than play; `players` are those who come to it."""
    apart = (Apart(tuple(rng.sample(players, 2))),) if rng.random() < 0.3 else ()
    found = replace(
        settings,
        away_ms=rng.choice([0, 8_000, 20_000]),
        away_rounds=rng.choice([0, 1, 3]),
        hold_ms=rng.choice([0, 4_000]),
        offer_ms=rng.choice([0, 5_000, 5_000]),
        auto_top_up=rng.random() < 0.7,
        gateway_ms=rng.choice([0, 15_000, 15_000]),
        south_ms=rng.choice([0, 60_000, HOUR_MS]),
        apart=apart,
    )
    found = _timed(rng, found)
    found = _staked(rng, found)
    return _private(rng, found, players)


def _timed(rng: Random, settings: Settings) -> Settings:
    """Time banks, clocks by street, and disconnect protection."""
    bank_ms = rng.choice([0, 0, 2_000, 10_000])
    refill = rng.random() < 0.5 and bank_ms
    found = _if_valid(
        settings,
        bank_ms=bank_ms,
        bank_refill_ms=bank_ms // 2 if refill else 0,
        bank_refill_hands=rng.choice([1, 3]) if refill else 0,
    )
    clocks = tuple(rng.choice([2_000, 4_000, 6_000]) for _ in range(rng.choice([0, 0, 2, 3])))
    found = _if_valid(found, street_ms=clocks)
    return _if_valid(found, protections=rng.choice([0, 1, 2, 2]))


def _staked(rng: Random, settings: Settings) -> Settings:
    """Caps, bomb pots, straddles, and how many boards an all-in runs."""
    unit = stake(settings.stakes) or settings.stakes.bring_in
    found = settings
    if rng.random() < 0.6:
        found = _if_valid(found, runs=rng.choice([2, 3]), runs_asked=True)
    if rng.random() < 0.4:
        found = _straddled(rng, found)
    if rng.random() < 0.5:
        every = rng.choice([2, 3, 5])
        found = _if_valid(found, bomb_every=every, bomb_ante=rng.choice([1, 2, 5]) * unit)
    if rng.random() < 0.3:
        found = _if_valid(found, cap=rng.choice([3, 6, 12]) * unit)
    return _if_valid(found, buy_in_default=buy_in_bounds(found)[0])


def _straddled(rng: Random, settings: Settings) -> Settings:
    stakes: Stakes = settings.stakes
    if not stakes.big_blind:
        return settings
    wanted = stakes.straddles or (2 * stakes.big_blind,)
    button = rng.choice([0, 0, 2 * wanted[-1]])
    stakes = replace(stakes, straddles=wanted, button_straddle=button)
    return _if_valid(settings, stakes=stakes, straddles_asked=rng.random() < 0.6)


def _private(rng: Random, settings: Settings, players: Sequence[str]) -> Settings:
    """A list, a word, or both; whoever is not of `players` is on no list."""
    doing = rng.random()
    if doing < 0.1:
        return _if_valid(settings, invited=tuple(players))
    if doing < 0.2:
        return _if_valid(settings, code_digest=WORD)
    return settings


def _if_valid(settings: Settings, **changes: Any) -> Settings:
    """With these changes, where a table of its game may have them."""
    found = replace(settings, **changes)
    return settings if fault(found) else found
