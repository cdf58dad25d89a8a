"""A hand in play for tests: the same decisions and folds that the services run, one by one.

Nothing here knows a rule; a test says who does what, and looks at the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from riverboat.game import rules
from riverboat.game.cards import DECKS
from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import act, closing, leave, protect, time_out
from riverboat.game.hand.deal import deal, draw, first_street, stand_pat, time_out_draw
from riverboat.game.hand.events import (
    DealtIn,
    HandEnded,
    HandEvent,
    HandStarted,
    PotAwarded,
    Stakes,
)
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.forced import Debt, forced_posts
from riverboat.game.hand.judge import judge
from riverboat.game.hand.options import Options, options
from riverboat.game.hand.state import NOBODY, Baton, Phase
from riverboat.game.refusals import Refusal

Kind = TypeVar("Kind", bound=HandEvent)


class Stub(NamedTuple):
    """A reshuffled stub that a test looks into."""

    sealed: bytes
    key: str
    root: bytes
    order: tuple[int, ...]


def no_proof(places: Sequence[int]) -> bytes:
    """A deck without a commitment."""
    return b""


def dealt_places(order: Sequence[int], holes: Mapping[int, Sequence[int]], deck: str) -> list[int]:
    """A deck that gives `order`'s seats the cards of `holes`, one at a time, then the rest."""
    many = max((len(hole) for hole in holes.values()), default=0)
    known = {card for hole in holes.values() for card in hole}
    rest = [card for card in DECKS[deck] if card not in known]
    cards = []
    for at in range(many):
        for seat in order:
            hole = holes.get(seat, ())
            cards.append(hole[at] if at < len(hole) else rest.pop())
    return cards + rest


