"""Recorded hands: hands that were played elsewhere, read from plain JSON values and checked.

Every fault names the field in which it stands. Nothing here knows a rule or plays a hand: a
recorded hand is what its source says, complete enough to be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from riverboat.game.cards import card, text

T = TypeVar("T")

HIDDEN: Final = "??"  # a card that the source does not show
UNKNOWN: Final = -1  # the same, once read

# The forced bets, and what a player did on his turn, with what each of them must say.
POSTS: Final = {
    "ante": ("amount",),
    "dead": ("amount",),
    "sb": ("amount", "to"),
    "bb": ("amount", "to"),
    "straddle": ("amount", "to"),
    "button_blind": ("amount", "to"),
    "post": ("amount", "to"),
}
TURNS: Final = {
    "fold": (),
    "check": (),
    "call": ("to",),
    "bet": ("to",),
    "raise": ("to",),
    "complete": ("to",),
    "bring_in": ("amount", "to"),
    "draw": ("n",),
}
NOTES: Final = {"deal": (), "uncalled": ("amount",), "show": (), "muck": ()}
STEPS: Final[dict[str, tuple[str, ...]]] = {**POSTS, **TURNS, **NOTES}

STAKES: Final = ("sb", "bb", "straddle", "ante", "bring_in", "small_bet", "big_bet")
RUNS: Final = 3  # most boards of one hand
THROW: Final = 7  # most cards of one draw: nobody ever holds more
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
    cards: tuple[int, ...] = ()  # of a street, a draw or a hand shown; those that nobody saw: -1
    down: tuple[int, ...] = ()  # of a deal, likewise
    up: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()  # of a draw: the cards that the source names
    count: int = 0  # of a draw


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
    read = Step(
        kind,
        step.at("seat").seat(seats),
        values.get("amount", 0),
        values.get("to", 0),
        cards=_some(step, "cards"),
    )
    match kind:
        case "deal":
            return replace(read, down=_some(step, "down"), up=_some(step, "up"))
        case "draw":
            return _draw(step, read)
    return read


def _draw(step: _Field, read: Step) -> Step:
    """A draw; as many cards came as were thrown, whether or not the source names them."""
    count = step.at("n").number()
    thrown = tuple(card for card in _some(step, "discard") if card >= 0)
    if count > THROW:
        raise Malformed(f"{step.where}.n", f"must be at most {THROW}, not {count}")
    cards = read.cards or (UNKNOWN,) * count
    if len(thrown) > count:
        raise Malformed(f"{step.where}.discard", f"names more cards than {count}")
    if len(cards) != count:
        raise Malformed(f"{step.where}.cards", f"must be {count}, not {len(cards)}")
    return replace(read, thrown=thrown, cards=cards, count=count)


def _some(step: _Field, key: str) -> tuple[int, ...]:
    """The cards there, those that the source hides among them as unknown."""
    return step.at(key).each(_card_or_hidden) if step.has(key) else ()


def _card_or_hidden(each: _Field) -> int:
    return UNKNOWN if each.value == HIDDEN else _card(each)


class _Held:
    """Where each card lies that the source shows, so that none is dealt twice."""

    def __init__(self) -> None:
        self._at: dict[int, tuple[int, str]] = {}

    def dealt(self, seat: int, where: str, cards: Sequence[int]) -> None:
        for one in cards:
            if one in self._at:
                raise Malformed(where, f"{text(one)} was dealt in {self._at[one][1]}")
            if one != UNKNOWN:
                self._at[one] = seat, where

    def thrown(self, seat: int, where: str, cards: Sequence[int]) -> None:
        """Cards that a stub shuffled anew may deal again."""
        for one in cards:
            if self._at.get(one, (seat, ""))[0] != seat:
                raise Malformed(where, f"{text(one)} was dealt in {self._at[one][1]}")
            self._at.pop(one, None)

    def folded(self, seat: int) -> None:
        self._at = {card: held for card, held in self._at.items() if held[0] != seat}


def _once_each(seats: Sequence[Chair], steps: Sequence[Step]) -> None:
    """No card is dealt twice, as far as the source shows them."""
    held = _Held()
    draws = any(step.kind == "draw" for step in steps)
    for at, chair in enumerate(seats):
        held.dealt(chair.seat, f"seats[{at}].hole", chair.hole)
    for at, step in enumerate(steps):
        where = f"actions[{at}]"
        match step.kind:
            case "street":
                held.dealt(-1, f"{where}.cards", step.cards)
            case "deal":
                held.dealt(step.seat, f"{where}.down", step.down)
                held.dealt(step.seat, f"{where}.up", step.up)
            case "draw":
                held.thrown(step.seat, f"{where}.discard", step.thrown)
                held.dealt(step.seat, f"{where}.cards", step.cards)
            case "fold" if draws:
                held.folded(step.seat)


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
