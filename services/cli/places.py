"""Where the parts of a network keep what they keep, below its data folder.

Names only: nothing here opens or makes anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.runtime.auth import Issuer
from riverboat.runtime.config import Config

LEDGER: Final = "ledger.sqlite"
DECK_KEYS: Final = "deck-keys.json"


def ledger(config: Config) -> Path:
    """The wallet's database."""
    return config.data / LEDGER


def deck_keys(config: Config) -> Path:
    """The keys that seal decks."""
    return config.seal_keys or config.data / DECK_KEYS


def tokens(config: Config) -> Path:
    """The folder of the network's own issuer of tokens."""
    return config.data / "tokens"


def token_keys(config: Config) -> Path:
    """The public keys that tokens are checked by."""
    return config.token_keys or tokens(config) / Issuer.KEYS


def opened(config: Config) -> Path:
    """Which of the first tables were opened already."""
    return config.data / "first-tables.json"
