"""The program `riverboat`: its commands, and what it says when one of them cannot do its work.

Every command stands in a module of its own, imported when it is called for. Nothing else is done
here: no command, no wiring.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

from services.cli.trouble import Trouble, told

# Commands in the order in which a newcomer meets them, each with the module that holds it.
COMMANDS: Final = {
    "up": "services.cli.up",
    "play": "services.cli.play",
    "bots": "services.cli.bots",
    "token": "services.cli.token",
    "tables": "services.cli.tables",
    "hand": "services.cli.hand",
    "audit": "services.cli.audit",
    "simulate": "services.cli.simulate",
    "replay": "services.cli.replay",
    "serve": "services.cli.serve",
}

USAGE: Final = 2
FAILED: Final = 1
INTERRUPTED: Final = 130


class _Commands(click.Group):
    """Finds a command's module by name, and imports no other."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        module = COMMANDS.get(name)
        if module is None or find_spec(module) is None:
            return None
        found = import_module(module)
        command = getattr(found, "command", None) or getattr(found, f"{name}_command", None)
        return command if isinstance(command, click.Command) else None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="riverboat")
def cli() -> None:
    """Run a poker network, play on it, and prove what happened there."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and end the process with its status."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong is one line on stderr and a status that is not 0."""
    try:
        status = cli.main(args=arguments, prog_name="riverboat", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as helped:
        click.echo(helped.format_message(), err=True)
        return USAGE
    except click.UsageError as wrong:
        click.echo(f"riverboat: {wrong.format_message()}", err=True)
        if wrong.ctx is not None:
            click.echo(f"Try '{wrong.ctx.command_path} --help'.", err=True)
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; nothing more may be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        trouble = error if isinstance(error, Trouble) else told(error)
        if trouble is None:
            raise
        click.echo(f"riverboat: {trouble}", err=True)
        return trouble.status
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    main()
