"""The log on a broker that lets in only whom it knows: by TLS and SASL, a user and a password."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from deploy.kafka import jars
from riverboat.log.kafka import KafkaLog, KafkaSettings
from riverboat.log.log import LogError
from tests.contract.conftest import Arm, batch, now_ms, read, texts
from tests.contract.secured import MECHANISMS, Secured
from tests.contract.test_log_contract import until_shared

pytestmark = [pytest.mark.kafka, pytest.mark.node]


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    reason = jars.missing()
    if reason:
        pytest.skip(reason)
    broker = Secured(tmp_path_factory.mktemp("secured"))
    broker.cluster.start()
    yield broker
    broker.cluster.stop()


@pytest.mark.parametrize("mechanism", MECHANISMS)
async def test_all_that_a_log_does_is_done_over_tls_by_who_is_known(secured: Secured, mechanism):
    names = Arm("kafka", f"kafka://{secured.bootstrap}")
    settings = KafkaSettings(secured.bootstrap, security=secured.security(mechanism))
    log = await KafkaLog.open(settings, names.topics)
    try:
        before = now_ms()
        await log.append(batch(names.place(), "a", "b")).durable
        found = await read(log, names.place(), 2)
        assert texts(found) == ["a", "b"]
        assert before - 1_000 <= found[0].time_ms <= now_ms() + 1_000
        assert await log.ends([names.place()]) == {names.place(): 2}
        member = await log.join(f"betting-{names.hands}", "b", [names.hands])
        await until_shared(member)
        await member.commit({names.place(): 2})
        assert await member.committed([names.place()]) == {names.place(): 2}
        assert len(await log.members(f"betting-{names.hands}")) == 1
    finally:
        await log.close()


@pytest.mark.parametrize(
    ("mechanism", "instead", "says"),
    [
        ("PLAIN", {"sasl_password": "wrong"}, "knows no such user, or another password"),
        ("SCRAM-SHA-256", {"sasl_password": "wrong"}, "knows no such user, or another password"),
        ("SCRAM-SHA-256", {"sasl_username": "nobody"}, "knows no such user, or another password"),
        ("SCRAM-SHA-512", {}, "takes no users by SCRAM-SHA-512"),
        ("PLAIN", {"tls_ca_file": "stranger"}, "has no certificate by the authority"),
    ],
)
async def test_who_is_not_let_in_is_told_why_at_once(secured: Secured, mechanism, instead, says):
    given = {
        name: str(secured.stranger.path) if value == "stranger" else value
        for name, value in instead.items()
    }
    settings = KafkaSettings(secured.bootstrap, security=secured.security(mechanism, **given))
    async with asyncio.timeout(settings.request_timeout_ms / 1_000):
        with pytest.raises(LogError, match=says) as refused:
            await KafkaLog.open(settings, ())
    (line,) = str(refused.value).splitlines()
    assert line.startswith(f"the broker at {secured.bootstrap} ")


async def test_a_broker_without_tls_is_told_apart(secured: Secured):
    bare = secured.cluster.bootstrap
    settings = KafkaSettings(bare, security=secured.security("PLAIN"), request_timeout_ms=2_000)
    with pytest.raises(LogError, match=f"the broker at {bare} does not speak TLS|no Kafka"):
        await KafkaLog.open(settings, ())
