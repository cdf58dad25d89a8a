"""Guests: players who are no bots, asked for one call at a time, and tables opened for them.

They use the calls that everybody uses; what becomes of them is read from the log. Holds no test
itself.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from riverboat.game.ids import partition_of
from riverboat.game.table.events import Settings
from riverboat.log import topics
from riverboat.log.log import Place, Record
from riverboat.log.opening import open_log
from riverboat.wire.record import decode_ordered
from riverboat.wire.v1 import session_pb2, wallet_pb2
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from riverboat.wire.v1.session_pb2_grpc import SessionServiceStub
from riverboat.wire.v1.wallet_pb2_grpc import WalletServiceStub
from services.cli import reach
from services.cli.first_tables import open_request
from services.cli.options import settings
from services.cli.words import PLAY
from tests.node.watching import now_ms
from tests.services.network import finished

BUY_IN = 1_000


async def open_table(data: Path, name: str) -> str:
    """A new table; its id."""
    status, lines = await finished("tables", "--data", str(data), "open", "--name", name)
    if status:
        status, lines = await finished("tables", "open", "--name", name, "--data", str(data))
    assert status == 0, lines
    return lines[-1]


async def open_with(data: Path, wanted: Settings) -> str:
    """A new table with these settings; its id."""
    config = settings(data=data)
    service = reach.bearer(reach.token(config, "guests", ["service"]))
    async with reach.channel(reach.addresses(config, None), "dealer") as channel:
        dealer = DealerServiceStub(channel)
        return (await dealer.OpenTable(open_request(wanted), metadata=service)).table


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


async def refused(data: Path, table: str, player: str) -> str:
    """Ask for a seat; why it was refused, or nothing where it is held."""
    try:
        await sit_down(data, table, player)
    except grpc.aio.AioRpcError as error:
        info = error_details_pb2.ErrorInfo()
        status = rpc_status.from_call(error)  # type: ignore[arg-type]
        if error.code() is grpc.StatusCode.FAILED_PRECONDITION and status is not None:
            status.details[0].Unpack(info)
            return str(info.reason)
        raise
    return ""


async def sit_down(data: Path, table: str, player: str) -> None:
    """Ask for a seat; ends when it is held."""
    config = settings(data=data)
    own = reach.bearer(reach.token(config, player, ["player"]))
    async with reach.channel(reach.addresses(config, None), "session") as channel:
        request = session_pb2.SitDownRequest(table=table, amount=BUY_IN, post=True)
        await SessionServiceStub(channel).SitDown(request, metadata=own)


async def idle_table(data: Path, owned: frozenset[int]) -> str:
    """A table in one of these partitions, where two guests sit and neither ever acts."""
    table = await open_table(data, "Idle")
    while partition_of(table) not in owned:
        table = await open_table(data, "Idle")
    for player in ("north", "south"):
        await deposit(data, player)
        await sit_down(data, table, player)
    return table


async def orders(address: str, table: str) -> list[tuple[int, object]]:
    """What the house ordered at a table, and when."""
    network = await open_log(address, clock=now_ms, read_only=True)
    try:
        place = Place(topics.TABLE_ORDERS, partition_of(table))
        end = (await network.ends([place]))[place]
        reader = network.reader()
        reader.follow(place, 0)
        found: list[Record] = []
        while not found or found[-1].offset + 1 < end:
            found += (await reader.take())[place]
        await reader.close()
        decoded = [(one.time_ms, decode_ordered(one.value or b"")) for one in found]
        return [(at_ms, one.order) for at_ms, one in decoded if one.table == table]
    finally:
        await network.close()
