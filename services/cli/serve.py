"""The command `serve`: some services in this process, beside others like it over Kafka.

`up` starts and supervises such processes; a cluster's own supervisor may as well. The first line on
stdout says that the process is ready, and where it listens.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from riverboat.log.log import NameTaken
from riverboat.runtime.config import SERVICES, Config
from services.cli import late_wallet
from services.cli.house import Broken, House, open_house
from services.cli.options import config_option, data_option, ledger_option, log_option, settings
from services.cli.running import SPARE, await_turn, run, set_up_logs, stop_on_signals
from services.cli.trouble import BROKEN, TAKEN, Trouble

# New containers before cycles are looked for, as `gc` counts. What an action makes is freed by its
# last reference and cycles come with connections only: Python's own 700 would take a twentieth of a
# busy server's time to find none.
LOOK_FOR_CYCLES: Final = (50_000, 20, 20)
# How long the event loop may keep the interpreter from the thread that writes the log, which asks
# for it several times a commit. With Python's own 5 ms a commit beside a busy loop takes 10 to 20
# ms, and all that waits for it as long; with this it takes one.
SWITCH_S: Final = 0.000_5


@click.command("serve", short_help="Run some of the services in this process.")
@click.argument("services", nargs=-1, required=True, type=click.Choice(SERVICES))
@data_option
@log_option
@ledger_option
@config_option
@click.option("--instance", help="This process among its like; keeps its share. [default: one]")
@click.option("--listen", metavar="HOST:PORT", help="Where gRPC is served.")
@click.option("--metrics", metavar="HOST:PORT", help="Where /metrics is served, or none.")
def command(
    services: tuple[str, ...],
    data: Path | None,
    log: str | None,
    ledger: str | None,
    file: Path | None,
    instance: str | None,
    listen: str | None,
    metrics: str | None,
) -> None:
    """Run SERVICES in this process: dealer, betting, showdown, wallet, session, operator."""
    config = settings(
        file,
        services=services,
        data=data,
        log=log,
        ledger_url=ledger,
        instance=instance,
        listen=listen,
        metrics_listen=metrics,
    )
    if SPARE in os.environ:
        _load(config)
    await_turn()
    run(_serve(config))


def _load(config: Config) -> None:
    """Load what a process else loads only when it gets there."""
    if config.log != "embedded":
        import_module("riverboat.log.kafka")
    if "wallet" in config.services:
        late_wallet.load()
        if config.ledger_url is not None:
            import_module("psycopg")


async def _serve(config: Config) -> None:
    """Run one house until a signal."""
    set_up_logs(config)
    stop = stop_on_signals()
    house = await open_house(config)
    gc.freeze()  # what stands by now stays
    gc.set_threshold(*LOOK_FOR_CYCLES)
    sys.setswitchinterval(SWITCH_S)
    telling: asyncio.Task[None] | None = None
    try:
        await house.start()
        telling = asyncio.get_running_loop().create_task(_tell(house))
        await house.run(stop)
    except Broken as broken:
        if isinstance(broken.__cause__, NameTaken):
            raise Trouble(f"{broken.__cause__}; this one ends", TAKEN) from broken
        raise Trouble(f"a part of this process broke: {broken}", BROKEN) from broken
    finally:
        if telling is not None:
            telling.cancel()
        await house.stop()


async def _tell(house: House) -> None:
    await house.ready.wait()
    line = {"ready": house.config.services, "port": house.port, "metrics": house.metrics_port}
    click.echo(json.dumps(line))
