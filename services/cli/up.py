"""The command `up`: the whole network on this machine, for whoever wants to play or to look.

The services run in processes of their own, which this one starts and keeps running: embedded all in
one, over Kafka each in its own. It opens the first tables, starts bots where they are wanted, and
says how to go on. It decides nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from riverboat.runtime.config import SERVICES, Address, Config
from services.cli.options import (
    CONFIG_FILE,
    LEDGER_URL,
    OWN_RULES,
    TABLES_MOST,
    WALLET_AT,
    config_option,
    data_option,
    ledger_option,
    log_option,
    port_option,
    settings,
)
from services.cli.running import run, set_up_logs, stop_on_signals
from services.cli.supervise import Child, command_line
from services.cli.trouble import UNREACHABLE, Trouble

PROGRAM: Final = "riverboat"
# A bot that answered at once would be no company.
THINK_MS: Final = 900
# A broker that is there answers in milliseconds, and one far away in less than a second.
BROKER_S: Final = 3.0
# At a table with bots so many chairs stay free for people.
LEAVE: Final = 2


@click.command("up", short_help="Run the whole network on this machine.")
@data_option
@click.option(
    "--bots",
    default=0,
    type=click.IntRange(0, TABLES_MOST),
    metavar="TABLES",
    help="At so many tables bots play.",
)
@log_option
@ledger_option
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@port_option
@click.option("--metrics", metavar="HOST:PORT", help="Where /metrics is served, or none.")
@config_option
@click.option("--rules", metavar="DIR", help="Folder of own tables of rules.")
@click.option("--no-spares", is_flag=True, help="Keep no loaded process ready for one that dies.")
def command(
    data: Path | None,
    bots: int,
    log: str | None,
    ledger: str | None,
    no_browser: bool,  # taken from now on, without effect until there is a client for browsers
    port: int | None,
    metrics: str | None,
    file: Path | None,
    rules: str | None,
    no_spares: bool,
) -> None:
    """Run a poker network until Ctrl-C. All that is kept stands in the data folder."""
    config = settings(
        file,
        port,
        data=data,
        log=log,
        ledger_url=ledger,
        metrics_listen=metrics,
        rulebooks=rules,
    )
    # For the processes that are started here.
    if file is not None:
        os.environ[CONFIG_FILE] = str(file.absolute())
    if config.rulebooks is not None:
        os.environ[OWN_RULES] = str(config.rulebooks.absolute())
    if config.ledger_url is not None:
        # Not on a command line: that is everybody's to read, and a URL may hold a password.
        os.environ[LEDGER_URL] = config.ledger_url
    run(_up(config, bots, spares=not no_spares))


async def _up(config: Config, bots: int, *, spares: bool) -> None:
    set_up_logs(config)
    config.data.mkdir(parents=True, exist_ok=True)
    stop = stop_on_signals()
    if config.log != "embedded":
        await _find_brokers(config)
    crews = _crews(config)
    ports = _ports(config.listen.port, list(crews))
    addresses = {crew: str(Address(config.listen.host, port)) for crew, port in ports.items()}
    where = {name: addresses[crew] for crew, names in crews.items() for name in names}
    os.environ[WALLET_AT] = where["wallet"] if len(crews) > 1 else ""
    if len(crews) > 1:
        _make_keys(config)
    loading = asyncio.Semaphore() if spares else None  # one at a time
    children = [
        Child(crew, _command(config, names, addresses[crew], at), insists=False, loading=loading)
        for at, (crew, names) in enumerate(crews.items())
    ]
    try:
        for child in children:
            child.start()
        if await _all_ready(children, stop):
            async with _company(config, where, bots):
                _say(config, where, children[0].said.get("metrics", 0))
                await stop.wait()
    finally:
        # Who can be reached from outside goes first, then who answers him.
        for child in reversed(children):
            await child.stop()


def _crews(config: Config) -> Mapping[str, Sequence[str]]:
    """The processes, and which services run in each: a file has one process, a broker has many."""
    if config.log == "embedded":
        return {"network": SERVICES}
    return {name: (name,) for name in SERVICES}


async def _find_brokers(config: Config) -> None:
    """See to it that one of them takes calls, and lets this network in.

    Else each process would say that it found none.
    """
    for server in config.log.partition("://")[2].split(","):
        address = Address.read(server)
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(BROKER_S):
                _, line = await asyncio.open_connection(address.host, address.port)
            line.close()
            break
    else:
        raise Trouble(f"log: no broker takes calls at {config.log}", UNREACHABLE)
    if config.kafka_ca is not None or config.kafka_sasl != "none":
        from services.cli.network_log import greet_brokers  # noqa: PLC0415

        await greet_brokers(config)


def _make_keys(config: Config) -> None:
    """Make what several processes would else make at once."""
    from services.cli.issuing import make_issuer  # noqa: PLC0415

    make_issuer(config)


async def _all_ready(children: Sequence[Child], stop: asyncio.Event) -> bool:
    """Wait until all of them are ready; false where somebody wants to stop before.

    One that refuses to start at all has said why; it will not think better of it, so all ends.
    """
    stopped = asyncio.ensure_future(stop.wait())
    try:
        for child in children:
            begun = asyncio.ensure_future(child.begun.wait())
            await asyncio.wait([begun, stopped], return_when=asyncio.FIRST_COMPLETED)
            begun.cancel()
            if child.refused:
                raise click.exceptions.Exit(child.refused)
        return not stop.is_set()
    finally:
        stopped.cancel()


def _command(config: Config, services: Sequence[str], listen: str, at: int) -> list[str]:
    """How a child is started: all other settings it finds where this process did."""
    metrics = "none"
    if config.metrics_listen is not None:
        port = config.metrics_listen.port
        metrics = str(Address(config.metrics_listen.host, port + at if port else 0))
    return command_line(
        *("serve", *services),
        *("--data", str(config.data)),
        *("--log", config.log),
        *("--listen", listen),
        *("--metrics", metrics),
    )


def _ports(first: int, crews: Sequence[str]) -> dict[str, int]:
    """A port for each process, the session's first: players reach nothing else."""
    order = sorted(crews, key=lambda crew: crew != "session")
    if first:
        return {crew: first + at for at, crew in enumerate(order)}
    with contextlib.ExitStack() as held:
        # Held all at once, so that no two are the same; free again when the children come.
        sockets = [held.enter_context(socket.socket()) for _ in order]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return {crew: one.getsockname()[1] for crew, one in zip(order, sockets, strict=True)}


