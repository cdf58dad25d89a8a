"""The story of a hand: its events as sentences, and the proof of every card that was shown.

It says what the log says and adds nothing but the names of hands. It reads no log.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from riverboat.game.hand import events as hands
from riverboat.game.hand.state import Hand
from riverboat.game.ranking import ranking, values
from riverboat.game.record import Record
from riverboat.game.rules import game
from riverboat.game.table.events import CardsShown
from riverboat.game.table.fold import BadRecord, Fit, apply, fit
from riverboat.game.table.state import Last, Table
from riverboat.log.sealing import proven
from services.cli.words import amount, game_name, pictured, shown_name

_POSTS: Final = {
    hands.Post.ANTE: "posts the ante",
    hands.Post.BIG_BLIND_ANTE: "posts the table's ante",
    hands.Post.SMALL_BLIND: "posts the small blind",
    hands.Post.BIG_BLIND: "posts the big blind",
    hands.Post.EXTRA_BLIND: "posts a live blind",
    hands.Post.DEAD_BLIND: "posts a dead blind",
    hands.Post.STRADDLE: "straddles",
    hands.Post.BUTTON_BLIND: "posts the button blind",
    hands.Post.BRING_IN: "brings in",
}
_HALVES: Final = {hands.Half.WHOLE: "", hands.Half.HIGH: " (high)", hands.Half.LOW: " (low)"}


class Narrator:
    """Folds one table's records and tells one of its hands."""

    def __init__(self, table: str, hand: str, before: Table | None = None) -> None:
        """`before` is the table before the records; without it they begin with its first."""
        self._table = before or Table(table)
        self._hand = hand
        self._story = Story()
        self.over = False  # the hand; its players may still show what they held

    @property
    def lines(self) -> list[str]:
        """What was told so far; nothing before the hand began."""
        return [*self._story.lines, self._story.proof] if self.over else self._story.lines

    def take(self, record: Record, time_ms: int) -> bool:
        """Take the table's next record; true once nothing more can come of the hand."""
        table, story = self._table, self._story
        if fit(table, record) is not Fit.NEXT:
            return False  # it lost against another, or stands twice
        before = table.hand
        try:
            apply(table, record, time_ms)
        except BadRecord:
            return False  # its writer had no say
        if record.hand != self._hand:
            return self.over and isinstance(record.events[0], hands.HandStarted)
        for event in record.events:
            if isinstance(event, hands.HandStarted):
                story.begin(event, table, time_ms)
            story.tell(event, table.hand or before or table.last)
            self.over = self.over or isinstance(event, hands.HandEnded | hands.HandVoided)
        return False


