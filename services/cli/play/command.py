"""The command `play`: a seat at the network's tables, in a terminal."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import click

from services.cli import reach
from services.cli.options import config_option, data_option, server_option, settings
from services.cli.play.app import PlayApp
from services.cli.play.line import Line
from services.cli.trouble import BAD_CONFIG, Trouble


@click.command("play")
@click.option("--name", help="Who plays. [default: the user of this terminal]")
@click.option("--token", envvar="RIVERBOAT_TOKEN", help="Signed by the network's own issuer.")
@data_option
@config_option
@server_option
def command(
    name: str | None, token: str | None, data: Path | None, file: Path | None, server: str | None
) -> None:
    """Play among the others. Without a token, one is signed with the key in the data folder."""
    config = settings(file, data=data)
    player = name or os.environ.get("USER") or "player"
    signed = token or reach.token(config, player, ["player"])
    where = reach.addresses(config, server)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Trouble("play needs a terminal: its input or its output is none", BAD_CONFIG)

    async def play() -> str:
        line = Line(where, player, signed)
        app = PlayApp(line)
        try:
            await app.run_async()
            return app.trouble
        finally:
            await line.close()

    trouble = asyncio.run(play())
    if trouble:
        raise Trouble(trouble)
