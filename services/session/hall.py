"""The hall: who looks at which table, and what each of them is told.

It follows the tables that this process folds. What a record shows to everybody is encoded once and
shared; a player's own part goes to his streams alone. Nothing is told before it is safe in the log,
and all is told in the log's order. The hall decides nothing and writes nothing.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from riverboat.game.hand.events import Drew, PlayerProtected, StreetDealt
from riverboat.game.hand.state import NOBODY
from riverboat.game.record import Record
from riverboat.game.table import events as tables
from riverboat.game.table.given import Decks
from riverboat.game.table.state import Table
from riverboat.game.table.wishes import away
from riverboat.log import log
from riverboat.runtime.clock import Clock
from riverboat.runtime.errors import Fault
from riverboat.runtime.observe import Metrics
from riverboat.wire.v1.chat_pb2 import Said
from riverboat.wire.v1.seats_pb2 import PreActRequest
from services.session import frames, views
from services.session.desk import Desk, Pending
from services.session.listing import Listing
from services.session.onlookers import (
    NO_PLAYER,
    OPEN,
    View,
    begin,
    is_inside,
    show,
    view_of,
)
from services.session.own import Own
from services.session.preacts import PreActs
from services.session.stream import Stream
from services.session.watched import Watched

# A table that nobody looks at any more is kept at hand for this long.
LINGER_MS: Final = 60_000

Seated = Callable[[Table, str], None]
_Step = Callable[[], None]


class Hall:
    """All viewers of one process. A follower and an edge of its node."""

    def __init__(self, desk: Desk, decks: Decks, clock: Clock, metrics: Metrics) -> None:
        self.seated: Seated | None = None  # told when a player with a stream here gets a seat
        self.line_lost: Seated | None = None  # told when one lost his line by the gateway's fault
        self.gone: Callable[[Stream, int, str], None] | None = None  # told whom the hall let go
        self.wake: _Step = _nothing  # asks the node to tell soon
        self.listing = Listing(clock)
        self.preacts = PreActs(desk.ask)
        self._own = Own(decks, self.preacts)
        self._desk = desk
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
        self.listing.see(table)
        pending = None
        if record.answers is not None and record.answers.player:
            pending = self._desk.heard(table, record)
            if pending is not None:
                self._gathered.append(partial(self._desk.settle, pending, record))
        watched = self._watched.get(table.id)
        if watched is None:
            return
        assert found.value is not None, "the hand log has no tombstones"
        before, watched.away = watched.away, away(table)
        frame = frames.change(table, record, found.value, before, watched.away)
        watched.changes.append((table.version, frame))
        privates = self._privates(table, record, watched)
        view = view_of(table, record, watched, self._clock)
        self._gathered.append(partial(self._deliver, watched, frame, privates, pending, view))

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
        view: View,
    ) -> None:
        for stream in watched.viewers:
            stream.push(frame)
        if view is not OPEN:
            self._let_go(view, show(watched, view, frame))
        for player, seen in privates.items():
            for stream, index in watched.players.get(player, {}).items():
                stream.push(frames.private(index, seen))
        if pending is not None and watched.viewers:
            self._metrics.to_watcher.took(time.perf_counter() - pending.began)

    def _let_go(self, view: View, hidden: list[tuple[Stream, int]]) -> None:
        """They may look here no longer."""
        for stream, index in hidden:
            if index in stream.tables.get(view.table, ()):
                self.unfollow(stream, index, view.table)
                if view.table not in stream.tables:
                    stream.push(frames.hidden(view.table))
                if self.gone is not None:
                    self.gone(stream, index, view.table)

    def _privates(self, table: Table, record: Record, watched: Watched) -> dict[str, bytes]:
        """What this record makes known to single players who have a stream here."""
        due: dict[str, str] = {}  # player: why his reservation failed
        hand = table.hand
        if hand is not None and watched.turn != (turn := (hand.id, hand.turn_number)):
            watched.turn = turn
            if hand.turn != NOBODY:
                player = hand.seats[hand.turn].player
                due[player] = ""
                if player in watched.interest:
                    self.preacts.turned(table, player)
        for event in record.events:
            look = _LOOKS.get(type(event))
            if look is not None:
                look(self, table, watched, event, due)
        return {
            player: self._own.part(table, watched, player, why)
            for player, why in due.items()
            if player in watched.interest
        }

    def _cards_dealt(
        self, table: Table, _watched: Watched, event: Any, due: dict[str, str]
    ) -> None:
        hand = table.hand
        if hand is None:
            return
        for seat in _given(event):
            due.setdefault(hand.seats[seat].player, "")

    def _seat_held(
        self, _table: Table, watched: Watched, event: tables.SeatReserved, due: dict[str, str]
    ) -> None:
        watched.held[event.reservation] = event.player
        due.setdefault(event.player, "")

    def _seat_taken(
        self, table: Table, watched: Watched, event: tables.PlayerSeated, due: dict[str, str]
    ) -> None:
        player = watched.held.pop(event.reservation, "")
        due.setdefault(player, "")
        if player in watched.interest and self.seated is not None:
            self.seated(table, player)

    def _seat_failed(
        self, _table: Table, watched: Watched, event: tables.ReservationFailed, due: dict[str, str]
    ) -> None:
        player = watched.held.pop(event.reservation, "")
        if player:
            due[player] = event.reason

    def _money_over(
        self,
        _table: Table,
        watched: Watched,
        event: tables.ToppedUp | tables.BuyInReturned,
        _due: dict[str, str],
    ) -> None:
        watched.held.pop(event.reservation, None)

    def _list_moved(
        self,
        table: Table,
        watched: Watched,
        event: tables.ListJoined | tables.ListLeft,
        due: dict[str, str],
    ) -> None:
        # Who stands before the one who came or went stands where he stood.
        before, watched.places = watched.places, views.places(table)
        due.setdefault(event.player, "")
        for player, place in watched.places.items():
            if before.get(player) != place:
                due.setdefault(player, "")

    def _his_own(self, _table: Table, _watched: Watched, event: Any, due: dict[str, str]) -> None:
        due.setdefault(event.player, "")

    def _line_gone(
        self, table: Table, watched: Watched, event: tables.LineLost, _due: dict[str, str]
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
        known = bool(following) and index not in following
        player = "" if index == NO_PLAYER else stream.players[index].id
        view = view_of(table, None, watched, self._clock)
        # Who joined a stream that sees the table later may be one who sees it at once.
        again = known and view is not OPEN and player in view.seated
        missed = [frames.snapshot(table)] if again else []
        if not known:
            missed = watched.since(table, seen)
        own = self._own.part(table, watched, player) if player else None
        if index not in following:
            following.add(index)
            watched.interest.setdefault(player, {})[stream] = None
        # Told after all that was gathered before it, so the client misses nothing and sees nothing
        # twice, and only when what it is told is safe.
        attach = partial(self._attach, watched, stream, index, missed, own, (known, seen), view)
        self._gathered.append(attach)
        self.wake()

    def _attach(
        self,
        watched: Watched,
        stream: Stream,
        index: int,
        missed: list[bytes],
        own: bytes | None,
        knows: tuple[bool, int],
        view: View,
    ) -> None:
        table = watched.table
        if stream.closed or index not in stream.tables.get(table, ()):
            return  # gone again before it was told anything
        if not is_inside(view, stream, index):
            self._let_go(view, [(stream, index)])
            return
        if not begin(watched, view, stream, index, *knows):
            if not (knows[0] and stream in watched.viewers):
                for frame in missed:
                    stream.push(frame)
            watched.viewers[stream] = None
        if own is not None:
            watched.players.setdefault(stream.players[index].id, {})[stream] = index
            stream.push(frames.private(index, own))

    def keep(self, table: Table, player: str, request: PreActRequest) -> Fault | None:
        """Keep this for the player's next turn, and let him see that; or why not."""
        fault = self.preacts.keep(table, player, request)
        watched = self._watched[table.id]
        own = self._own.part(table, watched, player)
        self._gathered.append(partial(_tell_player, watched, player, own))
        self.wake()
        return fault

    def hear(self, table: Table, line: Said) -> None:
        """Somebody said something there: whoever looks is told it, when he sees the table."""
        watched, settings = self._watched.get(table.id), table.settings
        if watched is None or settings is None:
            return
        frame = frames.said(line)
        for stream in watched.viewers:
            if line.player not in stream.deaf:
                stream.push(frame)
        if watched.later is not None:
            due_ms = self._clock.now_ms() + settings.view_delay_ms
            watched.later.say(due_ms, frame, line.player)

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
        if player not in watched.interest:
            self.preacts.forget(table, player)
        if not following:
            del stream.tables[table]
            watched.viewers.pop(stream, None)
            if watched.later is not None:
                watched.later.viewers.pop(stream, None)
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
            elif watched.later is not None:
                watched.later.tick(now_ms)

    def _count(self) -> int:
        return sum(len(watched.streams()) for watched in list(self._watched.values()))


def _tell_player(watched: Watched, player: str, own: bytes) -> None:
    for stream, index in watched.players.get(player, {}).items():
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
    tables.SeatReserved: Hall._seat_held,
    tables.PlayerSeated: Hall._seat_taken,
    tables.ReservationFailed: Hall._seat_failed,
    tables.ListJoined: Hall._list_moved,
    tables.ListLeft: Hall._list_moved,
    tables.SeatHeld: Hall._his_own,
    tables.SeatReleased: Hall._his_own,
    tables.PreferencesSet: Hall._his_own,
    tables.SatOut: Hall._his_own,
    tables.SatIn: Hall._his_own,
    tables.SitOutNoted: Hall._his_own,
    tables.LeaveNoted: Hall._his_own,
    PlayerProtected: Hall._his_own,
    tables.ToppedUp: Hall._money_over,
    tables.LineLost: Hall._line_gone,
    tables.BuyInReturned: Hall._money_over,
}
