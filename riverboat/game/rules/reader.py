"""The reader: tables of data in, checked games out.

A variant, a limit and a rulebook are TOML; the more special of them has the last word. Reads no
file: texts come in. A mistake is an error that names the file and the key.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from riverboat.game.cards import DECKS
from riverboat.game.ranking import FITS, ranking
from riverboat.game.rules.schema import Forced, Game, Raise, RakeRow, Street
from riverboat.game.rules.vocabulary import (
    DEFAULTS,
    KEYS,
    LISTED_KEYS,
    MIX_KEYS,
    NOT_OF_A_GAME,
    RAKE_KEYS,
    RULEBOOK_KEYS,
    STREET_KEYS,
    numbers,
)


class RulesError(ValueError):
    """A table of rules says what no table may say; the text names file and key."""


def checked(
    where: str, table: Any, keys: Mapping[str, Callable[[Any], Any]], apart: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The table's values, each checked; keys `apart` are somebody else's business."""
    if not isinstance(table, dict):
        raise RulesError(f"{where}: must be a table, not {table!r}")
    values = {}
    for key, value in table.items():
        if key in apart:
            continue
        if key not in keys:
            raise RulesError(f"{where}.{key}: no such key")
        try:
            values[key] = keys[key](value)
        except ValueError as wrong:
            raise RulesError(f"{where}.{key}: {wrong}") from None
    return values


