"""The command `token`: a signed token, for whoever may read the network's own key."""

from __future__ import annotations

from pathlib import Path

import click

from riverboat.runtime.auth import RIGHT_NAMES, ROLE_NAMES
from services.cli import reach
from services.cli.options import config_option, data_option, settings

HOUR_MS = 60 * 60 * 1_000


@click.command("token", short_help="Sign a token for a player, an operator or an observer.")
@click.option("--player", "subject", required=True, metavar="NAME", help="Whose token it is.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(ROLE_NAMES),
    help="What it allows; may be given several times. [default: player]",
)
@click.option(
    "--right",
    "rights",
    multiple=True,
    type=click.Choice(RIGHT_NAMES),
    help="What an operator may do besides looking; may be given several times.",
)
@click.option("--hours", type=click.IntRange(1, 24 * 366), default=24, show_default=True)
@data_option
@config_option
def command(
    subject: str,
    roles: tuple[str, ...],
    rights: tuple[str, ...],
    hours: int,
    data: Path | None,
    file: Path | None,
) -> None:
    """Sign a token with the key in the data folder, and print it."""
    config = settings(file, data=data)
    click.echo(reach.token(config, subject, roles or ("player",), hours * HOUR_MS, rights))
