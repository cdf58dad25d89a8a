"""Where the parts of a network keep what they keep, below its data folder.

Names, and the one secret that goes with one of them: nothing here opens or makes anything.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from riverboat.runtime.auth import Issuer
from riverboat.runtime.config import Config, ConfigError

LEDGER: Final = "ledger.sqlite"
DECK_KEYS: Final = "deck-keys.json"


def ledger(config: Config) -> str | Path:
    """The wallet's database: a URL, or a file."""
    return config.ledger_url or config.data / LEDGER


def ledger_password(config: Config) -> str | None:
    """The password of the wallet's database, where a file holds it; raises `ConfigError`."""
    path = config.ledger_password_file
    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as wrong:
        raise ConfigError(f"ledger_password_file: {path}: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"ledger_password_file: {path}: not UTF-8") from None


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
