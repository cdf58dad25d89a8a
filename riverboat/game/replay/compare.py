"""Compare: how a replayed hand is paid, held against how it was paid then.

The whole rake is taken as recorded; who wins what is judged anew. What the source cannot be held
to exactly is held to its bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from riverboat.game.hand.events import Half, HandEvent, HandMucked, Pot, PotAwarded, PotsMade
from riverboat.game.hand.judge import judge
from riverboat.game.replay.again import Again
from riverboat.game.replay.recorded import PotThen


class Difference(NamedTuple):
    """Where the hand went another way than it was recorded."""

    hand: str
    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.hand}: {self.what}: expected {self.expected}, got {self.got}"


def differences(again: Again) -> list[Difference]:
    """Every difference of the showdown and the payment, for a hand that has come to it."""
    compared = _Compared(again)
    compared.pots()
    # What is paid from other pots can only differ.
    if not compared.found:
        compared.winners()
        compared.payouts()
    return compared.found


class _Compared:
    """The hand judged without rake, beside its record."""

    def __init__(self, again: Again) -> None:
        self.then = again.then
        self.expected = again.then.expected
        self.found: list[Difference] = []
        self._again = again
        hand = again.hand
        self._hole = {s: own for s, own in again.hole.items() if not hand.seats[s].folded}
        gross = judge(hand, self._hole, rake=0)
        self._made = next(event.pots for event in gross if isinstance(event, PotsMade))
        self._mucked = {event.seat for event in gross if isinstance(event, HandMucked)}
        self._awards = _awards(gross)

    def pots(self) -> None:
        """What went back, and the pots: how much, and who can win it."""
        back: dict[int, int] = {}
        for step in self.then.steps:
            if step.kind == "uncalled":
                back[step.seat] = back.get(step.seat, 0) + step.amount
        self._same("uncalled", _sorted(back), _sorted(self._again.returned))
        self._same("total", self.expected.total, sum(pot.amount for pot in self._made))
        self._same(
            "pots",
            [(pot.amount, sorted(pot.eligible)) for pot in _filled(self.expected.pots)],
            [(pot.amount, sorted(map(self._then, pot.seats))) for pot in self._made],
        )

    def winners(self) -> None:
        """Who won each pot, on each board, high and low."""
        runs = self.expected.runs
        for run, recorded in enumerate(runs or (self.expected.pots,)):
            pots = _filled(recorded)
            self._same("count of pots", len(pots), len(self._made))
            for index, then in enumerate(pots[: len(self._made)]):
                awards = [a for a in self._awards if (a.pot, a.run) == (index, run)]
                name = f"pot {index} of board {run}" if runs else f"pot {index}"
                if runs:
                    amount = sum(share.amount for award in awards for share in award.shares)
                    self._same(f"{name}: amount", then.amount, amount)
                self._halves(name, then, self._made[index], awards)

    def _halves(self, name: str, then: PotThen, pot: Pot, awards: Sequence[PotAwarded]) -> None:
        high = self._won(awards, Half.WHOLE, Half.HIGH)
        low = self._won(awards, Half.LOW)
        if len(set(pot.seats) - self._mucked) == 1 and then.low:
            low = high  # Nobody was left to show a low against.
        self._same(f"{name}: high", sorted(then.high), high)
        self._same(f"{name}: low", sorted(then.low), low)

    def _won(self, awards: Sequence[PotAwarded], *halves: Half) -> list[int]:
        return sorted(self._then(s.seat) for a in awards if a.half in halves for s in a.shares)

    def payouts(self) -> None:
        """What each seat collected, and what it left the table with."""
        expected = self.expected
        collected = {seat: amount for seat, amount in expected.collected.items() if amount}
        self._same("rake", expected.rake, expected.total - sum(collected.values()))
        ended = judge(self._again.hand, self._hole, rake=expected.rake)
        net = self._paid(_awards(ended))
        self._again.fold(ended)
        if expected.check == "exact":
            self._same("collected", _sorted(collected), net)
        else:
            self._bounds(collected, net)
        stacks = {self._then(seat.seat): seat.stack for seat in self._again.hand.seats.values()}
        if expected.check != "exact":
            # Within its bounds each share is the site's own.
            for seat in stacks:
                stacks[seat] += collected.get(seat, 0) - net.get(seat, 0)
        self._same("finishing", _sorted(expected.finishing), _sorted(stacks))

    def _bounds(self, collected: Mapping[int, int], net: Mapping[int, int]) -> None:
        gross = self._paid(self._awards)
        for seat in sorted({*collected, *gross}):
            if self.expected.check == "exact_up_to_rake_split":
                # How the site spread the rake over the winners is its own.
                most = gross.get(seat, 0)
                least = most - self.expected.rake
            else:
                won = [s for a in self._awards for s in a.shares if self._then(s.seat) == seat]
                least, most = net.get(seat, 0) - len(won), net.get(seat, 0) + len(won)
            if not least <= collected.get(seat, 0) <= most:
                self._differ(f"collected by seat {seat}", collected.get(seat, 0), (least, most))

    def _paid(self, awards: Sequence[PotAwarded]) -> dict[int, int]:
        paid: dict[int, int] = {}
        for award in awards:
            for share in award.shares:
                seat = self._then(share.seat)
                paid[seat] = paid.get(seat, 0) + share.amount
        return _sorted({seat: amount for seat, amount in paid.items() if amount})

    def _then(self, seat: int) -> int:
        """The seat as the record numbers it."""
        return seat - self._again.shift

    def _same(self, what: str, expected: object, got: object) -> None:
        if expected != got:
            self._differ(what, expected, got)

    def _differ(self, what: str, expected: object, got: object) -> None:
        self.found.append(Difference(self.then.id, what, str(expected), str(got)))


def _filled(pots: Iterable[PotThen]) -> list[PotThen]:
    """The pots that hold something: a lone blind that came back leaves an empty one."""
    return [pot for pot in pots if pot.amount]


def _awards(events: Iterable[HandEvent]) -> list[PotAwarded]:
    return [event for event in events if isinstance(event, PotAwarded)]


def _sorted(by_seat: Mapping[int, int]) -> dict[int, int]:
    return dict(sorted(by_seat.items()))
