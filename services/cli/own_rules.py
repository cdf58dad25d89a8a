"""Own rules: an operator's folder of tables, read beside the built-in ones.

Every TOML file of the folder is a table: `variants.toml`, `limits.toml`, `mixes.toml`,
`sites.toml`, and one of its own name for each rulebook. A folder that cannot be dealt by is
refused as a whole.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from riverboat.game import rules
from riverboat.game.rules import Rules, RulesError, sites
from riverboat.game.rules.sites import Sites

rules_option = click.option(
    "--rules",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of own tables of rules.",
)


class Own(NamedTuple):
    """What a folder's tables make."""

    rules: Rules
    sites: Sites


def read(folder: Path) -> Own:
    """The folder's tables on top of the built-in ones; `RulesError` names the file and the key."""
    if not folder.is_dir():
        raise RulesError(f"{folder}: no such folder of rules")
    try:
        found = [path for path in sorted(folder.iterdir()) if path.suffix == ".toml"]
    except OSError as wrong:
        raise RulesError(f"{folder}: {wrong.strerror}") from None
    texts = {}
    for path in found:
        try:
            texts[path.name] = path.read_text("utf-8")
        except UnicodeDecodeError as wrong:
            raise RulesError(f"{path.name}: not UTF-8: {wrong.reason}") from None
        except OSError as wrong:
            raise RulesError(f"{path.name}: {wrong.strerror}") from None
    if not texts:
        raise RulesError(f"{folder}: holds no table of rules: no file ends in .toml")
    loaded = rules.load(texts)
    return Own(loaded, Sites(texts.get(rules.SITES, ""), loaded, sites.SITES))


def adopt(folder: Path | None) -> Rules:
    """Deal by the folder's tables from now on, where one is named; the rules in force."""
    if folder is not None:
        own = read(folder)
        rules.adopt(own.rules)
        sites.adopt(own.sites)
    return rules.in_force()
