"""An operator's orders, by the command line, while the network runs."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from riverboat.game import rules
from riverboat.game.rules.schema import Forced
from riverboat.game.table.mixed import turns
from riverboat.game.table.settings import fault
from riverboat.wire.v1 import dealer_pb2
from riverboat.wire.v1.dealer_pb2_grpc import DealerServiceStub
from services.cli import reach
from services.cli.first_tables import FIRST, open_first, open_request, table_settings
from services.cli.main import run
from tests.cli.house import Network, network
from tests.waiting import until


async def ordered(net: Network, *arguments: str) -> int:
    """Run one command of `tables` beside the network; its status."""
    server = net.where["dealer"]
    folder = str(net.config.data)
    return await asyncio.to_thread(
        run, ["tables", "--data", folder, "--server", server, *arguments]
    )


async def test_tables_are_opened_listed_and_closed(tmp_path: Path, capfd) -> None:
    async with network(tmp_path) as net:
        assert await ordered(net, "open", "--name", "Delta", "--blinds", "25/50") == 0
        table = capfd.readouterr().out.strip()
        settings = net.house.tables[table].settings
        assert settings is not None
        assert (settings.name, settings.stakes.big_blind) == ("Delta", 50)
        assert await ordered(net) == 0
        assert f"{table}" in capfd.readouterr().out
        assert await ordered(net, "close", table) == 0
        await until(lambda: net.house.tables[table].closed)
        assert await ordered(net) == 0
        assert table not in capfd.readouterr().out


async def test_two_tables_never_share_an_id(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        opened = await asyncio.gather(*(net.open_table(f"T{number}") for number in range(20)))
        assert len(set(opened)) == 20
        loads = [sum(name.endswith(f".{partition}") for name in opened) for partition in range(4)]
        assert loads == [5, 5, 5, 5]  # the emptiest partition is picked


async def test_a_hand_is_called_off_and_every_chip_goes_back(tmp_path: Path, capfd) -> None:
    """RULES 7, server failure: every chip in the pot goes back to the player who put it in."""
    async with network(tmp_path) as net:
        table = await net.open_table()
        # Bots that think for a minute leave the hand where it is.
        async with net.bots(table, 3, think_ms=60_000) as crowd:
            state = net.house.tables[table]
            await until(lambda: state.deal is not None)
            assert state.deal is not None
            hand = state.deal.hand
            assert await ordered(net, "void", hand) == 0
            await until(lambda: crowd.tally.voided == 1)
            assert {sitting.stack for sitting in state.sittings.values()} <= {1_000}
            assert await ordered(net, "void", hand) == 1
            assert "no such hand" in capfd.readouterr().err


async def test_orders_are_refused_by_their_reason(tmp_path: Path) -> None:
    async with network(tmp_path) as net, reach.channel(net.where, "dealer") as channel:
        dealer = DealerServiceStub(channel)

        async def refusal(call: str, request: object, metadata: object = net.operator) -> str:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await getattr(dealer, call)(request, metadata=metadata)
            return f"{raised.value.code().name}: {raised.value.details()}"

        bad = table_settings(name="Bad", small=5, big=10)
        bad.rulebook = "house"
        said = await refusal("OpenTable", open_request(bad))
        assert said.startswith("INVALID_ARGUMENT: settings.variant: ")
        unknown = dealer_pb2.CloseTableRequest(table="3f.1")
        assert await refusal("CloseTable", unknown) == "FAILED_PRECONDITION: no table"
        elsewhere = dealer_pb2.CloseTableRequest(table="3f.99")
        assert await refusal("CloseTable", elsewhere) == (
            "INVALID_ARGUMENT: table: must be a table's id"
        )
        no_hand = dealer_pb2.VoidHandRequest(hand="hand")
        assert await refusal("VoidHand", no_hand) == "INVALID_ARGUMENT: hand: must be a hand's id"
        player = reach.bearer(net.token("ann"))
        said = await refusal("CloseTable", unknown, player)
        assert said == "PERMISSION_DENIED: only for the role service"


async def test_to_close_a_table_twice_is_answered_as_done(tmp_path: Path) -> None:
    async with network(tmp_path) as net, reach.channel(net.where, "dealer") as channel:
        dealer = DealerServiceStub(channel)
        request = dealer_pb2.CloseTableRequest(table=await net.open_table())
        first = await dealer.CloseTable(request, metadata=net.operator)
        again = await dealer.CloseTable(request, metadata=net.operator)
        assert again.version >= first.version


async def test_the_first_tables_are_opened_once(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        where = dict(net.where)
        await open_first(net.config, where)
        await open_first(net.config, where)
        names = [table.settings.name for table in net.house.tables.values() if table.settings]
        assert sorted(names) == sorted(settings.name for settings in FIRST)


def test_the_first_tables_show_how_much_can_be_dealt() -> None:
    games = [turn.game for one in FIRST for turn in turns(one)]
    assert [fault(one) for one in FIRST] == [None] * len(FIRST)
    assert len(FIRST) <= 12
    assert {one.rulebook for one in FIRST} == set(rules.RULEBOOKS)
    assert {one.limit for one in FIRST} == {*rules.HOUSE.limits, rules.MIXED}
    assert {played.forced for played in games} >= {Forced.BLINDS, Forced.BRING_IN}
    assert {played.select for played in games} >= {"any_five", "two_and_three", "own_and_vela"}
    assert any(played.low and played.high for played in games)
    assert any(played.low and not played.high for played in games)
    assert any(street.draw > 0 for played in games for street in played.streets)
    # What no other network deals.
    assert {one.variant for one in FIRST} >= {"soko", "telesina", "draw32", "dealers_choice"}


async def test_bots_play_at_every_one_of_the_first_tables(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        await open_first(net.config, dict(net.where))
        async with AsyncExitStack() as held:
            for table in sorted(net.house.tables):
                await held.enter_async_context(net.bots(table, 3))

            def played() -> bool:
                return all(state.hands > 1 for state in net.house.tables.values())

            await until(played, 60)
        assert len(net.house.tables) == len(FIRST)
        assert not any(state.stopped for state in net.house.tables.values())
