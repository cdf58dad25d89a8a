"""The commitment to a deck: a Merkle root over (place, card, salt), and proofs of single cards.

Published with the hand's start, before any card is dealt. Each card shown later comes with its
proof; what was never shown stays hidden behind its salt. Nothing here encrypts or keeps a deck.

A root binds every card to its place, and the deck to its size. The proof of some places holds their
salts and then, level by level from the left, the digests that a verifier cannot compute himself.
Its length follows from the places, so proofs of several decks stand one behind the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

SEED_BYTES: Final = 32
SALT_BYTES: Final = 16  # 128 bits hide which of 52 cards it is
_DIGEST_BYTES: Final = 32
_PROOF_HEAD: Final = 2  # format, size of the deck

_FORMAT: Final = 1
# Leaves, nodes and roots can never be taken for each other (as in RFC 6962).
_NODE: Final = b"\1"
_ROOT: Final = b"\2"
_LEAVES: Final = tuple(tuple(bytes((0, place, card)) for card in range(64)) for place in range(64))
_SALTS: Final = b"riverboat deck salts v1"

_digest = hashlib.blake2b

Deck = tuple[bytes, int]  # its root, and how many cards it has


class Commitment:
    """The tree over one deck's order."""

    __slots__ = ("_levels", "_salts", "root")

    def __init__(self, order: Sequence[int], seed: bytes) -> None:
        assert len(seed) == SEED_BYTES
        assert 0 < len(order) <= len(_LEAVES)
        self._salts = _salts(seed, len(order))
        level = [
            _digest(_LEAVES[place][card] + salt, digest_size=_DIGEST_BYTES).digest()
            for place, (card, salt) in enumerate(zip(order, self._salts, strict=True))
        ]
        self._levels = [level]
        while len(level) > 1:
            pairs = iter(level)
            above = [
                _digest(_NODE + left + right, digest_size=_DIGEST_BYTES).digest()
                for left, right in zip(pairs, pairs, strict=False)
            ]
            if len(level) % 2:
                above.append(level[-1])  # without a partner it stands for itself one level up
            self._levels.append(level := above)
        self.root = _root(len(order), level[0])

    def prove(self, places: Iterable[int]) -> bytes:
        """What opens the commitment for the cards at these places; empty for none."""
        known = sorted(set(places))
        if not known:
            return b""
        parts = [bytes((_FORMAT, len(self._salts)))]
        parts += [self._salts[place] for place in known]
        for level in self._levels[:-1]:
            for place in known:
                beside = place ^ 1
                if beside < len(level) and beside not in known:
                    parts.append(level[beside])
            known = sorted({place // 2 for place in known})
        return b"".join(parts)


def verify(root: bytes, shown: Mapping[int, int], proof: bytes) -> bool:
    """Whether the deck behind `root` has these cards at these places, `{place: card}`."""
    rest = _Rest(proof)
    return (not shown or _opens(root, shown, rest) > 0) and rest.exact


def verify_all(decks: Iterable[Deck], shown: Mapping[int, int], proof: bytes) -> bool:
    """The same over several decks, whose places are numbered on from one to the next."""
    rest = _Rest(proof)
    first = found = 0
    for root, size in decks:
        here = {at - first: card for at, card in shown.items() if first <= at < first + size}
        if here and _opens(root, here, rest) != size:
            return False
        found += len(here)
        first += size
    return found == len(shown) and rest.exact


def _opens(root: bytes, shown: Mapping[int, int], rest: _Rest) -> int:
    """The size of the deck behind `root`, if the next proof opens it for these cards; else 0."""
    head = rest.take(_PROOF_HEAD)
    if len(head) < _PROOF_HEAD or head[0] != _FORMAT:
        return 0
    size = head[1]
    known = sorted(shown)
    if known[0] < 0 or known[-1] >= min(size, len(_LEAVES)):
        return 0
    if not all(0 <= card < len(_LEAVES) for card in shown.values()):
        return 0
    digests = {
        place: _digest(
            _LEAVES[place][shown[place]] + rest.take(SALT_BYTES), digest_size=_DIGEST_BYTES
        ).digest()
        for place in known
    }
    width = size
    while width > 1:
        digests = _climb(digests, width, rest)
        width = (width + 1) // 2
    return size if _root(size, digests[0]) == root else 0


def _climb(digests: dict[int, bytes], width: int, rest: _Rest) -> dict[int, bytes]:
    above: dict[int, bytes] = {}
    for place, digest in digests.items():
        beside = place ^ 1
        if beside >= width:
            above[place // 2] = digest
        elif place // 2 not in above:
            other = digests.get(beside) or rest.take(_DIGEST_BYTES)
            left, right = (digest, other) if place < beside else (other, digest)
            above[place // 2] = _digest(_NODE + left + right, digest_size=_DIGEST_BYTES).digest()
    return above


class _Rest:
    """What is left of a proof; `exact` when all of it, and no more, was taken."""

    def __init__(self, proof: bytes) -> None:
        self._proof = proof
        self._at = 0

    def take(self, count: int) -> bytes:
        start, self._at = self._at, self._at + count
        return self._proof[start : self._at]

    @property
    def exact(self) -> bool:
        return self._at == len(self._proof)


def _salts(seed: bytes, count: int) -> list[bytes]:
    # One call of an extendable function is a tenth of one keyed digest for each card.
    stream = hashlib.shake_256(_SALTS + seed).digest(count * SALT_BYTES)
    return [stream[at : at + SALT_BYTES] for at in range(0, len(stream), SALT_BYTES)]


def _root(size: int, top: bytes) -> bytes:
    return _digest(_ROOT + bytes((size,)) + top, digest_size=_DIGEST_BYTES).digest()
