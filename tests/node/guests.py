"""Guests: players who are no bots, asked for one call at a time, and tables opened for them.

They use the calls that everybody uses. Holds no test itself.
"""

from __future__ import annotations

import secrets
from pathlib import Path

from riverboat.wire.v1 import session_pb2, wallet_pb2
from riverboat.wire.v1.session_pb2_grpc import SessionServiceStub
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.options import settings
from services.cli.words import PLAY
from tests.services.network import finished

BUY_IN = 1_000


async def open_table(data: Path, name: str) -> str:
    """A new table; its id."""
    status, lines = await finished("tables", "--data", str(data), "open", "--name", name)
    if status:
        status, lines = await finished("tables", "open", "--name", name, "--data", str(data))
    assert status == 0, lines
    return lines[-1]


async def deposit(data: Path, player: str) -> None:
    """Bring a guest money for a seat."""
    config = settings(data=data)
    service = reach.bearer(reach.token(config, "guests", ["service"]))
    async with reach.channel(reach.addresses(config, None), "wallet") as channel:
        request = wallet_pb2.DepositRequest(
            player=player,
            currency=PLAY,
            amount=BUY_IN,
            key=secrets.token_hex(12),
            note="for a guest",
        )
        await WalletServiceStub(channel).Deposit(request, metadata=service)


async def sit_down(data: Path, table: str, player: str) -> None:
    """Ask for a seat; ends when it is held."""
    config = settings(data=data)
    own = reach.bearer(reach.token(config, player, ["player"]))
    async with reach.channel(reach.addresses(config, None), "session") as channel:
        request = session_pb2.SitDownRequest(table=table, amount=BUY_IN, post=True)
        await SessionServiceStub(channel).SitDown(request, metadata=own)
