"""Tokens: who a caller is, as a signature vouches for it.

A token is a JWT signed with Ed25519 (RFC 8037); the public keys are a JWKS file. A `Verifier`
checks tokens, an `Issuer` signs them for a network that has no identity service of its own. What a
caller may do is not decided here, and neither a token nor a private key is ever written to a log.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from riverboat.runtime.clock import Clock
from riverboat.runtime.entropy import Entropy
from riverboat.runtime.errors import Fault, unauthenticated
from riverboat.runtime.keys import KeyFile, key_id, private_key, publish
from riverboat.wire.v1.access_pb2 import Role

ALGORITHM: Final = "EdDSA"  # the only one taken: a token never chooses how it is checked
LONGEST_TOKEN: Final = 4_096
LEEWAY_MS: Final = 5_000  # between the issuer's clock and ours

# A token is checked once and then remembered until it ends: a signature costs 100 times a look-up.
REMEMBERED: Final = 20_000
# A subject becomes a player's id in the log: pseudonymous, and nothing that could forge a line.
_SUBJECT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}")

_ROLES: Final[Mapping[str, Role.ValueType]] = {
    name.removeprefix("ROLE_").lower(): number
    for name, number in Role.items()
    if number not in (Role.ROLE_UNSPECIFIED, Role.ROLE_ANYONE)
}
ROLE_NAMES: Final = tuple(_ROLES)

# What an operator may do besides looking, by his token's claim `rights`. None is given by a role.
RIGHT_NAMES: Final = ("tables", "players", "money", "approve", "complaints", "see-cards")


def is_subject(name: str) -> bool:
    """Whether a token may be somebody's of this name, so that it may stand in the log as an id."""
    return _SUBJECT.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, as his token says."""

    id: str  # the token's subject; of a player, his id
    roles: frozenset[Role.ValueType]
    expires_ms: int  # when the token ends, its leeway included
    rights: frozenset[str] = frozenset()  # of an operator: see RIGHT_NAMES

    def holds(self, roles: frozenset[Role.ValueType]) -> bool:
        """Whether one of `roles` is the caller's."""
        return Role.ROLE_ANYONE in roles or not self.roles.isdisjoint(roles)


