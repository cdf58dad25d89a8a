"""Reach: how a command finds a running network, and who it says it is.

`up` leaves a note in the data folder that says where each service listens; whoever can read the
folder's key may sign himself a token. Nothing secret stands in the note.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import grpc

from riverboat.runtime.auth import Issuer
from riverboat.runtime.config import SERVICES, Config
from services.cli import places
from services.cli.issuing import make_issuer
from services.cli.trouble import Trouble

NOTE: Final = "network.json"
# A bot's or a person's token outlives the evening; an operator's command takes seconds.
DAY_MS: Final = 24 * 60 * 60 * 1_000

_OPTIONS: Final = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # A server that was started again is found at once, not after a growing wait.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # So long may one try take: a busy server needs more than a moment to greet.
    ("grpc.min_reconnect_backoff_ms", 1_000),
    ("grpc.max_reconnect_backoff_ms", 1_000),
)


def leave_note(config: Config, where: Mapping[str, str]) -> None:
    """Say where each service listens."""
    write_down(config.data / NOTE, dict(where))


def write_down(path: Path, what: object) -> None:
    """Keep this as JSON, whole or not at all: half of it would be taken for nothing."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(what, indent=1) + "\n")
    part.replace(path)


def addresses(config: Config, server: str | None) -> dict[str, str]:
    """Where each service is: all at `server`, or as the note says, or where `up` would serve."""
    if server is not None:
        return dict.fromkeys(SERVICES, server)
    with suppress(OSError, ValueError, LookupError, TypeError):
        noted = json.loads((config.data / NOTE).read_text())
        return {name: str(noted[name]) for name in SERVICES}
    return dict.fromkeys(SERVICES, str(config.listen))


def channel(where: Mapping[str, str], service: str) -> grpc.aio.Channel:
    """A channel to the service."""
    return grpc.aio.insecure_channel(where[service], options=_OPTIONS)


def issuer(config: Config) -> Issuer:
    """Who signs this network's tokens, by the key that the network has made in its data folder."""
    # A key made here would litter a folder that was mistyped, and no network would know it.
    if config.token_keys is None and not (places.tokens(config) / Issuer.KEY).exists():
        raise Trouble(f"{config.data}: there is no network in this folder; choose one by --data")
    found = make_issuer(config)
    if found is None:
        raise Trouble("this network's tokens are signed by somebody else (token_keys)")
    return found


def token(
    config: Config,
    subject: str,
    roles: Iterable[str],
    lifetime_ms: int = DAY_MS,
    rights: Iterable[str] = (),
) -> str:
    """A token signed with the network's own key."""
    try:
        return issuer(config).token(subject, roles, lifetime_ms, rights)
    except ValueError as wrong:
        raise Trouble(str(wrong), 2) from None


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """The token as a call's metadata."""
    return (("authorization", f"Bearer {token}"),)
