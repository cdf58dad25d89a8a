"""The ledger's database goes away under a whole network: a clear error, and nothing lost."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from deploy.postgres import server as postgres
from riverboat.wire.v1 import session_pb2
from riverboat.wire.v1.session_pb2_grpc import SessionServiceStub
from services.cli import reach
from services.wallet.store import Store
from tests.cli.house import BUY_IN, Network, network
from tests.waiting import until

DONE = "done"
CODES = (grpc.StatusCode.FAILED_PRECONDITION,)  # it may be asked again, as a new command


async def told(up: Network, player: str, request: object) -> str:
    """What the player is told: that it is done, or the reason why not."""
    method = type(request).__name__.removesuffix("Request")
    async with reach.channel(up.where, "session") as channel:
        call = getattr(SessionServiceStub(channel), method)
        try:
            await call(request, metadata=reach.bearer(up.token(player)))
        except grpc.aio.AioRpcError as error:
            info = error_details_pb2.ErrorInfo()
            status = rpc_status.from_call(error)  # type: ignore[arg-type]
            assert status is not None
            assert status.details[0].Unpack(info)
            return info.reason if error.code() in CODES else error.code().name
    return DONE


def holdings(server: postgres.Server, player: str) -> dict[str, int]:
    store = Store(server.url(), read_only=True)
    try:
        return {one.kind: one.balance for one in store.holdings(player) if one.balance}
    finally:
        store.close()


async def refused(up: Network, sits: session_pb2.SitDownRequest) -> None:
    """Wait until the tables know that no money can be brought; those who ask before wait for it."""
    probe = session_pb2.SitDownRequest(table=await up.open_table("Probe", seats=9), amount=BUY_IN)
    for number in range(9):
        if await told(up, f"probe{number}", probe) == "LEDGER_AWAY":
            break
        await asyncio.sleep(1)
    assert await told(up, "bob", sits) == "LEDGER_AWAY"


async def seated(up: Network, sits: session_pb2.SitDownRequest, player: str) -> None:
    """Ask for a seat as people do, until it is there."""
    for _ in range(100):
        if await told(up, player, sits) != "LEDGER_AWAY":
            break
        await asyncio.sleep(0.2)
    table = up.house.tables[sits.table]
    await until(lambda: any(one.player == player for one in table.sittings.values()))


async def test_who_sits_down_or_tops_up_is_told_and_hands_go_on(
    own_postgres: postgres.Server, tmp_path: Path
) -> None:
    """Down: "new buy-ins get a clear error, running hands go on, nothing is lost"."""
    async with network(tmp_path, ledger_url=own_postgres.url()) as up:
        table = await up.open_table("Away")
        await up.deposit("ann", 5 * BUY_IN)
        await up.deposit("bob", 5 * BUY_IN)
        sits = session_pb2.SitDownRequest(table=table, amount=BUY_IN)
        adds = session_pb2.TopUpRequest(table=table, amount=1)
        await seated(up, session_pb2.SitDownRequest(table=table, amount=BUY_IN - 1), "ann")
        async with up.bots(await up.open_table("Plays"), 3, think_ms=5) as crowd:
            await until(lambda: crowd.tally.hands > 0)
            own_postgres.kill()
            await refused(up, sits)
            assert await told(up, "ann", adds) == "LEDGER_AWAY"
            hands = crowd.tally.hands
            await until(lambda: crowd.tally.hands >= hands + 3)
            assert await told(up, "bob", sits) == "LEDGER_AWAY"
            own_postgres.start()
            await seated(up, sits, "bob")
        await until(lambda: not any(one.reservations for one in up.house.tables.values()))
        assert sum(holdings(own_postgres, "bob").values()) == 5 * BUY_IN
        assert holdings(own_postgres, "probe0") == {}, "who had no money lost none"


async def test_a_wallet_that_starts_without_its_database_tells_so_too(
    own_postgres: postgres.Server, tmp_path: Path
) -> None:
    async with network(tmp_path, ledger_url=own_postgres.url()) as up:
        table = await up.open_table("Before")
        await up.deposit("ann", 5 * BUY_IN)
    own_postgres.stop()
    async with network(tmp_path, ledger_url=own_postgres.url()) as up:
        sits = session_pb2.SitDownRequest(table=table, amount=BUY_IN)
        await refused(up, sits)
        own_postgres.start()
        await seated(up, sits, "ann")
        await until(
            lambda: holdings(own_postgres, "ann") == {"player": 4 * BUY_IN, "table": BUY_IN}
        )
