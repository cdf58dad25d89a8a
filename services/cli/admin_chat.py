"""What an operator does about what is said at tables. The session decides; see docs/chat.md."""

from __future__ import annotations

from datetime import UTC, datetime

import click
import grpc

from riverboat.wire.v1 import chat_pb2
from riverboat.wire.v1.session_pb2_grpc import SessionServiceStub
from services.cli import reach
from services.cli.admin_line import Line, bearer
from services.cli.running import run
from services.cli.trouble import Trouble, told

WEEK_S = 7 * 24 * 60 * 60


@click.command("silence", short_help="Let a player say nothing for a while, or speak again.")
@click.argument("player")
@click.option(
    "--for",
    "seconds",
    default=0,
    type=click.IntRange(0, WEEK_S),
    help="For so many seconds. [default: let him speak again]",
)
@click.option("--why", default="", help="A short word, kept as long as what is said.")
@click.pass_obj
def silence(line: Line, player: str, seconds: int, why: str) -> None:
    """Let PLAYER say nothing, at any table."""
    request = chat_pb2.SilenceRequest(player=player, for_ms=1_000 * seconds, reason=why)

    async def ask() -> chat_pb2.SilenceResponse:
        where = reach.addresses(line.config, line.server)
        async with reach.channel(where, "session") as channel:
            return await SessionServiceStub(channel).Silence(request, metadata=bearer(line))

    try:
        done = run(ask())
    except grpc.aio.AioRpcError as error:
        trouble = told(error)
        assert trouble is not None, "a call's end is always told"
        raise Trouble(str(trouble), trouble.status) from None
    if not done.until_ms:
        click.echo(f"{player} may speak")
        return
    until = datetime.fromtimestamp(done.until_ms / 1_000, UTC)
    click.echo(f"{player} says nothing until {until:%Y-%m-%d %H:%M:%S} UTC")
