"""What a hand of the house rules comes to, reckoned a second time from its events and cards alone.

Pots from what each put in, winners by the plain rankings, odd units one each, and who shows first.
Nothing here is shared with the product but the events; it is read beside the documents. A hand
without dead blinds, raked by nobody, is meant; the last seat has the button.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from riverboat.game.hand.events import (
    BroughtIn,
    Called,
    Folded,
    HandEvent,
    Post,
    Posted,
    RaisedTo,
    RoundClosed,
    StreetDealt,
    UncalledReturned,
)
from tests.documents import plain_rankings as plain

HIGH: Final = {
    "soko": plain.soko,
    "americana": plain.americana,
    "telesina": plain.telesina,
    "draw32": plain.draw32,
}

# Who shows first where the last round saw no bet: left of the button or the box, left of the big
# blind, or the highest open hand.
LEFT, BEHIND_BIG_BLIND, OPEN = "left", "behind the big blind", "open"
FIRST: Final = {
    ("lt", "draw32"): BEHIND_BIG_BLIND,
    ("et", "draw32"): BEHIND_BIG_BLIND,
    ("et", "soko"): OPEN,
    **{(book, variant): OPEN for book in ("lt", "et", "ro") for variant in ("stud7", "stud7_hilo")},
    **{("ro", variant): OPEN for variant in ("soko", "americana", "telesina")},
}


class Dealt(NamedTuple):
    """The hand as its players saw it at the end."""

    book: str
    variant: str
    own: Mapping[int, Sequence[str]]  # of those who have not folded
    up: Mapping[int, Sequence[str]]
    board: Sequence[str]
    seats: int
    last_street: int


def put_in(events: Iterable[HandEvent], seats: int) -> dict[int, int]:
    """What each seat has put in and not got back, antes included."""
    put = dict.fromkeys(range(1, seats + 1), 0)
    bets: Counter[int] = Counter()
    for event in events:
        match event:
            case Posted():
                put[event.seat] += event.amount
                if event.post is not Post.ANTE:
                    bets[event.seat] += event.amount
            case Called() | RaisedTo() | BroughtIn():
                put[event.seat] += event.total - bets[event.seat]
                bets[event.seat] = event.total
            case UncalledReturned():
                put[event.seat] -= event.amount
            case RoundClosed():
                bets.clear()
    return put


def pots(put: Mapping[int, int], live: Sequence[int]) -> list[tuple[int, list[int]]]:
    """A pot up to each sum that a live player has in; what is above the last falls to it."""
    made: list[tuple[int, list[int]]] = []
    below = 0
    levels = sorted({put[seat] for seat in live})
    for level in levels:
        top = level if level != levels[-1] else max(put.values())
        amount = sum(min(each, top) - min(each, below) for each in put.values())
        who = [seat for seat in live if put[seat] >= level]
        if made and made[-1][1] == who:
            made[-1] = (made[-1][0] + amount, who)
        elif amount:
            made.append((amount, who))
        below = level
    return made


def winnings(dealt: Dealt, events: Sequence[HandEvent]) -> dict[int, int]:
    """What each seat wins or loses."""
    put = put_in(events, dealt.seats)
    live = sorted(dealt.own)
    won: Counter[int] = Counter()
    for amount, who in pots(put, live):
        parts = [best for best in _best(dealt, who, len(live)) if best]
        halves = [amount] if len(parts) == 1 else [amount - amount // 2, amount // 2]
        for half, winners in zip(halves, parts, strict=True):
            each, odd = divmod(half, len(winners))
            for place, seat in enumerate(winners):
                won[seat] += each + (place < odd)
    return {seat: won[seat] - put[seat] for seat in put}


def _best(dealt: Dealt, who: Sequence[int], left: int) -> list[list[int]]:
    """Who wins the pot, or each half of it, in the order of odd units; nobody where none can."""
    variant = dealt.variant
    if len(who) == 1:
        return [list(who)]
    if variant == "telesina":
        two_left = (left if dealt.book == "lt" else len(who)) == 2
        vela = dealt.board[0] if dealt.board else None
        own = {seat: dealt.own[seat] for seat in who}
        return [sorted(plain.telesina_winners(own, vela, two_left))]
    found = []
    for way in _ways(variant):
        keys = {seat: _worth(way, dealt, seat) for seat in who}
        best = max((key for key in keys.values() if key is not None), default=None)
        found.append([seat for seat in who if best is not None and keys[seat] == best])
    return found


def _ways(variant: str) -> list[Callable[[Sequence[str]], plain.Key | None]]:
    if variant == "triple_draw27":
        return [plain.low27]
    if variant.endswith("hilo"):
        return [plain.high, plain.low8]
    return [HIGH.get(variant, plain.high)]


def _worth(
    way: Callable[[Sequence[str]], plain.Key | None], dealt: Dealt, seat: int
) -> plain.Key | None:
    own = dealt.own[seat]
    if dealt.variant.startswith("omaha"):
        return plain.exactly_two(way, own, dealt.board)
    return plain.best_of(way, [*own, *dealt.board])


def shows_first(dealt: Dealt, events: Sequence[HandEvent], big_blind: int) -> int:
    """Where the showing begins; clockwise from there the first who has not folded."""
    street, bettor, bet_on = 0, 0, -1
    for event in events:
        match event:
            case StreetDealt():
                street = event.street
            case RaisedTo():
                bettor, bet_on = event.seat, street
    if bet_on == dealt.last_street:
        return bettor
    rule = FIRST.get((dealt.book, dealt.variant), LEFT)
    if rule == OPEN:
        keys = {seat: open_hand(dealt.variant, dealt.up[seat]) for seat in sorted(dealt.own)}
        return max(keys, key=lambda seat: (keys[seat], -seat))
    return big_blind + 1 if rule == BEHIND_BIG_BLIND else 1


def open_hand(variant: str, up: Sequence[str]) -> plain.Key:
    """What three or four open cards are worth, by the game's own order: no five are there yet."""
    groups = plain.groups(up)
    sizes = tuple(len(cards) for _, cards in groups)
    ranks = tuple(value for value, _ in groups)
    names = [(), (2,), "four-straight", "four-flush", (2, 2), (3,), (4,)]
    if sizes[:2] == (2, 2):
        return (names.index((2, 2)), *ranks)
    if sizes[0] > 2:
        return (names.index((sizes[0],)), *ranks)
    if variant == "soko" and len(up) == 4:
        if plain.is_flush(up):
            return (names.index("four-flush"), *ranks)
        runs = len(ranks) == 4 and ranks[0] - ranks[-1] == 3
        if runs or ranks == (14, 4, 3, 2):
            return (names.index("four-straight"), 4 if ranks == (14, 4, 3, 2) else ranks[0])
    suits: tuple[int, ...] = ()
    if variant == "telesina":
        suits = tuple(plain.suit_worth(cards[0]) for _, cards in groups)
    if sizes[0] == 2:
        return (names.index((2,)), *ranks, *suits[1:])
    if suits:
        return (0, *(part for both in zip(ranks, suits, strict=True) for part in both))
    return (0, *ranks)


def folded(events: Iterable[HandEvent]) -> set[int]:
    return {event.seat for event in events if isinstance(event, Folded)}