class Dealt:
    """One hand from its start, with everything that happened."""

    def __init__(
        self,
        game: tuple[str, str, str],
        stacks: Mapping[int, int],  # in dealing order
        stakes: Stakes,
        deck: Sequence[int],
        button: int = 0,
        blinds: tuple[int, int] = (0, 0),  # their seats
        debts: Mapping[int, Debt] | None = None,
        runs: int = 1,
    ) -> None:
        rulebook, variant, limit = game
        self.game = rules.game(rulebook, variant, limit)
        self.decks = [list(deck)]
        self.stir: Callable[[Sequence[int]], Sequence[int]] = list  # the order of a new stub
        dealt = tuple(DealtIn(seat, f"p{seat}", f"s{seat}", stacks[seat]) for seat in stacks)
        self.started = HandStarted(
            hand="1.0-1",
            number=1,
            rulebook=rulebook,
            rules_version=1,
            rules_digest=self.game.digest,
            variant=variant,
            limit=limit,
            stakes=stakes,
            button=button,
            seats=dealt,
            runs=runs,
            turn_ms=20_000,
            raked=False,
            sealed=b"",
            key="",
            root=b"",
            state_hash=b"",
            small_blind=blinds[0],
            big_blind=blinds[1],
        )
        self.now_ms = 1_000
        self.chips = sum(stacks.values())
        self.hand = start(self.started, self.now_ms)
        self.events: list[HandEvent] = []
        self.record(
            [
                *forced_posts(self.game, stakes, dealt, button, *blinds, debts or {}),
                first_street(self.game, tuple(stacks), self.deck, no_proof),
            ]
        )

    @property
    def deck(self) -> list[int]:
        """Every order so far, one behind the other."""
        return [card for deck in self.decks for card in deck]

    @property
    def offered(self) -> Options:
        """The options of the seat on turn, which there must be."""
        offered = options(self.hand)
        assert offered is not None
        return offered

    def record(self, events: Sequence[HandEvent]) -> None:
        """Fold the events of one decision, and hold the books at each."""
        for event in events:
            self.now_ms += 1
            evolve(self.hand, event, self.now_ms)
            self.events.append(event)
            self.hold_the_books(event)

    def hold_the_books(self, event: HandEvent) -> None:
        """Chips are conserved, and the counts are what they count."""
        hand = self.hand
        seats = list(hand.seats.values())
        stacks = sum(seat.stack + seat.kept for seat in seats)
        if isinstance(event, HandEnded):
            assert stacks == self.chips - event.rake
            return
        assert stacks + hand.pot == self.chips
        assert all(seat.stack >= 0 and seat.bet >= 0 for seat in seats)
        assert hand.live == sum(not seat.folded for seat in seats)
        if hand.phase is not Phase.SHOW:
            assert hand.pot == sum(seat.put + seat.dead for seat in seats)
            assert hand.moneyed == sum(seat.stack > 0 and not seat.folded for seat in seats)
            assert hand.waiting == sum(seat.to_act for seat in seats)

    def the_act(
        self, action: Action, total: int = 0, throw: Sequence[int] = (), turn: int | None = None
    ) -> Act:
        """The act for the turn as it is."""
        number = self.hand.turn_number if turn is None else turn
        return Act(self.hand.id, number, self.hand.price, action, total, tuple(throw))

    def tries(self, command: Act, seat: int | None = None) -> list[HandEvent] | Refusal:
        """What the act would make true; nothing changes."""
        player = f"p{self.hand.turn if seat is None else seat}"
        if self.hand.phase is Phase.DRAW:
            return draw(self.hand, player, command, lambda: self.deck, self._reshuffle)
        return act(self.hand, player, command)

    def does(self, seat: int, action: Action, total: int = 0, throw: Sequence[int] = ()) -> None:
        """The seat acts, and it is its turn."""
        assert self.hand.turn == seat, f"seat {self.hand.turn} is on turn, not {seat}"
        before = len(self.decks)
        outcome = self.tries(self.the_act(action, total, throw))
        assert isinstance(outcome, list), outcome
        assert len(self.decks) <= before + 1
        self.record(outcome)

    def _reshuffle(self, cards: Sequence[int]) -> Stub:
        order = self.stir(cards)
        self.decks.append(list(order))
        return Stub(b"", "", b"", tuple(order))

    def times_out(self, connected: bool = True) -> None:
        """The clock of the seat on turn runs out."""
        hand = self.hand
        drawing = hand.phase is Phase.DRAW
        self.record(time_out_draw(hand, connected) if drawing else time_out(hand, connected))

    def loses_line(self) -> None:
        """The clock of the seat on turn runs out, and its player is not there."""
        assert self.hand.phase is not Phase.DRAW
        self.record(protect(self.hand))

    def stands_pat(self) -> None:
        """The seat that draws is protected: the dealer goes on without asking it."""
        assert self.hand.seats[self.hand.turn].protected
        self.record([stand_pat(self.hand)])

    def leaves(self, seat: int) -> None:
        """The player on turn has left the table."""
        assert self.hand.turn == seat
        self.record(leave(self.hand))

    def deals(self) -> None:
        """The dealer's next decision."""
        assert self.hand.baton is Baton.DEALER
        assert self.hand.turn == NOBODY
        self.record(deal(self.hand, self.deck, no_proof))

    def closes(self) -> list[HandEvent]:
        """What would close the round as it stands."""
        return closing(self.hand)

    def ends(self) -> None:
        """The showdown judges."""
        assert self.hand.baton is Baton.SHOWDOWN
        deck = self.deck
        live = [seat for seat in self.hand.seats.values() if not seat.folded]
        self.record(judge(self.hand, {s.seat: [deck[p] for p in s.places] for s in live}))

    def to_the_end(self) -> None:
        """Deal what is left without a player's decision, and judge."""
        while self.hand.phase is Phase.DEAL:
            self.deals()
        self.ends()

    def happened(self, kind: type[Kind]) -> list[Kind]:
        """All events of that kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def won(self) -> dict[int, int]:
        """What each seat got from the pots."""
        won: Counter[int] = Counter()
        for event in self.happened(PotAwarded):
            for share in event.shares:
                won[share.seat] += share.amount
        return {seat: amount for seat, amount in won.items() if amount}


def a_hand(
    limit: str = "nl",
    stacks: tuple[int, ...] = (500, 500, 500),
    rulebook: str = "standard",
    variant: str = "holdem",
    **stakes: Any,
) -> Dealt:
    """Seats from 1, the button the last: 5 and 10, or what `stakes` says."""
    many = len(stacks)
    return Dealt(
        (rulebook, variant, limit),
        dict(enumerate(stacks, 1)),
        Stakes(**{"small_blind": 5, "big_blind": 10, **stakes}),
        DECKS["7-A" if variant == "draw32" else "52"],
        button=many,
        blinds=(1, 2) if many > 2 else (2, 1),
    )


def flop(dealt: Dealt) -> Dealt:
    """Everybody limps in, and the flop lies."""
    while dealt.hand.turn:
        offered = dealt.offered
        dealt.does(offered.seat, Action.CALL if offered.call else Action.CHECK)
    dealt.deals()
    return dealt
