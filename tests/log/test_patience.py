"""How long a question to brokers is asked again, without any."""

from __future__ import annotations

import pytest
from aiokafka.errors import KafkaError, KafkaTimeoutError, NotLeaderForPartitionError

from riverboat.log.kafka.connection import KafkaSettings, patiently
from riverboat.log.log import LogError

SETTINGS = KafkaSettings("127.0.0.1:1", request_timeout_ms=10, retry_backoff_ms=1)


class Cluster:
    """Answers after so many errors of one kind."""

    def __init__(self, error: KafkaError, times: int) -> None:
        self._error = error
        self._left = times

    async def ask(self) -> str:
        if self._left:
            self._left -= 1
            raise self._error
        return "answer"


async def test_a_broker_that_is_still_making_partitions_is_waited_for():
    """The client gives up after one request's time, which a busy machine takes for its first."""
    slow = Cluster(KafkaTimeoutError("Failed to get offsets by times in 10 ms"), 3)
    assert await patiently("offsets", SETTINGS, slow.ask, patience_ms=10_000) == "answer"


@pytest.mark.parametrize(
    ("error", "patience_ms"),
    [
        (KafkaTimeoutError("in 10 ms"), None),  # whoever plays must know at once
        (KafkaTimeoutError("in 10 ms"), 10),
        (NotLeaderForPartitionError(), 10),
        (KafkaError("refused"), 10_000),  # asking again does not help
    ],
)
async def test_a_cluster_that_stays_away_is_told(error, patience_ms):
    gone = Cluster(error, 10**9)
    with pytest.raises(LogError, match=r"offsets: 127\.0\.0\.1:1: "):
        await patiently("offsets", SETTINGS, gone.ask, patience_ms=patience_ms)
