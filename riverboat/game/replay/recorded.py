"""Recorded hands: hands that were played elsewhere, read from plain JSON values and checked.

Every fault names the field in which it stands. Nothing here knows a rule or plays a hand: a
recorded hand is what its source says, complete enough to be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from riverboat.game.cards import card, text

T = TypeVar("T")

HIDDEN: Final = "??"  # a card that the source does not show

# The forced bets, and what a player did on his turn, with what each of them must say.
POSTS: Final = {
    "ante": ("amount",),
    "dead": ("amount",),
    "sb": ("amount", "to"),
    "bb": ("amount", "to"),
    "straddle": ("amount", "to"),
    "button_blind": ("amount", "to"),
    "post": ("amount", "to"),
    "bring_in": ("amount", "to"),
}
TURNS: Final = {
    "fold": (),
    "check": (),
    "call": ("to",),
    "bet": ("to",),
    "raise": ("to",),
    "complete": ("to",),
    "draw": ("n",),
}
NOTES: Final = {"deal": (), "uncalled": ("amount",), "show": (), "muck": ()}
STEPS: Final[dict[str, tuple[str, ...]]] = {**POSTS, **TURNS, **NOTES}

STAKES: Final = ("sb", "bb", "straddle", "ante", "bring_in", "small_bet", "big_bet")
RUNS: Final = 3  # most boards of one hand
CHECKS: Final = ("exact", "exact_up_to_rake_split", "exact_up_to_odd_chip")


class Malformed(ValueError):
    """A recorded hand that cannot be read: the field, and what is wrong with it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}")
        self.where = where


@dataclass(frozen=True, slots=True)
class Chair:
    """A player who was dealt in."""

    seat: int
    stack: int
    hole: tuple[int, ...]  # empty: not shown by the source, not wholly at least


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened, by the source's word for it."""

    kind: str
    seat: int = -1
    amount: int = 0
    to: int = 0
    run: int = 0  # index of the board
    cards: tuple[int, ...] = ()  # of a street


