"""A network under play, as processes of this machine, and what can be done to them.

A network is `riverboat up`, twenty tables of bots, and a watcher of its log. After every fault
`settled` holds it to what is promised: play goes on at each table, nothing was voided, the audit is
clean. Holds no test itself.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from services.wallet import check
from services.wallet.store import Store
from tests.node.watching import Pauses, Watcher, now_ms
from tests.services.network import ROOT, Bots, Up, finished, riverboat

TABLES = 20
THINK_MS = 100  # so that a table is never silent for long by itself
# Far beyond any pause that is allowed: what has not gone on by then never will.
RESUME_S = 45.0
# All of the log is read, by one process among many.
AUDIT_S = 180.0
# All have left by then, or fold when their turn comes: no hand waits for anybody's clock.
LAST_S = 45.0
# What a reader waits between two looks at a database that tells nobody of its news.
LOOK_S = 0.1


def seed() -> int:
    """Of the moments at which things are done to a network."""
    return int(os.environ.get("RIVERBOAT_SEED", "1"))


def busy() -> float:
    """How much longer all takes here now than on a machine that does nothing else."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


async def children(parent: int) -> dict[int, list[str]]:
    """The running children of a process, and their command lines: behind each its spare."""
    asked = ("-o", "pid=,stat=,args=", "--sort", "start_time", "--ppid", str(parent))
    ps = await asyncio.create_subprocess_exec("ps", "-ww", *asked, stdout=PIPE)
    told, _ = await ps.communicate()
    found = {}
    for line in told.decode().splitlines():
        pid, state, *words = line.split()
        if "Z" not in state:
            found[int(pid)] = words
    return found


class Company(Bots):
    """Bots at tables of their own, until they are told to stop."""

    def __init__(self, data: Path, tables: int, think_ms: int) -> None:
        own = ("--own", "--tables", str(tables), "--think", str(think_ms), "--seed", str(seed()))
        super().__init__(data, *own)

    async def stop(self) -> dict[str, Any]:
        """Let them leave; what they say of it."""
        assert self._process is not None
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        return await self.figures(RESUME_S)


