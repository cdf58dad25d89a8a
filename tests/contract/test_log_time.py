"""What both logs promise about time. Nothing here knows which one it runs on."""

from __future__ import annotations

from riverboat.log import topics
from tests.contract.conftest import Arm, batch, now_ms, read

CLOCK = topics.by_name(topics.TOPICS)[topics.CLOCK]


async def test_append_times_are_the_log_s_and_never_run_back(arm: Arm):
    before = now_ms()
    log = await arm.open()
    for n in range(20):
        await log.append(batch(arm.place(), str(n))).durable
    times = [r.time_ms for r in await read(log, arm.place(), 20)]
    assert times == sorted(times)
    assert before - 1000 <= times[0] <= times[-1] <= now_ms() + 1000


async def test_the_log_s_own_time_lies_between_what_it_stamps(arm: Arm):
    """It stamped nothing later before, nothing earlier after, whatever a machine's clock does."""
    set_back_ms = 0
    log = await arm.open((*arm.topics, CLOCK), lambda: now_ms() - set_back_ms)
    told = []
    for n in range(10):
        set_back_ms = n * 1_000
        await log.append(batch(arm.place(), f"before {n}")).durable
        # Asked while something is under way too, as a busy process does.
        beside = log.append(batch(arm.place(2), *map(str, range(n))))
        told.append(await log.time_ms())
        await log.append(batch(arm.place(), f"after {n}")).durable
        await beside.durable
    stamped = [r.time_ms for r in await read(log, arm.place(), 20)]
    assert told == sorted(told)
    for at_ms, before_ms, after_ms in zip(told, stamped[::2], stamped[1::2], strict=True):
        assert before_ms <= at_ms <= after_ms
