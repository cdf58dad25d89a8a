"""The network's log, opened as configured, and read from end to end.

Reads and writes no record of its own, and knows nothing of what records hold.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

from riverboat.log import log, topics
from riverboat.log.embedded import EmbeddedLog
from riverboat.log.log import Log, LogError, Place, Reader
from riverboat.log.opening import KAFKA, open_log
from riverboat.runtime.clock import Clock, LogClock, SystemClock
from riverboat.runtime.config import Config, ConfigError

# A broker that is there answers in milliseconds, and after an election in seconds.
SILENT_MS = 5_000


async def open_network(config: Config, *, read_only: bool = False) -> Log:
    """The log that `config` names; `read_only` while another process may hold it."""
    machine = SystemClock()
    return await open_log(
        config.data if config.log == "embedded" else config.log,
        topics.topics_with(config.partitions),
        clock=machine.now_ms,
        steady=machine.steady_ms,
        security=security(config),
        read_only=read_only,
    )


async def greet_brokers(config: Config) -> None:
    """See whether the brokers let this network in; `LogError` says why they never will."""
    from riverboat.log.kafka import KafkaSettings, greet  # noqa: PLC0415  its client takes long

    hosts = config.log.removeprefix(KAFKA).rstrip("/")
    await greet(KafkaSettings(hosts, security=security(config)))


def clock_beside(network: Log) -> LogClock:
    """The clock of a process, corrected by what it reads of the log.

    A process that stamps the records itself has no time but the log's: its machine's clock may be
    set back under it, and a turn that runs must not notice.
    """
    return LogClock(network.time if isinstance(network, EmbeddedLog) else SystemClock())


def calendar_beside(network: Log, clock: LogClock) -> Clock:
    """By what tokens are judged, beside a process's `clock`: who signs them knows no log's time.

    Brokers stamp by clocks that are right, and correct this machine's; a file's time may have been
    led astray by this very one, which has been set right since.
    """
    return SystemClock() if isinstance(network, EmbeddedLog) else clock


def ahead_ms(network: Log) -> int:
    """How far the log's time is ahead of this machine's, where it is this process that keeps it."""
    return network.time.ahead_ms if isinstance(network, EmbeddedLog) else 0


async def records(
    network: Log, place: Place, reader: Reader | None = None
) -> AsyncIterator[log.Record]:
    """All that stands at the place now, in order; `LogError` where it stops short of that.

    Whoever reads many places brings a `reader` that follows none: one that connects anew for each
    would need most of its time for that.
    """
    start, end = (await network.starts([place]))[place], (await network.ends([place]))[place]
    if start >= end:
        return
    own = reader or network.reader()
    own.follow(place, start)
    try:
        offset = start
        while offset < end:
            taken = (await own.take(wait_ms=SILENT_MS)).get(place)
            if not taken:
                raise LogError(f"{place.topic}/{place.partition}: nothing to read at {offset}")
            for record in taken:
                if record.offset < end:
                    yield record
            offset = taken[-1].offset + 1
    finally:
        own.leave(place)
        if reader is None:
            await own.close()


def security(config: Config) -> dict[str, str]:
    """How brokers are spoken to; `ConfigError` names a file that cannot be used."""
    tls, sasl = config.kafka_ca is not None, config.kafka_sasl != "none"
    protocol = ("SASL_" if sasl else "") + ("SSL" if tls else "PLAINTEXT")
    found = {"security_protocol": protocol}
    if config.kafka_ca is not None:
        try:
            ssl.create_default_context(cafile=config.kafka_ca)
        except OSError as wrong:  # no certificate in it, too
            raise _bad_file("kafka_ca", config.kafka_ca, wrong) from None
        found["tls_ca_file"] = str(config.kafka_ca)
    if sasl and config.kafka_user is not None and config.kafka_password_file is not None:
        found["sasl_mechanism"] = config.kafka_sasl
        found["sasl_username"] = config.kafka_user
        found["sasl_password"] = _password(config.kafka_password_file)
    return found


def _password(path: Path) -> str:
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as wrong:
        raise _bad_file("kafka_password_file", path, wrong) from None


def _bad_file(setting: str, path: Path, wrong: OSError | UnicodeDecodeError) -> ConfigError:
    why = wrong.strerror if isinstance(wrong, OSError) else f"not UTF-8: {wrong.reason}"
    return ConfigError(f"{setting}: {path}: {why}")
