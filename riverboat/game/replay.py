"""Replay: a recorded hand played again, by the decisions and the fold that the services run.

Forced posts, the button and the whole rake are taken as they were recorded; everything else is
decided anew and held against the record. No second engine, and no card that nobody saw is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from riverboat.game.commands import Act, Action
from riverboat.game.hand.bet import act
from riverboat.game.hand.deal import deal, first_street
from riverboat.game.hand.events import (
    Called,
    DealtIn,
    Half,
    HandEvent,
    HandShown,
    HandStarted,
    Post,
    Posted,
    PotAwarded,
    PotsMade,
    RaisedTo,
    Stakes,
    UncalledReturned,
)
from riverboat.game.hand.fold import evolve, start
from riverboat.game.hand.judge import judge
from riverboat.game.hand.state import NOBODY, Baton
from riverboat.game.recorded import POSTS, TURNS, PotThen, Recorded, Step
from riverboat.game.refusals import Refusal
from riverboat.game.rules.schema import Game
from riverboat.game.rules.sites import game_at

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
}


NOBODY_TO_ANSWER: Final = "nobody_to_answer"  # the fact of a refused raise
UNKNOWN: Final = -1  # a card that nobody saw


class Difference(NamedTuple):
    """Where the hand went another way than it was recorded."""

    hand: str
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.hand}: {self.what}: expected {self.expected}, got {self.got}"


class _Apart(Exception):
    """From here on nothing can be compared."""


def replay(then: Recorded) -> list[Difference] | None:
    """All differences, none when the hand goes as it went; None when its game is not offered."""
    game = game_at(then.site, then.variant, then.limit)
    if game is None:
        return None
    try:
        again = _Again(then, game)
        again.play()
        again.end()
    except _Apart as apart:
        what, expected, got = apart.args
        return [Difference(then.id, what, str(expected), str(got))]
    except AssertionError as broken:
        # A law of the hand broke on what the record says: that hand's fault, not the file's.
        return [Difference(then.id, "law", "all hold", str(broken) or "one is broken")]
    return again.differences


class _Again:
    """One hand on its way through the engine, beside its record."""

    def __init__(self, then: Recorded, game: Game) -> None:
        self.then = then
        self.differences: list[Difference] = []
        self.returned: dict[int, int] = {}
        # Here seats are numbered from 1; where the record begins at 0 all move up by one.
        self.shift = int(then.button == 0 or then.seats[0].seat == 0)
        self.hand = start(self._started(game), 0)
        # The site's own rules, where they differ from those of the rulebook.
        self.hand.game = game
        self.hole = self._hole()
        self.deck = self._deck()

    def _started(self, game: Game) -> HandStarted:
        then, shift = self.then, self.shift
        button = NOBODY if then.button is None else then.button + shift
        in_order = sorted(then.seats, key=lambda chair: (chair.seat + shift <= button, chair.seat))
        by_kind = {step.kind: step.seat + shift for step in reversed(self._forced())}
        return HandStarted(
            hand=then.id,
            number=1,
            rulebook=game.rulebook,
            rules_version=1,
            rules_digest="",
            variant=game.variant,
            limit=game.limit,
            stakes=_stakes(then.stakes),
            button=button,
            seats=tuple(
                DealtIn(chair.seat + shift, _player(chair.seat), "", chair.stack)
                for chair in in_order
            ),
            runs=then.runs,
            turn_ms=1,
            raked=True,
            sealed=b"",
            key="",
            root=b"",
            state_hash=b"",
            small_blind=by_kind.get("sb", NOBODY),
            big_blind=by_kind.get("bb", NOBODY),
        )

    def _forced(self) -> list[Step]:
        """What went in before the first card."""
        kinds = [step.kind for step in self.then.steps]
        if "street" not in kinds:
            raise _Apart("deal", "a street", "none is recorded")
        return [step for step in self.then.steps[: kinds.index("street")] if step.kind in POSTS]

    # Playing.

    def play(self) -> None:
        """Everything up to the showdown."""
        forced = self._forced()
        for step in forced:
            self._post(step, forced)
        streets = 0
        for step in self.then.steps[len(forced) :]:
            if step.kind == "street" and not step.run:
                self._street(streets)
                streets += 1
            elif step.kind in TURNS:
                self._turn(step)

    def _post(self, step: Step, forced: Sequence[Step]) -> None:
        hand, seat = self.hand, step.seat + self.shift
        if step.amount > hand.seats[seat].stack:
            raise _Apart("post", f"at most {hand.seats[seat].stack}", step.amount)
        post = POST_OF.get(step.kind)
        if post is None:
            raise _Apart("post", "a blind or an ante", step.kind)
        kinds = [each.kind for each in forced]
        if post is Post.ANTE and kinds.count("ante") == 1 and step.seat == self._big_blind(forced):
            post = Post.BIG_BLIND_ANTE
        if post is Post.SMALL_BLIND and "bb" not in kinds:
            # The small one is the last blind, and the round opens behind it.
            post = Post.BIG_BLIND
        due = step.to or step.amount
        if step.amount == hand.seats[seat].stack:
            due = max(due, self._in_full(post))
        self._fold([Posted(seat, post, step.amount, due)])

    def _big_blind(self, forced: Sequence[Step]) -> int:
        return next((step.seat for step in forced if step.kind == "bb"), -1)

    def _in_full(self, post: Post) -> int:
        """What an all-in seat would have owed."""
        stakes = self.hand.stakes
        return {
            Post.ANTE: stakes.ante,
            Post.SMALL_BLIND: stakes.small_blind,
            Post.BIG_BLIND: stakes.big_blind,
            Post.EXTRA_BLIND: stakes.big_blind,
            Post.STRADDLE: max(stakes.straddles, default=0),
        }.get(post, 0)

    def _street(self, street: int) -> None:
        hand = self.hand
        if street <= hand.street:
            return  # An all-in has dealt it already, with all that came behind it.
        if hand.baton is not Baton.DEALER:
            raise _Apart(f"street {street}", "a street is dealt", self._waits())
        if street:
            events = deal(hand, self.deck, _no_proof)
        else:
            events = [first_street(hand.game, list(hand.seats), self.deck, _no_proof)]
        # Hands that nobody saw are not turned up either.
        self._fold(e for e in events if not isinstance(e, HandShown) or e.seat in self.hole)
        if any(UNKNOWN in board for board in hand.boards):
            raise _Apart(f"cards of street {hand.street}", "known", hand.boards)

    def _deck(self) -> list[int]:
        """A deck that deals what was dealt, with a blank for every card that nobody saw."""
        hand = self.hand
        down = hand.game.streets[0].down
        blanks = (UNKNOWN,) * down
        own = [self.hole.get(seat, blanks) for seat in hand.seats]
        deck = [cards[at] for at in range(down) for cards in own]
        whole = sum(street.board for street in hand.game.streets)
        for run in range(self.then.runs):
            steps = [step for step in self.then.steps if step.kind == "street" and step.run == run]
            board = [card for step in steps for card in step.cards]
            # Only the first board can end early, and only by folds.
            deck += board if run else [*board, *[UNKNOWN] * (whole - len(board))]
        return deck

    def _hole(self) -> dict[int, tuple[int, ...]]:
        """The hands that can be judged: those the source shows and nobody gave up."""
        mucked = {step.seat for step in self.then.steps if step.kind == "muck"}
        down = self.hand.game.streets[0].down
        hole = {}
        for chair in self.then.seats:
            if chair.hole and chair.seat not in mucked:
                if len(chair.hole) != down:
                    raise _Apart(f"cards of seat {chair.seat}", down, len(chair.hole))
                hole[chair.seat + self.shift] = chair.hole
        return hole

    def _turn(self, step: Step) -> None:
        hand, seat = self.hand, step.seat + self.shift
        said = f"{step.kind} to {step.to}" if step.to else step.kind
        if hand.turn != seat:
            raise _Apart("turn", f"{said} by seat {step.seat}", self._waits())
        if step.kind not in ACTION_OF:
            raise _Apart("action", "an action of this game", step.kind)
        command = Act(hand.id, hand.turn_number, hand.price, ACTION_OF[step.kind], step.to, ())
        events = act(hand, _player(step.seat), command)
        if isinstance(events, Refusal) and events.facts.get("reason") == NOBODY_TO_ANSWER:
            # Sites take a raise that nobody is left to answer, and give the excess back. Here it
            # never goes in: it is a call.
            self._return(seat, step.to - hand.price)
            command.action = Action.CALL
            step = replace(step, to=min(step.to, hand.price))
            events = act(hand, _player(step.seat), command)
        if isinstance(events, Refusal):
            raise _Apart(f"legal for seat {step.seat}", said, events)
        for event in events:
            if isinstance(event, Called | RaisedTo) and event.total != step.to:
                self._differ(f"{step.kind} by seat {step.seat}", step.to, event.total)
        self._fold(events)

    def _waits(self) -> str:
        hand = self.hand
        if hand.turn != NOBODY:
            return f"seat {hand.turn - self.shift} to act"
        return f"{hand.baton.name.lower()} to go on"

    def _fold(self, events: Iterable[HandEvent]) -> None:
        for event in events:
            if isinstance(event, UncalledReturned):
                self._return(event.seat, event.amount)
            evolve(self.hand, event, 0)

    def _return(self, seat: int, amount: int) -> None:
        self.returned[seat] = self.returned.get(seat, 0) + amount

    # Comparing.

    def end(self) -> None:
        """The showdown, and all that the record says of it."""
        hand, expected, shift = self.hand, self.then.expected, self.shift
        if hand.baton is not Baton.SHOWDOWN:
            raise _Apart("end", "the showdown", self._waits())
        self._same("uncalled", self._recorded_uncalled(), self._seats(self.returned))
        hole = {seat: own for seat, own in self.hole.items() if not hand.seats[seat].folded}
        gross = judge(hand, hole, rake=0)
        made = gross[0]
        assert isinstance(made, PotsMade), "the pots come first"
        total = sum(pot.amount for pot in made.pots)
        self._same("total", expected.total, total)
        self._same(
            "pots",
            [(pot.amount, sorted(pot.eligible)) for pot in expected.pots],
            [(pot.amount, sorted(seat - shift for seat in pot.seats)) for pot in made.pots],
        )
        if self.differences:
            return
        awards = [event for event in gross if isinstance(event, PotAwarded)]
        self._compare_winners(awards)
        ended = judge(hand, hole, rake=expected.rake)
        self._compare_payouts(awards, [e for e in ended if isinstance(e, PotAwarded)])
        self._fold(ended)
        self._same("rake", expected.rake, expected.total - sum(expected.collected.values()))
        if expected.check == "exact":
            stacks = {seat.seat: seat.stack for seat in hand.seats.values()}
            self._same("finishing", dict(expected.finishing), self._seats(stacks))

    def _recorded_uncalled(self) -> dict[int, int]:
        back: dict[int, int] = {}
        for step in self.then.steps:
            if step.kind == "uncalled":
                back[step.seat] = back.get(step.seat, 0) + step.amount
        return back

    def _compare_winners(self, awards: Sequence[PotAwarded]) -> None:
        expected = self.then.expected
        by_run = expected.runs or (expected.pots,)
        for run, pots in enumerate(by_run):
            for index, pot in enumerate(pots):
                name = f"pot {index}" + (f" of board {run}" if expected.runs else "")
                here = [a for a in awards if (a.pot, a.run) == (index, run)]
                self._compare_pot(name, pot, here, bool(expected.runs))

    def _compare_pot(
        self, name: str, pot: PotThen, awards: Sequence[PotAwarded], sized: bool
    ) -> None:
        if sized:
            amount = sum(share.amount for award in awards for share in award.shares)
            self._same(f"{name}: amount", pot.amount, amount)
        for half, winners in (("high", pot.high), ("low", pot.low)):
            own = Half.LOW if half == "low" else Half.HIGH
            kinds = (own, Half.WHOLE) if half == "high" else (own,)
            got = [s.seat - self.shift for a in awards if a.half in kinds for s in a.shares]
            self._same(f"{name}: {half}", sorted(winners), sorted(got))

    def _compare_payouts(self, gross: Sequence[PotAwarded], net: Sequence[PotAwarded]) -> None:
        expected = self.then.expected
        got = self._seats(_paid(net))
        if expected.check == "exact":
            self._same("collected", dict(expected.collected), {s: a for s, a in got.items() if a})
            return
        whole = self._seats(_paid(gross))
        parts = dict.fromkeys(whole, 0)
        for award in gross:
            for each in award.shares:
                parts[each.seat - self.shift] += 1
        for seat in sorted({*expected.collected, *whole}):
            paid, share = expected.collected.get(seat, 0), whole.get(seat, 0)
            if expected.check == "exact_up_to_rake_split":
                # How the site spread the rake over the winners is its own.
                least, most = share - expected.rake, share
            else:
                least, most = got.get(seat, 0) - parts[seat], got.get(seat, 0) + parts[seat]
            if not least <= paid <= most:
                self._differ(f"collected by seat {seat}", paid, f"{least} to {most}")

    def _seats(self, by_seat: Mapping[int, int]) -> dict[int, int]:
        return {seat - self.shift: by_seat[seat] for seat in sorted(by_seat)}

    def _same(self, what: str, expected: object, got: object) -> None:
        if expected != got:
            self._differ(what, expected, got)

    def _differ(self, what: str, expected: object, got: object) -> None:
        self.differences.append(Difference(self.then.id, what, str(expected), str(got)))


def _player(seat: int) -> str:
    return f"p{seat}"


def _no_proof(places: Sequence[int]) -> bytes:
    return b""


def _stakes(of: Mapping[str, int]) -> Stakes:
    """The stakes by our names."""
    return Stakes(
        small_blind=of.get("sb", 0),
        big_blind=of.get("bb", 0),
        ante=of.get("ante", 0),
        bring_in=of.get("bring_in", 0),
        small_bet=of.get("small_bet", 0),
        big_bet=of.get("big_bet", 0),
        straddles=(of["straddle"],) if "straddle" in of else (),
    )


def _paid(awards: Iterable[PotAwarded]) -> dict[int, int]:
    paid: dict[int, int] = {}
    for award in awards:
        for share in award.shares:
            paid[share.seat] = paid.get(share.seat, 0) + share.amount
    return paid
