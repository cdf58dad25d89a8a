"""Data keys of the decks, one a day; destroying a day's key hides its unseen cards for ever.

`KeyService` is what dealer, showdown and session need of one; two of them stand here, for a house
that keeps no other. A key never leaves this module in a message, a name or a line of a log.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES = 32  # AES-256

# Where time is told, the file is looked at again after this long, and at once for a day that is not
# known: a look costs more than opening a deck that is at hand.
LOOK_AGAIN_MS = 1_000


class KeyGone(Exception):
    """There is no such key: it was destroyed, or never was here."""


class KeyStays(Exception):
    """This key cannot be destroyed on its own; the message says with what it goes."""


class BadKeyFile(Exception):
    """The file of keys cannot be used; the message names it and says why."""


class KeyService(Protocol):
    """Keys by the name of their day, such as "2031-05-04" (UTC)."""

    def today(self, now_ms: int) -> tuple[str, bytes]:
        """The name and the key that decks of this moment are sealed under."""

    def key(self, day: str) -> bytes:
        """The key of this day, or `KeyGone`."""

    def days(self) -> Sequence[str]:
        """The days whose keys still are, oldest first."""

    def destroy(self, day: str) -> None:
        """End this day's key for ever, or raise `KeyStays`; its decks stay sealed."""


def day_of(now_ms: int) -> str:
    """The name of the day (UTC) that this moment falls in.

    >>> day_of(1_000_000_000_000)
    '2001-09-09'
    """
    return datetime.fromtimestamp(now_ms // 1000, UTC).date().isoformat()


class DerivedKeys:
    """Every day's key derived from one secret of the configuration.

    For processes that share a configuration and no disk. Single days cannot be destroyed: their
    keys go when the secret goes.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < KEY_BYTES:
            raise ValueError(f"the secret of the decks' keys needs at least {KEY_BYTES} bytes")
        self._secret = secret
        self._keys: dict[str, bytes] = {}

    def today(self, now_ms: int) -> tuple[str, bytes]:
        day = day_of(now_ms)
        return day, self.key(day)

    def key(self, day: str) -> bytes:
        key = self._keys.get(day)
        if key is None:
            info = b"riverboat deck key v1 " + day.encode()
            derive = HKDF(algorithm=hashes.SHA256(), length=KEY_BYTES, salt=None, info=info)
            key = self._keys[day] = derive.derive(self._secret)
        return key

    def days(self) -> Sequence[str]:
        return sorted(self._keys)

    def destroy(self, day: str) -> None:
        raise KeyStays(f"the key of {day} is derived: it ends with the secret it comes from")


class FileKeys:
    """Keys in one file that only its owner may read, shared by the processes of one machine.

    The file is replaced whole, under a lock. It remembers which days were destroyed, so that none
    of them ever gets a second key under its name.
    """

    def __init__(
        self,
        path: Path,
        entropy: Callable[[int], bytes],
        clock: Callable[[], int] | None = None,
    ) -> None:
        """Without `clock` (ms) the file is looked at every time."""
        self._path = path
        self._entropy = entropy
        self._clock = clock
        self._looked_ms = 0
        self._stamp: tuple[int, int, int] | None = None
        self._keys: dict[str, bytes] = {}
        self._gone: set[str] = set()
        self._look()

    def today(self, now_ms: int) -> tuple[str, bytes]:
        day = day_of(now_ms)
        if day not in self._keys or self._is_stale():
            self._look()
        if day not in self._keys:
            with self._alone():
                if day in self._gone:
                    raise KeyGone(f"the key of {day} was destroyed")
                if day not in self._keys:
                    self._keys[day] = self._entropy(KEY_BYTES)
                    self._replace()
        return day, self._keys[day]

    def key(self, day: str) -> bytes:
        if day not in self._keys or self._is_stale():
            self._look()
        key = self._keys.get(day)
        if key is None:
            gone = "was destroyed" if day in self._gone else f"is not in {self._path}"
            raise KeyGone(f"the key of {day} {gone}")
        return key

    def days(self) -> Sequence[str]:
        self._look()
        return sorted(self._keys)

    def destroy(self, day: str) -> None:
        with self._alone():
            self._keys.pop(day, None)
            self._gone.add(day)
            self._replace()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process changes the file meanwhile, and what it changed before is known."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._look()
            yield
        finally:
            os.close(lock)

    def _is_stale(self) -> bool:
        """Whether another process may have changed the file long enough ago to matter."""
        return self._clock is None or abs(self._clock() - self._looked_ms) >= LOOK_AGAIN_MS

    def _look(self) -> None:
        """Read the file if it is another one than was read last."""
        if self._clock is not None:
            self._looked_ms = self._clock()
        try:
            stat = os.stat(self._path)
        except FileNotFoundError:
            if self._stamp is not None:
                raise BadKeyFile(f"{self._path}: the file of keys is gone") from None
            return
        stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        if stamp == self._stamp:
            return
        if stat.st_mode & 0o077:
            raise BadKeyFile(f"{self._path}: others than its owner may read it; chmod 600 it")
        try:
            found = json.loads(self._path.read_text())
            keys = {day: bytes.fromhex(key) for day, key in found["keys"].items()}
            gone = set(found["destroyed"])
        except (ValueError, KeyError, TypeError, AttributeError):
            # The error itself may quote what it could not read: a key.
            raise BadKeyFile(f"{self._path}: not a file of keys") from None
        if any(len(key) != KEY_BYTES for key in keys.values()):
            raise BadKeyFile(f"{self._path}: a key is not {KEY_BYTES} bytes long")
        self._keys, self._gone, self._stamp = keys, gone, stamp

    def _replace(self) -> None:
        """Write the file anew, durably: a deck sealed under a lost key could not be dealt on."""
        text = json.dumps(
            {
                "keys": {day: key.hex() for day, key in sorted(self._keys.items())},
                "destroyed": sorted(self._gone),
            },
            indent=1,
        )
        new = self._path.with_suffix(".new")
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, text.encode())
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(new, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        self._look()
