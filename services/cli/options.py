"""What several commands share: their options, and the configuration that these make.

A flag that is not given leaves its setting to the environment, the file or the default.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from riverboat.runtime.config import Address, Config, load

CONFIG_FILE = "RIVERBOAT_CONFIG"
OWN_RULES = "RIVERBOAT_RULEBOOKS"  # as any setting is named in the environment
LEDGER_URL = "RIVERBOAT_LEDGER_URL"
WALLET_AT = "RIVERBOAT_WALLET_AT"

# More tables than this are no evening with bots, but a mistake.
TABLES_MOST = 10_000

_F = TypeVar("_F", bound=Callable[..., Any])


class _Address(click.ParamType[str]):
    """Where something listens."""

    name = "HOST:PORT"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> str:
        try:
            return str(Address.read(value))
        except ValueError as wrong:
            self.fail(f"must be {wrong}, not {value!r}", param, context)


data_option = click.option(
    "--data", type=click.Path(path_type=Path), help="Folder of all that is kept. [default: data]"
)
log_option = click.option(
    "--log", help="embedded, or kafka://HOST:PORT,... [default: embedded]", metavar="LOG"
)
ledger_option = click.option(
    "--ledger",
    metavar="URL",
    help="postgresql://USER@HOST/DATABASE. [default: SQLite in the data folder]",
)
config_option = click.option(
    "--config", "file", type=click.Path(path_type=Path), help="File of settings, TOML."
)
port_option = click.option(
    "--port", type=click.IntRange(0, 65_535), help="Port of gRPC; 0: any. [default: 7878]"
)
server_option = click.option(
    "--server", type=_Address(), help="Where the network is. [default: 127.0.0.1:7878]"
)


def settings(file: Path | None = None, port: int | None = None, **flags: object) -> Config:
    """The configuration from flags, environment and file."""
    if port is not None:
        flags["listen"] = f"127.0.0.1:{port}"
    given = file or _named_file()
    config = load(file=given, environment=os.environ, flags=flags)
    if config.rulebooks is not None:
        # Most processes have none: they need not read how such a folder is read.
        from services.cli.own_rules import adopt  # noqa: PLC0415

        adopt(config.rulebooks)
    return config


def _named_file() -> Path | None:
    """The file that the environment names, for whoever starts many processes alike."""
    named = os.environ.get(CONFIG_FILE)
    return Path(named) if named else None
