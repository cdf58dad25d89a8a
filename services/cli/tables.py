"""The command `tables`: which tables stand, and an operator's orders to them.

Every order is a measure of the operator's service, like those of `admin`: it works while the
network runs, and only then.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click
import grpc

from riverboat.game.hand.events import Stakes
from riverboat.game.table.besides import AMOUNT_MOST
from riverboat.runtime.config import Config
from riverboat.wire.record import CODEC
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1 import session_pb2, session_pb2_grpc
from services.cli import reach
from services.cli.admin_line import Line, run_with
from services.cli.first_tables import settings_message, table_settings
from services.cli.options import config_option, data_option, server_option, settings
from services.cli.running import run
from services.cli.words import game_name, price

OPERATOR = "operator"
_AMOUNT = click.IntRange(0, AMOUNT_MOST)
_REASON = click.option(
    "--reason", default="from the command line", show_default=True, help="Kept for ever."
)


@click.group("tables", invoke_without_command=True, short_help="List, open, close tables; void.")
@data_option
@config_option
@server_option
@click.pass_context
def command(
    context: click.Context, data: Path | None, file: Path | None, server: str | None
) -> None:
    """List the tables, or give an operator's order."""
    context.obj = (settings(file, data=data), server)
    if context.invoked_subcommand is None:
        run(_list(*context.obj))


@command.command("open")
@click.option("--name", required=True, help="What the table is called.")
@click.option("--variant", default="holdem", show_default=True)
@click.option("--limit", default="nl", show_default=True, help="As the rules name it.")
@click.option("--rulebook", default="standard", show_default=True)
@click.option("--blinds", default="5/10", show_default=True, metavar="SMALL/BIG")
@click.option("--ante", type=_AMOUNT, help="[default: a tenth of the bet, in stud]")
@click.option("--bring-in", type=_AMOUNT, help="[default: two antes]")
@click.option("--bets", metavar="LOWER/UPPER", help="Of fixed limit. [default: by the blinds]")
@click.option("--spread", metavar="A/B/C", help="Of spread limit. [default: by the blinds]")
@click.option("--seats", default=6, show_default=True, type=click.IntRange(2, 10))
@click.option("--currency", default="PLAY", show_default=True)
@click.option("--runs", default=1, show_default=True, type=click.IntRange(1, 3))
@click.option("--raked/--free", default=False, help="Whether rake is taken. [default: free]")
@_REASON
@click.pass_obj
def open_(
    target: tuple[Config, str | None],
    /,
    blinds: str,
    ante: int | None,
    bring_in: int | None,
    bets: str | None,
    spread: str | None,
    reason: str,
    **named: Any,
) -> None:
    """Open a new table, and print its id. Stakes that are not named follow from the blinds."""
    small, big = _amounts("--blinds", blinds, 2, "two amounts, as in 5/10")
    wanted = table_settings(small=small, big=big, **named)
    stakes = wanted.stakes
    if ante is not None:
        stakes.ante = ante
        stakes.bring_in = 2 * ante if stakes.bring_in else 0
    if bring_in is not None:
        stakes.bring_in = bring_in
    if bets is not None:
        lower, upper = _amounts("--bets", bets, 2, "two amounts, as in 10/20")
        stakes.small_bet, stakes.big_bet = lower, upper
    if spread is not None:
        stakes.spread = _amounts("--spread", spread, 0, "amounts, as in 1/2/3")

    click.echo(_take(target, reason, open=pb.Measure.Open(settings=settings_message(wanted))).table)


@command.command("close")
@click.argument("table")
@_REASON
@click.pass_obj
def close(target: tuple[Config, str | None], table: str, reason: str) -> None:
    """Close TABLE for ever, once its hand is over."""
    done = _take(target, reason, close=pb.Measure.Close(table=table))
    click.echo(f"closing at version {done.version}")


@command.command("void")
@click.argument("hand")
@_REASON
@click.pass_obj
def void(target: tuple[Config, str | None], hand: str, reason: str) -> None:
    """Call HAND off: every chip goes back to where it was."""
    done = _take(target, reason, void=pb.Measure.Void(hand=hand))
    click.echo(f"over at version {done.version}")


def _amounts(name: str, given: str, count: int, example: str) -> tuple[int, ...]:
    """The amounts between the strokes; just so many, where a count is named."""
    parts = given.split("/")
    if not all(part.isdecimal() for part in parts) or (count and len(parts) != count):
        raise click.BadParameter(example, param_hint=name)
    amounts = tuple(map(int, parts))
    if max(amounts) > AMOUNT_MOST:
        raise click.BadParameter(f"{AMOUNT_MOST} at most", param_hint=name)
    return amounts


def _take(target: tuple[Config, str | None], reason: str, **measure: Any) -> pb.TakeResponse:
    """Take this measure as the operator: it is kept, and done once, like any other."""
    config, server = target
    request = pb.TakeRequest(key=secrets.token_hex(8), why=reason, measure=pb.Measure(**measure))
    done: pb.TakeResponse = run_with(Line(config, server, OPERATOR, None), "Take", request)
    return done


async def _list(config: Config, server: str | None) -> None:
    metadata = reach.bearer(reach.token(config, OPERATOR, ["operator"], 60_000))
    async with reach.channel(reach.addresses(config, server), "session") as channel:
        lines = await listed(channel, metadata)
    rows = [
        (
            line.table,
            line.settings.name,
            game_name(line.settings),
            line.settings.rulebook,
            price(CODEC.decoder(Stakes)(line.settings.stakes), line.settings.currency),
            f"{line.taken}/{line.settings.seats} seats",
            f"{line.hands} hands",
            "closing" if line.closing else "",
        )
        for line in sorted(lines, key=lambda line: line.settings.name)
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


async def listed(channel: grpc.aio.Channel, metadata: Any) -> list[session_pb2.TableLine]:
    """All tables that stand."""
    session = session_pb2_grpc.SessionServiceStub(channel)
    lines: list[session_pb2.TableLine] = []
    while True:
        after = lines[-1].table if lines else ""
        request = session_pb2.ListTablesRequest(most=1_000, after=after)
        answer = await session.ListTables(request, metadata=metadata)
        lines += answer.tables
        if not answer.more:
            return lines
