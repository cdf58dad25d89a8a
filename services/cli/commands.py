"""The commands of `riverboat`, and what it says when one of them cannot do its work.

Each stands in a module of its own, imported when it is called for. Nothing else is done here: no
command, no wiring.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from services.cli import interrupts
from services.cli.trouble import Trouble, told

# Commands in the order in which a newcomer meets them: the module that holds each, and what it does
# in a line, so that a list of commands imports none of them.
COMMANDS: Final = {
    "up": ("services.cli.up", "Run the whole network on this machine."),
    "play": ("services.cli.play.command", "Sit down and play, in this terminal."),
    "bots": ("services.cli.bots", "Let bots play, and measure it."),
    "token": ("services.cli.token", "Sign a token for a player, an operator or an observer."),
    "tables": ("services.cli.tables", "List tables; open, close, void as the operator."),
    "admin": ("services.cli.admin", "An operator's levers: tables, players, money, disputes."),
    "hand": ("services.cli.hand", "Tell one hand as a person would."),
    "audit": ("services.cli.audit", "Hold a log and its ledger to the laws."),
    "report": ("services.cli.report", "Tell of the ledger: rake, players, liabilities."),
    "simulate": ("services.cli.simulate", "Play on a simulated network where everything fails."),
    "rules": ("services.cli.rules", "List the games; check a folder of own rules."),
    "replay": ("services.cli.replay", "Play recorded hands again and compare them."),
    "serve": ("services.cli.serve", "Run some of the services in this process."),
}

USAGE: Final = 2
FAILED: Final = 1


class _Commands(click.Group):
    """Finds a command's module by name, and imports no other."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        found = import_module(COMMANDS[name][0])
        command = getattr(found, "command", None) or getattr(found, f"{name}_command", None)
        assert isinstance(command, click.Command), f"{found.__name__} holds a command"
        interrupts.end_in_order()
        return command

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="riverboat")
def cli() -> None:
    """Run a poker network, play on it, and prove what happened there."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what goes wrong is one line on stderr and a status that is not 0."""
    try:
        status = cli.main(args=arguments, prog_name="riverboat", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as helped:
        click.echo(helped.format_message(), err=True)
        return USAGE
    except click.UsageError as wrong:
        # Where choices are left to name, click takes a line for each.
        click.echo(f"riverboat: {' '.join(wrong.format_message().split())}", err=True)
        if wrong.ctx is not None:
            click.echo(f"Try '{wrong.ctx.command_path} --help'.", err=True)
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        return interrupts.STATUS
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
