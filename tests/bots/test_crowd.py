"""Bots over the real stream of a real session, in this event loop: they sit, act, come back."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from riverboat.bots.client import PlayStream, Shut
from riverboat.bots.crowd import Bot, Crowd, style_of
from services.cli import reach
from tests.cli.house import BUY_IN, network, until


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


async def test_a_stream_with_a_bad_token_is_shut_out(tmp_path: Path) -> None:
    async with network(tmp_path) as net, reach.channel(net.where, "session") as channel:
        stream = PlayStream(
            channel, "no token", heard=lambda _: None, began=lambda: None, ended=lambda: None
        )
        with pytest.raises(Shut):
            async with asyncio.timeout(10):
                await stream.run()
