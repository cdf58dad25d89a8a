"""Bots over the real stream of a real session, in this event loop: they sit, act, come back."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from riverboat.bots.bot import Bot, style_of
from riverboat.bots.client import FOR_GOOD, PlayStream, Shut
from riverboat.bots.crowd import Crowd
from riverboat.bots.leaving import BACK_S, LEAVE_S
from riverboat.game.hand.events import HandStarted
from riverboat.game.record import Record
from riverboat.game.table.events import GameChosen, PlayerLeft, PlayerSeated, SeatReserved
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.runtime import errors
from riverboat.runtime.errors import Fault
from riverboat.wire.v1 import session_pb2 as pb
from services.cli import reach
from tests.cli.house import BUY_IN, Network, network
from tests.waiting import until

SOON_S = 10.0  # on a busy machine, and far less than a crowd may wait


async def test_a_crowd_plays_the_hands_it_was_asked_for(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        async with net.bots(table, 4, hands=20) as crowd, asyncio.timeout(30):
            await crowd.done.wait()
        tally = crowd.tally
        assert tally.hands >= 20
        assert tally.voided == 0
        assert tally.actions >= 2 * 20  # two players at least, each with something to say
        assert len(tally.waits_s) >= tally.actions - 4  # time-outs alone act without being asked
        assert crowd.stream.cuts == 0
        # They left when they had played: the table is empty, and all money is on accounts again.
        state = net.house.tables[table]
        assert state.sittings == {}
        assert state.bought_in - state.cashed_out - state.raked == 0


async def test_bots_choose_what_is_dealt_next_where_that_is_theirs(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(variant="dealers_choice", limit="mixed")
        chosen: list[GameChosen] = []
        started: list[tuple[str, int]] = []

        def saw(_table: Table, record: Record, _found: log.Record) -> None:
            for event in record.events:
                if isinstance(event, GameChosen):
                    chosen.append(event)
                elif isinstance(event, HandStarted):
                    started.append((event.variant, event.game_at))

        net.house.follow(saw)
        async with net.bots(table, 3, hands=30) as crowd, asyncio.timeout(40):
            await crowd.done.wait()
        # Nobody's time passed: all were asked, by dice of their own.
        assert {event.why for event in chosen if event.why != "gone"} == {"asked"}
        assert len({event.game_at for event in chosen}) > 3
        assert {game_at for _, game_at in started} <= {event.game_at for event in chosen}
        assert len({event.player for event in chosen}) == 3


async def test_who_is_broke_buys_in_again(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table(seats=2)
        async with net.bots(table, 2) as crowd:
            state = net.house.tables[table]
            await until(lambda: state.bought_in > 2 * BUY_IN, 40)
            hands = crowd.tally.hands
            await until(lambda: crowd.tally.hands >= hands + 3)


async def test_who_has_no_money_is_given_some_and_sits_down(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        funded: list[str] = []

        async def fund(bot: Bot) -> None:
            funded.append(bot.player)
            await net.deposit(bot.player, bot.buy_in)

        async with reach.channel(net.where, "session") as channel:
            bot = Bot("poor", net.token("poor"), table, 500, style_of(0), random.Random(1))
            crowd = Crowd(channel, [bot], fund, think_ms=(0, 0))
            playing = asyncio.create_task(crowd.run())
            await until(lambda: bot.seated)
            crowd.done.set()
            await playing
        assert funded == ["poor"]


async def test_a_bot_waits_for_a_wallet_that_is_away(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        away = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED]

        async def fund(bot: Bot) -> None:
            if away:
                raise grpc.aio.AioRpcError(away.pop(), grpc.aio.Metadata(), grpc.aio.Metadata())
            await net.deposit(bot.player, bot.buy_in)

        async with reach.channel(net.where, "session") as channel:
            bot = Bot("poor", net.token("poor"), table, 500, style_of(0), random.Random(1))
            crowd = Crowd(channel, [bot], fund, think_ms=(0, 0))
            playing = asyncio.create_task(crowd.run())
            await until(lambda: bot.seated)
            crowd.done.set()
            await playing
        assert not away


@pytest.mark.parametrize("code", sorted(FOR_GOOD, key=str), ids=lambda code: code.name)
async def test_a_wallet_that_refuses_for_good_ends_the_crowd(tmp_path: Path, code) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        asked: list[str] = []

        async def fund(bot: Bot) -> None:
            asked.append(bot.player)
            raise grpc.aio.AioRpcError(
                code, grpc.aio.Metadata(), grpc.aio.Metadata(), "not your money"
            )

        async with reach.channel(net.where, "session") as channel:
            bot = Bot("poor", net.token("poor"), table, 500, style_of(0), random.Random(1))
            crowd = Crowd(channel, [bot], fund, think_ms=(0, 0))
            with pytest.raises(Shut, match="no money for poor: not your money"):
                async with asyncio.timeout(SOON_S):
                    await crowd.run()
        assert asked == ["poor"], "it is asked once"


async def test_a_seat_that_nobody_can_have_ends_the_crowd(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        async with reach.channel(net.where, "session") as channel:
            bot = Bot("poor", net.token("poor"), table, -5, style_of(0), random.Random(1))

            async def fund(_bot: Bot) -> None:
                raise AssertionError("there is nothing to pay")

            crowd = Crowd(channel, [bot], fund, think_ms=(0, 0))
            with pytest.raises(Shut, match="no seat for poor: "):
                async with asyncio.timeout(SOON_S):
                    await crowd.run()


def cut_all(net: Network, why: Fault) -> None:
    """End every stream of the session, as it does itself."""
    assert net.house._floor is not None
    for stream in list(net.house._floor.streams):
        stream.cut(why)


async def test_who_has_left_when_his_stream_comes_back_waits_for_nothing(tmp_path: Path) -> None:
    """What he asked was heard, and what he should have heard was cut off."""
    async with network(tmp_path) as net:
        table = await net.open_table()

        def saw(_table: Table, record: Record, _found: log.Record) -> None:
            if any(isinstance(event, PlayerLeft) for event in record.events):
                cut_all(net, errors.unavailable("CUT", "for a test"))

        net.house.follow(saw)
        async with net.bots(table, 1) as crowd:
            state = net.house.tables[table]
            await until(lambda: bool(state.sittings))
            crowd.done.set()
            async with asyncio.timeout(SOON_S):
                await until(lambda: not state.sittings)
                began_s = asyncio.get_running_loop().time()
        assert crowd.stream.cuts == 1
        assert asyncio.get_running_loop().time() - began_s < SOON_S


async def test_who_is_shut_out_does_not_wait_to_leave(tmp_path: Path) -> None:
    async with network(tmp_path) as net:
        table = await net.open_table()
        out = errors.denied("BARRED", "out of here")

        async def play_until_shut_out() -> None:
            async with net.bots(table, 2) as crowd, asyncio.timeout(SOON_S):
                await until(lambda: crowd.tally.hands > 0)
                cut_all(net, out)
                await until(lambda: crowd._leaving.begun)  # of its own accord

        with pytest.raises(Shut, match="out of here"):
            async with asyncio.timeout(SOON_S):
                await play_until_shut_out()


async def test_who_leaves_a_network_that_is_gone_waits_for_a_restart_only(tmp_path: Path) -> None:
    async with AsyncExitStack() as bots:
        async with network(tmp_path) as net:
            table = await net.open_table()
            crowd = await bots.enter_async_context(net.bots(table, 2))
            await until(lambda: crowd.tally.hands > 0)
        began_s = asyncio.get_running_loop().time()
    took_s = asyncio.get_running_loop().time() - began_s
    assert LEAVE_S + BACK_S - 0.1 < took_s < LEAVE_S + BACK_S + SOON_S


async def test_who_gets_his_seat_when_the_others_go_leaves_too(tmp_path: Path) -> None:
    """Or he would sit there without a line, and each of his turns would last for its whole time."""
    async with network(tmp_path) as net:
        table = await net.open_table()
        crowds: list[Crowd] = []
        seated: list[str] = []

        def saw(_table: Table, record: Record, _found: log.Record) -> None:
            for event in record.events:
                if isinstance(event, SeatReserved):
                    crowds[0].done.set()  # his money is on its way
                elif isinstance(event, PlayerSeated):
                    seated.append(event.reservation)

        net.house.follow(saw)
        async with net.bots(table, 1) as crowd:
            crowds.append(crowd)
            await crowd.done.wait()
        assert seated
        assert net.house.tables[table].sittings == {}


async def test_a_stream_with_a_bad_token_is_shut_out(tmp_path: Path) -> None:
    async with network(tmp_path) as net, reach.channel(net.where, "session") as channel:
        stream = PlayStream(
            channel, "no token", heard=lambda _: None, began=lambda: None, ended=lambda: None
        )
        with pytest.raises(Shut):
            async with asyncio.timeout(10):
                await stream.run()


async def test_a_client_is_let_go_at_once_when_the_network_stops(tmp_path: Path) -> None:
    """What a stream ends by is no fault of the client: it comes back to whoever serves next."""
    async with network(tmp_path, stop_ms=60_000) as net:
        table = await net.open_table()
        async with reach.channel(net.where, "session") as channel:
            stood: list[bool] = []
            stream = PlayStream(
                channel,
                net.token("ann"),
                heard=lambda _: stood.append(True),
                began=lambda: stream.ask(pb.Ask(id=1, follow=pb.Follow(table=table))),
                ended=lambda: None,
            )
            watching = asyncio.create_task(stream.run())
            await until(lambda: bool(stood))
            async with asyncio.timeout(20):
                await net.house.stop()
            await until(lambda: stream.cuts == 1)
            assert not watching.done()
            watching.cancel()
