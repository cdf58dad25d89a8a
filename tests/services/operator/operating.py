"""Operators at a real network in this process: what they ask, and what the logs hold then.

For the tests of this room and of the command line; holds no test itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from riverboat.game.commands import Ordered
from riverboat.game.table.events import Settings
from riverboat.log import log, topics
from riverboat.log.log import Log, Place
from riverboat.runtime.auth import RIGHT_NAMES
from riverboat.wire.record import decode_ordered
from riverboat.wire.v1 import operator_pb2 as pb
from riverboat.wire.v1.operator_pb2_grpc import OperatorServiceStub
from services.cli import reach
from services.cli.network_log import records
from tests.cli.house import Network

TEMPLATES = """
[evening]
name = "Natchez"
seats = 2
pause_ms = 0

[morning]
variant = "omaha"
limit = "pl"
blinds = [10, 20]
"""


class Operator:
    """One operator, with a token of his own."""

    def __init__(self, net: Network, channel: grpc.aio.Channel, name: str, rights: Any) -> None:
        token = reach.token(net.config, name, ["operator"], rights=rights)
        self.stub = OperatorServiceStub(channel)
        self.metadata = reach.bearer(token)
        self._keys = (f"{name} {number}" for number in count(1))

    async def take(self, why: str = "as the test wants", key: str = "", **measure: Any) -> Any:
        """Take a measure; what came of it."""
        request = pb.TakeRequest(
            key=key or next(self._keys), why=why, measure=pb.Measure(**measure)
        )
        return await self.stub.Take(request, metadata=self.metadata)

    async def refusal(self, why: str = "as the test wants", key: str = "", **measure: Any) -> str:
        """Take a measure that is refused: by which code."""
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await self.take(why, key, **measure)
        return f"{raised.value.code().name}: {raised.value.details()}"

    async def reason(self, why: str = "as the test wants", key: str = "", **measure: Any) -> str:
        """Take a measure that is refused: by the name of its code."""
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await self.take(why, key, **measure)
        return reason_of(raised.value)

    async def ask(self, method: str, request: Any) -> Any:
        """Look at something."""
        return await getattr(self.stub, method)(request, metadata=self.metadata)

    async def fault(self, method: str, request: Any) -> str:
        """Look at something that is not shown."""
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await self.ask(method, request)
        return f"{raised.value.code().name}: {raised.value.details()}"


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """The name of the code by which a call was refused."""
    status = rpc_status.from_call(error)  # type: ignore[arg-type]
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


@asynccontextmanager
async def operators(
    net: Network, *names: str, rights: Sequence[str] = RIGHT_NAMES
) -> AsyncIterator[list[Operator]]:
    """Operators who may do this much."""
    async with reach.channel(net.where, "operator") as channel:
        yield [Operator(net, channel, name, rights) for name in names]


def options(net: Network, table: str) -> Settings:
    """The table's options now."""
    settings = net.house.tables[table].settings
    assert settings is not None
    return settings


def running(net: Network, table: str) -> str:
    """The hand that is being played there."""
    deal = net.house.tables[table].deal
    assert deal is not None
    return deal.hand


def templates(folder: Path, text: str = TEMPLATES) -> Path:
    """A file of templates."""
    path = folder / "templates.toml"
    path.write_text(text)
    return path


async def orders(network: Log) -> list[Ordered]:
    """All orders that operators have sent."""
    found = await everything(network, topics.TABLE_ORDERS)
    ordered = [decode_ordered(one.value or b"") for one in found]
    return [one for one in ordered if one.id.startswith("operator/")]


async def measures(network: Log) -> list[pb.OperatorRecord]:
    """All records of the operator-log."""
    found = await everything(network, topics.OPERATOR_LOG)
    return [pb.OperatorRecord.FromString(one.value or b"") for one in found]


async def everything(network: Log, topic: str) -> list[log.Record]:
    """All records of a topic, partition by partition."""
    found: list[log.Record] = []
    for partition in range(network.partitions(topic)):
        found += [one async for one in records(network, Place(topic, partition))]
    return found
