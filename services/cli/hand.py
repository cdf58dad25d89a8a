"""The command `hand`: one hand of the log, as a person would tell it.

It reads only, folds only that hand's table, and opens the commitment for every card that was shown.
Cards that nobody saw stay unseen.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import click

from riverboat.game.ids import partition_of, table_of
from riverboat.game.record import Record
from riverboat.log import topics
from riverboat.log.log import Log, Place
from riverboat.runtime.config import Config
from riverboat.wire.record import Unreadable, decode_record
from services.cli.network_log import open_network, records
from services.cli.options import config_option, data_option, log_option, settings
from services.cli.running import run, set_up_logs
from services.cli.story import Narrator
from services.cli.trouble import Trouble


@click.command("hand", short_help="Tell one hand as a person would.")
@click.argument("hand", metavar="ID")
@data_option
@log_option
@config_option
def command(hand: str, data: Path | None, log: str | None, file: Path | None) -> None:
    """Tell the hand of this ID from the log, and prove its cards. Works while the network runs."""
    for line in run(_tell(settings(file, data=data, log=log), hand)):
        click.echo(line)


async def _tell(config: Config, hand: str) -> list[str]:
    set_up_logs(config)
    table = table_of(hand)
    try:
        partition = partition_of(table)
    except ValueError:
        raise Trouble(f"{hand}: no hand's id; one looks like 3f.7-12", 2) from None
    network = await open_network(config, read_only=True)
    try:
        if partition >= network.partitions(topics.HAND_LOG):
            raise Trouble(f"{hand}: this network has no partition {partition}")
        return await _read(network, Place(topics.HAND_LOG, partition), table, hand)
    finally:
        await network.close()


async def _read(network: Log, place: Place, name: str, hand: str) -> list[str]:
    """Tell the hand from the table's records up to its end, and what was shown behind it."""
    narrator = Narrator(name, hand)
    async for record, time_ms in _of_table(network, place, name):
        if narrator.take(record, time_ms):
            return narrator.lines
    if narrator.over:
        return narrator.lines
    if narrator.lines:
        return [*narrator.lines, "The hand is still being played."]
    raise Trouble(f"{hand}: there is no such hand in this log")


async def _of_table(network: Log, place: Place, name: str) -> AsyncIterator[tuple[Record, int]]:
    """The table's records that can be read, in order, as far as the log goes now."""
    async for found in records(network, place):
        if found.key == name and found.value is not None:
            with suppress(Unreadable):  # nobody has folded it either
                yield decode_record(found.value), found.time_ms
