"""Law 5 at the edge: no viewer's stream ever holds another player's private card.

Reads the frames that sessions tell their viewers as the messages they are, and holds every card in
them against what the rules have turned up and what the viewer was dealt himself. How a frame came
about it does not know, and it folds nothing itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from google.protobuf.message import Message

from riverboat.game.hand.events import Drew, HandShown, HandStarted, StreetDealt
from riverboat.game.record import Record
from riverboat.game.table.events import CardsShown
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.sim.laws import CARDS, DURABLE, ONE_STATE, LawBroken, Witness
from riverboat.wire.v1 import session_pb2

ONLOOKER: Final = "onlooker at "  # so begins the name of a viewer who plays nowhere
OWN_CARDS: Final = "own_cards_told"  # how many cards reached those who hold them
# Fields of public messages that hold cards, and those that hold a sealed deck.
_CARDS: Final = frozenset({"cards", "up", "shown"})
_SEALED: Final = "sealed"
FRAMES_MOST: Final = 200  # kept, for the viewers who are told the same


class Told(NamedTuple):
    """One frame that a session told one of its viewers."""

    viewer: str
    frame: bytes


class Audience(Protocol):
    """The edge of one session's process: who looks, and what each of them is told."""

    def see(self, table: Table, record: Record, found: log.Record) -> None:
        """A record was applied; `table` is what it made true."""

    def look(self, viewer: str, table: Table, seen: int) -> None:
        """The viewer looks at the table from now on; `seen` is the last version he knows, or 0."""

    def leave(self, viewer: str) -> None:
        """He looks at nothing here any more."""

    def cut(self) -> Callable[[], Sequence[Told]]:
        """All gathered since the last cut: call it, once that is durable, for what is told."""


@dataclass(slots=True)
class _Faces:
    """The cards of one hand: turned up by the rules, and each player's own."""

    hand: str
    begun: int  # version of the table
    up: set[int] = field(default_factory=set)
    own: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))


class Views:
    """What may be seen, as the log tells it, and what was told."""

    def __init__(self, witness: Witness, decks: Decks) -> None:
        self._witness = witness
        self._decks = decks
        self._hands: dict[str, list[_Faces]] = defaultdict(list)  # per table, in their order
        self._versions: dict[str, int] = {}  # of each table, what the log holds
        self._seen: dict[tuple[str, str], int] = {}  # the version each viewer was told last
        self._frames: dict[bytes, Sequence[session_pb2.Item]] = {}  # told lately to others

    def after(self, table: Table, record: Record) -> None:
        """The record stands."""
        self._versions[table.id] = table.version
        for event in record.events:
            if isinstance(event, HandStarted):
                self._hands[table.id].append(_Faces(event.hand, table.version))
            elif isinstance(event, StreetDealt | Drew):
                self._dealt(table, event)
            elif isinstance(event, HandShown | CardsShown):
                self._hands[table.id][-1].up.update(event.cards)

    def _dealt(self, table: Table, event: StreetDealt | Drew) -> None:
        hand = table.hand
        if hand is None:
            return
        faces = self._hands[table.id][-1]
        order = self._decks.open(table.id, hand).order
        if isinstance(event, StreetDealt):
            for board in event.board:
                faces.up.update(board.cards)
            for to in event.to:
                faces.up.update(to.up)
        for seat in hand.seats.values():
            faces.own[seat.player].update(order[place] for place in seat.places)

    def seen(self, viewer: str, table: str) -> int:
        """The last version of the table that this viewer was told."""
        return self._seen.get((viewer, table), 0)

    def told(self, told: Told) -> None:
        """Hold a frame to the law."""
        # What anybody may see once he may see for ever: the same bytes are judged for the first.
        items = self._frames.get(told.frame)
        is_new = items is None
        if items is None:
            items = list(session_pb2.PlayResponse.FromString(told.frame).items)
        for item in items:
            kind = item.WhichOneof("item")
            if kind == "private":
                self._private(told.viewer, item.private)
            elif kind == "change":
                self._follows(told.viewer, item.change.table, item.change.version)
                if is_new:
                    self._public(told.viewer, item.change, item.change.table, item.change.version)
            elif kind == "snapshot":
                found = item.snapshot
                self._seen[told.viewer, found.table] = found.version
                if is_new:
                    self._public(told.viewer, found, found.table, found.version)
        if is_new:
            self._keep(told.frame, items)

    def _keep(self, frame: bytes, items: Sequence[session_pb2.Item]) -> None:
        if len(self._frames) >= FRAMES_MOST:
            self._frames.clear()
        self._frames[frame] = items

    def _follows(self, viewer: str, table: str, version: int) -> None:
        before = self.seen(viewer, table)
        if version != before + 1:
            what = f"{viewer} was told {version} after {before}"
            raise LawBroken(ONE_STATE, f"{table} v{version}", what)
        self._seen[viewer, table] = version

    def _private(self, viewer: str, private: session_pb2.Private) -> None:
        faces = self._at(private.table, private.version)
        own = faces.own[viewer] if faces is not None else set()
        self._witness.reach(OWN_CARDS, len(private.cards))
        if not own.issuperset(private.cards):
            what = f"{viewer} was told cards that are not his: {list(private.cards)}"
            raise LawBroken(CARDS, f"{private.table} v{private.version}", what)

    def _public(self, viewer: str, message: Message, table: str, version: int) -> None:
        faces = self._at(table, version)
        up = faces.up if faces is not None else set()
        where = f"{table} v{version}"
        for name, cards in _cards_in(message):
            if name == _SEALED or not up.issuperset(cards):
                what = f"{viewer} was told what lies face down, as {name}"
                raise LawBroken(CARDS, where, what)

    def _at(self, table: str, version: int) -> _Faces | None:
        """The hand that was the last one begun at this version."""
        if version > self._versions.get(table, 0):
            what = "a viewer was told what the log does not hold"
            raise LawBroken(DURABLE, f"{table} v{version}", what)
        hands = self._hands[table]
        return next((faces for faces in reversed(hands) if faces.begun <= version), None)


def _cards_in(message: Message) -> Iterator[tuple[str, Sequence[int]]]:
    """Every field of this message, and of those in it, that holds cards or a sealed deck."""
    for known, value in message.ListFields():
        if known.message_type is None:
            if (known.name in _CARDS and known.is_repeated) or known.name == _SEALED:
                yield known.name, value
        elif known.is_repeated:
            for each in value:
                yield from _cards_in(each)
        else:
            yield from _cards_in(value)
