"""The brokers' command line: start, stop, kill one, or run a command beside them.

`python -m deploy.kafka start --nodes 3 --data DIR`. Prints where the brokers are, decides nothing.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import click

from deploy.kafka import jars
from deploy.kafka.cluster import Cluster

FOLDER = click.option("--data", required=True, type=click.Path(path_type=Path), help="their folder")
STANDING = click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="the folder they were started with",
)
NODES = click.option("--nodes", type=click.Choice(["1", "3"]), default="1", help="how many")
PORT = click.option("--port", type=click.IntRange(1024, 65530), help="the first broker's port")


@click.group()
def main() -> None:
    """Kafka on this machine's loopback: one broker, or three."""


@main.command()
def fetch() -> None:
    """Bring the jars, so that later starts need no network."""
    click.echo(jars.classpath())


@main.command()
@FOLDER
@NODES
@PORT
def start(data: Path, nodes: str, port: int | None) -> None:
    """Start brokers that run on until `stop`, and print where they are."""
    cluster = Cluster(data, int(nodes), port)
    cluster.start()
    click.echo(cluster.bootstrap)


@main.command()
@STANDING
def stop(data: Path) -> None:
    """Stop the brokers of a folder."""
    Cluster.standing(data).stop()


@main.command(name="kill-node")
@STANDING
@click.argument("node", type=int)
def kill_node(data: Path, node: int) -> None:
    """End one broker as a power cut would."""
    _standing(data, node).kill_node(node)


@main.command(name="start-node")
@STANDING
@click.argument("node", type=int)
def start_node(data: Path, node: int) -> None:
    """Start one broker again."""
    _standing(data, node).start_node(node)


@main.command()
@FOLDER
@NODES
@PORT
@click.argument("command", nargs=-1, required=True)
def run(data: Path, nodes: str, port: int | None, command: tuple[str, ...]) -> None:
    """Run COMMAND beside brokers that end with it; {bootstrap} in it is where they are."""
    cluster = Cluster(data, int(nodes), port, attached=True)
    signal.signal(signal.SIGTERM, _asked_to_end)
    try:
        cluster.start()
        words = [word.replace("{bootstrap}", cluster.bootstrap) for word in command]
        status = _status(words)
    finally:
        cluster.stop()
    sys.exit(status)


def _status(words: Sequence[str]) -> int:
    """Run the command to its end; its status, as a shell tells it."""
    try:
        process = subprocess.Popen(words)
    except OSError as wrong:
        raise jars.NoBroker(f"{words[0]}: {wrong.strerror}") from None
    while True:
        try:
            status = process.wait()
        except KeyboardInterrupt:
            # The terminal told the command too; it stops in its own time, brokers after it.
            continue
        except _Ended:
            # Nobody has told the command: it must not outlive its brokers.
            process.terminate()
            continue
        return status if status >= 0 else 128 - status


class _Ended(Exception):
    """Somebody wants this process to end."""


def _asked_to_end(_number: int, _frame: FrameType | None) -> None:
    raise _Ended


def _standing(data: Path, node: int) -> Cluster:
    cluster = Cluster.standing(data)
    if node not in range(len(cluster.nodes)):
        raise jars.NoBroker(f"this cluster has nodes 0 to {len(cluster.nodes) - 1}")
    return cluster


if __name__ == "__main__":
    try:
        main()
    except jars.NoBroker as reason:
        sys.exit(f"kafka: {reason}")
    except _Ended:
        sys.exit(128 + signal.SIGTERM)
