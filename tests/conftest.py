"""What every test shares: how deep to go, what a skip means, one broker for those who need it.

Holds no helper that a single room could hold itself.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import hypothesis
import pytest

from deploy.kafka import jars
from deploy.kafka.cluster import Cluster
from deploy.postgres import server as postgres
from riverboat.runtime import step

DEEP = "RIVERBOAT_DEEP"  # go to full depth
COMPILED = "RIVERBOAT_COMPILED"  # on the compiled build, see scripts/compiled.py
NO_SKIP = "RIVERBOAT_NO_SKIP"  # a machine that should have everything: a skip is a failure

# Two busy cores make any deadline a matter of luck; pytest's own time-out still stands.
hypothesis.settings.register_profile("quick", deadline=None, print_blob=True)
hypothesis.settings.register_profile(
    "deep", deadline=timedelta(seconds=10), max_examples=2_000, print_blob=True
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the tests marked deep too")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--deep"):
        os.environ[DEEP] = "1"  # for the processes that tests start, and for parallel workers
    if os.environ.get(COMPILED) and not str(step.__file__).endswith(".so"):
        raise pytest.UsageError(f"{COMPILED} is set, and {step.__file__} is not compiled")
    hypothesis.settings.load_profile("deep" if os.environ.get(DEEP) else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get(DEEP):
        _leave_out("deep", config, items)
    if os.environ.get(COMPILED):
        _leave_out("plain", config, items)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Real processes do not fight each other for two cores: one test of them at a time.

    Outside of every time-out, so that nobody's time is taken by another's test.
    """
    if not item.get_closest_marker("node"):
        return (yield)
    with Path(__file__).open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        return (yield)


def _leave_out(marker: str, config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if item.get_closest_marker(marker)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker(marker)]


def _no_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and os.environ.get(NO_SKIP) and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: nothing may be skipped here ({reason})"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _no_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _no_skip(report)
    return report


@contextmanager
def _kafka(folder: Path) -> Iterator[Cluster]:
    reason = jars.missing()
    if reason:
        pytest.skip(reason)
    cluster = Cluster(folder, attached=True)
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def kafka_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One broker on a free port, started for the first test that asks."""
    with _kafka(tmp_path_factory.mktemp("kafka")) as cluster:
        yield cluster


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Cluster]:
    """A broker of the test's own, for one who reads all that stands there."""
    with _kafka(tmp_path / "kafka") as cluster:
        yield cluster


@contextmanager
def _postgres(*also: str) -> Iterator[postgres.Server]:
    reason = postgres.missing()
    if reason:
        pytest.skip(reason)
    # Not below pytest's own folder, which no other user may enter: it does not run as root.
    with tempfile.TemporaryDirectory(prefix="riverboat-postgres-") as folder:
        # What the disk keeps through a power cut is the server's business, tested by its makers.
        server = postgres.Server(Path(folder), attached=True, also=("fsync=off", *also))
        server.start()
        yield server
        server.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    """A database server on a free port, started for the first test that asks."""
    with _postgres("max_connections=300") as server:
        yield server


@pytest.fixture
def own_postgres() -> Iterator[postgres.Server]:
    """A server of the test's own, to be killed."""
    with _postgres() as server:
        yield server
