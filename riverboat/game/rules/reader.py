"""The reader: tables of data in, checked games out.

A variant, a limit and a rulebook are TOML; the more special of them has the last word. Reads no
file: texts come in. A mistake is an error that names the file and the key.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from riverboat.game.rules.schema import Forced, Game, Raise, RakeRow, Street
from riverboat.game.rules.sound import fault
from riverboat.game.rules.vocabulary import (
    DEFAULTS,
    HEAD_KEYS,
    KEYS,
    LISTED_KEYS,
    NOT_OF_A_GAME,
    RAKE_KEYS,
    RULEBOOK_KEYS,
    STREET_KEYS,
    numbers,
)

_ID = re.compile(r"[a-z][a-z0-9_]*")
ID_MOST = 32  # characters, as the wire takes them
LIMIT_ID_MOST = 16


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
    if text.startswith("\ufeff"):
        raise RulesError(f"{file}: begins with a byte order mark: save it as UTF-8 without one")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise RulesError(f"{file}: {wrong}") from None


def check_id(where: str, name: str, most: int = ID_MOST) -> None:
    """Hold an id to what the wire takes and a command line can say."""
    if not _ID.fullmatch(name) or len(name) > most:
        raise RulesError(
            f"{where}: an id is made of a to z, 0 to 9 and _, begins with a letter,"
            f" and is at most {most} long"
        )


def _table(where: str, table: Any) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise RulesError(f"{where}: must be a table, not {table!r}")
    return table


def _rows(where: str, rows: Any) -> list[Any]:
    if not isinstance(rows, list):
        raise RulesError(f"{where}: must be a list of tables, not {rows!r}")
    return rows


def _streets(where: str, rows: Any) -> tuple[Street, ...]:
    if not isinstance(rows, list) or not rows:
        raise RulesError(f"{where}: must be a list of streets, not {rows!r}")
    streets: list[Street] = []
    for at, row in enumerate(rows):
        values = checked(f"{where}[{at}]", row, STREET_KEYS)
        if "name" not in values:
            raise RulesError(f"{where}[{at}].name: is missing")
        street = Street(**values)
        if not at and (not street.down + street.up or street.draw >= 0):
            raise RulesError(f"{where}[0]: the first street deals cards and draws none")
        if street.draw_least > max(street.draw, 0):
            raise RulesError(f"{where}[{at}].draw_least: must be at most draw")
        if street.draw_least and street.refill:
            # A player whose time ran out can give cards up, but his seat takes none unasked.
            raise RulesError(f"{where}[{at}].refill: must be false where cards must be thrown")
        if not street.refill and street.draw_least < street.draw:
            # All come to the showdown with as many cards: they are judged at once.
            raise RulesError(f"{where}[{at}].draw_least: must be draw where no cards come back")
        if street.name in [other.name for other in streets]:
            raise RulesError(f"{where}[{at}].name: another street is called {street.name!r}")
        if not street.down + street.up + street.board and street.draw < 0:
            raise RulesError(f"{where}[{at}]: deals no card, and nobody draws one")
        held = sum(other.down + other.up for other in streets)
        if street.draw > held:
            raise RulesError(f"{where}[{at}].draw: must be at most {held}, all that a player holds")
        streets.append(street)
    return tuple(streets)


def read_variants(file: str, text: str) -> dict[str, dict[str, Any]]:
    """Every variant of the text, by id, its streets resolved."""
    variants = {}
    for variant, table in parsed(file, text).items():
        where = f"{file}: {variant}"
        check_id(where, variant)
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
        check_id(where, limit, LIMIT_ID_MOST)
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
    if not isinstance(base, str):
        raise RulesError(f"{file}: extends: must be text, not {base!r}")
    own = file.removesuffix(".toml")
    # A rulebook that extends its own id changes the one of that id that was there before.
    return f"{base}.toml" if base and base != own else ""


def read_rulebook(file: str, text: str, others: Mapping[str, Rulebook]) -> Rulebook:
    """The rulebook of the text, on top of the one among `others` that it extends, if it does."""
    table = parsed(file, text)
    check_id(file, file.removesuffix(".toml"))
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
    for variant, row in _table(f"{file}: variants", table.get("variants", {})).items():
        where = f"{file}: variants.{variant}"
        variants[variant] = checked(where, row, KEYS, apart=("by_limit",))
        rows = _table(f"{where}.by_limit", row.get("by_limit", {}))
        more = read_limits(f"{where}.by_limit", rows)
        by_limit[variant] = _merged(by_limit.get(variant, {}), more)
    raked = _rows(f"{file}: rake", table.get("rake", []))
    rake = [_rake_row(f"{file}: rake[{at}]", row) for at, row in enumerate(raked)]
    bought = _rows(f"{file}: buy_in_listed", table.get("buy_in_listed", []))
    listed = [_listed(f"{file}: buy_in_listed[{at}]", row) for at, row in enumerate(bought)]
    named = checked(file, {key: table[key] for key in HEAD_KEYS if key in table}, HEAD_KEYS)
    own_limits = _table(f"{file}: limits", table.get("limits", {}))
    return Rulebook(
        name=named.get("name", base.name),
        language=named.get("language", base.language),
        every={**base.every, **checked(f"{file}: every", table.get("every", {}), KEYS)},
        limits=_merged(base.limits, read_limits(f"{file}: limits", own_limits)),
        variants=_merged(base.variants, variants),
        by_limit=by_limit,
        rake=tuple(rake) if "rake" in table else base.rake,
        listed=tuple(listed) if "buy_in_listed" in table else base.listed,
        mixes=named.get("mixes", base.mixes),
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
    small = [key for key in ("small_below", "small_step", "small_fee") if key in values]
    if small and len(small) < 3:
        raise RulesError(f"{where}.{small[0]}: small_below, small_step and small_fee go together")
    row = RakeRow(**values)
    for key, fee, step in (
        ("fee", row.fee, row.step),
        ("small_fee", row.small_fee, row.small_step),
    ):
        if fee > step:
            raise RulesError(
                f"{where}.{key}: must be at most the step, or it takes more than there is"
            )
    return row


def _listed(where: str, table: Any) -> dict[str, Any]:
    values = checked(where, table, LISTED_KEYS)
    if "table" not in values:
        raise RulesError(f"{where}.table: is missing")
    return values


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
    values["digest"] = digest_of(values)
    played = Game(**values)
    wrong = fault(played)
    if wrong:
        raise RulesError(f"{where}: {wrong}")
    return played


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