@contextlib.asynccontextmanager
async def _company(config: Config, where: dict[str, str], bots: int) -> AsyncIterator[None]:
    """The first tables, and bots at as many of them as are wanted."""
    # Only now: it would keep the children waiting for a core.
    from services.cli import reach  # noqa: PLC0415
    from services.cli.first_tables import open_first  # noqa: PLC0415

    reach.leave_note(config, where)
    await open_first(config, where)
    if not bots:
        yield
        return
    crowd = Child(
        "bots",
        command_line(
            *("bots", "--data", str(config.data)),
            *("--tables", str(bots)),
            *("--think", str(THINK_MS)),
            *("--leave", str(LEAVE)),
        ),
    )
    crowd.start()
    try:
        yield
    finally:
        await crowd.stop()


def _own_name() -> str:
    """How this program is called from here: by its name, or by where it stands."""
    beside = Path(sys.executable).with_name(PROGRAM)
    return os.path.relpath(beside) if not shutil.which(PROGRAM) and beside.exists() else PROGRAM


def _say(config: Config, where: dict[str, str], metrics_port: int) -> None:
    data = "" if config.data == Path("data") else f" --data {config.data}"
    name = _own_name()
    click.echo(f"\nThe network is up: gRPC on {where['session']}, its data in {config.data}.")
    if metrics_port:
        click.echo(f"Metrics       http://127.0.0.1:{metrics_port}/metrics")
    click.echo(f"Play          {name} play --name YOU{data}")
    click.echo(f"Tables        {name} tables{data}")
    proof = config.data if config.log == "embedded" else f"{config.log}{data}"
    click.echo(f"Prove it      {name} audit {proof}")
    click.echo("Stop          Ctrl-C\n")
