"""The hall: who looks at which table, and what each of them is told.

It follows the tables that this process folds. What a record shows to everybody is encoded once and
shared; a player's own part goes to his streams alone. Nothing is told before it is safe in the log,
and all is told in the log's order. The hall decides nothing and writes nothing.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from riverboat.game.hand.events import Drew, StreetDealt
from riverboat.game.hand.sight import own_cards
from riverboat.game.hand.state import NOBODY, Hand, Seat
from riverboat.game.record import Record
from riverboat.game.table.events import (
    BuyInReturned,
    LineLost,
    PlayerSeated,
    ReservationFailed,
    SeatReserved,
    ToppedUp,
)
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.log import log
from riverboat.log.deck_keys import KeyGone
from riverboat.log.sealing import BadDeck
from riverboat.runtime.clock import Clock
from riverboat.runtime.logs import facts
from riverboat.runtime.observe import Metrics
from services.session import frames, views
from services.session.desk import Desk, Pending
from services.session.stream import Stream

logger = logging.getLogger(__name__)

# Changes kept at hand for clients that come back: about two hands.
KEPT: Final = 64
# A table that nobody looks at any more is kept at hand for this long.
LINGER_MS: Final = 60_000

NO_PLAYER: Final = -1  # the index of a viewer who plays for nobody
Seated = Callable[[Table, str], None]
_Step = Callable[[], None]


class Watched:
    """One table that somebody looks at."""

    __slots__ = ("cards", "changes", "empty_ms", "held", "interest", "players", "turn", "viewers")

    def __init__(self, table: Table) -> None:
        self.changes: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self.viewers: dict[Stream, None] = {}  # streams told of each change
        self.players: dict[str, dict[Stream, int]] = {}  # streams of a player, with his index there
        # The streams that follow for a player, or for nobody (""), those among them that are not
        # told yet too: for these players private parts are made.
        self.interest: dict[str, dict[Stream, None]] = {}
        self.held = {one.id: one.player for one in table.reservations.values()}
        self.turn = (table.hand.id, table.hand.turn_number) if table.hand is not None else ("", 0)
        # By seat: the hand and the places of its own cards, and the cards that they are.
        self.cards: dict[int, tuple[tuple[str, tuple[int, ...]], tuple[int, ...]]] = {}
        self.empty_ms = 0  # since when nobody looks


class Hall:
    """All viewers of one process. A follower and an edge of its node."""

    def __init__(self, desk: Desk, decks: Decks, clock: Clock, metrics: Metrics) -> None:
        self.seated: Seated | None = None  # told when a player with a stream here gets a seat
        self.line_lost: Seated | None = None  # told when one lost his line by the gateway's fault
        self.wake: _Step = _nothing  # asks the node to tell soon
        self._desk = desk
        self._decks = decks
        self._clock = clock
        self._metrics = metrics
        self._watched: dict[str, Watched] = {}
        self._gathered: list[_Step] = []
        self._cuts: deque[tuple[int, list[_Step]]] = deque()
        self._cut = 0
        metrics.watchers.read = self._count

    # What happens at the tables.

    def see(self, table: Table, record: Record, found: log.Record) -> None:
        """Take one applied record; `table` is what it made true."""
        pending = None
        if record.answers is not None and record.answers.player:
            pending = self._desk.heard(table, record)
            if pending is not None:
                self._gathered.append(partial(self._desk.settle, pending, record))
        watched = self._watched.get(table.id)
        if watched is None:
            return
        assert found.value is not None, "the hand log has no tombstones"
        frame = frames.change(table, record, found.value)
        watched.changes.append((table.version, frame))
        privates = self._privates(table, record, watched)
        self._gathered.append(partial(self._deliver, watched, frame, privates, pending))

    def cut(self) -> _Step:
        """All that was gathered since the last cut: call it once that is durable."""
        if not self._gathered:
            return _nothing
        self._cut += 1
        self._cuts.append((self._cut, self._gathered))
        self._gathered = []
        return partial(self._release, self._cut)

    def _release(self, cut: int) -> None:
        # What is durable makes all before it durable, in whatever order that is learned.
        while self._cuts and self._cuts[0][0] <= cut:
            for step in self._cuts.popleft()[1]:
                step()

    def _deliver(
        self,
        watched: Watched,
        frame: bytes,
        privates: Mapping[str, bytes],
        pending: Pending | None,
    ) -> None:
        for stream in watched.viewers:
            stream.push(frame)
        for player, seen in privates.items():
            for stream, index in watched.players.get(player, {}).items():
                stream.push(frames.private(index, seen))
        if pending is not None and watched.viewers:
            self._metrics.to_watcher.took(time.perf_counter() - pending.began)

    def _privates(self, table: Table, record: Record, watched: Watched) -> dict[str, bytes]:
        """What this record makes known to single players who have a stream here."""
        due: dict[str, str] = {}  # player: why his reservation failed
        hand = table.hand
        if hand is not None and watched.turn != (turn := (hand.id, hand.turn_number)):
            watched.turn = turn
            if hand.turn != NOBODY:
                due[hand.seats[hand.turn].player] = ""
        for event in record.events:
            look = _LOOKS.get(type(event))
            if look is not None:
                look(self, table, watched, event, due)
        return {
            player: self._private(table, watched, player, why)
            for player, why in due.items()
            if player in watched.interest
        }

    def _private(self, table: Table, watched: Watched, player: str, not_funded: str = "") -> bytes:
        hand = table.hand
        seat = None if hand is None else views.seat_of(hand, player)
        cards: tuple[int, ...] = ()
        if hand is not None and seat is not None and seat.places:
            cards = self._cards(table, hand, watched, seat)
        return views.private(table, player, seat, cards, not_funded).SerializeToString()

    def _cards(self, table: Table, hand: Hand, watched: Watched, seat: Seat) -> tuple[int, ...]:
        """The seat's own cards, looked up once for each time that it gets some."""
        # The same places are other cards in the next hand, and maybe another player's.
        held = hand.id, seat.places
        known = watched.cards.get(seat.seat)
        if known is not None and known[0] == held:
            return known[1]
        try:
            cards = own_cards(hand, seat.seat, self._decks.open(table.id, hand))
        except (KeyGone, BadDeck):
            logger.exception("a deck does not open", extra=facts(table=table.id, hand=hand.id))
            return ()
        watched.cards[seat.seat] = held, cards
        return cards

    def _cards_dealt(
        self, table: Table, _watched: Watched, event: Any, due: dict[str, str]
    ) -> None:
        hand = table.hand
        if hand is None:
            return
        for seat in _given(event):
            due.setdefault(hand.seats[seat].player, "")

    def _seat_held(
        self, _table: Table, watched: Watched, event: SeatReserved, _due: dict[str, str]
    ) -> None:
        watched.held[event.reservation] = event.player

    def _seat_taken(
        self, table: Table, watched: Watched, event: PlayerSeated, _due: dict[str, str]
    ) -> None:
        player = watched.held.pop(event.reservation, "")
        if player in watched.interest and self.seated is not None:
            self.seated(table, player)

    def _seat_failed(
        self, _table: Table, watched: Watched, event: ReservationFailed, due: dict[str, str]
    ) -> None:
        player = watched.held.pop(event.reservation, "")
        if player:
            due[player] = event.reason

    def _money_over(
        self,
        _table: Table,
        watched: Watched,
        event: ToppedUp | BuyInReturned,
        _due: dict[str, str],
    ) -> None:
        watched.held.pop(event.reservation, None)

    def _line_gone(
        self, table: Table, watched: Watched, event: LineLost, _due: dict[str, str]
    ) -> None:
        if event.gateway and event.player in watched.interest and self.line_lost is not None:
            self.line_lost(table, event.player)

    # Who looks.

    def follow(self, stream: Stream, index: int, table: Table, seen: int) -> None:
        """Tell this stream of the table from now on; of `index`'s own part too, if it is a player.

        `seen` is the last version that the client knows, or 0. A stream that follows the table
        already, for another player, is only told the private part.
        """
        watched = self._watched.get(table.id)
        if watched is None:
            watched = self._watched[table.id] = Watched(table)
        following = stream.tables.setdefault(table.id, set())
        known = following and index not in following
        missed = [] if known else self._since(watched, table, seen)
        player = "" if index == NO_PLAYER else stream.players[index].id
        own = self._private(table, watched, player) if player else None
        if index not in following:
            following.add(index)
            watched.interest.setdefault(player, {})[stream] = None
        # Told after all that was gathered before it, so the client misses nothing and sees nothing
        # twice, and only when what it is told is safe.
        self._gathered.append(partial(_attach, watched, stream, index, table.id, missed, own))
        self.wake()

    def after(self, step: _Step) -> None:
        """Do this after all that was gathered so far was told."""
        self._gathered.append(step)
        self.wake()

    def unfollow(self, stream: Stream, index: int, table: str) -> None:
        """Tell this stream of the table no longer, as far as it is for this player."""
        following = stream.tables.get(table, set())
        if index not in following:
            return
        following.discard(index)
        watched = self._watched[table]
        player = "" if index == NO_PLAYER else stream.players[index].id
        del watched.interest[player][stream]
        if not watched.interest[player]:
            del watched.interest[player]
        streams = watched.players.get(player, {})
        if streams.get(stream) == index:
            del streams[stream]
            if not streams:
                del watched.players[player]
        if not following:
            del stream.tables[table]
            watched.viewers.pop(stream, None)
        if not watched.interest:
            watched.empty_ms = self._clock.now_ms()

    def close(self, stream: Stream) -> None:
        """Forget this stream."""
        stream.end()
        for table in list(stream.tables):
            for index in list(stream.tables[table]):
                self.unfollow(stream, index, table)

    def streams_of(self, table: str, player: str) -> list[Stream]:
        """The streams of this player that follow the table, the newest last."""
        watched = self._watched.get(table)
        return [] if watched is None else list(watched.interest.get(player, ()))

    def played_at(self) -> list[str]:
        """The tables at which somebody looks on for a player: where lines may stand."""
        return [name for name, watched in self._watched.items() if watched.interest.keys() - {""}]

    def tick(self) -> None:
        """Let go of tables that nobody has looked at for a while; call it now and then."""
        now_ms = self._clock.now_ms()
        for table, watched in list(self._watched.items()):
            if not watched.interest and now_ms - watched.empty_ms >= LINGER_MS:
                del self._watched[table]

    def _since(self, watched: Watched, table: Table, seen: int) -> list[bytes]:
        """What brings a client that knows version `seen` up to now."""
        if seen == table.version:
            return []
        changes = watched.changes
        if 0 < seen < table.version and changes and changes[0][0] <= seen + 1:
            return [frame for version, frame in changes if version > seen]
        return [frames.snapshot(table)]

    def _count(self) -> int:
        return sum(len(watched.viewers) for watched in list(self._watched.values()))


def _attach(
    watched: Watched,
    stream: Stream,
    index: int,
    table: str,
    missed: list[bytes],
    own: bytes | None,
) -> None:
    if stream.closed or index not in stream.tables.get(table, ()):
        return  # gone again before it was told anything
    for frame in missed:
        stream.push(frame)
    watched.viewers[stream] = None
    if own is not None:
        watched.players.setdefault(stream.players[index].id, {})[stream] = index
        stream.push(frames.private(index, own))


def _given(event: StreetDealt | Drew) -> list[int]:
    """The seats that were dealt cards."""
    if isinstance(event, Drew):
        return [event.seat]
    return [to.seat for to in event.to if to.down or to.up]


def _nothing() -> None:
    """There is nothing to do."""


_LOOKS: Final[dict[type, Callable[[Hall, Table, Watched, Any, dict[str, str]], None]]] = {
    StreetDealt: Hall._cards_dealt,
    Drew: Hall._cards_dealt,
    SeatReserved: Hall._seat_held,
    PlayerSeated: Hall._seat_taken,
    ReservationFailed: Hall._seat_failed,
    ToppedUp: Hall._money_over,
    LineLost: Hall._line_gone,
    BuyInReturned: Hall._money_over,
}
