"""The duties of a process end together, and one that breaks is told."""

from __future__ import annotations

import asyncio
import gc
import warnings

from riverboat.runtime.tasks import Tasks


class Broken(Exception):
    """What a duty of a test breaks with."""


async def test_a_duty_that_breaks_is_told_and_the_others_go_on():
    told: asyncio.Queue[BaseException] = asyncio.Queue()
    tasks = Tasks(told.put_nowait)
    heard = asyncio.Event()
    done = asyncio.Event()

    async def breaks() -> None:
        raise Broken

    async def goes_on() -> None:
        await heard.wait()
        done.set()

    tasks.spawn(goes_on())
    tasks.spawn(breaks())
    assert isinstance(await told.get(), Broken)
    heard.set()
    await done.wait()
    assert told.empty()


async def test_what_is_cancelled_has_ended_and_broke_nothing():
    told: list[BaseException] = []
    tasks = Tasks(told.append)
    ended = []

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    tasks.spawn(waits())
    await asyncio.sleep(0)
    await tasks.cancel()
    assert ended == [True]
    assert not told


async def test_a_duty_that_is_cancelled_before_its_first_step_leaves_nothing_behind():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        tasks = Tasks(lambda error: None)
        tasks.spawn(asyncio.sleep(1, None))
        await tasks.cancel()
        del tasks
        gc.collect()
    assert not said