@dataclass(frozen=True, slots=True)
class PotThen:
    """A pot as the source says it was."""

    amount: int
    eligible: tuple[int, ...]
    high: tuple[int, ...]
    low: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the hand ended."""

    pots: tuple[PotThen, ...]
    runs: tuple[tuple[PotThen, ...], ...]  # per board; empty where there was one
    total: int
    rake: int
    collected: Mapping[int, int]
    finishing: Mapping[int, int]
    check: str  # how exactly the payouts can be demanded


@dataclass(frozen=True, slots=True)
class Recorded:
    """One hand as it was played."""

    id: str
    site: str
    variant: str
    limit: str
    stakes: Mapping[str, int]
    button: int | None
    seats: tuple[Chair, ...]
    steps: tuple[Step, ...]
    expected: Outcome
    runs: int  # how many boards were dealt


def recorded(value: object) -> Recorded:
    """The hand of this JSON object; raises `Malformed`."""
    hand = _Field("hand", value)
    if not isinstance(value, dict):
        raise Malformed("hand", f"must be an object, not {_short(value)}")
    seats = hand.at("seats").each(_chair)
    numbers = [chair.seat for chair in seats]
    if len(seats) < 2 or numbers != sorted(set(numbers)):
        raise Malformed("seats", "must be two or more, sorted by different seat numbers")
    steps = hand.at("actions").each(lambda step: _step(step, numbers))
    _once_each(seats, steps)
    button = hand.at("button")
    return Recorded(
        id=hand.at("id").text(),
        site=hand.at("source").at("site").text(),
        variant=hand.at("variant").text(),
        limit=hand.at("limit").text(),
        stakes={key: each.number() for key, each in hand.at("stakes").items(STAKES)},
        button=None if button.value is None else button.number(),
        seats=seats,
        steps=steps,
        expected=_outcome(hand.at("expected"), numbers),
        runs=1 + max((step.run for step in steps), default=0),
    )


class _Field:
    """A value and the path to it, so that each fault names its field."""

    def __init__(self, where: str, value: Any) -> None:
        self.where = where
        self.value = value

    def at(self, key: str) -> _Field:
        where = key if self.where == "hand" else f"{self.where}.{key}"
        if not isinstance(self.value, dict):
            raise Malformed(self.where, f"must be an object, not {_short(self.value)}")
        if key not in self.value:
            raise Malformed(where, "is missing")
        return _Field(where, self.value[key])

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and self.value.get(key) is not None

    def number(self, least: int = 0) -> int:
        if type(self.value) is not int or self.value < least:
            raise Malformed(
                self.where, f"must be a whole number from {least}, not {_short(self.value)}"
            )
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value:
            raise Malformed(self.where, f"must be text, not {_short(self.value)}")
        return self.value

    def one_of(self, words: tuple[str, ...]) -> str:
        if self.value not in words:
            raise Malformed(
                self.where, f"must be one of {', '.join(words)}, not {_short(self.value)}"
            )
        return str(self.value)

    def seat(self, seats: list[int]) -> int:
        if self.number() not in seats:
            raise Malformed(self.where, f"no seat {self.value} was dealt in")
        return int(self.value)

    def each(self, read: Callable[[_Field], T]) -> tuple[T, ...]:
        if not isinstance(self.value, list):
            raise Malformed(self.where, f"must be a list, not {_short(self.value)}")
        return tuple(read(_Field(f"{self.where}[{at}]", one)) for at, one in enumerate(self.value))

    def items(self, known: tuple[str, ...] | None = None) -> list[tuple[str, _Field]]:
        if not isinstance(self.value, dict):
            raise Malformed(self.where, f"must be an object, not {_short(self.value)}")
        return [(key, self.at(key)) for key in self.value if known is None or key in known]


def _short(value: object) -> str:
    said = repr(value)
    return said if len(said) <= 40 else f"{said[:37]}..."


def _card(each: _Field) -> int:
    letters = each.text()
    try:
        return card(letters)
    except ValueError as error:
        raise Malformed(each.where, str(error)) from None


def _chair(chair: _Field) -> Chair:
    hole: tuple[int, ...] = ()
    if chair.has("hole") and HIDDEN not in chair.at("hole").each(lambda each: each.value):
        hole = chair.at("hole").each(_card)
    return Chair(chair.at("seat").number(), chair.at("stack").number(1), hole)


def _step(step: _Field, seats: list[int]) -> Step:
    kind = step.at("type").text()
    if kind == "street":
        run = step.at("run").number(1) - 1 if step.has("run") else 0
        if run >= RUNS:
            raise Malformed(f"{step.where}.run", f"must be at most {RUNS}, not {run + 1}")
        shown = step.at("cards").each(_card) if step.has("cards") else ()
        return Step(kind, run=run, cards=shown)
    if kind not in STEPS:
        raise Malformed(f"{step.where}.type", f"no such action: {_short(kind)}")
    values = {key: step.at(key).number() for key in STEPS[kind] if key != "n"}
    return Step(kind, step.at("seat").seat(seats), values.get("amount", 0), values.get("to", 0))


def _once_each(seats: Sequence[Chair], steps: Sequence[Step]) -> None:
    """No card is dealt twice, as far as the source shows them."""
    seen: dict[int, str] = {}
    for where, cards in (
        *((f"seats[{at}].hole", chair.hole) for at, chair in enumerate(seats)),
        *((f"actions[{at}].cards", step.cards) for at, step in enumerate(steps)),
    ):
        for one in cards:
            if one in seen:
                raise Malformed(where, f"{text(one)} was dealt in {seen[one]}")
            seen[one] = where


def _pot(pot: _Field, seats: list[int]) -> PotThen:
    def those(key: str) -> tuple[int, ...]:
        return pot.at(key).each(lambda each: each.seat(seats)) if pot.has(key) else ()

    return PotThen(pot.at("amount").number(), those("eligible"), those("high"), those("low"))


def _outcome(expected: _Field, seats: list[int]) -> Outcome:
    def pots(field: _Field) -> tuple[PotThen, ...]:
        return field.each(lambda pot: _pot(pot, seats))

    def by_seat(field: _Field) -> dict[int, int]:
        amounts = {}
        for key, amount in field.items():
            if not key.isdecimal() or int(key) not in seats:
                raise Malformed(amount.where, f"no seat {key!r} was dealt in")
            amounts[int(key)] = amount.number()
        return amounts

    runs = (
        expected.at("runs").each(lambda run: pots(run.at("pots"))) if expected.has("runs") else ()
    )
    total, rake = expected.at("total").number(), expected.at("rake").number()
    if rake > total:
        raise Malformed("expected.rake", "more than the total")
    return Outcome(
        pots=pots(expected.at("pots")),
        runs=runs,
        total=total,
        rake=rake,
        collected=by_seat(expected.at("collected")),
        finishing=by_seat(expected.at("finishing")),
        check=expected.at("payout_check").one_of(CHECKS),
    )
