"""A network on a broker that lets in only whom it knows, over TLS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.kafka import jars
from tests.contract.secured import Secured
from tests.node.playing import playing
from tests.services.network import finished

pytestmark = [pytest.mark.kafka, pytest.mark.node, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    reason = jars.missing()
    if reason:
        pytest.skip(reason)
    broker = Secured(tmp_path_factory.mktemp("secured"))
    broker.cluster.start()
    yield broker
    broker.cluster.stop()


async def test_a_network_plays_over_tls_as_a_user_of_the_broker(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, value in secured.environment(tmp_path, "SCRAM-SHA-256").items():
        monkeypatch.setenv(name, value)
    security = secured.security("SCRAM-SHA-256")
    log = f"kafka://{secured.bootstrap}"
    async with playing(tmp_path / "data", log, tables=2, security=security) as play:
        watcher = play.watcher
        ended = watcher.count("HandEnded")
        await watcher.until("hands", lambda: watcher.count("HandEnded") >= ended + 4, 45)


@pytest.mark.parametrize(
    ("instead", "says"),
    [
        ({"password": "wrong"}, "knows no such user, or another password"),
        ({"ca": "stranger"}, "has no certificate by the authority that was named"),
    ],
)
@pytest.mark.parametrize("command", ["up", "audit"])
async def test_who_is_not_let_in_is_told_so_in_a_line(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command, instead, says
):
    if "ca" in instead:
        instead = {"ca": str(secured.stranger.path)}
    for name, value in secured.environment(tmp_path, "PLAIN", **instead).items():
        monkeypatch.setenv(name, value)
    log = f"kafka://{secured.bootstrap}"
    where = ("up", "--log", log, "--port", "0", "--metrics", "none")
    words = where if command == "up" else ("audit", log)
    status, lines = await finished(*words, "--data", str(tmp_path / "data"))
    assert status == 1
    (line,) = lines
    assert f": the broker at {secured.bootstrap} {says}" in line
