"""Opening a log by its address: a data folder, or brokers. The one place that tells them apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Log, LogError
from riverboat.log.topics import TOPICS, Topic

KAFKA = "kafka://"


async def open_log(
    address: str | Path,
    topics: Sequence[Topic] = TOPICS,
    *,
    clock: Callable[[], int],
    steady: Callable[[], int] = lambda: 0,
    security: Mapping[str, str] | None = None,
    read_only: bool = False,
) -> Log:
    """The log at `address`: a folder, or `kafka://HOST:PORT[,HOST:PORT]`.

    `clock` (ms since the epoch) stamps an embedded log's records, and while it was set back
    `steady` does (see `EmbeddedLog.open`); brokers have their own.
    `security` is Kafka's (see `KafkaSettings`). With `read_only` nothing is made or appended, and
    a log that another process holds can be looked at.
    """
    text = str(address)
    if not text.startswith(KAFKA):
        if "://" in text:
            raise LogError(f"{text}: a log is a folder or {KAFKA}HOST:PORT")
        return await EmbeddedLog.open(
            Path(address), topics, clock=clock, steady=steady, read_only=read_only
        )
    # Its client takes a quarter of a start: who has no broker loads none.
    from riverboat.log.kafka import KafkaLog, KafkaSettings  # noqa: PLC0415

    hosts = text.removeprefix(KAFKA).rstrip("/")
    for host in hosts.split(","):
        name, colon, port = host.rpartition(":")
        if not (name and colon and port.isdecimal()):
            raise LogError(f"{text}: {host!r} is not HOST:PORT")
    settings = KafkaSettings(hosts, security=security or {})
    return await KafkaLog.open(settings, topics, read_only=read_only)
