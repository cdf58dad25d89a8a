"""A player's line: what he asks is answered, or he is told that nobody will."""

from __future__ import annotations

import asyncio
from pathlib import Path

from riverboat.wire.v1 import session_pb2 as pb
from services.cli.main import run
from services.cli.play.line import Line
from tests.cli.house import network


async def test_what_was_asked_while_there_was_no_stream_is_not_waited_for(tmp_path: Path) -> None:
    """A new stream begins with nothing to send: whoever asked before it would wait for ever."""
    async with network(tmp_path) as net:
        table = await net.open_table()
        line = Line(net.where, "ann", net.token("ann"))
        asking = asyncio.create_task(line.ask(leave=pb.LeaveRequest(table=table)))
        await asyncio.sleep(0)
        running = asyncio.create_task(line.run())
        async with asyncio.timeout(10):
            assert await asking == "the line was cut; look at the table to see what became of it"
            # This one goes up the stream that stands now.
            assert await line.ask(leave=pb.LeaveRequest(table=table)) not in ("", await asking)
        running.cancel()
        await line.close()


async def test_play_wants_a_terminal(tmp_path: Path, capfd) -> None:
    async with network(tmp_path):
        given = ["play", "--name", "ann", "--data", str(tmp_path)]
        assert await asyncio.to_thread(run, given) == 2
    assert "play needs a terminal" in capfd.readouterr().err
