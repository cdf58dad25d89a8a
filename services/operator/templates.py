"""Templates of tables: an operator's TOML, each table of it the options of a kind of table.

    [evening]                 # the template's name
    name     = "Natchez"      # of its tables, with a number behind it
    variant  = "holdem"
    limit    = "nl"
    blinds   = [5, 10]        # what is not named follows from them
    keep     = 1              # so many with a free chair are kept open

Every other key is an option by the name that docs/table-options.md gives it. Read once, at the
start; what is wrong is told by file and key.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, get_type_hints

from riverboat.game.hand.events import Stakes
from riverboat.game.rules import RulesError
from riverboat.game.table.costs import with_usual_stakes
from riverboat.game.table.events import Apart, ButtonRule, Settings
from riverboat.game.table.settings import fault
from riverboat.runtime.config import ConfigError

KEEP_MOST: Final = 100

# What people are used to, where a template does not say.
USUAL: Final = Settings(
    name="",
    rulebook="standard",
    variant="holdem",
    limit="nl",
    stakes=Stakes(),
    currency="PLAY",
    seats=6,
    raked=False,
    button_rule=ButtonRule.MOVING,
    runs=1,
    buy_in_least=0,
    buy_in_most=0,
    turn_ms=20_000,
    grace_ms=60_000,
    reserve_ms=10_000,
    pause_ms=2_000,
)


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of table."""

    name: str
    settings: Settings
    keep: int  # as the file says; an operator's measure goes before it

    def numbered(self, number: int) -> Settings:
        """The options of its table of this number."""
        return replace(self.settings, name=f"{self.settings.name} {number}")


def read_templates(path: Path | None) -> dict[str, Template]:
    """The templates of a file, by name; `ConfigError` names the file and the key."""
    if path is None:
        return {}
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"table_templates: {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"table_templates: {path}: {error}") from None
    return {name: _template(path, name, raw) for name, raw in table.items()}


def _template(path: Path, name: str, raw: Any) -> Template:
    def wrong(key: str, reason: str) -> ConfigError:
        return ConfigError(f"table_templates: {path}: {name}.{key}: {reason}")

    if not isinstance(raw, dict):
        raise ConfigError(f"table_templates: {path}: {name}: must be a table of options")
    if len(name) > 40 or not name.isprintable():
        raise ConfigError(f"table_templates: {path}: {name[:40]}: must be a name of 40 at most")
    given = dict(raw)
    keep, blinds = given.pop("keep", 0), given.pop("blinds", [5, 10])
    if not _is_whole(keep) or not 0 <= keep <= KEEP_MOST:
        raise wrong("keep", f"must be a whole number from 0 to {KEEP_MOST}")
    if not isinstance(blinds, list) or len(blinds) != 2 or not all(map(_is_whole, blinds)):
        raise wrong("blinds", "must be two amounts, as in [5, 10]")
    hints = get_type_hints(Settings)
    values: dict[str, Any] = {"name": name}
    for key, value in given.items():
        if key not in hints:
            raise wrong(key, "is no option of a table")
        try:
            values[key] = _READ.get(key, _plain(hints[key]))(value)
        except (TypeError, ValueError) as error:
            raise wrong(key, f"must be {error}") from None
    stakes = values.pop("stakes", None)
    small, big = blinds
    settings = replace(USUAL, **values, stakes=Stakes(small_blind=small, big_blind=big))
    try:
        settings = with_usual_stakes(settings, small, big)
    except RulesError as error:
        raise wrong("variant", str(error)) from None
    if stakes is not None:
        settings = replace(settings, stakes=replace(settings.stakes, **stakes))
    found = fault(settings)
    if found is not None:
        raise wrong(str(found.facts["field"]), str(found.facts["reason"]))
    return Template(name, settings, keep)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _plain(hint: Any) -> Any:
    """How a value of this type is read as it stands."""
    words = {int: "a whole number", bool: "true or false", str: "a text"}

    def read(value: Any) -> Any:
        if type(value) is not hint:
            raise ValueError(words.get(hint, "another kind of value"))
        return value

    return read


def _button_rule(value: Any) -> ButtonRule:
    try:
        return ButtonRule[str(value).upper()]
    except KeyError:
        raise ValueError("moving or dead") from None


def _numbers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(map(_is_whole, value)):
        raise ValueError("a list of whole numbers")
    return tuple(value)


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("a list of players")
    return tuple(value)


def _apart(value: Any) -> tuple[Apart, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of lists of players")
    return tuple(Apart(_words(one)) for one in value)


def _stakes(value: Any) -> dict[str, Any]:
    names = {one.name for one in fields(Stakes)}
    if not isinstance(value, dict) or not set(value) <= names:
        raise ValueError(f"some of {', '.join(sorted(names))}")
    return {key: _numbers(one) if isinstance(one, list) else one for key, one in value.items()}


_READ: Final[dict[str, Any]] = {
    "button_rule": _button_rule,
    "street_ms": _numbers,
    "invited": _words,
    "apart": _apart,
    "stakes": _stakes,
    "code_digest": bytes.fromhex,
}
