"""The command `serve`: some services in this process, beside others like it over Kafka.

`up` starts and supervises such processes; a cluster's own supervisor may as well. The first line on
stdout says that the process is ready, and where it listens.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import click

from riverboat.runtime.config import SERVICES, Config
from services.cli.house import House
from services.cli.options import config_option, data_option, log_option, settings
from services.cli.running import run, serve


@click.command("serve", short_help="Run some of the services in this process.")
@click.argument("services", nargs=-1, required=True, type=click.Choice(SERVICES))
@data_option
@log_option
@config_option
@click.option("--instance", help="This process among its like; keeps its share. [default: one]")
@click.option("--listen", metavar="HOST:PORT", help="Where gRPC is served.")
@click.option("--metrics", metavar="HOST:PORT", help="Where /metrics is served, or none.")
def command(
    services: tuple[str, ...],
    data: Path | None,
    log: str | None,
    file: Path | None,
    instance: str | None,
    listen: str | None,
    metrics: str | None,
) -> None:
    """Run SERVICES in this process: dealer, betting, showdown, wallet, session."""
    config = settings(
        file,
        services=services,
        data=data,
        log=log,
        instance=instance,
        listen=listen,
        metrics_listen=metrics,
    )
    run(_serve(config))


async def _serve(config: Config) -> None:
    async def began(house: House, _stop: asyncio.Event) -> None:
        line = {"ready": config.services, "port": house.port, "metrics": house.metrics_port}
        click.echo(json.dumps(line))

    await serve(config, began)
