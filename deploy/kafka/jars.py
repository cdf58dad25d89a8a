"""What a broker on this machine runs on: Java, the jars, and an archive of their classes.

Fetches each once and keeps it under `.cache/kafka` in the checkout. Never starts a broker that
anybody uses.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = HERE.parent.parent / ".cache" / "kafka"
POM = HERE / "pom.xml"
OLDEST_JAVA = 17  # what this Kafka is compiled for

HEAP = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")  # starts in half the time


class NoBroker(Exception):
    """A broker cannot run or did not start here; the message says why in one line."""


def kafka_version() -> str:
    """The version of Kafka that pom.xml names."""
    found = re.search(r"<kafka\.version>([^<]+)<", POM.read_text())
    assert found is not None, "pom.xml names a version of Kafka"
    return found[1]


@cache
def java_version() -> int | None:
    """The major version of the Java found here, if any."""
    if not shutil.which("java"):
        return None
    told = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    found = re.search(r'version "(\d+)', told)
    return int(found[1]) if found else None


def missing() -> str | None:
    """What this machine lacks for a broker, in one line, or nothing."""
    java = java_version()
    if java is None:
        return "a broker needs Java, and there is none here"
    if java < OLDEST_JAVA:
        return f"a broker needs Java {OLDEST_JAVA} or newer, and this is Java {java}"
    if not _folder().exists() and not shutil.which("mvn"):
        return "a broker's jars are brought by Maven, and there is none here"
    return None


def classpath() -> str:
    """The jars of a broker, fetched at the first call on a machine."""
    reason = missing()
    if reason:
        raise NoBroker(reason)
    folder = _folder()
    if not folder.exists():
        with _alone():
            if not folder.exists():
                _fetch(folder)
    return f"{folder}/*"


def java(*options: str, archive: bool = True) -> list[str]:
    """The start of a command line that runs a class of the broker's jars."""
    command = ["java", *HEAP, f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}", *options]
    if archive and _archive().exists():
        # Classes come mapped from the archive: 0.7 s to start instead of 2.5. A Java that does
        # not know this archive says nothing and loads them one by one.
        command += [f"-XX:SharedArchiveFile={_archive()}", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]
    return [*command, "-cp", classpath()]


def ensure_archive(run_once: Callable[[str], None]) -> None:
    """Make the class archive, if it is not there: `run_once(option)` starts a broker, stops it."""
    archive = _archive()
    classpath()  # before the lock below, which it takes too
    if archive.exists():
        return
    with _alone():
        if archive.exists():
            return
        fresh = archive.with_suffix(".fresh")
        run_once(f"-XX:ArchiveClassesAtExit={fresh}")
        # Without an archive everything works, slower: not every Java can make one.
        if fresh.exists():
            fresh.rename(archive)


def _folder() -> Path:
    return CACHE / f"kafka-{kafka_version()}"


def _archive() -> Path:
    return CACHE / f"kafka-{kafka_version()}-java{java_version()}.jsa"


def _fetch(folder: Path) -> None:
    fresh = folder.with_suffix(".fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={fresh}"]
    done = subprocess.run(
        ["mvn", "-q", "-B", "-f", str(POM), *goal], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoBroker(f"Maven could not bring the broker's jars: {done.stdout.strip()[:300]}")
    fresh.rename(folder)


@contextmanager
def _alone() -> Iterator[None]:
    # Several test processes may want the same jars at the same moment.
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
