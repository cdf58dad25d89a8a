"""Sealed decks: a whole order, shuffled, committed to and encrypted; and opened again.

The dealer seals a deck with the hand's start; dealer, showdown and session may open it. A sealed
deck says nothing about its cards to anybody without the key of its day, and opens only at the table
and for the hand that it was sealed for. Nothing here decides who may see a card.

Bytes of a sealed deck, format 1:

    format        1 byte
    day's length  1 byte, then the day's name
    version       8 bytes, big end first: of the record that brings the deck
    nonce         12 bytes
    ciphertext    seed of the salts (32), one byte a card, tag (16): AES-256-GCM

All before the nonce is authenticated, and with it the table's and the hand's ids.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from riverboat.game.cards import DECKS
from riverboat.game.deck import shuffle
from riverboat.game.hand.state import Hand
from riverboat.game.table.given import OpenDeck, Sealed, SealedHand, SealedOrder
from riverboat.game.table.state import Last
from riverboat.log.commitment import SEED_BYTES, Commitment, verify_all
from riverboat.log.deck_keys import KeyService

FORMAT: Final = 1
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16

# Opened decks kept at hand: a hand is looked at again on every street. About 8 kB each.
KEPT: Final = 1024

# All that opening a deck depends on: table, hand, key's name, root, sealed order.
_Where = tuple[str, str, str, bytes, bytes]


class BadDeck(Exception):
    """A sealed deck does not open, or not to what was committed to; the message says which."""


class SealedDeck:
    """One deck's order, open to this process."""

    __slots__ = ("_commitment", "_root", "_seed", "order", "version")

    def __init__(
        self,
        order: tuple[int, ...],
        seed: bytes,
        root: bytes,
        version: int,
        commitment: Commitment | None = None,
    ) -> None:
        self.order = order  # the cards, by place
        self.version = version  # of the record that brought the deck
        self._seed = seed
        self._root = root
        self._commitment = commitment  # made when first needed

    def prove(self, places: Iterable[int]) -> bytes:
        """What opens the commitment for the cards at these places."""
        if self._commitment is None:
            self._commitment = Commitment(self.order, self._seed)
            if self._commitment.root != self._root:
                raise BadDeck("the deck's order is not the one that was committed to")
        return self._commitment.prove(places)


class DeckAndStubs:
    """A deck and its reshuffled stubs, one behind the other, as their places are numbered."""

    __slots__ = ("_parts", "order")

    def __init__(self, parts: Sequence[SealedDeck]) -> None:
        self.order = tuple([card for part in parts for card in part.order])
        self._parts = parts

    def prove(self, places: Iterable[int]) -> bytes:
        """What opens the commitments for the cards at these places."""
        wanted = list(places)
        proofs = []
        first = 0
        for part in self._parts:
            end = first + len(part.order)
            proofs.append(part.prove([place - first for place in wanted if first <= place < end]))
            first = end
        return b"".join(proofs)


class SealedDecks:
    """Makes decks and opens them, under the keys of a key service."""

    def __init__(
        self, keys: KeyService, entropy: Callable[[int], bytes], clock: Callable[[], int]
    ) -> None:
        self._keys = keys
        self._entropy = entropy
        self._clock = clock
        self._open: OrderedDict[_Where, SealedDeck] = OrderedDict()

    def new(self, table: str, hand: str, version: int, cards: Sequence[int]) -> Sealed:
        """Shuffle these cards, commit to the order and seal it; see `Decks` in game/table."""
        order = shuffle(cards, self._entropy)
        secret = self._entropy(SEED_BYTES + NONCE_BYTES)
        seed, nonce = secret[:SEED_BYTES], secret[SEED_BYTES:]
        commitment = Commitment(order, seed)
        root = commitment.root
        day, key = self._keys.today(self._clock())
        sealed = seal(key, day, table, hand, version, nonce, seed + bytes(order))
        # Whoever seals a deck deals from it next.
        deck = SealedDeck(order, seed, root, version, commitment)
        self._keep((table, hand, day, root, sealed), deck)
        return Sealed(sealed, day, root, order)

    def open(self, table: str, hand: SealedHand) -> OpenDeck:
        """All the hand's cards; `KeyGone` or `BadDeck` when something does not open."""
        deck = self._opened(table, hand.id, hand)
        if not hand.stubs:
            return deck
        return DeckAndStubs([deck, *(self._opened(table, hand.id, stub) for stub in hand.stubs)])

    def _opened(self, table: str, hand: str, sealed: SealedOrder) -> SealedDeck:
        where = (table, hand, sealed.key, sealed.root, sealed.sealed)
        key = self._keys.key(sealed.key)  # first: a key destroyed since closes what is kept open
        deck = self._open.get(where)
        if deck is not None:
            self._open.move_to_end(where)
            return deck
        version, plain = unseal(key, sealed.key, table, hand, sealed.sealed)
        seed, order = plain[:SEED_BYTES], tuple(plain[SEED_BYTES:])
        if len(set(order)) != len(order):
            raise BadDeck(f"table {table}, hand {hand}: the deck holds a card twice")
        return self._keep(where, SealedDeck(order, seed, sealed.root, version))

    def _keep(self, where: _Where, deck: SealedDeck) -> SealedDeck:
        self._open[where] = deck
        if len(self._open) > KEPT:
            self._open.popitem(last=False)
        return deck


def proven(hand: Hand | Last, shown: Mapping[int, int], proofs: bytes) -> bool:
    """Whether `proofs` opens what the hand committed to for these cards, `{place: card}`."""
    size = hand.cards if isinstance(hand, Last) else len(DECKS[hand.game.deck])
    stubs = [(stub.root, stub.size) for stub in hand.stubs]
    return verify_all([(hand.root, size), *stubs], shown, proofs)


def seal(
    key: bytes, day: str, table: str, hand: str, version: int, nonce: bytes, plain: bytes
) -> bytes:
    """`plain` under this day's key, to be opened at this table, for this hand only."""
    assert len(nonce) == NONCE_BYTES
    head = _head(day, version)
    return head + nonce + AESGCM(key).encrypt(nonce, plain, _bound(head, table, hand))


def unseal(key: bytes, day: str, table: str, hand: str, sealed: bytes) -> tuple[int, bytes]:
    """The version that it was sealed for, and what was sealed; or `BadDeck`."""
    where = f"table {table}, hand {hand}"
    length = len(_head(day, 0))
    if len(sealed) < length + NONCE_BYTES + TAG_BYTES + SEED_BYTES or sealed[0] != FORMAT:
        raise BadDeck(f"{where}: not a sealed deck of format {FORMAT}")
    head, nonce = sealed[:length], sealed[length : length + NONCE_BYTES]
    (version,) = struct.unpack(">Q", head[-8:])
    if head != _head(day, version):
        raise BadDeck(f"{where}: the deck is not sealed under the key of {day}")
    try:
        plain = AESGCM(key).decrypt(
            nonce, sealed[length + NONCE_BYTES :], _bound(head, table, hand)
        )
    except InvalidTag:
        raise BadDeck(f"{where}: the sealed deck does not open; it is not this hand's") from None
    return version, plain


def _head(day: str, version: int) -> bytes:
    name = day.encode()
    return bytes((FORMAT, len(name))) + name + struct.pack(">Q", version)


def _bound(head: bytes, table: str, hand: str) -> bytes:
    # Ids hold no zero byte, so no two pairs of them read the same.
    return b"\0".join((head, table.encode(), hand.encode()))
