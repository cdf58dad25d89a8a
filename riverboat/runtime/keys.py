"""Keys: the public ones in a JWKS file, a private one in a file that only its owner may read.

Ed25519 alone (RFC 8037). A file is made whole or not at all. No key is made here without bytes that
were passed in, and no private key ever leaves for a log or a message.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy

# The file of keys is looked at again after this long, and at once for a key that is not known.
KEYS_STALE_MS: Final = 60_000
KEYS_FRESH_MS: Final = 1_000


class BadKeys(Exception):
    """A file of keys cannot be used; the message names it and says why."""


class KeyFile:
    """The public keys in a JWKS file, by id; the file may be replaced while the process runs."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._looked_ms = clock.now_ms()
        self._stamp = _stamp(path)
        self._keys = _read_keys(path)
        self.generation = 0  # grows whenever the keys are others

    def find(self, key_id: str) -> Ed25519PublicKey | None:
        """The key of this id, if the file holds it."""
        found = self._keys.get(key_id)
        self.look_again(KEYS_FRESH_MS if found is None else KEYS_STALE_MS)
        return self._keys.get(key_id)

    def look_again(self, after_ms: int = KEYS_STALE_MS) -> None:
        """Read the file anew if it was looked at that long ago and is another one now.

        A file that cannot be read leaves the keys as they were: half of a copy, or a disk that
        fails for a moment, must not lock everybody out.
        """
        now_ms = self._clock.now_ms()
        if abs(now_ms - self._looked_ms) < after_ms:
            return
        self._looked_ms = now_ms
        with contextlib.suppress(OSError, BadKeys):
            stamp = _stamp(self._path)
            if stamp != self._stamp:
                self._keys = _read_keys(self._path)
                self._stamp = stamp
                self.generation += 1


def jwks(keys: Iterable[Ed25519PublicKey]) -> str:
    """The JWKS document that holds these keys."""
    entries = [
        {"kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key_id(key)}
        | {"x": _b64(key.public_bytes_raw())}
        for key in keys
    ]
    return json.dumps({"keys": entries}, indent=2) + "\n"


def private_key(path: Path, entropy: Entropy) -> Ed25519PrivateKey:
    """The private key in this file; the first time, it is made."""
    if not path.exists():
        _write_once(path, _pem(Ed25519PrivateKey.from_private_bytes(entropy(32))), 0o600)
    return _read_private(path)


def publish(path: Path, key: Ed25519PublicKey) -> None:
    """See to it that this JWKS file holds the key; others that it holds stay."""
    if not path.exists():
        _write_once(path, jwks([key]).encode(), 0o644)
    if key_id(key) not in _read_keys(path):
        raise BadKeys(f"{path}: does not hold the key beside it; remove the one that is not yours")


def _b64(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def key_id(key: Ed25519PublicKey) -> str:
    """The key's thumbprint, RFC 7638: its id is what it is, so two keys never share one."""
    members = {"crv": "Ed25519", "kty": "OKP", "x": _b64(key.public_bytes_raw())}
    text = json.dumps(members, sort_keys=True, separators=(",", ":"))
    return _b64(hashlib.sha256(text.encode()).digest())


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        stat = path.stat()
    except OSError as broken:
        raise BadKeys(f"{path}: {broken.strerror}") from None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _read_keys(path: Path) -> dict[str, Ed25519PublicKey]:
    """The Ed25519 keys of a JWKS file; entries of other kinds are other services' affair."""
    try:
        entries = json.loads(path.read_bytes())["keys"]
        found = {}
        for entry in entries:
            if entry.get("kty") != "OKP" or entry.get("crv") != "Ed25519":
                continue
            if "d" in entry:
                raise BadKeys(f"{path}: holds a private key; give only its public part")
            raw = urlsafe_b64decode(entry["x"] + "=" * (-len(entry["x"]) % 4))
            found[str(entry["kid"])] = Ed25519PublicKey.from_public_bytes(raw)
    except OSError as broken:
        raise BadKeys(f"{path}: {broken.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadKeys(f"{path}: not a JWKS file") from None
    if not found:
        raise BadKeys(f"{path}: holds no Ed25519 key")
    return found


def _read_private(path: Path) -> Ed25519PrivateKey:
    if path.stat().st_mode & 0o077:
        raise BadKeys(f"{path}: others may read it; chmod 600")
    try:
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except ValueError:
        raise BadKeys(f"{path}: not a private key") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKeys(f"{path}: not an Ed25519 key")
    return key


def _pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write_once(path: Path, data: bytes, mode: int) -> None:
    """Make the file whole or not at all; of two processes that do so at once, the first wins."""
    # A temporary file is for its owner alone from its first moment on.
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as part:
        part.write(data)
        part.flush()
        os.fchmod(part.fileno(), mode)
        os.fsync(part.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part.name, path)
