"""The command `tables`: which tables stand, and an operator's orders to them.

Every order travels through the dealer's calls, so it works while the network runs, and only then.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import click
import grpc

from riverboat.runtime.config import Config
from riverboat.wire.v1 import dealer_pb2, session_pb2, session_pb2_grpc
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from services.cli import reach
from services.cli.first_tables import open_request, table_settings
from services.cli.options import config_option, data_option, server_option, settings
from services.cli.running import run
from services.cli.words import amount, game_name

OPERATOR = "operator"


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
@click.option("--seats", default=6, show_default=True, type=click.IntRange(2, 10))
@click.option("--currency", default="PLAY", show_default=True)
@click.option("--runs", default=1, show_default=True, type=click.IntRange(1, 3))
@click.option("--raked/--free", default=False, help="Whether rake is taken. [default: free]")
@click.pass_obj
def open_(target: tuple[Config, str | None], /, blinds: str, **named: Any) -> None:
    """Open a new table, and print its id."""
    small, _, big = blinds.partition("/")
    if not small.isdecimal() or not big.isdecimal():
        raise click.BadParameter("two amounts, as in 5/10", param_hint="--blinds")
    wanted = table_settings(small=int(small), big=int(big), **named)

    async def order(dealer: DealerServiceStub, metadata: Any) -> str:
        return (await dealer.OpenTable(open_request(wanted), metadata=metadata)).table

    click.echo(_order(target, order))


@command.command("close")
@click.argument("table")
@click.option("--reason", default="", help="A short word, kept for ever.")
@click.pass_obj
def close(target: tuple[Config, str | None], table: str, reason: str) -> None:
    """Close TABLE for ever, once its hand is over."""

    async def order(dealer: DealerServiceStub, metadata: Any) -> str:
        request = dealer_pb2.CloseTableRequest(table=table, reason=reason)
        return f"closing at version {(await dealer.CloseTable(request, metadata=metadata)).version}"

    click.echo(_order(target, order))


@command.command("void")
@click.argument("hand")
@click.option("--reason", default="", help="A short word, kept for ever.")
@click.pass_obj
def void(target: tuple[Config, str | None], hand: str, reason: str) -> None:
    """Call HAND off: every chip goes back to where it was."""

    async def order(dealer: DealerServiceStub, metadata: Any) -> str:
        request = dealer_pb2.VoidHandRequest(hand=hand, reason=reason)
        return f"over at version {(await dealer.VoidHand(request, metadata=metadata)).version}"

    click.echo(_order(target, order))


_Order = Callable[[DealerServiceStub, Any], Coroutine[Any, Any, str]]


def _order(target: tuple[Config, str | None], order: _Order) -> str:
    config, server = target

    async def work() -> str:
        metadata = reach.bearer(reach.token(config, OPERATOR, ["operator"], 60_000))
        async with reach.channel(reach.addresses(config, server), "dealer") as channel:
            return await order(DealerServiceStub(channel), metadata)

    return run(work())


async def _list(config: Config, server: str | None) -> None:
    metadata = reach.bearer(reach.token(config, OPERATOR, ["operator"], 60_000))
    async with reach.channel(reach.addresses(config, server), "session") as channel:
        for line in sorted(await listed(channel, metadata), key=lambda line: line.settings.name):
            one = line.settings
            click.echo(
                f"{line.table:15}  {one.name:20}  {game_name(one):28}  {one.rulebook:8}  "
                f"{amount(one.stakes.small_blind, one.currency)}/"
                f"{amount(one.stakes.big_blind, one.currency)}  "
                f"{line.taken}/{one.seats} seats  {line.hands} hands"
                f"{'  closing' if line.closing else ''}"
            )


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
