"""A process that appends batches to a log and prints each that was acknowledged, until killed.

    python -m tests.contract.appender ADDRESS TOPICS PLACE NAME [FILE_BYTES_MAX]

A batch is three records to one partition and two to another. A line is printed only behind the
acknowledgement, so whoever kills this process knows what must be in the log.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
import os
import resource
import sys
import time

from riverboat.log import topics
from riverboat.log.log import Append
from riverboat.log.opening import open_log

IN_FIRST, IN_SECOND = 3, 2
WRITERS = 8


async def run(
    address: str, names: list[tuple[str, int]], topic: str, name: str, limit: int
) -> None:
    known = {t.name: t for t in topics.TOPICS}
    table = [
        dataclasses.replace(known[full.rpartition(".")[0]], name=full, partitions=partitions)
        for full, partitions in names
    ]
    log = await open_log(address, table, clock=lambda: time.time_ns() // 1_000_000)
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    numbers = itertools.count()

    async def write() -> None:
        for number in numbers:
            id_ = f"{name}-{number}"
            sent = log.append(
                [Append(topic, 0, "1.0", f"{id_}/{n}".encode()) for n in range(IN_FIRST)]
                + [Append(topic, 1, "1.1", f"{id_}/{n}".encode()) for n in range(IN_SECOND)]
            )
            await sent.durable
            os.write(1, f"{id_}\n".encode())

    await asyncio.gather(*(write() for _ in range(WRITERS)))


if __name__ == "__main__":
    address, names, topic, name, *rest = sys.argv[1:]
    asyncio.run(run(address, json.loads(names), topic, name, int(rest[0]) if rest else 0))