class Play:
    """A network under play."""

    def __init__(
        self, data: Path, up: Up, watcher: Watcher, log: str, ledger: str | None = None
    ) -> None:
        self.data = data
        self.up = up
        self.watcher = watcher
        self.rng = random.Random(seed())
        self.pauses: list[tuple[str, Pauses]] = []  # what each fault cost
        self.tables = watcher.playing()  # the bots'
        self._log = log
        self._ledger = ledger
        self._further: list[Process] = []

    @property
    def address(self) -> str:
        """Where an auditor finds the log."""
        return self._log if self._log != "embedded" else str(self.data)

    async def pid(self, service: str) -> int:
        """The supervised process of a service."""
        for pid, words in (await children(self.up.pid)).items():
            if "serve" in words and service in words:
                return pid
        raise AssertionError(f"{service} does not run")

    async def signal(self, service: str, number: signal.Signals) -> int:
        """Send a signal to the supervised process of a service; when, in ms."""
        pid = await self.pid(service)
        at_ms = now_ms()
        os.kill(pid, number)
        return at_ms

    async def a_while(self, most_s: float = 2.0) -> None:
        """Let play go on for a time that chance chooses."""
        await asyncio.sleep(self.rng.uniform(0.2, most_s))

    async def also(
        self,
        service: str,
        instance: str,
        *before: str,
        environment: Mapping[str, str] | None = None,
        ready: bool = True,
    ) -> Process:
        """One more process of a service, not supervised."""
        process = await asyncio.create_subprocess_exec(
            *before,
            *riverboat("serve", service, "--instance", instance, "--data", str(self.data)),
            *("--log", self._log, "--listen", "127.0.0.1:0", "--metrics", "none"),
            cwd=ROOT,
            env=dict(os.environ) | dict(environment or {}),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
        )
        self._further.append(process)
        if ready:
            assert process.stdout is not None
            line = await asyncio.wait_for(process.stdout.readline(), RESUME_S)
            assert b"ready" in line, line
        return process

    async def end(self, process: Process) -> int:
        """Kill one that `also` started; when, in ms."""
        at_ms = now_ms()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self._further.remove(process)
        return at_ms

    async def settled(
        self,
        what: str,
        at_ms: int,
        tables: Iterable[str] | None = None,
        *,
        within_ms: int,
        audit: bool = True,
        voids: int = 0,
    ) -> Pauses:
        """Wait until play has gone on everywhere, and hold it to the laws and to a time."""
        watcher = self.watcher
        affected = list(self.tables if tables is None else tables)
        await watcher.until_all(
            f"{what}: hands go on", affected, lambda name: watcher.gone_on(name, at_ms), RESUME_S
        )
        pauses = Pauses.of(watcher.silences(affected, at_ms).values())
        await self.held(what, pauses, within_ms=within_ms, audit=audit, voids=voids)
        return pauses

    async def held(
        self, what: str, pauses: Pauses, *, within_ms: int, audit: bool = True, voids: int = 0
    ) -> None:
        """Note what a fault cost, and hold the network to its laws.

        `voids` hands were voided before, by outages longer than a table's grace.
        """
        self.pauses.append((what, pauses))
        assert self.watcher.count("HandVoided") == voids, "no outage was longer than the grace"
        if audit and os.environ.get("RIVERBOAT_DEEP"):
            await self.audited()  # in any case it is held to them when it ends
        assert pauses.most < within_ms * busy(), f"{what}: {pauses}"

    async def audited(self) -> None:
        """Hold the log and the ledger to the laws, while the network runs."""
        where = ("--ledger", self._ledger) if self._ledger else ()
        status, lines = await finished(
            "audit", self.address, "--data", str(self.data), *where, timeout_s=AUDIT_S
        )
        assert (status, lines[-1]) == (0, "clean"), lines
        assert any("ledger compared at" in line for line in lines), lines

    async def booked(self, versions: Mapping[str, int]) -> int:
        """Wait until the ledger has booked each table up to its version; when, in ms."""

        def behind(store: Store) -> bool:
            stands = check.positions(store)
            return any(
                table not in stands or stands[table].version < version
                for table, version in versions.items()
            )

        await self.ledger(lambda store: not behind(store))
        return now_ms()

    async def ledger(self, true: Callable[[Store], bool]) -> None:
        """Wait until something is true of the ledger."""
        async with asyncio.timeout(RESUME_S):
            while True:
                store = Store(self._ledger or self.data / "ledger.sqlite", read_only=True)
                try:
                    if true(store):
                        return
                finally:
                    store.close()
                await asyncio.sleep(LOOK_S)

    async def over(self) -> None:
        """End what was started beside the network."""
        for process in list(self._further):
            await self.end(process)

    def report(self) -> None:
        """Print what each fault cost."""
        width = max((len(what) for what, _ in self.pauses), default=0)
        for what, pauses in self.pauses:
            sys.stdout.write(
                f"{what:{width}}  {pauses.tables:3} tables  min {pauses.least:6}"
                f"  median {pauses.median:6}  max {pauses.most:6} ms\n"
            )


@asynccontextmanager
async def playing(
    data: Path,
    log: str = "embedded",
    *,
    tables: int = TABLES,
    think_ms: int = THINK_MS,
    security: Mapping[str, str] | None = None,
    ledger: str | None = None,
    voids: bool = False,
) -> AsyncIterator[Play]:
    """A network with bots at all its tables; it ends in order, with every hand finished.

    `security` is how its brokers are spoken to; its processes find that in their environment. Its
    `ledger` is a file beside the log, or a server's database. Hands are voided only where `voids`.
    """
    up = Up(data, log=log, more=("--ledger", ledger) if ledger else ())
    company = Company(data, tables, think_ms)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(_end, up)
        await up.start()
        watcher = await Watcher.open(log if log != "embedded" else str(data), security)
        stack.push_async_callback(watcher.close)
        await company.start()
        try:
            await watcher.until(
                "all tables play", lambda: len(watcher.playing()) >= tables, RESUME_S
            )
            play = Play(data, up, watcher, log, ledger)
            stack.callback(play.report)
            stack.push_async_callback(play.over)
            yield play
        finally:
            figures = await company.stop()
        assert voids or figures["voided"] == 0
        await watcher.until_all(
            "every hand is finished",
            list(watcher.tables),
            lambda name: not watcher.playing([name]),
            LAST_S,
        )
        assert voids or watcher.count("HandVoided") == 0
        await play.audited()


async def _end(up: Up) -> None:
    """Stop the network; whatever of it is left is killed."""
    left = await children(up.pid)
    try:
        await up.stop()
    finally:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
