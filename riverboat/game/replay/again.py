"""Again: one recorded hand on its way through the engine, up to its showdown.

Forced posts and the button are taken as they were recorded; everything after them is decided
anew. No card that nobody saw is needed. Compares nothing but what it is about to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from riverboat.game.cards import texts
from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import act
from riverboat.game.hand.deal import Stub, deal, draw, first_street
from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    DealtIn,
    HandEvent,
    HandShown,
    HandStarted,
    Post,
    Posted,
    RaisedTo,
    Stakes,
    UncalledReturned,
)
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.state import NOBODY, Baton
from riverboat.game.refusals import Refusal
from riverboat.game.replay.known import Known, thrown
from riverboat.game.replay.recorded import POSTS, TURNS, UNKNOWN, Chair, Recorded, Step
from riverboat.game.rules.schema import Forced, Game

POST_OF: Final = {
    "ante": Post.ANTE,
    "dead": Post.DEAD_BLIND,
    "sb": Post.SMALL_BLIND,
    "bb": Post.BIG_BLIND,
    "straddle": Post.STRADDLE,
    "button_blind": Post.BUTTON_BLIND,
    "post": Post.EXTRA_BLIND,
}
ACTION_OF: Final = {
    "fold": Action.FOLD,
    "check": Action.CHECK,
    "call": Action.CALL,
    "bet": Action.RAISE,
    "raise": Action.RAISE,
    "complete": Action.RAISE,
    "bring_in": Action.BRING_IN,
}
NOBODY_TO_ANSWER: Final = "nobody_to_answer"  # the reason of a refused raise


class Apart(Exception):
    """The hand went another way, and from here on nothing can be compared."""

    def __init__(self, what: str, expected: object, got: object) -> None:
        super().__init__(what, expected, got)
        self.what = what
        self.expected = expected
        self.got = got


class Again:
    """The hand as it is now, beside its record."""

    def __init__(self, then: Recorded, game: Game) -> None:
        self.then = then
        self.returned: dict[int, int] = {}  # by the record's seat: what nobody matched
        # Here seats are numbered from 1; where the record begins at 0 all move up by one.
        self.shift = int(then.button == 0 or then.seats[0].seat == 0)
        self.hand = start(self._started(game), 0)
        # The site's own rules, where they differ from those of the rulebook.
        self.hand.game = game
        order = [seat - self.shift for seat in self.hand.seats]
        self._known = Known(then, order, game)
        self._deck = self._known.deck
        self.hole = self._hole()

    def play(self) -> None:
        """Everything up to the showdown."""
        for step in self._forced():
            self._post(step)
        streets = 0
        for step in self.then.steps:
            if step.kind == "street" and not step.run:
                self._street(streets)
                streets += 1
            elif step.kind in TURNS:
                self._turn(step)
        if self.hand.baton is not Baton.SHOWDOWN:
            raise Apart("end", "the showdown", self._waits())

    # What is taken as given.

    def _started(self, game: Game) -> HandStarted:
        then, shift = self.then, self.shift
        button = NOBODY if then.button is None else then.button + shift
        posted = {step.kind: step.seat + shift for step in reversed(self._forced())}

        def left_of_button(chair: Chair) -> tuple[bool, int]:
            return chair.seat + shift <= button, chair.seat

        return HandStarted(
            hand=then.id,
            number=1,
            rulebook=game.rulebook,
            rules_version=1,
            rules_digest="",
            variant=game.variant,
            limit=game.limit,
            stakes=_stakes(then.stakes, game),
            button=button,
            seats=tuple(
                DealtIn(chair.seat + shift, _player(chair.seat), "", chair.stack)
                for chair in sorted(then.seats, key=left_of_button)
            ),
            runs=then.runs,
            turn_ms=1,
            raked=True,
            sealed=b"",
            key="",
            root=b"",
            state_hash=b"",
            small_blind=posted.get("sb", NOBODY),
            big_blind=posted.get("bb", NOBODY),
        )

    def _forced(self) -> list[Step]:
        """What went in before the first card."""
        kinds = [step.kind for step in self.then.steps]
        if "street" not in kinds:
            raise Apart("deal", "a street", "none is recorded")
        return [step for step in self.then.steps[: kinds.index("street")] if step.kind in POSTS]

    def _post(self, step: Step) -> None:
        seat = self.hand.seats[step.seat + self.shift]
        if step.amount > seat.stack:
            raise Apart(f"{step.kind} of seat {step.seat}", f"at most {seat.stack}", step.amount)
        post = self._kind(step)
        if step.to and step.to != seat.bet + step.amount:
            raise Apart(f"{step.kind} of seat {step.seat}", seat.bet + step.amount, step.to)
        due = step.to or step.amount
        if step.amount == seat.stack:
            due = max(due, self._in_full(post))
        self.fold([Posted(seat.seat, post, step.amount, due)])

    def _kind(self, step: Step) -> Post:
        forced = self._forced()
        post = POST_OF.get(step.kind)
        if post is None:
            raise Apart("forced bet", "one of this game", step.kind)
        big_blinds = [each.seat for each in forced if each.kind == "bb"]
        if (
            post is Post.ANTE
            and [each.seat for each in forced if each.kind == "ante"] == big_blinds
        ):
            return Post.BIG_BLIND_ANTE  # One for the whole table.
        if post is Post.SMALL_BLIND and not big_blinds:
            # Then the small blind is the last one, and the round opens behind it.
            return Post.BIG_BLIND
        return post

    def _in_full(self, post: Post) -> int:
        """What an all-in seat would have owed."""
        stakes = self.hand.stakes
        owed = {
            Post.ANTE: stakes.ante,
            Post.SMALL_BLIND: stakes.small_blind,
            Post.BIG_BLIND: stakes.big_blind,
            Post.EXTRA_BLIND: stakes.big_blind,
            Post.BUTTON_BLIND: stakes.button_blind,
            Post.STRADDLE: max(stakes.straddles, default=0),
        }
        return owed.get(post, 0)

    # Cards.

    def _hole(self) -> dict[int, tuple[int, ...]]:
        """The hands that can be judged: those that the source shows and nobody gave up."""
        mucked = {step.seat for step in self.then.steps if step.kind == "muck"}
        shown = {step.seat: step.cards for step in self.then.steps if step.kind == "show"}
        hole = {}
        for seat, own in self._known.hands.items():
            if seat in mucked:
                continue
            final = self._known.final(seat)
            seen = shown.get(seat, ())
            if final and seen and UNKNOWN not in seen and sorted(final) != sorted(seen):
                raise Apart(f"cards of seat {seat}", texts(final), texts(seen))
            if not final and len(seen) == len(own) and UNKNOWN not in seen:
                final = seen
            if final:
                hole[seat + self.shift] = final
        return hole

    def _street(self, street: int) -> None:
        hand = self.hand
        if street <= hand.street:
            return  # An all-in has dealt it already, with all that came behind it.
        if hand.baton is not Baton.DEALER:
            raise Apart(f"street {street}", "a street is dealt", self._waits())
        events: list[HandEvent]
        self._same_deal(street)
        try:
            if street:
                events = deal(hand, self._deck, _no_proof)
            else:
                events = [first_street(hand.game, list(hand.seats), self._deck, _no_proof)]
        except IndexError:
            # The deck holds what the record deals, and nothing else.
            raise Apart(f"cards of street {street}", "enough for all", "some are missing") from None
        # Hands that nobody saw are not turned up either.
        self.fold(
            replace(event, cards=self.hole[event.seat]) if isinstance(event, HandShown) else event
            for event in events
            if not isinstance(event, HandShown) or event.seat in self.hole
        )
        if any(card < 0 for board in hand.boards for card in board):
            raise Apart(f"cards of street {hand.street}", "all are known", "some are missing")

    def _same_deal(self, street: int) -> None:
        """Who got how many cards, where the record tells."""
        hand, deals = self.hand, self._known.deals
        if street >= len(deals) or street >= len(hand.game.streets):
            return
        due = hand.game.streets[street].down, hand.game.streets[street].up
        live = [seat.seat - self.shift for seat in hand.seats.values() if not seat.folded]
        expected = dict.fromkeys(live, due) if any(due) else {}
        if deals[street] and deals[street] != expected:
            raise Apart(f"deal of street {street}", deals[street], expected)

    # Decisions.

    def _turn(self, step: Step) -> None:
        hand, player = self.hand, _player(step.seat)
        said = f"{step.kind} to {step.to}" if step.to else step.kind
        if hand.turn != step.seat + self.shift:
            raise Apart("turn", f"{said} by seat {step.seat}", self._waits())
        if step.kind == "draw":
            self._draw(step)
            return
        if step.kind not in ACTION_OF:
            raise Apart("action", "one of this game", step.kind)
        command = Act(hand.id, hand.turn_number, hand.price, ACTION_OF[step.kind], step.to, ())
        events = act(hand, player, command)
        if _nobody_to_answer(events) and step.to > hand.price:
            # Sites take a raise that nobody is left to answer, and give the excess back. Here it
            # never goes in: it is a call.
            self._return(step.seat, step.to - hand.price)
            step = replace(step, to=hand.price)
            events = act(hand, player, replace(command, action=Action.CALL))
        if isinstance(events, Refusal):
            raise Apart(f"act of seat {step.seat}", said, events)
        for event in events:
            if isinstance(event, Called | RaisedTo | BroughtIn) and event.total != step.to:
                raise Apart(f"{step.kind} of seat {step.seat}", step.to, event.total)
        self.fold(events)

    def _draw(self, step: Step) -> None:
        hand = self.hand
        seat = hand.seats[hand.turn]
        own = [self._deck[place] for place in seat.places]
        if not set(step.thrown) <= set(own):
            raise Apart(f"draw of seat {step.seat}", texts(step.thrown), "not all are in hand")
        throw = tuple(thrown(own, step))
        command = Act(hand.id, hand.turn_number, hand.price, Action.DRAW, 0, throw)
        events = draw(hand, seat.player, command, lambda: self._deck, _no_stub)
        if isinstance(events, Refusal):
            raise Apart(f"draw of seat {step.seat}", step.count, events)
        self.fold(events)

    def _waits(self) -> str:
        hand = self.hand
        if hand.turn != NOBODY:
            return f"seat {hand.turn - self.shift} to act"
        return f"{hand.baton.name.lower()} to go on"

    def fold(self, events: Iterable[HandEvent]) -> None:
        """What became true changes the hand."""
        for event in events:
            if isinstance(event, UncalledReturned):
                self._return(event.seat - self.shift, event.amount)
            evolve(self.hand, event, 0)

    def _return(self, seat: int, amount: int) -> None:
        self.returned[seat] = self.returned.get(seat, 0) + amount


def _nobody_to_answer(events: object) -> bool:
    return isinstance(events, Refusal) and events.facts.get("reason") == NOBODY_TO_ANSWER


def _player(seat: int) -> str:
    return f"p{seat}"


def _no_stub(cards: Sequence[int]) -> Stub:
    """The deck of a record deals each draw in turn; only a card thrown by its taker is short."""
    raise Apart("draw", "no card that the player threw himself", "one came back")


def _no_proof(places: Sequence[int]) -> bytes:
    return b""


def _stakes(of: Mapping[str, int], game: Game) -> Stakes:
    """The stakes by our names."""
    by_button = game.forced is Forced.BUTTON_BLIND
    return Stakes(
        small_blind=of.get("sb", 0),
        big_blind=0 if by_button else of.get("bb", 0),
        button_blind=of.get("bb", 0) if by_button else 0,
        ante=of.get("ante", 0),
        bring_in=of.get("bring_in", 0),
        small_bet=of.get("small_bet", 0),
        big_bet=of.get("big_bet", 0),
        straddles=(of["straddle"],) if "straddle" in of else (),
    )
