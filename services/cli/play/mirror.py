"""The mirror: one table as a client sees it, from a snapshot and the changes that follow.

It knows what everybody may see, and its own player's cards and options. Nothing here asks whether a
thing was allowed, and nothing here draws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from riverboat.game.hand.events import Post
from riverboat.wire.v1 import hand_events_pb2, seats_pb2, session_pb2, table_events_pb2
from services.cli.play.place import Place
from services.cli.play.seating import TABLE_FOLDS

# What is no live bet: it goes to the middle at once.
_DEAD: Final = frozenset(map(int, (Post.ANTE, Post.BIG_BLIND_ANTE, Post.DEAD_BLIND)))


class Mirror:
    """One table."""

    def __init__(self, table: str, player: str) -> None:
        self.table = table
        self.player = player  # whose eyes these are
        self.version = 0
        self.settings = table_events_pb2.Settings()
        self.closing = False
        self.closed = False
        self.stopped = False
        self.places: dict[int, Place] = {}
        self.hand = ""  # what is being played; empty between hands
        self.button = 0
        self.street = -1  # the last that was dealt
        self.boards: list[list[int]] = [[]]
        self.pot = 0
        self.pots: list[int] = []
        self.turn = 0  # whose; 0: nobody's
        self.turn_number = 0
        self.price = 0
        self.deadline_ms = 0
        self.cards: list[int] = []  # the player's own
        self.options: session_pb2.Options | None = None
        self.game = ("", "", "")  # of the hand: rulebook, variant, limit
        self.choice: table_events_pb2.GameOffered | None = None  # of the next game, while open
        self.games: dict[int, table_events_pb2.OfferedGame] = {}  # offered last, by their places
        self.not_funded = ""
        self.amounts: dict[str, int] = {}  # money on its way, by reservation
        self.coming: table_events_pb2.Settings | None = None  # its options after this hand
        self.pause: seats_pb2.Pause | None = None  # play waits
        self.draining = False
        self.waiting = 0  # how many wait for a chair
        self.standing = seats_pb2.Standing()  # what is between the house and the player
        self.bank_from_ms = 0  # when the time bank begins to run; 0: there is none
        self.bomb = False
        self.last_hand = ""  # what was played last
        self.last_cards: list[int] = []  # the player's own in it
        self.hidden = False  # the table is shown to him no longer

    @property
    def mine(self) -> Place | None:
        """Where the player sits."""
        return next((one for one in self.places.values() if one.player == self.player), None)

    @property
    def chooses(self) -> bool:
        """Whether the player has the choice of the next game."""
        return self.choice is not None and self.choice.player == self.player

    def offer(self, choice: table_events_pb2.GameOffered) -> None:
        """The next game is to be chosen."""
        self.choice = choice
        self.games = {one.game_at: one for one in choice.games}

    def named(self, player: str) -> Place | None:
        """Where this player sits, or is about to."""
        return next((one for one in self.places.values() if one.player == player), None)

    # --- What a stream brings.

    def snapshot(self, seen: session_pb2.Snapshot) -> None:
        """Begin anew from here."""
        self.version = seen.version
        self.settings = seen.settings
        self.closing, self.closed, self.stopped = seen.closing, seen.closed, seen.stopped
        self.coming = seen.coming if seen.HasField("coming") else None
        self.pause = seen.pause if seen.HasField("pause") else None
        self.draining, self.waiting, self.hidden = seen.draining, seen.waiting, False
        self.places = {
            chair.seat: Place(
                chair.seat,
                chair.player,
                chair.held,
                chair.kept,
                chair.stack,
                chair.behind,
                chair.away,
                chair.leaving,
                chair.line_lost,
                chair.away_now,
                chair.away_at_big_blind,
            )
            for chair in seen.chairs
        }
        self._clear()
        self.button = seen.button
        self.choice = None
        if seen.HasField("choice"):
            self.offer(seen.choice)
        if seen.HasField("hand"):
            self._hand_seen(seen.hand)

    def _hand_seen(self, seen: session_pb2.HandView) -> None:
        self.hand, self.button, self.bomb = seen.hand, seen.button, seen.bomb
        self.street = seen.street
        self.game = seen.rulebook, seen.variant, seen.limit
        self.boards = [list(board.cards) for board in seen.boards] or [[]]
        self.pots = [pot.amount for pot in seen.pots]
        for hold in seen.seats:
            place = self.places.setdefault(hold.seat, Place(hold.seat, hold.player))
            place.dealt = True
            place.stack, place.bet, place.folded = hold.stack, hold.bet, hold.folded
            place.count, place.up, place.shown = hold.cards, list(hold.up), list(hold.shown)
            place.mucked, place.aside, place.over = hold.mucked, hold.kept, hold.over
        self._turn(seen.turn)

    def change(self, change: session_pb2.Change) -> None:
        """Take the next record."""
        self.version = change.version
        if self.hand and not change.hand:
            self.hand = ""
        for event in change.events:
            kind = event.WhichOneof("event")
            fold = _FOLDS.get(kind) if kind is not None else None
            if fold is not None and kind is not None:
                fold(self, getattr(event, kind))
        if change.HasField("turn"):
            self._turn(change.turn)
        else:
            self.turn = 0
        if self.turn == 0 or (self.mine is not None and self.turn != self.mine.seat):
            self.options = None

    def hide(self) -> None:
        """The table is shown no longer, and what was seen of it before is not what is there."""
        self._clear()
        self.hidden = True
        self.version = 0  # whoever may look again begins anew
        self.places = {}

    def private(self, seen: session_pb2.Private) -> None:
        """Take what only this player may see."""
        self.cards = list(seen.cards)
        self.standing = seen.standing
        mine = self.mine
        if mine is not None:
            # What he wants is told him alone, and before it is so.
            mine.away, mine.away_now = seen.standing.sits_out, seen.standing.sits_out_now
            mine.at_big_blind = seen.standing.sits_out_at_big_blind
            mine.leaving = seen.standing.leaves
        self.options = seen.options if seen.HasField("options") else None
        self.not_funded = seen.not_funded

    def _turn(self, turn: session_pb2.Turn) -> None:
        self.turn, self.turn_number = turn.seat, turn.number
        self.price, self.deadline_ms, self.pot = turn.price, turn.deadline_ms, turn.pot
        self.bank_from_ms = turn.bank_from_ms

    # --- Folds.

    def _clear(self) -> None:
        self.hand, self.boards, self.pots, self.pot, self.street = "", [[]], [], 0, -1
        self.turn, self.price, self.options, self.cards = 0, 0, None, []
        for place in self.places.values():
            place.dealt = place.folded = place.mucked = False
            place.bet = place.count = place.won = place.aside = place.over = 0
            place.up, place.shown, place.did = [], [], ""

    def _started(self, event: hand_events_pb2.HandStarted) -> None:
        self._clear()
        self.hand, self.button, self.bomb = event.hand, event.button, event.bomb
        self.game = event.rulebook, event.variant, event.limit
        for dealt in event.seats:
            place = self.places.setdefault(dealt.seat, Place(dealt.seat, dealt.player))
            place.over = max(0, place.stack + place.behind - dealt.stack)
            place.dealt, place.stack, place.behind = True, dealt.stack, 0

    def _posted(self, event: hand_events_pb2.Posted) -> None:
        place = self.places[event.seat]
        place.stack -= event.amount
        if int(event.post) not in _DEAD:
            place.bet += event.amount
        place.did = "posts"

    def _street(self, event: hand_events_pb2.StreetDealt) -> None:
        self.street = event.street
        for place in self.places.values():
            if event.street:
                place.bet, place.did = 0, ""
        for to in event.to:
            place = self.places[to.seat]
            place.count += len(to.down) + len(to.up)
            place.up += to.up
        known = self.boards[0]
        while len(self.boards) < len(event.board):
            self.boards.append(list(known))  # a further run shares what lay before
        for board in event.board:
            self.boards[board.run] += board.cards

    def _folded(self, event: hand_events_pb2.Folded) -> None:
        place = self.places[event.seat]
        place.folded, place.did = True, "folds"

    def _checked(self, event: hand_events_pb2.Checked) -> None:
        self.places[event.seat].did = "checks"

    def _total(self, seat: int, total: int, did: str) -> None:
        place = self.places[seat]
        place.stack -= total - place.bet
        place.bet = total
        place.did = did if place.stack else "all-in"

    def _called(self, event: hand_events_pb2.Called) -> None:
        self._total(event.seat, event.total, "calls")

    def _raised(self, event: hand_events_pb2.RaisedTo) -> None:
        self._total(event.seat, event.total, "raises" if self.price else "bets")

    def _brought_in(self, event: hand_events_pb2.BroughtIn) -> None:
        self._total(event.seat, event.total, "brings in")

    def _timed_out(self, event: hand_events_pb2.TimedOut) -> None:
        self.places[event.seat].did = "out of time"

    def _drew(self, event: hand_events_pb2.Drew) -> None:
        count = len(event.thrown)
        verb = "draws" if event.places else "throws"
        place = self.places[event.seat]
        place.count += len(event.places) - count
        place.did = f"{verb} {count}" if count else "pat"

    def _returned(self, event: hand_events_pb2.UncalledReturned) -> None:
        place = self.places[event.seat]
        if place.aside:
            place.aside += event.amount
        else:
            place.stack += event.amount
        place.bet = max(0, place.bet - event.amount)

    def _round_closed(self, _event: Any) -> None:
        for place in self.places.values():
            place.bet = 0

    def _pots_made(self, event: hand_events_pb2.PotsMade) -> None:
        self.pots = [pot.amount for pot in event.pots]
        for place in self.places.values():
            place.bet = 0

    def _shown(self, event: hand_events_pb2.HandShown) -> None:
        self.places[event.seat].shown = list(event.cards)

    def _mucked(self, event: hand_events_pb2.HandMucked) -> None:
        self.places[event.seat].mucked = True

    def _awarded(self, event: hand_events_pb2.PotAwarded) -> None:
        for share in event.shares:
            place = self.places[share.seat]
            place.stack += share.amount
            place.won += share.amount

    def _protected(self, event: hand_events_pb2.PlayerProtected) -> None:
        place = self.places[event.seat]
        place.aside, place.stack, place.did = place.stack, 0, "protected"

    def _ended(self, event: hand_events_pb2.HandEnded) -> None:
        self.hand, self.options = "", None
        self.last_hand, self.last_cards = event.hand, self.cards
        for place in self.places.values():
            place.stack += place.aside + place.over
            place.aside = place.over = 0

    def _voided(self, _event: hand_events_pb2.HandVoided) -> None:
        self._clear()


_FOLDS: Final[dict[str, Callable[[Mirror, Any], None]]] = {
    "hand_started": Mirror._started,
    "posted": Mirror._posted,
    "street_dealt": Mirror._street,
    "folded": Mirror._folded,
    "checked": Mirror._checked,
    "called": Mirror._called,
    "raised_to": Mirror._raised,
    "brought_in": Mirror._brought_in,
    "timed_out": Mirror._timed_out,
    "drew": Mirror._drew,
    "uncalled_returned": Mirror._returned,
    "round_closed": Mirror._round_closed,
    "pots_made": Mirror._pots_made,
    "hand_shown": Mirror._shown,
    "hand_mucked": Mirror._mucked,
    "pot_awarded": Mirror._awarded,
    "player_protected": Mirror._protected,
    "hand_ended": Mirror._ended,
    "hand_voided": Mirror._voided,
    **TABLE_FOLDS,
}
