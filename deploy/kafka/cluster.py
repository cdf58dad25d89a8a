"""One broker or three on this machine's loopback, over one data folder.

For a laptop and for tests: real Kafka, plain text, reachable from this machine only. Never a
production set-up, and knows nothing of topics.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template

from deploy.kafka import jars
from deploy.kafka.jars import NoBroker

START_S = 60.0  # ten times what a start takes on two busy cores
STOP_S = 20.0  # a clean stop hands leadership over; past this it is a kill
POLL_S = 0.05
PLAN = "cluster.json"

# ApiVersions, version 0: the one request that a broker of any age answers.
PROBE = struct.pack(">hhih", 18, 0, 1, -1)


@dataclass(frozen=True)
class Node:
    """Where one node listens, and the name of its data directory."""

    broker_port: int
    controller_port: int
    directory: str


class Cluster:
    """Brokers over `folder`, one or three; what the folder already holds stays as it is.

    `port` is the first broker's; the others follow it, brokers first. Without one, free ports
    are taken, and kept for later starts. `attached` brokers end with the process that started
    them, however that ends; others run on until they are stopped. `also` are further lines of
    every node's settings, which win over those that stand; `users` are let in by SCRAM, each with
    a password.
    """

    id: str
    nodes: list[Node]

    def __init__(
        self,
        folder: Path,
        nodes: int = 1,
        port: int | None = None,
        *,
        attached: bool = False,
        also: Sequence[str] = (),
        users: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder.resolve()
        self.attached = attached
        self._also = also
        self._users = users or {}
        self._started: dict[int, subprocess.Popen[bytes]] = {}
        self._plan = self.folder / PLAN
        if self._plan.exists():
            self._read_plan()
            return
        if nodes not in (1, 3):
            raise NoBroker("a cluster here has one node or three")
        self.id = _name()
        ports = _free_ports(2 * nodes) if port is None else range(port, port + 2 * nodes)
        self.nodes = [Node(ports[n], ports[nodes + n], _name()) for n in range(nodes)]
        self._write_plan()

    @classmethod
    def standing(cls, folder: Path) -> Cluster:
        """The cluster that `folder` holds already."""
        if not (folder / PLAN).exists():
            raise NoBroker(f"{folder}: no brokers were started in this folder")
        return cls(folder)

    def _read_plan(self) -> None:
        try:
            plan = json.loads(self._plan.read_text())
            self.id = str(plan["id"])
            self.nodes = [Node(**node) for node in plan["nodes"]]
        except (ValueError, LookupError, TypeError):
            raise NoBroker(f"{self._plan}: not what was written there") from None

    def _write_plan(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        plan = {"id": self.id, "nodes": [asdict(node) for node in self.nodes]}
        # Whole or not at all: half a plan would keep the folder from ever starting again.
        part = self._plan.with_suffix(".part")
        part.write_text(json.dumps(plan, indent=1))
        part.replace(self._plan)

    @property
    def bootstrap(self) -> str:
        """Where clients find the cluster: host and port of each node, with commas between."""
        return ",".join(f"127.0.0.1:{node.broker_port}" for node in self.nodes)

    def start(self) -> None:
        """Start every node that does not run; ends when all of them answer."""
        jars.ensure_archive(_rehearse)
        self._format()
        fresh = [n for n in range(len(self.nodes)) if not self.runs(n)]
        for n in fresh:
            self._launch(n)
        for n in fresh:
            self._await_answer(n)

    def start_node(self, n: int) -> None:
        """Start one node again; ends when it answers."""
        if not self.runs(n):
            self._launch(n)
            self._await_answer(n)

    def stop(self) -> None:
        """Stop every node cleanly, or at last by force."""
        running = [n for n in range(len(self.nodes)) if self.runs(n)]
        for n in running:
            # One that hangs must wake to hear it.
            self.wake_node(n)
            self._signal(n, signal.SIGTERM)
        deadline = time.monotonic() + STOP_S
        for n in running:
            if not self._await_end(n, deadline):
                self.kill_node(n)

    def kill_node(self, n: int) -> None:
        """End a node as a power cut would."""
        self._signal(n, signal.SIGKILL)
        assert self._await_end(n, time.monotonic() + STOP_S), "a killed process ends"

    def hang_node(self, n: int) -> None:
        """Let a node hold still with all its connections open, as on a machine that swaps."""
        self._signal(n, signal.SIGSTOP)

    def wake_node(self, n: int) -> None:
        """Let a node that was made to hang go on."""
        self._signal(n, signal.SIGCONT)

    def runs(self, n: int) -> bool:
        """Whether the node's process is alive."""
        started = self._started.get(n)
        if started is not None:
            return started.poll() is None
        pid = self._pid(n)
        if pid is None:
            return False
        # A process id may have gone to another process since; its command line tells.
        told = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True
        )
        return str(self._properties(n)) in told.stdout

    def _properties(self, n: int) -> Path:
        return self.folder / f"node-{n}.properties"

    def _pid(self, n: int) -> int | None:
        # A start that was cut off may have left it empty.
        with suppress(OSError, ValueError):
            return int((self.folder / f"node-{n}.pid").read_text())
        return None

    def _signal(self, n: int, number: signal.Signals) -> None:
        pid = self._pid(n)
        if pid is not None and self.runs(n):
            os.kill(pid, number)

    def _format(self) -> None:
        with ExitStack() as running:
            formats = []
            for n in range(len(self.nodes)):
                data = self.folder / f"node-{n}"
                self._write_properties(n, data)
                if not (data / "meta.properties").exists():
                    command = [*jars.java(), "kafka.tools.StorageTool", "format", "-t", self.id]
                    command += ["-c", str(self._properties(n)), *self._controllers()]
                    for name, password in self._users.items():
                        scram = f"SCRAM-SHA-256=[name={name},password={password}]"
                        command += ["--add-scram", scram]
                    process = subprocess.Popen(
                        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
                    )
                    formats.append(running.enter_context(process))
            for process in formats:
                told, _ = process.communicate()
                if process.returncode:
                    raise NoBroker(f"a node's storage could not be made: {told.strip()[-300:]}")

    def _controllers(self) -> list[str]:
        if len(self.nodes) == 1:
            return ["--standalone"]
        voters = (
            f"{n}@127.0.0.1:{node.controller_port}:{node.directory}"
            for n, node in enumerate(self.nodes)
        )
        return ["--initial-controllers", ",".join(voters)]

    def _write_properties(self, n: int, data: Path) -> None:
        alone = len(self.nodes) == 1
        template = Template((jars.HERE / "node.properties").read_text())
        text = template.substitute(
            node=n,
            broker_port=self.nodes[n].broker_port,
            controller_port=self.nodes[n].controller_port,
            controllers=",".join(f"127.0.0.1:{node.controller_port}" for node in self.nodes),
            data=data,
            replicas=len(self.nodes),
            in_sync=1 if alone else 2,
        )
        self._properties(n).write_text("\n".join([text, *self._also, ""]))

    def _launch(self, n: int, *options: str) -> None:
        for port in (self.nodes[n].broker_port, self.nodes[n].controller_port):
            if not _is_free(port):
                raise NoBroker(f"port {port} is in use by another process")
        command = [*jars.java(*options), "kafka.Kafka", str(self._properties(n))]
        if self.attached and (setpriv := shutil.which("setpriv")):
            command = [setpriv, "--pdeathsig", "KILL", *command]
        with (self.folder / f"node-{n}.out").open("ab") as out:
            # In a session of its own: a terminal's Ctrl-C stops the network first, then this.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._started[n] = process
        (self.folder / f"node-{n}.pid").write_text(str(process.pid))

    def _await_answer(self, n: int) -> None:
        deadline = time.monotonic() + START_S
        while not _answers(self.nodes[n].broker_port):
            if not self.runs(n) or time.monotonic() > deadline:
                out = (self.folder / f"node-{n}.out").read_text(errors="replace")
                last = out.strip().splitlines()[-5:]
                raise NoBroker(f"node {n} did not start: {' | '.join(last)}")
            time.sleep(POLL_S)

    def _await_end(self, n: int, deadline: float) -> bool:
        while self.runs(n):
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        self._started.pop(n, None)
        return True


def _rehearse(option: str) -> None:
    """Run a broker once for the sake of the classes it loads."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder), attached=True)
        cluster._format()
        cluster._launch(0, option)
        try:
            cluster._await_answer(0)
        finally:
            cluster.stop()


def _name() -> str:
    while True:
        name = base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not name.startswith("-"):  # a command line would take it for an option
            return name


def _free_ports(count: int) -> list[int]:
    with ExitStack() as held:
        ports = []
        for _ in range(count):
            listener = held.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            ports.append(listener.getsockname()[1])
        return ports


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as line:
            line.sendall(struct.pack(">i", len(PROBE)) + PROBE)
            return len(line.recv(4)) == 4
    except OSError:
        return False
