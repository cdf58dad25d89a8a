"""A writer killed in the middle: nothing acknowledged is missing, nothing half-written is seen."""

from __future__ import annotations

import asyncio
import random
import resource
import subprocess
from collections import defaultdict

import pytest

from riverboat.log.embedded import EXIT_STATUS
from tests.contract import appender
from tests.contract.conftest import ROOT, Arm, read, texts

STARTED_S = 60  # a new interpreter on a busy machine


async def run_and_kill(arm: Arm, name: str, after: int, delay_s: float) -> list[str]:
    """The batches that a writer, killed a moment after it has told of `after`, was told of."""
    process = await asyncio.create_subprocess_exec(
        *arm.child(arm.hands, name), cwd=ROOT, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    told = [
        await asyncio.wait_for(process.stdout.readline(), STARTED_S) for _ in range(max(1, after))
    ]
    await asyncio.sleep(delay_s)
    process.kill()
    told += (await process.stdout.read()).splitlines(keepends=True)
    await process.wait()
    # The last line may be cut: it was on its way, so its batch had been acknowledged, but its
    # number is not whole.
    return [line.decode().strip() for line in told if line.endswith(b"\n")]


async def check(arm: Arm, acknowledged: list[str]) -> None:
    """Every batch in the log is whole and stands once; every acknowledged one is there."""
    log = await arm.open()
    for place, whole in ((arm.place(0), appender.IN_FIRST), (arm.place(1), appender.IN_SECOND)):
        ends = await log.ends([place])
        records = await read(log, place, ends[place])
        assert [r.offset for r in records] == list(range(ends[place]))
        found = defaultdict(list)
        for record, text in zip(records, texts(records), strict=True):
            id_, _, part = text.partition("/")
            found[id_].append((record.offset, int(part)))
        for id_, parts in found.items():
            start = parts[0][0]
            assert parts == [(start + n, n) for n in range(whole)], f"{id_} is not whole"
        missing = set(acknowledged) - set(found)
        assert not missing, f"acknowledged and gone: {sorted(missing)[:5]}"
    await arm.close()


# Two hundred in all, fifty in a log.
DEEP = [
    pytest.param(run, 50, marks=[pytest.mark.deep, pytest.mark.timeout(1_200)])
    for run in (1, 2, 3, 4)
]


@pytest.mark.parametrize(("run", "kills"), [(0, 5), *DEEP])
async def test_a_killed_writer_loses_nothing_and_halves_nothing(arm: Arm, run, kills):
    chance = random.Random(run)
    await arm.open()
    await arm.close()
    acknowledged: list[str] = []
    for number in range(kills):
        told = await run_and_kill(
            arm, f"w{number}", after=chance.randrange(200), delay_s=chance.random() * 0.02
        )
        assert told
        acknowledged += told
        if number % 10 == 4 or number == kills - 1:
            await check(arm, acknowledged)


async def test_a_full_disk_ends_the_process_and_nothing_that_was_acknowledged(arm: Arm, tmp_path):
    """Only where the process writes to a disk of its own: a broker watches over its own."""
    if arm.kind != "embedded":
        log = await arm.open()
        assert not log.disk_low
        return
    await arm.open()
    await arm.close()
    limit = 600_000
    process = await asyncio.create_subprocess_exec(
        *arm.child(arm.hands, "full", str(limit)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), STARTED_S)
    assert process.returncode == EXIT_STATUS
    assert err.decode().startswith("riverboat: the log cannot be written, the process ends: ")
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != limit, "the limit was the child's own"
    acknowledged = out.decode().split()
    assert len(acknowledged) > 20
    await check(arm, acknowledged)
