"""The server's command line: start, stop, or run a command beside it.

`python -m deploy.postgres start --data DIR`. Prints where the server is, decides nothing.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click

from deploy.postgres.server import NoPostgres, Server

FOLDER = click.option("--data", required=True, type=click.Path(path_type=Path), help="its folder")
PORT = click.option("--port", type=click.IntRange(1024, 65535), help="its port; else a free one")


@click.group()
def main() -> None:
    """PostgreSQL on this machine's loopback."""


@main.command()
@FOLDER
@PORT
def start(data: Path, port: int | None) -> None:
    """Start a server that runs on until `stop`, and print where it is."""
    server = Server(data, port)
    server.start()
    click.echo(server.url())


@main.command()
@FOLDER
def stop(data: Path) -> None:
    """Stop the server of a folder."""
    Server.standing(data).stop()


@main.command()
@FOLDER
@PORT
@click.argument("command", nargs=-1, required=True)
def run(data: Path, port: int | None, command: tuple[str, ...]) -> None:
    """Run COMMAND beside a server that ends with it; {url} in it is where that is."""
    server = Server(data, port, attached=True)
    signal.signal(signal.SIGTERM, _asked_to_end)
    try:
        server.start()
        status = _status([word.replace("{url}", server.url()) for word in command])
    finally:
        server.stop()
    sys.exit(status)


def _status(words: Sequence[str]) -> int:
    """Run the command to its end; its status, as a shell tells it."""
    try:
        process = subprocess.Popen(words)
    except OSError as wrong:
        raise NoPostgres(f"{words[0]}: {wrong.strerror}") from None
    while True:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            # The terminal told the command too; it stops in its own time, the server after it.
            continue
        except _Ended:
            # Nobody has told the command: it must not outlive its database.
            process.terminate()
            continue
        return status if status >= 0 else 128 - status


class _Ended(Exception):
    """Somebody wants this process to end."""


def _asked_to_end(_number: int, _frame: FrameType | None) -> None:
    raise _Ended


if __name__ == "__main__":
    try:
        main()
    except NoPostgres as reason:
        sys.exit(f"postgres: {reason}")
    except _Ended:
        sys.exit(128 + signal.SIGTERM)