class Story:
    """One hand, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[int, str] = {}
        self._currency = ""
        self._price = 0
        self._proved = 0
        self._failed = 0
        # As of the street that is told: a record may deal several, and the hand has them all.
        self._boards: list[list[int]] = [[]]
        self._ahead = False  # more of the board is still to come
        self._waiting: list[hands.HandShown] = []  # shown before all of the board was

    def begin(self, event: hands.HandStarted, table: Table, time_ms: int) -> None:
        """The hand has begun at this table."""
        settings = table.settings
        assert settings is not None, "hands are dealt at tables that were opened"
        self._currency = settings.currency
        self._names = {dealt.seat: shown_name(dealt.player) for dealt in event.seats}
        stakes = "/".join(
            self._amount(each)
            for each in (event.stakes.small_blind, event.stakes.big_blind)
            if each
        )
        when = datetime.fromtimestamp(time_ms / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        self.lines.append(
            f"Hand {event.hand} at {settings.name}: {game_name(event)} {stakes}, "
            f"rulebook {event.rulebook}, {when}{', a bomb pot' if event.bomb else ''}"
        )
        width = max(len(name) for name in self._names.values())
        for dealt in sorted(event.seats, key=lambda one: one.seat):
            button = "  button" if dealt.seat == event.button else ""
            self.lines.append(
                f"  Seat {dealt.seat}  {self._names[dealt.seat]:{width}}  "
                f"{self._amount(dealt.stack):>10}{button}"
            )

    def tell(self, event: Any, hand: Hand | Last | None) -> None:
        """Tell one event; `hand` is the hand after its record, or what is left of it behind it."""
        teller = _TELLERS.get(type(event))
        if teller is not None:
            teller(self, event, hand)

    # --- Words.

    def _amount(self, units: int) -> str:
        return amount(units, self._currency)

    def _say(self, seat: int, what: str) -> None:
        self.lines.append(f"  {self._names.get(seat, f'seat {seat}')} {what}")

    def _prove(self, hand: Hand | Last, shown: dict[int, int], proof: bytes) -> None:
        if not shown:
            return
        if proven(hand, shown, proof):
            self._proved += len(shown)
        else:
            self._failed += len(shown)
            self.lines.append("  !! the proof of these cards does not hold")

    def _posted(self, event: hands.Posted, _hand: Hand | None) -> None:
        short = f" of {self._amount(event.due)}" if event.amount < event.due else ""
        self._say(event.seat, f"{_POSTS[event.post]} {self._amount(event.amount)}{short}")
        self._price = max(self._price, event.due)

    def _street(self, event: hands.StreetDealt, hand: Hand | None) -> None:
        if hand is None:
            return
        while len(self._boards) < len(event.board):
            self._boards.append(list(self._boards[0]))
        for board in event.board:
            self._boards[board.run] += board.cards
        boards = [pictured(board) for board in self._boards if board]
        streets = hand.game.streets
        name = streets[event.street].name
        title = f"{name.capitalize()}  {'  |  '.join(boards)}".rstrip()
        self.lines.append(f"{title}   pot {self._amount(hand.pot)}")
        if event.street:
            self._price = 0
        shown: dict[int, int] = {}
        for board in event.board:
            shown |= dict(zip(board.places, board.cards, strict=True))
        for to in event.to:
            shown |= dict(zip(to.up_places, to.up, strict=True))
            if to.up:
                self._say(to.seat, f"is dealt {pictured(to.up)}")
        self._prove(hand, shown, event.proofs)
        self._ahead = any(street.board for street in streets[event.street + 1 :])
        if not self._ahead:
            for early in self._waiting:
                self._say(early.seat, f"has {self._worth(hand, early.cards)}")
            self._waiting.clear()

    def _folded(self, event: hands.Folded, _hand: Hand | None) -> None:
        self._say(event.seat, "folds")

    def _checked(self, event: hands.Checked, _hand: Hand | None) -> None:
        self._say(event.seat, "checks")

    def _called(self, event: hands.Called, hand: Hand | None) -> None:
        self._say(event.seat, f"calls {self._amount(event.total)}{_all_in(hand, event.seat)}")

    def _raised(self, event: hands.RaisedTo, hand: Hand | None) -> None:
        verb = "raises to" if self._price else "bets"
        self._price = event.total
        self._say(event.seat, f"{verb} {self._amount(event.total)}{_all_in(hand, event.seat)}")

    def _brought_in(self, event: hands.BroughtIn, _hand: Hand | None) -> None:
        self._price = event.due
        self._say(event.seat, f"brings in for {self._amount(event.total)}")

    def _timed_out(self, event: hands.TimedOut, _hand: Hand | None) -> None:
        self._say(
            event.seat, "runs out of time" + ("" if event.connected else ", his line is lost")
        )

    def _protected(self, event: hands.PlayerProtected, hand: Hand | None) -> None:
        put = hand.seats[event.seat].put + hand.seats[event.seat].dead if hand is not None else 0
        self._say(event.seat, f"is protected: he plays on, all-in for {self._amount(put)}")

    def _runs(self, event: hands.RunsAgreed, _hand: Hand | None) -> None:
        boards = "one board" if event.runs == 1 else f"{event.runs} boards"
        self.lines.append(f"All agree to {boards}")

    def _drew(self, event: hands.Drew, _hand: Hand | None) -> None:
        count, came = len(event.thrown), len(event.places)
        verb = "draws" if came else "throws"
        self._say(event.seat, f"{verb} {count}" if count else "stands pat")

    def _split(self, event: hands.SplitChosen, _hand: Hand | None) -> None:
        self._say(event.seat, "chooses to split")

    def _no_split(self, event: hands.SplitRefused, _hand: Hand | None) -> None:
        self._say(event.seat, "wants the showdown")

    def _returned(self, event: hands.UncalledReturned, _hand: Hand | None) -> None:
        self._say(event.seat, f"takes back {self._amount(event.amount)} that nobody called")

    def _shown(self, event: hands.HandShown, hand: Hand | None) -> None:
        worth = ""
        if hand is not None:
            if self._ahead:
                self._waiting.append(event)
            else:
                worth = f" ({self._worth(hand, event.cards)})"
            places = hand.seats[event.seat].places
            self._prove(hand, dict(zip(places, event.cards, strict=True)), event.proofs)
        self._say(event.seat, f"shows {pictured(event.cards)}{worth}")

    def _worth(self, hand: Hand, cards: tuple[int, ...]) -> str:
        """What the cards are worth, on each board."""
        each = [_worth(hand, board, cards) for board in self._boards]
        if len(each) == 1:
            return each[0]
        return "; ".join(f"board {at}: {said}" for at, said in enumerate(each, 1))

    def _mucked(self, event: hands.HandMucked, _hand: Hand | None) -> None:
        self._say(event.seat, "mucks")

    def _pots(self, event: hands.PotsMade, _hand: Hand | None) -> None:
        for at, pot in enumerate(event.pots):
            rake = f", rake {self._amount(pot.rake)}" if pot.rake else ""
            self.lines.append(f"{_pot_name(at)} {self._amount(pot.amount)}{rake}")

    def _awarded(self, event: hands.PotAwarded, hand: Hand | None) -> None:
        board = f" on board {event.run + 1}" if hand is not None and len(hand.boards) > 1 else ""
        for share in event.shares:
            pot = _pot_name(event.pot).lower()
            what = f"wins {self._amount(share.amount)} of the {pot}{_HALVES[event.half]}{board}"
            self._say(share.seat, what)

    def _ended(self, event: hands.HandEnded, _hand: Hand | None) -> None:
        results = [
            f"{self._names[net.seat]} {'+' if net.amount > 0 else ''}{self._amount(net.amount)}"
            for net in event.nets
            if net.amount
        ]
        self.lines.append(f"Result  {', '.join(results) or 'nobody won or lost'}")
        self.lines.append(f"Rake    {self._amount(event.rake)}")

    def _voided(self, event: hands.HandVoided, _hand: Hand | None) -> None:
        self.lines.append(f"The hand was called off ({event.reason}): every chip went back.")

    def _extended(self, event: hands.ClockExtended, _hand: Hand | None) -> None:
        self.lines.append(f"  (after an outage the clock was set to {event.left_ms / 1_000:.0f} s)")

    def _shown_after(self, event: CardsShown, last: Last | None) -> None:
        self._say(event.seat, f"shows {pictured(event.cards)} though nobody had to see it")
        if last is not None:
            self._prove(last, dict(zip(event.places, event.cards, strict=True)), event.proofs)

    @property
    def proof(self) -> str:
        """Whether the cards shown are those that lay there from the beginning."""
        if self._failed:
            return f"NOT PROVED: {self._failed} cards are not those committed to."
        if self._proved:
            return f"Proved: all {self._proved} cards shown are those committed to before the deal."
        return "No card was shown."


def _all_in(hand: Hand | None, seat: int) -> str:
    return " and is all-in" if hand is not None and hand.seats[seat].all_in else ""


def _worth(hand: Hand, board: list[int], cards: tuple[int, ...]) -> str:
    played = game(hand.game.rulebook, hand.game.variant, hand.game.limit)
    said = []
    for name in (played.high, played.low):
        if name:
            (value,) = values(name, played.select, board, [cards])
            if value:
                said.append(ranking(name).describe(value))
    return "; ".join(said) or "nothing"


def _pot_name(at: int) -> str:
    return "Main pot" if at == 0 else f"Side pot {at}"


_TELLERS: Final[dict[type, Callable[[Story, Any, Any], None]]] = {
    hands.Posted: Story._posted,
    hands.StreetDealt: Story._street,
    hands.Folded: Story._folded,
    hands.Checked: Story._checked,
    hands.Called: Story._called,
    hands.RaisedTo: Story._raised,
    hands.BroughtIn: Story._brought_in,
    hands.TimedOut: Story._timed_out,
    hands.Drew: Story._drew,
    hands.SplitChosen: Story._split,
    hands.SplitRefused: Story._no_split,
    hands.UncalledReturned: Story._returned,
    hands.HandShown: Story._shown,
    hands.HandMucked: Story._mucked,
    hands.PotsMade: Story._pots,
    hands.PotAwarded: Story._awarded,
    hands.HandEnded: Story._ended,
    hands.HandVoided: Story._voided,
    hands.ClockExtended: Story._extended,
    hands.PlayerProtected: Story._protected,
    hands.RunsAgreed: Story._runs,
    CardsShown: Story._shown_after,
}
