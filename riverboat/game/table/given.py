"""What a decision is given besides the state: time, entropy and the deck, as values; what it tells.

Only protocols and plain values stand here; the runtime and the simulator fill them in. A decision
that is given the same things decides the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from riverboat.game.refusals import Refusal
from riverboat.game.table.events import Event

# Events, why not, or nothing: then it was said already, or is nobody's business any more.
Decision = Sequence[Event] | Refusal | None
Entropy = Callable[[int], bytes]


class Sealed(NamedTuple):
    """A new deck order, sealed and committed to."""

    sealed: bytes
    key: str  # name of the data key
    root: bytes  # the commitment
    order: tuple[int, ...]  # the order itself, for the decision that deals from it at once


class OpenDeck(Protocol):
    """The order of a hand's cards that this process may see, reshuffled stubs behind the deck."""

    @property
    def order(self) -> Sequence[int]:
        """The cards, by place."""

    def prove(self, places: Sequence[int]) -> bytes:
        """What opens the commitment for the cards at these places."""


class SealedOrder(Protocol):
    """A sealed order: a whole deck's, or a reshuffled stub's."""

    @property
    def sealed(self) -> bytes: ...

    @property
    def key(self) -> str: ...

    @property
    def root(self) -> bytes: ...


class SealedHand(SealedOrder, Protocol):
    """What of a hand it takes to open its cards, while it is played and behind its end."""

    @property
    def id(self) -> str: ...

    @property
    def stubs(self) -> Sequence[SealedOrder]:
        """Those that were reshuffled, in order."""


class Decks(Protocol):
    """How decks are made and opened."""

    def new(self, table: str, hand: str, version: int, cards: Sequence[int]) -> Sealed:
        """Shuffle these cards and seal the order; `version` is that of the record to come."""

    def open(self, table: str, hand: SealedHand) -> OpenDeck:
        """All the hand's cards; raises when a key is gone or something does not open."""


class Given(NamedTuple):
    """What one decision is given."""

    now_ms: int  # the decider's clock, corrected by the log's
    offset: int  # of the command that is answered; -1 when none is
    entropy: Entropy
    decks: Decks
    may_start: bool = True  # false: no new hand (the disk is nearly full, or a partition lags)
    silent: frozenset[str] = frozenset()  # sessions that are dead, to whoever reads what they write
    ledger_away: bool = False  # the wallet has said that it cannot book now


class Alarm(NamedTuple):
    """The next deadline of a table for one decider."""

    at_ms: int
    key: tuple[str | int, ...]  # what is over then: the same key is the same deadline
    settled: bool  # takes something from a player: fires only once every input in time was read
