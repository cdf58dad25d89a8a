"""How a Kafka cluster is reached: addresses, time-outs, TLS and SASL, and whether it listens.

Keeps no connection open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from ssl import SSLCertVerificationError, SSLError
from typing import Any, Final, TypeVar

from aiokafka import AIOKafkaConsumer
from aiokafka.client import AIOKafkaClient
from aiokafka.conn import collect_hosts, create_conn
from aiokafka.errors import (
    KafkaError,
    KafkaTimeoutError,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)
from aiokafka.helpers import create_ssl_context

from riverboat.log.log import LogError

Answer = TypeVar("Answer")

# What `KafkaSettings.security` may hold, and the client's own words for it.
_SASL: Final = {
    "sasl_mechanism": "sasl_mechanism",  # PLAIN, SCRAM-SHA-256, SCRAM-SHA-512
    "sasl_username": "sasl_plain_username",
    "sasl_password": "sasl_plain_password",
}
_TLS: Final = {
    "tls_ca_file": "cafile",
    "tls_certificate_file": "certfile",
    "tls_key_file": "keyfile",
    "tls_key_password": "password",
}
# A broker that has 250 partitions to make leads the last of them in a second, or in fifteen where
# its machine does other work.
MADE_MS: Final = 60_000
_PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


@dataclass(frozen=True, slots=True)
class KafkaSettings:
    """How this process speaks to the cluster."""

    bootstrap: str  # HOST:PORT[,HOST:PORT]
    # security_protocol, sasl_mechanism, sasl_username, sasl_password, tls_ca_file, ...
    security: Mapping[str, str] = field(default_factory=dict)
    # Of questions to the cluster, and of what a group says: it waits for its slowest member.
    request_timeout_ms: int = 6_000
    # Who writes or reads waits so long for an answer, and then asks again, whoever leads by then. A
    # broker that hangs holds him up until another leads, and for one or two of these beyond that:
    # the question who leads may go to it too. One that is only slow makes nothing fail: what comes
    # twice is written once.
    answer_timeout_ms: int = 1_500
    # A batch that finds no leader for so long fails: several times the worst election, which takes
    # 5 s as deployed here.
    leaderless_ms: int = 20_000
    # Half of Kafka's default: after an election it decides how soon writing goes on.
    retry_backoff_ms: int = 50
    # A member that died is missed after this long; a broker may ask for more (6 s by default).
    session_timeout_ms: int = 2_000
    heartbeat_ms: int = 300
    replicas: int | None = None  # of topics made here; by default 3, or as many as there are

    def client(self) -> dict[str, Any]:
        """What every client of the cluster is made with."""
        return {
            "bootstrap_servers": self.bootstrap,
            "request_timeout_ms": self.request_timeout_ms,
            "retry_backoff_ms": self.retry_backoff_ms,
            **_security(self.security),
        }


def _security(asked: Mapping[str, str]) -> dict[str, Any]:
    known = {"security_protocol", *_SASL, *_TLS}
    unknown = sorted(set(asked) - known)
    if unknown:
        raise ValueError(f"no such setting of Kafka's security: {', '.join(unknown)}")
    protocol = asked.get("security_protocol", "PLAINTEXT")
    if protocol not in _PROTOCOLS:
        raise ValueError(f"security_protocol is one of {', '.join(_PROTOCOLS)}, not {protocol!r}")
    arguments: dict[str, Any] = {"security_protocol": protocol}
    arguments |= {theirs: asked[ours] for ours, theirs in _SASL.items() if ours in asked}
    if protocol.endswith("SSL"):
        files = {theirs: asked[ours] for ours, theirs in _TLS.items() if ours in asked}
        arguments["ssl_context"] = create_ssl_context(**files)
    return arguments


def impatient(client: AIOKafkaClient, settings: KafkaSettings) -> None:
    """Let this client, before it connects, wait for each answer only as long as one may take.

    It has one time for that and for all that it does meanwhile, such as looking for another leader:
    it would give up at the very moment when it knew that it should ask another broker.
    """
    client._request_timeout_ms = settings.answer_timeout_ms


async def stop(consumer: AIOKafkaConsumer) -> None:
    """End the consumer, whatever it is doing.

    A fetch that is about to be tried again tells its own end to whoever closes it, as if he were
    cancelled, and what is to be closed after it is left open.
    """
    try:
        await consumer.stop()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        await consumer._client.close()


async def greet(settings: KafkaSettings) -> None:
    """Speak to a broker as configured; `LogError` says why none will ever listen.

    One that is away says nothing of that. The client itself would only say that it found nobody.
    """
    security = _security(settings.security)
    if security["security_protocol"] == _PROTOCOLS[0]:
        return
    refused: LogError | None = None
    for host, port, _ in collect_hosts(settings.bootstrap):
        at = f"the broker at {host}:{port}"
        try:
            line = await create_conn(
                host, port, request_timeout_ms=settings.request_timeout_ms, **security
            )
        except SSLCertVerificationError as error:
            why = f"has no certificate by the authority that was named: {error.verify_message}"
            refused = LogError(f"{at} {why}")
        except SSLError as error:
            refused = LogError(f"{at} does not speak TLS: {error.reason or error}")
        except SaslAuthenticationFailed:
            refused = LogError(f"{at} knows no such user, or another password")
        except UnsupportedSaslMechanismError:
            mechanism = security.get("sasl_mechanism")
            refused = LogError(f"{at} takes no users by {mechanism}")
        except (OSError, KafkaError, TimeoutError):
            continue
        else:
            line.close()
            return
    if refused is not None:
        raise refused


async def patiently(
    what: str,
    settings: KafkaSettings,
    call: Callable[[], Awaitable[Answer]],
    *,
    patience_ms: int | None = None,
) -> Answer:
    """The answer to `call`, asked again while the cluster changes; `LogError` when it stays away.

    For questions only: asking twice must do no harm. It stays away once `patience_ms` have passed,
    or as long as one request may take.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + (patience_ms or settings.request_timeout_ms) / 1000
    while True:
        try:
            return await call()
        except (KafkaError, TimeoutError) as error:
            # The client's own time is up after one request's, and it calls that final.
            late = patience_ms is not None and isinstance(error, KafkaTimeoutError)
            again = late or getattr(error, "retriable", True)
            if not again or loop.time() > deadline:
                raise LogError(f"{what}: {settings.bootstrap}: {error!r}") from error
            await asyncio.sleep(settings.retry_backoff_ms / 1000)
