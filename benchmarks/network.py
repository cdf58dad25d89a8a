"""A whole network in processes of its own, and bots in another, for measuring.

Starts what `riverboat up` and `riverboat bots` start and reads what /metrics tells. It looks into
no process and changes nothing.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from riverboat.runtime.config import SERVICES, Config
from services.cli import reach

READY_S: Final = 60.0
Told = dict[str, Any]
_ENVIRONMENT: Final = {
    "RIVERBOAT_LOG_LEVEL": "warning",
    # Bots that think for no time ask more often than any person may.
    "RIVERBOAT_CALLS_PER_SECOND": "1000000",
    "RIVERBOAT_CALLS_BURST": "1000000",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What all processes of a network have counted up to one moment."""

    at_s: float
    cpu_s: float
    hands: float
    actions: float


class Network:
    """A network that runs."""

    def __init__(self, folder: Path, metrics: list[int], server: str | None) -> None:
        """`server` is where all services are, if they are in one process."""
        self.folder = folder
        self.server = server
        self._metrics = metrics

    def where(self) -> dict[str, str]:
        """The address of each service."""
        return reach.addresses(Config(data=self.folder), self.server)

    def read(self) -> Reading:
        """Where it stands. Every process counts all hands, so the first one's are taken."""
        pages = [_page(port) for port in self._metrics]
        return Reading(
            time.perf_counter(),
            sum(page["process_cpu_seconds_total"] for page in pages),
            pages[0]["riverboat_hands_ended_total"],
            pages[0]["riverboat_actions_total"],
        )


@contextmanager
def network(
    folder: Path, log: str = "embedded", program: str = "services.cli.main"
) -> Iterator[Network]:
    """One process of all services over the embedded log, or five over the brokers of `log`."""
    listen, metrics = f"127.0.0.1:{_free()}", _free_run(len(SERVICES))
    one = log == "embedded"
    how = ["serve", *SERVICES, "--listen", listen]
    if not one:
        how = ["up", "--no-spares", "--port", listen[10:]]
    command = [
        *(sys.executable, "-m", program, *how, "--data", str(folder), "--log", log),
        *("--metrics", f"127.0.0.1:{metrics}"),
    ]
    process = subprocess.Popen(
        command, env=os.environ | _ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(process, b"ready" if one else b"Ctrl-C")
        ports = [metrics + at for at in range(1 if one else len(SERVICES))]
        yield Network(folder, ports, listen if one else None)
    finally:
        _end(process)


@contextmanager
def bots(net: Network, tables: int, style: str, processes: int = 2) -> Iterator[list[Told]]:
    """Six bots at each of so many tables of their own; what they tell at their end is put in."""
    share = tables // processes
    assert share * processes == tables, "each process has as many tables"
    told: list[Told] = []
    with ExitStack() as ending:
        playing = [_bots(net, share, style, seed) for seed in range(1, processes + 1)]
        for one in playing:
            ending.callback(_end, one)
        for one in playing:
            _wait_for(one, b"bots")
        yield told
        for one in playing:
            one.send_signal(signal.SIGINT)
        for one in playing:
            out, _ = one.communicate(timeout=READY_S)
            told.append(json.loads(out.splitlines()[-1]))


def _bots(net: Network, tables: int, style: str, seed: int) -> subprocess.Popen[bytes]:
    command = [
        *(sys.executable, "-m", "services.cli.main", "bots", "--data", str(net.folder), "--own"),
        *("--tables", str(tables), "--style", style, "--seed", str(seed)),
        *(("--server", net.server) if net.server else ()),
    ]
    return subprocess.Popen(
        command, env=os.environ | _ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def _wait_for(process: subprocess.Popen[bytes], word: bytes) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        if word in line:
            return
    raise RuntimeError(f"{process.args!r} ended with {process.wait()} before it was ready")


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(READY_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _page(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
        lines = page.read().decode().splitlines()
    pairs = [line.rpartition(" ") for line in lines if not line.startswith("#")]
    return {name: float(value) for name, _, value in pairs}


def _free() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _free_run(count: int) -> int:
    """The first of so many ports in a row that are free."""
    while True:
        first = _free()
        try:
            for at in range(1, count):
                with socket.socket() as one:
                    one.bind(("127.0.0.1", first + at))
        except (OSError, OverflowError):
            continue
        return first