class Verifier:
    """Checks tokens: signature, issuer, audience, time; remembers those that were good."""

    def __init__(
        self, keys: KeyFile, *, issuer: str, audience: str, clock: Clock, leeway_ms: int = LEEWAY_MS
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._clock = clock
        self._leeway_ms = leeway_ms
        self._known: OrderedDict[str, Caller] = OrderedDict()
        self._generation = keys.generation

    def caller(self, token: str) -> Caller | Fault:
        """Who presents this token, or why it does not count."""
        self._keys.look_again()
        if self._generation != self._keys.generation:
            # A key that was taken out must not live on in what was remembered.
            self._known.clear()
            self._generation = self._keys.generation
        known = self._known.get(token)
        if known is None:
            checked = self._check(token)
            if isinstance(checked, Fault):
                return checked
            known = checked
            self._known[token] = known
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        if self._clock.now_ms() >= known.expires_ms:
            return _expired()
        return known

    def _check(self, token: str) -> Caller | Fault:
        if not token:
            return unauthenticated("NO_TOKEN", "the call carries no token")
        if len(token) > LONGEST_TOKEN:
            return _bad("the token is too long")
        try:
            named = jwt.get_unverified_header(token).get("kid")
            key = self._keys.find(named) if isinstance(named, str) else None
            if key is None:
                return _bad("the token's key is not known")
            # Times are checked below, by our clock and not by the library's.
            claims = jwt.decode(
                token,
                key,
                algorithms=[ALGORITHM],
                audience=self._audience,
                issuer=self._issuer,
                options={
                    "require": ["exp", "iss", "aud", "sub"],
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                },
            )
        except jwt.InvalidAudienceError:
            return _bad("the token is for another audience")
        except jwt.InvalidIssuerError:
            return _bad("the token is from another issuer")
        except jwt.InvalidTokenError:
            # A token of any other shape, signature or algorithm: which, helps only a forger.
            return _bad("the token is not good")
        return self._read(claims)

    def _read(self, claims: Mapping[str, Any]) -> Caller | Fault:
        subject, names = claims["sub"], claims.get("roles", [])
        if not isinstance(subject, str) or not is_subject(subject):
            return _bad("the token's subject is no id")
        if not isinstance(names, list):
            return _bad("the token's roles are no list")
        times = {name: _ms(claims[name]) for name in ("exp", "nbf", "iat") if name in claims}
        if None in times.values():
            return _bad("the token's times are no numbers")
        now_ms = self._clock.now_ms()
        for name in ("nbf", "iat"):
            if (times.get(name) or 0) > now_ms + self._leeway_ms:
                return unauthenticated("TOKEN_EARLY", "the token does not count yet")
        expires_ms = (times["exp"] or 0) + self._leeway_ms
        if now_ms >= expires_ms:
            return _expired()
        # A role of a later version of the network is one that this version gives to nobody.
        roles = frozenset(
            _ROLES[name] for name in names if isinstance(name, str) and name in _ROLES
        )
        named = claims.get("rights", [])
        if not isinstance(named, list):
            return _bad("the token's rights are no list")
        rights = frozenset(name for name in named if name in RIGHT_NAMES)
        return Caller(subject, roles, expires_ms, rights)


class Issuer:
    """Signs tokens with a key pair of its own, kept in a folder: for the embedded network."""

    KEY: Final = "issuer.key"
    KEYS: Final = "keys.json"

    def __init__(
        self, key: Ed25519PrivateKey, *, issuer: str, audience: str, clock: Clock, entropy: Entropy
    ) -> None:
        self._key = key
        self._id = key_id(key.public_key())
        self._issuer = issuer
        self._audience = audience
        self._clock = clock
        self._entropy = entropy

    @classmethod
    def open(
        cls, folder: Path, *, issuer: str, audience: str, clock: Clock, entropy: Entropy
    ) -> Issuer:
        """The issuer whose key stands in `folder`; the first time, the key is made.

        Beside the key stands the JWKS file for the verifiers.
        """
        folder.mkdir(parents=True, exist_ok=True)
        key = private_key(folder / cls.KEY, entropy)
        publish(folder / cls.KEYS, key.public_key())
        return cls(key, issuer=issuer, audience=audience, clock=clock, entropy=entropy)

    def token(
        self, subject: str, roles: Iterable[str], lifetime_ms: int, rights: Iterable[str] = ()
    ) -> str:
        """A token for `subject` with these roles and rights; `ValueError` for one that is not."""
        names, may = list(roles), list(rights)
        if not is_subject(subject):
            raise ValueError(f"not an id: {subject[:80]!r}")
        if unknown := [name for name in names if name not in _ROLES]:
            raise ValueError(f"no role {unknown[0]!r}: one of {', '.join(_ROLES)}")
        if unknown := [name for name in may if name not in RIGHT_NAMES]:
            raise ValueError(f"no right {unknown[0]!r}: one of {', '.join(RIGHT_NAMES)}")
        now = self._clock.now_ms() // 1000
        claims = {
            "iss": self._issuer,
            "aud": self._audience,
            "sub": subject,
            "roles": names,
            "iat": now,
            "exp": now + max(1, lifetime_ms // 1000),
            "jti": self._entropy(12).hex(),
        }
        if may:
            claims["rights"] = may
        return jwt.encode(claims, self._key, algorithm=ALGORITHM, headers={"kid": self._id})


def _bad(message: str) -> Fault:
    return unauthenticated("BAD_TOKEN", message)


def _expired() -> Fault:
    return unauthenticated("TOKEN_EXPIRED", "the token has ended")


def _ms(seconds: object) -> int | None:
    """A NumericDate in milliseconds; None for what is no date of this age of the world."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return None
    return int(seconds * 1000) if 0 <= seconds < 1e11 else None
