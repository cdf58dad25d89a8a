"""What is said travels between session processes over a real broker, and outlives them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

import pytest

from deploy.kafka.cluster import Cluster
from riverboat.game.table.state import Sitting, Table
from riverboat.log.opening import open_log
from riverboat.log.topics import CLOCK, MUTES, TABLE_CHAT, TOPICS
from riverboat.runtime.auth import Caller
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.entropy import system
from riverboat.wire.v1 import chat_pb2
from riverboat.wire.v1.access_pb2 import Role
from services.session.chat import Chat
from services.session.words import Words
from tests.services.session.room import SETTINGS
from tests.waiting import until

pytestmark = pytest.mark.kafka

TABLE = "77.3"
PLAYER = Caller("p1", frozenset({Role.ROLE_PLAYER}), 1 << 62)


class Process:
    """The chat of one session process, with a connection of its own."""

    def __init__(self, log):
        clock = SystemClock()
        self.log = log
        self.chat = Chat(log, Words.of(None), clock, system, calendar=clock)
        self.heard: list[chat_pb2.Said] = []
        self.chat.told = self.heard.append
        self.running = asyncio.create_task(self.chat.run())

    @classmethod
    async def start(cls, broker):
        topics = [topic for topic in TOPICS if topic.name in (TABLE_CHAT, MUTES, CLOCK)]
        log = await open_log(f"kafka://{broker.bootstrap}", topics, clock=SystemClock().now_ms)
        made = cls(log)
        await asyncio.wait_for(made.chat.caught_up.wait(), 30)
        return made

    async def stop(self):
        self.running.cancel()
        await asyncio.wait([self.running])
        await self.log.close()

    def texts(self) -> list[str]:
        return [line.text for line in self.heard if line.table == TABLE]


def _is_heard(process: Process, texts: list[str]) -> bool:
    return process.texts() == texts


async def test_every_process_hears_what_is_said_at_any_and_knows_who_is_muted(
    kafka_broker: Cluster,
):
    table = Table(TABLE, settings=replace(SETTINGS))
    table.sittings[1] = Sitting(1, "p1", "r1", 500)
    one, other = [await Process.start(kafka_broker) for _ in range(2)]
    for number, process in enumerate((one, other, one)):
        request = chat_pb2.SayRequest(table=TABLE, text=f"line {number}")
        assert await process.chat.say(PLAYER, table, request) is None
    expected = ["line 0", "line 1", "line 2"]
    for process in (one, other):
        await until(partial(_is_heard, process, expected), 20)
    assert await one.chat.mutes.mute("p2", chat_pb2.MuteRequest(player="p1")) is None
    await until(lambda: other.chat.mutes.of("p2") == {"p1"}, 20)
    await one.stop()
    await other.stop()
    # Who starts later knows it too, and is not told again what was said.
    later = await Process.start(kafka_broker)
    assert later.chat.mutes.of("p2") == {"p1"}
    assert later.texts() == []
    await later.stop()
