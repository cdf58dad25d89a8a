"""A table's past is folded once, in one reading of the log."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Append, Log, Reader
from riverboat.log.topics import HAND_LOG, topics_with
from riverboat.wire.record import encode_record
from services.operator.history import table_at
from tests.game.table.house import House, folded


class Counted:
    """A log that counts how often it is read."""

    def __init__(self, inner: Log) -> None:
        self.inner = inner
        self.readings = 0
        self.starts, self.ends = inner.starts, inner.ends

    def reader(self) -> Reader:
        self.readings += 1
        return self.inner.reader()


async def test_a_table_as_it_stood_is_found_in_one_reading(tmp_path: Path) -> None:
    house = House.opened(ann=500, bob=500)
    house.run()
    house.play_out()
    now_ms = [0]
    network = await EmbeddedLog.open(tmp_path, topics_with(1), clock=lambda: now_ms[0])
    for record, now_ms[0] in house.log:
        append = Append(HAND_LOG, 0, house.table.id, encode_record(record))
        await network.append([append]).durable
    newest = house.table.version
    counted = Counted(network)
    for version in (1, newest // 2, newest - 1, newest, newest + 5, 0):
        table, told = await table_at(cast(Log, counted), house.table.id, version, 0)
        assert told == newest
        upto = min(version or newest, newest)
        assert table.version == upto
        # Nothing of what came later: the same as if the log had ended there.
        assert table == folded(house, upto)
    assert counted.readings == 6
    early, told = await table_at(cast(Log, counted), house.table.id, 0, 1)
    assert (early.version, told) == (0, newest)
    await network.close()
