"""Issuing: the key by which a network signs its own tokens, made where there is none yet.

Whoever can read the data folder may sign; a network whose tokens somebody else signs has no key.
"""

from __future__ import annotations

from riverboat.runtime import entropy
from riverboat.runtime.auth import Issuer
from riverboat.runtime.clock import SystemClock
from riverboat.runtime.config import Config
from services.cli import places


def make_issuer(config: Config) -> Issuer | None:
    """Who signs this network's tokens; None where somebody else does."""
    if config.token_keys is not None:
        return None
    return Issuer.open(
        places.tokens(config),
        issuer=config.token_issuer,
        audience=config.token_audience,
        clock=SystemClock(),
        entropy=entropy.system,
    )