def parsed(file: str, text: str) -> dict[str, Any]:
    """The text as tables, unchecked."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise RulesError(f"{file}: {wrong}") from None


def _streets(where: str, rows: Any) -> tuple[Street, ...]:
    if not isinstance(rows, list) or not rows:
        raise RulesError(f"{where}: must be a list of streets, not {rows!r}")
    streets = []
    for at, row in enumerate(rows):
        values = checked(f"{where}[{at}]", row, STREET_KEYS)
        if "name" not in values:
            raise RulesError(f"{where}[{at}].name: is missing")
        street = Street(**values)
        if street.draw_least > max(street.draw, 0):
            raise RulesError(f"{where}[{at}].draw_least: must be at most draw")
        if street.draw_least and street.refill:
            # A player whose time ran out can give cards up, but his seat takes none unasked.
            raise RulesError(f"{where}[{at}].refill: must be false where cards must be thrown")
        streets.append(street)
    first = streets[0]
    if not first.down + first.up or first.draw >= 0:
        raise RulesError(f"{where}[0]: the first street deals cards and draws none")
    return tuple(streets)


def read_variants(file: str, text: str) -> dict[str, dict[str, Any]]:
    """Every variant of the text, by id, its streets resolved."""
    variants = {}
    for variant, table in parsed(file, text).items():
        where = f"{file}: {variant}"
        values = checked(where, table, KEYS, apart=("streets",))
        values["streets"] = _streets(f"{where}.streets", table.get("streets"))
        variants[variant] = values
    return variants


def _tiers(where: str, table: Any) -> dict[str, tuple[int, ...]]:
    if not isinstance(table, dict):
        raise RulesError(f"{where}: must be a table, not {table!r}")
    check = numbers(0)
    tiers = {}
    for rounds, row in table.items():
        try:
            tiers[rounds] = check(row)
        except ValueError as wrong:
            raise RulesError(f"{where}.{rounds}: {wrong}") from None
        if str(len(tiers[rounds])) != rounds:
            raise RulesError(f"{where}.{rounds}: must name one bet for each of {rounds} rounds")
    return tiers


def read_limits(file: str, tables: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every limit of the tables, by id; `tiers` by the number of rounds."""
    limits = {}
    for limit, table in tables.items():
        where = f"{file}: {limit}"
        values = checked(where, table, KEYS, apart=("tiers",))
        if "tiers" in table:
            values["tiers"] = _tiers(f"{where}.tiers", table["tiers"])
        limits[limit] = values
    return limits


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One rulebook: what it offers, and where it differs from the tables of variants and limits."""

    name: str = ""
    language: str = "en"
    every: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    variants: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    by_limit: Mapping[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    rake: tuple[RakeRow, ...] = ()
    listed: tuple[dict[str, Any], ...] = ()  # least buy-ins by stakes
    mixes: tuple[str, ...] = ()  # ids of the mixed games offered


def extended(file: str, text: str) -> str:
    """The file of the rulebook that this one extends; empty where it extends none."""
    base = parsed(file, text).get("extends", "")
    own = file.removesuffix(".toml")
    # A rulebook that extends its own id changes the one of that id that was there before.
    return f"{base}.toml" if base and base != own else ""


def read_rulebook(file: str, text: str, others: Mapping[str, Rulebook]) -> Rulebook:
    """The rulebook of the text, on top of the one among `others` that it extends, if it does."""
    table = parsed(file, text)
    for key in table:
        if key not in RULEBOOK_KEYS:
            raise RulesError(f"{file}: {key}: no such key")
    base = Rulebook()
    if "extends" in table:
        if table["extends"] not in others:
            raise RulesError(f"{file}: extends: no rulebook {table['extends']!r}")
        base = others[table["extends"]]
    variants = {}
    by_limit = dict(base.by_limit)
    for variant, row in table.get("variants", {}).items():
        where = f"{file}: variants.{variant}"
        variants[variant] = checked(where, row, KEYS, apart=("by_limit",))
        more = read_limits(f"{where}.by_limit", row.get("by_limit", {}))
        by_limit[variant] = _merged(by_limit.get(variant, {}), more)
    rake = [_rake_row(f"{file}: rake[{at}]", row) for at, row in enumerate(table.get("rake", ()))]
    listed = [
        checked(f"{file}: buy_in_listed[{at}]", row, LISTED_KEYS)
        for at, row in enumerate(table.get("buy_in_listed", ()))
    ]
    mixes = checked(file, {key: table[key] for key in ("mixes",) if key in table}, MIX_KEYS)
    return Rulebook(
        name=str(table.get("name", base.name)),
        language=str(table.get("language", base.language)),
        every={**base.every, **checked(f"{file}: every", table.get("every", {}), KEYS)},
        limits=_merged(base.limits, read_limits(f"{file}: limits", table.get("limits", {}))),
        variants=_merged(base.variants, variants),
        by_limit=by_limit,
        rake=tuple(rake) if "rake" in table else base.rake,
        listed=tuple(listed) if "buy_in_listed" in table else base.listed,
        mixes=tuple(mixes.get("mixes", base.mixes)),
    )


def _merged(
    base: Mapping[str, dict[str, Any]], more: Mapping[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    merged = {name: dict(values) for name, values in base.items()}
    for name, values in more.items():
        old = merged.setdefault(name, {})
        tiers = {**old.get("tiers", {}), **values.get("tiers", {})}
        old.update(values)
        if tiers:
            old["tiers"] = tiers
    return merged


def _rake_row(where: str, table: Any) -> RakeRow:
    values: dict[str, Any] = {"limits": (), "big_blind_from": 0, "caps": ()}
    values.update(checked(where, table, RAKE_KEYS))
    for key in ("step", "fee"):
        if key not in values:
            raise RulesError(f"{where}.{key}: is missing")
    if ("small_below" in values) != ("small_step" in values):
        raise RulesError(f"{where}.small_step: goes with small_below")
    return RakeRow(**values)


def resolve(
    ids: tuple[str, str, str],
    rulebook: Rulebook,
    variant: Mapping[str, Any],
    limit: Mapping[str, Any],
) -> Game:
    """The game of these three tables; the more special one has the last word."""
    of_rulebook, of_variant, of_limit = ids
    where = f"{of_rulebook}.toml: variants.{of_variant} in {of_limit}"
    values: dict[str, Any] = {
        **DEFAULTS,
        **limit,
        **variant,
        **rulebook.every,
        **rulebook.limits.get(of_limit, {}),
        **rulebook.variants[of_variant],
        **rulebook.by_limit.get(of_variant, {}).get(of_limit, {}),
    }
    for key in NOT_OF_A_GAME:
        values.pop(key, None)
    values["name"] = variant.get("name", of_variant)
    streets: tuple[Street, ...] = values["streets"]
    rounds = sum(street.bet for street in streets)
    tiers = {**limit.get("tiers", {}), **rulebook.limits.get(of_limit, {}).get("tiers", {})}
    values["tiers"] = tiers.get(str(rounds), ())
    if values.get("raise_rule") in (Raise.FIXED, Raise.SPREAD) and not values["tiers"]:
        raise RulesError(f"{where}: tiers: none for a game of {rounds} rounds")
    if values.get("raise_rule") is not Raise.FIXED:
        values["open_pair_street"] = -1
    values.update(
        rulebook=of_rulebook,
        variant=of_variant,
        limit=of_limit,
        has_button=values.get("forced") is not Forced.BRING_IN,
        rounds=rounds,
        rake=tuple(row for row in rulebook.rake if not row.limits or of_limit in row.limits),
        buy_in_listed=tuple(
            pair
            for row in rulebook.listed
            if not row.get("limits") or of_limit in row["limits"]
            for pair in row["table"]
        ),
        digest="",
    )
    for name in (each.name for each in fields(Game)):
        if name not in values:
            raise RulesError(f"{where}: {name}: no table says it")
    if not values["high"] and not values["low"]:
        raise RulesError(f"{where}: high: a game ranks hands by high, low or both")
    if values["forced"] is Forced.BRING_IN and not values["bring_in_suits"]:
        raise RulesError(f"{where}: bring_in_suits: ties of the bring-in need an order of suits")
    values["digest"] = digest_of(values)
    played = Game(**values)
    _dealable(where, played)
    return played


def _dealable(where: str, game: Game) -> None:
    """The deck holds what the streets deal, and what they deal can be judged."""
    streets = game.streets
    own = sum(street.down + street.up for street in streets)
    board = sum(street.board for street in streets)
    if game.short_deck_shares:
        # One card for all stands in for each player's last one.
        need = (own - streets[-1].down - streets[-1].up) * game.seats_most + 1
    else:
        need = own * game.seats_most + board
    if need > len(DECKS[game.deck]):
        raise RulesError(
            f"{where}: seats_most: {game.seats_most} players need {need} cards, more than the deck"
        )
    own = game.own_at_showdown
    for half, name in (("high", game.high), ("low", game.low)):
        if name and not FITS[game.select](ranking(name).size, own, board):
            raise RulesError(
                f"{where}: select: {game.select} has no hand of {half} {name}"
                f" in {own} own cards and {board} shared ones"
            )


def digest_of(values: Mapping[str, Any]) -> str:
    """A short name for exactly these rules: a change of any value changes it.

    What no table says is left out: a key that comes later changes no game that lacks it.
    """
    said = {key: each for key, each in values.items() if each != DEFAULTS.get(key)}
    plain = json.dumps(said, sort_keys=True, default=_plain, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def _plain(value: object) -> Any:
    if isinstance(value, (Street, RakeRow)):
        return [getattr(value, each.name) for each in fields(value)]
    raise TypeError(f"no plain form for {value!r}")
