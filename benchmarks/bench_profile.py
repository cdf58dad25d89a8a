"""Where the server's time goes: microseconds of CPU per action, by layer.

Runs the whole embedded network under bots and looks, about a thousand times a second, at what the
server's event loop is doing; each look weighs as much as the loop's thread has computed since the
one before. Threads beside it are told by their own clocks. Looking costs a little itself.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

from benchmarks.bench_network import SECONDS, STYLE, TABLES, WARM_S
from benchmarks.network import bots, network
from services.cli import main as cli

EVERY_S: Final = 0.001
OUT: Final = "BENCH_PROFILE"  # names the file that the profiled server writes again and again

# Where a frame of this file (and function, if one is named) begins, a layer begins; of a stack the
# innermost counts.
LAYERS: Final[dict[tuple[str, str], str]] = {
    ("runtime/grpc_server.py", ""): "edge",
    ("runtime/calls.py", ""): "edge",
    ("session/rpc.py", ""): "edge",
    ("session/stream.py", ""): "edge",
    ("session/desk.py", ""): "commands: number, encode, answer",
    ("runtime/node.py", ""): "step: reading, waking, telling",
    ("runtime/step.py", ""): "step: reading, waking, telling",
    ("runtime/inbox.py", ""): "step: reading, waking, telling",
    ("runtime/step.py", "_decide"): "decide",
    ("runtime/step.py", "_hand_over"): "encode",
    ("log/embedded.py", ""): "append",
    ("log/embedded_reader.py", ""): "append",
    ("log/embedded_writer.py", ""): "append",
    ("runtime/tables.py", ""): "fold",
    ("session/hall.py", ""): "viewers",
    ("session/hall.py", "cut"): "viewers",
    ("cli/telling.py", ""): "metrics and lines",
    ("table/dealing.py", "_start_if_due"): "hand: start, shuffle, seal, commit",
    ("table/dealing.py", "_owed_in_hand"): "hand: streets",
    ("table/showdown.py", "duty"): "hand: showdown",
    ("wallet/loop.py", ""): "ledger, in the loop",
}
REST: Final = "loop and gRPC's own code"


class Looker:
    """Looks at one thread."""

    def __init__(self, thread: int, out: Path) -> None:
        self._thread = thread
        self._clock = time.pthread_getcpuclockid(thread)
        self._out = out
        self._found: Counter[str] = Counter()

    def run(self) -> None:
        """Look until the process ends; tell now and then."""
        before = time.clock_gettime(self._clock)
        told = time.monotonic()
        while True:
            time.sleep(EVERY_S)
            frame = sys._current_frames().get(self._thread)
            now = time.clock_gettime(self._clock)
            self._found[_layer(frame)] += round((now - before) * 1e9)
            before = now
            if time.monotonic() - told > 0.2:
                told = time.monotonic()
                part = self._out.with_suffix(".part")
                part.write_text(json.dumps(self._found | _threads()))
                part.replace(self._out)


def _layer(frame: FrameType | None) -> str:
    while frame is not None:
        code = frame.f_code
        path = "/".join(code.co_filename.rsplit("/", 2)[-2:])
        layer = LAYERS.get((path, code.co_name)) or LAYERS.get((path, ""))
        if layer is not None:
            return layer
        frame = frame.f_back
    return REST


def _threads() -> dict[str, int]:
    """Nanoseconds of CPU of the threads beside the loop's, by name."""
    found: Counter[str] = Counter()
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and thread.ident is not None:
            with suppress(OSError):  # it may just have ended
                spent = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
                found[f"thread {thread.name.rstrip('_0123456789')}"] += round(spent * 1e9)
    return found


def measure() -> Iterator[tuple[str, float]]:
    """Each layer's microseconds per action, the largest first, and the whole of it."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "profile.json"
        os.environ[OUT] = str(out)
        started = network(Path(name) / "data", program="benchmarks.bench_profile")
        with started as net, bots(net, TABLES, STYLE):
            time.sleep(WARM_S)
            before, began = json.loads(out.read_text()), net.read()
            time.sleep(2 * SECONDS)
            after, ended = json.loads(out.read_text()), net.read()
        del os.environ[OUT]
    actions = ended.actions - began.actions
    layers = {
        layer: (spent - before.get(layer, 0)) / actions / 1e3 for layer, spent in after.items()
    }
    looking = layers.pop("thread looker", 0.0)
    rest = (ended.cpu_s - began.cpu_s) / actions * 1e6 - sum(layers.values()) - looking
    layers["threads of gRPC and of the process"] = rest
    yield from sorted(layers.items(), key=lambda pair: -pair[1])
    yield "all", sum(layers.values())


def main() -> None:
    """Print the profile; or, started by it, be the server."""
    out = os.environ.get(OUT)
    if out is None:
        for layer, cost in measure():
            print(f"{cost:7.1f} us  {layer}")
        return
    sys.setswitchinterval(EVERY_S / 2)
    looker = Looker(threading.main_thread().ident or 0, Path(out))
    threading.Thread(target=looker.run, name="looker", daemon=True).start()
    cli.main()


if __name__ == "__main__":
    main()
